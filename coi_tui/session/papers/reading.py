"""What there is to read of a paper in a session, cut into its parts, with the passages that its
card was drawn from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.literature.ids import known_ids, paper_url
from coi_tui.literature.sections import (
    Reference,
    Section,
    find_passage,
    references,
    section_at,
    sections,
)
from coi_tui.methods.ideas.kinds import CARD_FIELDS
from coi_tui.methods.recorded_calls import pdf_key
from coi_tui.model.calls import Call
from coi_tui.model.content import CardContent
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.pdf.full_text import pdf_urls
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.imported import OwnPdf, own_text


@dataclass(frozen=True)
class Mark:
    """A field of the card with the piece of the text it was drawn from: characters ``start`` to
    ``end``, both 0 where none was found."""

    field: str
    text: str
    start: int = 0
    end: int = 0
    where: str = ""

    @property
    def found(self) -> bool:
        return self.end > self.start


@dataclass(frozen=True)
class Reading:
    """A paper's text with its parts. ``kind`` says what it is, ``note`` where it comes from or why
    there is no more.
    """

    paper: Paper
    kind: str
    text: str
    note: str
    sections: tuple[Section, ...]
    references: tuple[Reference, ...]
    url: str | None


def read(core: SessionCore, paper: Paper) -> Reading:
    """What was read of the paper in this session, else its abstract. Reads the file: call it off
    the event loop."""
    held = _own(core, paper) or _kept(core, paper)
    text = held.text
    refs = references(text) if held.kind == "full text" else ()
    url = paper.url or paper_url(known_ids(paper))
    return Reading(
        paper,
        held.kind,
        text,
        held.note,
        sections(text),
        refs,
        url,
    )


def _kept(core: SessionCore, paper: Paper) -> PaperText:
    """The full text among the calls of the session, else the abstract with the reason."""
    urls = pdf_urls(paper)
    answers = [
        c
        for c in reversed(core.file.calls(replies=True))
        if c.kind == "text" and c.request.get("pdf") in urls
    ]
    whole = next((c for c in answers if c.reply.get("kind") == "full text"), None)
    if whole is not None:
        note = "; ".join(filter(None, (f"from {whole.request['pdf']}", _note(whole))))
        return PaperText(
            paper=paper.id, kind="full text", text=str(whole.reply.get("text", "")), note=note
        )
    unasked = "its PDF was not asked for yet" if urls else "no open PDF is known"
    why = "; ".join(dict.fromkeys(filter(None, map(_note, answers)))) or unasked
    if not paper.abstract:
        return PaperText(
            paper=paper.id, kind="none", text="", note=f"there is nothing to read here: {why}"
        )
    only = f"only the {paper.abstract_kind} is here: {why}"
    return PaperText(paper=paper.id, kind=paper.abstract_kind, text=paper.abstract, note=only)


def _note(call: Call) -> str:
    """What the answer to a request for a text says of itself."""
    return str(call.reply.get("note") or "")


def _own(core: SessionCore, paper: Paper) -> PaperText | None:
    """The researcher's own PDF: the one attached here, else the one that a card here was read from,
    else the one in their library."""
    attached = core.state.attached.get(paper.id)
    if (
        attached is not None
        and (call := core.file.find_call(pdf_key(attached["pdf"], "attached"))) is not None
    ):
        return _said(paper, call.reply)
    wanted = {"by": "library", "paper": paper.id}
    keys = [
        c.key
        for c in core.calls.values()
        if c.kind == "text" and wanted.items() <= c.request.items()
    ]
    if keys and (call := core.file.find_call(keys[-1])) is not None:
        return _said(paper, call.reply)
    own = own_text(core.paths, paper)
    return (
        PaperText(paper=paper.id, kind="full text", text=own.text, note=own.said)
        if own is not None
        else None
    )


def _said(paper: Paper, reply: Mapping[str, Any]) -> PaperText:
    own = OwnPdf(
        str(reply.get("file", "")), "", str(reply.get("text", "")), str(reply.get("note") or "")
    )
    return PaperText(paper=paper.id, kind="full text", text=own.text, note=own.said)


def marks(core: SessionCore, address: str, reading: Reading) -> list[Mark]:
    """The fields of the card at a slot, each with its passage. Takes time on long texts: call it
    off the event loop."""
    card = core.state.read(f"{address}.card", CardContent) if address else None
    texts = {name: getattr(card, name) for name in CARD_FIELDS} if card is not None else {}
    out = []
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            continue
        found = find_passage(reading.text, value)
        where = section_at(reading.sections, found[0]).shown if found else ""
        out.append(Mark(name, value, *(found or (0, 0)), where))
    return out


def meant_by(reference: str) -> str:
    """What to look a reference up by: its DOI or arXiv id where it has one, else the part that
    reads like a title."""
    found = re.search(r"10\.\d{4,9}/[^\s,;]+|arXiv:\s?\d{4}\.\d{4,5}", reference, re.IGNORECASE)
    if found:
        return found[0].replace(" ", "").rstrip(".")
    parts = [p.strip(" .,()") for p in re.split(r"[.?!](?:\s+|$)|\(\d{4}[a-z]?\)", reference)]
    return max(
        (p for p in parts if len(p.split()) >= 3),
        key=lambda p: sum(w[:1].islower() for w in p.split()),
        default=reference,
    )


def matches(text: str, wanted: str) -> list[int]:
    """Where a word stands, case aside."""
    if not wanted.strip():
        return []
    return [m.start() for m in re.finditer(re.escape(wanted.strip()), text, re.IGNORECASE)]
