"""VIR-7: ideas, turn by turn, each beside papers that were searched for anew; the three best by their own scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.contents import PLACES, IdeaDraft
from coi_tui.methods.virsci.discussion import Words, summarised
from coi_tui.methods.virsci.replies import IdeaReply
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.table import TableStep, usable
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.state import State
from coi_tui.model.wording import clipped

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

QUERY_WORDS = 24
"""Words of the previous reply that are searched for at most."""


class FoundStep(MethodStep):
    """The references of an idea, searched for with the reply before it. A search that finds nothing is kept as such."""

    name = "virsci references"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.found(state, address), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds = bounds_of(ctx.state, parse_address(inputs.address).instance)
        return await searched(
            self,
            ctx,
            inputs,
            clipped(inputs.one("query"), QUERY_WORDS).removesuffix(" [...]"),
            bounds.references,
        )


async def searched(step: MethodStep, ctx: Context, inputs: Inputs, query: str, most: int) -> Result:
    """A search as a cell: the papers that may be used, and what was asked."""
    source = step.services(ctx).source(stage=0)
    answer = await source.search(query, most)
    papers = usable(ctx.state, rules(inputs), answer.papers)
    content = {
        "papers": [paper.id for paper in papers],
        "query": query,
        "tries": [search_record(answer)],
    }
    return Result(
        (Made(inputs.address, content, "source", {"source": source.name}),), tuple(papers)
    )


class DraftStep(TableStep):
    """A member's idea: the one before made better, or a new one."""

    name, prompts = "virsci idea turn", ("virsci_idea",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.draft(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_200, 7_000), (400, 1_600))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        papers = [
            ctx.state.papers[paper]
            for paper in inputs.one("papers") or []
            if paper in ctx.state.papers
        ]
        values = {
            "subject": inputs.one("subject"),
            "speaker": reads.speaker(inputs),
            "team": reads.people(inputs, "members"),
            "papers": reads.shown(papers),
            "summaries": reads.texts(inputs, "summaries"),
            "ideas": reads.ideas(inputs),
        }
        asked = await self.services(ctx).ask("virsci_idea", values, IdeaReply)
        return asked.value.content(), asked.recipe


class DigestStep(TableStep):
    """The leader's summary of the ideas of a turn, and whether there are enough (VIR-4)."""

    name, prompts = "virsci digest", ("virsci_summary",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.digest(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 6_000), (100, 500))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        written = [
            {"name": one["name"], "text": f"{one['title']}\n{one['idea']}"}
            for one in reads.ideas(inputs)
        ]
        values = {
            "topic": inputs.one("subject"),
            "speaker": reads.speaker(inputs),
            "summaries": reads.texts(inputs, "summaries"),
            "said": written,
            "aim": "three ideas that are new, clear and can be carried out",
        }
        return await summarised(self, ctx, values)


class BestStep(MethodStep):
    """The three best ideas by the scores that stand with them. No call."""

    name = "virsci best"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.best(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        rows: dict[str, dict[str, Any]] = {}
        for reference, value in inputs.all("drafts"):
            address, field = split_ref(reference)
            rows.setdefault(parse_address(address).item, {})[field] = value
        written = {item: IdeaDraft.from_held(row) for item, row in rows.items()}
        three = best_of(written)
        content: Mapping[str, Any] = dict(zip(PLACES, three, strict=False))
        return Result((Made(inputs.address, content, self.services(ctx).origin),))


def best_of(written: Mapping[str, IdeaDraft]) -> list[dict[str, Any]]:
    """At most three, best first; of equals the later one, which had the earlier ones before it. Texts that were repeated count once."""
    order = sorted(
        written, key=lambda item: (-written[item].score, *(-number for number in _numbers(item)))
    )
    return [chosen(item, written[item]) for item in _distinct(order, written)[: len(PLACES)]]


def _numbers(item: str) -> Sequence[int]:
    return [int(number) for number in item.split(".")]


def _distinct(order: Iterable[str], written: Mapping[str, IdeaDraft]) -> list[str]:
    seen: dict[tuple[str, str], str] = {}
    for item in order:
        seen.setdefault((written[item].title, written[item].idea), item)
    return list(seen.values())


def chosen(item: str, draft: IdeaDraft) -> dict[str, Any]:
    """A draft as it goes into the vote."""
    return {
        "of": item,
        "title": draft.title,
        "idea": draft.idea,
        "experiment": draft.experiment,
        "score": draft.score,
    }
