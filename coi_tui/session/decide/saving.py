"""What saving a text would make stale, told before it is saved: a trial fold, nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.engine.freshness import examine_all
from coi_tui.model.entries import Version
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import apply

if TYPE_CHECKING:
    from coi_tui.session.facade import Session


@dataclass(frozen=True)
class Effect:
    """Addresses that are up to date and would not be: ``stale`` because an input changed, ``upstream`` because one may.

    ``problem`` says why the text cannot be saved as it is; then nothing else is set.
    """

    stale: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()
    problem: str = ""


def effect_of_saving(session: Session, address: str, text: str, *, wording_only: bool = False) -> Effect:
    """The effect of saving ``text`` at ``address`` now."""
    try:
        entries = session.edited(address, text, wording_only=wording_only)
    except UsageError as error:
        return Effect(problem=str(error))
    trial, number = session.state, session.journal.next_seq
    for offset, entry in enumerate(entries):
        place: dict[str, object] = {"seq": number + offset}
        trial = apply(trial, entry.model_copy(update=place if isinstance(entry, Version) else {**place, "group": f"d{number}"}))
    before, old = session.fresh, ("stale", "upstream")
    after = {a: f.status for a, f in examine_all(trial, session.method.step).items() if f.status in old and a != address}
    moved = {a: status for a, status in after.items() if a not in before or before[a].status not in old}
    return Effect(tuple(a for a, s in moved.items() if s == "stale"), tuple(a for a, s in moved.items() if s == "upstream"))
