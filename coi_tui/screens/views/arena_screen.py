"""The matches of ideas: both orders of the model's judgement, hidden until one has voted on all
criteria, and one's own votes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from coi_tui.model.address import parse_address
from coi_tui.model.document import Table
from coi_tui.present.cells import match_row
from coi_tui.present.comparisons import (
    CRITERIA,
    JUDGE,
    YOU,
    hidden,
    is_shown,
    left_in_arena,
    pairs,
    rankings,
    too_few_shown,
)
from coi_tui.present.text import Part, parts
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.texts.history_screen import CompareScreen
from coi_tui.screens.views.content_screen import TableScreen
from coi_tui.widgets.key_actions import (
    DECIDE,
    LOOK,
    MAKE,
    MOVE,
    VIEW_ACTIONS,
    KeyAction,
)

ARENA_ACTIONS = (
    KeyAction(
        "vote_left",
        "left",
        "Left",
        "left is better",
        "vote for the left idea on this criterion",
        DECIDE,
        1,
    ),
    KeyAction(
        "vote_right",
        "right",
        "Right",
        "right",
        "vote for the right idea on this criterion",
        DECIDE,
        2,
    ),
    KeyAction("vote_tie", "0", "0", "tie", "vote for a tie on this criterion", DECIDE, 3),
    KeyAction("next_criterion", "space", "Space", "criterion", "the next criterion", MOVE, 4),
    KeyAction(
        "model", "M", "M", "judge's view", "show the judge's view before you have voted", LOOK, 5
    ),
    KeyAction(
        "compare",
        "enter,d",
        "Enter",
        "both texts",
        "both ideas beside each other (also d)",
        LOOK,
        8,
    ),
    KeyAction(
        "judge",
        "g",
        "g",
        "model judges",
        "let the model judge this match in both orders (a plan first)",
        MAKE,
    ),
    KeyAction(
        "tournament",
        "w",
        "w",
        "judge the rest",
        "let the model judge the matches that are left, of all ideas (a plan first)",
        MAKE,
    ),
    *VIEW_ACTIONS,
)


REST = "A"
"""The address of the arena: all matches that are left."""


class ArenaScreen(TableScreen):
    """Gives the match that the model is to judge, ``REST`` for all that are left, or None.

    Voting happens here, on two texts without the names of their methods.
    """

    PLACE = "arena"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = ARENA_ACTIONS
    NAMES = ("[1] Matches", "[2] Judgement")
    CHANGES = frozenset({"vote_left", "vote_right", "vote_tie", "model", "judge"})
    ON_ROW, NO_ROW = CHANGES | {"next_criterion", "compare"}, "there is no match"
    EMPTY = "No matches yet. Tag two ideas with t, then = opens their match; w judges them all."

    def __init__(self, controller: SessionController, address: str = "") -> None:
        super().__init__(controller, REST)
        self.begin = address
        self.criterion = 0

    def take(self) -> None:
        state = self.session.state
        here = {self.begin} if self.begin and parse_address(self.begin).part == "match" else set()
        matches = sorted({*pairs(state), *here})
        self.table = Table(("your votes", "match"), tuple(match_row(state, a) for a in matches))
        self.items = self.table.rows

    def first(self) -> int:
        return self.keys().index(self.begin) if self.begin in self.keys() else 0

    def heading(self) -> tuple[str, str]:
        state = self.session.state
        points = {ranking.by: ranking.points for ranking in rankings(state)}
        judge = "hidden until you have voted or press M" if hidden(state) else "no matches yet"
        if JUDGE in points:
            judge = points[JUDGE] + (" (too few to rank)" if too_few_shown(state) else "")
        mine = points.get(YOU, "no points yet")
        return f"Arena   you: {mine}", f"judge: {judge}"

    def told(self, at: int) -> tuple[str, str, Sequence[Part]]:
        row, queries = self.items[at], self.session.queries
        vote = ("", f"Next vote: {CRITERIA[self.criterion]} (Space: another)")
        shown = list(parts(queries.document(row.key)))
        key = f"{row.key} {is_shown(self.session.state, row.key)}"
        return key, row.cells[-1], [vote, *shown]

    # -- actions

    def off_model(self) -> str:
        if self.session.state.in_use(self.here.key) is None:
            return "nobody but you has judged this match yet"
        return "it is already shown" if is_shown(self.session.state, self.here.key) else ""

    def off_tournament(self) -> str:
        return self.controller.not_idle() or (
            "" if left_in_arena(self.session.state) else "no match is left to be judged"
        )

    async def _vote(self, side: str) -> None:
        address = self.here.key
        place = parse_address(address)
        winner = {"left": place.branch, "right": place.other, "tie": 0}[side]
        name = CRITERIA[self.criterion]
        await self.controller.decide(
            lambda: self.session.decide("vote", address, {"criteria": [name], "winner": winner})
        )
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        self.done(f"Your vote on {name}: {side}. Next: {CRITERIA[self.criterion]}. u undoes it.")

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        if name.startswith("vote_"):
            return partial(self._vote, name.removeprefix("vote_"))
        return super().handler(name)

    def do_next_criterion(self) -> None:
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        self.show_about()

    async def do_model(self) -> None:
        address = self.here.key
        await self.controller.decide(lambda: self.session.decide("show_match", address))
        self.load()

    def do_tournament(self) -> None:
        self.dismiss(REST)

    def do_compare(self) -> None:
        """The two ideas side by side."""
        address = self.here.key
        at = parse_address(address)
        left, right = f"{at.branch}/idea", f"{at.other}/idea"
        self.app.push_screen(
            CompareScreen(
                self.controller, left, right, blind=not is_shown(self.session.state, address)
            )
        )

    def do_judge(self) -> None:
        self.dismiss(self.here.key)
