"""What can be read of a paper: the text of its PDF, else its abstract, with the reason where there is neither.

PDFs come from anywhere, so their text is extracted by ``_pdf_worker`` in a process of its own, with limits on time, size and memory.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coi_tui.literature.ids import known_ids
from coi_tui.literature.types import Fetch, PdfText
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import clean, clean_line

MAX_PAGES = 400
MAX_CHARS = 2_000_000
LEAST_CHARS = 200
"""Less text than this is a scan or a cover page, not a paper."""
_ODD = re.compile(
    "[\x1b\x80-\x9f]"
)  # fonts with wrong encodings give these; ``clean`` would take one for the start of an escape sequence
_WORKER = Path(__file__).with_name("_pdf_worker.py")

AskAbstract = Callable[[Paper], Awaitable[tuple[str | None, str]]]
"""Asks a service once more for an abstract: the abstract, or None with the reason."""


async def read_paper(fetch: Fetch, paper: Paper, ask_abstract: AskAbstract) -> PaperText:
    """The open PDF's text; else the abstract, asked for once more if need be; else none. The note says what was tried (COI-3)."""
    tried: list[str] = []
    for url in pdf_urls(paper):
        try:
            pdf = await fetch.pdf_text(url)
        except ServiceError as error:
            tried.append(error.message)
            continue
        if pdf.kind == "full text":
            return PaperText(
                paper=paper.id,
                kind="full text",
                text=pdf.text,
                note="; ".join(filter(None, [f"from {url}", pdf.note])),
            )
        tried.append(pdf.note)
    tried = tried or ["no open PDF is known"]
    abstract, why = (paper.abstract, "") if paper.abstract else await ask_abstract(paper)
    if abstract:
        kind = "summary" if paper.abstract_kind == "summary" and paper.abstract else "abstract"
        return PaperText(
            paper=paper.id, kind=kind, text=abstract, note=f"{kind} only: {'; '.join(tried)}"
        )
    return PaperText(paper=paper.id, kind="none", note="; ".join([*tried, why]))


def pdf_urls(paper: Paper) -> list[str]:
    """Where its PDF may be found: the open one, then arXiv's, each once."""
    arxiv = known_ids(paper).get("arXiv")
    urls = [f"https://arxiv.org/pdf/{arxiv}"] if arxiv else []
    if paper.open_pdf and not (arxiv and "arxiv.org/" in paper.open_pdf):
        urls.insert(0, paper.open_pdf)
    return urls


# PDFs


@dataclass(frozen=True)
class ExtractedPdf:
    """A PDF's text with what may tell which paper it is: its first pages, its metadata, and the largest text on page one."""

    text: PdfText
    pages: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    largest: tuple[str, ...] = ()


async def pdf_to_text(data: bytes, timeout_s: float = 20, max_mb: float = 40) -> PdfText:
    """The text of a PDF given as bytes. Whatever goes wrong, a crash of the worker included, is "no text" with the reason.

    Cancelling it ends the worker.
    """
    result = await _run_worker(data, timeout_s, max_mb)
    return result if isinstance(result, PdfText) else _text_of(*result)


async def extract_pdf(data: bytes, timeout_s: float = 60, max_mb: float = 100) -> ExtractedPdf:
    """The text of a researcher's own PDF, with what may tell which paper it is. A bad file raises nothing, as in ``pdf_to_text``."""
    result = await _run_worker(data, timeout_s, max_mb, "identify")
    if isinstance(result, PdfText):
        return ExtractedPdf(result)
    text = _text_of(*result)
    if text.kind == "none":
        return ExtractedPdf(text)
    try:
        answer = json.loads(result[1])
        metadata = {
            name: clean_line(_ODD.sub("", value)) for name, value in answer["metadata"].items()
        }
        largest = tuple(clean_line(_ODD.sub("", piece)) for piece in answer["largest"])
        pages = tuple(clean(_ODD.sub("", page)) for page in answer["pages"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return ExtractedPdf(text)
    return ExtractedPdf(text, pages, metadata, largest)


async def _run_worker(
    data: bytes, timeout_s: float, max_mb: float, *options: str
) -> tuple[int | None, bytes] | PdfText:
    """The worker's exit code and output, or why it was not started or did not end."""
    if not data.startswith(b"%PDF"):
        return PdfText(kind="none", note="what came is not a PDF")
    if len(data) > max_mb * 1_000_000:
        return PdfText(kind="none", note=f"the PDF is larger than {max_mb:g} MB")
    try:
        worker = await asyncio.create_subprocess_exec(
            *_command(),
            *options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # native messages would spoil the screen
        )
    except OSError as error:
        return PdfText(
            kind="none", note=f"the PDF reader could not be started ({type(error).__name__})"
        )
    try:
        output, _ = await asyncio.wait_for(worker.communicate(data), timeout_s)
    except TimeoutError:
        return PdfText(kind="none", note=f"reading the PDF took longer than {timeout_s:g} s")
    finally:
        await _end(worker)
    return worker.returncode, output


def _command() -> list[str]:
    return [sys.executable, "-P", str(_WORKER), str(MAX_PAGES), str(MAX_CHARS)]


async def _end(worker: asyncio.subprocess.Process) -> None:
    if worker.returncode is None:
        worker.kill()
        await worker.wait()


def _text_of(code: int | None, output: bytes) -> PdfText:
    if code != 0:
        return PdfText(kind="none", note="the PDF reader crashed on this file")
    try:
        answer = json.loads(output)
        text, note = clean(_ODD.sub("", answer["text"])).strip(), clean(answer["note"])
    except (ValueError, KeyError, TypeError):
        return PdfText(kind="none", note="the PDF reader's answer could not be read")
    if len(text) < LEAST_CHARS:
        return PdfText(kind="none", note=note or "the PDF holds no text (a scan?)")
    return PdfText(kind="full text", text=text, note=note)
