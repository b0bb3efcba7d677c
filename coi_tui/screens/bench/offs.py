"""Why a key of the workbench does not work on the row under the cursor; an empty text means that it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address, slot_of

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk
    from coi_tui.session.queries.row import Row

DECIDES = frozenset({"accept", "reject", "keep", "edit", "refresh", "pin", "accept_all", "protect", "branch", "note"})
PAID = frozenset({"verify", "review", "refine"})
WRITES = DECIDES | PAID | {"undo", "redo", "refresh_all", "generate"}
ON_ROW = DECIDES | {"enter", "why", "copy", "candidates", "history", "older", "newer"}
MAKEABLE = frozenset({"Q", "cands", "rel", "card", "trend", "dir", "idea", "nov", "match", "exp", "review"})


def branch_of(address: str) -> int:
    """The branch that a row belongs to, or 0."""
    at = parse_address(address)
    return 0 if at.part in ("topic", "arena", "match", "shelf", "session", "pick") else at.branch


def reason(name: str, row: Row | None, desk: Desk, rows: list[Row]) -> str:
    """Why the action is off, in a few words."""
    session = desk.session
    if name in WRITES and session.read_only_reason:
        return f"this session is read-only ({session.read_only_reason})"
    if name in ON_ROW and row is None:
        return "there is no row"
    if name in PAID | {"refresh", "refresh_all", "generate"} and desk.busy:
        return "a job runs already; S stops it"
    if name in ("next", "previous"):
        return "" if any(r.needs_you for r in rows) else "nothing needs you"
    if name == "refresh_all":
        return "" if any(_freshness(r, desk) in ("~", ":") for r in rows) else "nothing is stale"
    if name in ("undo", "redo"):
        return "" if session.undo_stack.labels()[name == "redo"] else f"there is nothing to {name}"
    if name == "stop":
        return "" if desk.busy else "nothing runs"
    if row is None:
        return ""
    if name in PAID:
        return _paid(name, row.address, desk)
    if name in ("accept_all", "protect", "branch", "history", "older", "newer"):
        return _about(name, row.address, desk)
    return _on_row(name, row, _freshness(row, desk), bool(session.state.in_use(row.address)))


def _freshness(row: Row, desk: Desk) -> str:
    """The mark of a row's text; of one whose refresh failed that of the text in use."""
    mark = row.marks[1:2]
    if mark != "!":
        return mark
    fresh = "." if desk.session.state.in_use(row.address) is not None else mark
    return {"stale": "~", "upstream": ":"}.get(desk.session.core.freshness(row.address).status, fresh)


def _paid(name: str, address: str, desk: Desk) -> str:
    """Novelty, review and refinement need what they are about, in the branch of the row."""
    state, branch = desk.session.state, branch_of(address)
    if not branch:
        return "this row belongs to no branch"
    needed = {"verify": (("idea", "idea"),), "review": (("exp", "experiment plan"),),
              "refine": (("exp", "experiment plan"), ("review", "review (V makes one)"))}[name]  # fmt: skip
    return next((f"branch {branch} has no {words} yet" for part, words in needed if state.in_use(f"{branch}/{part}") is None), "")


def _about(name: str, address: str, desk: Desk) -> str:
    """Bulk accept, protection, forks and versions: what the state says about them."""
    state, part = desk.session.state, parse_address(address).part
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


EDITABLE = frozenset({"topic", "Q", "trend", "dir", "card", "idea", "exp"})


def _on_row(name: str, row: Row, freshness: str, made: bool) -> str:
    part = parse_address(row.address).part
    verdict = row.marks[0]
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
        return "" if freshness in ("~", ":") and part != "slot" else "it is not stale"
    if name == "edit":
        return "" if part in EDITABLE else "there is no text of yours to edit here"
    if name == "refresh":
        if part not in MAKEABLE:
            return "this is not made by a step; its card, trend or list can be refreshed"
        return "" if made else "nothing has been made here yet; g runs to a stage"
    return ""
