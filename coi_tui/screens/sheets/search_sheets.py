"""Sheets about searches: which papers may be proposed, and in which order sources are asked."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.criteria import Criteria
from coi_tui.model.errors import UsageError
from coi_tui.model.sources import SOURCES, in_words
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.core import chosen_order
from coi_tui.session.decisions.criteria import (
    changed,
    criteria_of,
    words,
    would_leave_out,
    years_text,
)
from coi_tui.session.papers.source_order import ONLY_THEN
from coi_tui.session.session import Session
from coi_tui.widgets.fields import LineField, Tick
from coi_tui.widgets.key_actions import DECIDE, HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import Line

LISTS = {
    "venues": ("Venue contains any", "ACL, NeurIPS"),
    "without_venues": ("Venue contains none", "arXiv"),
    "words": ("Text contains any", "reasoning, plan*"),
    "without_words": ("Text contains none", "survey, robot*"),
}


CRITERIA_ACTIONS = (
    KeyAction(
        "send",
        "ctrl+s",
        "Enter",
        "set",
        "set these criteria; lists made under others become stale (also ^s)",
        DECIDE,
        1,
    ),
    KeyAction("clear", "f4", "F4", "clear all", "remove all criteria", DECIDE, 2),
    HELP_BY_F1,
    KeyAction(
        "cancel", "escape", "Esc", "cancel", "close; the criteria stay as they were", DECIDE, 9
    ),
)


class CriteriaSheet(Sheet[Criteria]):
    """Gives the criteria, or None. Enter in any line sets them."""

    PLACE = "criteria"
    CSS_PATH = "search_sheets.tcss"
    ACTIONS = CRITERIA_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state, self.held = state, criteria_of(state)

    def body(self) -> ComposeResult:
        yield Line("Criteria: which papers may be proposed", "u undoes a change", id="title")
        yield Tick(
            "no surveys, reviews or tutorials", self.held.no_surveys, id="no_surveys", compact=True
        )
        yield from self._field("years", "Years", years_text(self.held), "2018-2026, 2018- or -2026")
        for name, (label, hint) in LISTS.items():
            yield from self._field(name, label, ", ".join(getattr(self.held, name)), hint)
        yield from self._field(
            "citations", "Minimum citations", str(self.held.citations or ""), "a number"
        )
        yield Static("", id="sums", markup=False)

    def _field(self, name: str, label: str, value: str, hint: str) -> ComposeResult:
        with Horizontal(classes="field"):
            yield Static(label, classes="name", markup=False)
            yield LineField(value, placeholder=hint, id=name, compact=True)

    def on_mount(self) -> None:
        self.query_one("#no_surveys").focus()
        self._count()

    def on_input_changed(self) -> None:
        self._count()

    on_checkbox_changed = on_input_changed

    async def on_input_submitted(self) -> None:
        await self.action_act("send")

    on_tick_entered = on_input_submitted

    def asked(self) -> Criteria:
        """What the lines say. Raises UsageError in a sentence where that cannot be used."""
        said = {
            name: self.query_one(f"#{name}", Input).value for name in ("years", "citations", *LISTS)
        }
        number = said["citations"].strip()
        if number and not number.isdecimal():
            raise UsageError(
                f"{number[:20]!r} is not a number of citations.",
                "Enter a number, or leave it empty.",
            )
        lists = {name: words(said[name]) for name in LISTS}
        surveys = self.query_one("#no_surveys", Tick).value
        return changed(
            None,
            {
                "no_surveys": surveys,
                "years": said["years"],
                "citations": int(number or 0) or None,
                **lists,
            },
        )

    def _count(self) -> None:
        try:
            self.say(self._effect(self.asked()))
        except UsageError as error:
            self.say(str(error))
        self.refresh_footer()

    def _effect(self, asked: Criteria) -> str:
        if not asked:
            return "Nothing is left out."
        out, of = would_leave_out(self.state, asked)
        listed = f"They leave out {out} of the {count(of, 'paper')} listed so far. " if of else ""
        return f"{listed}A paper left out stays in its list with the reason; you can still choose or pin it. Accepted and pinned papers stay."

    def off(self, name: str) -> str:
        if name == "clear":
            return "" if self.held else "there are no criteria to clear"
        if name != "send" or not self.composed:
            return ""
        try:
            return "nothing was changed" if self.asked() == self.held else ""
        except UsageError as error:
            return error.message.rstrip(".")

    def say(self, text: str) -> None:
        self.query_one("#sums", Static).update(Content(text))

    def do_send(self) -> None:
        self.dismiss(self.asked())

    def do_clear(self) -> None:
        self.dismiss(Criteria())


class SourcesSheet(AskText):
    """Gives the order of the sources of papers as it was written, or None."""

    def __init__(self, session: Session) -> None:
        setup, usual = session.core.setup, session.sources.usual()
        super().__init__(
            "Order of the sources of papers",
            f"Papers from {in_words(session.sources.of())}. "
            f"Each is asked {ONLY_THEN}; a list of citations comes whole from one. "
            f"Names between commas: {', '.join(SOURCES)}."
            + ("" if setup.online_source else f" Now {setup.source} is searched."),
            "set",
            hint=f"as in the settings: {', '.join(usual)}",
            aside="u undoes a change",
            value=", ".join(chosen_order(session.state.settings)),
        )
