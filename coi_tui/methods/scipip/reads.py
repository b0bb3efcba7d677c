"""References to what the steps of SciPIP read."""

from __future__ import annotations

from coi_tui.engine.reads import Inputs, Read
from coi_tui.model.address import parse_address, ref
from coi_tui.model.state import State

CHOICES = ("entities_off", "papers_off", "pinned", "apart")


def of(
    address: str,
    name: str,
    field: str,
    as_name: str = "",
    *,
    optional: bool = False,
    once: bool = False,
) -> Read:
    """A field of a cell that all branches of the instance at ``address`` share."""
    instance = parse_address(address).instance
    return Read(
        as_name or field, ref(f"{instance}/{name}", field), optional, parent=once, once=once
    )


def background(address: str) -> Read:
    return of(address, "background", "text", "background")


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What the idea of a branch will be made from."""
    number = str(parse_address(address).branch).rpartition("/")[2]
    return (
        of(address, "background", "text", "thought"),
        of(address, "improved", f"idea{number}", "thought"),
    )


def records(address: str) -> Read:
    return of(address, "records", "papers", "records")


def choices(address: str, *names: str) -> tuple[Read, ...]:
    """What the person left out, pinned or kept apart; there only where a person said so."""
    return tuple(of(address, "choice", name, optional=True) for name in names)


def lines(inputs: Inputs, name: str) -> list[str]:
    """A list of lines among the inputs; empty where there is none."""
    return [str(line) for line in inputs.one(name) or []]
