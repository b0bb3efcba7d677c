"""The text of a PDF, and which paper it is: by the DOI or arXiv id in its metadata or on its first
page. Never guessed: the title of the paper with that id must be on that page.

PDFs come from anywhere, so their text is extracted by ``_pdf_worker`` in a process of its own, with
limits on time, size and memory.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.title_match import compact_title
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Frozen, Paper
from coi_tui.model.text import clean, clean_line, clipped

MAX_PAGES = 400
MAX_CHARS = 2_000_000
LEAST_CHARS = 200
"""Less text than this is a scan or a cover page, not a paper."""
_SPEAKS = re.compile(
    r"[^.\n]*\b(?:(?:ignore|disregard|forget)\b[^.\n]{0,40}\binstructions"
    r"|if you are an? (?:AI|LLM|language model)"
    r"|(?:give|write|recommend)\b[^.\n]{0,40}\bpositive (?:review|evaluation))[^.\n]*",
    re.IGNORECASE,
)
"""A sentence that is meant for a language model that reads the paper, or is quoted as one."""
_WORKER = str(Path(__file__).with_name("_pdf_worker.py"))
COMMAND = [sys.executable, "-P", _WORKER, str(MAX_PAGES), str(MAX_CHARS)]


class PdfText(Frozen):
    """The text of a PDF, or none with the reason in ``note``."""

    kind: Literal["full text", "none"]
    text: str = ""
    note: str = ""


@dataclass(frozen=True)
class ExtractedPdf:
    """A PDF's text with what may tell which paper it is: its first page, and what its metadata
    say."""

    text: PdfText
    page: str = ""
    metadata: tuple[str, ...] = ()


async def extract_pdf(data: bytes, timeout_s: float = 60, max_mb: float = 100) -> ExtractedPdf:
    """The text of a PDF, with what may tell which paper it is. Whatever goes wrong, a crash of the
    worker included, is "no text" with the reason.

    Cancelling it ends the worker.
    """
    if b"%PDF" not in data[:1024]:  # a server's banner may stand before it
        return _none("what came is not a PDF")
    if len(data) > max_mb * 1_000_000:
        return _none(f"the PDF is larger than {max_mb:g} MB")
    try:
        worker = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # native messages would spoil the screen
        )
    except OSError as error:
        return _none(f"the PDF reader could not be started ({type(error).__name__})")
    try:
        output, _ = await asyncio.wait_for(worker.communicate(data), timeout_s)
    except TimeoutError:
        return _none(f"reading the PDF took longer than {timeout_s:g} s")
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
    return _read(output) if worker.returncode == 0 else _none("the PDF reader crashed on this file")


def _none(note: str) -> ExtractedPdf:
    return ExtractedPdf(PdfText(kind="none", note=note))


def _read(output: bytes) -> ExtractedPdf:
    """What the worker answered."""
    try:
        answer = json.loads(output)
        text, page = (clean(answer[name].replace("\x1b", "")).strip() for name in ("text", "page"))
        note = clean(answer["note"])
        if spoken := _SPEAKS.search(text):
            quote = clipped(clean_line(spoken[0]), 20)
            note = "; ".join(filter(None, (note, f"a sentence in it speaks to a model: “{quote}”")))
        metadata = tuple(clean_line(value) for value in answer["metadata"])
    except (ValueError, KeyError, TypeError):
        return _none("the PDF reader's answer could not be read")
    if len(text) < LEAST_CHARS:
        return _none(note or "the PDF holds no text; a scan needs text recognition (OCR) first")
    return ExtractedPdf(PdfText(kind="full text", text=text, note=note), page, metadata)


# -- which paper a PDF is

_STAMP = re.compile(
    r"arXiv:\s?((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)\s*(\[[\w.-]+\])?",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+", re.IGNORECASE)
_REFERENCES = re.compile(
    r"^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
PAGE_CHARS = 6000
"""Characters of page one among which the title is."""
IDS_ASKED = 4
"""Of the ids in one PDF only the first so many are looked up."""


def ids_of(pdf: ExtractedPdf) -> list[Id]:
    """Its own identifiers (from its metadata, or a preprint's stamp on page one); where it has
    none, those on page one before the references."""
    own = [pair for text in pdf.metadata for pair in _ids_in(text)]
    own += [
        pair for found in _STAMP.finditer(pdf.page) if found[2] and (pair := normalise_id(found[1]))
    ]
    return list(dict.fromkeys(own or _ids_in(_REFERENCES.split(pdf.page, maxsplit=1)[0])))


async def paper_of(pdf: ExtractedPdf, find: Callable[[Id], Awaitable[Paper | None]]) -> Paper:
    """The paper that a PDF is. Raises UsageError, the rest of a sentence about the PDF, where that
    is not sure."""
    pairs = ids_of(pdf)[:IDS_ASKED]
    if not pairs:
        raise UsageError("names no DOI or arXiv id on its first page or in its metadata")
    named = ", ".join(f"{scheme} {value}" for scheme, value in pairs)
    found = [
        paper.model_copy(update={"ids": {pair[0]: pair[1], **known_ids(paper)}})
        for pair in pairs
        if (paper := await find(pair))
    ]
    if not found:
        raise UsageError(f"names {named}, which nobody who was asked knows")
    shown = merge_papers(paper for paper in found if page_shows(pdf, paper.title))
    if len(shown) != 1:
        why = "several papers" if shown else "but its first page does not show that paper's title"
        raise UsageError(f"names {named}, {why}")
    return shown[0]


def shows_paper(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether the first page looks like this paper's: it shows its title or one of its ids."""
    return page_shows(pdf, paper.title) or not set(known_ids(paper).items()).isdisjoint(ids_of(pdf))


def page_shows(pdf: ExtractedPdf, title: str) -> bool:
    """Whether the letters of a title stand anywhere on the first page."""
    wanted = compact_title(title)
    return bool(wanted) and wanted in compact_title(pdf.page[:PAGE_CHARS])


def _ids_in(text: str) -> list[Id]:
    found = [m[0] for m in _DOI.finditer(text)] + [m[1] for m in _STAMP.finditer(text)]
    return [pair for pair in map(normalise_id, map(clean_line, found)) if pair is not None]
