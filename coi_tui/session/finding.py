"""Finds the paper that a person means by an id, a URL or a title."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.session.library import known_paper
from coi_tui.session.toolbox import setup_of

if TYPE_CHECKING:
    from coi_tui.session.facade import Session


def find_paper(session: Session, text: str) -> Paper:
    """By id first, then by title (0.90 likeness at least); a title that fits nothing gives a sentence and changes nothing."""
    from coi_tui.literature.ids import known_ids, normalise_id
    from coi_tui.literature.starter.source import StarterSource

    said = text.strip()
    pair = normalise_id(said)
    if pair is not None:
        for paper in session.state.papers.values():
            if known_ids(paper).get(pair[0]) == pair[1]:
                return paper
    if pair is not None and (known := known_paper(session.paths, pair)) is not None:
        return known
    starter = StarterSource()
    found = asyncio.run(_ask(starter, said, pair))
    if found is None and setup_of(session.settings, session.keys, session.offline).online_source:
        found = asyncio.run(_online(session, said, pair))
    if found is None:
        kind = f"{pair[0]} {pair[1]}" if pair else f"the title “{said[:80]}”"
        raise UsageError(f"No paper was found for {kind}.", "Give a DOI, an arXiv id or the full title; online sources need to be set up.")
    return found


async def _ask(source: object, said: str, pair: tuple[str, str] | None) -> Paper | None:
    from coi_tui.literature.types import Source

    asked: Source = source  # type: ignore[assignment]
    if pair is not None:
        return (await asked.papers([f"{pair[0]}:{pair[1]}"]))[0]
    matched = await asked.match(said, None)
    return matched.paper


async def _online(session: Session, said: str, pair: tuple[str, str] | None) -> Paper | None:
    from coi_tui.session.toolbox import toolbox

    def today() -> str:
        return session.clock()[:10]

    async with toolbox(session.settings, session.keys, session.paths, offline=session.offline, today=today) as tools:
        found = await _ask(tools.source_of(tools.fetch), said, pair)
    if found is None and pair is not None:
        from coi_tui.session.registries import by_registry

        found = await by_registry(session.settings, session.keys, pair, today)
    return found
