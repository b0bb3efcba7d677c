"""What an entry of a list of papers says, in whatever format, and the paper that it describes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote

from coi_tui.literature.ids import normalise_id, paper_key
from coi_tui.literature.paper_records import (
    ABSTRACT_CHARS,
    NAME_CHARS,
    TITLE_CHARS,
    bounded,
    said_by_title,
)
from coi_tui.literature.title_match import normalise_title, show_title, surname
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, digest

LIBRARY_NAME = "my library"
"""The source that imported papers name."""
RAW = 4
"""How many characters of a field are looked at for each one that may stay: commands, braces and
tags fall away."""
MOST_FILES = 20
"""Files of an entry that are kept."""
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b", re.ASCII)
_DATE = re.compile(r"\b((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?\b", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Za-z-]{2})?/\d{7})(?:v\d+)?"
_PREPRINT = r"(?:(?:preprint|e-?prints?)[^a-z0-9]{0,3}(?:arxiv[^a-z0-9]{0,3})?)?"
_ARXIV = re.compile(
    rf"(?<![a-z])(?:arxiv[^a-z0-9]{{0,3}}{_PREPRINT}|abs/)({ARXIV_ID})(?!\d)",
    re.IGNORECASE | re.ASCII,
)
_NOBODY = ("", "et al", "others")
_WHOLE_DAY = re.compile(r"\b((?:19|20)\d\d)([01]\d)([0-3]\d)\b", re.ASCII)
_KEY = re.compile(r"(?!\w+://)[^\W\d_](?:[\w:.+/-]{0,80}\w)?")
"""A key as people cite by: no number, and no address."""


@dataclass(frozen=True)
class ListEntry:
    """The fields of an entry as plain text. ``ids``: texts that may be an identifier, the surest
    last; ``notes``: texts that may hold an arXiv id after that name, as in ``arXiv preprint
    arXiv:2005.14165``, or that of ``abs/1706.03762``, and are believed less; ``dois``: those that may
    hold a DOI, and are believed most; ``files``: the paths that it names; ``key``: what it is cited by."""

    title: str
    date: str = ""
    authors: Sequence[str] = ()
    venue: str = ""
    abstract: str = ""
    ids: Sequence[str] = ()
    notes: Sequence[str] = ()
    dois: Sequence[str] = ()
    files: Sequence[str] = ()
    key: str = ""

    def _ids(self) -> dict[str, str]:
        """The identifiers that can be read, by their kind."""
        said = map(_ARXIV.search, self.notes)
        dois = [f"doi:{found[0]}" for found in map(_DOI.search, self.dois) if found]
        signs = [f"arXiv:{found[1]}" for found in said if found]
        signs += [*self.ids, *dois, *map(unquote, dois)]
        return dict(filter(None, map(normalise_id, signs)))

    def paper(self) -> Paper | None:
        """The paper that it describes; None without a title."""
        title, notices = said_by_title(show_title(self.title[: RAW * TITLE_CHARS]))
        if not normalise_title(title):
            return None
        ids = self._ids()
        date = _WHOLE_DAY.sub(r"\1-\2-\3", self.date)
        year, day = _YEAR.search(date), _DATE.search(date)
        authors = tuple(
            n for n in map(clean_line, self.authors) if n.strip(".").lower() not in _NOBODY
        )
        # without an identifier its first author belongs to it: many are called "Introduction"
        named = [normalise_title(title), year[1] if year else "", *map(surname, authors[:1])]
        paper = Paper(
            id=paper_key(ids) if ids else f"title:{digest(named)[:16]}",
            ids=ids,
            title=title,
            year=int(year[1]) if year else None,
            published=(day or year or [None])[0],
            authors=authors,
            venue=show_title(self.venue) or None,
            abstract=clean_line(self.abstract[: RAW * ABSTRACT_CHARS]) or None,
            source=LIBRARY_NAME,
            notices=notices,
            citation_key=self.key if _KEY.fullmatch(self.key) else "",
        )
        return bounded(paper)


@dataclass
class ParsedBibliography:
    """The papers of a file in its order, a sentence for each entry that could not be taken, and the
    files that the entries name, by the paper's id."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    files: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[tuple[str, ListEntry]]) -> Self:
        """The papers of entries, each with what names it to a person."""
        found = cls()
        for label, entry in entries:
            if why := found.add(entry):
                found.left_out.append(f"{clean_line(label)[:NAME_CHARS]}: {why}")
        return found

    def add(self, entry: ListEntry) -> str:
        """Add the paper of an entry; why there is none, or nothing."""
        paper = entry.paper()
        if paper is None:
            return "no title"
        self.papers.append(paper)
        self.files.setdefault(paper.id, []).extend(entry.files[:MOST_FILES])
        return ""


def given_name_first(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``; a suffix, as in ``King, Martin, Jr``, stays last."""
    last, _, first = name.partition(",")
    given, _, suffix = first.partition(",")
    return " ".join(filter(None, (given.strip(), last.strip(), suffix.strip())))


_FILE = re.compile(r"((?:\\.|[^;\\])+)")
_PART = re.compile(r"((?:\\.|[^:\\])*)(?::|$)")


def files_in(field: str) -> list[str]:
    """The PDFs of a ``file`` field: ``Title:path:application/pdf;...`` as Zotero and JabRef write it,
    or plain paths, as Better BibTeX does."""
    found = []
    for one in _FILE.findall(field):
        parts = _PART.findall(one)[:-1]
        named = len(parts) > 2 and re.fullmatch(r"(?:application/)?pdf", parts[-1].strip(), re.I)
        path = ":".join(parts[1:-1]) if named else one
        path = re.sub(r"\\([:;\\{}_&%$#])", r"\1", path).strip()
        # asking another machine for a file tells it who asks
        if (path.lower().endswith(".pdf") or named) and not path.startswith(("//", r"\\")):
            found.append(path)
    return found
