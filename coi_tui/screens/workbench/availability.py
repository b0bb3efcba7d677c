"""Why a key of the workbench does not work on the row under the cursor; an empty text means that it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from coi_tui.model.address import Branch, parse_address, slot_of
from coi_tui.model.state import State
from coi_tui.session.decisions.bulk_accept import Proposed, proposed
from coi_tui.session.queries.row import Verdict

if TYPE_CHECKING:
    from coi_tui.model.papers import Paper
    from coi_tui.screens.session_controller import SessionController
    from coi_tui.session.queries.row import Row
    from coi_tui.session.session import Session

DECIDES = frozenset({"accept", "reject", "keep", "edit", "edit_outside", "refresh", "pin", "accept_all", "protect", "branch", "note"})
PAID = frozenset({"verify", "review", "refine"})
WRITES = DECIDES | PAID | {
    "undo", "redo", "refresh_all", "generate", "criteria", "sources", "attach", "search", "park", "pace", "network", "accept_read",
    "reject_everywhere",
}  # fmt: skip
ON_ROW = DECIDES | {
    "enter", "why", "copy", "candidates", "history", "older", "newer", "tag", "diff", "read", "browser", "attach", "park", "search",
    "reject_everywhere",
}  # fmt: skip
WHILE_IDLE = PAID | {"refresh", "refresh_all", "generate", "search", "network"}
MAKEABLE = frozenset({"Q", "cands", "rel", "card", "trend", "dir", "idea", "nov", "match", "exp", "review"})
NO_SLOT = "this is a text; go to a paper's row, or to its branch for the anchor"


def branch_of(address: str) -> Branch:
    """The branch that a row belongs to, or 0."""
    at = parse_address(address)
    return 0 if at.part in ("topic", "arena", "match", "shelf", "session", "pick") else at.branch


def paper_of(state: State, address: str) -> Paper | None:
    """The paper of a slot's row or of its card's."""
    if not address or parse_address(address).part not in ("slot", "card"):
        return None
    held = state.slot(slot_of(address)).paper
    return state.papers.get(held) if held else None


def read_fully(state: State) -> list[Proposed]:
    """Proposed papers that were read from their full text."""
    items = [p for branch in state.branches for p in proposed(state, branch) if not p.off]
    return [p for p in items if state.in_use(f"{p.address}.card") is not None]


def other_version(state: State, address: str) -> int | None:
    """The newest version of a text that is not in use."""
    used = state.in_use(address)
    others = [s for s in state.cell(address).versions if used is not None and s != used.seq]
    return others[-1] if others else None


def reason(name: str, row: Row | None, controller: SessionController, rows: Mapping[str, Row]) -> str:
    """Why the action is off, in a few words."""
    session = controller.session
    if name in WRITES and session.read_only_reason:
        return f"this session is read-only ({session.read_only_reason})"
    if name in ON_ROW and row is None:
        return "there is no row"
    if name in WHILE_IDLE and controller.busy:
        return "a job runs already; S stops it"
    if name in _OF_SESSION:
        return _OF_SESSION[name](controller, rows)
    if row is None:
        return ""
    return _of_row(name, row, controller)


def _undo(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if controller.session.undo_stack.labels()[0] else "there is nothing to undo"


def _redo(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if controller.session.undo_stack.labels()[1] else "there is nothing to redo"


def _next(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if any(r.needs_you for r in rows.values()) else "nothing needs you"


def _refresh_all(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if any(r.stale and not r.running for r in rows.values()) else "nothing is stale"


def _stop(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if controller.busy else "nothing runs"


def _queue(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if controller.session.state.queue else "no plan waits; l on the sheet of a plan puts it off"


def _accept_read(controller: SessionController, rows: Mapping[str, Row]) -> str:
    return "" if read_fully(controller.session.state) else "no proposed paper was read from full text"


_OF_SESSION: dict[str, Callable[[SessionController, Mapping[str, Row]], str]] = {
    "undo": _undo, "redo": _redo, "next": _next, "previous": _next, "refresh_all": _refresh_all, "stop": _stop, "queue": _queue,
    "accept_read": _accept_read,
}  # fmt: skip


def _of_row(name: str, row: Row, controller: SessionController) -> str:
    state, address = controller.session.state, row.address
    if name in PAID:
        return _paid(name, address, state)
    if name in ("accept_all", "protect", "branch", "history", "older", "newer"):
        return _about(name, address, state)
    if name in ("park", "diff", "read", "attach", "browser", "reject_everywhere"):
        return _about_papers(name, address, controller.session)
    if name == "search":
        return _search(address, controller)
    made = state.in_use(address) is not None
    if name == "accept":
        return _accept(row, made)
    if name == "reject":
        return _reject(row, made)
    if name in ("edit", "edit_outside"):
        return "" if controller.session.edits.editable(address) else "there is no text of yours to edit here"
    return _on_row(name, row, made)


def _paid(name: str, address: str, state: State) -> str:
    """Novelty, review and refinement need what they are about, in the branch of the row."""
    branch = branch_of(address)
    if not branch:
        return "this row belongs to no branch"
    needed = {"verify": (("idea", "idea"),), "review": (("exp", "experiment plan"),),
              "refine": (("exp", "experiment plan"), ("review", "review (V makes one)"))}[name]  # fmt: skip
    return next((f"branch {branch} has no {words} yet" for part, words in needed if state.in_use(f"{branch}/{part}") is None), "")


def _about(name: str, address: str, state: State) -> str:
    """Bulk accept, protection, forks and versions: what the state says about them."""
    part = parse_address(address).part
    if name == "accept_all":
        branch = branch_of(address)
        if not branch:
            return "this row belongs to no branch"
        return "" if any(s.verdict == "proposed" for s in state.filled(branch)) else f"nothing is proposed in branch {branch}"
    if name == "branch":
        slot = slot_of(address) if part in ("slot", "card") else ""
        return "" if slot and state.slot(slot).paper else "a branch begins at a paper of a chain"
    if name == "protect":
        held = state.slot(address).paper if part == "slot" else state.in_use(address)
        return "" if held else "there is nothing here to protect"
    versions = state.cell(address).versions
    if not versions:
        return "this is no text; a paper's card has versions" if part == "slot" else "nothing has been made here yet"
    return "" if name == "history" or len(versions) > 1 else "there is only one version"


def _about_papers(name: str, address: str, session: Session) -> str:
    """What needs a paper, a branch or two versions."""
    state = session.state
    if name == "park":
        return "" if branch_of(address) else "this row belongs to no branch"
    if name == "diff":
        if not session.edits.editable(address):
            return "this row has no text with versions"
        return "" if other_version(state, address) is not None else "there is only one version"
    if name == "reject_everywhere":
        slot = state.slots.get(address)
        return "" if slot is not None and slot.paper else "this row holds no paper"
    paper = paper_of(state, address)
    if name == "browser":
        return "" if paper is not None and paper.url else "no page is known for this row"
    return "" if paper is not None else "this row holds no paper"


def _search(address: str, controller: SessionController) -> str:
    slot = slot_of(address)
    if not slot:
        return NO_SLOT
    at = parse_address(slot)
    if at.pos and not controller.session.sources.other_source(at.branch):
        return "its candidates cite their neighbour or are cited by it: there are no words to change; p pins a paper"
    return ""


def _accept(row: Row, made: bool) -> str:
    part, verdict = parse_address(row.address).part, row.verdict
    if part == "slot":
        return {Verdict.UNDECIDED: "", Verdict.EMPTY: "the slot is empty"}.get(verdict, "it is accepted already")
    if verdict is Verdict.ACCEPTED:
        return "it is accepted already"
    if part in MAKEABLE and not made:
        return "nothing has been made here yet"
    return "" if verdict in (Verdict.UNDECIDED, Verdict.REJECTED) and made else "no verdict applies here"


def _reject(row: Row, made: bool) -> str:
    part, verdict = parse_address(row.address).part, row.verdict
    if part == "slot":
        return "the slot is empty" if verdict is Verdict.EMPTY else ""
    if part == "Q":
        return "it is rejected already" if verdict is Verdict.REJECTED else ""
    return "" if part == "idea" and made else "papers, questions and ideas can be rejected; edit or refresh a text"


def _on_row(name: str, row: Row, made: bool) -> str:
    part = parse_address(row.address).part
    if name in ("candidates", "pin"):
        return "" if slot_of(row.address) else NO_SLOT
    if name == "keep":
        return "" if row.stale and not row.running and part != "slot" else "it is not stale"
    if name == "refresh":
        if part not in MAKEABLE:
            return "this is not made by a step; its card, trend or list can be refreshed"
        return "" if made else "nothing has been made here yet; g runs to a stage"
    return ""
