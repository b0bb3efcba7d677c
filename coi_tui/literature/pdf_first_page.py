"""What the first page of a PDF shows: what may be its title, its identifiers, whether it bears a given title and given authors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.ids import Id, normalise_id
from coi_tui.literature.title_match import (
    THRESHOLD,
    compact_title,
    normalise_title,
    surname,
    title_similarity,
)
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_STAMP = re.compile(
    r"arXiv:\s?((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)\s*(\[[\w.-]+\])?",
    re.IGNORECASE,
)
_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+", re.IGNORECASE)
_REFERENCES = re.compile(
    r"^\s*(?:\d+\.?\s+)?(?:references|bibliography|literature cited)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_NO_TITLE = re.compile(
    r"^(?:untitled\b.*|(?:paper|manuscript|article|document)?\s*title|(?:microsoft (?:word|powerpoint)|powerpoint presentation)\b.*"
    r"|slide \d+"
    r"|.*\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|odt|pages)(?:\s*\(.*\))?)$",
    re.IGNORECASE,
)
_APART = re.compile(
    r"^(?P<what>(?:(?:online|electronic)\s+)?supplement(?:ary|al)?(?:\s+(?:materials?|information|data|appendix|text|file|notes?|methods))?"
    r"|supporting information|online appendix|appendix|erratum|errata|corrigendum|correction|retraction(?:\s+(?:note|notice))?)"
    r"\s*(?:$|[:–-]|(?:for|of|to)\b)",
    re.IGNORECASE,
)
_DIVIDED = re.compile(r"(\w+)-\s+(\w+)")
LEAST_WORDS, MOST_WORDS = 2, 40
"""Fewer or more words than these are no title."""
TOP_LINES = 25
"""Lines of page one among which its title stands."""
MOST_TITLE_LINES = 6
"""So many of them, in a row, may make a title."""
PAGE_CHARS = 6000
"""Signs of page one among which the title, if it is shown, and the authors stand."""
MOST_AUTHORS = 6
"""Of longer lists of authors only the first so many are looked for."""

Shown = Literal["whole", "nearly", "short", ""]
"""How a page bears a title: ``whole`` by the same letters, ``nearly`` but for typing errors, ``short`` where one has no subtitle."""


def titles_of(pdf: ExtractedPdf) -> list[str]:
    """What may be the title: that of its metadata where page one shows it, the largest text of page one, then other metadata."""
    given = clean_line(pdf.metadata.get("Title", ""))
    large = [undivided(piece, page_of(pdf)) for piece in pdf.largest[:2]]
    if len(large) == 2 and large[0].endswith(
        (":", "\u2013", "\u2014")
    ):  # a subtitle in smaller letters
        large.insert(0, " ".join(large))
    shown = bool(given) and compact_title(given) in compact_title(page_of(pdf))
    ordered = dict.fromkeys([given, *large] if shown else [*large, given])
    return [
        t for t in ordered if LEAST_WORDS <= len(t.split()) <= MOST_WORDS and not _NO_TITLE.match(t)
    ]


def undivided(title: str, page: str) -> str:
    """A title without the divisions at the ends of its lines: with the hyphen where the rest of the page writes the word with one."""
    words = set(re.findall(r"\w+(?:-\w+)*", page.casefold()))

    def join(found: re.Match[str]) -> str:
        whole, hyphen = found[1] + found[2], f"{found[1]}-{found[2]}"
        if whole.casefold() in words or hyphen.casefold() in words:
            return whole if whole.casefold() in words else hyphen
        return found[0] if found[2].casefold() in ("and", "or", "to", "und", "oder") else whole

    return _DIVIDED.sub(join, clean_line(title))


def ids_of(pdf: ExtractedPdf) -> tuple[list[Id], list[Id]]:
    """Identifiers that are its own (from its metadata, or a preprint's stamp on page one), and others that are on its first pages."""
    own = [pair for text in pdf.metadata.values() for pair in _ids_in(text)]
    own += [
        pair
        for found in _STAMP.finditer(page_of(pdf))
        if found[2] and (pair := normalise_id(found[1]))
    ]
    others = [pair for page in pdf.pages for pair in _ids_in(_before_references(page))]
    return list(dict.fromkeys(own)), [pair for pair in dict.fromkeys(others) if pair not in own]


def bears_title(pdf: ExtractedPdf, title: str) -> Shown:
    """Whether this is the title that the first page bears, and not one that it only names, as a comment on another paper does."""
    wanted = compact_title(title)
    if not wanted:
        return ""
    large = [compact for piece in pdf.largest if (compact := compact_title(piece))]
    compared = [title_similarity(piece, title) for piece in pdf.largest[:2]]
    if any(s.exact and not s.shortened for s in compared):
        return "whole"
    runs = set(_runs_of_lines(pdf))
    if any(s.shortened for s in compared):
        return "whole" if wanted in runs else "short"
    if any(s.score >= THRESHOLD and not s.difference for s in compared):
        return "nearly"
    if any(
        wanted in piece for piece in large
    ):  # a longer title that holds this one, or a heading over it
        return ""
    return "whole" if wanted in runs else ""


def shows_people(pdf: ExtractedPdf, paper: Paper) -> bool | None:
    """Whether at least half of the paper's first authors are named on page one; None where none is known."""
    names = [name for author in paper.authors[:MOST_AUTHORS] if len(name := surname(author)) > 1]
    if not names:
        return None
    page = normalise_title(page_of(pdf)[:PAGE_CHARS])
    words, letters = set(page.split()), page.replace(" ", "")
    found = sum(name in words or (not name.isascii() and name in letters) for name in names)
    return 2 * found >= len(names)


def apart_of(pdf: ExtractedPdf) -> str:
    """What page one says that it is, where that is no paper of its own: supplementary material, an erratum. Else empty."""
    tops = [line for line in page_of(pdf).splitlines() if line.strip()][:TOP_LINES]
    for line in [
        pdf.metadata.get("Title", ""),
        *pdf.largest[:2],
        *(line for line in tops if len(line.split()) <= MOST_WORDS),
    ]:
        if (found := _APART.match(clean_line(line))) and not _in_contents(clean_line(line)):
            return found["what"].casefold()
    return ""


def _in_contents(line: str) -> bool:
    """A line of a table of contents ends with its page."""
    return bool(re.search(r"[\s.]\d+$", line)) and len(line.split()) > 2


def page_of(pdf: ExtractedPdf) -> str:
    """The text of page one."""
    return pdf.pages[0] if pdf.pages else ""


def _runs_of_lines(pdf: ExtractedPdf) -> Iterator[str]:
    """The letters of whole lines at the top of page one, up to ``MOST_TITLE_LINES`` in a row."""
    lines = [
        compact_title(line)
        for line in _before_references(page_of(pdf)).splitlines()
        if line.strip()
    ][:TOP_LINES]
    for start in range(len(lines)):
        for end in range(start + 1, min(start + MOST_TITLE_LINES, len(lines)) + 1):
            yield "".join(lines[start:end])


def _ids_in(text: str) -> list[Id]:
    found = [normalise_id(m[0]) for m in _DOI.finditer(text)] + [
        normalise_id(m[1]) for m in _STAMP.finditer(text)
    ]
    return [pair for pair in found if pair is not None]


def _before_references(page: str) -> str:
    found = _REFERENCES.search(page)
    return page[: found.start()] if found else page


def page_shows(pdf: ExtractedPdf, title: str) -> bool:
    """Whether these letters stand anywhere on the first page."""
    wanted = compact_title(title)
    return bool(wanted) and wanted in compact_title(page_of(pdf)[:PAGE_CHARS])
