"""The reading list: what a search of the topic found and what that cites together, in one order;
and the ranks of any paper by it.

It is made before any anchor is chosen. Anchors, successors and predecessors are ranked with its
links as well as by their words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.literature.citation_ranking import (
    SEEDS,
    above_usual,
    best_first,
    cited_by,
    co_citation,
    coupling,
    fused,
    local_citations,
    ranks,
)
from coi_tui.literature.ranking import rank
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import entry, placed_by, search_record
from coi_tui.methods.shared.reads import TOPIC, criteria, rules
from coi_tui.model.address import READING, ref
from coi_tui.model.content import ReadingContent, ReadingRow
from coi_tui.model.criteria import Criteria
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import Source
    from coi_tui.methods.services import Services
    from coi_tui.methods.similarity import Similarity

HITS = 100
"""Papers asked for in the one search: as many as a service gives in one answer."""
READ = 300
"""Cited papers whose records are asked for, those that most hits cite first: one request at
Semantic Scholar."""
LISTED = 200
"""Papers kept in the list."""
LIST_READ = Read("reading", ref(READING, "entries"), optional=True, parent=True, once=True)
LINKS_READ = Read("reading_links", ref(READING, "cites"), optional=True, parent=True, once=True)
"""A reading list made anew changes nothing that was chosen with the one before."""


@dataclass(frozen=True)
class Found:
    """The papers that are known, and what each hit cites."""

    hits: tuple[Paper, ...]
    papers: Mapping[str, Paper]
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    note: str = ""


class ReadingListStep(MethodStep):
    """One search of the topic, one request for what the hits cite, one for the records of the
    papers cited most."""

    name = "reading list"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC, *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(3, 5))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, topic, asked = self.services(ctx), str(inputs.one("topic")), rules(inputs)
        source = services.source()
        answer = await source.search(topic, HITS)
        services.at(1)
        found = await with_references(services, topic, answer.papers, source)
        similar = await services.similarity(topic, list(found.papers.values()))
        signals = await beside(rankings, similar, found)
        entries = _entries(found, similar.words, signals, asked)
        content: dict[str, Any] = {
            "entries": entries,
            "cites": _links_kept(found.lists, {e["paper"] for e in entries}),
            "ranked": f"{similar.how}, with citations among the {count(len(found.hits), 'paper')} found"
            if found.lists
            else similar.how,
            "tries": [search_record(answer)],
            "note": answer.lacking
            or (found.note if found.hits else "No paper was found for the topic."),
        }
        if asked:
            content["left_out"] = sum("left_out" in e for e in entries)
        kept = tuple(found.papers[e["paper"]] for e in entries)
        return Result((Made(inputs.address, content, "source", {"source": answer.source}),), kept)


async def with_references(
    services: Services, topic: str, hits: Sequence[Paper], source: Source
) -> Found:
    """The hits with what they cite. Where the lists cannot be had the hits stand alone, and a note
    says why."""
    if not hits:
        return Found((), {})
    try:
        listed = await source.reference_lists(hits)
        described = {p.id: p for p in (*listed.papers, *hits)}
        wanted = await beside(_worth_reading, topic, listed.lists, described)
        services.at(2)
        records = await source.papers(wanted) if wanted else []
    except ServiceError as error:
        return Found(
            tuple(hits),
            {p.id: p for p in hits},
            note=f"Citations among the papers found are not counted. {error.message}",
        )
    renamed = {
        asked: record.id
        for asked, record in zip(wanted, records, strict=True)
        if record is not None
    }
    lists = {
        citing: tuple(dict.fromkeys(renamed.get(p, p) for p in cited))
        for citing, cited in listed.lists.items()
    }
    read = {record.id: record for record in records if record is not None}
    readable = {p.id: p for p in described.values() if p.abstract}
    return Found(tuple(hits), read | readable | {p.id: p for p in hits}, lists, listed.note)


def _worth_reading(
    topic: str, lists: Mapping[str, Sequence[str]], described: Mapping[str, Paper]
) -> list[str]:
    """Cited papers whose records are worth a request: not yet readable, cited by most hits first,
    similar titles among equals."""
    often = cited_by(lists)
    lacking = [
        paper_id
        for paper_id in often
        if paper_id not in described or not described[paper_id].abstract
    ]
    similar = {
        p.id: score
        for score, p in rank(
            topic, [described[paper_id] for paper_id in lacking if paper_id in described]
        )
    }
    return sorted(
        lacking, key=lambda paper_id: (-often[paper_id] - 2 * similar.get(paper_id, 0.0), paper_id)
    )[:READ]


def rankings(similar: Similarity, found: Found) -> dict[str, dict[str, int]]:
    """The rank of each paper by each signal: similarity, citations by the hits, co-citation with
    the most similar, coupling, the search."""
    scores = {
        "citations": local_citations(similar.words, found.lists),
        "citations by vectors": local_citations(above_usual(similar.vectors), found.lists),
        "co-citation": co_citation(similar.nearest(SEEDS), found.lists),
        "coupling": coupling(found.lists),
        "search": {paper.id: 1.0 / n for n, paper in enumerate(found.hits, start=1)},
    }
    known = {
        signal: ranks({p: score for p, score in by.items() if p in similar.words})
        for signal, by in scores.items()
    }
    return similar.rankings() | {signal: placed for signal, placed in known.items() if placed}


def _entries(
    found: Found,
    similarity: Mapping[str, float],
    signals: Mapping[str, Mapping[str, int]],
    asked: Criteria,
) -> list[dict[str, Any]]:
    """Rows of the list, best first; what the criteria leave out comes last."""
    scores, often, hits = fused(signals), cited_by(found.lists), {p.id for p in found.hits}
    rows = []
    for paper_id in best_first(scores, scores)[:LISTED]:
        known = {
            "similarity": round(similarity.get(paper_id, 0.0), 4),
            "cited_by": often.get(paper_id, 0),
            "found": paper_id in hits,
        }
        rows.append(
            entry(
                found.papers[paper_id],
                scores[paper_id],
                asked,
                ranks=placed_by(signals, paper_id),
                **known,
            )
        )
    rows.sort(key=lambda row: "left_out" in row)
    return [{**row, "rank": n} for n, row in enumerate(rows, start=1)]


def _links_kept(
    lists: Mapping[str, Sequence[str]], listed: Collection[str]
) -> dict[str, list[str]]:
    """The lists without papers that one hit alone cites and that are not in the list: nothing can
    be told from those."""
    often = cited_by(lists)
    return {
        citing: kept
        for citing, cited in lists.items()
        if (kept := [p for p in cited if often[p] > 1 or p in listed])
    }


# -- what the list says of other papers


_links_read_last: tuple[list[Any], dict[str, Any], ReadingLinks] | None = None
"""A list of 300 papers takes 20 ms to read, and the six ends of three chains need it at the same
moment: told by identity, kept once."""


class ReadingLinks:
    """The links of a reading list, for ranking what a chain may take."""

    def __init__(self, content: ReadingContent) -> None:
        self.rows = {row.paper: row for row in content.entries}
        self.cites = content.cites
        self.cited_by = {
            paper_id: row.cited_by for paper_id, row in self.rows.items() if row.cited_by
        }
        """How many of the papers that the search found cite each paper of the list that any
        cites."""

    @classmethod
    def of(cls, inputs: Inputs) -> ReadingLinks:
        """The reading list among a step's inputs; empty where there is none. Read once while
        several steps take the same list."""
        global _links_read_last
        entries, cites = inputs.one("reading") or [], inputs.one("reading_links") or {}
        if (
            _links_read_last is None
            or _links_read_last[0] is not entries
            or _links_read_last[1] is not cites
        ):
            _links_read_last = (
                entries,
                cites,
                cls(ReadingContent.from_held({"entries": entries, "cites": cites})),
            )
        return _links_read_last[2]

    def best(self, limit: int) -> list[ReadingRow]:
        """The first rows that the criteria do not leave out and that can be read."""
        return [row for row in self.rows.values() if row.eligible][:limit]

    def is_cited(self, paper_id: str) -> bool:
        """Whether another paper that the search found cites this one; for no paper where no links
        are known."""
        return paper_id in self.cited_by

    def rankings(
        self, papers: Iterable[str], cited_with: Iterable[str] = ()
    ) -> dict[str, dict[str, int]]:
        """Ranks among ``papers``: by their place in the reading list, and by how often they are
        cited together with ``cited_with``."""
        wanted = set(papers)
        placed = {
            p: 1.0 / self.rows[p].rank for p in wanted if p in self.rows and self.rows[p].rank
        }
        together = {
            p: score for p, score in co_citation(cited_with, self.cites).items() if p in wanted
        }
        return {
            signal: found
            for signal, found in (("reading list", ranks(placed)), ("co-citation", ranks(together)))
            if found
        }
