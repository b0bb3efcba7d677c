"""NOVA-1: the target that everything starts from, and the report over recent papers that were well received."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import TargetContent
from coi_tui.methods.nova.replies import TrendReport
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reading_list import LIST_READ
from coi_tui.methods.shared.reads import TOPIC, criteria, rules
from coi_tui.methods.shared.targets import comes_from, first_line, reads_of_named
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import ReadingRow
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

ABSTRACT = 1_500
"""Characters of an abstract that a prompt is shown at most."""


def shown(papers: Iterable[Paper]) -> list[dict[str, Any]]:
    """Papers with labels, as prompts show them."""
    return [
        {"id": f"P{n}", "title": p.title, "year": p.year, "abstract": (p.abstract or "")[:ABSTRACT]}
        for n, p in enumerate(papers, start=1)
    ]


class TargetStep(MethodStep):
    """The paper or idea that the person chose; without a choice the first anchor of the session, else the best of the reading list."""

    name = "nova target"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        chosen = reads.of(address, "choice", "target", optional=True)
        said = state.value(chosen.ref)
        start = (
            reads_of_named(state, address, said)
            if first_line(said)
            else _anchor_read(state, address)
        )
        return (TOPIC, chosen, *start, *criteria(state), LIST_READ)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        found = self._chosen(ctx.state, inputs) or self._usual(ctx.state, inputs)
        placed = [
            paper
            for place in ctx.state.slots.values()
            if (paper := ctx.state.papers.get(place.paper or "")) is not None
        ]
        known = _usable(ctx.state, inputs, [*placed, *_listed(ctx.state, inputs)])
        others = [p for key, p in known.items() if key != found["paper"] and p.abstract]
        similar = await services.similarity(f"{found['title']}\n{found['text']}", others)
        content = {**found, "related": similar.nearest(bounds.related), "ranked": similar.how}
        return Result((Made(inputs.address, content, "source"),))

    def _chosen(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        said = first_line(inputs.one("target"))
        if not said:
            return None
        if papers := inputs.all("chosen_paper"):
            return _of_paper(papers[0][1], said)
        if any(read.name == "chosen_idea" for read in inputs.reads) and (
            idea := inputs.fields("chosen_idea")
        ).get("final"):
            return {
                "title": idea["title"],
                "text": idea["final"],
                "of": said,
                "paper": "",
                "year": None,
            }
        for paper in state.papers.values():
            if said.casefold() in (paper.id.casefold(), paper.title.casefold()):
                return _of_paper(paper, paper.id)
        hint = "Name an address such as 1/0 or 1/idea, or a paper's id or title."
        if comes_from(state, said, parse_address(inputs.address).instance):
            raise CoiError(
                f"{said} comes from this target, so that it cannot be the target itself.", hint
            )
        raise CoiError(f"“{said[:80]}” is no paper or idea of this session.", hint)

    def _usual(self, state: State, inputs: Inputs) -> dict[str, Any]:
        anchors = [
            (state.papers[place.paper], address)
            for address, place in _anchors(state)
            if place.paper in state.papers
        ]
        if anchors:
            return _of_paper(*anchors[0])
        rows = [ReadingRow.from_held(row) for row in inputs.one("reading") or []]
        best = next((row.paper for row in rows if row.eligible and row.paper in state.papers), "")
        if not best:
            raise CoiError(
                "No paper was found to start from.",
                "Name a target in the choices, or try other words for the topic.",
            )
        return _of_paper(state.papers[best], best)


def _anchors(state: State) -> list[tuple[str, Any]]:
    """The filled anchor slots, branch by branch."""
    branches = [b for b in state.branches_of("") if b not in state.parked]
    return [(f"{b}/0", place) for b in branches if (place := state.slot(f"{b}/0")).paper]


def _anchor_read(state: State, address: str) -> tuple[Read, ...]:
    """The anchor that the target was made from, or is to be made from; an anchor that came later is none of its inputs."""
    made = state.read(address, TargetContent)
    of = made.of if made is not None else next((anchor for anchor, _ in _anchors(state)), "")
    return (Read("anchor", ref(of, "paper"), optional=True),) if _is_anchor(of) else ()


def _is_anchor(of: str) -> bool:
    try:
        at = parse_address(of)
    except UsageError:
        return False
    return at.part == "slot" and at.pos == 0


def _of_paper(paper: Paper, of: str) -> dict[str, Any]:
    return {
        "title": paper.title,
        "text": paper.abstract or "",
        "of": of,
        "paper": paper.id,
        "year": paper.year,
    }


def _listed(state: State, inputs: Inputs) -> list[Paper]:
    """The papers of the reading list, in its order."""
    return [
        state.papers[row["paper"]]
        for row in inputs.one("reading") or []
        if row["paper"] in state.papers
    ]


def _usable(state: State, inputs: Inputs, papers: Iterable[Paper]) -> dict[str, Paper]:
    """Papers by id without those that the session rejected everywhere or that its criteria leave out; the last record of each counts."""
    asked, rejected = rules(inputs), state.rejected(0)
    return {p.id: p for p in papers if p.id not in rejected and not left_out(p, asked)}


class TrendsStep(MethodStep):
    """NOVA-1: recent papers by the citations they have had a year, of one search and the reading list, and a report over them.

    The paper counts likes and reposts; no source has these for all papers, so that the velocity of citations stands for them.
    """

    name, prompts = "nova trends", ("nova_trends",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            TOPIC,
            reads.of(address, "target", "title", "target_title"),
            *criteria(state),
            LIST_READ,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (800, 5_000), (250, 700), (1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        source = services.source(stage=0)
        answer = await source.search(str(inputs.one("target_title")), bounds.hits)
        known = _usable(ctx.state, inputs, [*_listed(ctx.state, inputs), *answer.papers])
        rows = popular(known.values(), bounds.recent)[: bounds.popular]
        if not rows:
            raise CoiError(
                answer.lacking or "No dated paper was found to report trends over.",
                "Try other words for the topic.",
            )
        services.at(1)
        values = {
            "topic": inputs.one("topic"),
            "papers": shown(known[row["paper"]] for row in rows),
        }
        said = await services.ask("nova_trends", values, TrendReport)
        content = {
            **said.value.content(),
            "papers": rows,
            "note": _told_by(rows),
            "tries": [search_record(answer)],
        }
        kept = tuple(known[row["paper"]] for row in rows)
        return Result(
            (
                Made(
                    inputs.address, content, services.origin, {**said.recipe, "source": source.name}
                ),
            ),
            kept,
        )


def popular(papers: Iterable[Paper], recent: int) -> list[dict[str, Any]]:
    """Rows of the papers of the last years, counted from the newest of them, those with the most citations a year first.

    A paper of unknown citations comes after those that are counted.
    """
    dated = [p for p in papers if p.year]
    newest = max((p.year or 0 for p in dated), default=0)
    rows = [_popular(p, newest) for p in dated if (p.year or 0) > newest - recent]
    return sorted(
        rows,
        key=lambda row: (-row["velocity"], row["citations"] is None, -row["year"], row["paper"]),
    )


def _popular(p: Paper, newest: int) -> dict[str, Any]:
    years = newest - (p.year or 0) + 1
    velocity = round((p.citations.count or 0) / years, 2)
    return {
        "paper": p.id,
        "title": p.title,
        "year": p.year,
        "citations": p.citations.count,
        "velocity": velocity,
    }


def _told_by(rows: Iterable[Mapping[str, Any]]) -> str:
    counted = sum(row["citations"] is not None for row in rows)
    said = "Citations a year stand for likes and reposts, which no source of papers counts."
    return (
        said
        if counted
        else f"{said} Here no citations are known either, so the newest papers come first."
    )
