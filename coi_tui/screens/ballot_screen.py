"""Blind votes on the texts of a suite, a pair and a criterion at a time."""

from __future__ import annotations

import math
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import CoiScreen
from coi_tui.session.suite.ballot import Ballot
from coi_tui.widgets.key_actions import HELP, KeyAction
from coi_tui.widgets.panes import HEADING, DetailPane, Line

VOTES = {"first": "the first text is better", "second": "the second text is better", "tie": "a tie"}


class BallotScreen(CoiScreen[None]):
    """Two texts and a question; every vote is written at once. Nothing names who wrote a text. Where
    there is no room for both side by side, the text that has the focus gets most of it."""

    PLACE = "ballot"
    ACTIONS = (
        KeyAction("first", "1,left", "first is better", f"vote: {VOTES['first']} (also Left)", 1),
        KeyAction("second", "2,right", "second", f"vote: {VOTES['second']} (also Right)", 2),
        KeyAction("tie", "t", "tie", "vote: neither text is better", 3),
        KeyAction("undo", "u", "undo", "take back your last vote", 4),
        KeyAction("other", "tab", "other text", "go to the other text", 5),
        HELP,
        KeyAction("cancel", "escape,q", "close", "close; every vote is kept", 10),
    )
    DEFAULT_CSS = """
    BallotScreen #topic { padding: 0 1; height: auto; max-height: 25vh; }
    BallotScreen #sides { height: 1fr; }
    BallotScreen.-wide #sides { layout: horizontal; }
    BallotScreen DetailPane { height: 1fr; min-height: 3; border: round $text-primary; background: $surface; }
    BallotScreen DetailPane:focus { border: double $text-accent; }
    BallotScreen.-wide DetailPane { width: 1fr; }
    BallotScreen.-two DetailPane:focus, BallotScreen.-one DetailPane:focus { height: 3fr; }
    BallotScreen #message { min-height: 3; }
    """

    def __init__(self, ballot: Ballot) -> None:
        super().__init__()
        self.ballot = ballot

    def body(self) -> ComposeResult:
        yield Line(id="header")
        yield Static(id="topic", markup=False)
        with Container(id="sides"):
            yield DetailPane(id="first")
            yield DetailPane(id="second")
        yield Static(id="message", markup=False)

    def on_mount(self) -> None:
        for pane in self.query(DetailPane):
            pane.border_title = Content(f"The {pane.id} text")
        self.show("Nobody is named. Every vote is written at once.")

    def show(self, remark: str) -> None:
        """Show what is asked next. A key that was pressed before another pair was drawn did not mean
        it."""
        ballot, here, panes = self.ballot, self.ballot.here, self.query(DetailPane)
        given = f"{ballot.given} of {len(ballot.asked)} votes"
        self.query_one("#header", Line).say(f"Votes of {ballot.rater}", given)
        if here is None:
            topic = f"You have voted on every pair. The votes are in {ballot.file}; `coi arena report` counts them."
            asks = Content()
        else:
            (pair, criterion), topic = here, here[0].first.topic
            asks = Content.assemble((criterion, HEADING), f": {ballot.meaning[criterion]}\n")
            shown = repr(pair)
            if panes[0].key != shown or not panes[0].display:
                self.listens_from = math.inf
                self.call_after_refresh(self._drawn)
                panes[0].focus()
            for pane, one in zip(panes, (pair.first, pair.second), strict=True):
                pane.show(shown, "", [("", one.text)])
        for pane in panes:
            pane.display = here is not None
        self.query_one("#topic", Static).update(Content(topic))
        self.query_one("#message", Static).update(asks + Content.styled(remark, "dim"))

    def off(self, name: str) -> str:
        return "every vote is given" if name in {*VOTES, "other"} and not self.ballot.here else ""

    def off_undo(self) -> str:
        return "" if self.ballot.given else "there is no vote"

    def _vote(self, outcome: Literal["first", "second", "tie"]) -> None:
        _, criterion = self.ballot.asked[self.ballot.given]
        self.ballot.vote(outcome)
        self.show(f"Your vote by {criterion}: {VOTES[outcome]}. u takes it back.")

    def do_first(self) -> None:
        self._vote("first")

    def do_second(self) -> None:
        self._vote("second")

    def do_tie(self) -> None:
        self._vote("tie")

    def do_undo(self) -> None:
        self.ballot.undo()
        self.show("Your last vote is taken back.")

    def do_other(self) -> None:
        self.focus_next()

    def do_cancel(self) -> None:
        self.coi.leave()
