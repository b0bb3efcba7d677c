"""The researcher's own papers, in one file, and the texts of their PDFs, a file each.

A text goes nowhere but into the prompt that reads that paper.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from coi_tui.computing import run_in_thread
from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.ids import known_ids
from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.ranking import LocalPapers
from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.papers import Paper
from coi_tui.model.text import count, digest
from coi_tui.outside_files import MOST_LIST, read_file
from coi_tui.paths import Paths
from coi_tui.private_files import make_folder, write_whole
from coi_tui.services.sources.imported_library import ImportedLibrary, LocalRecord
from coi_tui.services.sources.types import Source
from coi_tui.store.files import FileLock

WAIT_S = 10.0
_PAPERS = TypeAdapter(list[Paper])
MOST_HEADER = 10_000
"""Characters of the line that says whose text a file holds."""


@dataclass(frozen=True)
class ImportResult:
    """What an import did: papers that are new, those known before (filled where they lacked
    something), and entries left out with why."""

    new: tuple[Paper, ...]
    known: int
    left_out: tuple[str, ...]


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


def _change(paths: Paths, change: Callable[[list[Paper]], list[Paper]]) -> None:
    """Replace the own papers by what ``change`` makes of them. Raises StoreError; then nothing has
    changed."""
    file = paths.own_papers
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        make_folder(file.parent)
        if not lock.acquire(WAIT_S):
            raise StoreError(f"{file} is in use by another program.", "Try again later.")
        write_whole(file, _PAPERS.dump_json(change(own_papers(paths))))
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"Your papers could not be stored: {why}.", hint) from None
    finally:
        lock.release()


def add_papers(paths: Paths, papers: Sequence[Paper]) -> list[Paper]:
    """Add papers, and return those that are new; what is known already is filled in where it lacked
    something. Raises StoreError; then nothing has changed."""
    new: list[Paper] = []

    def change(known: list[Paper]) -> list[Paper]:
        merged = merge_papers([*known, *papers], compared=len(known))
        before = {paper.id for paper in known}
        new[:] = [paper for paper in merged if paper.id not in before]
        return merged

    _change(paths, change)
    return new


def import_papers(paths: Paths, file: Path) -> ImportResult:
    """Take the papers of a BibTeX file in. Raises UsageError for a file that is
    none, StoreError for a full disk."""
    try:
        data = read_file(file, MOST_LIST)
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}).", "Check the name.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    found = read_bibliography(text, file.name)
    new = add_papers(paths, found.papers)
    return ImportResult(tuple(new), len(found.papers) - len(new), tuple(found.left_out))


def forget_paper(paths: Paths, name: str) -> Paper:
    """Take one paper out for good, named by its id, and the text of its PDF. Raises UsageError when
    it is not there."""
    papers = own_papers(paths)
    gone = next((paper for paper in papers if paper.id == name), None)
    if gone is None:
        raise UsageError(
            f"{name} is not among your {count(len(papers), 'paper')}.",
            "`coi papers list` shows their ids.",
        )
    _change(paths, lambda known: [paper for paper in known if paper.id != name])
    drop_text(paths, gone)
    return gone


def own_source(
    paths: Paths, today: Callable[[], str]
) -> Callable[[LocalRecord | None], Source | None]:
    """Gives the researcher's own papers, as they are now, as a source; None where there are none.
    Its argument stores their answers."""
    papers = own_papers(paths)
    library = LocalPapers(papers)
    state = hashlib.sha256("".join(p.model_dump_json() for p in papers).encode()).hexdigest()[:32]

    def source(record: LocalRecord | None) -> Source | None:
        if not papers:
            return None
        return ImportedLibrary(library, today=today, record=record, state=state)

    return source


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
    def origin(self) -> str:
        """Where the text comes from, in words."""
        return f"your PDF {self.file}{f'; {self.note}' if self.note else ''}"


def store_text(paths: Paths, paper: Paper, own: OwnPdf) -> None:
    """Store the text of a paper's PDF in place of an earlier one, readable by this user alone.
    Raises StoreError."""
    header = {"paper": paper.id, "file": own.file, "pdf": own.pdf, "note": own.note}
    try:
        make_folder(paths.imported_texts)
        write_whole(
            _text_file(paths, paper.id), f"{json.dumps(header, ensure_ascii=False)}\n{own.text}"
        )
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"The text of {own.file} could not be stored: {why}.", hint) from None


def drop_text(paths: Paths, paper: Paper) -> None:
    """Delete the text of a paper's PDF for good. Raises StoreError where it cannot be deleted."""
    try:
        for name in _names(paper):
            _text_file(paths, name).unlink(missing_ok=True)
    except OSError as error:
        why, hint = why_not_written(error)
        message = f"The text of {paper.title[:60]} could not be deleted: {why}."
        raise StoreError(message, hint) from None


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
    headers = map(_header, sorted(paths.imported_texts.glob("*.txt")))
    return {header["paper"]: (header["file"], header["pdf"]) for header in headers if header}


def _header(file: Path) -> dict[str, str]:
    """What the first line of a text says of it; empty where it cannot be read."""
    try:
        with file.open(encoding="utf-8") as opened:
            found = json.loads(opened.readline(MOST_HEADER))
    except (OSError, ValueError, RecursionError):
        return {}
    known = isinstance(found, dict) and {"paper", "file", "pdf"} <= found.keys()
    return {name: str(value) for name, value in found.items()} if known else {}


class ImportedPdfTexts:
    """The same for running steps, off the event loop."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    async def imported_text(self, paper: Paper) -> Mapping[str, Any] | None:
        """As JSON: file, pdf, text and note; None where there is none."""
        own = await run_in_thread(own_text, self._paths, paper)
        return asdict(own) if own is not None else None


def _names(paper: Paper) -> list[str]:
    ids = (f"{scheme}:{value}" for scheme, value in known_ids(paper).items())
    return list(dict.fromkeys([paper.id, *ids]))


def _text_file(paths: Paths, name: str) -> Path:
    return paths.imported_texts / f"{digest(name)}.txt"
