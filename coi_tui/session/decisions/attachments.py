"""The researcher's own PDF of a paper in a chain: its text takes the place of what was read before, in this session alone."""

from __future__ import annotations

from coi_tui.literature.pdf_identification import shows_paper
from coi_tui.methods.imported_texts import pdf_key, pdf_request
from coi_tui.model.address import parse_address, slot_of
from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.imported_pdfs import PdfRead


def paper_at(state: State, address: str) -> Paper:
    """The paper of a slot or its card. Raises UsageError where there is none."""
    part = parse_address(address).part
    held = state.slot(slot_of(address)).paper if part in ("slot", "card") else None
    paper = state.papers.get(held or "")
    if paper is None:
        raise UsageError(f"{address} holds no paper, so no PDF can be attached there.", "Go to a paper's row.")
    return paper


def attach(core: SessionCore, address: str, read: PdfRead, reason: str = "") -> Decision:
    """Attach a PDF that was read to the paper at an address. The text goes into the session file, and away with it.

    Raises UsageError where no paper is, and for the PDF that is attached already.
    """
    core.check_writable()
    paper, place, own = paper_at(core.state, address), slot_of(address), read.own
    if core.state.attached.get(paper.id, {}).get("pdf") == own.pdf:
        raise UsageError(f"This PDF is already attached to {place}.")
    content = pdf_request(own.pdf, "attached")
    core.file.commit(calls=[Call(
        key=pdf_key(own.pdf, "attached"), kind="text", address=place, step="attach", request=content,
        reply={"kind": "full text", "text": own.text, "note": own.note, "file": own.file}, started=core.clock(),
    )])  # fmt: skip
    return core.decide("attach", place, {"paper": paper.id, "pdf": own.pdf, "file": own.file, "chars": len(own.text)}, reason)


def doubt(read: PdfRead, paper: Paper) -> str:
    """A sentence where the PDF does not look like that paper; empty where it does. It is attached all the same: the researcher knows."""
    return "" if shows_paper(read.looked, paper) else "Its first pages do not show this title; undo reverses it if it is another paper."
