"""Adding a method to a session: an instance with a name of its own, over the topic and the papers that are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from coi_tui.engine.declarations import MethodSpec
from coi_tui.methods.registry import spec_of
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore


def instance_decision(spec: MethodSpec, name: str, given: Mapping[str, Any], *, creation: bool = False) -> Decision:
    """The decision that adds an instance. Raises UsageError for settings that the method refuses."""
    try:
        settings = spec.settings.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{spec.name} cannot be set up: {where}: {first['msg'].lower()}.", "Write another value.") from None
    value = {"method": spec.name, "branches": spec.branches(settings), "settings": settings.model_dump(mode="json")}
    return Decision(actor="you", action="method", address=name, value=value, creation=creation)


def free_instance(state: State, letter: str) -> str:
    """The next free name of a method's instances: ``S1``, ``S2``."""
    number = 1
    while f"{letter}{number}" in state.instances:
        number += 1
    return f"{letter}{number}"


def add_method(core: SessionCore, method: str, given: Mapping[str, Any]) -> str:
    """Add a method by its name. Returns the instance's name. Raises UsageError for a method that cannot be added."""
    spec = spec_of(method)
    if not spec.letter:
        raise UsageError(f"{spec.name} can only be the method that a session begins with.", "Make a new session for it.")
    core.check_writable()
    name = free_instance(core.state, spec.letter)
    core.write([instance_decision(spec, name, given)])
    return name
