"""The searches of a novelty check: run side by side, each with its outcome, and what they found
(COI-12)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.literature.ranking import content_words, stems
from coi_tui.model.content import IdeaClaim, NoveltySearch
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, sentence
from coi_tui.services.llm.offline import without_hints

if TYPE_CHECKING:
    from coi_tui.services.sources.types import Source

WHOLE_IDEA_WORDS = 20
"""Most words of the search with the whole idea: services answer longer ones badly or not at all
(see ``benchmarks/novelty.py``)."""


@dataclass(frozen=True)
class Searched:
    """One search: its row in the report, and what it found or why it failed."""

    row: NoveltySearch
    papers: tuple[Paper, ...] = ()
    error: ServiceError | None = None


async def search_all(
    source: Source, claims: Sequence[IdeaClaim], whole: str, hits: int
) -> list[Searched]:
    """A search for each phrase of a claim and one with the whole idea, side by side; claims of one
    phrase share theirs."""
    phrases: dict[str, int] = {}
    for n, claim in enumerate(claims, start=1):
        for phrase in claim.queries:
            phrases.setdefault(phrase, n)
    asked = [*phrases.items(), (whole, 0)]
    return await asyncio.gather(
        *(search_once(source, query, hits, claim) for query, claim in asked)
    )


def whole_idea(text: Mapping[str, Any]) -> str:
    """The idea as one search: the words of its title, then the words that it uses most, without
    generic research words."""
    title = without_hints(str(text.get("title") or ""))
    body = without_hints(
        "\n".join(str(part) for name, part in text.items() if part and name != "title")
    )
    used = Counter(stems(body))
    core = sorted(
        content_words(body).items(), key=lambda word: -used[word[0]]
    )  # equals stay in the order of the text
    words = content_words(title)
    for stem, word in core:
        words.setdefault(stem, word)
    return " ".join(list(words.values())[:WHOLE_IDEA_WORDS]) or clean_line(title)


async def search_once(
    source: Source, query: str, hits: int, claim: int = 0, angle: str = ""
) -> Searched:
    """One search and its outcome: ok, empty or failed, three different things.

    It is for a claim, against the idea from an ``angle``, or else (claim 0) with the whole idea.
    """
    row = NoveltySearch(
        query=query, source=source.name, whole=not (claim or angle), claim=claim, angle=angle
    )
    try:
        found = await source.search(query, hits)
    except ServiceError as error:
        failed = {"outcome": "failed", "note": error.message}
        return Searched(row.model_copy(update=failed), error=error)
    answer = {
        "source": found.source,
        "date": found.asked_at or "",
        "hits": len(found.papers),
        "note": found.note,
        "outcome": "ok" if found.papers else "empty",
    }
    return Searched(row.model_copy(update=answer), tuple(found.papers))


def raise_failed(searches: Sequence[Searched]) -> None:
    """Raise the first error of the searches, with how many failed."""
    first = next((search.error for search in searches if search.error is not None), None)
    if first is not None:
        said = failed_by_name([search.row for search in searches])
        hint = first.hint or "The report before it stays in use; check again."
        raise ServiceError(first.service, first.kind, said, hint)


def failed_by_name(searches: Sequence[NoveltySearch]) -> str:
    """How many searches failed, and the first of them with its cause; empty where none did."""
    failed = [search for search in searches if search.outcome == "failed"]
    if not failed:
        return ""
    first = failed[0]
    what = "The search with the whole idea" if first.whole else f"The search “{first.query}”"
    where = first.source or "the service"
    return f"{len(failed)} of {len(searches)} searches failed. {what} in {where}: {sentence(first.note)}"


def collect(searches: Sequence[Searched]) -> tuple[dict[str, Paper], dict[str, list[str]]]:
    """The papers found, by id, and the queries that found each."""
    papers: dict[str, Paper] = {}
    found_by: dict[str, list[str]] = {}
    for search in searches:
        for p in search.papers:
            papers.setdefault(p.id, p)
            found_by.setdefault(p.id, []).append(search.row.query)
    return papers, found_by
