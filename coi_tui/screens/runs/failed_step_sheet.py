"""A failed step and the ways on. It gives the way that was chosen; nothing is run from here without
a plan."""

from __future__ import annotations

from typing import Literal, get_args

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import Sheet
from coi_tui.session.queries.failures import FailureReport
from coi_tui.widgets.key_actions import DECIDE, HELP, RUN, KeyAction
from coi_tui.widgets.panes import Line

Way = Literal["retry", "pin", "search", "keep", "settings"]


FAILED_ACTIONS = (
    KeyAction("retry", "enter", "Enter", "try again", "try again (a plan first)", DECIDE, 1),
    KeyAction("pin", "p", "p", "pin", "pin a paper yourself by DOI or arXiv id", DECIDE, 2),
    KeyAction("search", "f", "f", "search", "search again; an anchor with other words", DECIDE, 3),
    KeyAction(
        "keep", "K", "K", "leave as is", "leave the chain at this length and go on", DECIDE, 4
    ),
    KeyAction("settings", "comma", ",", "settings", "settings: keys and sources", RUN, 6),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "close", "close; nothing is changed", DECIDE, 9),
)


class FailedStepSheet(Sheet[Way]):
    """Five parts; the keys are the ways on."""

    PLACE = "failed"
    ACTIONS = FAILED_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, trouble: FailureReport, off: dict[str, str]) -> None:
        super().__init__()
        self.trouble_shown, self.reasons = trouble, off

    def parts(self) -> list[tuple[str, str]]:
        """Headings and texts, in order."""
        t = self.trouble_shown
        ways = [
            f"{item.show:6} {item.help}{f'  (off: {reason})' if reason else ''}"
            for item, reason in self.help_entries()
            if item.id in get_args(Way)
        ]
        return [
            ("What happened", t.happened),
            ("What is intact", t.intact),
            ("Tried", t.tried),
            ("What you can do", "\n".join(ways)),
            ("Technical", t.technical),
        ]

    def body(self) -> ComposeResult:
        yield Line(self.trouble_shown.title, id="title")
        with VerticalScroll(id="text"):
            yield Static("", id="said", markup=False)

    def on_mount(self) -> None:
        said = [Content.assemble((f"{head}\n", "bold"), f"{text}\n") for head, text in self.parts()]
        self.query_one("#said", Static).update(Content("").join(said))
        self.query_one("#text").focus()

    def off(self, name: str) -> str:
        return self.reasons.get(name, "")

    def say(self, text: str) -> None:
        self.query_one("#title", Line).say(self.trouble_shown.title, text)

    def do_retry(self) -> None:
        self.dismiss("retry")

    def do_pin(self) -> None:
        self.dismiss("pin")

    def do_search(self) -> None:
        self.dismiss("search")

    def do_keep(self) -> None:
        self.dismiss("keep")

    def do_settings(self) -> None:
        self.dismiss("settings")
