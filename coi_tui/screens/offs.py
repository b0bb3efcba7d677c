"""Why a key of the workbench does not work on the row under the cursor; an empty text means that it does."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.screens.desk import Desk
from coi_tui.session.candidates import slot_of
from coi_tui.session.rows import Row
from coi_tui.session.texts import editable

WRITES = frozenset({"accept", "reject", "keep", "undo", "redo", "edit", "refresh", "refresh_all", "generate", "pin"})
ON_ROW = frozenset({"accept", "reject", "keep", "edit", "refresh", "enter", "why", "copy", "candidates", "pin"})
MAKEABLE = frozenset({"Q", "cands", "rel", "card", "trend", "dir", "idea", "nov", "match", "exp", "review"})


def reason(name: str, row: Row | None, desk: Desk, rows: list[Row]) -> str:
    """Why the action is off, in a few words."""
    session = desk.session
    if name in WRITES and session.read_only_reason:
        return f"this session is read-only ({session.read_only_reason})"
    if name in ON_ROW and row is None:
        return "there is no row"
    if name in ("refresh", "refresh_all", "generate") and desk.busy:
        return "a job runs already; S stops it"
    if name in ("next", "previous"):
        return "" if any(r.needs_you for r in rows) else "nothing needs you"
    if name == "refresh_all":
        return "" if any(r.marks[1:2] in ("~", ":") for r in rows) else "nothing is stale"
    if name in ("undo", "redo"):
        return "" if session.undo_labels()[name == "redo"] else f"there is nothing to {name}"
    if name == "stop":
        return "" if desk.busy else "nothing runs"
    return _on_row(name, row, bool(session.state.in_use(row.address))) if row is not None else ""


def _on_row(name: str, row: Row, made: bool) -> str:
    part = parse_address(row.address).part
    verdict, freshness = row.marks[0], row.marks[1]
    if name == "accept":
        if part == "slot":
            return {"?": "", "_": "the slot is empty"}.get(verdict, "it is accepted already")
        if verdict == "+":
            return "it is accepted already"
        if part in MAKEABLE and not made:
            return "nothing has been made here yet"
        return "" if verdict in "?x" and made else "no verdict applies here"
    if name == "reject":
        if part == "slot":
            return "the slot is empty" if verdict == "_" else ""
        if part == "Q":
            return "it is rejected already" if verdict == "x" else ""
        return "" if part == "idea" and made else "papers, questions and ideas can be rejected; edit or refresh a text"
    if name in ("candidates", "pin"):
        return "" if slot_of(row.address) else "this is a text; go to a paper's row, or to its branch for the anchor"
    if name == "keep":
        return "" if freshness in "~:" and part != "slot" else "it is not stale"
    if name == "edit":
        return "" if editable(row.address) else "there is no text of yours to edit here"
    if name == "refresh":
        if part not in MAKEABLE:
            return "this is not made by a step; its card, trend or list can be refreshed"
        return "" if made else "nothing has been made here yet; g runs to a stage"
    return ""
