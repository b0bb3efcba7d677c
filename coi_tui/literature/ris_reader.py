"""RIS: rispy knows the tags; here the lines of each record are found first, so that a record
without its end takes no other with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import rispy
from rispy.config import TAG_KEY_MAPPING

from coi_tui.literature.bibliography_entry import Entry, arxiv_in, doi_in, given_name_first

MOST_FIELD = 100_000
"""Characters of a field that goes on from line to line; what comes after is left out."""
_TAG = re.compile(r"([A-Z][A-Z0-9]) {0,2}- ?(.*)")
_VENUES = (
    "journal_name",
    "alternate_title3",
    "secondary_title",
    "alternate_title1",
    "alternate_title2",
    "book_title",
)


def read_ris(text: str) -> Iterator[Entry]:
    """Each record in the order of the file."""
    parser = rispy.RisParser(
        mapping={**TAG_KEY_MAPPING, "BT": "book_title"},
        enforce_list_tags=False,
        skip_unknown_tags=True,
    )
    for start, lines in _records(text):
        for record in parser.parse_lines(iter(lines)):
            yield _entry(record, start)


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of each record as the format wants them, with the line on which it begins: each
    field on a line, from TY to ER."""
    start, lines = 0, list[str]()
    for number, tag, value in _fields(text):
        if tag in ("TY", "ER") and lines:
            yield start, [*lines, "ER  - "]
            lines = []
        if tag != "ER":
            if not lines:
                start, lines = number, [] if tag == "TY" else ["TY  - GEN"]
            lines.append(f"{tag}  - {value}")


def _fields(text: str) -> Iterator[tuple[int, str, str]]:
    """Each field with the number of its line; a long one goes on in the next lines. The last is the
    end of a record."""
    begun, tag, parts, length = 0, "", list[str](), 0
    for number, line in enumerate([*text.splitlines(), "ER  - "], start=1):
        found = _TAG.fullmatch(line.strip())
        if found:
            if tag:
                yield begun, tag, " ".join(parts)
            begun, tag, parts, length = number, found[1], [found[2].strip()], 0
        elif length < MOST_FIELD:
            parts.append(line.strip())
            length += len(line)
    yield begun, tag, ""


def _entry(record: Mapping[str, Any], line: int) -> Entry:
    return Entry(
        label=_first(record, "id", "title", "primary_title") or "a record without a title",
        line=line,
        title=_first(record, "title", "primary_title", "translated_title"),
        date=_first(record, "date", "year", "publication_year"),
        authors=[given_name_first(name) for name in _all(record, "authors", "first_authors")],
        venue=_first(record, *_VENUES),
        abstract=_first(record, "abstract", "notes_abstract"),
        ids=[
            *(
                arxiv_in(said)
                for said in _all(record, "note", "accession_number", "journal_name", "publisher")
            ),
            *(doi_in(doi) for doi in _all(record, "doi")),
            *_all(record, "urls", "file_attachments1"),
        ],
    )


def _all(record: Mapping[str, Any], *names: str) -> list[str]:
    """What the fields say; one that is repeated is a list."""
    values = (record.get(name, "") for name in names)
    return [
        said for value in values for said in (value if isinstance(value, list) else [value]) if said
    ]


def _first(record: Mapping[str, Any], *names: str) -> str:
    values = (record.get(name) for name in names)
    return next(
        (
            said
            for value in values
            if value
            for said in (value if isinstance(value, list) else [value])
            if said
        ),
        "",
    )
