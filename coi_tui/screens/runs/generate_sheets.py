"""What to generate: the menu of a row, the stages of the method, methods to add. Choosing one leads
to its plan; nothing runs here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.choice_sheet import MOVES, AskChoice
from coi_tui.session.runs.planner import Offer
from coi_tui.session.runs.plans import Plan
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, KeyAction
from coi_tui.widgets.panes import Line, ends, indented

PLAN_FIRST = "the plan comes first where a model is asked"


GENERATE_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "make",
        f"make this, as its letter does; {PLAN_FIRST}",
        DECIDE,
        1,
    ),
    *MOVES,
)


class GenerateSheet(Sheet[Offer]):
    """Gives the offer that was chosen, by its letter or with Enter, or None."""

    PLACE = "generate"
    ACTIONS = GENERATE_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, title: str, offers: Sequence[Offer]) -> None:
        super().__init__()
        self.heading, self.offers = title, tuple(offers)

    def body(self) -> ComposeResult:
        yield Line(self.heading, PLAN_FIRST, id="title")
        yield MarkedList(id="lines")
        yield Line("", id="sums")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(MarkedList)
        here = lines.highlighted
        if here is None:
            here = next((n for n, o in enumerate(self.offers) if not o.off), 0)
        lines.show([self._row(o, lines.room) for o in self.offers], here)
        self.refresh_footer()

    def _row(self, offer: Offer, width: int) -> Content:
        head = f"{offer.key or ' '}  {offer.what}"
        if offer.off:
            said = f"{head:26} off: {offer.off}"
            rest = indented(f"off: {offer.off}", 5, width) if len(said) > width else []
            return Content.styled("\n".join([head, *rest]) if rest else said, "dim")
        cost = offer.plan.takes if offer.plan is not None and offer.key != "a" else ""
        return Content(ends(f"{head:26} {offer.note}", cost, width))

    def say(self, text: str) -> None:
        self.query_one("#sums", Line).say(text)

    def on_key(self, event: events.Key) -> None:
        """The letter of a line."""
        offer = next((o for o in self.offers if o.key and o.key == event.character), None)
        if offer is not None:
            event.stop()
            self._take(offer)

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self._take(self.offers[at])

    def _take(self, offer: Offer) -> None:
        if offer.off:
            self.say(f"{offer.key} {offer.what}: {offer.off}.")
        else:
            self.dismiss(offer)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._take(self.offers[event.option_index])


class StageSheet(AskChoice):
    """Gives the name of a stage. ``whole`` is the plan to the last stage: its lines tell what is
    still to be made."""

    def __init__(self, stages: Sequence[str], reached: str, whole: Plan, begin: str = "") -> None:
        about = dict.fromkeys(stages, "there is nothing left to make")
        for line in whole.lines:
            stage, _, what = line.what.partition(": ")
            if stage in about:
                about[stage] = f"{what}: {line.takes}"
        title = f"Run to a stage   reached: {reached}"
        super().__init__(title, PLAN_FIRST, about, "run", begin)


class MethodSheet(AskChoice):
    """Gives the name of a method to add. ``methods``: what each does, by name."""

    def __init__(self, methods: Mapping[str, str]) -> None:
        title = "Add another method to this session"
        super().__init__(title, "over its topic and papers", methods, "add")
