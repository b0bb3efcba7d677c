"""What a person names as the start of a method: an address, or a paper by id or title. No method
may start from what comes of itself."""

from __future__ import annotations

from typing import Any

from coi_tui.engine.freshness import Read
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State

CHOICE, TARGET = "choice", "target"
"""The cell of an instance, and its field, in which the person names the start. Every method that
has one calls it so, so that a circle is found whichever methods it goes through."""


def first_line(said: Any) -> str:
    """The first line that says something."""
    return next((str(one).strip() for one in said or [] if str(one).strip()), "")


def reads_of_named(state: State, address: str, said: Any) -> tuple[Read, ...]:
    """What stands at the address that the person chose as the target; nothing where that is no
    address, or comes from the target."""
    line = first_line(said)
    try:
        at = parse_address(line)
    except UsageError:
        return ()
    if comes_from(state, line, parse_address(address).instance):
        return ()
    if at.part == "slot":
        return (Read("chosen_paper", ref(str(at), "paper")),)
    if at.part == "idea":
        return tuple(Read("chosen_idea", ref(str(at), field)) for field in ("title", "final"))
    return ()


def comes_from(state: State, said: str, instance: str) -> bool:
    """Whether what a person named is an idea of this instance, or of one whose own target comes
    from it."""
    seen: set[str] = set()
    while (named := _idea_of(said)) and named not in seen:
        if named == instance:
            return True
        seen.add(named)
        said = first_line(state.value(ref(f"{named}/{CHOICE}", TARGET)))
    return False


def _idea_of(said: str) -> str:
    """The instance whose idea a line names; empty where it names none, or one of a chain, which
    rests on no target."""
    try:
        at = parse_address(said)
    except UsageError:
        return ""
    return at.instance if at.part == "idea" else ""
