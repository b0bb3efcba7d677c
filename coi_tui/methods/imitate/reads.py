"""What the steps of Imitate-and-Evolve read, and how prompts are shown it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.reads import reading
from coi_tui.methods.base.task import known
from coi_tui.methods.imitate.citations import labels_of
from coi_tui.methods.imitate.contents import PassageRow, PassagesContent, SideContent
from coi_tui.methods.imitate.plan_steps import standing
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import Named
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

SIDES = ("algorithm", "application")
REQUEST = (
    "request={instance}/split#algorithm",
    "request={instance}/split#application",
    "request?={instance}/split#constraints",
)
PAIR = ("pair={branch}/pair#algorithm", "pair={branch}/pair#application")
SIDE_PAPERS = (
    "algorithm={instance}/algorithm#papers",
    "algorithm?={instance}/algorithm#off",
    "application={instance}/application#papers",
    "application?={instance}/application#off",
)
OUTLINES = tuple(
    f"outlines={{branch}}/outline{n}#{name}" for n in (1, 2) for name in ("title", "parts")
)
thought = reading(
    "thought={instance}/split#algorithm",
    "thought={instance}/split#application",
    "thought={branch}/outline1#title",
    "thought={branch}/outline2#title",
)
"""What the manuscript of a branch will be about."""


def request(inputs: Inputs) -> dict[str, Any]:
    """The request as prompts show it."""
    return {"request": inputs.fields("request")}


def number_of(address: str) -> int:
    """The section or round that a cell belongs to."""
    return (*parse_address(address).numbers, 1)[0]


def step(branch: Branch, after: int, number: int, as_name: str = "step") -> Read:
    """A step as it stands once ``after`` sections are written."""
    return Read(as_name, standing(branch, after, number))


def side_papers(state: State, inputs: Inputs, side: str) -> list[Paper]:
    """The papers of a side that are used, best first."""
    it = SideContent.from_held({k: v or [] for k, v in inputs.fields(side).items()})
    return known(state, (one.paper for one in it.papers if one.paper not in it.off))


def earlier(branch: Branch, number: int) -> tuple[Read, ...]:
    """The sections before a section."""
    return tuple(
        Read("earlier", f"{branch}/section{n}#{field}")
        for n in range(1, number)
        for field in ("title", "text")
    )


def earlier_in(inputs: Inputs) -> list[dict[str, Any]]:
    """These sections as prompts show them, in their order."""
    return [
        {"number": number_of(address), **held}
        for address, held in by_field(inputs.all("earlier")).items()
    ]


# -- evidence


def evidence(branch: Branch, numbers: Sequence[int]) -> tuple[Read, ...]:
    """The passages of sections, without what the person left out."""
    return tuple(
        Read("evidence", f"{branch}/passages{n}#{field}", optional=field == "off")
        for n in numbers
        for field in ("passages", "off")
    )


def evidence_in(inputs: Inputs) -> dict[int, list[PassageRow]]:
    """These passages by section."""
    return {
        number_of(address): PassagesContent.from_held(held).on()
        for address, held in by_field(inputs.all("evidence")).items()
    }


def labels(rows: Sequence[PassageRow], papers: Mapping[str, Paper]) -> dict[str, Paper]:
    """Labels for the papers of passages."""
    return labels_of([row.paper for row in rows if row.paper], papers)


def passages(rows: Sequence[PassageRow], papers: Mapping[str, Paper]) -> list[dict[str, Any]]:
    """Passages of papers as prompts show them, each under the label of its paper; those of the
    draft under that of the section."""
    by_id = {paper.id: (label, paper) for label, paper in labels(rows, papers).items()}
    shown = []
    for row in rows:
        label, paper = by_id.get(row.paper, (f"S{row.section}", None))
        if paper is not None or row.section:
            title, year = (paper.title, paper.year) if paper is not None else ("", None)
            where = {"where": row.where, "text": row.text}
            shown.append({"id": label, "title": title, "year": year, **where})
    return shown


# -- outlines


def outlines_in(inputs: Inputs) -> list[dict[str, Any]]:
    """Both outlines with labels for their parts, as prompts show them."""
    shown = []
    found = sorted(by_field(inputs.all("outlines")).items())
    for (address, held), letter in zip(found, "AB", strict=False):
        parts = enumerate(map(Named.from_held, held.get("parts") or []), 1)
        rows = [
            {"id": f"{letter}{n}", "name": part.name, "summary": part.description}
            for n, part in parts
        ]
        shown.append({"number": address[-1], "title": held.get("title") or "", "parts": rows})
    return shown


def part_names(shown: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The label of every part of both outlines, and what a step that imitates it says."""
    return {
        part["id"]: f"{side} paper, {part['name']}"
        for side, outline in zip(SIDES, shown, strict=False)
        for part in outline["parts"]
    }
