"""Rows with a view of their own: the novelty report, the arena, the experiment plan with its review."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.screens.bench.surface import Part

VIEWED = ("nov", "arena", "match", "exp", "review")


class Viewing(Part):
    """Enter on such a row opens its view; what was chosen there goes on here."""

    def has_view(self, address: str) -> bool:
        """Whether Enter opens a view on this row."""
        part = parse_address(address).part if address else ""
        if part == "arena":
            return any(a.startswith("A/") for a in self.chain.rows)
        return part in VIEWED and self.session.state.in_use(address) is not None

    def open_view(self, address: str) -> None:
        """Show the view of a row."""
        from coi_tui.screens.views.arena import ArenaScreen
        from coi_tui.screens.views.novelty import NoveltyScreen
        from coi_tui.screens.views.review import ReviewScreen

        at = parse_address(address)
        if at.part == "nov":
            self.app.push_screen(NoveltyScreen(self.desk, at.branch), self._viewed)
        elif at.part in ("exp", "review"):
            self.app.push_screen(ReviewScreen(self.desk, at.branch), self._viewed)
        else:
            self.app.push_screen(ArenaScreen(self.desk, address), self._compared)

    async def _viewed(self, name: str | None) -> None:
        self.refresh_rows()
        if name is not None:
            await self.action_act(name)

    def _compared(self, pair: tuple[str, str] | None) -> None:
        self.refresh_rows()
        if pair is not None:
            from coi_tui.screens.texts.compare_screen import CompareScreen

            self.app.push_screen(CompareScreen(self.desk, *pair), lambda _: self.refresh_rows())
