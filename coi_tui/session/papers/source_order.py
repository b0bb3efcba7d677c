"""The order of preference among sources of papers: read for a session, decided, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.sources import SOURCES, Order, in_words, read_order
from coi_tui.session.core import SessionCore, chosen_order
from coi_tui.session.runs.service_setup import ServiceSetup

ONLY_THEN = "only where the one before is unreachable or has nothing"


class SourceOrder:
    """In which order a session asks the sources of papers."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def of(self) -> Order:
        """The order in which sources are asked."""
        return self._core.settings.order

    def usual(self) -> Order:
        """The order of the settings, which holds where the session chose none."""
        return self._core.usual_settings.order

    def set(self, names: str | Sequence[str], reason: str = "") -> Decision:
        """Decide the order for the session. Without names it goes by the settings again.

        Raises UsageError for names of no source, or an order that holds already.
        """
        order = read_order(names)
        if order == chosen_order(self._core.state.settings):
            raise UsageError("The order of sources is already set that way; nothing was changed.")
        return self._core.decide("settings", "session", {"sources": list(order)}, reason)

    def effect(self) -> str:
        """What stands after a change, in a sentence."""
        order, setup = self.of(), self._core.setup
        own = "" if chosen_order(self._core.state.settings) else ", as in the settings"
        next_one = f"; each {ONLY_THEN}" if len(order) > 1 else ""
        tail = (
            ""
            if setup.online_source
            else f" Now {setup.source} is searched; the order applies once the session searches online."
        )
        return f"Papers are searched for in {in_words(order)}{own}{next_one}.{tail}"


def sent(setup: ServiceSetup) -> list[str]:
    """What goes to each source that may be asked online, in their order; one entry a source."""
    if not setup.online_source:
        return []
    out = [f"to {SOURCES[setup.order[0]]}: search words, titles and paper ids"]
    for before, name in zip(setup.order, setup.order[1:], strict=False):
        out.append(
            f"to {SOURCES[name]}: the same, only where {SOURCES[before]} is unreachable or has nothing"
        )
    return out


def decided(value: Mapping[str, Any]) -> str:
    """What a decision about settings says of the order of sources, for the log; empty where it is
    about something else."""
    if "sources" not in value:
        return ""
    order = chosen_order(value)
    return f"papers from {in_words(order)}" if order else "papers as in the settings"
