"""The reading list: what a search of the topic found and what that cites together, in one order;
and the ranks of any paper by it.

It is made before any anchor is chosen. Anchors, successors and predecessors are ranked with its
links as well as by their words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.ranking import (
    NEAREST,
    SEEDS,
    Lists,
    above_usual,
    backed,
    best_first,
    cited_by,
    co_citation,
    coupling,
    fused,
    local_citations,
    ranks,
    unlinked,
    weights,
)
from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.base.reads import TOPIC, criteria, of_parents, reading, rules
from coi_tui.methods.base.task import MethodTask, by_id, papers_of, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.searches import search_record
from coi_tui.methods.paper_similarity import Similarity
from coi_tui.methods.services import Services
from coi_tui.model.address import READING, cell_ref
from coi_tui.model.content import ReadingContent, ReadingRow
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count
from coi_tui.process import run_in_thread
from coi_tui.services.sources.types import Source

HITS = 100
"""Papers asked for in the one search: as many as a service gives in one answer."""
READ = 300
"""Cited papers whose records are asked for, those that most hits cite first: one request at
Semantic Scholar."""
LISTED = 200
"""Papers in the list, at most."""
ORDER = (
    f"the {NEAREST} papers that fit the topic best, and those that the papers found cite for more "
    "than their fame, by fit and citations together; the rest comes after them in the same way"
)
LIST_READ = of_parents("reading?=reading#entries", once=True)
LINKS_READ = of_parents("reading_links?=reading#cites", once=True)
"""A regenerated reading list changes nothing that was chosen with the one before."""


@dataclass(frozen=True)
class Found:
    """The papers that are known, and what each hit cites."""

    hits: tuple[Paper, ...]
    papers: Mapping[str, Paper]
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    note: str = ""


class ReadingListTask(MethodTask):
    """One search of the topic, one request for what the hits cite, one for the records of the
    papers cited most."""

    name = "reading list"
    reads = staticmethod(reading(TOPIC, criteria))
    size = Cost(searches=(3, 5))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, topic, asked = self.services(ctx), inputs.one("topic"), rules(inputs)
        source = services.source()
        answer = await source.search(topic, HITS)
        services.at(1)
        found = await with_references(services, answer.papers, source)
        similar = await services.similarity(topic, list(found.papers.values()))
        signals = await run_in_thread(rankings, similar, found)
        entries = _entries(found, similar, signals, asked)
        content: Fields = {
            "entries": entries,
            "cites": _shared_links(found.lists, {e["paper"] for e in entries}),
            "ranked": f"{similar.how}, with citations among the {count(len(found.hits), 'paper')} found"
            if found.lists
            else similar.how,
            "order": ORDER
            if found.lists
            else "by similarity to the topic and the order of the search",
            "tries": [search_record(answer)],
            "note": answer.lacking
            or (found.note if found.hits else "No paper was found for the topic."),
        }
        if asked:
            content["left_out"] = sum("left_out" in e for e in entries)
        papers = (found.papers[e["paper"]] for e in entries)
        return result(inputs, content, "source", {"source": answer.source}, papers)


async def with_references(
    services: Services, hits: Sequence[Paper], source: Source, most: int = READ
) -> Found:
    """The hits with what they cite, of which at most ``most`` are described. Where the lists cannot
    be had the hits are alone, and a note says why."""
    if not hits:
        return Found((), {})
    try:
        listed = await source.reference_lists(hits)
        described = by_id((*listed.papers, *hits))
        wanted = _to_describe(listed.lists, described)[:most]
        services.at()
        answer = await source.papers(wanted) if wanted else []
    except ServiceError as error:
        note = f"What {len(hits)} of the papers found cite is not counted. {error.message}"
        return Found(tuple(hits), by_id(hits), note=note)
    records = {asked: p for asked, p in zip(wanted, answer, strict=True) if p is not None}
    renamed = {asked: record.id for asked, record in records.items()}
    lists = {
        citing: tuple(dict.fromkeys(renamed.get(p, p) for p in cited))
        for citing, cited in listed.lists.items()
    }
    readable = (p for p in described.values() if p.abstract)
    papers = by_id((*records.values(), *readable, *hits))
    return Found(tuple(hits), papers, lists, listed.note)


def _to_describe(lists: Lists, described: Mapping[str, Paper]) -> list[str]:
    """The cited papers that cannot be read yet, those that most hits cite first."""
    often = cited_by(lists)
    bare = [p for p in often if p not in described or not described[p].abstract]
    return sorted(bare, key=lambda paper_id: (-often[paper_id], paper_id))


def rankings(similar: Similarity, found: Found) -> dict[str, dict[str, int]]:
    """The rank of each paper by each signal: similarity, citations by the hits, co-citation with
    the most similar, coupling, the search."""
    scores = {
        "citations": local_citations(similar.words, found.lists),
        "citations by vectors": local_citations(above_usual(similar.vectors), found.lists),
        "co-citation": co_citation(similar.nearest(SEEDS), found.lists),
        "coupling": coupling(found.lists),
        "search": {paper.id: 1.0 / n for n, paper in enumerate(found.hits, 1)},
    }
    known = {
        signal: ranks({p: score for p, score in by.items() if p in similar.words})
        for signal, by in scores.items()
    }
    return similar.rankings() | {signal: placed for signal, placed in known.items() if placed}


def _entries(
    found: Found, similar: Similarity, signals: Mapping[str, Mapping[str, int]], asked: Criteria
) -> list[Fields]:
    """Rows of the list, best first: what fits or is ``backed``, then the rest; what the criteria
    leave out comes last."""
    often, hits = cited_by(found.lists), {p.id for p in found.hits}
    bare = unlinked(found.papers.values(), found.lists.keys() | often.keys())
    scores = fused(signals, weights(found.lists, len(found.hits)), bare)
    fame = {p.id: p.citations.count or 0 for p in found.papers.values()}
    first = similar.fitting(NEAREST)
    first |= backed(similar.words, similar.nearest(SEEDS), found.lists, fame)
    order = sorted(best_first(scores, scores), key=lambda paper_id: paper_id not in first)
    rows = [
        entry(
            found.papers[paper_id],
            scores[paper_id],
            asked,
            ranks=placed_by(signals, paper_id),
            similarity=round(similar.words.get(paper_id, 0.0), 4),
            cited_by=often.get(paper_id, 0),
            found=paper_id in hits,
        )
        for paper_id in order[:LISTED]
    ]
    rows.sort(key=lambda row: "left_out" in row)
    return [{**row, "rank": n} for n, row in enumerate(rows, 1)]


def _shared_links(
    lists: Mapping[str, Sequence[str]], listed: Collection[str]
) -> dict[str, list[str]]:
    """The lists without papers that one hit alone cites and that are not in the list: nothing follows
    from those."""
    often = cited_by(lists)
    return {
        citing: shared
        for citing, cited in lists.items()
        if (shared := [p for p in cited if often[p] > 1 or p in listed])
    }


# -- what the list says of other papers


def listed_papers(state: State, inputs: Inputs) -> list[Paper]:
    """The papers of the list, best first."""
    return papers_of(state, inputs.one("reading") or [])


class ReadingLinks:
    """The links of a reading list, for ranking what a chain may take; without a list there are
    none. The rows are taken as they are: six ends of three chains read hundreds at the same
    moment."""

    def __init__(self, inputs: Inputs) -> None:
        rows = inputs.one("reading") or []
        self._ranks = {row["paper"]: row["rank"] for row in rows}
        self._cites: Mapping[str, Sequence[str]] = inputs.one("reading_links") or {}
        self.cited_by = {row["paper"]: row["cited_by"] for row in rows if row["cited_by"]}
        """How many of the papers that the search found cite each paper of the list that any
        cites."""
        self.linked = self._cites.keys() | self.cited_by.keys()
        self.best = [r["paper"] for r in rows if r["readable"] and not r.get("left_out")]
        """The papers that the criteria do not leave out and that can be read, the first first."""

    def rankings(
        self, papers: Iterable[str], cited_with: Iterable[str] = ()
    ) -> dict[str, dict[str, int]]:
        """Ranks among ``papers``: by their place in the reading list, and by how often they are
        cited together with ``cited_with``."""
        wanted = set(papers)
        placed = {p: 1.0 / rank for p, rank in self._ranks.items() if p in wanted}
        cited = co_citation(cited_with, self._cites).items()
        together = {paper: score for paper, score in cited if paper in wanted}
        signals = {"reading list": ranks(placed), "co-citation": ranks(together)}
        return {signal: found for signal, found in signals.items() if found}


def entry(paper: Paper, score: float, criteria: Criteria, **more: Any) -> Fields:
    """A row of a candidate list. ``score`` is similarity of text, not quality; ``left_out`` is
    there where the criteria leave it out."""
    row = {
        "paper": paper.id,
        "score": round(score, 4),
        "year": paper.year,
        "readable": bool(paper.abstract),
        **more,
    }
    return {**row, "left_out": why} if (why := left_out(paper, criteria)) else row


def placed_by(signals: Mapping[str, Mapping[str, int]], paper_id: str) -> dict[str, int]:
    """The rank of a paper by each signal that knows it."""
    return {signal: placed[paper_id] for signal, placed in signals.items() if paper_id in placed}


# -- the list as it is shown

SIGNALS = {"coupling": "shared references", "search": "search order"}
"""Signals whose names would not be understood on the screen."""
BEST = 3
"""Ranks shown for a paper, the best first."""
MISSING = 3


@dataclass(frozen=True)
class ReadingEntry:
    """A paper of the list at its rank. ``places``: where it is in the session."""

    rank: int
    row: ReadingRow
    paper: Paper
    places: tuple[str, ...] = ()
    rejected: bool = False

    def reasons(self) -> str:
        """Why it is in the list, in words: its place in the session, who cites it, and its best
        ranks."""
        row = self.row
        cited = f"cited by {row.cited_by} of the papers found" if row.cited_by > 1 else ""
        best = sorted(row.ranks.items(), key=lambda pair: (pair[1], pair[0]))[:BEST]
        ranked = ", ".join(f"{SIGNALS.get(signal, signal)} #{rank}" for signal, rank in best)
        out = f"left out by your criteria: {row.left_out}" if row.left_out else ""
        out = out or ("rejected" if self.rejected else "")
        return "; ".join(part for part in (row.by, *self.places, cited, ranked, out) if part)


@dataclass(frozen=True)
class ReadingList:
    """The list with the words of its search. ``missing``: what most of the papers found cite, among
    those that are and were in no chain, were not refused and have no PDF attached."""

    entries: tuple[ReadingEntry, ...]
    searched: tuple[str, ...] = ()
    order: str = ""
    note: str = ""
    missing: tuple[ReadingEntry, ...] = ()


def reading_list(state: State) -> ReadingList:
    """The papers in the order that the search of the topic gave them; rejected ones come last."""
    content = stored(state, READING, ReadingContent)
    places: dict[str, list[str]] = {}
    for slot in Chains.of(state).slots.values():
        where = f"in chain {cell_ref(slot.address).branch} at {slot.address}"
        places.setdefault(slot.paper or "", []).append(where)
    chains = Chains.of(state)
    rejected = set[str]().union(*map(chains.rejected, state.branches))
    shelved = (item.paper for item in chains.shelf if item.kind != "late")
    known = {*places, *chains.attached, *shelved}
    rows = [row for row in content.entries if row.paper in state.papers]
    rows.sort(key=lambda row: bool(row.left_out) or row.paper in rejected)
    entries = tuple(
        ReadingEntry(
            n, row, state.papers[row.paper], tuple(places.get(row.paper, ())), row.paper in rejected
        )
        for n, row in enumerate(rows, 1)
    )
    often = (e for e in entries if e.row.cited_by > 1 and not e.row.left_out)
    missing = sorted((e for e in often if e.paper.id not in known), key=lambda e: -e.row.cited_by)
    searched = tuple(map(str, content.tries))
    return ReadingList(entries, searched, content.order, content.note, tuple(missing[:MISSING]))
