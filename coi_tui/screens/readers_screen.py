"""What you and second readers decided differently, with the reasons of both."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from coi_tui.model.document import Table, plain_table
from coi_tui.model.readers import VERDICT
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.session.second_reader import Conflict, reports
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction


class ReadersScreen(SessionListScreen[str, Conflict]):
    """Gives the address to go to, or None."""

    PLACE = "second readers"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = (
        KeyAction("choose", "enter", "go there", "go to the row, to decide again or leave it", 1),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Decided differently", "[2] Both, with reasons")
    KEY = attrgetter("key")
    ON_ROW, NO_ROW = frozenset({"choose"}), "there is no conflict"
    EMPTY = "Nothing was decided differently."

    def take(self) -> None:
        found = reports(self.session)
        self.items = [one for report in found for one in report.conflicts]
        self.agreed = ("Agreement", "\n".join(line for one in found for line in one.sentences()))

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
        shown = self.session.detail(key[1]).parts if key[0] == VERDICT else ()
        said = [("You", str(yours)), (reader, str(theirs)), self.agreed]
        return str(key), " ".join(filter(None, key[1:])), [*said, *shown]

    def about_none(self) -> Sequence[tuple[str, str]]:
        return [self.agreed]

    def do_choose(self) -> None:
        self.dismiss(self.here.key[1])
