"""What the clients of scholarly services have in common: reading values that may be missing or odd,
and making up answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url
from coi_tui.literature.paper_limits import bounded
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Link, Paper, PaperText
from coi_tui.model.text import clean_line, listed
from coi_tui.services.pdf.full_text import read_paper
from coi_tui.services.sources.people import people_by_name
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    Fetch,
    HttpAnswer,
    People,
    SearchResult,
    Source,
    Today,
)

Uses = Mapping[str, Mapping[str, Any]]
"""``intents``, ``contexts`` and ``influential`` of single citations."""

INTENT_WORDS = {"background": "background", "methodology": "method", "result": "result"}
"""What a citation may be for, as the services name it and as it is shown."""


class ServiceSource(Source):
    """A source over HTTP; every request goes through the ``Fetch`` it is given. The same answers
    and ``today`` give the same results. Raises ServiceError wherever it cannot tell."""

    scheme = ""
    """The service's own kind of identifier."""

    def __init__(self, fetch: Fetch, base_url: str = "", *, today: Today) -> None:
        self._fetch, self._base, self._today = fetch, base_url.rstrip("/"), today

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers``: nothing is asked."""
        day = self._today() if papers else None
        return people_by_name(papers, (), most, each, source=self.name, asked_at=day)

    async def text(self, paper: Paper) -> PaperText:
        return await read_paper(self._fetch, paper, self, self.scheme)

    def _found(
        self, query: str, words: str, papers: Iterable[Paper], total: int | None, limit: int
    ) -> SearchResult:
        """What a search found, with how it was sent, where that differs from the query."""
        found = merge_papers(papers)[:limit]
        note = f"searched as “{words}”; " if words != clean_line(query) else ""
        note += (
            f"{len(found)} of about {total}"
            if total
            else f"{len(found)} found"
            if found
            else "nothing found"
        )
        return SearchResult(
            query=query,
            source=self.name,
            asked_at=self._today(),
            total=total,
            papers=tuple(found),
            note=note,
        )

    def _not_searched(self, query: str) -> SearchResult:
        """The answer to a query without a word to search for."""
        note = "no words to search for; nothing was asked"
        return SearchResult(query=query, source=self.name, note=note)

    def _listed(
        self,
        paper: Paper,
        direction: Direction,
        others: Iterable[Paper],
        uses: Uses | None = None,
        **fields: Any,
    ) -> CitationList:
        """The list of ``others`` with a link to each. ``uses``: what the service says of the
        citations, by the other paper's id."""
        found, uses, day = merge_papers(others), uses or {}, self._today()
        links = []
        for other in found:
            citing, cited = (other.id, paper.id) if direction == "citing" else (paper.id, other.id)
            use = uses.get(other.id, {})
            evidence = "; ".join((f"listed by {self.name}, read {day}", *_use_in_words(use)))
            links.append(Link(citing=citing, cited=cited, kind="cites", evidence=evidence, **use))
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(found),
            links=tuple(links),
            asked_at=day,
            **fields,
        )

    def _object(self, answer: HttpAnswer) -> dict[str, Any]:
        """The JSON object of an answer. Raises ServiceError for any other answer."""
        if answer.status != 200 or not isinstance(answer.payload, dict):
            raise self._broken(
                f"an answer (status {answer.status}) that is not the expected JSON object"
            )
        return answer.payload

    def _rows(self, rows: object) -> list[Any]:
        """The rows of a list. Raises ServiceError for anything else."""
        if not isinstance(rows, list):
            raise self._broken("something else than a list")
        return rows

    def _broken(self, what: str) -> ServiceError:
        """The error for an answer that is not in the documented form."""
        return ServiceError(self.name, "broken", f"{self.name} sent {what}.", "Try again later.")


def service_record(
    service: str, ids: dict[str, str], today: str, count: object = None, **fields: Any
) -> Paper:
    """The paper of one record of a service, within sane lengths; ``today`` dates its citation
    count."""
    number = whole_number(count)
    counted = Citations() if number is None else Citations(count=number, source=service, read=today)
    paper = Paper(
        id=paper_key(ids), ids=ids, citations=counted, url=paper_url(ids), source=service, **fields
    )
    return bounded(paper, today)


# values of answers


def dig(value: object, *names: str) -> Any:
    """What nested objects hold under these names; None where anything on the way is missing or
    odd."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def as_list(value: object) -> list[Any]:
    """The list itself; an empty one in place of null or anything else."""
    return value if isinstance(value, list) else []


def lines(values: Iterable[object]) -> tuple[str, ...]:
    """The texts among some values, each on one line; empty ones are left out."""
    return tuple(filter(None, map(clean_line, values)))


def whole_number(value: object) -> int | None:
    """A count that may come as a number or as text; None when it is neither, or beyond all
    counting."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:18])
    number = value if isinstance(value, int) and not isinstance(value, bool) else -1
    return number if 0 <= number < 10**15 else None


def web_url(value: object) -> str | None:
    """A web address as it was given, blanks in it escaped (some records have them); None for
    anything else."""
    url = clean_line(value) if isinstance(value, str) else ""
    return url.replace(" ", "%20") if re.match(r"https?://[^\s/]", url) else None


def ids_from(texts: Iterable[str]) -> dict[str, str]:
    """Identifiers by scheme; texts that are none are left out, and the first of a scheme counts."""
    ids: dict[str, str] = {}
    for found in filter(None, map(normalise_id, texts)):
        ids.setdefault(*found)
    return ids


def chunks(values: Sequence[str], most: int) -> list[Sequence[str]]:
    """The values in order, at most so many together."""
    return [values[start : start + most] for start in range(0, len(values), most)]


# lists of citations


def list_note(rows_read: int, total: int | None, complete: bool, without_id: int = 0) -> str:
    """How much of a list was read, in words."""
    if complete:
        note = f"looked at all {rows_read}" if rows_read else "the list is empty"
    elif total:
        note = f"looked at {rows_read} of about {total}"
    else:
        note = f"looked at the first {rows_read}; there are more"
    return f"{note}; {without_id} without an id" if without_id else note


def without(paper: Paper, others: Iterable[Paper]) -> list[Paper]:
    """The others except records of the paper itself."""
    ids = known_ids(paper).items()
    return [
        other for other in others if other.id != paper.id and not ids & known_ids(other).items()
    ]


def _use_in_words(use: Mapping[str, Any]) -> Iterator[str]:
    """``influential``, then ``cited as method: “We build on it.”``; the sentence is the citing
    paper's own, and is quoted."""
    if use.get("influential"):
        yield "influential"
    purposes = [INTENT_WORDS[intent] for intent in use.get("intents", ())]
    context = "".join(f": “{text}”" for text in use.get("contexts", ())[:1])
    if purposes or context:
        yield f"cited {f'as {listed(purposes)}' if purposes else 'in'}{context}"
