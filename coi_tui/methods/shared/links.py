"""Links between papers that a session's own candidate lists found."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.papers import Link
from coi_tui.model.state import State


def found_links(state: State) -> list[Link]:
    """Every link that a candidate list of the session found, in any version."""
    found: dict[tuple[str, str], Link] = {}
    for version in state.versions.values():
        at = parse_address(version.address)
        if at.part != "cands" or at.pos == 0 or "of" not in version.content:
            continue
        tip = version.content["of"]
        for entry in version.content["entries"]:
            citing, cited = (entry["paper"], tip) if at.pos > 0 else (tip, entry["paper"])
            found[citing, cited] = Link(citing=citing, cited=cited, kind=entry["link"], evidence=entry["evidence"])
    return list(found.values())
