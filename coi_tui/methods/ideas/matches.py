"""COI-13: two ideas against each other, in both orders; which matches are due, who leads, and the
part of One call, which meets the ideas of every other method."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Container, Iterable, Mapping, Sequence
from itertools import combinations
from typing import get_args

from coi_tui.arena.pairing import FEW, DuePairs, Pair, due_pairs
from coi_tui.arena.ratings import CRITERIA, TIE, MatchResult, Standing, agreed, standings
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import EVERYTHING, Cost, Forecast, Result, Scope, Task, View, Want
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.reply_models import Better, Criterion, MatchReply
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.services import Asked
from coi_tui.model.address import Branch, instance_of, match_of
from coi_tui.model.content import MatchRecord
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values, count, first_sentences

ARENA = "A"
"""The scope of a run of the whole arena: it takes the place of the name of a method's instance."""
LEAST_CHARS, MOST_CHARS = 900, 1_500
"""A judge is shown of both texts as much as the shorter one has, within these bounds."""


def alike(first: Values, second: Values) -> dict[str, Fields]:
    """Two ideas, each by its title, mechanism and final text, as a judge sees them: with the same parts, and
    texts of about one length."""
    both, sentence = (first, second), all(one["mechanism"] for one in (first, second))
    most = max(LEAST_CHARS, min(MOST_CHARS, *(len(one["final"]) for one in both)))
    shown = (
        {
            "title": one["title"],
            "sentence": one["mechanism"] if sentence else "",
            "text": first_sentences(one["final"], most),
        }
        for one in both
    )
    return dict(zip(("first", "second"), shown, strict=True))


class MatchTask(MethodTask):
    """Both orders are one match; a criterion whose winner flips with the order counts as a tie, and
    one that is won slightly in either of them is won slightly."""

    name = "match"
    prompts = ("coi_match",)
    size = Cost("main", (2, 4), (1_800, 3_600), (400, 800))

    reads = staticmethod(
        reading(
            TOPIC,
            "first={branch}/idea#title mechanism? final",
            "second={rival}/idea#title mechanism? final",
        )
    )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        """The record holds 0 for the idea shown first, 1 for the other and 2 for a tie."""
        at, services = inputs.at, self.services(ctx)

        def ask(first: str, second: str) -> Awaitable[Asked[MatchReply]]:
            sides = alike(inputs.fields(first), inputs.fields(second))
            return services.ask("coi_match", {"topic": inputs.one("topic"), **sides}, MatchReply)

        straight, swapped = await asyncio.gather(ask("first", "second"), ask("second", "first"))
        a, b = _judged(straight.value), _judged(swapped.value)
        content = {
            "first": at.branch,
            "second": at.rival,
            "straight": a,
            "swapped": b,
            "results": agreed(at.branch, at.rival, a, b),
            "slight": [name for name in CRITERIA if name in a["slight"] + b["slight"]],
        }
        return result(inputs, content, services.origin, straight.recipe)


def _judged(match: MatchReply) -> Fields:
    """The place of the better idea for each criterion, those in which it is slightly better, and the
    reasons."""
    found: dict[str, Criterion] = {name: getattr(match, name) for name in CRITERIA}
    better = {name: get_args(Better).index(one.better) for name, one in found.items()}
    slight = [name for name, one in found.items() if one.margin == "slightly"]
    reasons = "\n".join(f"{name}: {one.why}" for name, one in found.items())
    return {**better, "slight": slight, "reasoning": reasons}


# -- One call


ONE_CALL = "One call"
"""The method that meets the ideas of every other: topic and criteria in, one answer out."""


def of_one_call(state: State) -> list[Branch]:
    """The branches of One call that are not parked."""
    names = {name for name, instance in state.instances.items() if instance.method == ONE_CALL}
    return [b for b in state.branches if instance_of(b) in names and b not in state.parked]


def with_one_call(
    state: State, branches: Sequence[Branch], scope: Scope = EVERYTHING
) -> list[Branch]:
    """The branches of a run and those of One call, which they meet in matches; a run of some
    branches matches no ideas."""
    return [*branches, *(b for b in of_one_call(state) if b not in branches and not scope.branches)]


def won_by_one_call(state: State, results: Iterable[MatchResult]) -> str:
    """How many of these matches One call won, by most of their criteria; empty where it met no
    other method."""
    own, met = set(of_one_call(state)), []
    for first, second, winners in results:
        if (first in own) != (second in own):
            won = [winner in own for winner in winners.values() if winner != TIE]
            met.append(2 * sum(won) > len(won))
    matches = count(len(met), "match", "matches")
    return f"One call won {sum(met)} of {matches} with other methods." if met else ""


# -- which matches are due, and who leads


def _results(
    state: State, players: Sequence[Branch], failed: Container[str] = ()
) -> dict[Pair, Mapping[str, Branch]]:
    """The results of the matches between these ideas. One that failed in this job is over and says
    nothing."""
    return {
        pair: stored(state, at, MatchRecord).results
        for pair in combinations(players, 2)
        if state.in_use(at := match_of(*pair)) is not None or at in failed
    }


def left_to_play(state: State, players: Sequence[Branch], failed: Container[str] = ()) -> DuePairs:
    """The matches between these ideas that are due and left."""
    return due_pairs(players, _results(state, players, failed))


def matches_wanted(view: View, players: Sequence[Branch], task: Task) -> list[Want]:
    """The matches between these ideas that are due now."""
    why = "this pair was not judged"
    return [
        Want(match_of(*pair), task, "missing", "selection", why)
        for pair in left_to_play(view.state, players, view.failed).pairs
    ]


def matches_forecast(state: State, players: Sequence[Branch], task: Task) -> Forecast:
    """How many matches are left at most, in words and calls: of many ideas only some pairs meet."""
    most = left_to_play(state, players).most
    why = "five criteria; if the order changes the winner, it is a tie"
    bound = "at most " if len(players) > FEW else ""
    what = f"{bound}{count(most, 'match', 'matches')}, in both orders"
    return Forecast("selection", what, why, task.cost(state, "A/1-2").times(0, most))


def leading(state: State, players: Sequence[Branch], failed: Container[str] = ()) -> Branch | None:
    """The branch that leads once no match among these is left; None before, or where every chain is
    short."""
    results = _results(state, players, failed)
    if due_pairs(players, results).pairs:
        return None
    return leader(state, standings(players, [(*pair, won) for pair, won in results.items()]))


def leader(state: State, table: Sequence[Standing]) -> Branch | None:
    """The player that leads: the first whose chain is not short, or the only one there is. A person
    may pick any."""
    chains = Chains.of(state)
    if len(table) == 1:
        return table[0].player
    return next((one.player for one in table if not chains.is_short(one.player)), None)
