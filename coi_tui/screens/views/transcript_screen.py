"""A talk turn by turn: who speaks, to what, in which round, with the answer that is coming in; a
turn can be read, edited and struck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.content import Content

from coi_tui.model.views import RowChange, TranscriptView, Turn
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.availability import Action
from coi_tui.session.queries.texts import readable, sentences
from coi_tui.widgets.content_views import SPEAKING, spoken_by, transcript_lines
from coi_tui.widgets.key_actions import DECIDE, LOOK, VIEW_ACTIONS, KeyAction

STREAM = 0.2
"""Seconds between two looks at the answers that are coming in."""
NOT_SAID = "Not said yet."

TRANSCRIPT_ACTIONS = (
    KeyAction(
        "read",
        "enter",
        "Enter",
        "read",
        "read this turn: to its text, and Esc leads back to the list",
        LOOK,
        1,
    ),
    KeyAction(
        "edit",
        "e",
        "e",
        "edit",
        "edit what is said in this turn, or write your own words between two turns",
        DECIDE,
        2,
    ),
    KeyAction(
        "reject",
        "x",
        "x",
        "strike",
        "strike this turn, so that later ones do not see it, or take it in again",
        DECIDE,
        3,
    ),
    KeyAction("row", "o", "o", "its row", "go to the row of this turn in the tree", LOOK, 5),
    *VIEW_ACTIONS,
)


class TranscriptScreen(Listing[str, Turn]):
    """Gives the address of a turn whose row is wanted, or None. The cursor stays with the last turn
    while the talk goes on."""

    PLACE = "transcript"
    ACTIONS = TRANSCRIPT_ACTIONS
    NAMES = ("[1] Turns", "[2] What is said")
    CHANGES, ON_ROW = frozenset({"edit", "reject"}), frozenset({"read", "edit", "reject", "row"})
    EMPTY = "Nobody has spoken yet."

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address = address
        self.view: TranscriptView | None = None
        self.streams: dict[str, str] = {}
        """The answers that are coming in, by the address of the turn."""

    def on_mount(self) -> None:
        self.set_interval(STREAM, self._listen)

    # -- what there is

    def keys(self) -> Sequence[str]:
        return [turn.address or str(n) for n, turn in enumerate(self.items)]

    def take(self) -> None:
        view = self.session.queries.content_view(self.address)
        self.view = view if isinstance(view, TranscriptView) else None
        self.items = self.view.turns if self.view is not None else ()

    def load(self) -> None:
        at_end = (
            self.composed and self.at is not None and bool(self.items) and self.at >= self._last()
        )
        super().load()
        if at_end:
            self.begin_at(self._last())

    def first(self) -> int:
        """The turn that it was opened at, else the last one."""
        return next(
            (n for n, turn in enumerate(self.items) if turn.address == self.address), self._last()
        )

    def _last(self) -> int:
        """The last turn that was said, or is being said."""
        said = (n for n, turn in enumerate(self.items) if turn.text or turn.address in self.streams)
        return max(said, default=0)

    def _now(self) -> TranscriptView:
        """The talk with the answers that are coming in."""
        turns = tuple(
            replace(turn, text=self.streams.get(turn.address) or turn.text) for turn in self.items
        )
        return TranscriptView(turns, self.view.of if self.view is not None else 0)

    def heading(self) -> tuple[str, str]:
        kind = self.session.core.methods.kind(self.address)
        return f"{self.address}   {kind.title if kind is not None else ''}", self._reached()

    def _reached(self) -> str:
        """``turn 2 of 5``, by the rounds where the talk has any."""
        said = [turn for turn in self._now().turns if turn.text]
        if self.view is not None and self.view.of:
            return f"turn {max((turn.number for turn in said), default=0)} of {self.view.of}"
        return f"{len(said)} of {self.count} said"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(line) for line in transcript_lines(self._now(), width, set(self.streams))]

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        turn = self.items[at]
        coming = self.streams.get(turn.address, "")
        place = (
            f"   turn {turn.number} of {self.view.of}"
            if self.view is not None and self.view.of and turn.number
            else ""
        )
        title = f"{spoken_by(turn)}{place}{f'   {turn.address}' if turn.address else ''}"
        if coming:
            used = (
                "what was said stays until it is complete"
                if turn.text
                else "it is no version until it is complete"
            )
            return (
                f"{turn.address} {SPEAKING}",
                title,
                [("", coming), ("", f"({SPEAKING}; {used})")],
            )
        note = (
            [("ABOUT THIS TALK", self.view.note)]
            if self.view is not None and self.view.note
            else []
        )
        return (
            turn.address or str(at),
            title,
            [*_head(turn), ("", turn.text or self._unsaid(turn)), *note],
        )

    def _unsaid(self, turn: Turn) -> str:
        can = turn.mark == "yours" and not self.why_off("edit")
        return "Nothing is written here yet. e writes what you want to say." if can else NOT_SAID

    # -- the answers that come in

    def _listen(self) -> None:
        """Show what came in since the last look; the cursor goes along where it stood on the last
        turn."""
        moves = self.app.animation_level != "none"
        raw = {
            turn.address: self.controller.incoming(turn.address)
            for turn in self.items
            if turn.address
        }
        streams = {
            address: readable(text) if moves else sentences(readable(text))
            for address, text in raw.items()
            if text
        }
        if not self.composed or streams == self.streams:
            return
        at_end = self.at is not None and self.at >= self._last()
        self.streams = streams
        if at_end:
            self.begin_at(self._last())
        self.fill()
        if at_end and streams:
            self.about_pane.scroll_end(animate=False)

    # -- actions

    def _change(self) -> RowChange | None:
        """What striking would change about the turn under the cursor."""
        turn = self.chosen
        return (
            self.session.edits.row_change(turn.address, turn.address, "reject")
            if turn is not None and turn.address
            else None
        )

    def label(self, item: KeyAction) -> str:
        turn = self.chosen
        if item.id == "reject" and (change := self._change()) is not None:
            return change.word
        return (
            "write"
            if item.id == "edit" and turn is not None and turn.mark == "yours" and not turn.text
            else item.label
        )

    def off_reject(self) -> str:
        return "" if self._change() is not None else "this turn cannot be struck"

    def off_edit(self) -> str:
        turn = self.chosen
        return (
            self.controller.refusals(turn.address)[Action.EDIT]
            if turn is not None and turn.address
            else "there is no text to edit here"
        )

    def off_row(self) -> str:
        return "" if self.chosen is not None and self.chosen.address else "this turn has no row"

    def do_read(self) -> None:
        self.about_pane.focus()

    def do_row(self) -> None:
        self.dismiss(self.here.address)

    def do_edit(self) -> None:
        from coi_tui.screens.texts.edit_screen import (
            EditScreen,
        )  # the text area is loaded when it is needed

        self.app.push_screen(
            EditScreen(self.controller, self.here.address),
            lambda said: self.done(said or "Nothing was changed."),
        )

    async def do_reject(self) -> None:
        await self.change_row(self.here.address, self.here.address, "reject")


def _head(turn: Turn) -> list[tuple[str, str]]:
    """What sets a turn apart, in a sentence."""
    told = {
        "struck": "You struck this turn: later ones do not see it.",
        "yours": "These are your own words.",
        "guest": "A guest answers once and does not join.",
        "leader": "The leader sums up, or decides for all.",
    }
    return [("", told[turn.mark])] if turn.mark and turn.text else []
