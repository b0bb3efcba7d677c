"""Reading the files of reference managers: BibTeX, CSL-JSON and RIS. A bad entry is named, the
others are taken.

The libraries that read BibTeX and RIS are loaded when such a file is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.bibliography_entry import Entry, arxiv_in, doi_in, given_name_first
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean

MOST_PARTS = 400_000
"""Objects and lists of a JSON file: each takes up to a hundred bytes of memory once it is read."""


@dataclass
class Bibliography:
    """The papers of a file in its order, and a sentence for each entry that could not be taken."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_bibliography(text: str, name: str) -> Bibliography:
    """Read a file by its ending (.bib, .json, .ris). Raises UsageError for another ending, for
    broken JSON, and for a file that is made so that it could not be read in any time or memory."""
    ending = name.lower().rpartition(".")[2]
    if ending in ("bib", "bibtex", "biblatex"):
        from coi_tui.literature.bibtex_reader import read_bibtex as read
    elif ending == "ris":
        read = _ris
    elif ending == "json":
        read = _csl
    else:
        raise UsageError(
            f"{name} is not a list of papers that can be read.",
            "Use a BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) file.",
        )
    found = Bibliography()
    for entry in read(clean(text)):
        paper = entry.paper()
        if paper is None:
            found.left_out.append(entry.why_left_out())
        else:
            found.papers.append(paper)
    return found


# CSL-JSON


def _csl(text: str) -> Iterator[Entry]:
    hint = "Export the list again as CSL-JSON."
    try:
        if text.count("[") + text.count("{") > MOST_PARTS:
            raise ValueError("it has too many parts")
        items = json.loads(text)
    except RecursionError:
        why = "This JSON is nested too deeply to be a list of papers."
        raise UsageError(why, hint) from None
    except ValueError as error:
        raise UsageError(f"This JSON cannot be read ({error}).", hint) from None
    items = items.get("items", [items]) if isinstance(items, dict) else items
    for n, item in enumerate(_list(items), start=1):
        yield _csl_entry(item, f"item {n}") if isinstance(item, dict) else Entry(f"item {n}")


def _csl_entry(item: Mapping[str, Any], label: str) -> Entry:
    def value(name: str) -> str:
        return _text(item.get(name))

    venue = value("container-title")
    archive = f"{value('archive')}:{value('archive_location')}"
    issued = _object(item.get("issued"))
    dates = _list(next(iter(_list(issued.get("date-parts"))), []))
    parts = [part.zfill(2) for part in map(_text, dates) if re.fullmatch(r"[0-9]{1,4}", part)]
    people = map(_object, _list(item.get("author")))
    return Entry(
        label=value("id") or label,
        title=value("title"),
        date="-".join(parts) or _text(issued.get("raw")) or _text(issued.get("literal")),
        authors=[
            _text(one.get("literal")) or f"{_text(one.get('given'))} {_text(one.get('family'))}"
            for one in people
        ],
        venue=venue,
        abstract=value("abstract"),
        ids=[*map(arxiv_in, (value("number"), archive, venue)), doi_in(value("DOI")), value("URL")],
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    """A text or a number as text; empty for anything else, which may be nested without end."""
    return str(value) if isinstance(value, str | int | float) and value else ""


# RIS

_TAG = re.compile(r"^[ \t]*([A-Z][A-Z0-9]) {0,2}- ?", re.MULTILINE)
_RECORD = re.compile(r"^(?=TY  - )|^ER  - .*$", re.MULTILINE)
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
        for found in parser.parse(f"{start}{record[:MOST_RECORD]}\nER  - "):
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
