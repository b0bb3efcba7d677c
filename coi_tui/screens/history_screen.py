"""Versions of a text with what differs from the one in use, two texts side by side, and the log of
decisions."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from coi_tui.model.document import Table, plain_table
from coi_tui.model.money import dollars
from coi_tui.model.text import count, moment
from coi_tui.present.text import parts
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.lists import About, Listing
from coi_tui.screens.sessions import SessionController
from coi_tui.session.queries.history import LogLine, VersionLine, log, versions
from coi_tui.session.queries.texts import difference, in_marks
from coi_tui.widgets.key_actions import BACK, DECIDE, HELP, LIST_ACTIONS, LOOK, MAKE, KeyAction
from coi_tui.widgets.panes import DetailPane

HISTORY_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "read", "go to the text of this version", LOOK, 1),
    KeyAction(
        "adopt",
        "a",
        "a",
        "use",
        "use this version; it then stays in use like a text of yours",
        DECIDE,
        2,
    ),
    KeyAction(
        "merge",
        "m",
        "m",
        "merge",
        "edit the text in use into one that has both versions as parents",
        MAKE,
        3,
    ),
    *LIST_ACTIONS,
)


class HistoryScreen(Listing[str, VersionLine]):
    """Gives a sentence about what was changed, or None. ``at``: the version to begin at."""

    PLACE = "history"
    ACTIONS = HISTORY_ACTIONS
    NAMES = ("[1] Versions   newest first", "[2] Text")
    EMPTY = "There is no version yet."
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"adopt", "merge"}),
        frozenset({"choose", "adopt", "merge"}),
        "there is no version",
    )

    def __init__(self, controller: SessionController, address: str, at: int | None = None) -> None:
        super().__init__(controller)
        self.address, self._begin = address, at

    def keys(self) -> Sequence[str]:
        return [str(v.seq) for v in self.items]

    def take(self) -> None:
        self.items = versions(self.session.state, self.address)

    def first(self) -> int:
        begins = (v.in_use if self._begin is None else v.seq == self._begin for v in self.items)
        return next((n for n, begin in enumerate(begins) if begin), 0)

    def heading(self) -> tuple[str, str]:
        return f"History of {self.address}", count(self.count, "version")

    def columns(self, width: int) -> Table:
        rows = (
            (
                f"v{v.number}",
                v.origin,
                v.time[:16].replace("T", " "),
                v.standing,
                dollars(v.cost_usd) if v.cost_usd else "",
                "wording only" if v.wording_only else "",
                f"from {' + '.join(v.parents)}" if v.parents else "",
                v.by,
            )
            for v in self.items
        )
        return plain_table([""] * 8, rows)

    def style(self, row: VersionLine) -> str:
        return "bold" if row.in_use else ""

    def told(self, at: int) -> About:
        version = self.items[at]
        about = self.session.queries.detail(self.address, version.seq)
        parts = [*self._changes(version), *about.parts]
        return f"{self.address} {version.seq}", f"{about.title}   {version.standing}", parts

    def _changes(self, version: VersionLine) -> list[tuple[str, str]]:
        """What differs from the version in use, word by word."""
        state, edits = self.session.state, self.session.edits
        used = state.in_use(self.address)
        if used is None or used.seq == version.seq or not edits.editable(self.address):
            return []
        mine, theirs = (
            edits.for_reading(
                self.address, edits.as_text(self.address, state.versions[seq].content)
            )
            for seq in (used.seq, version.seq)
        )
        number = next(v.number for v in self.items if v.in_use)
        return [
            (f"Changes   [-v{number}-] {{+v{version.number}+}}", in_marks(difference(mine, theirs)))
        ]

    def off_adopt(self) -> str:
        return "it is the version in use" if self.chosen is not None and self.chosen.in_use else ""

    def off_merge(self) -> str:
        if not self.session.edits.editable(self.address):
            return "this text cannot be edited"
        return self.off_adopt()

    def do_choose(self) -> None:
        self.about_pane.focus()

    def do_merge(self) -> None:
        from coi_tui.screens.edit_screen import EditScreen

        screen = EditScreen(self.controller, self.address, beside=self.here.seq)
        self.ask(screen, self.leave_with)

    async def do_adopt(self) -> None:
        version = self.here
        said = f"Version {version.number} of {self.address} is now in use; u undoes it."
        await self.change(
            self.address,
            f"Use version {version.number} of {self.address}?",
            lambda s: s.decide("adopt", self.address, version.seq),
            lambda _: self.dismiss(said),
        )


class CompareScreen(CoiScreen[None]):
    """The texts of two rows side by side; Tab goes from one to the other. ``blind``: neither row
    nor method is named."""

    PLACE = "compare"
    ACTIONS = (HELP, BACK)
    TAIL = ("cancel", "help")
    DEFAULT_CSS = """
    CompareScreen #sides { layout: horizontal; height: 1fr; }
    CompareScreen.-one #sides { layout: vertical; }
    CompareScreen #sides DetailPane { width: 1fr; height: 1fr; border: round $text-primary; background: $surface; }
    CompareScreen #sides DetailPane:focus { border: double $text-accent; }
    """

    def __init__(
        self, controller: SessionController, first: str, second: str, *, blind: bool = False
    ) -> None:
        super().__init__()
        self.session, self.pair, self.blind = controller.session, (first, second), blind

    def body(self) -> ComposeResult:
        with Container(id="sides"):
            yield DetailPane(id="left", marked=True)
            yield DetailPane(id="right", marked=True)

    def on_mount(self) -> None:
        queries = self.session.queries
        for pane, address in zip(self.query(DetailPane), self.pair, strict=True):
            pane.border_title = Content(str(pane.id) if self.blind else address)
            if self.blind:
                pane.show(address, "", list(parts(queries.document(address))))
            else:
                about = queries.detail(address)
                pane.show(address, about.title, about.parts)
        self.query_one("#left").focus()
        self.refresh_footer()

    def do_cancel(self) -> None:
        self.dismiss(None)


LOG_ACTIONS = (
    KeyAction(
        "choose", "enter", "Enter", "go there", "go to the row that this decision is about", LOOK, 1
    ),
    *LIST_ACTIONS,
)


class LogScreen(Listing[str, LogLine]):
    """Gives the address to go to, or None."""

    PLACE = "log"
    ACTIONS = LOG_ACTIONS
    NAMES = ("[1] Decisions   newest first", "[2] Decision")
    EMPTY = "Nothing has been decided yet."
    ON_ROW, NO_ROW = frozenset({"choose"}), "there is no decision"

    def keys(self) -> Sequence[str]:
        return [str(line.seq) for line in self.items]

    def take(self) -> None:
        self.items = log(self.session.state, self.session.core.journal.entries)

    def heading(self) -> tuple[str, str]:
        yours = sum(line.actor == "you" for line in self.items)
        return "Log of decisions", f"{yours} by you, {self.count - yours} by coi"

    def columns(self, width: int) -> Table:
        rows = (
            (
                str(line.seq),
                line.time[5:16].replace("T", " "),
                line.actor,
                line.action,
                line.address,
                line.mark,
                ": ".join(filter(None, (line.about, line.reason))),
            )
            for line in self.items
        )
        return plain_table([""] * 7, rows)

    def style(self, row: LogLine) -> str:
        return "dim" if row.mark or row.actor != "you" else ""

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        line = self.items[at]
        who = {"you": "you", "coi": "coi, by itself"}[line.actor]
        parts = [
            ("", f"{who}, {moment(line.time)}"),
            ("About", line.about),
            ("Reason", line.reason),
            ("Mark", line.mark),
        ]
        return (
            f"{line.seq}",
            f"{line.seq}  {line.action} {line.address}",
            [p for p in parts if p[1]],
        )

    def do_choose(self) -> None:
        self.dismiss(self.here.address)
