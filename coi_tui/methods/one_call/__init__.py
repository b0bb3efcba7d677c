"""One call: topic and criteria in, an idea and its experiment plan out, in a single answer. What
the other methods are compared with. The method itself is imported when a session has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import MethodSpec
from coi_tui.methods.base.settings import IdeaSettings
from coi_tui.methods.ideas.matches import ONE_CALL

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def _make(tools: ServiceSet | None, instance: str) -> Any:
    from coi_tui.methods.one_call.method import OneCall

    return OneCall(instance, tools)


SPEC = MethodSpec(
    ONE_CALL,
    ONE_CALL,
    "O",
    IdeaSettings,
    _make,
    lambda _: 1,
    about="one idea in one answer, to compare the others with",
)
