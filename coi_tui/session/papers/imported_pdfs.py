"""The researcher's own PDFs: one file read in the worker process, and a whole folder taken in, each told which paper it is."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from coi_tui.literature.full_text import ExtractedPdf, extract_pdf
from coi_tui.literature.pdf_identification import Candidate, identify_pdf, paper_named
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths
from coi_tui.session.papers.imported import OwnPdf, drop_text, keep_text, own_papers, own_text, texts_held
from coi_tui.session.papers.imported_file import add_papers

State = Literal["new", "known", "before", "ask", "unread"]


@dataclass(frozen=True)
class Taken:
    """What became of one file. ``new``: a paper that was not there; ``known``: one that was, now with its text; ``before``: this very PDF
    was taken in earlier; ``ask``: it is not sure which paper it is; ``unread``: ``why`` in one sentence.
    """

    path: Path
    state: State
    paper: Paper | None = None
    how: str = ""
    why: str = ""
    title: str = ""
    near: tuple[Candidate, ...] = ()


def pdfs_in(folder: Path) -> Iterator[Path]:
    """The PDFs of a folder and those below it, in order; hidden ones and linked folders are left out."""
    for place, below, files in os.walk(folder):
        below[:] = sorted(b for b in below if not b.startswith("."))
        yield from (Path(place) / f for f in sorted(files) if f.lower().endswith(".pdf") and not f.startswith("."))


async def take_in(paths: Paths, files: Sequence[Path], said: str = "", told: Callable[[Taken], None] = lambda _: None) -> list[Taken]:
    """Take PDFs in, one after the other; ``said`` names the paper of the only one. What is taken in is kept as it comes.

    Raises UsageError for an answer to several files, StoreError where nothing can be kept.
    """
    if said and len(files) != 1:
        raise UsageError(f"--as says which paper one PDF is, and these are {len(files)}.", "Give one file.")
    done: list[Taken] = []
    own, others, held = _by_id(paths), _others(paths), {pdf: paper for paper, (_, pdf) in texts_held(paths).items()}
    for path in files:
        try:
            taken = await _take_in_one(paths, path, said, own, others, held)
        except UsageError as error:
            taken = Taken(path, "unread", why=error.message)
        done.append(taken)
        told(taken)
    return done


async def _take_in_one(
    paths: Paths, path: Path, said: str, own: dict[str, Paper], others: Sequence[Paper], held: dict[str, str]
) -> Taken:  # fmt: skip
    """One PDF: known from before by its bytes, or read. ``own``: the imported papers, ``held``: papers by the hash of their PDF; both are
    brought up to date, so that a folder of many PDFs need not read all papers again for each.

    Raises UsageError for a file that cannot be read.
    """
    data = bytes_of(path)
    pdf = hash_of(data)
    before = None if said else own.get(held.get(pdf, ""))
    if before is not None:
        return Taken(path, "before", before)
    taken = _take(paths, path, await read_pdf(path.name, data), said, own, others)
    if taken.paper is not None:
        replaced = [earlier for earlier, paper in held.items() if paper == taken.paper.id]
        for earlier in replaced:
            del held[earlier]
        held[pdf] = taken.paper.id
    return taken


def _by_id(paths: Paths) -> dict[str, Paper]:
    return {paper.id: paper for paper in own_papers(paths)}


def _take(paths: Paths, path: Path, read: PdfRead, said: str, own: dict[str, Paper], others: Sequence[Paper]) -> Taken:
    before = list(own.values())
    known = [*before, *others]
    if said:
        paper, how = paper_named(said, read.looked, known), "as you said"
    else:
        found = identify_pdf(read.looked, known)
        if found.paper is None:
            return Taken(path, "ask", why=found.why, title=found.title, near=found.candidates)
        paper, how = found.paper, found.how
    added = add_papers(paths.imported_papers, [paper])
    kept = added.became[paper.id]
    for gone in added.gone:
        own.pop(gone, None)
    own[kept.id] = kept
    if said:
        _drop_texts_of(paths, read.own.pdf, [other for other in before if other.id != kept.id])
    keep_text(paths, kept, read.own)
    return Taken(path, "new" if added.new else "known", kept, how)


def _drop_texts_of(paths: Paths, pdf: str, papers: Sequence[Paper]) -> None:
    """A person's answer puts right what this very file was taken for before."""
    for paper in papers:
        held = own_text(paths, paper)
        if held is not None and held.pdf == pdf:
            drop_text(paths, paper)


def _others(paths: Paths) -> list[Paper]:
    """Papers that a PDF may be, besides the own ones: those of the shared and the starter library. Nobody is asked."""
    from coi_tui.literature.starter.loader import bundled_library
    from coi_tui.session.papers.library import library_papers

    try:
        return [*library_papers(paths), *bundled_library().papers.values()]
    except CoiError:  # a library that cannot be read knows no papers; the own ones are asked all the same
        return list(bundled_library().papers.values())


def summary(done: Sequence[Taken]) -> str:
    """How it went, in a line."""
    count = {state: sum(t.state == state for t in done) for state in ("new", "known", "before", "ask", "unread")}
    words = {
        "new": "imported as new papers", "known": "added to papers you had", "before": "already imported",
        "ask": "to identify (which paper is this?)", "unread": "could not be read",
    }  # fmt: skip
    files = f"{len(done)} PDF{'' if len(done) == 1 else 's'}"
    return f"{files}: {', '.join(f'{n} {words[s]}' for s, n in count.items() if n) or 'nothing to do'}."


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
        raise UsageError("No path was given.", "Type or paste the path of a PDF.")
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
        raise UsageError("That path cannot be read.", "Check it.") from None
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
            raise UsageError(f"{path.name} is not a file, so it was not read.")
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
    if "could not be opened" in note or "crashed" in note:
        return "is damaged or cut off: it cannot be opened"
    if "not a PDF" in note:
        return "is not a PDF, whatever its name says"
    if "holds no text" in note or "were read" in note:
        return "holds no text: it seems to be a scan; run text recognition (OCR) on it first"
    return f"could not be read: {note}"
