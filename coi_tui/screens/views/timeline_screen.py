"""The timeline: years across, a lane a branch. The cursor goes over the papers; Enter goes to the row of one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.errors import CoiError
from coi_tui.model.wording import count
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.timeline import CITES, UNCONFIRMED, Node, Timeline
from coi_tui.widgets.formatting import cut
from coi_tui.widgets.key_actions import DECIDE, HELP, LOOK, MOVE, RUN, KeyAction, bindings
from coi_tui.widgets.panes import DetailPane, Line
from coi_tui.widgets.timeline import LEGEND, SHORT_LEGEND, TimelineView

WATCH = 0.5


class Way(NamedTuple):
    """Where to go back to; ``pin`` is a reference, found in the reader, to be pinned before that paper."""

    address: str
    pin: str | None = None


TIMELINE_ACTIONS = (
    KeyAction("go", "enter", "Enter", "go to", "back to the workbench, on the row of this paper", DECIDE, 1),
    KeyAction("left", "left,h", "Left", "older", "the paper to the left in this branch", MOVE, 2),
    KeyAction("right", "right,l", "Right", "newer", "the paper to the right in this branch", MOVE, 3),
    KeyAction("down", "down,j", "Down", "branch", "the branch below", MOVE, 4),
    KeyAction("up", "up,k", "Up", "branch up", "the branch above", MOVE),
    KeyAction("read", "o", "o", "paper", "read the paper", LOOK, 6),
    KeyAction("write", "s", "s", "SVG", "write the picture as SVG where coi was started", RUN, 5),
    KeyAction("pane_1", "1", "1", "picture", "go to the picture", LOOK),
    KeyAction("pane_2", "2", "2", "text", "go to the text", LOOK),
    HELP,
    KeyAction("cancel", "escape,q,T", "Esc", "back", "back to the row (also T)", DECIDE, 9),
)


class TimelineScreen(CoiScreen[Way]):
    """Gives the row to go to, or None."""

    PLACE = "timeline"
    CSS_PATH = "timeline_screen.tcss"
    ACTIONS = TIMELINE_ACTIONS
    BINDINGS = bindings(PLACE, ACTIONS)
    TAIL: ClassVar[tuple[str, ...]] = ("cancel", "help")

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__()
        self.controller, self.session, self.cursor = controller, controller.session, address
        self._seen = -1
        self.picture: Timeline = self.session.queries.timeline()

    def body(self) -> ComposeResult:
        yield Line(id="header")
        yield TimelineView(id="picture")
        yield DetailPane(id="about")
        yield Static("", id="marks", markup=False)
        yield Line(id="said")

    def on_mount(self) -> None:
        self.view.border_title = Content("[1] Timeline")
        self.query_one("#about", DetailPane).border_title = Content("[2] Paper")
        self.view.focus()
        self.set_interval(WATCH, self._watch)
        self._take()

    def _watch(self) -> None:
        if self.session.state.seq != self._seen:
            self._take()

    def _take(self) -> None:
        self._seen = self.session.state.seq
        self.picture = self.session.queries.timeline()
        if self.picture.node(self.cursor) is None:
            near = [n.address for n in self.picture.nodes if n.address.partition("/")[0] == self.cursor.partition("/")[0]]
            self.cursor = next((a for a in near if a.endswith("/0")), near[0] if near else "")
            self.cursor = self.cursor or (self.picture.nodes[0].address if self.picture.nodes else "")
        self.call_after_refresh(self._draw)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    @property
    def view(self) -> TimelineView:
        return self.query_one(TimelineView)

    def _draw(self) -> None:
        self.view.show(self.picture, self.cursor)
        wide = self.size.width > max(map(len, LEGEND)) + 2
        self.query_one("#marks", Static).update(Content("\n".join(LEGEND if wide else SHORT_LEGEND)), layout=False)
        self.query_one("#header", Line).say(f"{self.session.name}   Timeline   {cut(self.picture.topic, 50)}", self._counts())
        about = self.query_one("#about", DetailPane)
        if (node := self.here) is None:
            about.show("", "There is no paper in this session yet.", [("", "g on the workbench finds anchors.")])
        else:
            about.show(node.address, self.picture.heading(node.address), [("", self.picture.told(node.address)), ("", self._lane(node))])
        self.refresh_footer()

    def _counts(self) -> str:
        kinds = [e.kind for e in self.picture.edges]
        said = f"{count(len(self.picture.lanes), 'branch', 'branches')}, {count(len(self.picture.nodes), 'paper')}"
        if self.has_class("-one"):
            return said
        doubt = f", {n} unconfirmed" if (n := kinds.count(UNCONFIRMED)) else ""
        return f"{said}, {count(kinds.count(CITES), 'known citation')}{doubt}"

    def _lane(self, node: Node) -> str:
        return f"Branch {node.branch}: {dict(self.picture.lanes)[node.branch]}"

    @property
    def here(self) -> Node | None:
        """The paper under the cursor."""
        return self.picture.node(self.cursor)

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- moving ---------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        return "there is no paper yet" if name in ("left", "right", "up", "down", "go", "write", "read") and self.here is None else ""

    def _along(self, step: int) -> None:
        node = self.here
        assert node is not None
        lane = self.picture.lane(node.branch)
        self.cursor = lane[max(0, min(len(lane) - 1, lane.index(node) + step))].address
        self._draw()

    def _across(self, step: int) -> None:
        """To the paper of the next branch that has one, as near in years as there is."""
        node = self.here
        assert node is not None
        lanes = [b for b, _ in self.picture.lanes if self.picture.lane(b)]
        branch = lanes[max(0, min(len(lanes) - 1, lanes.index(node.branch) + step))]
        if branch != node.branch:
            self.cursor = min(self.picture.lane(branch), key=lambda n: (abs(n.column - node.column), abs(n.pos))).address
            self._draw()

    def do_left(self) -> None:
        self._along(-1)

    def do_right(self) -> None:
        self._along(1)

    def do_up(self) -> None:
        self._across(-1)

    def do_down(self) -> None:
        self._across(1)

    def do_go(self) -> None:
        self.dismiss(Way(self.cursor))

    def on_timeline_view_pointed(self, event: TimelineView.Pointed) -> None:
        self.cursor = event.address
        if event.again:
            self.do_go()
        else:
            self._draw()

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        node = self.here
        assert node is not None
        self.app.push_screen(ReaderScreen(self.controller, self.session.state.papers[node.paper], node.address), self._after_reading)

    def _after_reading(self, pin: str | None) -> None:
        if pin is not None:
            self.dismiss(Way(self.cursor, pin))

    def help_notes(self) -> tuple[str, ...]:
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        """What the legend says, and what is drawn when: where little room is, it stands here alone."""
        yield from (" ".join(line.split()) for line in LEGEND)
        yield "Links within a chain are always drawn; of all other links, only those of the paper at >. The SVG has them all."

    def do_pane_2(self) -> None:
        self.query_one("#about").focus()

    def do_pane_1(self) -> None:
        self.query_one("#picture").focus()

    async def do_write(self) -> None:
        try:
            path = await asyncio.to_thread(self.session.exports.write_here, "svg")
        except CoiError as error:
            self.trouble(error)
            return
        self.say(f"Written: {path}")

    def do_cancel(self) -> None:
        if self.focused is not None and self.focused.id == "about":
            self.do_pane_1()
        else:
            self.dismiss(None)
