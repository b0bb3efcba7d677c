"""Reading the files of reference managers: BibTeX and RIS. A bad entry is named, the
others are taken.

The libraries that read BibTeX and RIS are loaded when such a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.bibliography_entry import Entry, arxiv_in, doi_in, given_name_first
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean


@dataclass
class Bibliography:
    """The papers of a file in its order, and a sentence for each entry that could not be taken."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_bibliography(text: str, name: str) -> Bibliography:
    """Read a file by its ending (.bib, .ris). Raises UsageError for another ending, and for a file
    of too many entries."""
    ending = name.lower().rpartition(".")[2]
    if ending in ("bib", "bibtex", "biblatex"):
        from coi_tui.literature.bibtex_reader import read_bibtex as read
    elif ending == "ris":
        read = _ris
    else:
        raise UsageError(
            f"{name} is not a list of papers that can be read.",
            "Use a BibTeX (.bib) or RIS (.ris) file.",
        )
    found = Bibliography()
    for entry in read(clean(text)):
        paper = entry.paper()
        if paper is None:
            found.left_out.append(entry.why_left_out())
        else:
            found.papers.append(paper)
    return found


# RIS

_TAG = re.compile(r"^[ \t]*([A-Z][A-Z0-9]) {0,2}- ?", re.MULTILINE)
_RECORD = re.compile(r"^(?=TY  - )|^ER  - .*$", re.MULTILINE)
_CONTINUED = re.compile(r"\s*\n(?![A-Z][A-Z0-9]  - )")
"""Within a field: rispy fails on a line that goes on with a field that is repeated."""
MOST_RECORD = 400_000
"""Characters of a record; what comes after is left out."""
_TITLES = ("title", "primary_title", "translated_title")
_VENUES = (
    "journal_name",
    "alternate_title3",
    "secondary_title",
    "alternate_title1",
    "alternate_title2",
    "book_title",
)


def _ris(text: str) -> Iterator[Entry]:
    """Each record in the order of the file, also one without a type or an end."""
    import rispy
    from rispy.config import TAG_KEY_MAPPING

    parser = rispy.RisParser(
        mapping={**TAG_KEY_MAPPING, "BT": "book_title"},
        enforce_list_tags=False,
        skip_unknown_tags=True,
    )
    for record in filter(str.strip, _RECORD.split(_TAG.sub(r"\1  - ", text))):
        start = "" if record.startswith("TY") else "TY  - GEN\n"
        lines = _CONTINUED.sub(" ", record[:MOST_RECORD])
        for found in parser.parse(f"{start}{lines}\nER  - "):
            yield _ris_entry(found)


def _ris_entry(record: Mapping[str, Any]) -> Entry:
    def values(*names: str) -> list[str]:
        """What the fields say; one that is repeated is a list."""
        found = (record.get(name, "") for name in names)
        return [v for one in found for v in (one if isinstance(one, list) else [one]) if v]

    def first(*names: str) -> str:
        return next(iter(values(*names)), "")

    notes = values("note", "accession_number", "journal_name", "publisher")
    return Entry(
        label=first("id", *_TITLES) or "a record without a title",
        title=first(*_TITLES),
        date=first("date", "year", "publication_year"),
        authors=list(map(given_name_first, values("authors", "first_authors"))),
        venue=first(*_VENUES),
        abstract=first("abstract", "notes_abstract"),
        ids=[
            *map(arxiv_in, notes),
            *map(doi_in, values("doi")),
            *values("urls", "file_attachments1"),
        ],
    )
