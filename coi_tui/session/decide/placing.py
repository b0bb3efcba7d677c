"""A paper put into a slot: whether it may stand there and what the decision says. Worked out without writing anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.time_cut import known_by
from coi_tui.model.address import parse_address, slot
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import State
from coi_tui.session.decide import effects

LinkBetween = Callable[[str, str], Link | None]


@dataclass(frozen=True)
class Placement:
    """``problem`` says why the paper may not stand there, ``hint`` what to do; ``value`` is what the decision records."""

    address: str
    paper: Paper
    problem: str = ""
    hint: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)


def knowing(state: State, paper: Paper) -> State:
    """The same state, to which the paper is known."""
    new = state.copy()
    new.papers = {**state.papers, paper.id: paper}
    return new


def placement(state: State, address: str, paper: Paper, link: LinkBetween) -> Placement:
    """What putting ``paper`` into the slot does to its neighbours; ``state`` must know the paper."""
    at, place = parse_address(address), state.slot(address)
    inner = slot(at.branch, at.pos - (1 if at.pos > 0 else -1)) if at.pos else ""
    if inner and not state.chain(at.branch):
        return Placement(
            address, paper, f"Branch {at.branch} has no anchor, so nothing can stand beside it.", "Choose or pin an anchor first."
        )
    if inner and place.paper is None and parse_address(inner).pos not in state.chain(at.branch):
        return Placement(address, paper, f"{address} does not touch the chain.", "Fill the slot next to the chain first.")
    detach, reattach = effects.of_place(state, address, paper.id, link)
    beside = state.slot(inner).paper if inner else None
    found = _link(paper.id, beside, at.pos, link)
    why = {"by": "you", "link": found.kind if found else "placed by you", "evidence": found.evidence if found else ""}
    needs = {inner: beside} if beside else {}
    value = {"paper": paper.id, "why": why, "detach": detach, "reattach": reattach, "needs": needs, "replaced": place.paper}
    if not known_by(paper, cut := str(state.settings.get("known_until") or "")):
        said = f"“{paper.title}” is of {paper.when or 'an unknown date'}, and this session knows nothing after {cut}."
        return Placement(address, paper, said, "Choose an older paper, or start a session without the time cut.", value)
    if problem := effects.order_problem(state, address, paper.id, detach):
        said = f"“{paper.title}” cannot stand at {address}: {problem}."
        return Placement(address, paper, said, "Choose another slot or another paper.", value)
    return Placement(address, paper, value=value)


def _link(paper: str, beside: str | None, pos: int, link: LinkBetween) -> Link | None:
    if beside is None:
        return None
    return link(paper, beside) if pos > 0 else link(beside, paper)
