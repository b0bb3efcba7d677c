"""COI-8, COI-10, COI-11: trends between neighbours, the direction of a whole chain, and its idea."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from coi_tui.arena.ratings import standings
from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.task import MethodTask, TextTask, one_call
from coi_tui.methods.coi import growth as reads
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.coi.replies import Direction, FinalIdea, IdeaDraft, Trend
from coi_tui.methods.evidence.papers import chain_of, short
from coi_tui.methods.ideas.matches import compared
from coi_tui.model.content import COMPARISON, CandidateList
from coi_tui.model.errors import ReplyError
from coi_tui.model.state import State
from coi_tui.model.text import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Asked, Services


def _trend_values(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    sides = {
        name: {**short(inputs.one(f"{name}_paper")), **inputs.fields(name)}
        for name in ("older", "newer")
    }
    return {"topic": inputs.one("topic"), **sides, "citing": _citing(inputs)}


TREND = TextTask(
    "trend",
    "coi_trend",
    Trend,
    reads.trend,
    one_call((1_150, 2_300), (260, 520)),
    _trend_values,
)
"""One call a pair, so that a pair's trend depends on its two cards, and the sentences in which one
cites the other, alone."""


def _citing(inputs: Inputs) -> list[str]:
    """The sentences in which the newer paper cites the older one, where the list of candidates
    between the two has some."""
    pair = {inputs.one("older_paper").id, inputs.one("newer_paper").id}
    rows = CandidateList.from_held({"entries": inputs.one("candidates") or []}).entries
    return next((row.citing for row in rows if {row.paper, inputs.one("listed")} == pair), [])


class IdeaTask(MethodTask):
    """Candidates, of which one is written out; then what is wrong with that draft, and the whole
    idea anew."""

    name = "idea"
    prompts = ("coi_idea", "coi_final_idea")
    reads = staticmethod(reads.written_idea)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (6_500, 13_000), (1_700, 3_400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        shared = {
            "topic": inputs.one("topic"),
            "chain": chain_of(inputs),
            "trends": [text for _, text in inputs.all("trends")],
            "direction": inputs.one("direction"),
            "rivals": inputs.one("rivals") or [],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        draft = await services.ask("coi_idea", shared, IdeaDraft)
        services.at(1)
        attacked = {name: shared[name] for name in ("topic", "direction", "rivals", "bad_cases")}
        papers = [{"title": one["title"], "year": one["year"]} for one in shared["chain"]]
        final = await services.ask(
            "coi_final_idea",
            {**attacked, "papers": papers, "draft": draft.value.content()},
            FinalIdea,
        )
        content = final.value.content()
        recipe = {
            **final.recipe,
            "draft": {**draft.recipe, **draft.value.content()},
            "faults": content.pop("faults"),
        }
        return Result((Made(inputs.address, content, services.origin, recipe),))


T = TypeVar("T")
ANGLES = ("analogy", "deep dive", "reflection")
"""The ways of thinking that further drafts are held to, one each; the first draft is the plain,
strong one."""
DRAFT, MATCH = (1_300, 5_000), (400, 1_800)
"""Prompt tokens of a draft, and of one order of a match between two."""


class DirectionTask(MethodTask):
    """Titles and years go with each idea; the anchor is a required input, so that an empty chain
    has no direction.

    The first draft is the plain, strong one; the others, side by side, each think in another way
    and must depart from it. The match prompt then compares all of them in both orders, and the best
    is taken; the others stand beside it. A further draft or a match that cannot be read is passed
    over with a note: one draft is enough to go on.
    """

    name = "direction"
    prompts = ("coi_direction", "coi_match")
    reads = staticmethod(reads.direction)

    def cost(self, state: State, address: str) -> Cost:
        drafts = bounds_of(state).drafts
        orders = drafts * (drafts - 1)
        calls = drafts + orders
        prompt, reply = drafts * 1_600 + orders * 500, drafts * 300 + orders * 150
        return Cost("main", (calls, 2 * calls), (prompt, 2 * prompt), (reply, 2 * reply))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {
            "topic": inputs.one("topic"),
            "hunch": inputs.one("hunch") or "",
            "chain": chain_of(inputs),
            "trends": [text for _, text in inputs.all("trends")],
        }
        # rules make the same draft every time
        wanted = 1 if services.origin == "drafter" else bounds_of(ctx.state).drafts
        drafts = await self._drafts(ctx, services, values, wanted)
        services.at(2)
        matches = await self._matches(ctx, services, str(values["topic"]), drafts)
        players = list(range(1, len(drafts) + 1))
        results = [(m["first"], m["second"], m["results"]) for m in matches]
        best = int(standings(players, results)[0].player)
        made = []
        for n in sorted(players, key=lambda player: player != best):
            angle, draft = drafts[n - 1]
            note = {"draft": n, "of": len(drafts), "angle": angle, "best": best, "matches": matches}
            recipe = {**draft.recipe, **({COMPARISON: note} if len(drafts) > 1 else {})}
            beside = "" if n == best else _beside(n, best, angle, matches)
            content = draft.value.model_dump()
            made.append(Made(inputs.address, content, services.origin, recipe, beside=beside))
        return Result(tuple(made))

    async def _drafts(
        self, ctx: Context, services: Services, values: Mapping[str, Any], wanted: int
    ) -> list[tuple[str, Asked[Direction]]]:
        """The drafts, each with the way of thinking that it was held to (the first with none); no
        text twice."""
        first = await services.ask(
            "coi_direction", {**values, "angle": "", "drafted": []}, Direction
        )
        services.at(1)
        angles = ANGLES[: wanted - 1]
        known = {**values, "drafted": [first.value.text]}
        further = await _readable(
            services.ask("coi_direction", {**known, "angle": angle}, Direction) for angle in angles
        )
        drafts = [("", first)]
        for angle, draft in zip(angles, further, strict=True):
            if draft is not None and draft.value.text not in [d.value.text for _, d in drafts]:
                drafts.append((angle, draft))
        if missing := wanted - len(drafts):
            drafts_missing = count(missing, "further draft")
            ctx.changed += (f"{drafts_missing} could not be read, or repeated another one",)
        return drafts

    async def _matches(
        self,
        ctx: Context,
        services: Services,
        topic: str,
        drafts: Sequence[tuple[str, Asked[Direction]]],
    ) -> list[dict[str, Any]]:
        """Each pair in both orders."""
        players = [(n, {"final": draft.value.text}) for n, (_, draft) in enumerate(drafts, start=1)]
        found = await _readable(
            compared(services, topic, one, other) for one, other in combinations(players, 2)
        )
        matches = [match[0] for match in found if match is not None]
        if missing := len(found) - len(matches):
            ctx.changed += (
                f"{count(missing, 'comparison', 'comparisons')} of drafts could not be read",
            )
        return matches


async def _readable(calls: Iterable[Awaitable[T]]) -> list[T | None]:
    """The results of calls side by side; None for one whose reply cannot be read."""

    async def one(call: Awaitable[T]) -> T | None:
        try:
            return await call
        except ReplyError:
            return None

    return await asyncio.gather(*map(one, calls))


def _beside(n: int, best: int, angle: str, matches: Sequence[Mapping[str, Any]]) -> str:
    """Why a draft was not taken: how it did against the one that was."""
    how = f"another draft, by {angle}" if angle else "the first draft"
    results = next((m["results"] for m in matches if {m["first"], m["second"]} == {n, best}), None)
    if results is None:
        return f"{how}; it was not compared with the one taken"
    won, lost = (sum(winner == player for winner in results.values()) for player in (n, best))
    return f"{how}; it won {won} and lost {lost} of {len(results)} criteria against the one taken"
