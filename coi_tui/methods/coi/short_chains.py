"""Branches whose chain stays below the minimum: the next question takes the place of one in which
nobody has decided anything.

Where the chain of that question comes to no more papers, the branch comes back: its anchor was
found to fit better.
"""

from __future__ import annotations

from coi_tui.engine.steps import View
from coi_tui.methods.coi.anchors import COUNT
from coi_tui.methods.coi.settings import bounds_of
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.wording import count

REPLACED = "replaced"
"""The setting of a session that names the branches replaced, each with the branch that took its
place."""
CAME_BACK = 0
"""What stands in the place of that branch once the first has come back: neither is exchanged
again."""


def spare(state: State) -> int:
    """How many branches may still be replaced: the bound on replacements, and the questions that no
    branch has."""
    left = bounds_of(state).replacements - len(replaced(state))
    return max(0, min(left, COUNT - _last(state)))


def replaced(state: State) -> dict[str, int]:
    """Branches that were replaced, by their numbers."""
    return dict(state.settings.get(REPLACED) or {})


def replacement(view: View, ended: list[Branch]) -> list[Decision]:
    """The decisions that put the next question in the place of the shortest chain of ``ended``, of
    equals the last; these grow no more.

    Of equals the last, since anchors are given out in the order of the branches, the best first.
    None in a job for single branches, where something failed in the branch, or where no branch at
    all found an anchor: then the topic is at fault, not the question.
    """
    state = view.state
    if (
        view.scope.branches
        or view.scope.side
        or not spare(state)
        or not any(state.chain(b) for b in state.branches_of(""))
    ):
        return []
    short = [
        b
        for b in ended
        if isinstance(b, int)
        and state.is_short(b)
        and _untouched(state, b)
        and not _failed(view, b)
    ]
    branch = min(reversed(short), key=lambda b: len(state.chain(b)), default=None)
    return _replace(state, branch, _last(state) + 1) if branch is not None else []


def return_of_replaced(view: View, ended: list[Branch]) -> list[Decision]:
    """The decisions that take a replaced branch up again, once the chain of the branch in its place
    has ended and is no longer.

    None in a job for single branches, where somebody decided something in either of the two, or
    where the later one has gone on to a direction already.
    """
    state = view.state
    if view.scope.branches or view.scope.side:
        return []
    for name, new in replaced(state).items():
        old = int(name)
        waits = (
            old in state.parked
            and new in ended
            and not _failed(view, new)
            and state.in_use(f"{new}/dir") is None
        )
        if (
            waits
            and 0 < len(state.chain(old)) >= len(state.chain(new))
            and not (_decided(state, old) or _decided(state, new))
        ):
            return _take_up_again(state, old, new)
    return []


def _take_up_again(state: State, old: int, new: int) -> list[Decision]:
    reason = f"the chain of branch {new} came to no more papers than that of branch {old}, which is taken up again"
    settings = {REPLACED: {**replaced(state), str(old): CAME_BACK}}
    return [
        Decision(actor="coi", action="park", address=str(new), reason=reason),
        Decision(actor="coi", action="unpark", address=str(old), reason=reason),
        Decision(actor="coi", action="settings", address="session", value=settings, reason=reason),
    ]


def _replace(state: State, branch: int, new: int) -> list[Decision]:
    papers = len(state.chain(branch))
    what = (
        f"its chain has {count(papers, 'paper')}, fewer than {state.least_papers}"
        if papers
        else "no anchor was found for it"
    )
    reason = f"{what}; question {new} takes its place"
    settings = {"branches": new, REPLACED: {**replaced(state), str(branch): new}}
    return [
        Decision(actor="coi", action="park", address=str(branch), reason=reason),
        Decision(actor="coi", action="settings", address="session", value=settings, reason=reason),
    ]


def _last(state: State) -> int:
    """The highest number that a branch has; a fork may have one too."""
    return max((b for b in state.branches_of("") if isinstance(b, int)), default=0)


def _failed(view: View, branch: Branch) -> bool:
    return any(
        address == f"Q{branch}" or address.startswith(f"{branch}/") for address in view.failed
    )


def _untouched(state: State, branch: int) -> bool:
    """Nobody has decided anything in the branch, and it has not been replaced before."""
    return str(branch) not in replaced(state) and not _decided(state, branch)


def _decided(state: State, branch: int) -> bool:
    """Whether somebody decided anything in the branch."""
    noted = any(parse_address(address).branch == branch for address in state.notes)
    return noted or _papers_decided(state, branch) or _texts_decided(state, branch)


def _papers_decided(state: State, branch: int) -> bool:
    """Whether somebody accepted, pinned, protected, rejected or replaced a paper of the branch, or
    attached a PDF to one."""
    slots = state.filled(branch)
    gone = any(
        item.branch == branch and item.kind in ("rejected", "replaced") for item in state.shelf
    )
    return gone or any(
        s.verdict != "proposed" or s.protected or s.paper in state.attached for s in slots
    )


def _texts_decided(state: State, branch: int) -> bool:
    """Whether somebody edited, adopted, accepted, rejected, protected or kept a text of the
    branch."""
    cells = (
        cell for address, cell in state.cells.items() if parse_address(address).branch == branch
    )
    return any(
        cell.lock is not None
        or cell.accepted
        or cell.rejected
        or cell.protected
        or cell.kept is not None
        for cell in cells
    )
