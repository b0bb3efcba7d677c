"""How far to go: the stages of the method with what each would take. Choosing one shows its plan; nothing runs here."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.screens.actions import bindings
from coi_tui.screens.base import Sheet, joined
from coi_tui.session.runs.plans import Plan, PlanLine, money
from coi_tui.widgets.marked_list import MarkedList
from coi_tui.widgets.panes import Line
from coi_tui.widgets.words import ends, span


class StageSheet(Sheet[str]):
    """Gives the name of a stage, or None. ``whole`` is the plan to the last stage: its lines tell what is still to be made."""

    PLACE = "stages"
    BINDINGS = bindings("stages")
    TAIL = ("cancel", "help")

    def __init__(self, stages: Sequence[str], reached: str, whole: Plan, begin: str = "") -> None:
        """``begin``: the stage that the cursor stands on at first."""
        super().__init__()
        self.stages, self.reached, self.whole = tuple(stages), reached, whole
        self.begin = self.stages.index(begin) if begin in self.stages else 0

    def body(self) -> ComposeResult:
        yield Line(f"Run to a stage   reached: {self.reached}", "nothing runs before the next sheet", id="title")
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(MarkedList)
        here = lines.highlighted if lines.highlighted is not None else self.begin
        lines.show([Content(ends(stage, self._takes(stage), lines.room)) for stage in self.stages], here)

    def _takes(self, stage: str) -> str:
        line = self._line(stage)
        if line is None:
            return "there is nothing left to make"
        about = line.what.partition(": ")[2]
        count = joined((span(line.cost.calls, "call"), span(line.cost.searches, "search"), money(line.usd)), ", ")
        return f"{about}: {count}"

    def _line(self, stage: str) -> PlanLine | None:
        return next((line for line in self.whole.lines if line.what.partition(":")[0] == stage), None)

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.dismiss(self.stages[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.stages[event.option_index])

    def do_down(self) -> None:
        self.query_one(MarkedList).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(MarkedList).action_cursor_up()
