"""The works nearest to the thought behind an idea, before there is one: titles from memory that are
looked up, and what searches find."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import run_in_thread
from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.ranking import best_first, fused
from coi_tui.methods.base.reads import TOPIC, ReadsOf, reading
from coi_tui.methods.base.replies import KnownWork, Rivals
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.evidence.papers import FOUND, NamedPaper, look_up
from coi_tui.methods.evidence.reading_list import HITS, rankings, with_references
from coi_tui.methods.ideas.claims import bearing_on
from coi_tui.methods.ideas.novelty_searches import (
    collect,
    failed_by_name,
    search_once,
    whole_idea,
)
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

SHOWN, OF_MEMORY = 8, 5
"""Works that are kept, and how many of them at most because a model named them."""
PHRASE_HITS, KNOWN_HITS = 20, 5
"""Papers that each phrase asks the source for, and what is already known."""
ABSTRACT_WORDS = 40
"""Words of an abstract that are shown: the sentences that share most with the thought."""
SEARCHED = "searched"


class RivalsTask(MethodTask):
    """One call names works from memory and phrases; titles and phrases, and the thought itself, are
    searched for side by side.

    What the papers found cite together counts as in the reading list. A title that is no paper's
    stands in no later text.
    """

    name = "rivals"
    prompts = ("coi_rivals",)

    def __init__(self, tools: Any, thought: ReadsOf) -> None:
        super().__init__(tools)
        # ``thought``: what the idea will be made from; ``own``: papers that it is made from as well
        self.reads = reading(TOPIC, thought)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (750, 1_500), (600, 1_200), (4, 30))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        thought = "\n\n".join(
            one if isinstance(one, str) else "\n\n".join(map(str, one.values()))
            for _, one in inputs.all("thought")
        )
        values = {"topic": inputs.one("topic"), "thought": thought}
        asked = await services.ask("coi_rivals", values, Rivals)
        services.at(1)
        works, phrases = asked.value.works, list(dict.fromkeys(asked.value.phrases))
        source, titles = services.source(), [work.title for work in works]
        known = await services.known_papers([*titles, *phrases], KNOWN_HITS)
        asks = [(whole_idea({"final": thought}), HITS), *((said, PHRASE_HITS) for said in phrases)]
        searching = asyncio.gather(
            *(search_once(source, query, hits, n) for n, (query, hits) in enumerate(asks))
        )
        named, searches = await asyncio.gather(
            look_up(source, [(work.title, work.year) for work in works], known.papers), searching
        )
        found = await with_references(services, [*collect(searches)[0].values()], source)
        of_memory = {one.paper.id: one.paper for one in named if one.paper is not None}
        own = {paper.id for _, paper in inputs.all("own")}
        every = {p.id: p for p in (*known.papers, *of_memory.values(), *found.papers.values())}
        papers = {p.id: p for p in every.values() if p.id not in own}
        readable = [p for p in papers.values() if p.abstract or p.id in of_memory]
        similar = await services.similarity(thought, readable)
        order = best_first(similar.words, fused(await run_in_thread(rankings, similar, found)))
        first = [p for p in order if p in of_memory][:OF_MEMORY]
        kept = [*first, *(p for p in order if p not in of_memory)][:SHOWN]
        rows = [search.row for search in searches]
        told = list(zip(named, works, strict=True))
        content = {
            "phrases": phrases,
            "works": [_row(thought, papers[paper_id], told) for paper_id in kept],
            "named": [one.row() for one in named],
            "searches": [row.model_dump() for row in rows],
            "ranked": similar.how,
            "note": " ".join(filter(None, (failed_by_name(rows), found.note))),
        }
        made = Made(inputs.address, content, services.origin, asked.recipe)
        return Result((made,), tuple({p: every[p] for p in (*kept, *of_memory)}.values()))


def _row(
    thought: str, paper: Paper, named: Sequence[tuple[NamedPaper, KnownWork]]
) -> dict[str, Any]:
    """A work that is kept. What a model says of it counts where it knew the work by its title."""
    found = (pair for pair in named if pair[0].paper is not None and pair[0].paper.id == paper.id)
    one, work = next(found, (None, None))
    knew = work if one is not None and one.status == FOUND else None
    return {
        "paper": paper.id,
        "title": paper.title,
        "year": paper.year,
        "status": one.status if one is not None else SEARCHED,
        "same": knew.same if knew is not None else "",
        "left": knew.left if knew is not None else "",
        "abstract": bearing_on(paper.abstract or "", [thought], ABSTRACT_WORDS),
    }
