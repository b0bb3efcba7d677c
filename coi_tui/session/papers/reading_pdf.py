"""One PDF file of the researcher's own, read in the worker process: its text, or one sentence why there is none."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from coi_tui.literature.full_text import ExtractedPdf, extract_pdf
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean_line
from coi_tui.session.papers.own_texts import OwnPdf

MOST_MB = 100
"""A larger file is not read."""
_QUOTES = {"'": "'", '"': '"', "‘": "’", "“": "”"}


@dataclass(frozen=True)
class PdfRead:
    """A PDF with its text, and what tells which paper it is."""

    own: OwnPdf
    looked: ExtractedPdf


def meant_path(said: str) -> Path:
    """The file that a person typed or pasted: with ``~``, quotes or escaped blanks of a terminal, or as a file: address.

    Raises UsageError for nothing, a missing file, a folder, or what is not named .pdf.
    """
    text = clean_line(said)
    if not text:
        raise UsageError("There is no path yet.", "Type or paste the path of a PDF.")
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1]:
        text = text[1:-1]
    elif text.lower().startswith("file://"):
        text = unquote(urlsplit(text).path)
    elif not _there(text):
        text = re.sub(r"\\(.)", r"\1", text)
    try:
        path = Path(text).expanduser()
        if path.is_dir():
            raise UsageError(f"{path} is a folder.", "Give the path of one PDF.")
        if not path.exists():
            raise UsageError(f"There is no file {path}.", "Check the name; ~ and quotes are understood.")
    except (OSError, RuntimeError, ValueError):
        raise UsageError("That path cannot be looked at.", "Check it.") from None
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"{path.name} is not named .pdf.", "Only PDFs can be read.")
    return path


def _there(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def bytes_of(path: Path) -> bytes:
    """The file's bytes. Raises UsageError, in one sentence, where it cannot be read or is too large."""
    try:
        if path.exists() and not path.is_file():  # a pipe of that name would be waited for without end
            raise UsageError(f"{path.name} is no file, so it was not read.")
        if path.stat().st_size > MOST_MB * 1_000_000:
            raise UsageError(f"{path.name} is larger than {MOST_MB} MB, so it was not read.")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path.name} cannot be read ({error.strerror or type(error).__name__}).") from None


def hash_of(data: bytes) -> str:
    """What tells one PDF from another."""
    return hashlib.sha256(data).hexdigest()[:32]


async def read_named(said: str) -> PdfRead:
    """The PDF that a typed or pasted path means. Raises UsageError as ``meant_path``, ``bytes_of`` and ``read_pdf`` do."""
    path = await asyncio.to_thread(meant_path, said)
    return await read_pdf(path.name, await asyncio.to_thread(bytes_of, path))


async def read_pdf(name: str, data: bytes) -> PdfRead:
    """Its text, read in a process of its own. Raises UsageError, in one sentence, for a file without text that can be read."""
    looked = await extract_pdf(data, max_mb=MOST_MB)
    if looked.text.kind != "full text":
        raise UsageError(f"{name} {_why_not(looked.text.note)}.")
    return PdfRead(OwnPdf(clean_line(name), hash_of(data), looked.text.text, looked.text.note), looked)


def _why_not(note: str) -> str:
    """Why there is no text, as the rest of a sentence about the file."""
    if "assword" in note or "security" in note.lower():
        return "is encrypted: it opens only with a password"
    if "could not be opened" in note or "broke down" in note:
        return "is damaged or cut off: it cannot be opened"
    if "not a PDF" in note:
        return "is no PDF, whatever its name says"
    if "holds no text" in note or "were read" in note:
        return "holds no text: it seems to be a scan; recognise its text (OCR) first"
    return f"could not be read: {note}"
