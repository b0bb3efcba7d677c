"""Reading the files of reference managers: BibTeX, CSL-JSON and RIS. A bad entry is named with its
line, the others are taken.

The libraries that read BibTeX and RIS are loaded when such a file is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.bibliography_entry import Entry, arxiv_in, doi_in
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean
from coi_tui.services.http.limits import check_parts
from coi_tui.services.sources.service_answers import as_dict, as_list


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
        from coi_tui.literature.ris_reader import read_ris as read
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


def _csl(text: str) -> Iterator[Entry]:
    try:
        check_parts(text.encode("utf-8", "replace"))
        items = json.loads(text)
    except RecursionError:
        raise UsageError(
            "This JSON is nested too deeply to be a list of papers.",
            "Export the list again as CSL-JSON.",
        ) from None
    except ValueError as error:
        raise UsageError(
            f"This JSON cannot be read ({error}).", "Export the list again as CSL-JSON."
        ) from None
    items = items.get("items", [items]) if isinstance(items, dict) else items
    for n, item in enumerate(as_list(items), start=1):
        yield _csl_entry(item, f"item {n}") if isinstance(item, dict) else Entry(f"item {n}")


def _csl_entry(item: Mapping[str, Any], label: str) -> Entry:
    venue = _said(item.get("container-title"))
    archive = f"{_said(item.get('archive'))}:{_said(item.get('archive_location'))}"
    return Entry(
        label=_said(item.get("id")) or label,
        title=_said(item.get("title")),
        date=_csl_date(as_dict(item.get("issued"))),
        authors=[_csl_name(as_dict(person)) for person in as_list(item.get("author"))],
        venue=venue,
        abstract=_said(item.get("abstract")),
        ids=[
            *map(arxiv_in, (_said(item.get("number")), archive, venue)),
            doi_in(_said(item.get("DOI"))),
            _said(item.get("URL")),
        ],
    )


def _csl_name(person: Mapping[str, Any]) -> str:
    return (
        _said(person.get("literal"))
        or f"{_said(person.get('given'))} {_said(person.get('family'))}"
    )


def _said(value: object) -> str:
    """A text or a number as text; empty for anything else, which may be nested without end."""
    return (
        value
        if isinstance(value, str)
        else str(value)
        if isinstance(value, int | float) and value
        else ""
    )


def _csl_date(issued: Mapping[str, Any]) -> str:
    parts = as_list(next(iter(as_list(issued.get("date-parts"))), []))
    date = "-".join(
        f"{int(part):02d}" for part in map(_said, parts) if re.fullmatch(r"\d{1,4}", part, re.ASCII)
    )
    return date or _said(issued.get("raw")) or _said(issued.get("literal"))
