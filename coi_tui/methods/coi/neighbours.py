"""COI-4, COI-5: candidates for the next successor or predecessor of a chain."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.citation_ranking import best_first, fused, influence, tied_ranks
from coi_tui.methods.base.reads import rules
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.coi import growth as reads
from coi_tui.methods.coi.cards import CITED, CITING
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.evidence.reading_list import ReadingLinks, entry, placed_by
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Link, Paper, strictly_older
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services
    from coi_tui.services.sources.types import CitationList

COMPARED = 49
"""Papers of a list compared by vectors and by their references too, those first whose words are the
most similar: a list may have hundreds, and a run dozens. With the neighbour they are one request
for lists of references.
"""


class NeighbourCandidates(MethodTask):
    """Forward: papers that cite the head. Backward: papers that the tail cites, those that its card
    names first.

    Those that share two references with it come first. Ranked by similarity to the topic, by the
    reading list and by how often a candidate is cited together with anchor and tip. (The paper,
    arXiv 2410.13185, section 3.1, ranks by topic and the anchor's abstract, which drowns the
    topic.) A candidate that would break the order in time is not listed (COI-7); one without an
    abstract is listed but cannot be judged.
    """

    name = "candidates"
    reads = staticmethod(reads.neighbours)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(2, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services, bounds = (
            parse_address(inputs.address),
            self.services(ctx),
            bounds_of(ctx.state),
        )
        tip, anchor, topic = inputs.one("tip"), inputs.one("anchor"), str(inputs.one("topic"))
        source = services.source(stage=0)
        listed = await (
            source.citations(tip, CITING) if at.pos > 0 else source.references(tip, CITED)
        )
        fitting = _fitting(listed.papers, tip, anchor, at.pos)
        services.at(1)
        similar = await services.similarity(topic, fitting, COMPARED)
        similarity = similar.words
        links = ReadingLinks(inputs).rankings(similarity, {anchor.id, tip.id})
        signals = similar.rankings() | links | _influence(listed, similarity)
        akin = await _akin(services, tip, fitting, similarity)
        order = sorted(
            best_first(similarity, fused(signals)), key=lambda paper_id: paper_id not in akin
        )
        by_id = {p.id: p for p in fitting}
        named: list[str] = list(inputs.one("named") or []) if at.pos < 0 else []
        asked = rules(inputs)
        entries = _entries(
            [(similarity[p], by_id[p]) for p in order],
            listed.links,
            named,
            bounds.candidates,
            asked,
            signals,
        )
        content = {
            "entries": entries,
            "ranked": similar.how,
            "source": listed.source or source.name,
            "of": tip.id,
            "withheld": listed.withheld,
            "total": listed.total,
            "looked_at": listed.rows_read,
            "note": listed.note,
            "date": listed.asked_at or "",
        }
        if asked:
            content["left_out"] = sum(bool(left_out(p, asked)) for p in fitting)
        kept = {e["paper"] for e in entries}
        papers = tuple(p for p in fitting if p.id in kept)
        return Result(
            (Made(inputs.address, content, "source", {"source": content["source"]}),), papers
        )


def _influence(listed: CitationList, papers: Collection[str]) -> dict[str, dict[str, int]]:
    """Ranks by what the service says of the citations; nothing where it says nothing."""
    scores = {
        end: influence(link)
        for link in listed.links
        for end in (link.citing, link.cited)
        if end in papers
    }
    return {"influence": placed} if (placed := tied_ranks(scores)) else {}


async def _akin(
    services: Services, tip: Paper, papers: Sequence[Paper], similarity: Mapping[str, float]
) -> set[str]:
    """Which of the most similar papers share at least two references with the tip: one request;
    none where it fails."""
    first = sorted(papers, key=lambda p: (-similarity.get(p.id, 0.0), p.id))[:COMPARED]
    try:
        lists = (await services.source().reference_lists([tip, *first])).lists if first else {}
    except ServiceError:
        return set()
    own = set(lists.get(tip.id, ()))
    return {p.id for p in first if len(own.intersection(lists.get(p.id, ()))) > 1}


def _fitting(papers: Iterable[Paper], tip: Paper, anchor: Paper, pos: int) -> list[Paper]:
    """The papers of a list that may stand at a place: other ones than the chain's ends, and in the
    order of time."""
    return [
        p
        for p in papers
        if p.id not in (tip.id, anchor.id)
        and (strictly_older(tip, p) if pos > 0 else strictly_older(p, tip))
    ]


def _entries(
    ranked: Sequence[tuple[float, Paper]],
    links: Sequence[Link],
    named: Sequence[str],
    limit: int,
    asked: Criteria,
    signals: Mapping[str, Mapping[str, int]],
) -> list[dict[str, Any]]:
    """Rows of the list: papers that the card names first, then in the order given; readable ones
    before those without an abstract. Papers by a link that nobody checked come after all others.

    What the criteria leave out comes last and takes no other paper's place: up to ``limit`` of them
    are listed as well.
    """
    first = _named_papers(named, [p for _, p in ranked])
    by_pair = {(link.citing, link.cited): link for link in links}
    rows = [_row(p, score, asked, _link_of(by_pair, p), named=p.id in first) for score, p in ranked]
    rows.sort(
        key=lambda r: (
            r["link"] == "cites, unconfirmed",
            not r["readable"],
            first.index(r["paper"]) if r["paper"] in first else len(first),
        )
    )
    kept, out = (
        [row for row in rows if bool(row.get("left_out")) is side][:limit] for side in (False, True)
    )
    return [
        {**row, "rank": n, "ranks": placed_by(signals, row["paper"])}
        for n, row in enumerate([*kept, *out], start=1)
    ]


def _named_papers(titles: Iterable[str], papers: list[Paper]) -> list[str]:
    """The papers that a card names by their titles, in its order, each once."""
    from coi_tui.literature.title_match import match_title

    hits = (match_title(title, papers, None).paper for title in titles)
    return list(dict.fromkeys(paper.id for paper in hits if paper is not None))


def _link_of(links: Mapping[tuple[str, str], Link], paper: Paper) -> Link | None:
    """The link between a paper and the one whose list it is in."""
    return next((link for pair, link in links.items() if paper.id in pair), None)


def _row(
    paper: Paper, score: float, asked: Criteria, link: Link | None, *, named: bool
) -> dict[str, Any]:
    said = {"citing": list(link.contexts)} if link and link.contexts else {}
    by = "named by the card" if named else "likeness"  # the word that session files hold
    return entry(
        paper,
        score,
        asked,
        by=by,
        link=link.kind if link else "cites",
        evidence=link.evidence if link else "",
        **said,
    )
