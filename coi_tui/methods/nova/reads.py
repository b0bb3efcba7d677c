"""What the steps of Nova read, how its seeds are numbered, and which ideas there are already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.cell_table import held
from coi_tui.methods.base.reads import reading
from coi_tui.methods.nova.contents import SeedContent
from coi_tui.model.address import Address, instance_of, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.state import State
from coi_tui.model.text import clipped

MOST_EXISTING = 40
"""Existing ideas that a prompt is shown at most, the newest of them."""
TARGET = ("target={instance}/target#title", "target={instance}/target#text")
thought = reading("thought={branch}/initial#problem", "thought={branch}/initial#method")
"""What the proposal of a branch will be made from."""


def shown_target(inputs: Inputs) -> dict[str, Any]:
    """The target, as prompts show it."""
    return {"target": inputs.fields("target")}


# -- seeds


def seed(instance: str, item: str) -> str:
    return f"{instance}/seed{item}"


def numbers(most: int) -> list[str]:
    """Those of the first seeds."""
    return [str(n) for n in range(1, most + 1)]


def parent_of(item: str) -> str:
    """The number of the seed that one replaces; empty for one of the first."""
    return item.rpartition(".")[0]


def round_of(item: str) -> int:
    """0 for the first seeds, then the round that a seed came from."""
    return item.count(".")


def children(item: str, each: int) -> list[str]:
    return [f"{item}.{n}" for n in range(1, each + 1)]


def _seeds(state: State) -> list[Address]:
    """The addresses of all seeds that exist, in their order."""
    found = (parse_address(a) for a in state.cells if "/seed" in a and state.in_use(a) is not None)
    return sorted((at for at in found if at.part == "seed" and at.item), key=lambda at: at.numbers)


def living(state: State, instance: str) -> list[str]:
    """The numbers of all seeds that exist and that no person dropped, nor one that they came from,
    in their order."""
    return [
        at.item
        for at in _seeds(state)
        if at.instance == instance
        and not any(state.cell(seed(instance, above)).rejected for above in line_of(at.item))
    ]


def of_round(state: State, instance: str, number: int) -> list[str]:
    """The numbers of the living seeds of a round; 0: the first ones."""
    return [item for item in living(state, instance) if round_of(item) == number]


def current(state: State, instance: str) -> list[str]:
    """NOVA-7: the numbers of the living seeds that no newer one has replaced."""
    found = living(state, instance)
    replaced = {parent_of(item) for item in found}
    return [item for item in found if item not in replaced]


def starred(state: State, instance: str) -> list[str]:
    """The numbers of the living seeds that a person accepted."""
    return [item for item in living(state, instance) if state.cell(seed(instance, item)).accepted]


def line_of(item: str) -> list[str]:
    """A seed's number and those that it came from, the newest first."""
    return [item, *line_of(parent_of(item))] if item else []


# -- what is there already


def existing(state: State, instance: str, item: str = "") -> list[dict[str, str]]:
    """NOVA-3: ideas that are not to be repeated, each with its address, title and text in short.

    They are the ideas of the session's other methods (parked ones too), the seeds that a person
    dropped, and for a seed that is to be replaced (``item``) the seeds around it: those that it
    came from, with what replaced each beside it. Seeds of other lines are left out, for these are
    made at the same time, and no outcome may depend on who finished first.
    """
    rows = list(_ideas(state, instance))
    around = {parent_of(above) for above in line_of(item)}
    for at in _seeds(state):
        address = str(at)
        beside = at.instance == instance and at.item != item and parent_of(at.item) in around
        if beside or state.cell(address).rejected:
            said = held(state, address, SeedContent)
            rows.append({"address": address, "title": said.title, "text": clipped(said.text)})
    return [{"id": f"E{n}", **row} for n, row in enumerate(rows[-MOST_EXISTING:], start=1)]


def _ideas(state: State, instance: str) -> Iterator[dict[str, str]]:
    for branch in state.branches:
        idea = held(state, f"{branch}/idea", IdeaContent)
        if instance_of(branch) != instance and (idea.title or idea.final):
            yield {"address": f"{branch}/idea", "title": idea.title, "text": clipped(idea.final)}
