"""One entry of a list of papers as its fields were written, whatever the format of the file, and
the paper that it describes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.literature.ids import normalise_id, paper_key
from coi_tui.literature.paper_limits import ABSTRACT_CHARS, TITLE_CHARS, bounded
from coi_tui.literature.title_match import normalise_title, show_title, surname
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line, digest

LIBRARY_NAME = "my library"
"""The source that imported papers name."""
RAW = 4
"""How many characters of a field are looked at for each one that may stay: commands, braces and
tags fall away."""
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b", re.ASCII)
_DATE = re.compile(r"\b((?:19|20)\d\d)[-/](\d{1,2})(?:[-/](\d{1,2}))?\b", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Za-z-]{2})?/\d{7})(?:v\d+)?"
_PREPRINT = r"(?:(?:preprint|e-?prints?)[^a-z0-9]{0,3}(?:arxiv[^a-z0-9]{0,3})?)?"
_ARXIV = re.compile(
    rf"(?<![a-z])(?:arxiv[^a-z0-9]{{0,3}}{_PREPRINT}|abs/)({_ARXIV_ID})(?!\d)",
    re.IGNORECASE | re.ASCII,
)
_ONLY_ARXIV = re.compile(
    rf"\W*arxiv\s*:\s*{_ARXIV_ID}(?:\s*\[[\w.-]+\])?\W*", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class Entry:
    """One entry of a file. ``label`` and ``line`` name it to a person; ``ids`` are texts that may
    be an identifier, ``problem`` says why it could not be read."""

    label: str
    line: int = 0
    title: str = ""
    date: str = ""
    month: str = ""
    authors: Sequence[str] = ()
    venue: str = ""
    abstract: str = ""
    ids: Sequence[str] = ()
    problem: str = ""

    def paper(self) -> Paper | None:
        """The paper it describes; None without a title, or where it could not be read."""
        title = show_title(self.title[: RAW * TITLE_CHARS])
        if self.problem or not normalise_title(title):
            return None
        ids = dict(filter(None, map(normalise_id, filter(None, self.ids))))
        year = found[1] if (found := _YEAR.search(self.date)) else ""
        authors = tuple(filter(None, map(clean_line, self.authors)))
        paper = Paper(
            id=paper_key(ids) if ids else _title_key(title, year, authors),
            ids=ids,
            title=title,
            year=int(year) if year else None,
            published=_published(self.date, self.month),
            authors=authors,
            venue=show_title(self.venue) or None,
            abstract=clean(self.abstract[: RAW * ABSTRACT_CHARS]).strip() or None,
            source=LIBRARY_NAME,
        )
        return bounded(paper)

    def why_left_out(self) -> str:
        """The sentence about an entry that gives no paper."""
        where = f"{self.label} (line {self.line})" if self.line else self.label
        return f"{clean_line(where)}: {self.problem or 'no title'}"


def _title_key(title: str, year: str, authors: Sequence[str]) -> str:
    """The id of a paper that has no other: many papers are called "Introduction", so its first
    author belongs to it."""
    first = surname(authors[0]) if authors else ""
    return f"title:{digest([normalise_title(title), year, *([first] if first else [])])[:16]}"


def _published(date: str, month: str) -> str | None:
    """The ISO date, as precise as it is given."""
    exact = _DATE.search(date)
    if exact and 1 <= int(exact[2]) <= 12:
        day = f"-{int(exact[3]):02d}" if exact[3] and 1 <= int(exact[3]) <= 31 else ""
        return f"{exact[1]}-{int(exact[2]):02d}{day}"
    year = _YEAR.search(date)
    if year is None:
        return None
    name = month.strip().lower()
    number = _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else 0
    if re.fullmatch(r"[0-9]{1,2}", name):
        number = int(name)
    return f"{year[1]}-{number:02d}" if 1 <= number <= 12 else year[1]


def given_name_first(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``; a suffix, as in ``King, Martin, Jr``, stays last."""
    last, _, first = name.partition(",")
    given, _, suffix = first.partition(",")
    return " ".join(filter(None, (given.strip(), last.strip(), suffix.strip())))


def doi_in(text: str) -> str:
    """A DOI of a field for it, bare, with a prefix or as an address; empty where there is none."""
    found = _DOI.search(text[: RAW * TITLE_CHARS])
    return f"doi:{found[0]}" if found else ""


def arxiv_in(text: str) -> str:
    """An arXiv id after that name, as in ``arXiv preprint arXiv:2005.14165``, or of
    ``abs/1706.03762``; empty where there is none."""
    found = _ARXIV.search(text[: RAW * TITLE_CHARS])
    return f"arXiv:{found[1]}" if found else ""


def arxiv_note(text: str) -> str:
    """The arXiv id where a note says nothing else: one inside a sentence may be of another
    paper."""
    return arxiv_in(text) if _ONLY_ARXIV.fullmatch(text[:TITLE_CHARS]) else ""
