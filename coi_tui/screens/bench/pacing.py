"""A word against accepting at a run: said once, nothing is blocked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from coi_tui.screens.bench.surface import Part

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk

MANY, WITHIN = 5, 20.0
"""So many accepts within so many seconds, and none of the rows opened."""

OPENS = frozenset({"enter", "pane_2", "read", "browser", "why", "edit", "edit_outside", "history", "diff", "candidates"})
"""The keys that show more of a row than its line."""


class Pacing(Part):
    """Knows which rows were opened on this screen, and when rows were accepted one after the other."""

    now: Callable[[], float] = staticmethod(time.monotonic)

    def __init__(self, desk: Desk, at: str = "") -> None:
        super().__init__(desk, at)
        self.opened: set[str] = set()
        self._accepts: list[tuple[float, str]] = []
        self._warned = False

    async def action_act(self, name: str) -> None:
        if name in OPENS:
            self.opened.add(self.chain.address)
        await super().action_act(name)

    def note_accept(self, address: str) -> str:
        """Count an accept; gives the sentence to be said after it, nearly always none."""
        now = self.now()
        self._accepts = [*self._accepts, (now, address)][-MANY:]
        if self._warned or len(self._accepts) < MANY or now - self._accepts[0][0] > WITHIN:
            return ""
        if self.opened & {a for _, a in self._accepts}:
            return ""
        self._warned = True
        return f" None of these {MANY} was opened before it was accepted; Enter reads, u takes back."
