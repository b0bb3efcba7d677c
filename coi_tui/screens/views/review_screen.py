"""The review of an experiment plan, point by point, beside what changed in the plan: tick what is to
be answered, dismiss what is not."""

from __future__ import annotations

from coi_tui.model.address import Branch
from coi_tui.model.reviewing import answering, plan_before, ticked_points
from coi_tui.model.state import version_name
from coi_tui.present.cells import BOXES, shown_plan
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import PointSheet, ReasonSheet
from coi_tui.screens.views.content_screen import TableScreen
from coi_tui.widgets.key_actions import DECIDE, MAKE, VIEW_ACTIONS, KeyAction

REVIEW_ACTIONS = (
    KeyAction("tick", "space", "Space", "tick", "tick or untick this point", DECIDE, 1),
    KeyAction("dismiss", "x", "x", "dismiss", "dismiss this point, with a reason", DECIDE, 2),
    KeyAction(
        "refine",
        "F",
        "F",
        "refine",
        "refine the plan with the ticked points (a plan first)",
        MAKE,
        3,
    ),
    KeyAction("review", "V", "V", "review", "review the plan in use (a plan first)", MAKE, 4),
    KeyAction(
        "adopt",
        "a",
        "a",
        "use",
        "use the version of the plan that is shown; it then stays in use",
        DECIDE,
        4,
    ),
    KeyAction(
        "add",
        "plus",
        "+",
        "own point",
        "add a point of your own; it counts like the reviewer's",
        DECIDE,
        5,
    ),
    *VIEW_ACTIONS,
)
STATUS = {"stale": "STALE", "upstream": "input stale"}


class ReviewScreen(TableScreen):
    """Gives the name of an action of the workbench to go on with (``review``, ``refine``), or
    None."""

    PLACE = "review"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = REVIEW_ACTIONS
    NAMES = (
        "[1] Review points   only ticked ones are sent",
        "[2] Point and plan   + added  - removed",
    )
    HEAD = False
    GOES_ON = frozenset({"review", "refine"})
    CHANGES = frozenset({"tick", "dismiss", "add", "adopt"})
    ON_ROW, NO_ROW = frozenset({"tick", "dismiss"}), "there is no point"
    MARKED = False  # "-" before a sentence says that it was removed
    EMPTY = "No review points. V asks for a review; one without points needs no answer."

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller, f"{branch}/review")
        self.branch, self.plan = branch, f"{branch}/exp"

    def heading(self) -> tuple[str, str]:
        state, shown = self.session.state, shown_plan(self.session.state, self.branch)
        if shown is None:
            return f"Plan {self.plan}", "no plan yet"
        before, one = plan_before(state, shown), answering(state, self.branch)
        against = f"{version_name(state, self.plan, before.seq)} -> " if before else ""
        which = "" if shown == state.in_use(self.plan) else " (not in use)"
        status = STATUS.get(self.session.core.freshness(self.plan).status, "")
        ticked = len(ticked_points(state, self.branch, one.review)) if one else 0
        sent = f"{ticked} of {self.count} ticked" if self.items else ""
        name = version_name(state, self.plan, shown.seq)
        return f"Plan {self.plan} {against}{name}{which}", "   ".join(filter(None, (status, sent)))

    def off_add(self) -> str:
        reviewed = self.session.state.in_use(self.address) is not None
        return "" if reviewed else "there is no review yet; V makes one"

    def off_adopt(self) -> str:
        shown = shown_plan(self.session.state, self.branch)
        if shown is None:
            return "there is no plan yet"
        return "it is already in use" if shown == self.session.state.in_use(self.plan) else ""

    async def _mark(self, number: int, mark: str, message: str = "", reason: str = "") -> None:
        await self.controller.decide(
            lambda: self.session.decide(mark, f"{self.branch}/review", number, reason=reason)
        )
        self.done(message)

    async def do_tick(self) -> None:
        ticked = self.here.cells[0] == BOXES["ticked"]
        await self._mark(int(self.here.key), "untick" if ticked else "tick")

    def do_dismiss(self) -> None:
        number = int(self.here.key)
        effect = "It is not sent when the plan is refined, and stays in the review with your reason. u undoes it."

        async def dismissed(reason: str | None) -> None:
            if reason is None:
                self.say("Nothing was dismissed.")
                return
            why = f": {reason}" if reason else ""
            await self._mark(number, "dismiss", f"Point {number} is dismissed{why}.", reason)

        self.app.push_screen(ReasonSheet(f"Dismiss point {number}", effect, "dismiss"), dismissed)

    def do_add(self) -> None:
        async def added(text: str | None) -> None:
            if not text:
                self.say("Nothing was added.")
                return
            point = await self.controller.decide(
                lambda: self.session.decide("add", f"{self.branch}/review", text)
            )
            self.done(
                f"Your point is number {point.value['point']['n']}; Space ticks it, u undoes it."
            )

        self.app.push_screen(PointSheet(self.plan), added)

    async def do_adopt(self) -> None:
        shown = shown_plan(self.session.state, self.branch)
        assert shown is not None
        name = version_name(self.session.state, self.plan, shown.seq)
        await self.change(
            self.plan,
            f"Use plan {name}?",
            lambda s: s.decide("adopt", self.plan, shown.seq),
            lambda _: self.done(f"Plan {name} is in use and stays so; u undoes it."),
        )
