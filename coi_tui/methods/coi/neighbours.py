"""COI-4, COI-5: candidates for the next successor or predecessor, and the verdict on each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.cards import CITED, CITING, CardStep
from coi_tui.methods.coi.growth import active, guesses
from coi_tui.methods.coi.replies import Relevance
from coi_tui.methods.coi.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import answered_on, entry
from coi_tui.methods.shared.reads import MOST_REJECTED, REJECTED_PAPERS, TOPIC, criteria, held_elsewhere, paper, preferences, rules
from coi_tui.model.address import parse_address, ref, slot
from coi_tui.model.content import CandidateList, CandidateRow
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Link, Paper, strictly_older
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import CitationList
    from coi_tui.methods.services import Services


class NeighbourCandidates(MethodStep):
    """Forward: papers that cite the head. Backward: papers that the tail cites, those that its card names first.

    Ranked by similarity to topic and anchor (arXiv 2410.13185, section 3.1). A candidate that would break the order in time is not
    listed (COI-7); one without an abstract is listed but cannot be judged.
    """

    name = "candidates"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        inner = at.pos - (1 if at.pos > 0 else -1)
        reads = [TOPIC, *criteria(state), paper("anchor", at.branch, 0), paper("tip", at.branch, inner)]
        if at.pos < 0:
            # The card is a required input: its three extracted titles go first (COI-5). They may be none.
            card = f"{slot(at.branch, inner)}.card"
            reads += [Read("card", ref(card, "contribution")), Read("named", ref(card, "references"), optional=True)]
        return tuple(reads)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services, bounds = parse_address(inputs.address), self.services(ctx), bounds_of(ctx.state)
        tip, anchor, topic = inputs.one("tip"), inputs.one("anchor"), str(inputs.one("topic"))
        source = services.source(stage=0)
        listed = await (source.citations(tip, CITING) if at.pos > 0 else source.references(tip, CITED))
        fitting = _fitting(listed.papers, tip, anchor, at.pos)
        services.at(1)
        ranked, how = await services.rank(f"{topic}\n{anchor.title}\n{anchor.abstract or ''}", fitting)
        named: list[str] = list(inputs.one("named") or []) if at.pos < 0 else []
        asked = rules(inputs)
        entries = _entries(ranked, listed.links, named, bounds.candidates, asked)
        content = {"entries": entries, "ranked": how, **_found(listed, tip, len(fitting), source.name)}
        if asked:
            content["left_out"] = sum(bool(left_out(p, asked)) for p in fitting)
        kept = {e["paper"] for e in entries}
        papers = tuple(p for p in fitting if p.id in kept)
        return Result((Made(inputs.address, content, "source", {"source": content["source"]}),), papers)


def _fitting(papers: Iterable[Paper], tip: Paper, anchor: Paper, pos: int) -> list[Paper]:
    """The papers of a list that may stand at a place: other ones than the chain's ends, and in the order of time."""
    return [p for p in papers if p.id not in (tip.id, anchor.id) and _in_order(tip, p, pos)]


def _found(listed: CitationList, tip: Paper, fitting: int, source: str) -> dict[str, Any]:
    """What is kept of a list of citations or references besides its rows: of which paper, from where, how much of it was read."""
    return {
        "source": listed.source or source,
        "of": tip.id,
        "withheld": listed.withheld,
        "total": listed.total,
        "looked_at": listed.rows_read,
        "dropped": len(listed.papers) - fitting,
        "unresolved": len(listed.unresolved),
        "note": listed.note,
        **answered_on(listed),
    }


def _in_order(tip: Paper, candidate: Paper, pos: int) -> bool:
    """A successor is not older, a predecessor not newer than its neighbour; an unknown year is never proposed (COI-7)."""
    return strictly_older(tip, candidate) if pos > 0 else strictly_older(candidate, tip)


def _entries(
    ranked: Sequence[tuple[float, Paper]], links: Sequence[Link], named: Sequence[str], limit: int, asked: Criteria
) -> list[dict[str, Any]]:  # fmt: skip
    """Rows of the list: papers that the card names first, then by similarity; readable ones before those without an abstract.

    What the criteria leave out comes last and takes no other paper's place: up to ``limit`` of them are listed as well.
    """
    first = _named_papers(named, [p for _, p in ranked])
    by_pair = {(link.citing, link.cited): link for link in links}
    rows = [_row(p, score, asked, _link_of(by_pair, p), named=p.id in first) for score, p in ranked]
    rows.sort(key=lambda r: (not r["readable"], first.index(r["paper"]) if r["paper"] in first else len(first)))
    kept, out = ([row for row in rows if bool(row.get("left_out")) is side][:limit] for side in (False, True))
    return [{**row, "rank": n} for n, row in enumerate([*kept, *out], start=1)]


def _named_papers(titles: Iterable[str], papers: list[Paper]) -> list[str]:
    """The papers that a card names by their titles, in its order, each once."""
    from coi_tui.literature.title_match import match_title

    hits = (match_title(title, papers, None).paper for title in titles)
    return list(dict.fromkeys(paper.id for paper in hits if paper is not None))


def _link_of(links: Mapping[tuple[str, str], Link], paper: Paper) -> Link | None:
    """The link between a paper and the one whose list it is in."""
    return next((link for pair, link in links.items() if paper.id in pair), None)


def _row(paper: Paper, score: float, asked: Criteria, link: Link | None, *, named: bool) -> dict[str, Any]:
    by = "named by the card" if named else "likeness"  # the word that session files hold
    return entry(paper, score, asked, by=by, link=link.kind if link else "cites", evidence=link.evidence if link else "")


@dataclass(frozen=True)
class _Judged:
    """A verdict as it is kept, with its recipe; ``error`` where it could not be read."""

    verdict: dict[str, Any]
    recipe: dict[str, Any] = field(default_factory=dict)
    error: ReplyError | None = None


class RelevanceStep(MethodStep):
    """Judges candidates in rank order until one is relevant, at most ``judge_limit``; reads the likeliest one ahead, while it is judged.

    An unreadable verdict is none: the next candidate is judged. Where no verdict at all can be read the step fails.
    """

    name = "relevance"
    prompts = ("coi_relevance",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        cands = f"{at.slot}.cands"
        listed = (Read("entries", ref(cands, "entries"), optional=True), Read("listed", ref(cands, "of")))
        return (TOPIC, *criteria(state), REJECTED_PAPERS, *listed, *held_elsewhere(state, str(at.slot)))

    def cost(self, state: State, address: str) -> Cost:
        limit = bounds_of(state).judge_limit
        more = 30 * (len(state.turned_down()[-MOST_REJECTED:]) + (8 if criteria(state) else 0))
        return Cost("main", (1, limit), (400, (600 + more) * limit), (50, 150 * limit))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(parse_address(inputs.address).branch)
        rows = CandidateList.from_held({"entries": inputs.one("entries") or []}).entries
        free = [row.paper for row in rows if row.eligible and row.paper not in barred]
        about = {"topic": str(inputs.one("topic")), **preferences(inputs)}
        judged, recipe = await self._judge_in_turn(services, ctx, inputs, about, free)
        _fail_if_all_unread(judged)
        content = _verdict_list([one.verdict for one in judged], rows, len(free))
        if about["turned_down"]:
            content["turned_down"] = about["turned_down"]
        return Result((Made(inputs.address, content, services.origin if judged else "source", recipe),))

    async def _judge_in_turn(
        self, services: Services, ctx: Context, inputs: Inputs, about: dict[str, Any], free: list[str]
    ) -> tuple[list[_Judged], dict[str, Any]]:  # fmt: skip
        """Verdicts in rank order until one is relevant, and the recipe of the last that could be read."""
        judged: list[_Judged] = []
        recipe: dict[str, Any] = {}
        place = str(parse_address(inputs.address).slot)
        for n, together in enumerate(self._rounds(ctx, place, free[: bounds_of(ctx.state).judge_limit])):
            services.at(n)
            papers = [ctx.state.papers[paper_id] for paper_id in together]
            if n == 0:
                self._read_ahead(services, ctx, inputs, papers[-1])
            judged += await asyncio.gather(*(self._judge(services, about, paper) for paper in papers))
            recipe = judged[-1].recipe or recipe
            if any(one.verdict["relevant"] for one in judged):
                break
        return judged, recipe

    def _rounds(self, ctx: Context, place: str, free: list[str]) -> list[list[str]]:
        """One after the other; where a side before this one wants the same paper first, down to the one that is then left at once.

        Every verdict of the first round is needed: if the paper wanted twice is relevant it goes there, if not the next is judged anyway.
        """
        guess = guesses(ctx.state, active(ctx.state)).get(place)
        first = free.index(guess) + 1 if guess in free else 1
        return [free[:first], *([p] for p in free[first:])] if free else []

    async def _judge(self, services: Services, about: dict[str, Any], paper: Paper) -> _Judged:
        """The verdict on one candidate. One that cannot be read is no verdict: the candidate is passed over, and the list says so."""
        values = {**about, "title": paper.title, "year": paper.year, "abstract": paper.abstract}
        try:
            asked = await services.ask("coi_relevance", values, Relevance)
        except ReplyError as error:
            unread = {"paper": paper.id, "relevant": False, "unread": True, "reasoning": "The verdict could not be read; not taken."}
            return _Judged(unread, error=error)
        said = {"paper": paper.id, "relevant": asked.value.relevant, "reasoning": asked.value.reasoning}
        return _Judged(said, dict(asked.recipe))

    def _read_ahead(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the likeliest candidate, and fetch what it cites, while it is judged; the steps find the replies kept."""
        card = CardStep(self._tools)
        address = f"{parse_address(inputs.address).slot}.card"
        under = ctx.for_cell(address, card.name)
        ctx.ahead(card.read(under, str(inputs.one("topic")), paper))
        card.list_ahead(ctx, address, paper)


def _fail_if_all_unread(judged: Sequence[_Judged]) -> None:
    """Raise the first error where no verdict at all could be read."""
    errors = [one.error for one in judged if one.error is not None]
    if errors and len(errors) == len(judged):
        raise errors[0]


def _verdict_list(verdicts: list[dict[str, Any]], rows: Sequence[CandidateRow], free: int) -> dict[str, Any]:
    """What is kept of the verdicts: the paper chosen, and how many of the rows listed could be judged."""
    content = {
        "verdicts": verdicts,
        "chosen": next((v["paper"] for v in verdicts if v["relevant"]), None),
        "free": free,
        "listed": len(rows),
        "unreadable": sum(not row.readable for row in rows),
    }
    left = sum(bool(row.left_out) for row in rows)
    return {**content, "left_out": left} if left else content
