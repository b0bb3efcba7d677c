"""A source that knows nothing published after a date, for studies of what could have been thought
of then."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Citations, Paper, PaperText
from coi_tui.services.sources.types import (
    CitationList,
    People,
    Person,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
)

_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
NOTE = "{n} left out: published after {cut}, or without a date"


def latest_day(date: str | int | None) -> str | None:
    """The last day that a date of any precision may mean (``2023`` is 2023-12-31); None for
    anything else."""
    text = f"{date:04d}" if isinstance(date, int) else str(date or "")
    found = _DATE.fullmatch(text.strip()[:10])
    if found is None:
        return None
    year, month = int(found[1]), int(found[2] or 12)
    if not (1 <= year <= 9999 and 1 <= month <= 12):
        return None
    last = calendar.monthrange(year, month)[1]
    day = int(found[3] or last)
    return f"{year:04d}-{month:02d}-{day:02d}" if 1 <= day <= last else None


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
    last, published = latest_day(cut), latest_day(paper.published) or latest_day(paper.year)
    return last is None or (published is not None and published <= last)


class TimeCut:
    """Another source as it was on a day in the past. Citation counts are removed, since they were
    counted later."""

    def __init__(self, inner: Source, cut: str) -> None:
        self._inner, self._cut = inner, cut

    @property
    def name(self) -> str:
        return self._inner.name

    async def search(self, query: str, limit: int) -> SearchResult:
        """The first ``limit`` papers may all be later ones, so four times as many are asked for (at
        most 100)."""
        found = await self._inner.search(query, min(100, limit * 4))
        papers, note = self._until_cut(found.papers)
        return found.model_copy(
            update={"papers": papers[:limit], "total": None, "note": _joined(found.note, note)}
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        matched = await self._inner.match(title, year, authors)
        if matched.paper is None or known_by(matched.paper, self._cut):
            return matched.model_copy(update={"paper": matched.paper and _uncounted(matched.paper)})
        return TitleMatch(note=NOTE.format(n=1, cut=self._cut))

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
        return found.model_copy(update={"papers": self._until_cut(found.papers)[0]})

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """People as they were known then: of their papers those until the cut, without counts and
        affiliations, which are of today.

        The papers of a list bear a year alone, so those of the cut's own year are known only where
        the year was over. Four times as many are asked for (at most 100), since the first may all
        be later ones.
        """
        found = await self._inner.people(
            [p for p in papers if known_by(p, self._cut)], most, min(100, each * 4)
        )
        return found.model_copy(
            update={"people": tuple(self._as_known(person, each) for person in found.people)}
        )

    def _as_known(self, person: Person, each: int) -> Person:
        last = latest_day(self._cut) or ""
        papers = tuple(paper for paper in person.papers if (latest_day(paper.year) or "~") <= last)[
            :each
        ]
        return person.model_copy(
            update={"papers": papers, "citations": None, "paper_count": None, "affiliations": ()}
        )

    async def text(self, paper: Paper) -> PaperText:
        return await self._inner.text(paper)

    def _listed(self, listed: CitationList) -> CitationList:
        papers, note = self._until_cut(listed.papers)
        kept = {p.id for p in papers} | {listed.paper}
        links = tuple(link for link in listed.links if link.citing in kept and link.cited in kept)
        unresolved = () if listed.direction == "citing" else listed.unresolved
        more = {
            "papers": papers,
            "links": links,
            "unresolved": unresolved,
            "total": None,
            "note": _joined(listed.note, note),
        }
        return listed.model_copy(update=more)

    def _until_cut(self, papers: Sequence[Paper]) -> tuple[tuple[Paper, ...], str]:
        kept = tuple(_uncounted(p) for p in papers if known_by(p, self._cut))
        left = len(papers) - len(kept)
        return kept, NOTE.format(n=left, cut=self._cut) if left else ""


def _uncounted(paper: Paper) -> Paper:
    return paper.model_copy(update={"citations": Citations()})


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
