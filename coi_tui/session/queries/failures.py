"""A failed step in five parts (what happened, what is intact, what was tried, what can be done, the
text to copy), and why a run came to less than was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coi_tui.model.address import parse_address
from coi_tui.model.entries import Failure
from coi_tui.model.state import State
from coi_tui.session.queries.rows import failed_at

KINDS = {
    "limited": "A key of your own gets a steadier share.",
    "offline": "This session works offline.",
    "reply": "The answer is kept raw: $ shows it.",
}
"""What the cause does not say by itself, by the kind of a failure."""


@dataclass(frozen=True)
class FailureReport:
    """``address`` is the cell whose step failed, which may be the candidate list behind the row."""

    address: str
    title: str
    happened: str
    intact: str
    tried: str
    technical: str
    growing: bool
    """True for a search beyond the end of a chain: the chain can be kept as long as it is."""


def report(
    state: State, row: str, failed: Mapping[str, str], failures: Sequence[Failure]
) -> FailureReport | None:
    """What there is to say about the failed step of a row; None where none failed."""
    address = failed_at(row, failed)
    if not address:
        return None
    own = [f for f in failures if f.address == address]
    last = own[-1] if own else Failure(address=address, step="", cause=failed[address])
    happened = "\n".join(dict.fromkeys(p for p in (last.cause, KINDS.get(last.kind, "")) if p))
    tried = "\n".join(f"{f.time.replace('T', ' ')[:19]}  {f.step}" for f in own) or "once"
    technical = f"step {last.step or '?'} at {address}, job {last.job}, kind {last.kind or 'unknown'}: {last.cause}"
    if last.said:
        technical += f"\nThe service said: {last.said}"
    return FailureReport(
        address,
        _title(state, row, address),
        happened,
        _intact(state, address),
        tried,
        technical,
        _growing(state, address),
    )


def _growing(state: State, address: str) -> bool:
    at = parse_address(address)
    return at.part in ("cands", "rel") and at.pos != 0 and state.slot(str(at.slot)).paper is None


def _intact(state: State, address: str) -> str:
    if state.in_use(address) is not None:
        return f"The version of {address} in use before is still in use. Everything else is saved."
    return "Everything made before. Saved."


def _title(state: State, row: str, address: str) -> str:
    if address == row:
        return f"{row} could not be made{' again' if state.in_use(row) is not None else ''}"
    return (
        f"{address} could not be made; the paper of {row} stays"
        if state.slot(row).paper is not None
        else f"{row} could not be made"
    )
