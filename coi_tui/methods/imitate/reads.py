"""What the steps of Imitate-and-Evolve read, and how prompts are shown it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.methods.imitate.contents import PassageRow, PassagesContent
from coi_tui.methods.imitate.plan_steps import cell, standing
from coi_tui.model.address import Branch, parse_address, ref
from coi_tui.model.content import Named
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

REQUEST = ("algorithm", "application", "constraints")
SIDES = ("algorithm", "application")


def of(address: str, name: str, field: str, as_name: str = "", *, optional: bool = False) -> Read:
    """A field of a cell of the instance at ``address``."""
    return Read(as_name or field, ref(f"{parse_address(address).instance}/{name}", field), optional)


def request(address: str) -> tuple[Read, ...]:
    """The request in its three parts."""
    return tuple(
        of(address, "split", name, "request", optional=name == "constraints") for name in REQUEST
    )


def request_values(inputs: Inputs) -> dict[str, Any]:
    """The request as prompts show it."""
    said = inputs.fields("request")
    return {"request": {**said, "constraints": said["constraints"] or []}}


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What the manuscript of a branch will be about: the request, and the titles of the papers that it imitates."""
    branch = parse_address(address).branch
    titles = (Read("thought", ref(cell(branch, "outline", n), "title")) for n in (1, 2))
    return (*(of(address, "split", side, "thought") for side in SIDES), *titles)


def own(
    branch: Branch,
    name: str,
    *fields: str,
    item: str | int = "",
    as_name: str = "",
    optional: bool = False,
) -> tuple[Read, ...]:
    """Fields of a cell of the branch."""
    return tuple(
        Read(as_name or field, ref(cell(branch, name, item), field), optional) for field in fields
    )


def step(branch: Branch, after: int, number: int, as_name: str = "step") -> Read:
    """A step as it stands once ``after`` sections are written."""
    return Read(as_name, standing(branch, after, number))


def passages(branch: Branch, number: int) -> tuple[Read, ...]:
    """The evidence of a step, without what the person left out."""
    return (
        *own(branch, "passages", "passages", item=number, as_name="passages"),
        *own(branch, "passages", "off", item=number, as_name="passages", optional=True),
    )


def passages_in(inputs: Inputs) -> list[PassageRow]:
    said = inputs.fields("passages")
    return PassagesContent.from_held(
        {"passages": said["passages"] or [], "off": said["off"] or []}
    ).on()


def passages_shown(rows: Sequence[PassageRow], papers: Mapping[str, Paper]) -> list[dict[str, Any]]:
    """Passages of papers as prompts show them, each under the label of its paper; those of the draft under that of the section."""
    by_id = {paper.id: label for label, paper in papers.items()}
    shown = []
    for row in rows:
        paper = papers.get(by_id.get(row.paper, ""))
        if paper is not None:
            shown.append(
                {
                    "id": by_id[row.paper],
                    "title": paper.title,
                    "year": paper.year,
                    "where": row.where,
                    "text": row.text,
                }
            )
        elif row.section:
            shown.append(
                {
                    "id": f"S{row.section}",
                    "title": "",
                    "year": None,
                    "where": row.where,
                    "text": row.text,
                }
            )
    return shown


# -- outlines -----------------------------------------------------------------------------------------------------------


def outlines(branch: Branch) -> tuple[Read, ...]:
    return tuple(
        Read("outlines", ref(cell(branch, "outline", n), name))
        for n in (1, 2)
        for name in ("title", "parts")
    )


def outlines_in(inputs: Inputs) -> list[dict[str, Any]]:
    """Both outlines with labels for their parts, as prompts show them."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in inputs.all("outlines"):
        address, _, field = name.partition("#")
        found.setdefault(address, {})[field] = value
    shown = []
    for (address, held), letter in zip(sorted(found.items()), "AB", strict=False):
        parts = [Named.from_held(part) for part in held.get("parts") or []]
        rows = [
            {"id": f"{letter}{n}", "name": part.name, "summary": part.description}
            for n, part in enumerate(parts, start=1)
        ]
        shown.append({"number": address[-1], "title": held.get("title") or "", "parts": rows})
    return shown


def part_names(shown: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The label of every part of both outlines, and what a step that imitates it says."""
    for side, outline in zip(SIDES, shown, strict=False):
        yield from ((part["id"], f"{side} paper, {part['name']}") for part in outline["parts"])
