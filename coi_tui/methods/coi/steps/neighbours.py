"""COI-4, COI-5: candidates for the next successor or predecessor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import TOPIC, criteria, paper, rules
from coi_tui.methods.coi.steps.base import CoiStep, answered_on, entry, settings_of
from coi_tui.model.address import parse_address, ref, slot
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.papers import Link, Paper, strictly_older
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

CITING = 100
CITED = 500
"""Rows of a citation list and of a reference list that are looked at; the list says so when it is longer.

References must be seen whole to find the titles that a card names (COI-5)."""


class NeighbourCandidates(CoiStep):
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
        at, services, bounds = parse_address(inputs.address), self.services(ctx), settings_of(ctx.state)
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
            "looked_at": listed.looked_at,
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
