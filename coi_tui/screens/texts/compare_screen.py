"""Two rows beside each other; on a narrow terminal one above the other. Nothing is changed here."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from coi_tui.screens.actions import bindings
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.session_controller import SessionController
from coi_tui.widgets.panes import DetailPane, Line

SIDES = ("left", "right")


class CompareScreen(CoiScreen[str]):
    """Follows the session: a text that changes meanwhile is shown as it is now."""

    PLACE = "compare"
    BINDINGS = bindings("compare")
    TAIL = ("cancel", "help")
    DEFAULT_CSS = """
    CompareScreen #sides { layout: horizontal; height: 1fr; }
    CompareScreen.-one #sides { layout: vertical; }
    CompareScreen #sides DetailPane { width: 1fr; height: 1fr; border: round $secondary; background: $surface; }
    CompareScreen #sides DetailPane:focus { border: double $accent; }
    """

    def __init__(self, controller: SessionController, first: str, second: str) -> None:
        super().__init__()
        self.controller, self.session, self.pair = controller, controller.session, (first, second)
        self._seen = -1

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Container(id="sides"):
            for side in SIDES:
                yield DetailPane(id=side)

    def on_mount(self) -> None:
        self.query_one("#left", DetailPane).focus()
        self.set_interval(0.5, self._load)
        self._load()

    def _load(self) -> None:
        """Show both texts when the session has moved since."""
        state = self.session.state
        if state.seq == self._seen:
            return
        self._seen = state.seq
        names = list(self.pair)
        for n, (side, address) in enumerate(zip(SIDES, self.pair, strict=True)):
            pane, about = self.query_one(f"#{side}", DetailPane), self.session.queries.detail(address)
            pane.border_title = Content(f"[{n + 1}] {names[n]}")
            pane.show(address, about.title, about.parts)
        self.query_one("#header", Line).say(f"{names[0]} beside {names[1]}", "nothing is changed by looking")
        self.refresh_footer()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_footer)

    @property
    def side(self) -> DetailPane:
        """The text that has the focus."""
        return self.focused if isinstance(self.focused, DetailPane) else self.query_one("#left", DetailPane)

    def do_pane_1(self) -> None:
        self.query_one("#left").focus()

    def do_pane_2(self) -> None:
        self.query_one("#right").focus()

    def do_down(self) -> None:
        self.side.scroll_down(animate=False)

    def do_up(self) -> None:
        self.side.scroll_up(animate=False)

    def do_page(self) -> None:
        self.side.scroll_page_down(animate=False)

    def do_cancel(self) -> None:
        self.dismiss(None)
