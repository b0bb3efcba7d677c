"""COI-4, COI-5: candidates for the next successor or predecessor, and the verdict on each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.cards import CITED, CITING, CardStep
from coi_tui.methods.coi.growth import active, guesses
from coi_tui.methods.coi.replies import Relevance
from coi_tui.methods.shared.base import MethodStep, bounds_of
from coi_tui.methods.shared.candidate_rows import answered_on, eligible, entry
from coi_tui.methods.shared.reads import MOST_REJECTED, REJECTED_PAPERS, TOPIC, criteria, held_elsewhere, paper, preferences, rules
from coi_tui.model.address import parse_address, ref, slot
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Link, Paper, strictly_older
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services


class NeighbourCandidates(MethodStep):
    """Forward: papers that cite the head. Backward: papers that the tail cites, those that its card names first.

    Ranked by likeness to topic and anchor (arXiv 2410.13185, section 3.1). A candidate that would break the order in time is not
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
        fitting = [p for p in listed.papers if p.id not in (tip.id, anchor.id) and _in_order(tip, p, at.pos)]
        services.at(1)
        ranked, how = await services.rank(f"{topic}\n{anchor.title}\n{anchor.abstract or ''}", fitting)
        named: list[str] = list(inputs.one("named") or []) if at.pos < 0 else []
        entries = _entries(ranked, listed.links, named, bounds.candidates, rules(inputs))
        content = {
            "entries": entries,
            "ranked": how,
            "source": listed.source or source.name,
            "of": tip.id,
            "withheld": listed.withheld,
            "total": listed.total,
            "looked_at": listed.rows_read,
            "dropped": len(listed.papers) - len(fitting),
            "unresolved": len(listed.unresolved),
            "note": listed.note,
            **answered_on(listed),
        }
        if asked := rules(inputs):
            content["left_out"] = sum(bool(left_out(p, asked)) for p in fitting)
        kept = {e["paper"] for e in entries}
        papers = tuple(p for p in fitting if p.id in kept)
        return Result((Made(inputs.address, content, "source", {"source": content["source"]}),), papers)


def _in_order(tip: Paper, candidate: Paper, pos: int) -> bool:
    """A successor is not older, a predecessor not newer than its neighbour; an unknown year is never proposed (COI-7)."""
    return strictly_older(tip, candidate) if pos > 0 else strictly_older(candidate, tip)


def _entries(
    ranked: Sequence[tuple[float, Paper]], links: Sequence[Link], named: Sequence[str], limit: int, asked: Criteria
) -> list[dict[str, Any]]:  # fmt: skip
    """Rows of the list: papers that the card names first, then by likeness; readable ones before those without an abstract.

    What the criteria leave out comes last and takes no other paper's place: up to ``limit`` of them are listed as well.
    """
    from coi_tui.literature.title_match import match_title

    first: list[str] = []
    everyone = [p for _, p in ranked]
    for title in named:
        hit = match_title(title, everyone, None)
        if hit.paper is not None and hit.paper.id not in first:
            first.append(hit.paper.id)
    evidence = {(link.citing, link.cited): link for link in links}
    rows: list[dict[str, Any]] = []
    for score, p in ranked:
        link = next((known for pair, known in evidence.items() if p.id in pair), None)
        by = "named by the card" if p.id in first else "likeness"
        rows.append(entry(p, score, asked, by=by, link=link.kind if link else "cites", evidence=link.evidence if link else ""))
    rows.sort(key=lambda r: (not r["readable"], first.index(r["paper"]) if r["paper"] in first else len(first)))
    kept, out = ([row for row in rows if bool(row.get("left_out")) is side][:limit] for side in (False, True))
    return [{**row, "rank": n} for n, row in enumerate([*kept, *out], start=1)]


class RelevanceStep(MethodStep):
    """Judges candidates in rank order until one is relevant, at most ``judge_limit``; reads the likeliest beside its verdict.

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
        at, services, bounds = parse_address(inputs.address), self.services(ctx), bounds_of(ctx.state)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(at.branch)
        entries: list[dict[str, Any]] = inputs.one("entries") or []
        free = [e["paper"] for e in entries if eligible(e) and e["paper"] not in barred]
        verdicts: list[dict[str, Any]] = []
        chosen: str | None = None
        recipe: dict[str, Any] = {}
        unread: list[ReplyError] = []
        wishes = preferences(inputs)
        about = {"topic": str(inputs.one("topic")), **wishes}
        for n, together in enumerate(self._rounds(ctx, str(at.slot), free[: bounds.judge_limit])):
            services.at(n)
            papers = [ctx.state.papers[paper_id] for paper_id in together]
            if n == 0:
                self._read_ahead(services, ctx, inputs, papers[-1])
            judged = await asyncio.gather(*(self._judge(services, about, paper, unread) for paper in papers))
            verdicts += [verdict for verdict, _ in judged]
            recipe = judged[-1][1] or recipe
            chosen = next((v["paper"] for v in verdicts if v["relevant"]), None)
            if chosen:
                break
        if unread and len(unread) == len(verdicts):
            raise unread[0]
        content: dict[str, Any] = {
            "verdicts": verdicts,
            "chosen": chosen,
            "free": len(free),
            "listed": len(entries),
            "unreadable": sum(not e["readable"] for e in entries),
        }
        if left := sum(bool(e.get("left_out")) for e in entries):
            content["left_out"] = left
        if wishes["turned_down"]:
            content["turned_down"] = wishes["turned_down"]
        return Result((Made(inputs.address, content, services.origin if verdicts else "source", recipe),))

    def _rounds(self, ctx: Context, place: str, free: list[str]) -> list[list[str]]:
        """One after the other; where a side before this one wants the same paper first, down to the one that is then left at once.

        Every verdict of the first round is needed: if the paper wanted twice is relevant it goes there, if not the next is judged anyway.
        """
        guess = guesses(ctx.state, active(ctx.state)).get(place)
        first = free.index(guess) + 1 if guess in free else 1
        return [free[:first], *([p] for p in free[first:])] if free else []

    async def _judge(
        self, services: Services, about: dict[str, Any], paper: Paper, unread: list[ReplyError]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A verdict and its recipe. One that cannot be read is no verdict: the candidate is passed over, and the list says so."""
        values = {**about, "title": paper.title, "year": paper.year, "abstract": paper.abstract}
        try:
            asked = await services.ask("coi_relevance", values, Relevance)
        except ReplyError as error:
            unread.append(error)
            return {"paper": paper.id, "relevant": False, "unread": True, "reasoning": "The verdict could not be read; not taken."}, {}
        said = {"paper": paper.id, "relevant": asked.value.relevant, "reasoning": asked.value.reasoning}
        return said, dict(asked.recipe)

    def _read_ahead(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the likeliest candidate, and fetch what it cites, while it is judged; the steps find the replies kept."""
        card = CardStep(self._tools)
        address = f"{parse_address(inputs.address).slot}.card"
        under = ctx.for_cell(address, card.name)
        ctx.ahead(card.read(under, str(inputs.one("topic")), paper))
        card.list_ahead(ctx, address, paper)
