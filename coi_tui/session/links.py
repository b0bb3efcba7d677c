"""Links between papers that are known without asking anybody: the session's own lists, the library, the starter library."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.papers import Link
from coi_tui.model.state import State
from coi_tui.paths import Paths
from coi_tui.session.library import library_links


class Links:
    """Looked up as (citing, cited)."""

    def __init__(self, known: dict[tuple[str, str], Link]) -> None:
        self._known = known

    def get(self, citing: str, cited: str) -> Link | None:
        return self._known.get((citing, cited))


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


def known_links(state: State, paths: Paths) -> Links:
    """The session's own links first, then those of the shared library, then the starter library's where its papers are used."""
    known = {(link.citing, link.cited): link for link in found_links(state)}
    for link in library_links(paths, state.papers):
        known.setdefault((link.citing, link.cited), link)
    from coi_tui.literature.starter.library import NAME

    if any(paper.source == NAME for paper in state.papers.values()):
        from coi_tui.literature.starter.library import load

        for link in load().links:
            known.setdefault((link.citing, link.cited), link)
    return Links(known)
