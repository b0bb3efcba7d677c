"""What was made and decided before: the versions of a text, and the log of all decisions."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.model.errors import CoiError
from coi_tui.model.money import dollars
from coi_tui.model.text import count, moment
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.texts.diff_screen import DiffScreen
from coi_tui.session.queries.history import LogLine, VersionLine, log, versions
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, KeyAction
from coi_tui.widgets.panes import column, cut, fit

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
    KeyAction("diff", "d", "d", "diff", "what changed between two versions", LOOK),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class HistoryScreen(Listing[str, VersionLine]):
    """Gives a sentence about what was adopted, or None."""

    PLACE = "history"
    ACTIONS = HISTORY_ACTIONS
    NAMES = ("[1] Versions   newest first", "[2] Text")
    EMPTY = "Nothing has been made here yet."
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"adopt"}),
        frozenset({"choose", "adopt", "diff"}),
        "there is no version",
    )

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address = address

    def keys(self) -> Sequence[str]:
        return [str(v.seq) for v in self.items]

    def take(self) -> None:
        self.items = versions(self.session.state, self.address)

    def first(self) -> int:
        return next((n for n, v in enumerate(self.items) if v.in_use), 0)

    def heading(self) -> tuple[str, str]:
        return f"History of {self.address}", count(self.count, "version")

    def row_texts(self, width: int) -> Sequence[Content]:
        return [_version_row(v, width) for v in self.items]

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        version = self.items[at]
        about = self.session.queries.detail(self.address, version.seq)
        return f"{self.address} {version.seq}", f"{about.title}   {version.standing}", about.parts

    def off_diff(self) -> str:
        return (
            "it is the version in use: choose another one"
            if self.chosen is not None and self.chosen.in_use
            else ""
        )

    def off_adopt(self) -> str:
        return "it is already in use" if self.chosen is not None and self.chosen.in_use else ""

    def do_choose(self) -> None:
        self.about_pane.focus()

    def do_diff(self) -> None:
        """The version in use beside the one under the cursor."""
        self.app.push_screen(DiffScreen(self.controller, self.address, self.here.seq), self._merged)

    def _merged(self, said: str | None) -> None:
        if said:
            self.dismiss(said)

    async def do_adopt(self) -> None:
        version = self.here
        said = f"Version {version.number} of {self.address} is in use and stays so; u undoes it."
        await self.change(
            self.address,
            f"Use version {version.number} of {self.address}?",
            lambda s: s.decisions.adopt(self.address, version.seq),
            lambda _: self.dismiss(said),
        )


def _version_row(v: VersionLine, width: int) -> Content:
    cost = dollars(v.cost_usd) if v.cost_usd else ""
    parents = f"from {' + '.join(v.parents)}" if v.parents else ""
    wording = "wording only" if v.wording_only else ""
    first = f"v{v.number:<5} {v.origin:8} {v.time[:16].replace('T', ' '):16}  {v.standing}"
    rest = "  ".join(part for part in (v.by, cost, parents, wording) if part)
    return Content.styled(cut(f"{first}  {rest}", width), "bold" if v.in_use else "")


LOG_ACTIONS = (
    KeyAction(
        "choose", "enter", "Enter", "go there", "go to the row that this decision is about", LOOK, 1
    ),
    KeyAction(
        "revert",
        "r",
        "r",
        "revert",
        "revert this decision alone; what depends on it is named first",
        DECIDE,
        2,
    ),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
)


class LogScreen(Listing[str, LogLine]):
    """Gives the address to go to, or None."""

    PLACE = "log"
    ACTIONS = LOG_ACTIONS
    NAMES = ("[1] Decisions   newest first", "[2] Decision")
    EMPTY = "Nothing has been decided yet."
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"revert"}),
        frozenset({"choose", "revert"}),
        "there is no decision",
    )

    def keys(self) -> Sequence[str]:
        return [str(line.seq) for line in self.items]

    def take(self) -> None:
        self.items = log(self.session.state, self.session.core.journal.entries)

    def heading(self) -> tuple[str, str]:
        yours = sum(line.actor == "you" for line in self.items)
        return "Log of decisions", f"{yours} by you, {self.count - yours} by coi"

    def row_texts(self, width: int) -> Sequence[Content]:
        addresses = column((line.address for line in self.items), 8, 18)
        return [_log_row(line, width, addresses) for line in self.items]

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

    def off_revert(self) -> str:
        line = self.chosen
        return (
            ""
            if line is None or (line.actor == "you" and not line.mark)
            else "only a decision of yours that still stands can be reverted"
        )

    def do_revert(self, scope: str = "") -> None:
        """Ask, with what it changes; a decision that two branches share is asked for once more."""
        line = self.here
        text = (
            f"Decision {line.seq}, {line.action} {line.address}, is reverted; everything decided "
            f"after it stays. The log keeps both. Spending is not undone.{self._ahead(line, scope)}"
        )
        question = "In both branches?" if scope else f"Revert decision {line.seq}?"
        sheet = ConfirmSheet(question, text, "in both" if scope else "revert it")
        self.app.push_screen(sheet, lambda yes: self._revert(line, scope, yes))

    def _ahead(self, line: LogLine, scope: str) -> str:
        """What reverting a decision changes, in a sentence after a blank; empty where it is
        refused, which is told after the yes."""
        try:
            changes = self.session.consequences(
                line.address, lambda s: s.undo_stack.revert(line.seq, scope)
            )
        except CoiError:
            return ""
        return f" {changes.sentence()}".rstrip()

    async def _revert(self, line: LogLine, scope: str, yes: bool | None) -> None:
        if not yes:
            self.say("Nothing was changed.")
            return
        try:
            said = await self.controller.decide(
                lambda: self.session.undo_stack.revert(line.seq, scope)
            )
        except CoiError as error:
            if not scope and "--scope" in error.hint:
                self.do_revert("both")
            else:
                self.trouble(error)
            return
        self.done(f"Reverted: {said}.")

    def do_choose(self) -> None:
        self.dismiss(self.here.address)


def _log_row(line: LogLine, width: int, addresses: int) -> Content:
    mark = f"[{cut(line.mark, 24)}] " if line.mark else ""
    about = f"{line.about}{f': {line.reason}' if line.about and line.reason else line.reason}"
    when, where = line.time[5:16].replace("T", " "), fit(line.address, addresses)
    text = f"{line.seq:>5}  {when:11}  {line.actor:3}  {line.action:9} {where} {mark}{about}"
    return Content.styled(cut(text, width), "dim" if line.mark or line.actor != "you" else "")
