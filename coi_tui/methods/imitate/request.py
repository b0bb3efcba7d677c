"""IE-1 to IE-3: a request in its parts, papers for both sides, every pair of them scored, and the pair that a manuscript takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.contents import PairRow, SideContent
from coi_tui.methods.imitate.pairs import pair_for, pair_labels, ranked
from coi_tui.methods.imitate.replies import ScoredPairs, SplitRequest
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reads import TOPIC, criteria, rules
from coi_tui.methods.shared.targets import CHOICE, TARGET, comes_from, first_line, reads_of_named
from coi_tui.model.address import parse_address, ref
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

ABSTRACT = 1_200
"""Characters of an abstract that the scoring of pairs is shown at most."""


class SplitStep(MethodStep):
    """IE-1: one call takes the request apart: the topic, or the idea that the person named."""

    name, prompts = "imitate split", ("imitate_split",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        chosen = reads.of(address, CHOICE, TARGET, optional=True)
        named = reads_of_named(state, address, state.value(chosen.ref))
        return (TOPIC, chosen, *(read for read in named if read.name == "chosen_idea"))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (300, 1_200), (120, 500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        said, text = first_line(inputs.one(TARGET)), str(inputs.one("topic"))
        if said:
            text = self._idea(ctx.state, inputs, said)
        asked = await services.ask("imitate_split", {"request": text}, SplitRequest)
        return Result(
            (
                Made(
                    inputs.address,
                    {**asked.value.content(), "of": said},
                    services.origin,
                    asked.recipe,
                ),
            )
        )

    def _idea(self, state: State, inputs: Inputs, said: str) -> str:
        idea = inputs.fields("chosen_idea")
        if idea.get("final"):
            return f"{idea['title']}\n{idea['final']}"
        hint = "Name the address of an idea, such as 1/idea, or nothing for the topic."
        if comes_from(state, said, parse_address(inputs.address).instance):
            raise CoiError(
                f"{said} comes from this request, so that it cannot be the request itself.", hint
            )
        raise CoiError(f"“{said[:80]}” is no idea of this session.", hint)


class SideStep(MethodStep):
    """IE-2: the papers of one side: a search, then ranked by the query against title and abstract."""

    name = "imitate search"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            reads.of(address, "split", f"{parse_address(address).part}_query", "query"),
            *criteria(state),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        source, query = services.source(stage=0), str(inputs.one("query"))
        answer = await source.search(query, bounds.hits)
        asked, rejected = rules(inputs), ctx.state.rejected(0)
        usable = {
            p.id: p
            for p in answer.papers
            if p.abstract and p.id not in rejected and not left_out(p, asked)
        }
        if not usable:
            raise CoiError(
                answer.lacking or f"The search for “{query[:80]}” found no paper that can be read.",
                "Edit the split.",
            )
        similar = await services.similarity(query, list(usable.values()))
        scores = similar.vectors or similar.words
        best = similar.nearest(bounds.papers)
        rows = [
            {"paper": key, "title": usable[key].title, "score": round(scores.get(key, 0.0), 3)}
            for key in best
        ]
        content = {
            "papers": rows,
            "query": query,
            "ranked": similar.how,
            "tries": [search_record(answer)],
        }
        return Result(
            (Made(inputs.address, content, "source", {"source": source.name}),),
            tuple(usable[key] for key in best),
        )


def side_reads(address: str) -> tuple[Read, ...]:
    """The papers of both sides, and those that the person left out."""
    names = (("papers", False), ("off", True))
    return tuple(
        reads.of(address, side, field, side, optional=optional)
        for side in reads.SIDES
        for field, optional in names
    )


def side_papers(state: State, inputs: Inputs, side: str) -> list[Paper]:
    """The papers of a side that are used, best first."""
    said = inputs.fields(side)
    held = SideContent.from_held({"papers": said["papers"] or []})
    off = set(said["off"] or [])
    return [
        state.papers[row.paper]
        for row in held.papers
        if row.paper in state.papers and row.paper not in off
    ]


class PairsStep(MethodStep):
    """IE-3: one call scores every pair of a paper of one side and one of the other."""

    name, prompts = "imitate pairs", ("imitate_pairs",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.request(address), *side_reads(address))

    def cost(self, state: State, address: str) -> Cost:
        number = bounds_of(state, parse_address(address).instance).papers
        return Cost(
            "main",
            (1, 2),
            (400 + 120 * number, 1_000 + 1_600 * number),
            (30 * number**2, 150 * number**2),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        sides = {side: side_papers(ctx.state, inputs, side) for side in reads.SIDES}
        ids = {side: [paper.id for paper in papers] for side, papers in sides.items()}
        labels = pair_labels(ids["algorithm"], ids["application"])
        if not labels:
            raise CoiError(
                "There is no pair: a side has no paper, or both have the same one.",
                "Take papers in again, or edit the split.",
            )
        shown = {
            f"{side}_papers": _shown(papers, letter)
            for (side, papers), letter in zip(sides.items(), "AB", strict=True)
        }
        values = {**reads.request_values(inputs), **shown, "pairs": list(labels)}
        asked = await services.ask(
            "imitate_pairs", values, ScoredPairs, choices=Choices("pairs", "id", list(labels))
        )
        rows, missing = ranked(ids["algorithm"], ids["application"], asked.value.pairs)
        if missing:
            ctx.changed += (f"{count(missing, 'pair')} got no score",)
        return Result(
            (Made(inputs.address, {**ids, "pairs": rows}, services.origin, asked.recipe),)
        )


def _shown(papers: list[Paper], letter: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{letter}{n}",
            "title": p.title,
            "year": p.year,
            "abstract": (p.abstract or "")[:ABSTRACT],
        }
        for n, p in enumerate(papers, start=1)
    ]


class PairStep(MethodStep):
    """IE-3: the best pair; for a second manuscript the next one that shares no paper with it. A person may choose another."""

    name = "imitate pair"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (Read("pairs", ref(f"{parse_address(address).instance}/pairs", "pairs")),)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        rows = [PairRow.from_held(row) for row in inputs.one("pairs") or []]
        number = int(str(parse_address(inputs.address).branch).rpartition("/")[2])
        best = pair_for(rows, number)
        if best is None:
            raise CoiError(
                f"There are only {count(len(rows), 'pair')} of papers.",
                "Ask for more papers, or set this branch aside.",
            )
        return Result((Made(inputs.address, best.model_dump(), "source"),))
