"""How seeds are numbered, which of them are in the running, which becomes which proposal (NOVA-9),
and which ideas there are already."""

from __future__ import annotations

from coi_tui.methods.base.cell_table import held
from coi_tui.methods.nova.kinds import DiversityContent, InitialContent, SeedContent
from coi_tui.model.address import Address, Branch, instance_of, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.state import State
from coi_tui.model.text import clipped

MOST_EXISTING = 40
"""Existing ideas that a prompt is shown at most, the newest of them."""


def seed(instance: str, item: str) -> str:
    return f"{instance}/seed{item}"


def numbers(most: int) -> list[str]:
    """Those of the first seeds."""
    return [str(n) for n in range(1, most + 1)]


def children(item: str, each: int) -> list[str]:
    return [f"{item}.{n}" for n in numbers(each)]


def parent_of(item: str) -> str:
    """The number of the seed that one replaces; empty for one of the first."""
    return item.rpartition(".")[0]


def round_of(item: str) -> int:
    """0 for the first seeds, then the round that a seed came from."""
    return item.count(".")


def line_of(item: str) -> list[str]:
    """A seed's number and those that it came from, the newest first."""
    return [item, *line_of(parent_of(item))] if item else []


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


def seed_of(state: State, branch: Branch) -> str:
    """The number of the seed that a branch works out; empty where there is none for it.

    A branch with a proposal keeps its seed. The other branches take the seeds that a person
    accepted, then one of each group, those that are taken left out.
    """
    instance = instance_of(branch)
    branches = [b for b in state.branches_of(instance) if b == branch or b not in state.parked]
    there = living(state, instance)
    found: dict[Branch, str] = {}
    for b in branches:
        item = held(state, f"{b}/initial", InitialContent).seed
        if item in there and item not in found.values():
            found[b] = item
    accepted = [item for item in there if state.cell(seed(instance, item)).accepted]
    picks = held(state, f"{instance}/diversity", DiversityContent).picks
    offered = [item for item in dict.fromkeys([*accepted, *picks]) if item in there]
    left = [item for item in offered if item not in found.values()]
    return {**dict(zip((b for b in branches if b not in found), left, strict=False)), **found}.get(
        branch, ""
    )


def existing(state: State, instance: str, item: str = "") -> list[dict[str, str]]:
    """NOVA-3: ideas that are not to be repeated, each with its address, title and text in short.

    They are the ideas of the session's other methods (parked ones too), the seeds that a person
    dropped, and for a seed that is to be replaced (``item``) the seeds around it: those that it
    came from, with what else replaced each. Seeds of other lines are left out, for these are made
    at the same time, and no outcome may depend on who finished first.
    """
    rows = []
    for address in (f"{b}/idea" for b in state.branches if instance_of(b) != instance):
        idea = held(state, address, IdeaContent)
        if idea.title or idea.final:
            rows.append((address, idea.title, idea.final))
    around = {parent_of(above) for above in line_of(item)}
    for at in _seeds(state):
        near = at.instance == instance and at.item != item and parent_of(at.item) in around
        if near or state.cell(str(at)).rejected:
            content = held(state, str(at), SeedContent)
            rows.append((str(at), content.title, content.text))
    return [
        {"id": f"E{n}", "address": address, "title": title, "text": clipped(text)}
        for n, (address, title, text) in enumerate(rows[-MOST_EXISTING:], start=1)
    ]
