"""COI-2, COI-4, COI-5: is a candidate of use for the topic? The verdicts, and the step that judges what may stand in a chain."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.methods.coi.cards import CardStep
from coi_tui.methods.coi.growth import active, guesses
from coi_tui.methods.coi.replies import PaperRelevance, Relevance, Relevances
from coi_tui.methods.coi.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.labelled import ask_about_each
from coi_tui.methods.shared.paper_reading import read_paper
from coi_tui.methods.shared.reads import MOST_REJECTED, REJECTED_PAPERS, TOPIC, criteria, held_elsewhere, preferences
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import CandidateList, CandidateRow
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

T = TypeVar("T")
TOGETHER = 4
"""Candidates judged in one call: more make long prompts, in which weak models lose track."""


@dataclass(frozen=True)
class Judged:
    """A verdict as it is kept, with its recipe; ``error`` where it could not be read."""

    verdict: dict[str, Any]
    recipe: dict[str, Any] = field(default_factory=dict)
    error: ReplyError | None = None


CitedBy = Mapping[str, int]
"""How many of the papers that the search of the topic found cite each candidate; it need not know all."""


async def one_by_one(services: Services, about: dict[str, Any], papers: Sequence[Paper], cited_by: CitedBy | None = None) -> list[Judged]:
    """A call for each paper, side by side. ``about``: topic, criteria and the reasons for rejecting others."""
    return list(await asyncio.gather(*(_judge(services, about, paper, (cited_by or {}).get(paper.id, 0)) for paper in papers)))


async def together(services: Services, about: dict[str, Any], papers: Sequence[Paper], cited_by: CitedBy | None = None) -> list[Judged]:
    """One call for several papers, and one more for those that it leaves out; a paper without a verdict then is passed over.

    Where the reply cannot be read at all they are judged one by one.
    """
    if len(papers) == 1:
        return await one_by_one(services, about, papers, cited_by)
    known = {paper.id: {"cited_by": (cited_by or {}).get(paper.id, 0)} for paper in papers}
    try:
        found = await ask_about_each(services, "coi_relevances", about, "candidates", papers, Relevances, PaperRelevance, known)
    except ReplyError:
        return await one_by_one(services, about, papers, cited_by)
    said = {paper_id: {"relevant": verdict.relevant, "reasoning": verdict.reasoning} for paper_id, verdict in found.verdicts.items()}
    kept = [{"paper": paper.id, **said[paper.id]} if paper.id in said else _unread(paper) for paper in papers]
    return [Judged(verdict, dict(found.recipe)) for verdict in kept]


async def _judge(services: Services, about: dict[str, Any], paper: Paper, cited_by: int) -> Judged:
    """The verdict on one paper. One that cannot be read is no verdict: the paper is passed over, and the list says so."""
    values = {**about, "title": paper.title, "year": paper.year, "abstract": paper.abstract, "cited_by": cited_by or ""}
    try:
        asked = await services.ask("coi_relevance", values, Relevance)
    except ReplyError as error:
        return Judged(_unread(paper), error=error)
    said = {"paper": paper.id, "relevant": asked.value.relevant, "reasoning": asked.value.reasoning}
    return Judged(said, dict(asked.recipe))


def _unread(paper: Paper) -> dict[str, Any]:
    return {"paper": paper.id, "relevant": False, "unread": True, "reasoning": "The verdict could not be read; not taken."}


def groups(free: list[T], first: int) -> list[list[T]]:
    """The first ones, then groups of at most ``TOGETHER``."""
    rest = [free[start : start + TOGETHER] for start in range(first, len(free), TOGETHER)]
    return [free[:first], *rest] if free else []


def fail_if_all_unread(judged: Sequence[Judged]) -> None:
    """Raise the first error where no verdict at all could be read."""
    errors = [one.error for one in judged if one.error is not None]
    if errors and len(errors) == len(judged):
        raise errors[0]


class RelevanceStep(MethodStep):
    """Judges candidates in rank order until one is relevant, at most ``judge_limit``; reads the likeliest one ahead, while it is judged.

    The first is judged alone, which mostly is enough; those after it in growing groups, a call each. An unreadable verdict is none: the
    next candidates are judged. Where no verdict at all can be read the step fails.
    """

    name = "relevance"
    prompts = ("coi_relevance", "coi_relevances")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        cands = f"{at.slot}.cands"
        listed = (Read("entries", ref(cands, "entries"), optional=True), Read("listed", ref(cands, "of")))
        return (TOPIC, *criteria(state), REJECTED_PAPERS, *listed, *held_elsewhere(state, str(at.slot)))

    def cost(self, state: State, address: str) -> Cost:
        limit = bounds_of(state).judge_limit
        more = 30 * (len(state.turned_down()[-MOST_REJECTED:]) + (8 if criteria(state) else 0))
        rounds = len(groups(list(range(limit)), 1))
        return Cost("main", (1, rounds), (400, 400 * limit + (200 + more) * rounds), (50, 150 * limit), expected=Expected(1, 500, 60))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(parse_address(inputs.address).branch)
        rows = CandidateList.from_held({"entries": inputs.one("entries") or []}).entries
        free = [row.paper for row in rows if row.eligible and row.paper not in barred]
        about = {"topic": str(inputs.one("topic")), **preferences(inputs)}
        judged, recipe = await self._judge_in_turn(services, ctx, inputs, about, free)
        fail_if_all_unread(judged)
        content = _verdict_list([one.verdict for one in judged], rows, len(free))
        if about["turned_down"]:
            content["turned_down"] = about["turned_down"]
        return Result((Made(inputs.address, content, services.origin if judged else "source", recipe),))

    async def _judge_in_turn(
        self, services: Services, ctx: Context, inputs: Inputs, about: dict[str, Any], free: list[str]
    ) -> tuple[list[Judged], dict[str, Any]]:  # fmt: skip
        """Verdicts in rank order until one is relevant, and the recipe of the last that could be read."""
        judged: list[Judged] = []
        recipe: dict[str, Any] = {}
        place = str(parse_address(inputs.address).slot)
        for n, group in enumerate(self._rounds(ctx, place, free[: bounds_of(ctx.state).judge_limit])):
            services.at(n)
            papers = [ctx.state.papers[paper_id] for paper_id in group]
            if n == 0:
                self._read_ahead(services, ctx, inputs, papers[-1])
            judged += await (one_by_one(services, about, papers) if n == 0 else together(services, about, papers))
            recipe = judged[-1].recipe or recipe
            if any(one.verdict["relevant"] for one in judged):
                break
        return judged, recipe

    def _rounds(self, ctx: Context, place: str, free: list[str]) -> list[list[str]]:
        """The first alone; where a side before this one wants the same paper first, down to the one that is then left at once.

        Every verdict of the first round is needed: if the paper wanted twice is relevant it goes there, if not the next is judged anyway.
        """
        guess = guesses(ctx.state, active(ctx.state)).get(place)
        first = free.index(guess) + 1 if guess in free else 1
        return groups(free, first)

    def _read_ahead(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the likeliest candidate, and fetch what it cites, while it is judged; the steps find the replies kept."""
        card = CardStep(self._tools)
        address = f"{parse_address(inputs.address).slot}.card"
        under = ctx.for_cell(address, card.name)
        ctx.ahead(read_paper(self.services(under), str(inputs.one("topic")), paper))
        card.list_ahead(ctx, address, paper)


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
