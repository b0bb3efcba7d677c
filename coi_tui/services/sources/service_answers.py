"""What the clients of scholarly services share: reading values that may be missing or odd, and
making up the answers of a source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url
from coi_tui.literature.paper_limits import bounded
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Link, Paper
from coi_tui.model.text import clean_line, listed
from coi_tui.services.sources.types import Direction, HttpAnswer, SearchResult

Uses = Mapping[str, Mapping[str, Any]]
"""``intents``, ``contexts`` and ``influential`` of single citations."""

INTENT_WORDS = {"background": "background", "methodology": "method", "result": "result"}
"""What a citation may be for, as the services name it and as it is said."""


def as_dict(value: object) -> dict[str, Any]:
    """The object itself; an empty one in place of null or anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The list itself; an empty one in place of null or anything else."""
    return value if isinstance(value, list) else []


def whole_number(value: object) -> int | None:
    """A count that may come as a number or as text; None when it is neither, or beyond all
    counting."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:18])
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15
        else None
    )


def web_url(value: object) -> str | None:
    """A web address as it was given, blanks in it escaped (some records have them); None for
    anything else."""
    url = clean_line(value)
    return (
        url.replace(" ", "%20")
        if isinstance(value, str) and re.match(r"https?://[^\s/]", url)
        else None
    )


def ids_from(texts: Iterable[str]) -> dict[str, str]:
    """Identifiers by scheme; texts that are none are left out, and the first of a scheme counts."""
    ids: dict[str, str] = {}
    for text in texts:
        if found := normalise_id(text):
            ids.setdefault(*found)
    return ids


def broken_answer(service: str, what: str) -> ServiceError:
    """The error for an answer that is not in the documented form."""
    return ServiceError(service, "broken", f"{service} sent {what}.", "Try again later.")


def json_object(answer: HttpAnswer, service: str) -> dict[str, JsonValue]:
    """The JSON object of an answer. Raises ServiceError for any other answer."""
    if answer.status != 200 or not isinstance(answer.payload, dict):
        raise broken_answer(
            service, f"an answer (status {answer.status}) that is not the expected JSON object"
        )
    return answer.payload


def search_result(
    service: str, query: str, words: str, papers: Sequence[Paper], total: int | None, day: str
) -> SearchResult:
    """What a search found, with how it was sent, where that differs from the query."""
    notes = [f"searched as “{words}”"] if words != clean_line(query) else []
    found = len(papers)
    notes.append(
        f"{found} of about {total}" if total else "nothing found" if not found else f"{found} found"
    )
    return SearchResult(
        query=query,
        source=service,
        asked_at=day,
        total=total,
        papers=tuple(papers),
        note="; ".join(notes),
    )


def not_searched(service: str, query: str) -> SearchResult:
    """The answer to a query without a word to search for."""
    return SearchResult(
        query=query, source=service, note="no words to search for; nothing was asked"
    )


def record(
    service: str, ids: dict[str, str], today: str, count: int | None = None, **fields: Any
) -> Paper:
    """The paper of one record of a service, within sane lengths; ``today`` dates its citation
    count."""
    counted = Citations() if count is None else Citations(count=count, source=service, read=today)
    paper = Paper(
        id=paper_key(ids), ids=ids, citations=counted, url=paper_url(ids), source=service, **fields
    )
    return bounded(paper, today)


def list_note(rows_read: int, total: int | None, complete: bool, unresolved: int) -> str:
    """How much of a list was read, in words."""
    if complete:
        note = f"looked at all {rows_read}" if rows_read else "the list is empty"
    else:
        note = (
            f"looked at {rows_read} of about {total}"
            if total
            else f"looked at the first {rows_read}; there are more"
        )
    return f"{note}; {unresolved} without an id" if unresolved else note


def without(paper: Paper, others: Iterable[Paper]) -> list[Paper]:
    """The others except records of the paper itself."""
    ids = set(known_ids(paper).items())
    return [
        other
        for other in others
        if other.id != paper.id and not ids & set(known_ids(other).items())
    ]


def citation_links(
    paper: Paper,
    others: Iterable[Paper],
    direction: Direction,
    service: str,
    read: str,
    uses: Uses | None = None,
) -> tuple[Link, ...]:
    """A link between the paper and each other one; ``read`` is the date on which the service listed
    it.

    ``uses``: what the service says of the citations, by the other paper's id.
    """
    links = []
    for other in others:
        citing, cited = (other.id, paper.id) if direction == "citing" else (paper.id, other.id)
        use = (uses or {}).get(other.id, {})
        evidence = "; ".join((f"listed by {service}, read {read}", *_use_in_words(use)))
        links.append(Link(citing=citing, cited=cited, kind="cites", evidence=evidence, **use))
    return tuple(links)


def _use_in_words(use: Mapping[str, Any]) -> Iterator[str]:
    """``influential``, then ``cited as method: “We build on it.”``; the sentence is the citing
    paper's own, and is quoted."""
    if use.get("influential"):
        yield "influential"
    intents, contexts = use.get("intents") or (), use.get("contexts") or ()
    as_what = (
        f"cited as {listed([INTENT_WORDS[intent] for intent in intents])}"
        if intents
        else "cited in"
        if contexts
        else ""
    )
    if as_what:
        yield f"{as_what}: “{contexts[0]}”" if contexts else as_what
