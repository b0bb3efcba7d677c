"""The texts of the researcher's own PDFs: a private file each beside the own papers, never part of the cache that may be thrown away.

They go nowhere but into the prompt that reads that paper.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coi_tui.computing import beside
from coi_tui.literature.ids import known_ids
from coi_tui.model.errors import StoreError
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.whole_file import write_whole


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
        paths.own_texts.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(_place(paths, paper.id), f"{json.dumps(header, ensure_ascii=False)}\n{own.text}")
    except OSError as error:
        raise StoreError(
            f"The text of {own.file} could not be kept ({error.strerror or type(error).__name__}).", "Check the folder and the disk."
        ) from None


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
            raise StoreError(f"The text of {paper.title[:60]} could not be deleted ({error.strerror}).", "Check its folder.") from None
    return gone


def own_text(paths: Paths, paper: Paper) -> OwnPdf | None:
    """The text of the researcher's own PDF of a paper, known by any of its ids; None where there is none, or it cannot be read."""
    for name in _names(paper):
        try:
            header, _, text = _place(paths, name).read_text(encoding="utf-8").partition("\n")
            said = json.loads(header)
            return OwnPdf(str(said["file"]), str(said["pdf"]), text, str(said.get("note", "")))
        except (OSError, ValueError, KeyError, TypeError):  # missing, or spoilt by hand: the paper is then read as if there were none
            continue
    return None


def texts_held(paths: Paths) -> dict[str, tuple[str, str]]:
    """The name of the PDF and the hash of its bytes for each paper (by id) whose text is kept. Reads the first line of each file."""
    out = {}
    for file in sorted(paths.own_texts.glob("*.txt")):
        if said := _header(file):
            out[str(said["paper"])] = (str(said["file"]), str(said["pdf"]))
    return out


def count_held(paths: Paths) -> int:
    """How many texts are kept."""
    return sum(1 for _ in paths.own_texts.glob("*.txt"))


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
            said = json.loads(held.readline())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) and {"paper", "file", "pdf"} <= said.keys() else {}


class OwnTexts:
    """The same for running steps, off the event loop."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    async def own_text(self, paper: Paper) -> Mapping[str, Any] | None:
        """As JSON: file, pdf, text and note; None where there is none."""
        own = await beside(own_text, self._paths, paper)
        return asdict(own) if own is not None else None


def _names(paper: Paper) -> list[str]:
    return list(dict.fromkeys([paper.id, *(f"{scheme}:{value}" for scheme, value in known_ids(paper).items())]))


def _place(paths: Paths, name: str) -> Path:
    return paths.own_texts / f"{digest(name)}.txt"
