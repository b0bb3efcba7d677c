"""What to generate: the menu of a row, the stages of the method, methods to add. Choosing one shows its plan; nothing runs here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.screens.base import Sheet, joined
from coi_tui.session.runs.planner import ADD_METHOD, Offer
from coi_tui.session.runs.plans import Plan, PlanLine, middle
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.formatting import column, ends, fit, indented, span
from coi_tui.widgets.key_actions import DECIDE, HELP, MAKE, MOVE, KeyAction
from coi_tui.widgets.panes import Line

NAMES = {
    "s": "successor",
    "p": "predecessor",
    "c": "chain",
    "t": "trends",
    "d": "direction",
    "i": "idea",
    "e": "experiment",
    "f": "first",
    "a": "all",
    ADD_METHOD: "method",
}


LOOK_FIRST = KeyAction(
    "plan_first",
    "space",
    "Space",
    "plan first",
    "show the plan of this line before it runs",
    DECIDE,
    2,
)


GENERATE_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "make",
        "make this; what is charged or sends texts is shown first",
        DECIDE,
        1,
    ),
    LOOK_FIRST,
    KeyAction("successor", "s", "s", "successor", "one more successor", MAKE),
    KeyAction("predecessor", "p", "p", "predecessor", "one more predecessor", MAKE),
    KeyAction("chain", "c", "c", "chain", "the whole chain of this branch", MAKE),
    KeyAction("trends", "t", "t", "trends", "the trends of this branch", MAKE),
    KeyAction(
        "direction",
        "d",
        "d",
        "direction",
        "the future direction, and what it is based on where that is missing",
        MAKE,
    ),
    KeyAction(
        "idea", "i", "i", "idea", "the idea, and what it is based on where that is missing", MAKE
    ),
    KeyAction(
        "experiment", "e", "e", "experiment", "the experiment plan of this branch's idea", MAKE
    ),
    KeyAction("first", "f", "f", "anchors", "questions and anchors", MAKE),
    KeyAction("all", "a", "a", "all branches", "all branches to a stage you choose", MAKE),
    KeyAction("method", "plus", "+", "add method", "add another method to this session", MAKE),
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)


class GenerateSheet(Sheet[Offer]):
    """Gives the offer that was chosen, or None."""

    PLACE = "generate"
    ACTIONS = GENERATE_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, title: str, offers: Sequence[Offer]) -> None:
        super().__init__()
        self.heading, self.offers, self.look = title, tuple(offers), False

    def body(self) -> ComposeResult:
        yield Line(self.heading, "what is charged or sent is shown first", id="title")
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
        return Content(ends(f"{head:26} {offer.note}", self._takes(offer), width))

    def _takes(self, offer: Offer) -> str:
        plan = offer.plan
        if plan is None or offer.key == "a":
            return ""
        searches = [line.cost.searches for line in plan.lines if not line.off]
        sums = (sum(low for low, _ in searches), sum(high for _, high in searches))
        return joined((span(plan.calls, "call"), span(sums, "search"), middle(plan.usd)), "  ")

    # -- actions --------------------------------------------------------------------------------------------------

    def help_entries(self) -> Iterator[tuple[KeyAction, str]]:
        """Adding a method is named only where the program knows another one."""
        offered = {offer.key for offer in self.offers}
        return (
            (item, reason)
            for item, reason in super().help_entries()
            if item.id != "method" or ADD_METHOD in offered
        )

    def on_key(self, event: events.Key) -> None:
        """A line of a method of its own, whose letter no action of this sheet has."""
        if (
            event.character
            and event.character not in NAMES
            and any(offer.key == event.character for offer in self.offers)
        ):
            event.stop()
            self._by_key(event.character)

    def off(self, name: str) -> str:
        key = next((k for k, n in NAMES.items() if n == name), "")
        if not key:
            return ""
        offer = next((o for o in self.offers if o.key == key), None)
        return offer.off if offer is not None else "it does not apply to this row"

    def say(self, text: str) -> None:
        self.query_one("#sums", Line).say(text)

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self._take(self.offers[at])

    def do_plan_first(self) -> None:
        self.look = True
        self.do_choose()

    def _take(self, offer: Offer) -> None:
        if offer.off:
            self.say(f"{offer.key} {offer.what}: {offer.off}.")
        else:
            self.dismiss(offer)

    def _by_key(self, key: str) -> None:
        self._take(next(o for o in self.offers if o.key == key))

    def do_successor(self) -> None:
        self._by_key("s")

    def do_predecessor(self) -> None:
        self._by_key("p")

    def do_chain(self) -> None:
        self._by_key("c")

    def do_trends(self) -> None:
        self._by_key("t")

    def do_direction(self) -> None:
        self._by_key("d")

    def do_idea(self) -> None:
        self._by_key("i")

    def do_experiment(self) -> None:
        self._by_key("e")

    def do_first(self) -> None:
        self._by_key("f")

    def do_all(self) -> None:
        self._by_key("a")

    def do_method(self) -> None:
        self._by_key(ADD_METHOD)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._take(self.offers[event.option_index])


STAGES_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "run",
        "run to this stage; what is charged or sends texts is shown first",
        DECIDE,
        1,
    ),
    LOOK_FIRST,
    KeyAction("down", "j", "j", "down", "a stage down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a stage up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)


class StageSheet(Sheet[str]):
    """Gives the name of a stage, or None. ``whole`` is the plan to the last stage: its lines tell what is still to be made."""

    PLACE = "stages"
    ACTIONS = STAGES_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, stages: Sequence[str], reached: str, whole: Plan, begin: str = "") -> None:
        """``begin``: the stage that the cursor stands on at first."""
        super().__init__()
        self.stages, self.reached, self.whole = tuple(stages), reached, whole
        self.begin = self.stages.index(begin) if begin in self.stages else 0
        self.look = False

    def body(self) -> ComposeResult:
        yield Line(
            f"Run to a stage   reached: {self.reached}",
            "what is charged or sent is shown first",
            id="title",
        )
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(MarkedList)
        here = lines.highlighted if lines.highlighted is not None else self.begin
        lines.show(
            [Content(ends(stage, self._takes(stage), lines.room)) for stage in self.stages], here
        )

    def _takes(self, stage: str) -> str:
        line = self._line(stage)
        if line is None:
            return "there is nothing left to make"
        about = line.what.partition(": ")[2]
        count = joined(
            (span(line.cost.calls, "call"), span(line.cost.searches, "search"), middle(line.usd)),
            ", ",
        )
        return f"{about}: {count}"

    def _line(self, stage: str) -> PlanLine | None:
        return next(
            (line for line in self.whole.lines if line.what.partition(":")[0] == stage), None
        )

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.dismiss(self.stages[at])

    def do_plan_first(self) -> None:
        self.look = True
        self.do_choose()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.stages[event.option_index])


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
    KeyAction("down", "j", "j", "down", "a method down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a method up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing is added", DECIDE, 2),
)


class MethodSheet(Sheet[str]):
    """Gives the name of a method, or None."""

    PLACE = "methods"
    ACTIONS = METHODS_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, methods: Mapping[str, str]) -> None:
        """``methods``: what each does, by name."""
        super().__init__()
        self.methods = tuple(methods)
        self._about = methods

    def body(self) -> ComposeResult:
        yield Line(
            "Add another method to this session",
            "nothing runs before you approve a plan",
            id="title",
        )
        yield Static(
            "It works on the same topic and papers; its ideas meet the others in the arena.",
            classes="label",
            markup=False,
        )
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        names = column(self.methods, 8, 24)
        self.query_one(MarkedList).show(
            [Content(f"{fit(name, names)} {self._about[name]}".rstrip()) for name in self.methods],
            0,
        )

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.dismiss(self.methods[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.methods[event.option_index])
