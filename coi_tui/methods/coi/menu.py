"""What can be generated from a row of Chain of Ideas, or why not now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.engine.declarations import MenuOption, Scope
from coi_tui.methods.coi.growth import open_sides, why_stopped
from coi_tui.methods.ideas.stages import options as options_of_idea
from coi_tui.model.address import SUMMARY, Branch, parse_address, slot
from coi_tui.model.state import Side, State
from coi_tui.model.text import count


def options(state: State, address: str) -> Iterator[MenuOption]:
    """The lines for the branch of a row; for a row of the whole session only what starts all
    branches."""
    at = parse_address(address)
    branch: Branch = 0 if at.part == "match" else at.branch
    if at.part in ("topic", "Q"):
        scope = Scope((branch,)) if branch else Scope()
        yield MenuOption("f", "questions, anchors", "a search for each question", "anchors", scope)
    if branch:
        yield from _of_branch(state, branch)


def _of_branch(state: State, branch: Branch) -> Iterator[MenuOption]:
    if branch in state.parked or state.cell(f"Q{branch}").rejected:
        yield MenuOption("c", "this branch", off="it is left out; reopen it first")
        return
    yield _neighbour(state, branch, "s", "forward", "one successor")
    yield _neighbour(state, branch, "p", "backward", "one predecessor")
    yield MenuOption(
        "c",
        "whole chain",
        f"to {count(state.settings.get('length', 5), 'paper')}",
        "cards",
        Scope((branch,)),
    )
    short = "" if len(state.chain(branch)) > 1 else "it needs a chain of two papers; c makes one"
    made = [
        *(f"{slot(branch, pos)}.{SUMMARY}" for pos in state.chain(branch)),
        *state.pairs(branch),
    ]
    yield _texts("t", "trends", made, branch, short)
    yield _texts("d", "future direction", [*made, f"{branch}/dir"], branch, short)
    yield _texts("i", "idea draft", [*made, f"{branch}/dir", f"{branch}/idea"], branch, short)
    yield from options_of_idea(state, branch)


def _neighbour(state: State, branch: Branch, key: str, side: Side, what: str) -> MenuOption:
    if not state.chain(branch):
        return MenuOption(key, what, off="there is no anchor yet")
    found = next((s for s in open_sides(state, branch, {}) if s.side == side), None)
    if found is None:
        return MenuOption(key, what, off=why_stopped(state, branch, side))
    return MenuOption(key, what, found.slot, "cards", Scope((branch,), side, found.pos))


def _texts(key: str, what: str, addresses: Sequence[str], branch: Branch, off: str) -> MenuOption:
    """A text with whatever it rests on that is missing or not up to date."""
    if off:
        return MenuOption(key, what, off=off)
    return MenuOption(
        key, what, addresses=tuple(addresses), plan_title=f"Make {what} of branch {branch}"
    )


def retry(state: State, address: str) -> MenuOption | None:
    """A question by its stage; a list or verdict for an empty slot by a run for that slot alone."""
    at = parse_address(address)
    if at.part == "Q":
        return MenuOption("", "question", until="questions", scope=Scope((at.branch,)))
    if not at.attached or at.part == SUMMARY or state.slot(str(at.slot)).paper is not None:
        return None
    if at.pos == 0:
        return MenuOption("", "anchor", until="anchors", scope=Scope((at.branch,)))
    return MenuOption(
        "",
        "neighbour",
        until="cards",
        scope=Scope((at.branch,), "forward" if at.pos > 0 else "backward", at.pos),
    )
