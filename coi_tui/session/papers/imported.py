"""The researcher's own papers and the texts of their PDFs: files beside the sessions, never part of the cache that may be thrown away.

A text goes nowhere but into the prompt that reads that paper.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.literature.ids import known_ids
from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.model.wording import count
from coi_tui.outside_files import MOST_LIST, read_file
from coi_tui.paths import Paths
from coi_tui.private_files import make_folder, write_whole
from coi_tui.session.papers.imported_file import (
    FileState,
    add_papers,
    read_papers,
    remove_paper,
    state_of,
)

if TYPE_CHECKING:
    from coi_tui.literature.imported_library import ImportedLibrary, LocalRecord
    from coi_tui.literature.types import Source


MOST_HEADER = 10_000
"""Characters of the line that says whose text a file holds."""


@dataclass(frozen=True)
class Brought:
    """What an import did: papers that are new, those known before (filled where they lacked something), and entries left out with why."""

    new: tuple[Paper, ...]
    known: int
    left_out: tuple[str, ...]


def own_papers(paths: Paths) -> list[Paper]:
    """The papers in the order they came; none where no file is. Raises StoreError for a file that cannot be read."""
    return read_papers(paths.imported_papers)


def bring_in(paths: Paths, file: Path) -> Brought:
    """Take the papers of a BibTeX, CSL-JSON or RIS file in. Raises UsageError for a file that is none, StoreError for a full disk."""
    from coi_tui.literature.bibliography_files import read_bibliography

    try:
        data = read_file(file, MOST_LIST)
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}).", "Check the name.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    found = read_bibliography(text, file.name)
    added = add_papers(paths.imported_papers, found.papers)
    return Brought(added.new, len(found.papers) - len(added.new), tuple(found.left_out))


def forget_paper(paths: Paths, name: str) -> Paper:
    """Take one paper out for good, named by its id, and the text of its PDF. Raises UsageError when it is not there."""
    gone = remove_paper(paths.imported_papers, name)
    if gone is None:
        raise UsageError(
            f"{name} is not among your {count(len(own_papers(paths)), 'paper')}.",
            "`coi library list` shows their ids.",
        )
    drop_text(paths, gone)
    return gone


def save_papers(paths: Paths, papers: Sequence[Paper]) -> None:
    """All at once or not at all. Raises StoreError."""
    file = paths.imported_papers
    try:
        make_folder(file.parent)
        write_whole(file, "".join(f"{p.model_dump_json(exclude_defaults=True)}\n" for p in papers))
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(
            f"{file} could not be written, so nothing was changed: {why}.", hint
        ) from None


class OwnPapers:
    """The researcher's own papers as the source that is asked first. Their file is read again only after it has changed.

    Raises StoreError where it cannot be read.
    """

    def __init__(self, paths: Paths, today: Callable[[], str]) -> None:
        self._file, self._today = paths.imported_papers, today
        self._read: tuple[FileState | None, ImportedLibrary | None, str] = (None, None, "")
        self._library()

    def before(
        self,
        source: Source,
        seen: Callable[[Source], Source] = lambda source: source,
        record: LocalRecord | None = None,
    ) -> Source:
        """The source behind these papers, as they are ``seen``; unchanged where there are none. ``record`` keeps what they answer."""
        held, state = self._library()
        if held is None:
            return source
        from coi_tui.literature.imported_library import RecordedImports
        from coi_tui.literature.source_fallback import CombinedSources

        return CombinedSources(
            [seen(held if record is None else RecordedImports(held, record, state)), source], source
        )

    def _library(self) -> tuple[ImportedLibrary | None, str]:
        """The papers of the file as it is, if there are any, and what tells this state of it from another."""
        state, (known, held, name) = state_of(self._file), self._read
        if state != known:
            papers, held, name = read_papers(self._file), None, ""
            if papers:
                from coi_tui.literature.imported_library import ImportedLibrary

                held = ImportedLibrary(papers, today=self._today)
                name = hashlib.sha256(self._file.read_bytes()).hexdigest()[:32]
            self._read = state, held, name
        return held, name


@dataclass(frozen=True)
class OwnPdf:
    """A PDF that was read: its text, the hash of its bytes, the name of its file without the folder, and what to say of the text."""

    file: str
    pdf: str
    text: str
    note: str = ""

    @property
    def said(self) -> str:
        """Where the text comes from, in words."""
        return f"your PDF {self.file}{f'; {self.note}' if self.note else ''}"


def keep_text(paths: Paths, paper: Paper, own: OwnPdf) -> None:
    """Keep the text of a paper's PDF in place of an earlier one, readable by this user alone. Raises StoreError."""
    header = {"paper": paper.id, "file": own.file, "pdf": own.pdf, "note": own.note}
    try:
        make_folder(paths.imported_texts)
        write_whole(
            _place(paths, paper.id), f"{json.dumps(header, ensure_ascii=False)}\n{own.text}"
        )
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"The text of {own.file} could not be kept: {why}.", hint) from None


def drop_text(paths: Paths, paper: Paper) -> bool:
    """Take the text of a paper's PDF away for good; whether there was one. Raises StoreError where it cannot be deleted."""
    gone = False
    for name in _names(paper):
        try:
            _place(paths, name).unlink()
            gone = True
        except FileNotFoundError:
            continue
        except OSError as error:
            why, hint = why_not_written(error)
            raise StoreError(
                f"The text of {paper.title[:60]} could not be deleted: {why}.", hint
            ) from None
    return gone


def own_text(paths: Paths, paper: Paper) -> OwnPdf | None:
    """The text of the researcher's own PDF of a paper, known by any of its ids; None where there is none, or it cannot be read."""
    for name in _names(paper):
        try:
            header, _, text = _place(paths, name).read_text(encoding="utf-8").partition("\n")
            said = json.loads(header)
            return OwnPdf(str(said["file"]), str(said["pdf"]), text, str(said.get("note", "")))
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            RecursionError,
        ):  # missing, or spoilt by hand: the paper is then read as if there were none
            continue
    return None


def texts_held(paths: Paths) -> dict[str, tuple[str, str]]:
    """The name of the PDF and the hash of its bytes for each paper (by id) whose text is kept. Reads the first line of each file."""
    out = {}
    for file in sorted(paths.imported_texts.glob("*.txt")):
        if said := _header(file):
            out[str(said["paper"])] = (str(said["file"]), str(said["pdf"]))
    return out


def count_held(paths: Paths) -> int:
    """How many texts are kept."""
    return sum(1 for _ in paths.imported_texts.glob("*.txt"))


def own_pdf_of(paths: Paths, paper: Paper) -> str:
    """The name of the PDF whose text is kept for a paper; empty where there is none. Reads one line."""
    held = own_pdf_held(paths, paper)
    return held[0] if held is not None else ""


def own_pdf_held(paths: Paths, paper: Paper) -> tuple[str, str] | None:
    """The name of that PDF and the hash of its bytes; None where there is none. Reads one line."""
    for name in _names(paper):
        if said := _header(_place(paths, name)):
            return str(said["file"]), str(said["pdf"])
    return None


def _header(file: Path) -> dict[str, Any]:
    """What the first line of a text says of it; empty where it cannot be read."""
    try:
        with file.open(encoding="utf-8") as held:
            said = json.loads(held.readline(MOST_HEADER))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) and {"paper", "file", "pdf"} <= said.keys() else {}


class ImportedPdfTexts:
    """The same for running steps, off the event loop."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    async def imported_text(self, paper: Paper) -> Mapping[str, Any] | None:
        """As JSON: file, pdf, text and note; None where there is none."""
        own = await beside(own_text, self._paths, paper)
        return asdict(own) if own is not None else None


def _names(paper: Paper) -> list[str]:
    return list(
        dict.fromkeys(
            [paper.id, *(f"{scheme}:{value}" for scheme, value in known_ids(paper).items())]
        )
    )


def _place(paths: Paths, name: str) -> Path:
    return paths.imported_texts / f"{digest(name)}.txt"
