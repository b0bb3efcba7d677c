"""Which paper a PDF is: by the DOI or arXiv id in its metadata or on its first page. Never guessed:
the title of the paper with that id must be on that page."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.title_match import compact_title
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.services.pdf.full_text import ExtractedPdf

_STAMP = re.compile(
    r"arXiv:\s?((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)\s*(\[[\w.-]+\])?",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+", re.IGNORECASE)
_REFERENCES = re.compile(
    r"^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
PAGE_CHARS = 6000
"""Characters of page one among which the title is."""
IDS_ASKED = 4
"""Of the ids in one PDF only the first so many are looked up."""


def ids_of(pdf: ExtractedPdf) -> list[Id]:
    """Its own identifiers (from its metadata, or a preprint's stamp on page one); where it has
    none, those on page one before the references."""
    own = [pair for text in pdf.metadata for pair in _ids_in(text)]
    own += [
        pair for found in _STAMP.finditer(pdf.page) if found[2] and (pair := normalise_id(found[1]))
    ]
    return list(dict.fromkeys(own or _ids_in(_REFERENCES.split(pdf.page, maxsplit=1)[0])))


async def paper_of(pdf: ExtractedPdf, find: Callable[[Id], Awaitable[Paper | None]]) -> Paper:
    """The paper that a PDF is. Raises UsageError, the rest of a sentence about the PDF, where that
    is not sure."""
    pairs = ids_of(pdf)[:IDS_ASKED]
    if not pairs:
        raise UsageError("names no DOI or arXiv id on its first page or in its metadata")
    named = ", ".join(f"{scheme} {value}" for scheme, value in pairs)
    found = [
        paper.model_copy(update={"ids": {pair[0]: pair[1], **known_ids(paper)}})
        for pair in pairs
        if (paper := await find(pair))
    ]
    if not found:
        raise UsageError(f"names {named}, which nobody who was asked knows")
    shown = merge_papers(paper for paper in found if page_shows(pdf, paper.title))
    if len(shown) != 1:
        why = "several papers" if shown else "but its first page does not show that paper's title"
        raise UsageError(f"names {named}, {why}")
    return shown[0]


def shows_paper(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether the first page looks like this paper's: it shows its title or one of its ids."""
    return page_shows(pdf, paper.title) or not set(known_ids(paper).items()).isdisjoint(ids_of(pdf))


def page_shows(pdf: ExtractedPdf, title: str) -> bool:
    """Whether the letters of a title stand anywhere on the first page."""
    wanted = compact_title(title)
    return bool(wanted) and wanted in compact_title(pdf.page[:PAGE_CHARS])


def _ids_in(text: str) -> list[Id]:
    found = [m[0] for m in _DOI.finditer(text)] + [m[1] for m in _STAMP.finditer(text)]
    return [pair for pair in map(normalise_id, map(clean_line, found)) if pair is not None]
