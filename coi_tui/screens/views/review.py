"""The review of an experiment plan, point by point: tick what is to be answered, dismiss what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from coi_tui.screens.desk import Desk
from coi_tui.screens.listing import Listing
from coi_tui.screens.sheets.reason_sheet import ReasonSheet
from coi_tui.session.look.texts import to_text
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.marked_list import MarkedList
from coi_tui.widgets.words import cut

BOXES = {"ticked": "[x]", "dismissed": "[-]"}


class PointList(MarkedList):
    """The points; Space belongs to the screen."""

    BINDINGS = bindings("review", "tick")


class ReviewScreen(Listing[str]):
    """Gives the name of an action of the workbench to go on with (``review``, ``refine``, ``history``), or None."""

    PLACE = "review"
    BINDINGS = bindings("review")
    LIST = PointList
    NAMES = ("[1] Review points", "[2] Point and plan")
    EMPTY = "The review has no points: nothing more to answer. V asks for another one."

    def __init__(self, desk: Desk, branch: int) -> None:
        super().__init__(desk)
        self.branch = branch
        self.points: list[Mapping[str, Any]] = []
        self.marks: dict[int, str] = {}

    @property
    def count(self) -> int:
        return len(self.points)

    def keys(self) -> Sequence[str]:
        return [str(p["n"]) for p in self.points]

    def take(self) -> None:
        state = self.session.state
        review = state.in_use(f"{self.branch}/review")
        self.points = list(review.content["points"]) if review else []
        self.marks = {n: mark for (b, seq, n), mark in state.points.items() if review and (b, seq) == (self.branch, review.seq)}

    def heading(self) -> tuple[str, str]:
        review = self.session.state.in_use(f"{self.branch}/review")
        ticked = sum(mark == "ticked" for mark in self.marks.values())
        of = f" of version {review.content['of']}" if review else ""
        return f"Review{of} of {self.branch}/exp", f"{ticked} of {self.count} ticked; only ticked points are sent (none ticked: all)"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(f"{self._box(p)} {p['n']}  {self._answer(p)}{p['part']}: {p['point']}", width)) for p in self.points]

    def _box(self, point: Mapping[str, Any]) -> str:
        return BOXES.get(self.marks.get(point["n"], ""), "[ ]")

    def _answer(self, point: Mapping[str, Any]) -> str:
        return {"dismissed": "DISMISSED  ", "done": "DONE  ", "not addressed": "NOT ADDRESSED  "}.get(self.marks.get(point["n"], ""), "")

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        p = self.points[at]
        plan = self.session.state.in_use(f"{self.branch}/exp")
        parts = [("", str(p["point"])), ("STATE", self.marks.get(p["n"], "open"))]
        if plan is not None:
            parts.append(("THE PLAN IN USE", to_text(f"{self.branch}/exp", plan.content)))
        return str(p["n"]), f"{p['n']}. {p['part']}", parts

    # -- actions --------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        if name in ("tick", "dismiss") and self.session.read_only_reason:
            return "this session is read-only"
        if name in ("tick", "dismiss") and self.at is None:
            return "there is no point"
        if name in ("review", "refine") and self.desk.busy:
            return "a job runs already; S stops it"
        if name == "refine" and not self.points:
            return "there is nothing to answer"
        if name == "undo":
            return "" if self.session.undo_labels()[0] else "there is nothing to undo"
        return ""

    async def _mark(self, number: int, mark: str, reason: str = "") -> None:
        await self.desk.decide(lambda: self.session.mark_point(self.branch, number, mark, reason))
        self.load()

    async def do_tick(self) -> None:
        assert self.at is not None
        number = self.points[self.at]["n"]
        await self._mark(number, "untick" if self.marks.get(number) == "ticked" else "tick")

    def do_dismiss(self) -> None:
        assert self.at is not None
        number = self.points[self.at]["n"]
        effect = "It is not sent when the plan is refined, and stays in the review with your reason. u undoes it."
        self.app.push_screen(ReasonSheet(f"Dismiss point {number}", effect), lambda reason: self._dismissed(number, reason))

    async def _dismissed(self, number: int, reason: str | None) -> None:
        if reason is None:
            self.say("Nothing was dismissed.")
            return
        await self._mark(number, "dismiss", reason)
        self.say(f"Point {number} is dismissed{f': {reason}' if reason else ''}.")

    async def do_undo(self) -> None:
        said = await self.desk.decide(self.session.undo)
        self.load()
        self.say(f"Undid: {said}.")

    def do_review(self) -> None:
        self.dismiss("review")

    def do_refine(self) -> None:
        self.dismiss("refine")
