"""NOVA-1 to NOVA-4: drafts from three sources, weighed against each other, and the first seeds."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import SHORTCOMINGS, THEORIES, TRENDS
from coi_tui.methods.nova.replies import DraftVerdict, SeedDrafts, Weighed
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.nova.target import shown
from coi_tui.methods.nova.theories import theory_of, ticked
from coi_tui.methods.shared.base import MethodStep
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

NEAREST = 3
"""Related papers whose shortcomings are looked for beside those of the target (NOVA-1)."""


class DraftsStep(MethodStep):
    """NOVA-1, NOVA-2, NOVA-3: three calls side by side, one a source; existing and dropped ideas are passed in."""

    name, prompts = "nova drafts", ("nova_theory_ideas", "nova_trend_ideas", "nova_gap_ideas")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            *reads.target(address),
            reads.of(address, "target", "related"),
            reads.of(address, "trends", "text", "trends"),
            reads.of(address, "choice", "theories", optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_200, 6_000), (500, 1_500)).times(3, 3)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, instance = self.services(ctx), parse_address(inputs.address).instance
        related = [
            ctx.state.papers[p] for p in inputs.one("related") or [] if p in ctx.state.papers
        ]
        there = reads.existing(ctx.state, instance)
        numbers = _shares(bounds_of(ctx.state, instance).drafts)
        theories = ticked(inputs.one("theories"))
        common = {**reads.target_values(inputs), "existing": there}
        asked = await asyncio.gather(
            services.ask(
                "nova_theory_ideas",
                {
                    **common,
                    "papers": shown(related),
                    "theories": [t.shown() for t in theories],
                    "count": numbers[0],
                },
                SeedDrafts,
            ),
            services.ask(
                "nova_trend_ideas",
                {**common, "trends": inputs.one("trends"), "count": numbers[1]},
                SeedDrafts,
            ),
            services.ask(
                "nova_gap_ideas",
                {**common, "papers": shown(related[:NEAREST]), "count": numbers[2]},
                SeedDrafts,
            ),
        )
        drafts = [
            _draft(idea.model_dump(), source)
            for source, said, number in zip(
                (THEORIES, TRENDS, SHORTCOMINGS), asked, numbers, strict=True
            )
            for idea in said.value.ideas[:number]
        ]
        recipe = {**asked[0].recipe, "avoided": [row["address"] for row in there]}
        return Result((Made(inputs.address, {"drafts": drafts}, services.origin, recipe),))


def _shares(drafts: int) -> tuple[int, int, int]:
    """How many drafts each source is asked for: a third each, what is left over to the theories."""
    return (drafts - 2 * (drafts // 3), drafts // 3, drafts // 3)


def _draft(said: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A draft with the theory that it names; one that names none, or one that there is not, has none."""
    theory = theory_of(str(said["theory"])) if source == THEORIES else None
    return {**said, "source": source, "theory": theory.line() if theory else ""}


class WeighStep(MethodStep):
    """NOVA-4: what speaks for and against each draft; the best become seeds, those that repeat an existing idea never do."""

    name, prompts = "nova weigh", ("nova_weigh",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.target(address), reads.of(address, "drafts", "drafts"))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 5_000), (500, 1_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, instance = self.services(ctx), parse_address(inputs.address).instance
        drafts = {
            f"D{n}": dict(draft) for n, draft in enumerate(inputs.one("drafts") or [], start=1)
        }
        there = reads.existing(ctx.state, instance)
        keep = bounds_of(ctx.state, instance).seeds
        rows = [
            {"id": label, "title": draft["title"], "text": draft["text"]}
            for label, draft in drafts.items()
        ]
        values = {**reads.target_values(inputs), "existing": there, "drafts": rows}
        asked = await services.ask(
            "nova_weigh", values, Weighed, choices=Choices("judged", "id", list(drafts))
        )
        content = weighed(
            drafts, asked.value.judged, {row["id"]: row["title"] for row in there}, keep
        )
        if not content["kept"]:
            raise CoiError(
                "Every draft repeats an idea that exists.",
                "Tick other theories in the choices, or edit the target.",
            )
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def weighed(
    drafts: Mapping[str, Mapping[str, Any]],
    judged: Sequence[DraftVerdict],
    existing: Mapping[str, str],
    keep: int,
) -> dict[str, Any]:
    """The drafts in the order of their scores, as many kept as are wanted; of equals one of each source in turn.

    A draft without a verdict comes last, which is said.
    """
    verdicts = {said.id: said for said in reversed(judged)}
    rows: list[dict[str, Any]] = []
    repeated: list[dict[str, Any]] = []
    for label, draft in drafts.items():
        said = verdicts.get(label)
        known = {"pros": "", "cons": "The model gave no verdict on it.", "score": 0, "repeats": ""}
        if said is not None:
            known = {
                "pros": said.pros,
                "cons": said.cons,
                "score": said.score,
                "repeats": existing.get(said.repeats, ""),
            }
        (repeated if known["repeats"] else rows).append({**draft, **known})
    place = _places(rows)
    rows.sort(key=lambda row: (-row["score"], place[id(row)]))
    return {"kept": rows[:keep], "dropped": [*rows[keep:], *repeated]}


def _places(rows: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """The place of each draft among those of its source and its score."""
    seen: Counter[tuple[str, int]] = Counter()
    places = {}
    for row in rows:
        places[id(row)] = seen[row["source"], row["score"]]
        seen[row["source"], row["score"]] += 1
    return places


class SeedStep(MethodStep):
    """A first seed: one of the drafts that were kept, now a text of its own."""

    name = "nova seed"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (reads.of(address, "weighed", "kept"),)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        kept, number = inputs.one("kept") or [], int(parse_address(inputs.address).item)
        if number > len(kept):
            raise CoiError(
                f"Only {count(len(kept), 'draft')} were kept.",
                "Weigh the drafts again, or edit a seed that there is.",
            )
        fields = ("title", "text", "source", "theory", "thinking", "pros", "cons")
        content = {name: kept[number - 1].get(name, "") for name in fields}
        return Result((Made(inputs.address, content, self.services(ctx).origin),))
