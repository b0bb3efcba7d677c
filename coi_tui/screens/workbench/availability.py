"""Why a key of the workbench does not work on the row under the cursor; an empty text means that it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address, slot_of
from coi_tui.model.state import State
from coi_tui.session.availability import Action
from coi_tui.session.decisions.bulk_accept import Proposed, proposed

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
        return "a job is already running; S stops it"
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


_RULES = {action.value: action for action in Action} | {"edit_outside": Action.EDIT}
"""The keys about which the session itself decides."""


def _of_row(name: str, row: Row, controller: SessionController) -> str:
    session = controller.session
    if name in _RULES:
        return session.rules.refusal(_RULES[name], row.address)
    if name in ("history", "older", "newer"):
        return _versions(name, row.address, session.state)
    return _about_texts(name, row.address, session)


def _versions(name: str, address: str, state: State) -> str:
    versions = state.cell(address).versions
    if not versions:
        slot = parse_address(address).part == "slot"
        return "this is no text; a paper's card has versions" if slot else "nothing has been made here yet"
    return "" if name == "history" or len(versions) > 1 else "there is only one version"


def _about_texts(name: str, address: str, session: Session) -> str:
    """What needs two versions, or a paper to be read."""
    if name == "diff":
        if not session.edits.editable(address):
            return "this row has no text with versions"
        return "" if other_version(session.state, address) is not None else "there is only one version"
    paper = paper_of(session.state, address)
    if name == "browser":
        return "" if paper is not None and paper.url else "no page is known for this row"
    return "this row holds no paper" if name == "read" and paper is None else ""
