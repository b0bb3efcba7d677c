"""The words of the workbench about a session as it stands: header, status lines, greeting."""

from __future__ import annotations

from coi_tui.model.money import dollars
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.workbench.row_texts import BEGIN
from coi_tui.session.names import branch_of
from coi_tui.session.next_wording import counts
from coi_tui.session.session import Session
from coi_tui.session.watch import Needs


def welcome(session: Session) -> str:
    """What a person has to know before anything else, in one line; empty where what comes next says
    it all."""
    if reason := session.read_only_reason:
        return f"Read-only: {reason}. Nothing you do here is kept."
    return "" if len(session.state.cells) > 1 else BEGIN


def header(controller: SessionController, address: str, needs: Needs) -> tuple[str, str]:
    """Where we are; at the right what runs or waits, money and network."""
    session, job = controller.session, controller.job
    branches = session.state.branches
    branch = branch_of(address) if address else 0
    place = f"branch {branches.index(branch) + 1} of {len(branches)}" if branch in branches else ""
    at = f"at {address}" if address else ""
    where = (session.name, at, session.queries.method_at(address), place)
    running = job.short if job is not None and controller.busy else ""
    saved = "read-only" if session.read_only_reason else "saved"
    setup = session.core.setup
    network = "online" if setup.online_model or setup.online_source else "offline"
    standing = (running, *counts(needs), saved, _money(session), network)
    return "  ".join(filter(None, where)), "  ".join(filter(None, standing))


def _money(session: Session) -> str:
    cap, spent = session.core.cap().usd, session.core.spent()
    unpriced = spent.money.unpriced and not spent.money.usd
    told = f"{spent.tokens:,} tokens" if unpriced else str(spent.money)
    return f"{told} of {dollars(cap)}" if cap else told
