"""What may be done at a row: allowed, or a reason in one clause. Screens, the command line and the write itself ask here.

What a kind of cell allows at all is declared by its method (``CellKind.decisions``); the rest follows from the state of the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from coi_tui.model.address import QUESTION, parse_address, slot_of
from coi_tui.model.errors import UsageError
from coi_tui.session.core import SessionCore
from coi_tui.session.names import branch_of
from coi_tui.session.papers.source_order import SourceOrder


class Action(Enum):
    """What a person may do at a row. The values are the names of the keys' actions."""

    ACCEPT = "accept"
    ACCEPT_ALL = "accept_all"
    ATTACH = "attach"
    CHOOSE = "candidates"
    EDIT = "edit"
    FORK = "branch"
    KEEP = "keep"
    PARK = "park"
    PIN = "pin"
    PROTECT = "protect"
    REFINE = "refine"
    REFRESH = "refresh"
    REJECT = "reject"
    REJECT_EVERYWHERE = "reject_everywhere"
    REVIEW = "review"
    SEARCH = "search"
    VERIFY = "verify"


@dataclass(frozen=True)
class Availability:
    """``reason``: why it is not allowed, as a clause; empty where it is."""

    reason: str = ""

    @property
    def allowed(self) -> bool:
        return not self.reason


READS = frozenset({Action.CHOOSE})
"""They open a list to read, so a read-only session allows them."""
RUNS = frozenset({Action.VERIFY, Action.REVIEW, Action.REFINE, Action.REFRESH, Action.SEARCH})
"""They plan a job, and one runs at a time."""
NO_SLOT = "this is a text; go to a paper's row, or to its branch for the anchor"
NOT_MADE = "nothing has been made here yet"
NO_BRANCH = "this row belongs to no branch"
_NEEDED = {
    Action.VERIFY: (("idea", "idea"),), Action.REVIEW: (("exp", "experiment plan"),),
    Action.REFINE: (("exp", "experiment plan"), ("review", "review (V makes one)")),
}  # fmt: skip


class Rules:
    """Answers for the session as it stands now."""

    def __init__(self, core: SessionCore, sources: SourceOrder) -> None:
        self._core, self._sources = core, sources
        self._checks = {
            Action.ACCEPT: self._accept, Action.ACCEPT_ALL: self._accept_all, Action.ATTACH: self._attach, Action.CHOOSE: self._of_slot,
            Action.EDIT: self._edit, Action.FORK: self._fork, Action.KEEP: self._keep, Action.PARK: self._of_branch,
            Action.PIN: self._of_slot, Action.PROTECT: self._protect, Action.REFRESH: self._refresh, Action.REJECT: self._reject,
            Action.REJECT_EVERYWHERE: self._reject_everywhere, Action.SEARCH: self._search,
        }  # fmt: skip

    def all(self, address: str) -> Mapping[Action, Availability]:
        """Every action at a row."""
        return {action: Availability(self.reason(action, address)) for action in Action}

    def reason(self, action: Action, address: str) -> str:
        """Why an action is not allowed at a row; empty where it is."""
        if action not in READS and self._core.read_only_reason:
            return f"this session is read-only ({self._core.read_only_reason})"
        if action in RUNS and self._core.scheduler is not None:
            return "a job is already running; S stops it"
        return self.refusal(action, address)

    def refusal(self, action: Action, address: str) -> str:
        """The same for the row alone, whatever the session is doing."""
        if action in _NEEDED:
            return self._needed(action, address)
        return self._checks[action](address)

    def require(self, action: Action, address: str, hint: str = "") -> None:
        """Raises UsageError with the reason where an action is not allowed at a row. Whether the session can be written is asked there."""
        if reason := self.refusal(action, address):
            raise UsageError(f"{address}: {reason}.", hint)

    # -- verdicts -------------------------------------------------------------------------------------------------

    def _accept(self, address: str) -> str:
        state = self._core.state
        if parse_address(address).part == "slot":
            verdict = state.slot(address).verdict
            return {"proposed": "", "empty": "the slot is empty, so there is nothing to accept"}.get(verdict, "it is already accepted")
        cell, kind = state.cell(address), self._core.methods.kind(address)
        has_verdict = kind is not None and kind.has_verdict
        if not cell.rejected and (cell.lock is not None or (has_verdict and cell.accepted)):
            return "it is already accepted"
        if kind is not None and kind.content is not None and state.in_use(address) is None:
            return f"{NOT_MADE}, so there is nothing to accept"
        return "" if has_verdict or cell.rejected else "no verdict applies here"

    def _accept_all(self, address: str) -> str:
        branch = branch_of(address)
        if not branch:
            return NO_BRANCH
        proposed = any(s.verdict == "proposed" for s in self._core.state.filled(branch))
        return "" if proposed else f"nothing is proposed in branch {branch}"

    def _reject(self, address: str) -> str:
        state, part = self._core.state, parse_address(address).part
        if part == "slot":
            return "" if state.slot(address).paper is not None else "the slot is empty, so there is nothing to reject"
        if part == QUESTION:
            return "it is already rejected" if state.cell(address).rejected else ""
        kind = self._core.methods.kind(address)
        may_be_parked = kind is not None and "reject" in kind.decisions and state.in_use(address) is not None
        return "" if may_be_parked else "it cannot be rejected: papers, questions and ideas can be rejected; edit or refresh a text"

    def _reject_everywhere(self, address: str) -> str:
        held = self._core.state.slots.get(address)
        return "" if held is not None and held.paper else "this row holds no paper"

    def _keep(self, address: str) -> str:
        stale = self._core.freshness(address).status in ("stale", "upstream") and self._core.state.in_use(address) is not None
        return "" if stale and parse_address(address).part != "slot" else "it is not stale"

    def _protect(self, address: str) -> str:
        state = self._core.state
        held = state.slot(address).paper if parse_address(address).part == "slot" else state.in_use(address)
        return "" if held else "there is nothing here to protect"

    # -- texts and papers -----------------------------------------------------------------------------------------

    def _edit(self, address: str) -> str:
        kind = self._core.methods.kind(address)
        return "" if kind is not None and kind.editable else "there is no text of yours to edit here"

    def _of_slot(self, address: str) -> str:
        return "" if slot_of(address) else NO_SLOT

    def _fork(self, address: str) -> str:
        slot = slot_of(address) if parse_address(address).part in ("slot", "card") else ""
        return "" if slot and self._core.state.slot(slot).paper else "a branch begins at a paper of a chain"

    def _attach(self, address: str) -> str:
        slot = slot_of(address) if parse_address(address).part in ("slot", "card") else ""
        held = self._core.state.slot(slot).paper if slot else None
        return "" if held in self._core.state.papers else "this row holds no paper"

    def _of_branch(self, address: str) -> str:
        return "" if branch_of(address) else NO_BRANCH

    # -- plans ----------------------------------------------------------------------------------------------------

    def _refresh(self, address: str) -> str:
        if self._core.methods.step(address) is None:
            return "this is not made by a step; its card, trend or list can be refreshed"
        return "" if self._core.state.in_use(address) is not None else f"{NOT_MADE}; g runs to a stage"

    def _search(self, address: str) -> str:
        slot = slot_of(address)
        if not slot:
            return NO_SLOT
        at = parse_address(slot)
        if at.pos and not self._sources.other_source(at.branch):
            return "its candidates cite their neighbour or are cited by it: there are no words to change; p pins a paper"
        return ""

    def _needed(self, action: Action, address: str) -> str:
        """Novelty, review and refinement need what they are about, in the branch of the row."""
        branch = branch_of(address)
        if not branch:
            return NO_BRANCH
        state = self._core.state
        missing = (words for part, words in _NEEDED[action] if state.in_use(f"{branch}/{part}") is None)
        return next((f"branch {branch} has no {words} yet" for words in missing), "")
