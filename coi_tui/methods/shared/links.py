"""Links between papers that a session's own candidate lists found."""

from __future__ import annotations

from coi_tui.model.address import CANDIDATES, parse_address
from coi_tui.model.content import CandidateList
from coi_tui.model.papers import Link
from coi_tui.model.state import State


def found_links(state: State) -> list[Link]:
    """Every link that a candidate list of the session found, in any version."""
    found: dict[tuple[str, str], Link] = {}
    for version in state.versions.values():
        at = parse_address(version.address)
        if at.part != CANDIDATES or at.pos == 0:
            continue
        listed = state.content(version, CandidateList)
        for row in listed.entries if listed.of else ():
            citing, cited = (row.paper, listed.of) if at.pos > 0 else (listed.of, row.paper)
            found[citing, cited] = Link(
                citing=citing, cited=cited, kind=row.link, evidence=row.evidence
            )
    return list(found.values())
