"""A source that knows nothing published after a date, for studies of what could have been thought
of then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Citations, Paper, PaperText, TitleMatch
from coi_tui.services.sources.types import (
    CitationList,
    People,
    Person,
    ReferenceLists,
    SearchResult,
    Source,
)

_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)
MOST = 100
"""Papers asked for at most. The first may all be later ones, so four times as many as are wanted
are asked for."""


def latest_day(text: object) -> str | None:
    """The last day that a date of any precision may mean, for comparing (``2023`` is
    ``2023-12-31``, and every month has 31 days); None for anything else."""
    found = _DATE.fullmatch(str(text).strip()[:10])
    if found is None:
        return None
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None
    return f"{found[1]}-{found[2] or '12'}-{found[3] or '31'}"


def checked_cut(text: str) -> str:
    """A time cut as it was written: YYYY, YYYY-MM or YYYY-MM-DD; empty for none. Raises UsageError
    for anything else."""
    cut = text.strip()
    if cut and latest_day(cut) is None:
        raise UsageError(
            f"{cut[:40]!r} is not a date.",
            "Write the last day to include as YYYY, YYYY-MM or YYYY-MM-DD.",
        )
    return cut


def known_by(paper: Paper, cut: str) -> bool:
    """Whether a paper was certainly published by the last day of the cut; one without a date was
    not."""
    return _is_until(latest_day(paper.published) or latest_day(paper.year), cut)


def _is_until(day: str | None, cut: str) -> bool:
    last = latest_day(cut)
    return last is None or (day is not None and day <= last)


class TimeCut:
    """Another source as it was on a day in the past. Citation counts are removed, since they were
    counted later."""

    def __init__(self, inner: Source, cut: str) -> None:
        self._inner, self._cut = inner, cut

    @property
    def name(self) -> str:
        return self._inner.name

    async def search(self, query: str, limit: int) -> SearchResult:
        found = await self._inner.search(query, min(MOST, limit * 4))
        papers, note = self._until_cut(found.papers, found.note)
        return found.model_copy(update={"papers": papers[:limit], "total": None, "note": note})

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        matched = await self._inner.match(title, year, authors)
        if matched.paper is None:
            return matched
        papers, note = self._until_cut([matched.paper], "")
        if not papers:
            return TitleMatch(note=note)
        return matched.model_copy(update={"paper": papers[0]})

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        found = await self._inner.papers(ids)
        return [_uncounted(p) if p is not None and known_by(p, self._cut) else None for p in found]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return self._listed(await self._inner.citations(paper, limit))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return self._listed(await self._inner.references(paper, limit))

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """Later papers are left out of the records; the ids of a list stay, and ``papers`` gives
        none for those."""
        found = await self._inner.reference_lists([p for p in papers if known_by(p, self._cut)])
        return found.model_copy(update={"papers": self._until_cut(found.papers, "")[0]})

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """People as they were known then: of their papers those until the cut, without counts and
        affiliations, which are of today.

        The papers of a list bear a year alone, so those of the cut's own year are known only where
        the year was over.
        """
        known = [p for p in papers if known_by(p, self._cut)]
        found = await self._inner.people(known, most, min(MOST, each * 4))

        def as_known(person: Person) -> Person:
            papers = [p for p in person.papers if _is_until(latest_day(p.year), self._cut)]
            return Person(id=person.id, name=person.name, papers=tuple(papers[:each]))

        return found.model_copy(update={"people": tuple(map(as_known, found.people))})

    async def text(self, paper: Paper) -> PaperText:
        return await self._inner.text(paper)

    def _listed(self, listed: CitationList) -> CitationList:
        papers, note = self._until_cut(listed.papers, listed.note)
        ids = {p.id for p in papers} | {listed.paper}
        links = tuple(link for link in listed.links if link.citing in ids and link.cited in ids)
        more = {"papers": papers, "links": links, "total": None, "note": note}
        return listed.model_copy(update=more)

    def _until_cut(self, papers: Sequence[Paper], note: str) -> tuple[tuple[Paper, ...], str]:
        """The papers that were known then, and the note with how many were not."""
        known = tuple(_uncounted(p) for p in papers if known_by(p, self._cut))
        if left := len(papers) - len(known):
            out = f"{left} left out: published after {self._cut}, or without a date"
            note = f"{note}; {out}" if note else out
        return known, note


def _uncounted(paper: Paper) -> Paper:
    return paper.model_copy(update={"citations": Citations()})
