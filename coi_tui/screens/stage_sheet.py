"""How far to go: the stages of the method with what each would take. Choosing one shows its plan; nothing runs here."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from coi_tui.screens.base import Sheet, joined
from coi_tui.session.plans import Plan, PlanLine, money
from coi_tui.widgets.panes import Line
from coi_tui.widgets.words import ends, span


class StageSheet(Sheet[str]):
    """Gives the name of a stage, or None. ``whole`` is the plan to the last stage: its lines tell what is still to be made."""

    PLACE = "stages"
    TAIL = ("cancel", "help")

    def __init__(self, stages: Sequence[str], reached: str, whole: Plan) -> None:
        super().__init__()
        self.stages, self.reached, self.whole = tuple(stages), reached, whole

    def body(self) -> ComposeResult:
        yield Line(f"Run to a stage   reached: {self.reached}", "nothing runs before the next sheet", id="title")
        yield OptionList(id="lines", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(OptionList).focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(OptionList)
        here = lines.highlighted
        lines.clear_options()
        width = max(40, lines.scrollable_content_region.width - 2)
        lines.add_options([Option(Content(ends(f"  {stage}", self._takes(stage), width)), id=stage) for stage in self.stages])
        reached = self.stages.index(self.reached) if self.reached in self.stages else -1
        lines.highlighted = here if here is not None else min(reached + 1, len(self.stages) - 1)

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
        at = self.query_one(OptionList).highlighted
        if at is not None:
            self.dismiss(self.stages[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.stages[event.option_index])

    def do_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()
