"""The wall: many short ideas to choose from. The screen stays open while more are made or picked ones
are worked out; Enter goes to the idea that came of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.text import count
from coi_tui.present.idea_similarity import spread
from coi_tui.screens.base import UNCHANGED
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.sheets import AskChoice, AskText, Choice
from coi_tui.session.queries.wall_rows import SketchWall, WallSketch, arranged
from coi_tui.session.runs.plans import Plan
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import LIST_ACTIONS, UNDO, KeyAction
from coi_tui.widgets.lines import cut, ends
from coi_tui.widgets.panes import DetailPane, Line

MARKS = {"open": " ", "picked": "●", "rejected": "×", "fell": "!"}
STYLES = {"picked": "bold", "rejected": "dim", "fell": "dim"}
ON_MAP = "Map: the more of their words two share, the nearer"
ORDERS = ("group", "judge", "title", "votes")
SECTIONS = (
    ("users", "Who uses it"),
    ("how", "How"),
    ("nearest", "Nearest work"),
    ("left", "What is left beside it"),
    ("refuted", "What would refute it"),
    ("origin", "Asked for as"),
)


class WallScreen(SessionListScreen[str, WallSketch]):
    """Gives the address of an idea to go to, or None. ``open_plan`` shows a plan and runs it."""

    PLACE = "sketches"
    ACTIONS = (
        KeyAction("pick", "space", "pick", "pick this sketch, or no longer", 1),
        KeyAction(
            "work_out",
            "w",
            "work out",
            "make ideas of the picked sketches, else of this one (a plan first)",
            2,
        ),
        KeyAction(
            "reject",
            "x",
            "reject",
            "reject it; your reason reaches the next ones that are asked for",
            3,
        ),
        KeyAction("more", "plus", "more like it", "four more like this one (a plan first)", 4),
        KeyAction(
            "others",
            "minus",
            "not like these",
            "four that are unlike all of these (a plan first)",
            5,
        ),
        KeyAction(
            "own",
            "N",
            "add mine",
            "write a sketch of your own: a title and a sentence are enough",
            6,
        ),
        KeyAction("edit", "e", "edit", "edit this sketch"),
        KeyAction(
            "order",
            "M",
            "judge's order",
            "have a judge order the sketches (a plan first), or show or hide the order",
            7,
        ),
        KeyAction(
            "better",
            "v",
            "is better",
            "compare two: v on the better sketch, then v on the other one",
        ),
        KeyAction("open", "enter", "read", "go to the idea that was made of it, else to its text"),
        KeyAction(
            "sort", "s", "sort", "sort by group, by the judge's order, by title, by your votes"
        ),
        KeyAction("find", "slash", "filter", "show only sketches that contain some words"),
        KeyAction(
            "derive",
            "D",
            "new from it",
            "make a new sketch from this one: combine, simplify, negate ... (a plan first)",
        ),
        UNDO,
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Sketches", "[2] Text")
    KEY = attrgetter("address")
    ON_ROW = frozenset({"pick", "reject", "more", "edit", "open", "derive", "better"})
    CHANGES = frozenset({"pick", "reject", "own", "edit", "work_out", "derive", "better"})
    NO_ROW = "there is no sketch here"
    EMPTY = (
        "No sketches yet: g on the row before runs to them (a plan first), N adds one of your own."
    )

    wall: SketchWall
    better = ""
    """The sketch that the next vote is for."""
    sorted_by = ORDERS[0]
    revealed = False
    _coming: tuple[str, WallSketch | None] = "", None

    def __init__(self, controller: SessionController, open_plan: Callable[..., None]) -> None:
        super().__init__(controller)
        self.open_plan = open_plan
        self.places: dict[str, tuple[float, float]] = {}

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Container(id="panes"):
            yield MarkedList(id="lines")
            yield DetailPane(id="about", marked=self.MARKED)
        yield Static("", id="message", markup=False)

    # -- what is shown

    def take(self) -> None:
        self.wall = self.session.sketch_wall(reveal=self.revealed)
        self.items = arranged(self.wall.rows, self.sorted_by, self.words)

    def load(self) -> None:
        """A sketch that was asked for gets the cursor once it is there, if that has not moved."""
        super().load()
        self.replace_worker(self._place, "map")
        (address, before), here = self._coming, self.chosen
        if here is not None and before is not None and here.address != before.address:
            self._coming = "", None
        elif (at := self.place_of(address)) is not None:
            self._coming = "", None
            self.fill(at)

    def heading(self) -> tuple[str, str]:
        job, rows = self.controller.job, self.wall.rows
        running = job.short if job is not None and self.controller.busy else ""
        chosen = f"{len(self.wall.picked)} picked" if self.wall.picked else "pick one to three"
        only = f"filter “{cut(self.words, 20)}”" if self.words else ""
        own = sum(row.own_cell for row in rows)
        others = f" and {len(rows) - own} of other methods" if own < len(rows) else ""
        made = count(own, "sketch", "sketches") + others
        by = "" if self.sorted_by == ORDERS[0] else f"by {self.sorted_by}"
        return f"Sketches: {made}, {chosen}", "  ".join(filter(None, (running, only, by)))

    def row_texts(self, width: int) -> list[Content]:
        """Two lines a sketch: mark, place and title with its group, then the sentence."""
        by_group, before = self.sorted_by == ORDERS[0], ("", *(row.group for row in self.items))
        return [
            Content("\n").join(
                self._lines(row, "" if by_group and row.group == last else row.group, width)
            )
            for row, last in zip(self.items, before, strict=False)
        ]

    def _lines(self, row: WallSketch, group: str, width: int) -> Iterator[Content]:
        style, place = STYLES.get(row.standing, ""), f"{row.place:2}. " if row.place else ""
        votes = f"your votes: {row.votes}" * bool(row.votes)
        note = "  ".join(filter(None, (votes, _state(row), group)))
        head = ends(f"{MARKS[row.standing]} {place}{row.sketch.title}", note, width)
        yield Content.styled(head, style)
        yield Content.styled(cut(f"    {row.sketch.sentence}", width), f"{style} dim".strip())

    def about(self, at: int) -> About:
        row, found = self.items[at], list[tuple[str, str]]()
        if row.reason:
            found.append((row.standing.capitalize(), row.reason))
        if row.made:
            found.append(("Worked out", f"{row.idea}: Enter goes there"))
        if same := self.session.twin(row.address):
            found.append(("Says the same", same))
        found.append(("", row.sketch.sentence))
        for name, title in SECTIONS:
            text = getattr(row.sketch, name)
            if name == "nearest" and row.nearest:
                text = f"{text}\n{row.nearest}"
            if text:
                found.append((title, text))
        if points := row.points:
            spread = (
                f"{points.points:.0f} points, 95 % within {points.low:.0f} to {points.high:.0f}"
            )
            found.append((f"The judge: place {row.place}", f"{spread}. {row.why}".strip()))
        if row.address in self.places:
            found.append((ON_MAP, self._map(row.address)))
        return row.address, row.sketch.title or row.address, found

    def _map(self, here: str) -> str:
        """All sketches in lines of text, by their addresses where there is room."""
        lines = [" " * 40] * 9
        for address in sorted(self.places, key=lambda one: one != here):
            x, y = self.places[address]
            row, name = round(8 * y), f"◆{address}" if address == here else address
            at, line = round((40 - len(name)) * x), lines[row]
            free = line[max(0, at - 1) : at + len(name) + 1].isspace()
            name = name if free else "·" if line[at].isspace() else line[at]
            lines[row] = f"{line[:at]}{name}{line[at + len(name) :]}"
        return "\n".join(lines)

    async def _place(self) -> None:
        """Measure which sketches say much the same; of many it takes a while."""
        texts = {row.address: dict(row.sketch) for row in self.wall.rows}
        if len(texts) > 2:
            self.places = await asyncio.to_thread(spread, texts)
            self.show_about()

    # -- decisions

    def off(self, name: str) -> str:
        if name in self.ON_ROW & self.CHANGES and not self.here.own_cell:
            return "it belongs to another method: decide in its rows"
        return ""

    def label(self, item: KeyAction) -> str:
        if item.id == "pick" and self.chosen in self.wall.picked:
            return "not this one"
        return item.label

    async def do_pick(self) -> None:
        """Pick the sketch, or no longer."""
        row = self.here
        verb = "unpick" if row.standing == "picked" else "pick"
        done = f"{row.address} is {'no longer picked' if verb == 'unpick' else 'picked'}."
        await self.commit(lambda s: s.decide(verb, row.address), f"{done} u takes it back.")

    def do_reject(self) -> None:
        """Reject the sketch, with a reason where there is one."""
        row = self.here
        sheet = AskText(
            f"Reject {cut(row.sketch.title, 50)}",
            "It is not worked out. Your reason reaches the next sketches that are asked for. Nothing is deleted; u undoes it.",
            "reject",
            hint="reason (optional)",
        )
        self.ask(
            sheet,
            lambda reason: self.commit(
                lambda s: s.decide("reject", row.address, reason=reason), f"Rejected {row.address}."
            ),
            "Nothing was rejected.",
        )

    async def do_better(self) -> None:
        """Mark the better of two sketches; at the other one, say so."""
        here, better = self.here.address, self.better
        self.better = "" if better else here
        if better:
            await self.commit(
                lambda s: s.decide("better", better, here),
                f"{better} is better than {here}. u takes it back.",
            )
        else:
            self.say(f"{here} is better than ... (v on the other one).")

    def do_edit(self) -> None:
        self.ask(EditScreen(self.controller, self.here.address), self.done, UNCHANGED)

    def off_own(self) -> str:
        return "" if self.wall.instance else "there is no wall yet; a run to sketches makes it"

    def do_own(self) -> None:
        self._coming = self.session.free_own_sketch(), self.chosen
        self.ask(EditScreen(self.controller, self._coming[0]), self.done, UNCHANGED)

    # -- plans

    async def _plan(self, make: Callable[[], Plan]) -> None:
        """Open a plan; what was decided for it is undone where it is refused."""
        before = self.state.seq
        plan = await self.controller.decide(make)
        self._coming = plan.goal.addresses[0] if plan.goal.addresses else "", self.chosen
        undo = partial(self.call_later, self.action_act, "undo")
        self.open_plan(plan, refused=undo if self.state.seq != before else None)

    async def do_work_out(self) -> None:
        """Ideas of what is picked; of the sketch under the cursor where nothing is."""
        named = [row.address for row in self.wall.picked if not row.made]
        if not named and self.chosen and self.chosen.own_cell:
            named = [self.chosen.address]
        await self._plan(lambda: self.session.work_out(named))

    def do_derive(self) -> None:
        """A new sketch from this one: how, then the plan."""
        address, session = self.here.address, self.session
        ways = [
            Choice(value, label, note, off=off)
            for value, label, note, off in session.planner.ways_to_derive(address)
        ]

        self.ask(
            AskChoice(f"A new sketch from {address}", ways, "make"),
            lambda value: self._plan(
                lambda: session.planner.to_derive(session.decide("derive", address, value).address)
            ),
            UNCHANGED,
        )

    async def do_more(self) -> None:
        await self._plan(lambda: self.session.planner.to_sketch(self.here.address))

    async def do_others(self) -> None:
        await self._plan(self.session.planner.to_sketch)

    def off_order(self) -> str:
        return "" if self.wall.ranked else self.controller.not_idle() or self.off_own()

    def do_order(self) -> None:
        """Show or hide the judge's order; where there is none, the plan for it."""
        if not self.wall.ranked:
            self.revealed = True
            self.open_plan(self.session.planner.to_rank())
            return
        self.revealed = not self.revealed
        self.load()
        if not self.revealed and self.wall.shown:
            self.say("The order stays visible, since you have picked.")

    # -- looking

    def do_open(self) -> None:
        if self.here.made:
            self.dismiss(self.here.idea)
        else:
            self.do_pane_2()

    def do_sort(self) -> None:
        after = ORDERS[(ORDERS.index(self.sorted_by) + 1) % len(ORDERS)]
        if after == "judge" and not self.wall.shown:
            after = ORDERS[2]
        self.sorted_by = after
        self.load()


def _state(row: WallSketch) -> str:
    """What became of a sketch, in a word or two."""
    if row.made:
        return f"worked out: {row.idea}"
    return "stale" if row.stale else "yours" if row.by_you else ""
