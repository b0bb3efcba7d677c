"""The links between papers that are known without asking anybody."""

from __future__ import annotations

from coi_tui.methods.evidence.papers import found_links
from coi_tui.model.papers import Link
from coi_tui.model.state import State
from coi_tui.paths import Paths
from coi_tui.services.sources.starter import NAME, bundled_library
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.library import library_links


class Links:
    """Looked up as (citing, cited)."""

    def __init__(self, known: dict[tuple[str, str], Link]) -> None:
        self._known = known

    def get(self, citing: str, cited: str) -> Link | None:
        return self._known.get((citing, cited))


def known_links(state: State, paths: Paths) -> Links:
    """The session's own links first, then those of the shared library, then the starter library's
    where its papers are used."""
    known = {(link.citing, link.cited): link for link in found_links(state)}
    for link in library_links(paths, state.papers):
        known.setdefault((link.citing, link.cited), link)
    if any(paper.source == NAME for paper in state.papers.values()):
        for link in bundled_library().links:
            known.setdefault((link.citing, link.cited), link)
    return Links(known)


class KnownLinks:
    """The links of a session, gathered once for a state."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._kept: tuple[tuple[int, int, str], Links] | None = None

    def of(self, known: State, more: str = "") -> Links:
        """Those of a state; ``more`` is the id of a paper that ``known`` has beyond the session."""
        state = self._core.state
        key = (state.seq, len(state.papers), more)
        if self._kept is None or self._kept[0] != key:
            self._kept = (key, known_links(known, self._core.paths))
        return self._kept[1]
