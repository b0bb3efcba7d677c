"""VIR-11 as a cell: the final abstract held against the session's own papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.virsci import course, measures, reads
from coi_tui.methods.virsci.contents import AbstractContent, MeasuresContent
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.model.papers import Paper

MOST = 500
"""Papers of the session that count at most."""
PROXY = "These numbers stand in for a judgement of novelty; they prove none."
TOLD = (
    (
        "hd",
        "HD",
        "historical dissimilarity: distance to the nearest past abstracts; larger is better",
    ),
    (
        "cd",
        "CD",
        "contemporary dissimilarity: distance to the nearest contemporary abstracts; smaller is better",
    ),
    ("ci", "CI", "contemporary impact: citations of those contemporary papers; larger is better"),
    ("on", "ON", "overall novelty: HD x CI / CD"),
)


class MeasuresStep(MethodStep):
    """HD, CD, CI and ON, by vectors where the session has a model for them, else by words. No language model."""

    name = "virsci measures"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        attempt = max(1, course.attempt_now(state, instance))
        about = course.final_abstract(state, instance) or course.last_abstract(
            state, instance, attempt
        )
        return (
            *reads.text_of(state, about),
            Read("split", ref(cell(instance, "people"), "split"), optional=True),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        papers = _library(ctx.state)
        split = bounds_of(ctx.state, parse_address(inputs.address).instance).split or inputs.one(
            "split"
        )
        split = split or measures.middle_year([paper.year or 0 for paper in papers])
        texts = [abstract.text(), *(paper.abstract or "" for paper in papers)]
        found = await self.services(ctx).vectors(texts)
        vectors = found[0] if found is not None else await beside(measures.word_vectors, texts)
        held = [measures.Held(paper.year or 0, paper.citations.count) for paper in papers]
        made = await beside(measures.measure, vectors[0], vectors[1:], held, int(split or 0))
        content = MeasuresContent(
            hd=made.hd,
            cd=made.cd,
            ci=made.ci,
            on=made.on,
            split=split,
            past=made.past,
            contemporary=made.contemporary,
            model=found[1] if found is not None else "",
            note=_lacking(made),
        )
        return Result((Made(inputs.address, content.model_dump(), "source"),))


def _library(state: State) -> list[Paper]:
    """The session's papers that have an abstract and a year, in a fixed order."""
    usable = [paper for key, paper in sorted(state.papers.items()) if paper.abstract and paper.year]
    return usable[:MOST]


def _lacking(made: measures.Measures) -> str:
    """What could not be told, and why."""
    said = []
    if made.hd is None:
        said.append("There is no past abstract to compare with.")
    if made.cd is None:
        said.append("There is no contemporary abstract to compare with, or all are alike.")
    elif made.ci is None:
        said.append("No citations of contemporary papers are known.")
    return " ".join(said)


def number(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"


def behind(held: MeasuresContent) -> str:
    """What the numbers rest on, in one sentence."""
    by = f"vectors ({held.model})" if held.model else "words"
    return f"By {by}, over {count(held.past, 'abstract')} before {held.split} and {held.contemporary} since; each divided by its mean."


def caption(held: MeasuresContent) -> str:
    return (
        f"distance {number(held.hd)} from older, {number(held.cd)} from recent abstracts (a proxy)"
    )


def table(state: State, address: str) -> TableView:
    held = state.read(address, MeasuresContent) or MeasuresContent()
    rows = tuple(
        TableRow(name, (short, number(getattr(held, name)), said)) for name, short, said in TOLD
    )
    return TableView(
        ("", "times the mean", "what it is"),
        rows,
        " ".join(filter(None, (behind(held), held.note, PROXY))),
    )


def told(state: State, address: str) -> Iterator[tuple[str, str]]:
    held = state.read(address, MeasuresContent) or MeasuresContent()
    yield (
        "MEASURES",
        "\n".join(f"{short} {number(getattr(held, name))}: {said}" for name, short, said in TOLD),
    )
    yield "WHAT THEY REST ON", "\n".join(filter(None, (behind(held), held.note, PROXY)))
