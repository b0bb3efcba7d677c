"""Lists of papers that are not BibTeX: RIS (of Zotero, EndNote, Scopus and others), PubMed's and Web
of Science's own tags, and CSL-JSON.

rispy reads tags. It is given one record at a time, since one without an end would swallow the next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from coi_tui.literature.list_entries import (
    ListEntry,
    files_in,
    given_name_first,
)
from coi_tui.literature.paper_records import AUTHORS
from coi_tui.model.errors import UsageError
from coi_tui.model.text import Values

MOST_RECORD, MOST_LINES = 400_000, 5_000
"""Characters and lines of a record; what comes after is left out."""


def other_entries(text: str, name: str) -> Iterator[tuple[str, ListEntry]]:
    """The entries of a list in its order, each with what names it to a person; how the list begins
    says which format it is. Raises UsageError where it is none."""
    head = text.lstrip()
    if head.startswith(("[", "{")):
        return _csl(head, name)
    for start, records, line in _TAGGED:
        if re.match(start, head):
            return _tagged(re.split(records, text, flags=re.MULTILINE), line)
    raise UsageError(
        f"{name} is not a list of papers that can be read.",
        "Use BibTeX (.bib), RIS, CSL-JSON, or what PubMed or Web of Science saves.",
    )


# tags

_TAGGED = (
    (
        r"(?:(?!TY).{0,200}\n){0,20}[ \t]*(?:\d+\.\s+)?TY {0,2}-",
        r"^(?=[ \t]*TY {0,2}-)|^[ \t]*ER {1,2}-.*$",
        r"[ \t]*([A-Z][A-Z0-9]) {0,2}-(?: (.*)|$)",
    ),
    (r"PMID *-", r"^(?=PMID *-)", r"([A-Z]{2,4}) *- (.*)"),
    (r"(?:FN|PT) \S", r"^(?=PT )|^(?:ER|EF)\b.*$", r"([A-Z][A-Z0-9]) (.*)"),
)
"""How RIS, PubMed's and Web of Science's tags begin, where a record begins or ends, and a line with
its tag."""
_VENUES = "JO JF T2 JT SO JA J2 TA BT"
_REPEATED = "A1 AF AN AID AU DI DO FAU L1 L2 LID M1 UR"
"""Tags that may come more than once."""
_KEPT = f"TY TI T1 TT AB N2 DA DP ID IS PB PM PMID PY Y1 {_REPEATED} {_VENUES}"


def _tagged(records: list[str], pattern: str) -> Iterator[tuple[str, ListEntry]]:
    import rispy

    class Tags(rispy.RisParser):  # type: ignore[misc]  # it has no types
        def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
            found = re.fullmatch(pattern, line)
            return (found[1], (found[2] or "").strip()) if found else (None, line.strip())

    parser = Tags(
        mapping={tag: tag for tag in _KEPT.split()},
        list_tags=_REPEATED.split(),
        delimiter_tags_mapping={},  # rispy cuts addresses at semicolons
        skip_unknown_tags=True,
    )
    for record in records:
        lines = [line for line in record[:MOST_RECORD].split("\n") if line.strip()][:MOST_LINES]
        (found,) = parser.parse("\n".join(["TY  - GEN", *lines, "ER  - "]))
        if len(found) > 1:  # else it is what stands before the first record
            yield " / ".join(lines[1:3]), _from_tags(found)


def _from_tags(record: Values) -> ListEntry:
    def values(tags: str) -> list[str]:
        """What the tags say; one that may be repeated is a list."""
        found = (record.get(tag) or [] for tag in tags.split())
        return [v for one in found for v in (one if isinstance(one, list) else [one]) if v]

    dated = [date for date in values("DA PY Y1 DP") if re.search(r"\d{4}", date)]
    return ListEntry(
        title=" ".join(values("TI T1 TT")[:1]),
        date=" ".join(dated[:1]).replace("/", "-"),
        authors=[
            given_name_first(name)
            for people in (values("AF FAU") or values("AU A1"))[:AUTHORS]
            for name in people.split(";")
        ],
        venue=" ".join(values(_VENUES)[:1]),
        abstract=" ".join(values("AB N2")[:1]),
        ids=[*(f"PMID:{number}" for number in values("PMID PM")), *values("L2 UR")[::-1]],
        notes=values(f"M1 AN IS PB {_VENUES}"),
        dois=values("DO DI AID LID"),
        files=[path for value in values("L1") for path in files_in(value)],
        key=" ".join(values("ID")[:1]),
    )


# JSON


def _csl(text: str, name: str) -> Iterator[tuple[str, ListEntry]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is not whole JSON.", "Export it again.") from None
    items = found.get("items", [found]) if isinstance(found, dict) else found
    for number, item in enumerate(items if isinstance(items, list) else [], 1):
        said = item if isinstance(item, dict) else {}
        yield _text(said, "id") or f"item {number}", _from_csl(said)


def _text(item: Values, names: str) -> str:
    """The first of some fields that says something; Crossref's are lists."""
    for value in map(item.get, names.split()):
        one = value[0] if isinstance(value, list) and value else value
        if isinstance(one, str | int) and str(one).strip():
            return str(one)
    return ""


_EXTRA = re.compile(
    r"^[ \t]*(arXiv|DOI|PMID|S2|CorpusId|OpenAlex|ACL)[ \t]*:[ \t]*(\S+)", re.M | re.I
)
"""Lines of a note that say more of an item."""
_NAME = (
    "given firstName dropping-particle non-dropping-particle family lastName suffix literal name"
)


def _from_csl(item: Values) -> ListEntry:
    people = item.get("author")
    people = people if isinstance(people, list) else [people]
    named = ({"literal": one} if isinstance(one, str) else one for one in people[:AUTHORS])
    return ListEntry(
        title=_text(item, "title"),
        date=_issued(item.get("issued")),
        authors=[
            " ".join(filter(None, (_text(one, part) for part in _NAME.split())))
            for one in named
            if isinstance(one, dict)
        ],
        venue=_text(item, "container-title event-title event"),
        abstract=_text(item, "abstract"),
        ids=[
            *map(":".join, _EXTRA.findall(_text(item, "note"))),
            _text(item, "URL"),
            f"PMID:{_text(item, 'PMID')}",
        ],
        notes=[_text(item, "archive_location"), _text(item, "number")],
        dois=[_text(item, "DOI")],
        key=_text(item, "id"),
    )


_KEY_LINE = re.compile(r"^[ \t]*Citation Key[ \t]*:[ \t]*(\S+)", re.M | re.I)
_CONTAINERS = "publicationTitle proceedingsTitle bookTitle conferenceName websiteTitle repository"


def zotero_entry(item: Values) -> ListEntry:
    """An item as Zotero's API gives it: its fields under the names of CSL-JSON."""
    people, extra = item.get("creators"), _text(item, "extra")
    named = [one for one in people if isinstance(one, dict)] if isinstance(people, list) else []
    pinned = _KEY_LINE.search(extra)
    return _from_csl(
        {
            "id": _text(item, "citationKey") or (pinned[1] if pinned else ""),
            "title": item.get("title"),
            "author": [one for one in named if one.get("creatorType") == "author"] or named,
            "issued": item.get("date"),
            "container-title": _text(item, _CONTAINERS),
            "abstract": item.get("abstractNote"),
            "note": extra,
            "URL": item.get("url"),
            "DOI": item.get("DOI"),
            "archive_location": item.get("archiveID"),
        }
    )


def _issued(issued: object) -> str:
    """A date of CSL: ISO, as precise as it is given; one in words as it stands."""
    if not isinstance(issued, dict):
        return issued if isinstance(issued, str) else ""
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = [str(n).zfill(2) for n in first if n] if isinstance(first, list) else []
    return "-".join(numbers) or _text(issued, "raw literal")
