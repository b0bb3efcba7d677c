"""VIR-11 as a cell: the final abstract compared with the session's own papers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.cell_table import held, row, table
from coi_tui.methods.shared.text_task import reading, result
from coi_tui.methods.virsci import course, measures, reads
from coi_tui.methods.virsci.contents import AbstractContent, MeasuresContent
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.model.address import parse_address
from coi_tui.model.state import State
from coi_tui.model.views import TableView
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

MOST = 500
"""Papers of the session that count at most."""
PROXY = "These numbers stand in for a judgement of novelty; they prove none."
TOLD = {
    "hd": "historical dissimilarity: distance to the nearest past abstracts; larger is better",
    "cd": "contemporary dissimilarity: distance to the nearest contemporary abstracts; smaller is better",
    "ci": "contemporary impact: citations of those contemporary papers; larger is better",
    "on": "overall novelty: HD x CI / CD",
}


class MeasuresStep(MethodStep):
    """HD, CD, CI and ON, by vectors where the session has a model for them, else by words. No
    language model. Papers need an abstract and a year."""

    name = "virsci measures"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        about = course.abstract_now(state, parse_address(address).instance)
        split = "split?={instance}/people#split"
        return reading(*reads.text_of(state, about), split)(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        papers = [p for _, p in sorted(ctx.state.papers.items()) if p.abstract and p.year][:MOST]
        split = bounds_of(ctx.state, inputs.address).split or inputs.one("split")
        split = split or measures.middle_year([paper.year or 0 for paper in papers])
        texts = [abstract.text(), *(paper.abstract or "" for paper in papers)]
        found = await self.services(ctx).vectors(texts)
        vectors = found[0] if found is not None else await beside(measures.word_vectors, texts)
        library = [measures.Held(paper.year or 0, paper.citations.count) for paper in papers]
        made = await beside(measures.measure, vectors[0], vectors[1:], library, int(split or 0))
        content = {
            **asdict(made),
            "split": split,
            "model": found[1] if found is not None else "",
            "note": _lacking(made),
        }
        return result(inputs, content, "source")


def _lacking(made: measures.Measures) -> str:
    """What could not be told, and why."""
    said = {
        "There is no past abstract to compare with.": made.hd is None,
        "There is no contemporary abstract to compare with, or all are alike.": made.cd is None,
        "No citations of contemporary papers are known.": made.ci is None and made.cd is not None,
    }
    return " ".join(sentence for sentence, is_so in said.items() if is_so)


def number(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f}"


def behind(it: MeasuresContent) -> str:
    """What the numbers rest on, and what they are not."""
    by = f"vectors ({it.model})" if it.model else "words"
    over = f"{count(it.past, 'abstract')} before {it.split} and {it.contemporary} since"
    return f"By {by}, over {over}; each divided by its mean. {it.note} {PROXY}".replace("  ", " ")


def caption(it: MeasuresContent) -> str:
    return f"distance {number(it.hd)} from older, {number(it.cd)} from recent abstracts (a proxy)"


def measures_table(state: State, address: str) -> TableView:
    it = held(state, address, MeasuresContent)
    rows = (row(name, name.upper(), number(getattr(it, name)), said) for name, said in TOLD.items())
    return table("|times the mean|what it is", rows, behind(it))
