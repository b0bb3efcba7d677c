"""What a run up to a stage asks of services, before the chains are known: the least and the most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from coi_tui.engine.declarations import Cost, Forecast, Scope, Task
from coi_tui.methods.coi.growth import bounds_of, open_sides
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.address import Branch, pair, slot
from coi_tui.model.state import State
from coi_tui.model.text import count

NOWHERE = 99
"""A place that no chain reaches: what is asked of it is asked of any."""


def lines(
    step: Callable[[str], Task | None], state: State, active: Sequence[Branch], scope: Scope
) -> Iterator[Forecast]:
    """A line for each stage up to the directions, also for one that asks nothing."""

    def cost(address: str) -> Cost:
        made_by = step(address)
        return made_by.cost(state, address) if made_by is not None else Cost()

    def missing(addresses: Sequence[str]) -> list[str]:
        return [address for address in addresses if state.in_use(address) is None]

    branches, bounds = [b for b in active if scope.holds(b)], bounds_of(state)
    bare = sum(not state.chain(b) for b in branches)
    room = sum(_room(state, b, bounds) for b in branches if b not in scope.closed)
    room = min(room, 1) if scope.side else room
    asked = int(bool(missing([f"Q{b}" for b in branches])))
    yield Forecast(
        "questions", "search questions", "one call for all", cost("Q1").times(asked, asked)
    )
    searches = "one search each; again with other words where nothing is found"
    anchors = cost(f"{slot(1, 0)}.cands").times(bare, bare)
    yield Forecast("anchors", count(bare, "anchor"), searches, anchors)
    papers = (cost("1/+1.rel") + cost("1/+1.cands")).times(0, room)
    yield Forecast("chains", f"up to {count(room, 'more paper')}", _bounds(bounds), papers)
    cards = cost(f"{slot(1, NOWHERE)}.card").times(bare, bare + room)
    for address in missing([f"{slot(b, pos)}.card" for b in branches for pos in state.chain(b)]):
        cards += cost(address)
    why = "one reading call each; none for a summary in parts"
    yield Forecast("cards", "one summary per paper", why, cards)
    pairs = len(missing([address for b in branches for address in state.pairs(b)]))
    trends = cost(pair(1, 0)).times(pairs, pairs + room)
    yield Forecast("trends", "one trend per pair", "one call each", trends)
    number = len(missing([f"{b}/dir" for b in branches]))
    why = "one per branch"
    if bounds.drafts > 1:
        why += f", the best of {bounds.drafts} drafts, compared in both orders"
    what = count(number, "future direction")
    yield Forecast("directions", what, why, cost("1/dir").times(number, number))


def _room(state: State, branch: Branch, bounds: CoiSettings) -> int:
    """How many papers a chain may still take; none once both of its sides have ended."""
    chain = state.chain(branch)
    growing = not chain or open_sides(state, branch, {})
    return bounds.length - max(1, len(chain)) if growing else 0


def _bounds(bounds: CoiSettings) -> str:
    papers, minimum = count(bounds.length, "paper"), count(bounds.minimum, "paper")
    shares = f"{bounds.forward} forward, {bounds.backward} backward"
    stop = f"from {minimum} on it ends at one cited more than {bounds.milestone:,} times"
    return f"at most {papers} per chain: {shares}; {stop}"
