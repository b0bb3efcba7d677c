"""Lists of papers that are not BibTeX: RIS (of Zotero, EndNote, Scopus and others), PubMed's and Web
of Science's own tags, CSL-JSON; and the items of Zotero's API, which are much like the last.

rispy reads tags. It is given one record at a time, since one without an end would swallow the next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from coi_tui.literature.list_entries import (
    ListEntry,
    arxiv_in,
    doi_in,
    files_in,
    given_name_first,
)
from coi_tui.literature.paper_records import AUTHORS
from coi_tui.model.errors import UsageError

MOST_RECORD = 400_000
"""Characters of a record; what comes after is left out."""
Labelled = tuple[str, ListEntry | None]
"""What names an entry to a person, and the entry; None where it cannot be read."""


def other_entries(text: str, name: str) -> Iterator[Labelled]:
    """The entries of a list in its order; how it begins says which format it is. Raises UsageError
    where it is none."""
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
        r"(?:\d+\.\s+)?TY {0,2}-",
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
_KEPT = f"TY TI T1 TT AB N2 DA DB DP IS PB PM PMID PY Y1 {_REPEATED} {_VENUES}"


def _tagged(records: list[str], pattern: str) -> Iterator[Labelled]:
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
        lines = [line for line in record[:MOST_RECORD].split("\n") if line.strip()]
        tags = [re.fullmatch(pattern, line) for line in lines]
        while tags and tags[0] is None:  # what stands before the first record
            del tags[0], lines[0]
        if any(tag and tag[1] in _KEPT and tag[1] != "TY" for tag in tags):
            found = parser.parse("\n".join(["TY  - GEN", *lines, "ER  - "]))
            yield " / ".join(lines[1:3]), _from_tags(found[0]) if found else None


def _from_tags(record: Mapping[str, Any]) -> ListEntry:
    def values(tags: str) -> list[str]:
        """What the tags say; one that may be repeated is a list."""
        found = (record.get(tag) or [] for tag in tags.split())
        return [v for one in found for v in (one if isinstance(one, list) else [one]) if v]

    dated = [date for date in values("DA PY Y1 DP") if re.search(r"\d{4}", date)]
    medical = re.search("pubmed|medline", " ".join(values("DB DP")), re.IGNORECASE)
    return ListEntry(
        title=" ".join(values("TI T1 TT")[:1]),
        date=" ".join(dated[:1]).replace("/", "-"),
        authors=[*map(given_name_first, (values("AF FAU") or values("AU A1"))[:AUTHORS])],
        venue=" ".join(values(_VENUES)[:1]),
        abstract=" ".join(values("AB N2")[:1]),
        ids=[
            *map(arxiv_in, values(f"M1 AN IS PB {_VENUES}")),
            *(f"PMID:{number}" for number in values("PMID PM" + " AN" * bool(medical))),
            *values("L2 UR")[::-1],
            *map(doi_in, values("DO DI AID LID")),
        ],
        files=[path for value in values("L1") for path in files_in(value)],
    )


# JSON


def _csl(text: str, name: str) -> Iterator[Labelled]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is not whole JSON.", "Export it again.") from None
    items = found.get("items", [found]) if isinstance(found, dict) else found
    for number, item in enumerate(items if isinstance(items, list) else [], 1):
        entry = json_entry(item) if isinstance(item, dict) else None
        yield (entry and _text(item, "id")) or f"item {number}", entry


def _text(item: Mapping[str, Any], names: str) -> str:
    """The first of some fields that says something; Crossref's are lists."""
    for value in map(item.get, names.split()):
        one = value[0] if isinstance(value, list) and value else value
        if isinstance(one, str | int) and str(one).strip():
            return str(one)
    return ""


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


_EXTRA = re.compile(
    r"^[ \t]*(arXiv|DOI|PMID|S2|CorpusId|OpenAlex|ACL|Citation Key)[ \t]*:[ \t]*(\S+)", re.M | re.I
)
"""Lines of a note that say more of an item."""
_NAME = (
    "given firstName dropping-particle non-dropping-particle family lastName suffix literal name"
)


def json_entry(item: Mapping[str, Any], parsed_date: object = "") -> ListEntry:
    """The entry of an item of CSL-JSON or of Zotero. ``parsed_date``: what Zotero reads in its date,
    which is free text."""
    people = _objects(item.get("author")) or _objects(item.get("creators"))
    authors = [one for one in people if one.get("creatorType", "author") == "author"] or people
    signs = [_text(item, name) for name in ("archive_location", "archiveID", "number", "archive")]
    date = parsed_date if isinstance(parsed_date, str) else ""
    return ListEntry(
        title=_text(item, "title"),
        date=date or _issued(item.get("issued")) or _text(item, "date"),
        authors=[
            " ".join(filter(None, (_text(one, part) for part in _NAME.split())))
            for one in authors[:AUTHORS]
        ],
        venue=_text(
            item,
            "container-title publicationTitle proceedingsTitle bookTitle event-title event"
            " conferenceName repository",
        ),
        abstract=_text(item, "abstract abstractNote"),
        ids=[
            *map(arxiv_in, signs),
            *map(":".join, _EXTRA.findall(_text(item, "extra note"))),
            _text(item, "URL url"),
            f"PMID:{_text(item, 'PMID')}",
            doi_in(_text(item, "DOI")),
        ],
    )


def _issued(issued: object) -> str:
    """A date of CSL: ISO, as precise as it is given; one in words as it stands."""
    if not isinstance(issued, dict):
        return issued if isinstance(issued, str) else ""
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = [str(n).zfill(2) for n in first if n] if isinstance(first, list) else []
    return "-".join(numbers) or _text(issued, "raw literal")


def citation_key(item: Mapping[str, Any]) -> str:
    """The citation key of an item of Zotero, also that of Better BibTeX; empty where there is
    none."""
    lines = {name.lower(): value for name, value in _EXTRA.findall(_text(item, "extra"))}
    return _text(item, "citationKey") or lines.get("citation key", "")
