"""An experiment plan with what changed in it, beside its review point by point: tick what is to be
answered, dismiss what is not."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.model.address import Branch
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_number
from coi_tui.model.plan_scores import in_words, scored
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import PointSheet, ReasonSheet
from coi_tui.session.queries.experiment import (
    PointLine,
    changes,
    fetched,
)
from coi_tui.widgets.key_actions import DECIDE, MAKE, VIEW_ACTIONS, KeyAction
from coi_tui.widgets.panes import cut

BOXES = {"ticked": "[x]", "dismissed": "[-]"}
POINT_STATUS_WORDS = {
    "dismissed": "DISMISSED  ",
    "done": "DONE  ",
    "rebutted": "REBUTTED  ",
    "not addressed": "NOT ADDRESSED  ",
}


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


class ReviewScreen(Listing[str, PointLine]):
    """Gives the name of an action of the workbench to go on with (``review``, ``refine``), or
    None."""

    PLACE = "review"
    CSS_PATH = "review_screen.tcss"
    ACTIONS = REVIEW_ACTIONS
    NAMES = (
        "[1] Review points   only ticked ones are sent",
        "[2] Point and plan   + added  - removed",
    )
    GOES_ON = frozenset({"review", "refine"})
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"tick", "dismiss", "add", "adopt"}),
        frozenset({"tick", "dismiss"}),
        "there is no point",
    )
    MARKED = False  # "-" before a sentence says that it was removed
    EMPTY = "No review points. V asks for a review; one without points needs no answer."

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller)
        self.branch, self.address = branch, f"{branch}/exp"

    def keys(self) -> Sequence[str]:
        return [str(p.n) for p in self.items]

    def take(self) -> None:
        self.items = self.session.queries.review_points(self.branch)

    # -- the plan

    @property
    def shown(self) -> Version | None:
        """The plan that is shown: the newest, where it was made from the one in use and waits
        beside it; else that in use."""
        state, used = self.session.state, self.session.state.in_use(self.address)
        cell = state.cell(self.address)
        newest = state.versions[cell.versions[-1]] if cell.versions else None
        waits = newest is not None and newest.seq in cell.beside
        return newest if waits and used and newest and used.seq in newest.parents else used

    @property
    def before(self) -> Version | None:
        """The plan that the shown one was made from."""
        state, versions = self.session.state, self.session.state.cell(self.address).versions
        parents = self.shown.parents if self.shown is not None else ()
        older = next((seq for seq in parents if seq in versions), None)
        return state.versions[older] if older is not None else None

    def _called(self, version: Version) -> str:
        return f"v{version_number(self.session.state, self.address, version.seq)}"

    def heading(self) -> tuple[str, str]:
        shown, before = self.shown, self.before
        if shown is None:
            return f"Plan {self.address}", "no plan yet"
        which = "" if shown == self.session.state.in_use(self.address) else " (not in use)"
        against = f"{self._called(before)} -> " if before else ""
        fresh = self.session.core.freshness(self.address).status
        state = {"stale": "STALE", "upstream": "input stale"}.get(fresh, "")
        ticked = sum(p.mark == "ticked" for p in self.items)
        sent = f"{ticked} of {self.count} ticked" if self.items else ""
        return f"Plan {self.address} {against}{self._called(shown)}{which}", "   ".join(
            filter(None, (state, sent))
        )

    def _plan_parts(self) -> list[tuple[str, str]]:
        state, shown, before = self.session.state, self.shown, self.before
        if shown is None:
            return []
        against = f"against {self._called(before)}" if before else "made from no other version"
        parts = [(f"PLAN {self._called(shown)}", against)]
        if held := scored(state, shown):
            parts.append(("SCORE", f"{in_words(held).capitalize()}."))
        parts += changes(state, before, shown)
        if read := fetched(state, shown):
            parts.append(("READ FOR THIS VERSION", read))
        return parts

    # -- rows

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(p), width)) for p in self.items]

    def _row(self, p: PointLine) -> str:
        whose = "(you) " if p.own else ""
        return f"{BOXES.get(p.mark, '[ ]')} {p.n}  {POINT_STATUS_WORDS.get(p.point_status, '')}{whose}{p.part}: {p.point}"

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        p = self.items[at]
        parts = [("", p.point), ("STATE", self._state(p)), *self._plan_parts()]
        return f"{p.n}", f"{p.n}. {'(yours) ' if p.own else ''}{p.part}", parts

    def told_of_none(self) -> Sequence[tuple[str, str]]:
        return self._plan_parts()

    def _state(self, p: PointLine) -> str:
        if p.point_status == "dismissed":
            told = (
                f", in review {p.before}; it was raised again and stays dismissed until Space ticks it"
                if p.before
                else ""
            )
            return f"DISMISSED by you{f': {p.reason}' if p.reason else ''}{told}"
        if p.point_status in ("ticked", "open"):
            return (
                "ticked: it is sent when the plan is refined"
                if p.point_status == "ticked"
                else "open, not sent: Space ticks it, x dismisses it"
            )
        return self._answered(p, f"plan v{p.answered_by}")

    def _answered(self, p: PointLine, plan: str) -> str:
        if p.point_status == "done":
            return f"DONE in {plan}. It says: {p.claim}"
        if p.point_status == "rebutted":
            return f"REBUTTED: {plan} changes nothing for it. The reason given: {p.rebuttal}"
        if p.claim:
            return f"NOT ADDRESSED: {plan} claims a change ({p.claim}), but its text is the same there as before."
        return f"NOT ADDRESSED: {plan} does not answer it."

    # -- actions

    def off_add(self) -> str:
        return (
            ""
            if self.session.state.in_use(f"{self.branch}/review") is not None
            else "there is no review yet; V makes one"
        )

    def off_adopt(self) -> str:
        if self.shown is None:
            return "there is no plan yet"
        in_use = self.shown == self.session.state.in_use(self.address)
        return "it is already in use" if in_use else ""

    async def _mark(self, number: int, mark: str, reason: str = "") -> None:
        await self.controller.decide(
            lambda: self.session.decide(mark, f"{self.branch}/review", number, reason=reason)
        )
        self.load()

    async def do_tick(self) -> None:
        point = self.here
        self.say("")
        await self._mark(point.n, "untick" if point.mark == "ticked" else "tick")

    def do_dismiss(self) -> None:
        number = self.here.n
        effect = "It is not sent when the plan is refined, and stays in the review with your reason. u undoes it."
        self.app.push_screen(
            ReasonSheet(f"Dismiss point {number}", effect, "dismiss"),
            lambda reason: self._dismissed(number, reason),
        )

    async def _dismissed(self, number: int, reason: str | None) -> None:
        if reason is None:
            self.say("Nothing was dismissed.")
            return
        await self._mark(number, "dismiss", reason)
        self.say(f"Point {number} is dismissed{f': {reason}' if reason else ''}.")

    def do_add(self) -> None:
        self.app.push_screen(PointSheet(self.address), self._added)

    async def _added(self, text: str | None) -> None:
        if not text:
            self.say("Nothing was added.")
            return
        added = await self.controller.decide(
            lambda: self.session.decide("add", f"{self.branch}/review", text)
        )
        self.done(f"Your point is number {added.value['point']['n']}; Space ticks it, u undoes it.")

    async def do_adopt(self) -> None:
        shown = self.shown
        assert shown is not None
        name = self._called(shown)
        await self.change(
            self.address,
            f"Use plan {name}?",
            lambda s: s.decide("adopt", self.address, shown.seq),
            lambda _: self.done(f"Plan {name} is in use and stays so; u undoes it."),
        )
