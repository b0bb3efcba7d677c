"""COI-12: a search against an idea: the strongest prior work, by queries that try to find the idea
done already.

A run makes one for the idea that won; a person asks for others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.freshness import Examiner
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost
from coi_tui.methods.shared.novelty import Cut, NoveltyStep, in_short
from coi_tui.methods.shared.novelty_searches import Searched, collect, search_once
from coi_tui.methods.shared.replies import AgainstQueries, AgainstQuery
from coi_tui.methods.shared.settings import bounds_of
from coi_tui.model.address import ref
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.methods.services import Services

REPORT = ("claims", "claims_by", "papers", "searches", "named", "about")
"""What a report that goes on gives to the next one."""
NEAREST_SHOWN = 8
"""So many titles of papers that are known already are shown, so that the queries lead elsewhere."""


class SearchAgainstStep(NoveltyStep):
    """One call writes queries that try to find the idea done already; what they find that the
    report did not have is judged like the rest.

    A report of the idea as it stands goes on: its claims, papers and searches stay. Where there is
    none, a whole novelty check is made with it. The new report is a further version; a search that
    fails leaves the one before in use.
    """

    name = "search against"
    prompts = ("coi_novelty_queries", "coi_search_against", "coi_novelty_verdicts")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        report = (
            Read("report", ref(address, field), optional=True, parent=True) for field in REPORT
        )
        return (*super().reads(state, address), *report)

    def cost(self, state: State, address: str) -> Cost:
        check = Cost() if goes_on(self, state, address) else super().cost(state, address)
        return check + self.queries_cost(state)

    def queries_cost(self, state: State) -> Cost:
        """The search against the idea alone, where there is a report that goes on."""
        bounds = bounds_of(state)
        chunks = self.rules.calls(bounds.against_queries * bounds.novelty_hits)
        return Cost(
            "main",
            (1, 2 * (1 + chunks)),
            (1_100, 2 * (1_100 + 2_700 * chunks)),
            (220, 2 * (220 + 1_100 * chunks)),
            (1, 2 * bounds.against_queries),
        )

    async def _claims(self, services: Services, inputs: Inputs, text: dict[str, Any]) -> Cut:
        if not goes_on(self, services.ctx.state, inputs.address):
            return await super()._claims(services, inputs, text)
        report = inputs.fields("report")
        rows, searches, named = (
            tuple(map(dict, report[name] or ())) for name in ("papers", "searches", "named")
        )
        by, about = report["claims_by"], report["about"]
        return Cut(list(report["claims"]), {}, by, rows, searches, named, about)

    async def _search(
        self, services: Services, inputs: Inputs, text: dict[str, Any], cut: Cut
    ) -> list[Searched]:
        first = [] if cut.searches else await super()._search(services, inputs, text, cut)
        done = [*cut.searches, *(search.row for search in first)]
        asked = await self._queries(services, in_short(inputs, text), cut, done)
        services.at(2)
        source, hits = services.source(first_hand=True), bounds_of(services.ctx.state).novelty_hits
        found = (
            search_once(source.search(q.query, hits), q.query, source.name, angle=q.angle)
            for q in asked
        )
        return [*first, *await asyncio.gather(*found)]

    async def _queries(
        self,
        services: Services,
        values: dict[str, Any],
        cut: Cut,
        done: Sequence[Mapping[str, Any]],
    ) -> list[AgainstQuery]:
        """The queries within the bound, without those that were searched already. Raises ReplyError
        where none is left."""
        state = services.ctx.state
        searched, most = [str(row["query"]) for row in done], bounds_of(state).against_queries
        known = [
            state.papers[row["paper"]].title for row in cut.rows if row["paper"] in state.papers
        ]
        values |= {
            "claims": [{"kind": claim["kind"], "text": claim["text"]} for claim in cut.claims],
            "searched": searched,
            "known": known[:NEAREST_SHOWN],
            "count": most,
        }
        asked = await services.ask("coi_search_against", values, AgainstQueries)
        had = {words.casefold() for words in searched}
        new: dict[str, AgainstQuery] = {}
        for query in asked.value.queries:
            if query.query.casefold() not in had:
                new.setdefault(query.query.casefold(), query)
        if not new:
            raise ReplyError(
                "Every query that was written for the search against the idea was searched before.",
                "The report stays as it is.",
            )
        return list(new.values())[:most]

    def _told(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        asked = [done for done in searches if done.row.get("angle")]
        others = collect([done for done in searches if done not in asked])[0]
        alone = {p.id for p in collect(asked)[0]} & {p.id for p in new} - {p.id for p in others}
        angles = Counter(done.row["angle"] for done in asked)
        told = ", ".join(f"{angle} {n}" for angle, n in angles.items())
        made, found = count(len(asked), "search", "searches"), count(len(alone), "paper")
        return (
            f"{made} tried to find the idea done already ({told}); found by these alone: {found}."
        )


def goes_on(step: NoveltyStep, state: State, address: str) -> bool:
    """Whether there is a report of the idea as it stands, with claims, so that its papers need not
    be judged again."""
    claims = state.value(ref(address, "claims"))
    return bool(claims) and Examiner(state, {address: step}.get)(address).ok
