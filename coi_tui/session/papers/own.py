"""The researcher's own papers: one file of JSON lines beside the sessions, never part of the cache that may be thrown away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.session.papers.own_texts import drop_text
from coi_tui.whole_file import write_whole

if TYPE_CHECKING:
    from coi_tui.literature.types import Source


@dataclass(frozen=True)
class Brought:
    """What an import did: papers that are new, those known before (filled where they lacked something), and entries left out with why."""

    new: tuple[Paper, ...]
    known: int
    left_out: tuple[str, ...]


def own_papers(paths: Paths) -> list[Paper]:
    """The papers in the order they came; none where no file is. Raises StoreError for a file that cannot be read."""
    try:
        lines = paths.own_papers.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{paths.own_papers} cannot be read ({type(error).__name__}).", "Restore or rename it.") from None
    try:
        return [Paper.model_validate_json(line) for line in lines if line.strip()]
    except ValidationError:
        raise StoreError(f"A line of {paths.own_papers} is no paper.", "Take that line out, or rename the file.") from None


def bring_in(paths: Paths, file: Path) -> Brought:
    """Take the papers of a BibTeX, CSL-JSON or RIS file in. Raises UsageError for a file that is none, StoreError for a full disk."""
    from coi_tui.literature.bibliography_files import read_bibliography
    from coi_tui.literature.deduplication import merge_papers

    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = file.read_text(encoding="latin-1")
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}).", "Check the name.") from None
    found = read_bibliography(text, file.name)
    before = own_papers(paths)
    after = merge_papers([*before, *found.papers])
    save_papers(paths, after)
    return Brought(tuple(after[len(before) :]), len(found.papers) - (len(after) - len(before)), tuple(found.left_out))


def forget_paper(paths: Paths, name: str) -> Paper:
    """Take one paper out for good, named by its id, and the text of its PDF. Raises UsageError when it is not there."""
    before = own_papers(paths)
    gone = next((p for p in before if p.id == name), None)
    if gone is None:
        raise UsageError(f"{name} is not among your {len(before)} papers.", "coi library list shows their ids.")
    drop_text(paths, gone)
    save_papers(paths, [p for p in before if p.id != name])
    return gone


def save_papers(paths: Paths, papers: Sequence[Paper]) -> None:
    """All at once or not at all. Raises StoreError."""
    file = paths.own_papers
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, "".join(f"{p.model_dump_json(exclude_defaults=True)}\n" for p in papers))
    except OSError as error:
        raise StoreError(
            f"{file} could not be written ({error.strerror}), so nothing was changed.", "Check the folder and the disk."
        ) from None


def with_own(paths: Paths, source: Source, today: Callable[[], str], seen: Callable[[Source], Source] = lambda source: source) -> Source:
    """The source with the researcher's own papers, as they are ``seen``, asked first; unchanged where there are none."""
    papers = own_papers(paths)
    if not papers:
        return source
    from coi_tui.literature.imported_library import ImportedLibrary
    from coi_tui.literature.source_fallback import CombinedSources

    return CombinedSources([seen(ImportedLibrary(papers, today=today)), source], source)
