"""The researcher's own papers, in one file, and their PDFs: found, read in the worker process, and
added to the paper whose DOI or arXiv id each names. The texts are a file each.

A text goes nowhere but into the prompt that reads that paper.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter, ValidationError

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.encodings import decode_list
from coi_tui.literature.ids import Id, known_ids
from coi_tui.literature.paper_records import merged_records
from coi_tui.model.errors import ServiceError, StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import Values, clean_line, count, digest, joined
from coi_tui.paths import MOST_LIST, Paths, make_folder, read_file, write_whole, writing
from coi_tui.process import run_in_thread, within
from coi_tui.services.pdf.full_text import ExtractedPdf, extract_pdf, paper_of, shows_paper
from coi_tui.store.connection import FileLock

WAIT_S = 10.0
MOST_HEADER = 10_000
"""Characters of the line that says whose text a file holds."""
MOST_MB = 100
"""A larger PDF is not read."""
READ_S = 20.0
"""Seconds in which a file must have come."""
_PAPERS = TypeAdapter(list[Paper])
_LISTS = TypeAdapter(dict[str, list[str]])
_QUOTES = "'\"‘’“”"

FindId = Callable[[Id], Awaitable[Paper | None]]
"""Finds the paper of an identifier; None where nobody who was asked knows it."""


@dataclass(frozen=True)
class ImportResult:
    """What an import did: papers that are new, those known before (filled where they lacked
    something), entries and fields left out with why, the PDFs that it names with their papers, and
    how the file was read where it is not UTF-8."""

    new: tuple[Paper, ...]
    known: int
    left_out: tuple[str, ...]
    encoding: str = ""
    pdfs: Sequence[tuple[Path, Paper]] = ()


def own_papers(paths: Paths) -> list[Paper]:
    """The papers in the order they came. Raises StoreError where their file cannot be read."""
    try:
        return _PAPERS.validate_json(paths.own_papers.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValidationError) as error:
        cause = "it is damaged" if isinstance(error, ValidationError) else error.strerror
        raise StoreError(
            f"Your papers cannot be read from {paths.own_papers}: {cause}.",
            "Restore a copy of the file, or move it aside and import them again.",
        ) from None


@contextmanager
def changing(paths: Paths) -> Iterator[list[Paper]]:
    """The own papers, in a list that is stored as it is after the block. Raises StoreError; then
    nothing has changed."""
    file = paths.own_papers
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    with writing("Your papers could not be stored"):
        make_folder(file.parent)
        try:
            if not lock.acquire(WAIT_S):
                raise StoreError(f"{file} is in use by another program.", "Try again later.")
            yield (papers := own_papers(paths))
            write_whole(file, _PAPERS.dump_json(papers))
        finally:
            lock.release()


def add_papers(paths: Paths, papers: Sequence[Paper]) -> list[Paper]:
    """Add papers, and return their records among the own ones; what is known already is filled in
    where it lacked something. Raises StoreError; then nothing has changed."""
    with changing(paths) as known:
        ids = merge_into(known, papers)
    by_id = {paper.id: paper for paper in known}
    return [by_id[name] for name in ids]


def merge_into(known: list[Paper], papers: Sequence[Paper]) -> list[str]:
    """Add papers to a list of different ones; the id of each in it."""
    before, ids = len(known), dict[int, str]()
    merged = merged_records([*known, *papers], compared=before)
    known[:] = [paper for paper, _ in merged]
    for paper, numbers in merged:
        ids |= dict.fromkeys(numbers, paper.id)
    return [ids[before + number] for number in range(len(papers))]


def import_papers(paths: Paths, file: Path) -> ImportResult:
    """Add the papers of a list. Raises UsageError for a file that is none, StoreError for
    a full disk."""
    try:
        data = read_file(file, MOST_LIST)
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}).", "Check the name.") from None
    text, encoding = decode_list(data)
    found = read_bibliography(text, file.name)
    if not (found.papers or found.left_out):
        raise UsageError(f"{file.name} has no entry.", "Export the list again.")
    with changing(paths) as own:
        before = {paper.id for paper in own}
        ids = merge_into(own, found.papers)
        lists, name = lists_taken(paths), clean_line(file.name)
        lists[name] = [*dict.fromkeys([*lists.get(name, ()), *ids])]
        write_whole(paths.own_lists, json.dumps(lists, ensure_ascii=False))
    new = tuple(paper for paper in own if paper.id not in before)
    by_id, named = {paper.id: paper for paper in own}, zip(ids, found.papers, strict=True)
    pdfs = [(file.parent / name, by_id[i]) for i, paper in named for name in found.files[paper.id]]
    return ImportResult(new, len(ids) - len(new), tuple(found.left_out), encoding, pdfs)


def lists_taken(paths: Paths) -> dict[str, list[str]]:
    """The ids of the papers of each list that was imported, by the name of its file; empty where
    that cannot be read: it is only told where a paper comes from."""
    try:
        return _LISTS.validate_json(paths.own_lists.read_bytes())
    except (OSError, ValidationError):
        return {}


def forget_paper(paths: Paths, name: str) -> Paper:
    """Remove one paper permanently, by its id, with the text of its PDF. Raises UsageError when it
    is not there, StoreError where the text cannot be deleted."""
    papers = {paper.id: paper for paper in own_papers(paths)}
    if name not in papers:
        raise UsageError(
            f"{name} is not among your {count(len(papers), 'paper')}.",
            "`coi papers list` shows their ids.",
        )
    with changing(paths) as known:
        known[:] = [paper for paper in known if paper.id != name]
    with writing(f"The text of {papers[name].title[:60]} could not be deleted"):
        for one in _names(papers[name]):
            _text_file(paths, one).unlink(missing_ok=True)
    return papers[name]


def own_keys(paths: Paths, papers: Iterable[Paper]) -> dict[str, str]:
    """The citation keys of papers that are among the own ones, by their ids."""
    own = {i: p.citation_key for p in own_papers(paths) for i in known_ids(p).items()}
    return {p.id: key for p in papers for i in known_ids(p).items() if (key := own.get(i, ""))}


# the texts of PDFs


@dataclass(frozen=True)
class OwnPdf:
    """A PDF that was read: its text, the hash of its bytes, the name of its file without the
    folder, and a note on the text."""

    file: str
    pdf: str
    text: str
    note: str = ""

    @property
    def named(self) -> str:
        """The file, and what was not read of it."""
        return f"{self.file}{f'; {self.note}' if self.note else ''}"

    @property
    def origin(self) -> str:
        """Where the text comes from, in words."""
        return f"your PDF {self.named}"


def store_text(paths: Paths, paper: Paper, own: OwnPdf, place: Path | None = None) -> None:
    """Store the text of a paper's PDF in place of an earlier one, readable by this user alone, with
    the ``place`` of the PDF for whoever wants to open it. Raises StoreError."""
    header = {"paper": paper.id, "file": own.file, "pdf": own.pdf, "note": own.note}
    header |= {"place": str(place.absolute())} if place else {}
    text = f"{json.dumps(header, ensure_ascii=False)}\n{own.text}"
    with writing(f"The text of {own.file} could not be stored"):
        make_folder(paths.imported_texts)
        write_whole(_text_file(paths, paper.id), text)


def own_text(paths: Paths, paper: Paper) -> OwnPdf | None:
    """The text of the researcher's own PDF of a paper, known by any of its ids; None where there is
    none, or it cannot be read."""
    for name in _names(paper):
        file = _text_file(paths, name)
        if header := _header(file):
            text = file.read_text(encoding="utf-8", errors="replace").partition("\n")[2]
            return OwnPdf(header["file"], header["pdf"], text, header.get("note", ""))
    return None


def stored_texts(paths: Paths) -> dict[str, tuple[str, str]]:
    """The name of the PDF and the hash of its bytes for each paper (by id) whose text is stored.
    Reads the first line of each file."""
    return {paper: (header["file"], header["pdf"]) for paper, header in texts(paths).items()}


def texts(paths: Paths) -> dict[str, dict[str, str]]:
    """What the first line of each text says, by the id of its paper: ``file``, ``pdf``, ``note``,
    and ``place`` where it is known."""
    headers = map(_header, sorted(paths.imported_texts.glob("*.txt")))
    return {header["paper"]: header for header in headers if header}


def _header(file: Path) -> dict[str, str]:
    """What the first line of a text says of it; empty where it cannot be read."""
    try:
        with file.open(encoding="utf-8") as opened:
            found = json.loads(opened.readline(MOST_HEADER))
    except (OSError, ValueError, RecursionError):
        return {}
    known = isinstance(found, dict) and {"paper", "file", "pdf"} <= found.keys()
    return {name: str(value) for name, value in found.items()} if known else {}


@dataclass(frozen=True)
class ImportedPdfTexts:
    """The same for running tasks, off the event loop."""

    paths: Paths

    async def imported_text(self, paper: Paper) -> Values | None:
        """As JSON: file, pdf, text and note; None where there is none."""
        own = await run_in_thread(own_text, self.paths, paper)
        return asdict(own) if own else None


def _names(paper: Paper) -> list[str]:
    ids = (f"{scheme}:{value}" for scheme, value in known_ids(paper).items())
    return list(dict.fromkeys([paper.id, *ids]))


def _text_file(paths: Paths, name: str) -> Path:
    return paths.imported_texts / f"{digest(name)}.txt"


# reading PDFs


@dataclass(frozen=True)
class PdfRead:
    """A PDF with its text, and what tells which paper it is."""

    own: OwnPdf
    looked: ExtractedPdf


def pdfs_in(folder: Path) -> Iterator[Path]:
    """The PDFs of a folder and those below it, in order; hidden ones and linked folders are left
    out."""
    for place, below, files in os.walk(folder):
        below[:] = sorted(b for b in below if not b.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(".pdf") and not name.startswith("."):
                yield Path(place) / name


def typed_path(typed: str) -> Path:
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


async def read_pdf(path: Path) -> PdfRead:
    """The text of a PDF, read in a process of its own. Raises UsageError, in one sentence, for a
    file that cannot be read or has no text."""
    name = clean_line(path.name)
    try:
        data = await within(READ_S, read_file, path, MOST_MB * 1_000_000)
    except TimeoutError:
        why = f"{name} could not be read within {READ_S:g} s."
        raise UsageError(why, "Where it is in a cloud, have it brought to this machine.") from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UsageError(f"{name} cannot be read ({why}).", "Give the path of one PDF.") from None
    looked = await extract_pdf(data)
    if looked.text.kind != "full text":
        raise UsageError(f"{name} was not read: {looked.text.note}.")
    pdf = hashlib.sha256(data).hexdigest()[:32]
    return PdfRead(OwnPdf(name, pdf, looked.text.text, looked.text.note), looked)


# adding PDFs to the own papers


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
        return f"added      {self.name}: {self.paper.title} ({self.paper.id}) {self.why}".strip()


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
            read = await read_pdf(path)
            if before := stored.get(read.own.pdf):
                raise UsageError(f"was added before, to {before}")
            paper = await paper_of(read.looked, asked)
            if other := own_text(paths, paper):
                raise UsageError(f"is another PDF of a paper that has one ({other.file})")
        except UsageError as error:
            why = error.message.removeprefix(str(path)).removeprefix(name).strip()
            yield AddedPdf(name, why=why)
            continue
        stored[read.own.pdf] = paper.id
        yield AddedPdf(name, await run_in_thread(_stored, paths, paper, read, path))


async def add_named_pdf(
    paths: Paths, paper: Paper, file: Path, marks: Sequence[str] = ()
) -> AddedPdf:
    """Add the PDF that a list names for a paper, with what the researcher marked in it; the text of
    another PDF stays. Raises StoreError."""
    name = clean_line(file.name)
    try:
        if (other := own_text(paths, paper)) and other.file != name:
            raise UsageError(f"is another PDF of a paper that has one ({other.file})")
        read = await read_pdf(file)
    except UsageError as error:
        return AddedPdf(name, why=error.message.removeprefix(name).strip())
    store_text(paths, paper, _marked(read.own, marks), file)
    doubt = "" if shows_paper(read.looked, paper) else "its first page does not show this title"
    return AddedPdf(name, paper, doubt)


def _marked(own: OwnPdf, marks: Sequence[str]) -> OwnPdf:
    """A PDF's text with what the researcher marked in it before it."""
    if not marks:
        return own
    note = joined("; ", own.note, f"you marked {count(len(marks), 'passage')}")
    head = "\n".join(["Marked by the reader of this paper:", *(f"- {mark}" for mark in marks)])
    return OwnPdf(own.file, digest([own.pdf, *marks]), f"{head}\n\n{own.text}", note)


def _stored(paths: Paths, paper: Paper, read: PdfRead, place: Path) -> Paper:
    """The paper among the own ones, with the text of its PDF."""
    (own,) = add_papers(paths, [paper])
    store_text(paths, own, read.own, place)
    return own
