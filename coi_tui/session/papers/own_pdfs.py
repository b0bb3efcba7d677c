"""A folder of the researcher's own PDFs becomes part of the own papers: each read, told which paper it is, its text kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.pdf_identification import Candidate, identify_pdf, paper_named
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.session.papers.own import own_papers, save_papers
from coi_tui.session.papers.own_texts import drop_text, keep_text, own_text, texts_held
from coi_tui.session.papers.reading_pdf import PdfRead, bytes_of, hash_of, read_pdf

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
        raise UsageError(f"--as names the paper of one PDF, and these are {len(files)}.", "Give one file.")
    done: list[Taken] = []
    known, held = _others(paths), {pdf: paper for paper, (_, pdf) in texts_held(paths).items()}
    for path in files:
        try:
            data = bytes_of(path)
            before = None if said else _own(paths, held.get(hash_of(data), ""))
            taken = Taken(path, "before", before) if before else _take(paths, path, await read_pdf(path.name, data), said, known)
        except UsageError as error:
            taken = Taken(path, "unread", why=error.message)
        if taken.state in ("new", "known") and taken.paper is not None:
            held = {pdf: paper for pdf, paper in held.items() if paper != taken.paper.id} | {hash_of(data): taken.paper.id}
        done.append(taken)
        told(taken)
    return done


def _own(paths: Paths, name: str) -> Paper | None:
    """The own paper of that id; None where it has gone, or for no id."""
    return next((p for p in own_papers(paths) if p.id == name), None) if name else None


def _take(paths: Paths, path: Path, read: PdfRead, said: str, others: Sequence[Paper]) -> Taken:
    before = own_papers(paths)
    known = [*before, *others]
    if said:
        paper, how = paper_named(said, read.looked, known), "as you said"
    else:
        found = identify_pdf(read.looked, known)
        if found.paper is None:
            return Taken(path, "ask", why=found.why, title=found.title, near=found.near)
        paper, how = found.paper, found.how
    after = merge_papers([*before, paper])
    kept = next((p for p in after if p.id == paper.id), None) or _same(after, paper)
    save_papers(paths, after)
    for other in before if said else ():  # an answer puts right what this very file was taken for
        if other.id != kept.id and (held := own_text(paths, other)) is not None and held.pdf == read.own.pdf:
            drop_text(paths, other)
    keep_text(paths, kept, read.own)
    return Taken(path, "new" if len(after) > len(before) else "known", kept, how)


def _same(papers: Sequence[Paper], paper: Paper) -> Paper:
    """The record that a paper became part of."""
    return next(p for p in papers if len(merge_papers([p, paper])) == 1)


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
        "new": "taken in as new papers", "known": "added to papers you had", "before": "taken in before",
        "ask": "to be answered (which paper is this?)", "unread": "could not be read",
    }  # fmt: skip
    files = f"{len(done)} PDF{'' if len(done) == 1 else 's'}"
    return f"{files}: {', '.join(f'{n} {words[s]}' for s, n in count.items() if n) or 'nothing to do'}."
