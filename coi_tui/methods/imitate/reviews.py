"""IE-7 to IE-10: the review of a manuscript, its points taken or rebutted, revisions that are kept only where they are not worse, and
title and abstract last."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.citations import labels_of, with_names
from coi_tui.methods.imitate.contents import PassageRow, PassagesContent
from coi_tui.methods.imitate.manuscript import Section, reads_of, sections_in, shown, steps_of
from coi_tui.methods.imitate.plan_steps import cell
from coi_tui.methods.imitate.replies import ManuscriptReview, PointDecision, RevisedSection
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.replies import Idea
from coi_tui.methods.shared.review_rounds import is_kept, said_of
from coi_tui.model.address import Branch, parse_address, ref, split_ref
from coi_tui.model.content import Named
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.plan_scores import outcome
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Asked, Services

NOT_COMPARED = "not compared"
YOURS = "your text stays"
"""What became of a revision that would be kept, of a section that a person wrote or accepted: it waits for the person."""


def _round(address: str) -> int:
    return int(parse_address(address).item or 1)


def _evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """The passages of every section."""
    numbers = range(1, steps_of(state, branch) + 1)
    cells = [cell(branch, "passages", n) for n in numbers]
    return tuple(
        Read("evidence", ref(a, name), optional=name == "off")
        for a in cells
        for name in ("passages", "off")
    )


def _evidence_in(inputs: Inputs) -> dict[int, list[PassageRow]]:
    held: dict[int, dict[str, Any]] = {}
    for name, value in inputs.all("evidence"):
        address, field = split_ref(name)
        held.setdefault(int(address.rpartition("passages")[2]), {})[field] = value
    return {n: PassagesContent.from_held(said).on() for n, said in held.items()}


async def reviewed(
    services: Services, inputs: Inputs, sections: Sequence[Section]
) -> Asked[ManuscriptReview]:
    """IE-8: a review of the whole text. The same text is reviewed by the same call, whoever asks."""
    values = {**reads.request_values(inputs), "sections": shown(sections)}
    numbers = Choices("points", "section", [section.number for section in sections], exactly=False)
    return await services.ask("imitate_review", values, ManuscriptReview, choices=numbers)


class RefereeStep(MethodStep):
    """IE-8: summary, soundness, presentation, contribution, strengths, weaknesses, questions, a rating, and points one by one."""

    name, prompts = "imitate review", ("imitate_review",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            *reads.request(address),
            *reads_of(state, parse_address(address).branch, _round(address)),
        )

    def cost(self, state: State, address: str) -> Cost:
        steps = steps_of(state, parse_address(address).branch)
        return Cost("main", (1, 2), (400 + 250 * steps, 900 + 1_100 * steps), (350, 1_600))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, sections = self.services(ctx), sections_in(inputs)
        asked = await reviewed(services, inputs, sections)
        said = asked.value
        numbers = {section.number for section in sections}
        points = [
            {"name": str(p.section), "description": p.point}
            for p in said.points
            if p.section in numbers
        ]
        if strange := len(said.points) - len(points):
            ctx.changed += (
                f"{count(strange, 'point')} on no section of the text {'was' if strange == 1 else 'were'} ignored",
            )
        return Result(
            (
                Made(
                    inputs.address,
                    {**said.content(), "points": points},
                    services.origin,
                    asked.recipe,
                ),
            )
        )


class AnswersStep(MethodStep):
    """IE-9: for each point a call decides, from its section and that section's evidence, what to change or why to change nothing."""

    name, prompts = "imitate answers", ("imitate_point",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, _round(address)
        points = reads.own(branch, "referee", "points", item=number)
        return (
            *reads.request(address),
            *points,
            *reads_of(state, branch, number),
            *_evidence(state, branch),
        )

    def cost(self, state: State, address: str) -> Cost:
        points = state.value(
            ref(cell(parse_address(address).branch, "referee", _round(address)), "points")
        )
        one = Cost("main", (1, 2), (500, 3_500), (60, 350))
        return one.times(len(points), len(points)) if points is not None else one.times(1, 8, 4)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        points = [Named.from_held(point) for point in inputs.one("points") or []]
        by_number = {str(section.number): section for section in sections_in(inputs)}
        evidence = _evidence_in(inputs)

        async def decide(point: Named) -> Asked[PointDecision]:
            section = by_number.get(point.name.strip())
            if section is None:
                raise CoiError(
                    f"A point names section {point.name[:20]}, which there is not.",
                    "Edit the points of the review.",
                )
            rows = evidence.get(section.number, [])
            values = {
                **reads.request_values(inputs),
                "point": point.description,
                "section": section.shown(),
                "passages": reads.passages_shown(rows, _labels(rows, ctx.state)),
            }
            return await services.ask("imitate_point", values, PointDecision)

        asked = await asyncio.gather(*(decide(point) for point in points))
        content = answers([said.value for said in asked])
        recipe: Mapping[str, Any] = asked[0].recipe if asked else {}
        return Result((Made(inputs.address, content, services.origin, recipe),))


def answers(decisions: Sequence[PointDecision]) -> dict[str, list[dict[str, str]]]:
    """The points by their numbers: those with a change are taken, those with a reason against any are rebutted."""
    taken: list[dict[str, str]] = []
    rebutted: list[dict[str, str]] = []
    for number, decision in enumerate(decisions, start=1):
        said = said_of(decision.answer(number))
        row = {"name": str(number), "description": said.get("change") or said["rebuttal"]}
        (taken if "change" in said else rebutted).append(row)
    return {"taken": taken, "rebutted": rebutted}


def _labels(rows: Sequence[PassageRow], state: State) -> dict[str, Any]:
    return labels_of([row.paper for row in rows if row.paper], state.papers)


class GateStep(MethodStep):
    """IE-10: each section with points that were taken is revised; then the whole text is reviewed with that section in the place of the
    old one, and the revision is kept only where the rating is not lower. A rating that there is not keeps the old one."""

    name, prompts = "imitate gate", ("imitate_revise", "imitate_review")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, _round(address)
        review = reads.own(branch, "referee", "points", "rating", item=number, optional=True)
        taken = reads.own(branch, "answers", "taken", item=number)
        return (
            *reads.request(address),
            *review,
            *taken,
            *reads_of(state, branch, number),
            *_evidence(state, branch),
        )

    def cost(self, state: State, address: str) -> Cost:
        steps = steps_of(state, parse_address(address).branch)
        one = Cost("main", (2, 4), (900 + 250 * steps, 3_500 + 1_200 * steps), (500, 2_600))
        low, high = self._sections(state, address, steps)
        return one.times(low, high)

    def _sections(self, state: State, address: str, steps: int) -> tuple[int, int]:
        """How many sections are revised: by the points that were taken, where these are known."""
        branch, number = parse_address(address).branch, _round(address)
        taken = state.value(ref(cell(branch, "answers", number), "taken"))
        points = state.value(ref(cell(branch, "referee", number), "points"))
        if taken is None or points is None:
            return (1, min(steps, 8))
        found = len(_wanted(taken, points))
        return (found, found)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, sections = self.services(ctx), sections_in(inputs)
        wanted = _wanted(inputs.one("taken") or [], inputs.one("points") or [])
        evidence = _evidence_in(inputs)
        changed = [section for section in sections if section.number in wanted]
        asked = await asyncio.gather(
            *(
                self._revise(services, inputs, s, wanted[s.number], evidence.get(s.number, []))
                for s in changed
            )
        )
        services.at(1)
        pairs = list(zip(changed, asked, strict=True))
        rows = await asyncio.gather(
            *(
                self._gated(services, inputs, sections, s, said, list(wanted[s.number]))
                for s, said in pairs
            )
        )
        kept = {
            f"text{row['section']}": row["new"]
            for row in rows
            if row["outcome"] in ("better", "as good")
        }
        recipe: Mapping[str, Any] = asked[0][2] if asked else {}
        return Result(
            (Made(inputs.address, {"rows": list(rows), **kept}, services.origin, recipe),)
        )

    async def _revise(
        self,
        services: Services,
        inputs: Inputs,
        section: Section,
        points: Mapping[str, Mapping[str, str]],
        rows: list[PassageRow],
    ) -> tuple[str, list[str], Mapping[str, Any]]:
        """The section after its points, the papers that it cites, and how it was made."""
        labels = _labels(rows, services.ctx.state)
        values = {
            **reads.request_values(inputs),
            "section": section.shown(),
            "points": list(points.values()),
            "passages": reads.passages_shown(rows, labels),
        }
        asked = await services.ask("imitate_revise", values, RevisedSection)
        text, papers, _ = with_names(asked.value.text, labels)
        return text, papers, asked.recipe

    async def _gated(
        self,
        services: Services,
        inputs: Inputs,
        sections: Sequence[Section],
        section: Section,
        said: tuple[str, list[str], Mapping[str, Any]],
        points: list[str],
    ) -> dict[str, Any]:
        """A revised section with the ratings of the whole text before and after."""
        new, papers, _ = said
        before = inputs.one("rating")
        row = {
            "section": section.number,
            "old": section.text,
            "new": new,
            "before": before,
            "papers": papers,
            "points": points,
        }
        if new == section.text:
            return {**row, "after": before, "outcome": "no change"}
        changed = [
            Section(s.number, s.title, new) if s.number == section.number else s for s in sections
        ]
        try:
            after = (await reviewed(services, inputs, changed)).value.rating
        except ReplyError:
            return {**row, "after": None, "outcome": NOT_COMPARED}
        lock = services.ctx.state.cell(
            cell(parse_address(inputs.address).branch, "section", section.number)
        ).lock
        if lock is not None and is_kept(before, after):
            return {**row, "after": after, "outcome": YOURS}
        return {**row, "after": after, "outcome": outcome(before, after) or NOT_COMPARED}


def _wanted(taken: Sequence[Any], points: Sequence[Any]) -> dict[int, dict[str, dict[str, str]]]:
    """The points that are to be carried out, by section: each number with the point and the change."""
    rows = [Named.from_held(point) for point in points]
    out: dict[int, dict[str, dict[str, str]]] = {}
    for said in map(Named.from_held, taken):
        number = int(said.name) if said.name.strip().isdecimal() else 0
        if 1 <= number <= len(rows) and rows[number - 1].name.strip().isdecimal():
            section = int(rows[number - 1].name)
            out.setdefault(section, {})[str(number)] = {
                "point": rows[number - 1].description,
                "change": said.description,
            }
    return out


class HeadStep(MethodStep):
    """IE-7: title and abstract, from the whole text, last of all. As an idea like any other it keeps clear of what was held against it."""

    name, prompts = "imitate head", ("imitate_head",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        pair = reads.own(branch, "pair", *reads.SIDES, as_name="pair")
        bad = Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True)
        return (*reads.request(address), *reads_of(state, branch), *pair, bad)

    def cost(self, state: State, address: str) -> Cost:
        steps = steps_of(state, parse_address(address).branch)
        return Cost(
            "main",
            (1, 2),
            (400 + 250 * steps, 900 + 1_100 * steps),
            (250, 1_200),
            expected=Expected(1, 500 + 450 * steps, 500),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {
            **reads.request_values(inputs),
            "sections": shown(sections_in(inputs)),
            "bad_cases": inputs.one("bad_cases") or [],
        }
        asked = await services.ask("imitate_head", values, Idea)
        titles = [
            ctx.state.papers[p].title
            for p in inputs.fields("pair").values()
            if p in ctx.state.papers
        ]
        origin = (
            f"Imitates “{titles[0]}” in its algorithm and “{titles[1]}” in its application."
            if len(titles) == 2
            else ""
        )
        return Result(
            (
                Made(
                    inputs.address,
                    {**asked.value.content(), "origin": origin},
                    services.origin,
                    asked.recipe,
                ),
            )
        )
