"""What to generate: the menu of a row, the stages of the method, methods to add. Choosing one leads
to its plan; nothing runs here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.screens.base import Sheet
from coi_tui.session.runs.planner import Offer
from coi_tui.session.runs.plans import Plan
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.formatting import column, ends, fit, indented
from coi_tui.widgets.key_actions import DECIDE, HELP, MOVE, KeyAction
from coi_tui.widgets.panes import Line

MOVES = (
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)
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


class ChoiceSheet(Sheet[str]):
    """Gives one of some names, or None. ``about``: what is said of each."""

    TAIL = ("cancel", "help")

    def __init__(self, title: str, aside: str, about: Mapping[str, str], begin: str = "") -> None:
        """``begin``: the name that the cursor stands on at first."""
        super().__init__()
        self.heading, self.aside, self.about = title, aside, about
        self.names = tuple(about)
        self._begin = self.names.index(begin) if begin in about else 0

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines, width = self.query_one(MarkedList), column(self.names, 8, 24)
        here = self._begin if lines.highlighted is None else lines.highlighted
        lines.show(
            [Content(f"{fit(name, width)} {self.about[name]}".rstrip()) for name in self.names],
            here,
        )

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.dismiss(self.names[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.names[event.option_index])


STAGES_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "run", f"run to this stage; {PLAN_FIRST}", DECIDE, 1),
    *MOVES,
)


class StageSheet(ChoiceSheet):
    """Gives the name of a stage. ``whole`` is the plan to the last stage: its lines tell what is
    still to be made."""

    PLACE = "stages"
    ACTIONS = STAGES_ACTIONS

    def __init__(self, stages: Sequence[str], reached: str, whole: Plan, begin: str = "") -> None:
        about = dict.fromkeys(stages, "there is nothing left to make")
        for line in whole.lines:
            stage, _, what = line.what.partition(": ")
            if stage in about:
                about[stage] = f"{what}: {line.takes}"
        super().__init__(f"Run to a stage   reached: {reached}", PLAN_FIRST, about, begin)


METHODS_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "add",
        "add this method to the session; nothing runs yet",
        DECIDE,
        1,
    ),
    *MOVES,
)


class MethodSheet(ChoiceSheet):
    """Gives the name of a method to add. ``methods``: what each does, by name."""

    PLACE = "methods"
    ACTIONS = METHODS_ACTIONS

    def __init__(self, methods: Mapping[str, str]) -> None:
        super().__init__("Add another method to this session", "over its topic and papers", methods)
