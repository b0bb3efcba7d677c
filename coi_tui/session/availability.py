"""What may be done at a row: allowed, or a reason in one clause. Screens, the command line and the
write itself ask here.

What a kind of cell allows at all is declared by its method (``CellKind.decisions``); the rest
follows from the state of the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial

from coi_tui.engine.declarations import CellKind
from coi_tui.model.address import QUESTION, Address, Branch, parse_address, slot_of
from coi_tui.model.entries import Version
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import NOTHING_TICKED, ticked_points
from coi_tui.model.state import Cell, Slot, State
from coi_tui.session.core import SessionCore


class Action(Enum):
    """What a person may do at a row. The values are the names of the keys' actions."""

    ACCEPT = "accept"
    AGAINST = "against"
    ASK = "ask"
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
RUNS = frozenset(
    {
        Action.ASK,
        Action.VERIFY,
        Action.AGAINST,
        Action.REVIEW,
        Action.REFINE,
        Action.REFRESH,
        Action.SEARCH,
    }
)
"""They plan a job, and one runs at a time."""
NO_SLOT = "this is a text; go to a paper's row, or to its branch for the anchor"
NOT_MADE = "nothing has been made here yet"
NO_BRANCH = "this row belongs to no branch"
NO_PAPER = "this row holds no paper"
MOST_BRANCHES = 63
_NEEDED = {
    Action.VERIFY: (("idea", "idea"),),
    Action.AGAINST: (("idea", "idea"),),
    Action.REVIEW: (("exp", "experiment plan"),),
    Action.REFINE: (("exp", "experiment plan"), ("review", "review (V makes one)")),
}
"""The cells of a branch without which there is nothing to check, with their words."""


@dataclass(frozen=True)
class _Row:
    """What the rules ask of a row, found once. ``slot`` is the place whose candidates the row is
    about, where there is one."""

    address: str
    at: Address
    kind: CellKind | None
    cell: Cell
    version: Version | None
    slot: Slot | None
    branch: Branch

    @property
    def is_slot(self) -> bool:
        return self.at.part == "slot"

    @property
    def own_paper(self) -> str | None:
        """The paper that a slot or its card is about."""
        return (
            self.slot.paper if self.slot is not None and self.at.part in ("slot", "card") else None
        )


class Rules:
    """Answers for the session as it stands now."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._checks: Mapping[Action, Callable[[_Row], str]] = {
            Action.ACCEPT: self._accept,
            Action.ASK: self._ask,
            Action.ATTACH: self._attach,
            Action.CHOOSE: self._of_slot,
            Action.EDIT: self._edit,
            Action.FORK: self._fork,
            Action.KEEP: self._keep,
            Action.PARK: self._of_branch,
            Action.PIN: self._of_slot,
            Action.PROTECT: self._protect,
            Action.REFRESH: self._refresh,
            Action.REJECT: self._reject,
            Action.REJECT_EVERYWHERE: self._reject_everywhere,
            Action.SEARCH: self._of_slot,
            Action.REFINE: self._refine,
            **{
                action: partial(self._needed, action)
                for action in (Action.VERIFY, Action.REVIEW, Action.AGAINST)
            },
        }

    def all(self, address: str) -> Mapping[Action, Availability]:
        """Every action at a row, from one look at it."""
        row, closed, busy = self._row(address), self._closed(), self._busy()
        return {
            action: Availability(
                (closed if action not in READS else "")
                or (busy if action in RUNS else "")
                or check(row)
            )
            for action, check in self._checks.items()
        }

    def require(self, action: Action, address: str, hint: str = "") -> None:
        """Raises UsageError with the reason where an action is not allowed at a row. Whether the
        session can be written is asked there."""
        if reason := self._checks[action](self._row(address)):
            raise UsageError(f"{address}: {reason}.", hint)

    def _row(self, address: str) -> _Row:
        state, at, place = self._core.state, parse_address(address), slot_of(address)
        return _Row(
            address,
            at,
            self._core.methods.kind(address),
            state.cell(address),
            state.in_use(address),
            state.slot(place) if place else None,
            0 if at.part == "match" else at.branch,
        )

    def _closed(self) -> str:
        reason = self._core.read_only_reason
        return f"this session is read-only ({reason})" if reason else ""

    def _busy(self) -> str:
        return "a job is already running; S stops it" if self._core.scheduler is not None else ""

    @property
    def _state(self) -> State:
        return self._core.state

    # -- verdicts

    def _accept(self, row: _Row) -> str:
        if row.is_slot and row.slot is not None:
            empty = "the slot is empty, so there is nothing to accept"
            return {"proposed": "", "empty": empty}.get(row.slot.verdict, "it is already accepted")
        return self._accept_text(row)

    def _accept_text(self, row: _Row) -> str:
        has_verdict = row.kind is not None and row.kind.has_verdict
        accepted = row.cell.lock is not None or (has_verdict and row.cell.accepted)
        may_be_picked = row.at.part == "idea" and self._state.pick != row.branch
        if accepted and not row.cell.rejected and not may_be_picked:
            return "it is already accepted"
        if row.kind is not None and row.kind.content is not None and row.version is None:
            return f"{NOT_MADE}, so there is nothing to accept"
        return "" if has_verdict or row.cell.rejected else "no verdict applies here"

    def _reject(self, row: _Row) -> str:
        if row.is_slot and row.slot is not None:
            return (
                ""
                if row.slot.paper is not None
                else "the slot is empty, so there is nothing to reject"
            )
        if row.cell.rejected:
            return "it is already rejected"
        if row.at.part == QUESTION:
            return ""
        may_be_parked = (
            row.kind is not None and "reject" in row.kind.decisions and row.version is not None
        )
        return (
            ""
            if may_be_parked
            else "only papers, questions and ideas can be rejected; edit or refresh a text"
        )

    def _reject_everywhere(self, row: _Row) -> str:
        return "" if row.is_slot and row.own_paper else NO_PAPER

    def _keep(self, row: _Row) -> str:
        stale = (
            self._core.freshness(row.address).status in ("stale", "upstream")
            and row.version is not None
        )
        return "" if stale and not row.is_slot else "it is not stale"

    def _protect(self, row: _Row) -> str:
        if row.is_slot and row.slot is not None:
            there = row.slot.paper is not None or row.slot.protected
        else:
            there = row.version is not None or row.cell.protected
        return "" if there else "there is nothing here to protect"

    # -- texts and papers

    def _edit(self, row: _Row) -> str:
        return "" if row.kind is not None and row.kind.editable else "there is no text to edit here"

    def _ask(self, row: _Row) -> str:
        if self._core.methods.step(row.address) is None or self._edit(row):
            return "no step makes a text here; ideas, directions, trends, cards and plans can be rewritten"
        if row.version is None:
            return NOT_MADE
        if row.cell.protected:
            return "you protected it; the same command takes the protection away"
        setup = self._core.setup
        return (
            ""
            if setup.online_model
            else f"no language model can rewrite it ({setup.why}); it can be edited (e, coi edit)"
        )

    def _of_slot(self, row: _Row) -> str:
        return "" if row.slot is not None else NO_SLOT

    def _fork(self, row: _Row) -> str:
        if row.own_paper is None:
            return "a branch begins at a paper of a chain"
        state = self._state
        full = (
            len([n for n in {*state.branches, *state.forks} if isinstance(n, int)]) >= MOST_BRANCHES
        )
        return (
            f"there are already {MOST_BRANCHES} branches, and a session holds no more"
            if full
            else ""
        )

    def _attach(self, row: _Row) -> str:
        return "" if row.own_paper in self._state.papers else NO_PAPER

    def _of_branch(self, row: _Row) -> str:
        return "" if row.branch else NO_BRANCH

    # -- plans

    def _refresh(self, row: _Row) -> str:
        if self._core.methods.step(row.address) is None:
            return "this is not made by a step; its card, trend or list can be refreshed"
        return "" if row.version is not None else f"{NOT_MADE}; g runs to a stage"

    def _refine(self, row: _Row) -> str:
        if reason := self._needed(Action.REFINE, row):
            return reason
        review = self._state.in_use(f"{row.branch}/review")
        ticked = review is not None and ticked_points(self._state, row.branch, review)
        return (
            ""
            if ticked
            else f"{NOTHING_TICKED}: Enter on the plan opens its points, Space there ticks one"
        )

    def _needed(self, action: Action, row: _Row) -> str:
        """Novelty, review and refinement need what they are about, in the branch of the row."""
        if not row.branch:
            return NO_BRANCH
        missing = (
            words
            for part, words in _NEEDED[action]
            if self._state.in_use(f"{row.branch}/{part}") is None
        )
        return next((f"branch {row.branch} has no {words} yet" for words in missing), "")
