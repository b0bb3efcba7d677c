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
from coi_tui.methods.shared.novelty import PAPERS_A_CALL, Cut, NoveltyStep, in_short
from coi_tui.methods.shared.novelty_searches import Searched, search_once
from coi_tui.methods.shared.replies import AgainstQueries, AgainstQuery
from coi_tui.methods.shared.settings import IdeaSettings, bounds_of
from coi_tui.model.address import ref
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
        chunks = -(
            -self.rules.compared(bounds.against_queries * bounds.novelty_hits) // PAPERS_A_CALL
        )
        return Cost(
            "main",
            (1, 2 * (1 + chunks)),
            (1_100, 2 * (1_100 + 2_700 * chunks)),
            (220, 2 * (220 + 1_100 * chunks)),
            (1, 2 * bounds.against_queries),
        )

    async def _claims(
        self, services: Services, inputs: Inputs, text: dict[str, Any], bounds: IdeaSettings
    ) -> Cut:
        if not goes_on(self, services.ctx.state, inputs.address):
            return await super()._claims(services, inputs, text, bounds)
        report = inputs.fields("report")
        rows, searches, named = (
            tuple(map(dict, report[name] or ())) for name in ("papers", "searches", "named")
        )
        return Cut(
            list(report["claims"]),
            {},
            str(report["claims_by"] or ""),
            rows,
            searches,
            named,
            str(report["about"] or ""),
        )

    async def _search(
        self,
        services: Services,
        inputs: Inputs,
        text: dict[str, Any],
        cut: Cut,
        bounds: IdeaSettings,
    ) -> list[Searched]:
        first = [] if cut.searches else await super()._search(services, inputs, text, cut, bounds)
        asked = await self._queries(
            services,
            in_short(inputs, text),
            cut,
            [*cut.searches, *(done.row for done in first)],
            bounds.against_queries,
        )
        services.at(2)
        source = services.source(first_hand=True)
        found = (
            search_once(
                source.search(q.query, bounds.novelty_hits), q.query, source.name, angle=q.angle
            )
            for q in asked
        )
        return [*first, *await asyncio.gather(*found)]

    async def _queries(
        self,
        services: Services,
        values: dict[str, Any],
        cut: Cut,
        done: Sequence[Mapping[str, Any]],
        most: int,
    ) -> list[AgainstQuery]:
        """At most so many queries, without those that were searched already, as long as one
        is left."""
        searched = [str(row["query"]) for row in done]
        values = {
            **values,
            "claims": [{"kind": claim["kind"], "text": claim["text"]} for claim in cut.claims],
            "searched": searched,
            "known": _titles(services.ctx.state, cut.rows),
            "count": most,
        }
        asked = await services.ask("coi_search_against", values, AgainstQueries)
        new = {query.query.casefold(): query for query in reversed(asked.value.queries)}
        left = [
            query
            for key, query in reversed(new.items())
            if key not in {words.casefold() for words in searched}
        ]
        # Where all were searched before, they are searched again, so that the report says that
        # somebody tried.
        return (left or list(new.values()))[:most]

    def _told(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        asked, others = _parted(searches)
        found = (_found(asked) - _found(others)) & {p.id for p in new}
        angles = ", ".join(
            f"{angle} {n}" for angle, n in Counter(done.row["angle"] for done in asked).items()
        )
        told = (
            f"{count(len(found), 'paper')} {'was' if len(found) == 1 else 'were'}"
            if found
            else "no paper was"
        )
        return f"{count(len(asked), 'search', 'searches')} tried to find the idea done already ({angles}): {told} found by these alone."


def _parted(searches: Sequence[Searched]) -> tuple[list[Searched], list[Searched]]:
    """The searches against the idea, and the others."""
    return [done for done in searches if done.row.get("angle")], [
        done for done in searches if not done.row.get("angle")
    ]


def _found(searches: Sequence[Searched]) -> set[str]:
    """The papers that some searches found."""
    return {p.id for done in searches if done.found for p in done.found.papers}


def goes_on(step: NoveltyStep, state: State, address: str) -> bool:
    """Whether there is a report of the idea as it stands, with claims, so that its papers need not
    be judged again."""
    return (
        bool(state.value(ref(address, "claims")))
        and Examiner(state, {address: step}.get)(address).ok
    )


def _titles(state: State, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The titles of the nearest papers of a report."""
    known = (state.papers.get(row["paper"]) for row in rows)
    return [paper.title for paper in known if paper is not None][:NEAREST_SHOWN]
