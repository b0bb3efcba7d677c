"""The order of preference among sources of papers: read for a session, decided, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.sources import Order
from coi_tui.services.sources.source_registry import (
    checked_order,
    order_in_words,
    searched_sources,
)
from coi_tui.session.core import SessionCore, chosen_order

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

    def known(self) -> list[str]:
        """The names of the sources there are."""
        return searched_sources()

    def in_words(self) -> str:
        """The order with the names that are shown."""
        return order_in_words(self.of())

    def set(self, names: str | Sequence[str], reason: str = "") -> Decision:
        """Decide the order for the session. Without names it goes by the settings again.

        Raises UsageError for names of no source, or an order that holds already.
        """
        order = checked_order(names)
        if order == chosen_order(self._core.state.settings):
            raise UsageError("The order of sources is already set that way; nothing was changed.")
        return self._core.decide("settings", "session", {"sources": list(order)}, reason)

    def effect(self) -> str:
        """What holds after a change, in a sentence."""
        order, setup = self.of(), self._core.setup
        own = "" if chosen_order(self._core.state.settings) else ", as in the settings"
        next_one = f"; each {ONLY_THEN}" if len(order) > 1 else ""
        tail = (
            ""
            if setup.online_source
            else f" Now {setup.source} is searched; the order applies once the session searches online."
        )
        return f"Papers are searched for in {self.in_words()}{own}{next_one}.{tail}"


def decided(value: Mapping[str, Any]) -> str:
    """What a decision about settings says of the order of sources, for the log; empty where it is
    about something else."""
    if "sources" not in value:
        return ""
    order = chosen_order(value)
    return f"papers from {order_in_words(order)}" if order else "papers as in the settings"
