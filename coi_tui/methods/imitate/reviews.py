"""IE-7 to IE-10: the review of a manuscript, its points taken or rebutted, revisions that are kept
only where they are not worse, and title and abstract last."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import nth
from coi_tui.methods.base.reads import reading
from coi_tui.methods.base.replies import Idea
from coi_tui.methods.base.task import MethodTask, TextTask, Values, known, one_call, result
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.citations import with_names
from coi_tui.methods.imitate.manuscript import (
    Section,
    numbers,
    reads_of,
    sections_in,
    steps_of,
)
from coi_tui.methods.imitate.reads import PAIR, REQUEST
from coi_tui.methods.imitate.replies import ManuscriptReview, PointDecision, RevisedSection
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Asked, Services

KEPT = ("better", "as good")
"""What became of a revision that is used."""
WHOLE = (1_000, 12_000)
"""Tokens of a prompt with the whole manuscript."""
NOT_COMPARED = "not compared"
YOURS = "your text stays"
"""What became of a revision that would be kept, of a section that a person wrote or accepted: it
waits for the person."""


def outcome(before: float | None, after: float | None) -> str:
    """What became of a revision by the ratings of the whole text: without two there is nothing to
    compare, and the old section stays."""
    if before is None or after is None:
        return NOT_COMPARED
    return "rolled back" if after < before else "better" if after > before else "as good"


def _standing(state: State, address: str) -> tuple[Read, ...]:
    """The request, and the manuscript before the round of an address."""
    branch, number = parse_address(address).branch, reads.number_of(address)
    return reading(*REQUEST, *reads_of(state, branch, number))(state, address)


def _with_points(*points: str) -> Any:
    """The same with the points of the round and the passages of every section."""

    def all_reads(state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        passages = reads.evidence(branch, numbers(state, branch))
        return reading(_standing, *points, *passages)(state, address)

    return all_reads


def _to_review(inputs: Inputs, sections: Sequence[Section]) -> Values:
    return {**reads.request(inputs), "sections": [one.shown() for one in sections]}


def _numbers(values: Values) -> Choices:
    return Choices(
        "points", "section", [one["number"] for one in values["sections"]], exactly=False
    )


def _reviewed(ctx: Context, inputs: Inputs, said: ManuscriptReview) -> Values:
    there = {section.number for section in sections_in(inputs)}
    points = [
        {"name": str(p.section), "description": p.point} for p in said.points if p.section in there
    ]
    if strange := len(said.points) - len(points):
        ctx.changed += (f"{count(strange, 'point')} on no section of the text: ignored",)
    return {**said.content(), "points": points}


def _section_values(ctx: Context, inputs: Inputs, section: Section, **more: Any) -> Values:
    rows = reads.evidence_in(inputs).get(section.number, [])
    passages = reads.passages(rows, ctx.state.papers)
    return {**reads.request(inputs), "section": section.shown(), "passages": passages, **more}


class AnswersTask(MethodTask):
    """IE-9: for each point a call decides, from its section and that section's evidence, what to
    change or why to change nothing."""

    name, prompts = "imitate answers", ("imitate_point",)
    reads = staticmethod(_with_points("points={branch}/referee{item}#points"))

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        points = state.value(f"{at.branch}/referee{at.item}#points")
        low, high = (1, 8) if points is None else (len(points), len(points))
        return one_call((500, 3_500), (60, 350)).times(low, high)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        points = [Named.from_held(point) for point in inputs.one("points") or []]
        by_number = {str(section.number): section for section in sections_in(inputs)}

        async def decide(point: Named) -> Asked[PointDecision]:
            section = by_number.get(point.name.strip())
            if section is None:
                raise CoiError(
                    f"A point names section {point.name[:20]}, which there is not.",
                    "Edit the points of the review.",
                )
            values = _section_values(ctx, inputs, section, point=point.description)
            return await services.ask("imitate_point", values, PointDecision)

        asked = await asyncio.gather(*(decide(point) for point in points))
        content = answers([said.value for said in asked])
        recipe: Mapping[str, Any] = asked[0].recipe if asked else {}
        return result(inputs, content, services.origin, recipe)


def answers(decisions: Sequence[PointDecision]) -> dict[str, list[dict[str, str]]]:
    """The points by their numbers: those with a change are taken, those with a reason against any
    are rebutted."""
    found: dict[str, list[dict[str, str]]] = {"taken": [], "rebutted": []}
    for number, said in enumerate(decisions, 1):
        row = {"name": str(number), "description": said.change.strip() or said.rebuttal.strip()}
        found["taken" if said.change.strip() else "rebutted"].append(row)
    return found


class GateTask(MethodTask):
    """IE-10: each section with points that were taken is revised; then the whole text is reviewed
    with that section in the place of the old one, and the revision is kept only where the rating is
    not lower. A rating that there is not keeps the old one."""

    name, prompts = "imitate gate", ("imitate_revise", "imitate_review")
    reads = staticmethod(
        _with_points(
            "points?={branch}/referee{item}#points",
            "rating?={branch}/referee{item}#rating",
            "taken={branch}/answers{item}#taken",
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        taken = state.value(f"{at.branch}/answers{at.item}#taken")
        high = min(steps_of(state, at.branch), 8 if taken is None else len(taken))
        one = one_call((500, 3_500), (150, 1_000)) + one_call(WHOLE, (350, 1_600))
        return one.times(min(1, high), high)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, sections = self.services(ctx), sections_in(inputs)
        wanted = _wanted(inputs.one("taken") or [], inputs.one("points") or [])
        evidence, changed = reads.evidence_in(inputs), [s for s in sections if s.number in wanted]
        values = (_section_values(ctx, inputs, s, points=wanted[s.number]) for s in changed)
        asked = await asyncio.gather(
            *(services.ask("imitate_revise", one, RevisedSection) for one in values)
        )
        services.at(1)

        async def gated(section: Section, said: Asked[RevisedSection]) -> dict[str, Any]:
            labels = reads.labels(evidence.get(section.number, []), ctx.state.papers)
            new, papers = with_names(said.value.text, labels)
            return {
                "section": section.number,
                "old": section.text,
                "new": new,
                "papers": papers,
                **await _rated(services, inputs, sections, section, new),
            }

        rows = await asyncio.gather(*map(gated, changed, asked))
        kept = {f"text{row['section']}": row["new"] for row in rows if row["outcome"] in KEPT}
        recipe: Mapping[str, Any] = asked[0].recipe if asked else {}
        return result(inputs, {"rows": rows, **kept}, services.origin, recipe)


async def _rated(
    services: Services, inputs: Inputs, sections: Sequence[Section], section: Section, new: str
) -> dict[str, Any]:
    """The ratings of the whole text before and after a section was revised, and what comes of it.

    The same text is reviewed by the same call, whoever asks.
    """
    before = inputs.one("rating")
    if new == section.text:
        return {"before": before, "after": before, "outcome": "no change"}
    changed = [replace(s, text=new, revised=0) if s is section else s for s in sections]
    values = _to_review(inputs, changed)
    try:
        asked = await services.ask(
            "imitate_review", values, ManuscriptReview, choices=_numbers(values)
        )
    except ReplyError:
        return {"before": before, "after": None, "outcome": NOT_COMPARED}
    said = outcome(before, asked.value.rating)
    at = f"{parse_address(inputs.address).branch}/section{section.number}"
    if said in KEPT and services.ctx.state.cell(at).lock is not None:
        said = YOURS
    return {"before": before, "after": asked.value.rating, "outcome": said}


def _wanted(taken: Sequence[Any], points: Sequence[Any]) -> dict[int, list[dict[str, str]]]:
    """The points that are to be carried out, each with its change, by section."""
    out: dict[int, list[dict[str, str]]] = {}
    for said in map(Named.from_held, taken):
        point = Named.from_held(nth(points, said.name.strip()) or {})
        if point.name.strip().isdecimal():
            change = {"point": point.description, "change": said.description}
            out.setdefault(int(point.name), []).append(change)
    return out


def _head(ctx: Context, inputs: Inputs, said: Idea) -> Values:
    titles = [f"“{paper.title}”" for paper in known(ctx.state, inputs.fields("pair").values())]
    return {**said.content(), "origin": f"Imitates {' and '.join(titles)}."}


REVIEW_TASKS: Mapping[str, TextTask[Any]] = {
    "referee": TextTask(
        "imitate review",
        "imitate_review",
        ManuscriptReview,
        _standing,
        one_call(WHOLE, (350, 1_600)),
        lambda ctx, inputs: _to_review(inputs, sections_in(inputs)),
        _reviewed,
        choices=_numbers,
    ),
    "idea": TextTask(
        "imitate head",
        "imitate_head",
        Idea,
        lambda state, address: reading(
            *REQUEST,
            *reads_of(state, parse_address(address).branch),
            *PAIR,
            "bad_cases?={branch}/bad#cases",
        )(state, address),
        one_call(WHOLE, (250, 1_200)),
        lambda ctx, inputs: {
            **_to_review(inputs, sections_in(inputs)),
            "bad_cases": inputs.one("bad_cases") or [],
        },
        _head,
    ),
}
"""IE-8: summary, soundness, presentation, contribution, strengths, weaknesses, questions, a rating,
and points one by one. IE-7: title and abstract, from the whole text, last of all."""
