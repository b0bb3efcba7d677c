"""Branches whose chain stays below the minimum: the next question takes the place of one in which nobody has decided anything."""

from __future__ import annotations

from coi_tui.engine.steps import View
from coi_tui.methods.coi.anchors import COUNT
from coi_tui.methods.coi.settings import bounds_of
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.wording import count

REPLACED = "replaced"
"""The setting of a session that names the branches replaced, each with the branch that took its place."""


def spare(state: State) -> int:
    """How many branches may still be replaced: the bound on replacements, and the questions that no branch has."""
    left = bounds_of(state).replacements - len(replaced(state))
    return max(0, min(left, COUNT - _last(state)))


def replaced(state: State) -> dict[str, int]:
    """Branches that were replaced, by their numbers."""
    return dict(state.settings.get(REPLACED) or {})


def replacement(view: View, ended: list[Branch]) -> list[Decision]:
    """The decisions that put the next question in the place of the shortest chain of ``ended``, of equals the first; these grow no more.

    None in a job for single branches, where something failed in the branch, or where no branch at all found an anchor: then the topic is
    at fault, not the question.
    """
    state = view.state
    if view.scope.branches or view.scope.side or not spare(state) or not any(state.chain(b) for b in state.branches_of("")):
        return []
    short = [b for b in ended if isinstance(b, int) and state.is_short(b) and _untouched(state, b) and not _failed(view, b)]
    branch = min(short, key=lambda b: len(state.chain(b)), default=None)
    return _replace(state, branch, _last(state) + 1) if branch is not None else []


def _replace(state: State, branch: int, new: int) -> list[Decision]:
    papers = len(state.chain(branch))
    what = f"its chain has {count(papers, 'paper')}, fewer than {state.least_papers}" if papers else "no anchor was found for it"
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
    return any(address == f"Q{branch}" or address.startswith(f"{branch}/") for address in view.failed)


def _untouched(state: State, branch: int) -> bool:
    """Nobody has decided anything in the branch, and it has not been replaced before."""
    if str(branch) in replaced(state) or any(parse_address(address).branch == branch for address in state.notes):
        return False
    return not _papers_decided(state, branch) and not _texts_decided(state, branch)


def _papers_decided(state: State, branch: int) -> bool:
    """Whether somebody accepted, pinned, protected, rejected or replaced a paper of the branch, or attached a PDF to one."""
    slots = [s for s in state.slots.values() if s.branch == branch and s.paper]
    gone = any(item.branch == branch and item.kind in ("rejected", "replaced") for item in state.shelf)
    return gone or any(s.verdict != "proposed" or s.protected or s.paper in state.attached for s in slots)


def _texts_decided(state: State, branch: int) -> bool:
    """Whether somebody edited, adopted, accepted, rejected, protected or kept a text of the branch."""
    cells = (cell for address, cell in state.cells.items() if parse_address(address).branch == branch)
    return any(cell.lock is not None or cell.accepted or cell.rejected or cell.protected or cell.kept is not None for cell in cells)
