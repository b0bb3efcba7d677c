"""What you and second readers decided differently, with the reasons of both."""

from __future__ import annotations

from operator import attrgetter

from coi_tui.model.document import Table, plain_table
from coi_tui.model.readers import VERDICT
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.session.second_reader import Conflict, reports
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction


class ReadersScreen(SessionListScreen[str, Conflict]):
    """Gives the address to go to, or None."""

    PLACE = "second readers"
    ACTIONS = (
        KeyAction("choose", "enter", "go there", "go to the row, to decide again or leave it", 1),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Decided differently", "[2] Both, with reasons")
    KEY = attrgetter("key")
    ON_ROW, NO_ROW = frozenset({"choose"}), "there is no conflict"
    EMPTY = "Nothing was decided differently."

    def take(self) -> None:
        self.reports = reports(self.session)
        self.items = [one for report in self.reports for one in report.conflicts]

    def heading(self) -> tuple[str, str]:
        agreed = " ".join(line for report in self.reports for line in report.sentences())
        return agreed, ""

    def columns(self, width: int) -> Table:
        head = ("cell", "", "you", "reader", "")
        rows = (
            (c.key[1], c.key[2] or c.key[0], c.yours.label, c.reader, c.theirs.label)
            for c in self.items
        )
        return plain_table(head, rows)

    def about(self, at: int) -> About:
        found = self.items[at]
        address = found.key[1]
        shown = self.session.detail(address) if found.key[0] == VERDICT else None
        said = [("You", str(found.yours)), (found.reader, str(found.theirs))]
        title = shown.title if shown else address
        return str(found.key), title, [*said, *(shown.parts if shown else ())]

    def do_choose(self) -> None:
        self.dismiss(self.here.key[1])
