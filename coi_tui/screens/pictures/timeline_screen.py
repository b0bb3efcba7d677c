"""The timeline: years across, a lane a branch. The cursor goes over the papers; Enter goes to the row of one."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.desk import Desk
from coi_tui.session.look.timeline import Node, Timeline
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.panes import DetailPane, Line
from coi_tui.widgets.timeline_text import LEGEND, drawn
from coi_tui.widgets.words import cut

WATCH = 0.5


class Picture(ScrollableContainer):
    """The drawing; the keys that would scroll it belong to the screen."""

    BINDINGS = bindings("timeline", "left", "right", "up", "down", "go")


class TimelineScreen(CoiScreen[str]):
    """Gives the address to go to, or None."""

    PLACE = "timeline"
    CSS_PATH = "timeline.tcss"
    BINDINGS = bindings("timeline")
    TAIL: ClassVar[tuple[str, ...]] = ("cancel", "help")

    def __init__(self, desk: Desk, address: str) -> None:
        super().__init__()
        self.desk, self.session, self.cursor = desk, desk.session, address
        self._seen = -1
        self.picture: Timeline = self.session.timeline()

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Picture(id="picture"):
            yield Static("", id="drawing", markup=False)
        yield DetailPane(id="about")
        yield Static(Content("\n".join(LEGEND)), id="marks", markup=False)
        yield Line(id="said")

    def on_mount(self) -> None:
        self.query_one("#picture").border_title = Content("[1] Timeline")
        self.query_one("#about", DetailPane).border_title = Content("[2]")
        self.query_one("#picture").focus()
        self.set_interval(WATCH, self._watch)
        self._take()

    def _watch(self) -> None:
        if self.session.state.seq != self._seen:
            self._take()

    def _take(self) -> None:
        self._seen = self.session.state.seq
        self.picture = self.session.timeline()
        if self.picture.node(self.cursor) is None:
            near = [n.address for n in self.picture.nodes if n.address.partition("/")[0] == self.cursor.partition("/")[0]]
            self.cursor = next((a for a in near if a.endswith("/0")), near[0] if near else "")
            self.cursor = self.cursor or (self.picture.nodes[0].address if self.picture.nodes else "")
        self.call_after_refresh(self._draw)

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        pane = self.query_one("#picture", ScrollableContainer)
        room = max(40, pane.scrollable_content_region.width)
        drawing = drawn(self.picture, room, self.cursor)
        self.query_one("#drawing", Static).update(Content("\n").join(drawing.lines))
        links = sum(1 for e in self.picture.edges if e.kind == "cites")
        said = f"{len(self.picture.lanes)} branches, {len(self.picture.nodes)} papers, {links} known citations"
        self.query_one("#header", Line).say(f"{self.session.name}   Timeline   {cut(self.picture.topic, 50)}", said)
        about = self.query_one("#about", DetailPane)
        node = self.here
        if node is None:
            about.show("", "There is no paper in this session yet.", [("", "g on the workbench finds anchors.")])
        else:
            about.show(node.address, node.title, [("", self.picture.told(node.address)), ("", self._lane(node))])
            pane.scroll_to(max(0, drawing.x - room // 2), max(0, drawing.row - 4), animate=False, immediate=True)
        self.refresh_footer()

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
        self.dismiss(self.cursor)

    def do_pane_2(self) -> None:
        self.query_one("#about").focus()

    def do_pane_1(self) -> None:
        self.query_one("#picture").focus()

    async def do_write(self) -> None:
        try:
            path = await asyncio.to_thread(self.session.write_beside, "svg")
        except CoiError as error:
            self.trouble(error)
            return
        self.say(f"Written: {path}")

    def do_cancel(self) -> None:
        if self.focused is not None and self.focused.id == "about":
            self.do_pane_1()
        else:
            self.dismiss(None)
