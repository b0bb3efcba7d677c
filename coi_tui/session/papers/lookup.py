"""Finds the paper that a person means by an id, a URL or a title. What fits several papers is not
guessed.

An arXiv id that the chosen source does not know is asked of arXiv."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.config import Keys, Settings
from coi_tui.literature.ids import known_ids, normalise_id, with_id
from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.title_match import near_titles, normalise_title
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.services.sources.source_registry import id_services
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.imported import own_papers
from coi_tui.session.papers.library import known_paper
from coi_tui.session.runs.service_setup import open_services, setup_of

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

Id = tuple[str, str]
SHOWN = 8
HINT = "Give a DOI, an arXiv id or a part of the title; online sources need to be set up."


@dataclass(frozen=True)
class Answer:
    """``papers`` that may be meant; ``sure`` when there is one and the id or the whole title says
    so. ``read_as``: id or title.
    """

    papers: tuple[Paper, ...]
    sure: bool
    read_as: str


def find_paper(core: SessionCore, text: str) -> Paper:
    """The one paper meant, for callers without an event loop. Raises UsageError when nothing fits,
    or when several do, naming them."""
    answer = asyncio.run(look_up(core, text))
    if not answer.sure:
        titles = "; ".join(p.cited for p in answer.papers)
        raise UsageError(
            f"No paper has just this title; the nearest: {titles}.", "Give the id of one of them."
        )
    return answer.papers[0]


async def look_up(core: SessionCore, text: str) -> Answer:
    """Papers for an id, URL or title: in this session, the library, the starter library, or online
    unless offline.

    An id means one paper. A title means the papers of exactly that title, else the nearest titles.
    Raises UsageError when nothing fits.
    """
    typed = " ".join(text.split())
    if not typed:
        raise UsageError("Nothing was given to look for.", HINT)
    pair = normalise_id(typed)
    if pair is not None:
        found = await _by_id(core, pair)
        if found is None:
            raise UsageError(f"No paper was found for {pair[0]} {pair[1]}.", HINT)
        return Answer((found,), True, f"{pair[0]} id")
    pool = [
        *core.state.papers.values(),
        *await asyncio.to_thread(own_papers, core.paths),
        *await asyncio.to_thread(_starter_papers),
    ]
    answer = _by_title(typed, pool)
    if not answer.sure and _online(core):
        answer = _by_title(typed, [*pool, *await _titles_online(core, typed)])
    if not answer.papers:
        raise UsageError(f"No paper was found for the title “{typed[:80]}”.", HINT)
    return answer


def _by_title(typed: str, pool: Iterable[Paper]) -> Answer:
    wanted = normalise_title(typed)
    papers = merge_papers(pool)
    exact = tuple(p for p in papers if normalise_title(p.title) == wanted)
    if exact:
        return Answer(exact[:SHOWN], len(exact) == 1, "title")
    return Answer(tuple(near_titles(typed, papers)[:SHOWN]), False, "part of a title")


async def _by_id(core: SessionCore, pair: Id) -> Paper | None:
    if (paper := with_id(core.state.papers.values(), pair)) is not None:
        return paper
    async with id_lookup(
        core.paths, core.settings, core.keys, core.today, offline=core.offline
    ) as find:
        return await find(pair)


FindId = Callable[[Id], Awaitable[Paper | None]]
"""Finds the paper of an identifier; None where nobody who was asked knows it."""


@asynccontextmanager
async def id_lookup(
    paths: Paths, settings: Settings, keys: Keys, today: Callable[[], str], *, offline: bool
) -> AsyncIterator[FindId]:
    """Finds papers by their ids: among the own papers, in the starter library and in that of all
    sessions; unless offline, at the chosen source, then at those that know such ids (arXiv)."""
    pool = [*await asyncio.to_thread(own_papers, paths), *await asyncio.to_thread(_starter_papers)]
    here = {pair: paper for paper in reversed(pool) for pair in known_ids(paper).items()}
    async with AsyncExitStack() as stack:
        services: ServiceSet | None = None

        async def find(pair: Id) -> Paper | None:
            nonlocal services
            known = here.get(pair) or await asyncio.to_thread(known_paper, paths, pair)
            if known is not None or not setup_of(settings, keys, offline).online_source:
                return known
            if services is None:
                services = await stack.enter_async_context(
                    open_services(settings, keys, paths, offline=offline, today=today)
                )
            name = f"{pair[0]}:{pair[1]}"
            (found,) = await services.source_for(services.fetch).papers([name])
            for other in id_services(pair[0], settings, keys):
                if found is None:
                    async with other.connect() as fetch:
                        (found,) = await other.source(fetch, today).papers([name])
            return found

        yield find


def _starter_papers() -> list[Paper]:
    from coi_tui.services.sources.starter import bundled_library

    return list(bundled_library().papers.values())


def _online(core: SessionCore) -> bool:
    return setup_of(core.settings, core.keys, core.offline).online_source


async def _titles_online(core: SessionCore, typed: str) -> list[Paper]:
    async with open_services(
        core.settings, core.keys, core.paths, offline=core.offline, today=core.today
    ) as services:
        source = services.source_for(services.fetch)
        matched = await source.match(typed, None)
        return (
            [matched.paper] if matched.paper else list((await source.search(typed, SHOWN)).papers)
        )
