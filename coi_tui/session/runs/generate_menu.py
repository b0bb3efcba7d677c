"""What can be generated from a row: each with its plan, or the reason why it is off. Nothing runs from here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.engine.steps import Scope
from coi_tui.methods.coi.growth import open_sides, why_stopped
from coi_tui.model.address import parse_address, slot
from coi_tui.model.errors import UsageError
from coi_tui.model.naming import shown
from coi_tui.model.state import Side, State
from coi_tui.session.runs.plans import Plan

if TYPE_CHECKING:
    from coi_tui.session.session import Session

NOTHING = "all of it is there and up to date"


@dataclass(frozen=True)
class Offer:
    """One line of the menu. ``plan`` is what its key would show; ``off`` is the reason where there is none."""

    key: str
    what: str
    note: str = ""
    plan: Plan | None = None
    off: str = ""


def branch_of(address: str) -> int:
    """The branch that a row belongs to, or 0 for rows of the whole session."""
    at = parse_address(address)
    return 0 if at.part in ("topic", "arena", "match", "shelf", "session", "pick") else at.branch


def offers(session: Session, address: str) -> list[Offer]:
    """The menu of a row: for its branch, or for all branches where the row belongs to none."""
    branch, part = branch_of(address), parse_address(address).part
    out: list[Offer] = []
    if part in ("topic", "Q"):
        scope = Scope((branch,)) if branch else Scope()
        out.append(_offer("f", "questions, anchors", "a search for each question", session.plan_run("anchors", scope)))
    if branch:
        out += _for_branch(session, branch)
    whole = session.plan_run()
    out.append(Offer("a", "all branches to a stage", "choose how far", whole))
    return out


def _offer(key: str, what: str, note: str, plan: Plan) -> Offer:
    if plan.empty:
        why = next((line.off for line in plan.lines if line.off), NOTHING)
        return Offer(key, what, note, None, why)
    return Offer(key, what, note, plan)


def _for_branch(session: Session, branch: int) -> Iterator[Offer]:
    state = session.state
    if branch in state.parked or state.cell(f"Q{branch}").rejected:
        yield Offer("c", "this branch", off="it is left out; reopen it first")
        return
    for key, side, what in (("s", "forward", "one successor"), ("p", "backward", "one predecessor")):
        yield _neighbour(session, branch, key, side, what)  # type: ignore[arg-type]
    length = state.settings.get("length", 5)
    yield _offer("c", "whole chain", f"to {length} papers", session.plan_run("cards", Scope((branch,))))
    chain = [f"{slot(branch, pos)}.card" for pos in state.chain(branch)]
    trends = [*chain, *state.trends(branch)]
    short = "" if len(state.chain(branch)) > 1 else "it needs a chain of two papers; c makes one"
    direction, idea = [*trends, f"{branch}/dir"], [*trends, f"{branch}/dir", f"{branch}/idea"]
    yield _texts(session, "t", "trends", trends, branch, short)
    yield _texts(session, "d", "future direction", direction, branch, short)
    yield _texts(session, "i", "idea draft", idea, branch, short)
    none = "" if state.in_use(f"{branch}/idea") else "there is no idea in this branch; i drafts one"
    yield _texts(session, "e", "experiment", [f"{branch}/exp"], branch, none)


def _neighbour(session: Session, branch: int, key: str, side: Side, what: str) -> Offer:
    state = session.state
    if not state.chain(branch):
        return Offer(key, what, off="there is no anchor yet")
    found = next((s for s in open_sides(state, branch, {}) if s.side == side), None)
    if found is None:
        return Offer(key, what, off=why_stopped(state, branch, side))
    return _offer(key, what, found.slot, session.plan_run("cards", Scope((branch,), side, found.pos)))


def _texts(session: Session, key: str, what: str, addresses: list[str], branch: int, short: str) -> Offer:
    """A text with whatever it rests on that is missing or not up to date."""
    if short:
        return Offer(key, what, off=short)
    plan = session.plan_make(addresses, f"Make {what} of branch {branch}")
    first = [line.address for line in plan.lines if not line.off][:-1]
    return _offer(key, what, f"{_few([shown(session.state, a) for a in first])} first" if first else "", plan)


def _few(addresses: list[str]) -> str:
    return ", ".join(addresses[:1]) + (f" and {len(addresses) - 1} more" if len(addresses) > 1 else "")


def verify_plan(session: Session, address: str) -> Plan:
    """A novelty check of the branch's idea; where one was made it searches again. Raises UsageError without an idea."""
    branch = _with(session.state, address, "idea", "there is no idea to verify")
    again = session.state.in_use(f"{branch}/nov") is not None
    return session.plan_make([f"{branch}/nov"], f"Verify the novelty of {branch}/idea", again=again)


def review_plan(session: Session, address: str) -> Plan:
    """A review of the branch's experiment plan. Raises UsageError without one."""
    branch = _with(session.state, address, "exp", "there is no experiment plan to review")
    again = session.state.in_use(f"{branch}/review") is not None
    return session.plan_make([f"{branch}/review"], f"Review {branch}/exp", again=again)


def refine_plan(session: Session, address: str) -> Plan:
    """The next version of the plan, from the ticked points of its review. Raises UsageError without plan or review."""
    branch = _with(session.state, address, "review", "there is no review to answer")
    _with(session.state, address, "exp", "there is no experiment plan to refine")
    ticked = ticked_points(session.state, branch)
    title = f"Refine {branch}/exp with {f'points {_joined(ticked)}' if ticked else 'all points, since none is ticked'}"
    return session.plan_make([f"{branch}/exp"], title, again=True, step="refine")


def ticked_points(state: State, branch: int) -> list[int]:
    """Numbers of the points of the review in use that a person ticked."""
    review = state.in_use(f"{branch}/review")
    if review is None:
        return []
    return sorted(n for (b, seq, n), mark in state.points.items() if (b, seq, mark) == (branch, review.seq, "ticked"))


def _joined(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _with(state: State, address: str, part: str, why: str) -> int:
    branch = branch_of(address)
    if not branch or state.in_use(f"{branch}/{part}") is None:
        raise UsageError(f"Branch {branch or '?'}: {why}.", "g lists what can be made here.")
    return branch
