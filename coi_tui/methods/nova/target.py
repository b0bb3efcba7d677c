"""NOVA-1: the target that everything starts from, and the report over recent papers that were well
received."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import (
    TOPIC,
    comes_from,
    criteria,
    first_line,
    reading,
    reads_of_named,
)
from coi_tui.methods.base.task import MethodTask, admitted, known, result, shown
from coi_tui.methods.evidence.reading_list import LIST_READ, search_record
from coi_tui.methods.nova.contents import TargetContent
from coi_tui.methods.nova.replies import TrendReport
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import ReadingRow
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class TargetTask(MethodTask):
    """The paper or idea that the person chose; without a choice the first anchor of the session,
    else the best of the reading list."""

    name = "nova target"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        chosen = Read("target", f"{parse_address(address).instance}/choice#target", optional=True)
        said = state.value(chosen.ref)
        start = (
            reads_of_named(state, address, said)
            if first_line(said)
            else _anchor_read(state, address)
        )
        return (TOPIC, chosen, *start, *criteria(state), LIST_READ)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, state = self.services(ctx), ctx.state
        said = first_line(inputs.one("target"))
        found = _chosen(state, inputs, said) if said else _usual(state, inputs)
        placed = known(state, (place.paper or "" for place in state.slots.values()))
        papers = admitted(state, inputs, [*placed, *_listed(state, inputs)])
        others = [p for p in papers if p.id != found["paper"] and p.abstract]
        similar = await services.similarity(f"{found['title']}\n{found['text']}", others)
        content = {
            **found,
            "related": similar.nearest(bounds_of(state, inputs.address).related),
            "ranked": similar.how,
        }
        return result(inputs, content, "source")


def _chosen(state: State, inputs: Inputs, said: str) -> dict[str, Any]:
    """The idea or the paper at the address that a person named, or the paper of that id or
    title."""
    if papers := inputs.all("chosen_paper"):
        return _of_paper(papers[0][1], said)
    idea = inputs.fields("chosen_idea")
    if idea.get("final"):
        return {"title": idea["title"], "text": idea["final"], "of": said, "paper": ""}
    for paper in state.papers.values():
        if said.casefold() in (paper.id.casefold(), paper.title.casefold()):
            return _of_paper(paper, paper.id)
    why = f"“{said[:80]}” is no paper or idea of this session."
    if comes_from(state, said, parse_address(inputs.address).instance):
        why = f"{said} comes from this target, so that it cannot be the target itself."
    raise CoiError(why, "Name an address such as 1/0 or 1/idea, or a paper's id or title.")


def _usual(state: State, inputs: Inputs) -> dict[str, Any]:
    """The first anchor, else the best paper of the reading list."""
    found = [(state.slot(address).paper or "", address) for address in _anchors(state)]
    rows = map(ReadingRow.from_held, inputs.one("reading") or [])
    for paper, of in (*found, *((row.paper, row.paper) for row in rows if row.eligible)):
        if paper in state.papers:
            return _of_paper(state.papers[paper], of)
    raise CoiError(
        "No paper was found to start from.",
        "Name a target in the choices, or try other words for the topic.",
    )


def _anchors(state: State) -> Iterator[str]:
    """The filled anchor slots, branch by branch."""
    branches = (b for b in state.branches_of("") if b not in state.parked)
    return (f"{b}/0" for b in branches if state.slot(f"{b}/0").paper)


def _anchor_read(state: State, address: str) -> tuple[Read, ...]:
    """The anchor that the target was made from, or is to be made from; an anchor that came later is
    none of its inputs."""
    made = state.read(address, TargetContent)
    of = made.of if made is not None else next(_anchors(state), "")
    return (Read("anchor", ref(of, "paper"), optional=True),) if of in state.slots else ()


def _of_paper(paper: Paper, of: str) -> dict[str, Any]:
    return {"title": paper.title, "text": paper.abstract or "", "of": of, "paper": paper.id}


def _listed(state: State, inputs: Inputs) -> list[Paper]:
    """The papers of the reading list, in its order."""
    return known(state, (row["paper"] for row in inputs.one("reading") or []))


class TrendsTask(MethodTask):
    """NOVA-1: recent papers by the citations they have had a year, of one search and the reading
    list, and a report over them.

    The paper counts likes and reposts; no source has these for all papers, so that the velocity of
    citations stands for them.
    """

    name, prompts = "nova trends", ("nova_trends",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        title = "target_title={instance}/target#title"
        return reading(TOPIC, title, *criteria(state), LIST_READ)(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (800, 5_000), (250, 700), (1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        source = services.source(stage=0)
        answer = await source.search(str(inputs.one("target_title")), bounds.hits)
        found = [*_listed(ctx.state, inputs), *answer.papers]
        papers = {p.id: p for p in admitted(ctx.state, inputs, found)}
        rows = popular(papers.values(), bounds.recent)[: bounds.popular]
        if not rows:
            raise CoiError(
                answer.lacking or "No dated paper was found to report trends over.",
                "Try other words for the topic.",
            )
        services.at(1)
        kept = tuple(papers[row["paper"]] for row in rows)
        values = {"topic": inputs.one("topic"), "papers": shown(kept)}
        said = await services.ask("nova_trends", values, TrendReport)
        content = {**said.value.content(), "papers": rows, "tries": [search_record(answer)]}
        recipe = {**said.recipe, "source": source.name}
        return result(inputs, content, services.origin, recipe, papers=kept)


def popular(papers: Iterable[Paper], recent: int) -> list[dict[str, Any]]:
    """Rows of the papers of the last years, counted from the newest of them, those with the most
    citations a year first.

    A paper of unknown citations comes after those that are counted.
    """
    dated = [(p, p.year) for p in papers if p.year]
    newest = max((year for _, year in dated), default=0)
    rows = [
        {
            "paper": p.id,
            "year": year,
            "citations": p.citations.count,
            "velocity": round((p.citations.count or 0) / (newest - year + 1), 2),
        }
        for p, year in dated
        if year > newest - recent
    ]

    return sorted(
        rows,
        key=lambda row: (-row["velocity"], row["citations"] is None, -row["year"], row["paper"]),
    )
