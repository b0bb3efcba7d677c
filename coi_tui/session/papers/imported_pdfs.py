"""The researcher's own PDFs: found in folders, named by a person, read in the worker process, and
added to their papers by the DOI or arXiv id that each names."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths
from coi_tui.process import run_in_thread
from coi_tui.services.pdf.full_text import ExtractedPdf, extract_pdf, paper_of, shows_paper
from coi_tui.session.papers.imported import (
    OwnPdf,
    add_papers,
    drop_text,
    own_papers,
    own_text,
    store_text,
    stored_texts,
)
from coi_tui.session.papers.lookup import FindId


def pdfs_in(folder: Path, unread: Callable[[OSError], None] | None = None) -> Iterator[Path]:
    """The PDFs of a folder and those below it, in order; hidden ones and linked folders are left
    out. ``unread`` hears of folders that cannot be opened.
    """
    for place, below, files in os.walk(folder, onerror=unread):
        below[:] = sorted(b for b in below if not b.startswith("."))
        yield from (
            Path(place) / f
            for f in sorted(files)
            if f.lower().endswith(".pdf") and not f.startswith(".")
        )


MOST_MB = 100
"""A larger file is not read."""
_QUOTES = "'\"‘’“”"


@dataclass(frozen=True)
class PdfRead:
    """A PDF with its text, and what tells which paper it is."""

    own: OwnPdf
    looked: ExtractedPdf


def typed_place(typed: str) -> Path:
    """The file or folder that a person typed or pasted: with ``~``, quotes or escaped blanks of a
    terminal, or as a file: address. Raises UsageError for nothing, and for what is not there."""
    text = clean_line(typed)
    if not text:
        raise UsageError("No path was given.", "Type or paste the path of a PDF.")
    if text.lower().startswith("file://"):
        text = unquote(urlsplit(text).path)
    for form in (text, text.strip(_QUOTES), re.sub(r"\\(.)", r"\1", text)):
        with suppress(OSError, RuntimeError, ValueError):
            path = Path(form).expanduser()
            if path.exists():
                return path
    raise UsageError(f"There is no file {text}.", "Check the name; ~ and quotes are understood.")


def typed_pdfs(typed: str) -> list[Path]:
    """The PDF, or all of the folder, that a person typed. Raises UsageError as ``typed_place``
    does, and where there is none."""
    place = typed_place(typed)
    if not place.is_dir():
        return [_as_pdf(place)]
    if found := list(pdfs_in(place)):
        return found
    raise UsageError(f"{place} holds no PDFs.", "Give another folder.")


def _as_pdf(path: Path) -> Path:
    """The path, unless it is that of a folder or of what is not named .pdf. Raises UsageError."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", "Give the path of one PDF.")
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"{path.name} is not named .pdf.", "Only PDFs can be read.")
    return path


def bytes_of(path: Path) -> bytes:
    """The file's bytes. Raises UsageError, in one sentence, where it cannot be read, is empty or
    too large."""
    name = clean_line(path.name)
    try:
        if (
            path.exists() and not path.is_file()
        ):  # a pipe of that name would be waited for without end
            raise UsageError(f"{name} is not a file, so it was not read.")
        if path.stat().st_size > MOST_MB * 1_000_000:
            raise UsageError(f"{name} is larger than {MOST_MB} MB, so it was not read.")
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{name} cannot be read ({error.strerror or type(error).__name__})."
        ) from None
    if not data:
        raise UsageError(f"{name} is empty: it has no bytes.")
    return data


def hash_of(data: bytes) -> str:
    """What tells one PDF from another."""
    return hashlib.sha256(data).hexdigest()[:32]


async def read_typed(typed: str) -> PdfRead:
    """The PDF that a typed or pasted path means. Raises UsageError as ``typed_place``, ``bytes_of``
    and ``read_pdf`` do."""
    path = await asyncio.to_thread(lambda: _as_pdf(typed_place(typed)))
    return await read_pdf(path.name, await asyncio.to_thread(bytes_of, path))


async def read_pdf(name: str, data: bytes) -> PdfRead:
    """Its text, read in a process of its own. Raises UsageError, in one sentence, for a file
    without text that can be read."""
    looked = await extract_pdf(data, max_mb=MOST_MB)
    if looked.text.kind != "full text":
        raise UsageError(f"{clean_line(name)} was not read: {looked.text.note}.")
    own = OwnPdf(clean_line(name), hash_of(data), looked.text.text, looked.text.note)
    return PdfRead(own, looked)


@dataclass(frozen=True)
class AddedPdf:
    """What became of a PDF: the paper that it was added to, or None with ``why`` not."""

    name: str
    paper: Paper | None = None
    why: str = ""

    @property
    def line(self) -> str:
        """In one line."""
        if self.paper is None:
            return f"left out   {self.name} {self.why}"
        return f"added      {self.name}: {self.paper.title} ({self.paper.id})"


async def add_pdfs(paths: Paths, files: Sequence[Path], find: FindId) -> AsyncIterator[AddedPdf]:
    """Add PDFs one by one to the papers whose DOI or arXiv id they name; the others are left out.
    A service that fails is not asked again. Raises StoreError where the disk refuses."""
    stored = {pdf: paper for paper, (_, pdf) in stored_texts(paths).items()}
    trouble = ""

    async def asked(pair: Id) -> Paper | None:
        nonlocal trouble
        try:
            if not trouble:
                return await find(pair)
        except ServiceError as error:
            trouble = error.message
        raise UsageError(f"was not looked up: {trouble}")

    for path in files:
        name = clean_line(path.name)
        try:
            data = await run_in_thread(bytes_of, path)
            if before := stored.get(hash_of(data)):
                raise UsageError(f"was added before, to {before}")
            read = await read_pdf(path.name, data)
            paper = await paper_of(read.looked, asked)
            if other := own_text(paths, paper):
                raise UsageError(f"is another PDF of a paper that has one ({other.file})")
        except UsageError as error:
            yield AddedPdf(name, why=error.message.removeprefix(name).strip())
            continue
        stored[read.own.pdf] = paper.id
        yield AddedPdf(name, await run_in_thread(_stored, paths, paper, read))


async def attach_to_own(
    paths: Paths, typed: str, named: str, find: FindId, *, anyway: bool = False
) -> Paper:
    """Add the PDF that a path means to the paper that a person names by its id. Raises UsageError
    where nobody knows the id, or, but for ``anyway``, where page one does not show that paper."""
    own = await run_in_thread(own_papers, paths)
    pair = normalise_id(named)
    paper = next((p for p in own if p.id == named), None) or (await find(pair) if pair else None)
    if paper is None:
        raise UsageError(
            f"No paper was found for {named}.",
            "Give a DOI, an arXiv id, or an id of `coi papers list`.",
        )
    read = await read_typed(typed)
    if not anyway and not shows_paper(read.looked, paper):
        raise UsageError(
            f"The first page of {read.own.file} does not show the title “{paper.title[:80]}”.",
            "Use --anyway to attach it.",
        )
    stored = stored_texts(paths)
    for other in own:
        if other.id != paper.id and stored.get(other.id, ("", ""))[1] == read.own.pdf:
            drop_text(paths, other)
    return await run_in_thread(_stored, paths, paper, read)


def _stored(paths: Paths, paper: Paper, read: PdfRead) -> Paper:
    """The paper among the own ones, with the text of its PDF."""
    add_papers(paths, [paper])
    ids = known_ids(paper).items()
    own = next(p for p in own_papers(paths) if p.id == paper.id or ids & known_ids(p).items())
    store_text(paths, own, read.own)
    return own
