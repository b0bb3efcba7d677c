"""Sheets about searches: which papers may be proposed, and in which order sources are asked."""

from __future__ import annotations

from coi_tui.model.criteria import Criteria
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.screens.sheets.form_sheet import Field, FormSheet
from coi_tui.session.decisions.criteria import (
    changed,
    criteria_of,
    words,
    would_leave_out,
    years_text,
)
from coi_tui.widgets.key_actions import CANCEL_TYPING, DECIDE, HELP_BY_F1, KeyAction

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
    HELP_BY_F1,
    CANCEL_TYPING,
)


class CriteriaSheet(FormSheet[Criteria]):
    """Gives the criteria, or None."""

    PLACE = "criteria"
    ACTIONS = CRITERIA_ACTIONS

    def __init__(self, state: State) -> None:
        self.state, self.now = state, criteria_of(state)
        lists = [
            Field(name, label, ", ".join(getattr(self.now, name)), hint)
            for name, (label, hint) in LISTS.items()
        ]
        fields = [
            Field("no_surveys", "no surveys, reviews or tutorials", self.now.no_surveys),
            Field("years", "Years", years_text(self.now), "2018-2026, 2018- or -2026"),
            *lists,
            Field("citations", "Minimum citations", str(self.now.citations or ""), "a number"),
        ]
        super().__init__("Criteria: which papers may be proposed", "u undoes a change", fields)

    def asked(self) -> Criteria:
        """What the lines say. Raises UsageError where that cannot be used."""
        number = self.text("citations").strip()
        if number and not number.isdecimal():
            raise UsageError(
                f"{number[:20]!r} is not a number of citations.",
                "Enter a number, or leave it empty.",
            )
        bounds = {"years": self.text("years"), "citations": int(number or 0) or None}
        lists = {name: words(self.text(name)) for name in LISTS}
        return changed(None, {"no_surveys": self.values["no_surveys"], **bounds, **lists})

    def effect(self) -> str:
        asked = self.asked()
        if not asked:
            return "Nothing is left out."
        out, of = would_leave_out(self.state, asked)
        listed = f"They leave out {out} of the {count(of, 'paper')} listed so far. " if of else ""
        return f"{listed}A paper left out stays in its list with the reason; you can still choose or pin it. Accepted and pinned papers stay."

    def off_send(self) -> str:
        if not self.composed:
            return ""
        try:
            return "nothing was changed" if self.asked() == self.now else ""
        except UsageError as error:
            return error.message.rstrip(".")

    def do_send(self) -> None:
        self.dismiss(self.asked())
