"""The sane lengths of a paper's record: every paper passes here on its way in, from a service or
from a file that a person imports.

A title of a megabyte, a hundred thousand authors or a year 9999 is damage or malice. It would go
into prompts, lists and exports.
"""

from __future__ import annotations

from datetime import date

from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

TITLE_CHARS = 500
ABSTRACT_CHARS = 10_000
AUTHORS = 300
"""Collaborations in physics have thousands; no list or reference shows more than a few."""
NAME_CHARS = 200
"""Of an author or a venue."""
ADDRESS_CHARS = 2_000
"""A longer address of a PDF is left out: cut, it would lead elsewhere."""
FIRST_YEAR = 1600
"""Learned journals begin in 1665; an earlier year is a mistake."""


def bounded(paper: Paper, today: str = "") -> Paper:
    """``paper`` with its texts cut to sane lengths, and without a year that cannot be one.
    ``today`` (ISO) says which year is the next."""
    head = (paper.published or "")[:4]
    dated = possible_year(int(head), today) if len(head) == 4 and head.isdecimal() else None
    fields = {
        "year": possible_year(paper.year, today) or dated,
        "published": paper.published if dated else None,
        "title": _cut(paper.title, TITLE_CHARS),
        "abstract": _cut(paper.abstract, ABSTRACT_CHARS) if paper.abstract else None,
        "authors": tuple(_cut(name, NAME_CHARS) for name in paper.authors[:AUTHORS]),
        "venue": _cut(paper.venue, NAME_CHARS) if paper.venue else None,
        "open_pdf": paper.open_pdf if len(paper.open_pdf or "") <= ADDRESS_CHARS else None,
    }
    changed = {name: value for name, value in fields.items() if value != getattr(paper, name)}
    return paper.model_copy(update=changed) if changed else paper


def short_name(text: object) -> str:
    """A name from outside (of a person or an institution) on one line, cut to a sane length."""
    return _cut(clean_line(text), NAME_CHARS)


def short_title(text: str) -> str:
    """A title cut to a sane length."""
    return _cut(text, TITLE_CHARS)


def possible_year(year: int | None, today: str) -> int | None:
    """``year`` where a paper can be of it; ``today`` (ISO) says which year is the next."""
    this_year = int(today[:4]) if today[:4].isdecimal() else date.today().year
    return year if year is not None and FIRST_YEAR <= year <= this_year + 1 else None


def _cut(text: str, most: int) -> str:
    """The first so many characters, at the end of a word where one is near."""
    if len(text) <= most:
        return text
    head = text[:most]
    whole, _, rest = head.rpartition(" ")
    return f"{whole if whole and len(rest) < most // 4 else head}…" if clean_line(head) else ""
