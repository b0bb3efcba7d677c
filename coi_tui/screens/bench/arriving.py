"""The workbench before its session is there: its frame, with what stood on it when the session was left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.screens.bench.resuming import Resuming
from coi_tui.session.queries.last import LastLook, keep_look, remembered_of
from coi_tui.widgets.inspector import Inspected

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk
    from coi_tui.session.queries.row import Row

WITHOUT_SESSION = frozenset({"help", "palette", "theme", "ascii", "motion", "back", "escape"})
"""What a key can do before the session is there."""


class Arriving(Resuming):
    """Rows that were seen before are shown at the first paint. A key pressed on them is carried out once the session is there."""

    def __init__(self, desk: Desk | None = None, at: str = "", wanted: str = "") -> None:
        super().__init__(desk, at, wanted)
        self._ui: Mapping[str, Any] = {}
        """What the screens remember, read before the session is open."""
        self._pressed: list[str] = []
        """Actions asked for on the last look, in their order."""
        self._under: Row | None = None
        """The row that the cursor of the last look was on, as it was shown."""

    # -- before -----------------------------------------------------------------------------------------------------

    def show_last_look(self) -> None:
        """The frame, and the last look where one was kept and nothing has changed since."""
        self.say(f"Opening {self.wanted_name}.")
        self.show_header()
        self.refresh_footer()
        if self.begin_at:
            return
        self._ui, look = remembered_of(self.coi.paths, self.wanted)
        self.recall_layout()
        if look is not None:
            self.recall_rows()
            self.recall_tags()
            self._show(look)

    def _show(self, look: LastLook) -> None:
        if self._kept.get("at", look.at) != look.at:
            return  # the place was kept later than the look
        self.chain.begin, self.chain.held = (look.at,), self._hold
        self.chain.show(look.rows)
        row = self._under = self.chain.row
        if row is None:
            return
        self.recall_panes()
        self.detail.show(row.address, look.title, look.parts)
        if look.inspected:
            self.inspector.show(row.address, Inspected.of(look.inspected))
        self.call_after_refresh(self.scroll_back)

    def remembered(self, key: str, default: Any = None) -> Any:
        return super().remembered(key, default) if self.seated else self._ui.get(key, default)

    def why_off(self, name: str) -> str:
        if self.seated:
            return super().why_off(name)
        return "" if name in WITHOUT_SESSION else f"{self.wanted_name} is still being opened"

    async def action_act(self, name: str) -> None:
        if name in WITHOUT_SESSION or not self._hold(name):
            await super().action_act(name)

    def _hold(self, name: str) -> bool:
        """Keep an action for when the session is there; False where it can be done now, or where nothing was shown to act on."""
        if self.seated or self._under is None:
            return False
        self._pressed.append(name)
        return True

    def do_back(self) -> None:
        """Also while the session is still being opened: it is let go of when it comes."""
        if self.seated:
            super().do_back()
        else:
            self.dismiss(None)

    # -- then -------------------------------------------------------------------------------------------------------

    def seat(self, desk: Desk) -> None:
        """The session is there: fill the frame, and do what was asked for meanwhile."""
        self.sit(desk)
        if self.composed:
            self.begin_work()
            self.call_next(self._do_pressed)

    async def _do_pressed(self) -> None:
        """Only where the cursor is on the very row that the person saw."""
        pressed, self._pressed = self._pressed, []
        if pressed and self.chain.row != self._under:
            self.say("What you pressed before the session was there was not done: the cursor is on another row, or the row has changed.")
            return
        for name in pressed:
            await self.action_act(name)

    # -- leaving ----------------------------------------------------------------------------------------------------

    def keep_look(self) -> None:
        """Remember what stands on the screen, for the next opening."""
        row = self.chain.row
        if row is None or self.tiny or not self.seated:
            return
        shown = self.detail.key == row.address
        title, parts = (self.detail.title_line, self.detail.parts) if shown else ("", ())
        inspected = self.inspector.shown.plain() if self.inspector.key == row.address else ()
        keep_look(self.session, LastLook(row.address, tuple(self.chain.in_sight()), title, parts, inspected))

    def keep_open_work(self) -> None:
        super().keep_open_work()
        self.keep_look()

    def begin_work(self) -> None:
        """Take up the place of the last time and show the session."""
        raise NotImplementedError
