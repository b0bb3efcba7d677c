"""Answers of a source as they would have been on a day in the past, for studies of what could have
been thought of then. Citation counts are removed, since they were counted later."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Citations, Paper, TitleMatch
from coi_tui.services.sources.types import (
    CitationList,
    People,
    Person,
    ReferenceLists,
    SearchResult,
)

_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)
MORE, MOST = 4, 100
"""Of those found first all may be later ones, so so many times as many are asked for, at most
100."""
A = TypeVar("A", SearchResult, TitleMatch, CitationList, ReferenceLists, People)
"""An answer of a source."""


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
    """What of an answer was known by the last day of ``cut``; everything where that is empty."""

    def __init__(self, cut: str) -> None:
        self._cut = cut

    def asked(self, number: int) -> int:
        """How many to ask for where so many are wanted."""
        return min(MOST, number * MORE) if self._cut else number

    def known(self, papers: Sequence[Paper]) -> list[Paper]:
        """The papers that were known then."""
        return [paper for paper in papers if known_by(paper, self._cut)]

    def one(self, paper: Paper | None) -> Paper | None:
        """The paper, where it was known then."""
        return next(iter(self._until([paper], "")[0]), None) if paper is not None else None

    def __call__(self, answer: A, each: int = MOST) -> A:
        """An answer with what was known then, of each person the first ``each`` papers."""
        if not self._cut:
            return answer
        if isinstance(answer, People):
            people = tuple(self._person(person, each) for person in answer.people)
            return answer.model_copy(update={"people": people})
        if isinstance(answer, TitleMatch):
            papers, note = self._until([answer.paper] if answer.paper else [], answer.note)
            return answer.model_copy(update={"paper": papers[0] if papers else None, "note": note})
        papers, note = self._until(answer.papers, answer.note)
        update: dict[str, object] = {"papers": papers, "note": note}
        if not isinstance(answer, ReferenceLists):
            update["total"] = None
        if isinstance(answer, CitationList):
            ids = {paper.id for paper in papers} | {answer.paper}
            links = (link for link in answer.links if {link.citing, link.cited} <= ids)
            update["links"] = tuple(links)
        return answer.model_copy(update=update)

    def _person(self, person: Person, each: int) -> Person:
        """As known then: without counts and affiliations, which are of today. The papers of a list
        bear a year alone, so those of the cut's own year are known only where it was over."""
        papers = [p for p in person.papers if _is_until(latest_day(p.year), self._cut)]
        return Person(id=person.id, name=person.name, papers=tuple(papers[:each]))

    def _until(self, papers: Sequence[Paper], note: str) -> tuple[tuple[Paper, ...], str]:
        """The papers that were known then, and the note with how many were not."""
        if not self._cut:
            return tuple(papers), note
        known = tuple(p.model_copy(update={"citations": Citations()}) for p in self.known(papers))
        if left := len(papers) - len(known):
            out = f"{left} left out: published after {self._cut}, or without a date"
            note = f"{note}; {out}" if note else out
        return known, note
