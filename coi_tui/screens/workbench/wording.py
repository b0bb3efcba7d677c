"""The words of the workbench about a session as it stands: header, status lines, greeting."""

from __future__ import annotations

from coi_tui.model.money import dollars
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.workbench.commands import WorkbenchView
from coi_tui.screens.workbench.row_texts import BEGIN
from coi_tui.session import row_wording
from coi_tui.session.names import branch_of
from coi_tui.session.session import Session
from coi_tui.widgets.formatting import Word, header_line


def welcome(session: Session) -> str:
    """What waits, in one line."""
    if reason := session.read_only_reason:
        return f"Read-only: {reason}. Nothing you do here is kept."
    if waits := ", ".join(session.queries.waiting()):
        return f"Waiting for you: {waits}. ] goes to the next."
    return "" if len(session.state.cells) > 1 else BEGIN


def next_for_you(view: WorkbenchView, address: str) -> str:
    """The row that ``]`` goes to."""
    row = view.rows.get(address)
    return f"] next for you: {address} {row.title} ({row_wording.note(row)})" if row else "] nothing else needs you"


def header(view: WorkbenchView, controller: SessionController, width: int) -> str:
    """Where we are; at the right what waits, whether it is saved, money and network."""
    return header_line(controller.session.name, _where(view, controller.session), _standing(controller), width)


def _where(view: WorkbenchView, session: Session) -> list[Word]:
    address, branches = view.address, session.state.branches
    branch = branch_of(address) if address else 0
    place = f"branch {branches.index(branch) + 1} of {len(branches)}" if branch in branches else ""
    return [Word(session.queries.method_at(address), 10), Word(place, 9), Word(f"at {address}" if address else "", 2, address)]


def _standing(controller: SessionController) -> list[Word]:
    session, job = controller.session, controller.job
    running = job.short if job is not None and controller.busy else ""
    saved = Word("read-only", 1) if session.read_only_reason else Word("saved", 7)
    network = Word("offline", 3) if session.is_offline else Word("online", 8)
    return [Word(running, 0), *_waits(session), saved, _money(session), network]


def _waits(session: Session) -> list[Word]:
    """What needs the person, each phrase with a shorter form for narrow terminals."""
    needs = session.queries.needs()
    forms = [
        (needs.undecided, "to decide", "decide"),
        (needs.stale, "stale", ""),
        (needs.failed, "failed", ""),
        (needs.queued, "queued", ""),
    ]
    there = [(f"{number} {long}", f"{number} {brief}" if brief else "") for number, long, brief in forms if number]
    return [Word(long, 5 + n, brief) for n, (long, brief) in enumerate(there)]


def _money(session: Session) -> Word:
    cap, spent = session.core.cap().usd, str(session.core.spent().money)
    return Word(f"{spent} of {dollars(cap)}", 4, f"{spent}/{cap:.2f}") if cap else Word(spent, 4)
