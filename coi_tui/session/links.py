"""Links between papers that this session knows of: its own candidate lists, and the bundled library."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.papers import Link
from coi_tui.model.state import State


class Links:
    """Looked up as (citing, cited)."""

    def __init__(self, known: dict[tuple[str, str], Link]) -> None:
        self._known = known

    def get(self, citing: str, cited: str) -> Link | None:
        return self._known.get((citing, cited))


def known_links(state: State) -> Links:
    """Every link that a candidate list of the session found, in any version; then those of the starter library."""
    known: dict[tuple[str, str], Link] = {}
    for version in state.versions.values():
        at = parse_address(version.address)
        if at.part != "cands" or at.pos == 0 or "of" not in version.content:
            continue
        tip = version.content["of"]
        for entry in version.content["entries"]:
            citing, cited = (entry["paper"], tip) if at.pos > 0 else (tip, entry["paper"])
            known[citing, cited] = Link(citing=citing, cited=cited, kind=entry["link"], evidence=entry["evidence"])
    if any(p.source == STARTER for p in state.papers.values()):
        from coi_tui.literature.starter.library import load

        for link in load().links:
            known.setdefault((link.citing, link.cited), link)
    return Links(known)


STARTER = "starter library"
