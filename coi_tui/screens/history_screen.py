"""Versions of a text with what differs from the one in use, two texts side by side, and the log of
decisions."""

from __future__ import annotations

from operator import attrgetter

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from coi_tui.model.document import Table, plain_table
from coi_tui.model.entries import COI, YOU, named
from coi_tui.model.money import dollars
from coi_tui.model.text import count, moment
from coi_tui.present.plain_text import parts
from coi_tui.screens.base import SessionScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.sheets import Parts
from coi_tui.session.queries.differences import difference, in_marks
from coi_tui.session.queries.history import LogLine, VersionLine, drafts_by_facet, log, versions
from coi_tui.session.second_reader import Conflict, reports
from coi_tui.widgets.key_actions import BACK, HELP, LIST_ACTIONS, KeyAction
from coi_tui.widgets.panes import DetailPane


class HistoryScreen(SessionListScreen[str, VersionLine]):
    """Gives a sentence about what was changed, or None. ``at``: the version to begin at."""

    PLACE = "history"
    ACTIONS = (
        KeyAction("choose", "enter", "read", "go to the text of this version", 1),
        KeyAction(
            "use", "a", "use", "use this version; it then stays in use like a text of yours", 2
        ),
        KeyAction(
            "merge",
            "m",
            "merge",
            "edit the text in use into one that has both versions as parents",
            3,
        ),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Versions   newest first", "[2] Text")
    KEY = attrgetter("seq")
    EMPTY = "There is no version yet."
    CHANGES = frozenset({"use", "merge"})
    ON_ROW, NO_ROW = CHANGES | {"choose"}, "there is no version"

    def __init__(self, controller: SessionController, address: str, at: int | None = None) -> None:
        super().__init__(controller, address)
        self._begin = at

    def take(self) -> None:
        self.items = versions(self.state, self.address)

    def first(self) -> int:
        begins = (v.in_use if self._begin is None else v.seq == self._begin for v in self.items)
        return next((n for n, begin in enumerate(begins) if begin), 0)

    def heading(self) -> tuple[str, str]:
        return f"History of {self.address}", count(len(self.items), "version")

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

    def about(self, at: int) -> About:
        version = self.items[at]
        about = self.session.detail(self.address, version.seq)
        facets = drafts_by_facet(self.state, self.address, version.seq)
        parts = [*facets, *self._changes(version), *about.parts]
        return f"{self.address} {version.seq}", f"{about.title}   {version.standing}", parts

    def _changes(self, version: VersionLine) -> list[tuple[str, str]]:
        """What differs between this version and the one in use, word by word, the earlier one
        first."""
        state, edits = self.state, self.session.edits
        used = next((v for v in self.items if v.in_use), None)
        if used is None or used == version or not edits.editable(self.address):
            return []
        earlier, later = sorted((used, version), key=attrgetter("number"))
        before, after = (
            edits.for_reading(
                self.address, edits.as_text(self.address, state.versions[v.seq].content)
            )
            for v in (earlier, later)
        )
        title = f"Changes   [-v{earlier.number}-] {{+v{later.number}+}}"
        return [(title, in_marks(difference(before, after)))]

    def off_use(self) -> str:
        return "it is the version in use" if self.chosen is not None and self.chosen.in_use else ""

    def off_merge(self) -> str:
        if not self.session.edits.editable(self.address):
            return "this text cannot be edited"
        return self.off_use()

    do_choose = SessionListScreen.do_pane_2

    def do_merge(self) -> None:
        self.ask(EditScreen(self.controller, self.address, other=self.here.seq), self.dismiss)

    async def do_use(self) -> None:
        version = self.here
        await self.change(
            self.address,
            f"Use version {version.number} of {self.address}?",
            lambda s: s.decide("use", self.address, version.seq),
            f"Version {version.number} of {self.address} is now in use; u undoes it.",
        )

    def done(self, message: str) -> None:
        self.dismiss(message)


class CompareScreen(SessionScreen[None]):
    """The texts of two rows side by side; Tab goes from one to the other. ``blind``: neither row
    nor method is named."""

    PLACE = "compare"
    ACTIONS = (HELP, BACK)
    DEFAULT_CSS = """
    CompareScreen #sides { layout: horizontal; height: 1fr; }
    CompareScreen.-one #sides { layout: vertical; }
    CompareScreen #sides DetailPane { width: 1fr; height: 1fr; border: round $text-primary; background: $surface; }
    CompareScreen #sides DetailPane:focus { border: double $text-accent; }
    """

    def __init__(
        self, controller: SessionController, first: str, second: str, *, blind: bool = False
    ) -> None:
        super().__init__(controller)
        self.pair, self.blind = (first, second), blind

    def body(self) -> ComposeResult:
        with Container(id="sides"):
            yield DetailPane(id="left", marked=True)
            yield DetailPane(id="right", marked=True)

    def on_mount(self) -> None:
        for pane, address in zip(self.query(DetailPane), self.pair, strict=True):
            pane.border_title = Content(str(pane.id) if self.blind else address)
            about = self.session.detail(address)
            papers = self.state.papers
            shown = parts(self.session.document(address), papers) if self.blind else about.parts
            pane.show(address, "" if self.blind else about.title, shown)


class LogScreen(SessionListScreen[str, LogLine]):
    """Gives the address to go to, or None."""

    PLACE = "log"
    ACTIONS = (
        KeyAction("choose", "enter", "go there", "go to the row that this decision is about", 1),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Decisions   newest first", "[2] Decision")
    KEY = attrgetter("seq")
    EMPTY = "Nothing has been decided yet."
    ON_ROW, NO_ROW = frozenset({"choose"}), "there is no decision"

    def take(self) -> None:
        self.items = log(self.state, self.session.journal.entries)

    def heading(self) -> tuple[str, str]:
        yours, coi = (sum(line.actor == who for line in self.items) for who in (YOU, COI))
        others = len(self.items) - yours - coi
        more = f", {others} by others" if others else ""
        return "Log of decisions", f"{yours} by you, {coi} by coi{more}"

    def columns(self, width: int) -> Table:
        rows = (
            (
                str(line.seq),
                line.time[5:16].replace("T", " "),
                named(line.actor),
                line.action,
                line.address,
                line.mark,
                ": ".join(filter(None, (line.about, line.reason))),
            )
            for line in self.items
        )
        return plain_table([""] * 7, rows)

    def style(self, row: LogLine) -> str:
        return "dim" if row.mark or row.actor != YOU else ""

    def about(self, at: int) -> About:
        line = self.items[at]
        who = "coi, by itself" if line.actor == COI else named(line.actor)
        parts = [
            ("", f"{who}, {moment(line.time)}"),
            ("About", line.about),
            ("Reason", line.reason),
            ("Mark", line.mark),
        ]
        title = f"{line.seq}  {line.action} {line.address}"
        return str(line.seq), title, [p for p in parts if p[1]]

    def do_choose(self) -> None:
        self.dismiss(self.here.address)


class ReadersScreen(SessionListScreen[str, Conflict]):
    """What you and second readers decided differently, with the reasons of both. Gives the address to
    go to, or None."""

    PLACE = "second readers"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = LogScreen.ACTIONS
    NAMES = ("[1] Decided differently", "[2] Both, with reasons")
    KEY = attrgetter("key")
    EMPTY = "Nothing was decided differently."
    ON_ROW, NO_ROW = LogScreen.ON_ROW, "there is no conflict"

    def take(self) -> None:
        lines, self.items = reports(self.session)
        self.agreed = ("Agreement", "\n".join(lines))

    def heading(self) -> tuple[str, str]:
        return "Second readers", f"{len(self.items)} decided differently"

    def columns(self, width: int) -> Table:
        rows = (
            (c.key[1], c.key[2] or c.key[0], c.yours.label, c.reader, str(c.theirs))
            for c in self.items
        )
        return plain_table(("cell", "", "you", "reader", ""), rows)

    def about(self, at: int) -> About:
        reader, key, yours, theirs = self.items[at]
        said = [("You", str(yours)), (reader, str(theirs)), self.agreed]
        return str(key), " ".join(key[1:]), said

    def about_none(self) -> Parts:
        return [self.agreed]

    def do_choose(self) -> None:
        self.dismiss(self.here.key[1])
