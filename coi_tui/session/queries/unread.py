"""PDFs in the researcher's library that a card was read without.

Whether a text is up to date follows from its session alone, so a PDF that comes into the library makes nothing stale: it is offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address, slot_of

if TYPE_CHECKING:
    from coi_tui.session.core import Core
    from coi_tui.session.queries.detail import Part

HEADING = "YOUR PDF"


def unread_pdf(session: Core, address: str) -> str:
    """A sentence on the row of a paper or its card; empty where no PDF is held, one is attached, the card is one's own, or it was read.

    Reads one line of a file.
    """
    if parse_address(address).part not in ("slot", "card"):
        return ""
    state, place = session.state, slot_of(address)
    paper, card = state.papers.get(state.slot(place).paper or ""), state.in_use(f"{place}.card")
    if paper is None or card is None or card.by_person or paper.id in state.attached:
        return ""
    from coi_tui.session.papers.imported import own_pdf_held

    held = own_pdf_held(session.paths, paper)
    if held is None:
        return ""
    file, pdf = held
    read = {session.calls[n].request.get("own_pdf") for n in card.calls if n in session.calls}
    return "" if pdf in read else f"{file}, in your library: the card was read without it. Refresh the card (r) to read it."


def with_unread(parts: Sequence[Part], said: str) -> tuple[Part, ...]:
    """The parts of a detail with that sentence: before what is said of the card, or after where the card was read from."""
    names = [heading for heading, _ in parts]
    at = names.index("CARD") if "CARD" in names else 1 if names[:1] == ["READ FROM"] else len(parts)
    return (*parts[:at], (HEADING, said), *parts[at:])
