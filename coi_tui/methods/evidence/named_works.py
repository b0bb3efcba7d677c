"""Works that a model or a text names by their titles, looked up: found, found otherwise, not found,
or not asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.literature.title_match import match_title, misremembered, years_agree
from coi_tui.model.content import NamedWork
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.services.sources.types import Source

FOUND, OTHERWISE, NOT_FOUND, NOT_ASKED = "found", "found otherwise", "not found", "not asked"
HITS = 5
"""Papers that a search with a title asks for, where no paper has that title."""


@dataclass(frozen=True)
class NamedPaper:
    """A title with its year as it was named, and what it turned out to be."""

    title: str
    year: int | None = None
    status: str = NOT_FOUND
    paper: Paper | None = None
    note: str = ""

    def row(self) -> dict[str, Any]:
        """As a content keeps it."""
        held = {"title": self.title, "year": self.year, "status": self.status, "note": self.note}
        return held | {"paper": self.paper.id if self.paper is not None else ""}


async def look_up(
    source: Source, named: Sequence[tuple[str, int | None]], known: Sequence[Paper]
) -> list[NamedPaper]:
    """Every title, side by side: among the papers that are known first, then in the source. A
    failed service is no answer."""
    return await asyncio.gather(*(_look_up(source, title, year, known) for title, year in named))


async def _look_up(
    source: Source, title: str, year: int | None, known: Sequence[Paper]
) -> NamedPaper:
    if held := match_title(title, known, year).paper:
        return NamedPaper(title, year, FOUND, held)
    try:
        exact = (await source.match(title, year)).paper
        if exact is not None and years_agree(year, exact.year) is not False:
            return NamedPaper(title, year, FOUND, exact)
        other = exact or ((await source.match(title, None)).paper if year is not None else None)
        other = other or misremembered(
            title, (*known, *(await source.search(title, HITS)).papers), year
        )
    except ServiceError as error:
        return NamedPaper(title, year, NOT_ASKED, note=error.message)
    return NamedPaper(title, year, OTHERWISE if other is not None else NOT_FOUND, other)


def line(state: State, work: NamedWork) -> str:
    """A title with what became of it; of one found otherwise the paper's own title and year as
    well."""
    paper = state.papers.get(work.paper)
    other = (
        f"; the paper found is “{paper.title}” ({paper.year or 'n.d.'})"
        if paper is not None and work.status == OTHERWISE
        else ""
    )
    year = f" ({work.year})" if work.year else ""
    return f"{work.status}: “{work.title}”{year}{other}" + (f" ({work.note})" if work.note else "")
