"""What a run up to a stage may ask of services, before the chains are known: least and most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from coi_tui.engine.steps import EVERYTHING, Adjust, Cost, Forecast, Scope, as_guessed
from coi_tui.methods.coi.growth import active
from coi_tui.methods.shared.base import bounds_of
from coi_tui.model.address import Branch, pair, slot
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.coi.method import ChainOfIdeas


NOWHERE = 99
"""A place that no chain reaches: what is asked of it is asked of any."""

CostOf = Callable[[str], Cost]
"""The cost of the step that makes the cell at an address."""


def lines(
    method: ChainOfIdeas, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
) -> list[Forecast]:  # fmt: skip
    """One line a stage, in order, for what is not there yet."""
    last = method.stages.index(until)

    def cost(address: str) -> Cost:
        step = method.step(address)
        return adjust(step, step.cost(state, address)) if step is not None else Cost()

    def refining() -> Cost:
        step = method.named("refine")
        return adjust(step, step.cost(state, "1/exp")) if step is not None else Cost()

    return [line for line in _stages(cost, refining, state, scope) if method.stages.index(line.stage) <= last and _asks(line.cost)]


def _asks(cost: Cost) -> bool:
    return any(high for _, high in (cost.calls, cost.searches))


def _stages(cost: CostOf, refining: Callable[[], Cost], state: State, scope: Scope) -> Iterator[Forecast]:
    bounds = bounds_of(state)
    branches = [b for b in active(state) if scope.holds(b)]
    chains = {b: state.chain(b) for b in branches}
    missing_q = sum(state.in_use(f"Q{b}") is None for b in branches)
    yield Forecast("questions", "search questions", "one call for all", cost("Q1").times(bool(missing_q), bool(missing_q)))
    bare = sum(not chains[b] for b in branches)
    yield Forecast("anchors", f"{bare} anchors", "a search each, other words if nothing is found",
                   cost(f"{slot(1, 0)}.cands").times(bare, bare))  # fmt: skip
    room = sum(max(0, bounds.length - max(1, len(chains[b]))) for b in branches)
    if scope.side:
        room = min(room, 1)
    shares = f"{bounds.forward} forward, {bounds.backward} backward"
    stop = f"milestone stop above {bounds.milestone:,} citations from {bounds.minimum} papers on"
    grow = f"at most {bounds.length} papers a chain: {shares}; {stop}"
    verdict, search = cost("1/+1.rel"), cost("1/+1.cands")
    yield Forecast("chains", f"up to {room} more papers", grow, _add(verdict.times(0, room), search.times(0, room)))
    unread = sum(state.in_use(f"{slot(b, pos)}.card") is None for b in branches for pos in chains[b] or [0])
    spare = room * (1 + (bounds.judge_limit > 1))
    yield Forecast("cards", "one summary per paper", "one reading call each, the first candidate read beside its verdict",
                   _cards(cost, state, branches, unread, spare))  # fmt: skip
    yield from _texts(cost, refining, state, branches, one=bool(scope.branches))


def _cards(cost: CostOf, state: State, branches: list[Branch], unread: int, spare: int) -> Cost:
    """Cards to be made; those of PDFs that were attached have a size of their own."""
    places = [s for b in branches for s in state.filled(b) if s.paper in state.attached]
    own = [f"{s.address}.card" for s in places if s.pos in state.chain(s.branch) and state.in_use(f"{s.address}.card") is None]
    total = cost(f"{slot(1, NOWHERE)}.card").times(unread - len(own), unread - len(own) + spare)
    for address in own:
        total = _add(total, cost(address))
    return total


def _texts(cost: CostOf, refining: Callable[[], Cost], state: State, branches: list[Branch], *, one: bool = False) -> Iterator[Forecast]:
    """``one``: a run of one branch, in which ideas are not matched."""
    bounds = bounds_of(state)
    known = sum(state.in_use(address) is None for b in branches for address in state.pairs(b))
    most = sum(max(0, bounds.length - 1 - sum(state.in_use(a) is not None for a in state.pairs(b))) for b in branches)
    yield Forecast("trends", "a trend a pair", "one call each", cost(pair(1, 0)).times(known, most))
    for stage, part, what in (("directions", "dir", "future directions"), ("ideas", "idea", "ideas, two calls each"),
                              ("novelty", "nov", "novelty checks")):  # fmt: skip
        n = sum(state.in_use(f"{b}/{part}") is None for b in branches)
        most = sum(_most(state, b, part, bounds.novelty_rounds) for b in branches)
        rounds = bounds.novelty_rounds if part in ("idea", "nov") else 1
        why = f"at most {rounds} rounds" if rounds > 1 else "one a branch"
        yield Forecast(stage, f"{n} {what}", why, cost(f"1/{part}").times(n, most))
    k = 1 if one else len(branches)
    pairs = k * (k - 1) // 2
    played = sum(state.in_use(a) is not None for a in state.cells if a.startswith("A/"))
    yield Forecast("selection", f"{pairs} matches, both orders", "five criteria; a flip counts as a tie",
                   cost("A/1-2").times(0, max(0, pairs - played)))  # fmt: skip
    planned = any(state.in_use(f"{b}/exp") is not None for b in branches)
    yield Forecast("experiment", "an experiment plan", "for the winner", cost("1/exp").times(not planned, not planned))
    reviews = sum(len(state.cell(f"{b}/review").versions) for b in branches)
    refined = sum("review" in state.versions[s].recipe for b in branches for s in state.cell(f"{b}/exp").versions)
    yield Forecast("review", "review and refinement", f"{bounds.refine_rounds} round(s)",
                   _add(cost("1/review").times(not reviews, max(0, max(1, bounds.refine_rounds) - reviews)),
                        refining().times(0, max(0, bounds.refine_rounds - refined))))  # fmt: skip


def _most(state: State, branch: Branch, part: str, rounds: int) -> int:
    """How often a text of a branch may still be made: an idea and its report again for every round that a close match leaves."""
    missing = state.in_use(f"{branch}/{part}") is None
    report = state.in_use(f"{branch}/nov")
    if part == "dir" or (report is not None and report.content["verdict"] != "close match"):
        return int(missing)
    left = max(0, rounds - sum(not state.versions[s].by_person for s in state.cell(f"{branch}/nov").versions))
    if part == "nov":
        return max(left, int(missing))
    return int(missing) + max(0, left - (report is None))


def _add(a: Cost, b: Cost) -> Cost:
    def plus(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
        return (x[0] + y[0], x[1] + y[1])

    role = a.role if a.role != "none" else b.role
    return Cost(
        role, plus(a.calls, b.calls), plus(a.prompt_tokens, b.prompt_tokens), plus(a.reply_tokens, b.reply_tokens),
        plus(a.searches, b.searches), measured=sum(c.measured for c in (a, b) if c.calls[1]),
        ceiling=plus((a.most.prompt_tokens[1], a.most.reply_tokens[1]), (b.most.prompt_tokens[1], b.most.reply_tokens[1])),
        guessed=any(c.calls[1] and (c.guessed or not c.measured) for c in (a, b)),
    )  # fmt: skip
