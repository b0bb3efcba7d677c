"""What leaves this machine when a plan is run, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address, slot_of
from coi_tui.session.papers.orders import sent
from coi_tui.session.papers.own_texts import count_held, own_pdf_of
from coi_tui.session.run.toolbox import Setup
from coi_tui.session.run.wishes import told_of_wishes

if TYPE_CHECKING:
    from coi_tui.session.facade import Session
    from coi_tui.session.run.plans import PlanLine

SHOWN = 4


def sends(session: Session, setup: Setup, lines: Sequence[PlanLine]) -> tuple[str, ...]:
    """One entry a service, then what goes and what does not; never empty."""
    out = []
    if setup.online_model:
        out.append("to the language model: topic, titles, abstracts or texts of papers, cards, trends, directions, ideas, plans")
        if own := own_pdfs(session, lines):
            out.append(own)
        out.append("your hunch" if session.state.settings.get("send_hunch") else "not your notes, not your hunch")
        out += told_of_wishes(session.state)
    out += sent(setup)
    return tuple(out) or ("nothing leaves this machine",)


def own_pdfs(session: Session, lines: Sequence[PlanLine]) -> str:
    """Which of the researcher's own PDFs a plan would send the text of; empty where it reads none."""
    on = [line for line in lines if not line.off]
    to_come = any(not line.address and line.what.startswith(("cards:", "chains:")) for line in on)
    if to_come or any(line.address and parse_address(line.address).part == "rel" for line in on):  # a verdict reads its candidate ahead
        state = session.state
        here = len({s.paper for s in state.slots.values() if s.paper in state.attached})
        return _of_papers_to_come(here, count_held(session.paths))
    cards = [line.address for line in on if line.address and parse_address(line.address).part == "card"]
    named = {_pdf_at(session, address) for address in cards} - {""}
    if not named:
        return ""
    shown = ", ".join(sorted(named)[:SHOWN]) + (f" and {len(named) - SHOWN} more" if len(named) > SHOWN else "")
    return f"the text of your PDF {shown}, only in the prompt that reads it"


def _of_papers_to_come(here: int, held: int) -> str:
    parts = [f"{here} attached here" if here else "", f"{held} in my library" if held else ""]
    said = ", ".join(p for p in parts if p)
    return f"the text of your own PDFs ({said}), only in the prompt that reads each" if said else ""


def _pdf_at(session: Session, address: str) -> str:
    """The name of the researcher's own PDF of the paper at a card; empty where there is none."""
    state = session.state
    paper = state.papers.get(state.slot(slot_of(address)).paper or "")
    if paper is None:
        return ""
    attached = state.attached.get(paper.id)
    return attached["file"] if attached is not None else own_pdf_of(session.paths, paper)
