"""The words of the workbench about a session as it stands: header, status lines, greeting."""

from __future__ import annotations

from coi_tui.model.money import amount, dollars
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.workbench.row_texts import BEGIN
from coi_tui.session.names import branch_of
from coi_tui.session.next_wording import counts
from coi_tui.session.session import Session
from coi_tui.session.watch import Needs
from coi_tui.widgets.formatting import Word, header_line


def welcome(session: Session) -> str:
    """What a person has to know before anything else, in one line; empty where what comes next says
    it all."""
    if reason := session.read_only_reason:
        return f"Read-only: {reason}. Nothing you do here is kept."
    return "" if len(session.state.cells) > 1 else BEGIN


def header(controller: SessionController, address: str, needs: Needs, width: int) -> str:
    """Where we are; at the right what waits, whether it is saved, money and network."""
    return header_line(
        controller.session.name,
        _where(address, controller.session),
        _standing(controller, needs),
        width,
    )


def _where(address: str, session: Session) -> list[Word]:
    branches = session.state.branches
    branch = branch_of(address) if address else 0
    place = f"branch {branches.index(branch) + 1} of {len(branches)}" if branch in branches else ""
    return [
        Word(session.queries.method_at(address), 10),
        Word(place, 9),
        Word(f"at {address}" if address else "", 2, address),
    ]


def _standing(controller: SessionController, needs: Needs) -> list[Word]:
    session, job = controller.session, controller.job
    running = job.short if job is not None and controller.busy else ""
    saved = Word("read-only", 1) if session.read_only_reason else Word("saved", 7)
    setup = session.core.setup
    network = Word("online", 8) if setup.online_model or setup.online_source else Word("offline", 3)
    return [Word(running, 0), *_waits(needs), saved, _money(session), network]


def _waits(needs: Needs) -> list[Word]:
    """What needs the person; where there is little room what is to decide is said more briefly, and
    the rest not at all."""
    return [
        Word(said, 5 + n, said.replace("to decide", "decide"))
        for n, said in enumerate(counts(needs))
    ]


def _money(session: Session) -> Word:
    cap, spent = session.core.cap().usd, session.core.spent()
    told = (
        f"{spent.tokens:,} tokens"
        if spent.money.unpriced and not spent.money.usd
        else str(spent.money)
    )
    return Word(f"{told} of {dollars(cap)}", 4, f"{told}/{amount(cap)}") if cap else Word(told, 4)
