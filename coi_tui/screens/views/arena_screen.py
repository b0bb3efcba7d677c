"""The matches of ideas: both orders of the model's judgement, hidden until one has voted on all
criteria, and one's own votes."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import IdeaContent, MatchRecord
from coi_tui.model.text import clipped, count
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.texts.diff_screen import CompareScreen
from coi_tui.session.queries.comparisons import (
    CRITERIA,
    FLIP,
    Judged,
    criteria,
    hidden,
    human_standings,
    is_shown,
    left_in_arena,
    pairs,
    shown_arena,
    too_few_shown,
)
from coi_tui.widgets.key_actions import (
    DECIDE,
    LOOK,
    MAKE,
    MOVE,
    VIEW_ACTIONS,
    KeyAction,
)
from coi_tui.widgets.panes import cut

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


class ArenaScreen(Listing[str, str]):
    """Gives the match that the model is to judge, ``REST`` for all that are left, or None.

    Voting happens here, on two texts without the names of their methods.
    """

    PLACE = "arena"
    CSS_PATH = "arena_screen.tcss"
    ACTIONS = ARENA_ACTIONS
    NAMES = ("[1] Matches", "[2] Judgement")
    CHANGES = frozenset({"vote_left", "vote_right", "vote_tie", "model", "judge"})
    ON_ROW, NO_ROW = CHANGES | {"next_criterion", "compare"}, "there is no match"
    EMPTY = "No matches yet. Tag two ideas with t, then = opens their match; w judges them all."

    def __init__(self, controller: SessionController, address: str = "") -> None:
        super().__init__(controller)
        self.begin = address
        self.criterion = 0

    def keys(self) -> Sequence[str]:
        return self.items

    def take(self) -> None:
        here = {self.begin} if self.begin and parse_address(self.begin).part == "match" else set()
        self.items = sorted({*pairs(self.session.state), *here})

    def first(self) -> int:
        return self.items.index(self.begin) if self.begin in self.items else 0

    def heading(self) -> tuple[str, str]:
        mine = human_standings(self.session.state)
        own = (
            f"you: {', '.join(f'{s.player}/idea {s.points:g}' for s in mine)}"
            if mine
            else "you: no points yet"
        )
        return f"Arena   {own}", self._model_points()

    def _model_points(self) -> str:
        """The points of the ideas by the model's judgement, and whether they come of too few
        matches."""
        table = [s for s in shown_arena(self.session.state) if s.games]
        if not table:
            return (
                "judge: hidden until you have voted or press M"
                if hidden(self.session.state)
                else "judge: no matches yet"
            )
        few = " (too few to rank)" if too_few_shown(self.session.state) else ""
        return f"judge: {', '.join(f'{s.player}/idea {s.points:g}' for s in table)}{few}"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(self._row(address, width)) for address in self.items]

    def _row(self, address: str, width: int) -> str:
        voted = sum(c.vote is not None for c in criteria(self.session.state, address))
        room = (width - len(" against    your votes: 0 of 5")) // 2
        left, right = (cut(self._named(address, b), room) for b in self._branches(address))
        return f"{left} against {right}   your votes: {voted} of {len(CRITERIA)}"

    def _branches(self, address: str) -> tuple[Branch, Branch]:
        at = parse_address(address)
        return at.branch, at.other

    def _named(self, address: str, branch: Branch) -> str:
        """An idea by its address once its match may be seen; by its title before: an address tells
        the method."""
        if self.shows(address):
            return f"{branch}/idea"
        idea = self.session.state.read(f"{branch}/idea", IdeaContent)
        return (
            f"“{clipped(idea.title, 12)}”"
            if idea is not None and idea.title
            else "an idea without a title"
        )

    def shows(self, address: str) -> bool:
        """Whether the names and the model's judgement of a match may be seen: after the votes on
        it, or on demand."""
        return is_shown(self.session.state, address)

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        address = self.items[at]
        left, right = self._branches(address)
        shown, match = self.shows(address), self.session.state.read(address, MatchRecord)
        judged = shown and match is not None
        table = [
            self._criterion(n, c, left, right, judged)
            for n, c in enumerate(criteria(self.session.state, address))
        ]
        parts = [
            (
                "CRITERION        YOU      "
                + ("JUDGE, ORDER A-B B-A      RESULT" if judged else ""),
                "\n".join(table),
            )
        ]
        if match is None:
            parts.append(
                ("", "Nobody but you has judged this match; g has it judged in both orders.")
            )
        elif shown:
            parts += self._judgement(address, match)
        for branch, side in ((left, "LEFT"), (right, "RIGHT")):
            idea = self.session.state.read(f"{branch}/idea", IdeaContent)
            if idea is not None:
                parts.append(
                    (
                        f"{side}: {f'{branch}/idea  ' if shown else ''}{idea.title}",
                        idea.final[:1200],
                    )
                )
        title = " against ".join(self._named(address, branch) for branch in (left, right))
        return f"{address} {self.criterion} {shown}", title, parts

    def _judgement(self, address: str, match: MatchRecord) -> list[tuple[str, str]]:
        """What the model said in both orders, and how far it may be relied on."""
        rows = criteria(self.session.state, address)
        flips = sum(c.flips for c in rows)
        of = count(len(rows), "criterion", "criteria")
        weak = f"The order changed the winner on {flips} of {of}{': weak evidence' if flips > 1 else ''}. "
        return [
            (
                "",
                f"{weak}The longer text is {match.length_ratio} times as long as the shorter; a judge may favour length.",
            ),
            ("JUDGE, ORDER A-B", str(match.straight.get("reasoning", ""))),
            ("JUDGE, ORDER B-A", str(match.swapped.get("reasoning", ""))),
        ]

    def _criterion(self, n: int, c: Judged, left: Branch, right: Branch, judged: bool) -> str:
        side = {left: "left", right: "right", 0: "tie", None: "?"}
        model = (
            f"{side[c.straight]:16} {side[c.swapped]:8} {FLIP if c.flips else side[c.result]}"
            if judged
            else ""
        )
        return f"{'>' if n == self.criterion else ' '} {c.criterion:14} {side[c.vote]:8} {model}".rstrip()

    # -- actions

    def off_model(self) -> str:
        if self.session.state.in_use(self.here) is None:
            return "nobody but you has judged this match yet"
        return "it is already shown" if self.shows(self.here) else ""

    def off_tournament(self) -> str:
        return self.controller.not_idle() or (
            "" if left_in_arena(self.session.state) else "no match is left to be judged"
        )

    async def _vote(self, side: str) -> None:
        address = self.here
        place = parse_address(address)
        winner = {"left": place.branch, "right": place.other, "tie": 0}[side]
        name = CRITERIA[self.criterion]
        await self.controller.decide(
            lambda: self.session.decide("vote", address, {"criteria": [name], "winner": winner})
        )
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        self.done(f"Your vote on {name}: {side}. Next: {CRITERIA[self.criterion]}. u undoes it.")

    async def do_vote_left(self) -> None:
        await self._vote("left")

    async def do_vote_right(self) -> None:
        await self._vote("right")

    async def do_vote_tie(self) -> None:
        await self._vote("tie")

    def do_next_criterion(self) -> None:
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        self._tell()

    async def do_model(self) -> None:
        address = self.here
        await self.controller.decide(lambda: self.session.decide("show_match", address))
        self.load()

    def do_tournament(self) -> None:
        self.dismiss(REST)

    def do_compare(self) -> None:
        """The two ideas side by side."""
        address = self.here
        left, right = (f"{branch}/idea" for branch in self._branches(address))
        self.app.push_screen(
            CompareScreen(self.controller, left, right, blind=not self.shows(address))
        )

    def do_judge(self) -> None:
        self.dismiss(self.here)
