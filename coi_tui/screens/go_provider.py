"""``go 1/+1`` in the command palette."""

from __future__ import annotations

import re
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.going import Going

GO = re.compile(r":?\s*go\s+(\S.*)", re.IGNORECASE)

FIRST = 1000.0
"""A score above those of names that merely look like what was typed."""


class GoProvider(Provider):
    """Offers a jump for what is typed after ``go``; where there is no such row, the sentence that says so."""

    async def search(self, query: str) -> Hits:
        said, screen = GO.fullmatch(query.strip()), self.screen
        if said is None or not isinstance(screen, Going):
            return
        text = said[1]
        try:
            row = screen.chain.rows[screen.row_of(text)]
        except CoiError as error:
            yield Hit(FIRST, f"go {text}", partial(screen.say, f"{error.message} {error.hint}"), help=error.message)
            return
        yield Hit(FIRST, f"go {screen.named(row.address)}", partial(screen.go_to, text), text=f"go {text}", help=row.words)

    async def discover(self) -> Hits:
        if isinstance(self.screen, Going):
            yield DiscoveryHit("go ADDRESS", self.screen.do_go, help="type an address after go: go 1/+1, go 1/-1..0, go 2/idea")
