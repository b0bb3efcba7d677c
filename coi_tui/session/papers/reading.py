"""What there is to read of a paper in a session, cut into its parts, with the passages that its
card was drawn from."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
from coi_tui.model.content import CardContent
from coi_tui.model.entries import pdf_key
from coi_tui.model.papers import Paper
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
    own = _own(core, paper)
    kind, text, note = ("full text", own.text, own.origin) if own else _fetched(core, paper)
    refs = references(text) if kind == "full text" else ()
    url = paper.url or paper_url(known_ids(paper))
    return Reading(paper, kind, text, note, sections(text), refs, url)


def _fetched(core: SessionCore, paper: Paper) -> tuple[str, str, str]:
    """Kind, text and note of the full text among the calls of the session, else of the abstract
    with the reason."""
    urls, reasons = pdf_urls(paper), list[str]()
    for call in reversed(core.file.calls(replies=True)):
        if call.kind == "text" and call.request.get("pdf") in urls:
            note = str(call.reply.get("note") or "")
            if call.reply.get("kind") == "full text":
                origin = "; ".join(filter(None, (f"from {call.request['pdf']}", note)))
                return "full text", str(call.reply.get("text", "")), origin
            reasons.append(note)
    unasked = "its PDF was not asked for yet" if urls else "no open PDF is known"
    why = "; ".join(dict.fromkeys(filter(None, reasons))) or unasked
    if not paper.abstract:
        return "none", "", f"there is nothing to read here: {why}"
    return paper.abstract_kind, paper.abstract, f"only the {paper.abstract_kind} is here: {why}"


def _own(core: SessionCore, paper: Paper) -> OwnPdf | None:
    """The researcher's own PDF: the one attached here, else the one that a card here was read from,
    else the one in their library."""
    attached = core.state.attached.get(paper.id)
    wanted = {"by": "library", "paper": paper.id}
    read_from = [
        call.key
        for call in core.calls.values()
        if call.kind == "text" and wanted.items() <= call.request.items()
    ]
    keys = [pdf_key(attached["pdf"], "attached")] if attached is not None else []
    for key in (*keys, *read_from[-1:]):
        if (call := core.file.find_call(key)) is not None:
            file, text, note = (str(call.reply.get(n) or "") for n in ("file", "text", "note"))
            return OwnPdf(file, "", text, note)
    return own_text(core.paths, paper)


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
