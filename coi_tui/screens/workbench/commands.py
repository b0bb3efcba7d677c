"""The keys of the workbench: what each does, and what its controllers may ask of the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from coi_tui.widgets.key_actions import (
    DECIDE,
    DISPLAY_ACTIONS,
    HELP,
    LOOK,
    MAKE,
    MOVE,
    PALETTE,
    RUN,
    KeyAction,
)

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType

    from coi_tui.model.errors import CoiError
    from coi_tui.session.availability import Action
    from coi_tui.session.queries.row import Row


WORKBENCH_ACTIONS = (
    KeyAction("accept", "a", "a", "accept", "accept this paper or text", DECIDE, 1),
    KeyAction(
        "reject",
        "x",
        "x",
        "reject",
        "reject this paper, question or idea; the reason is optional",
        DECIDE,
        2,
    ),
    KeyAction(
        "candidates",
        "c",
        "c",
        "candidates",
        "look at the candidates for this slot, and what each would change",
        DECIDE,
        3,
    ),
    KeyAction("pin", "p", "p", "pin", "pin a paper by DOI, arXiv id, URL or title", DECIDE, 7),
    KeyAction(
        "search",
        "f",
        "f",
        "find papers",
        "search this slot again with other words or another source",
        DECIDE,
        16,
    ),
    KeyAction(
        "accept_all",
        "A",
        "A",
        "accept all",
        "accept all that is undecided in this branch or session (a list first)",
        DECIDE,
        15,
    ),
    KeyAction("keep", "K", "K", "still holds", "say that a stale text still holds", DECIDE, 3),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 6),
    KeyAction("redo", "U", "U", "redo", "bring back what was undone", DECIDE, 14),
    KeyAction(
        "protect", "L", "L", "protect", "let no plan change this row, or allow it again", DECIDE, 17
    ),
    KeyAction(
        "edit", "e", "e", "edit", "edit this text and save it as a version of yours", MAKE, 3
    ),
    KeyAction("edit_outside", "E", "E", "$EDITOR", "edit in your own editor", MAKE),
    KeyAction(
        "ask",
        "I",
        "I",
        "ask",
        "say in words how this text should be; the model rewrites it (a plan first)",
        MAKE,
    ),
    KeyAction(
        "refresh",
        "r",
        "r",
        "refresh",
        "make this again from what it reads now (a plan first)",
        MAKE,
        7,
    ),
    KeyAction(
        "refresh_all",
        "R",
        "R",
        "all stale",
        "bring everything stale up to date (a plan first)",
        MAKE,
        5,
    ),
    KeyAction(
        "generate", "g", "g", "generate", "run to a stage you choose (a plan first)", MAKE, 5
    ),
    KeyAction("verify", "v", "v", "novelty", "check the novelty of this idea", MAKE),
    KeyAction(
        "against",
        "P",
        "P",
        "search against",
        "search for the strongest prior work against this idea (a plan first)",
        MAKE,
    ),
    KeyAction(
        "check_means",
        "",
        ":",
        "check means",
        "check the experiment plan against your means (a plan first)",
        MAKE,
    ),
    KeyAction("review", "V", "V", "review", "review the experiment plan", MAKE),
    KeyAction(
        "refine", "F", "F", "refine", "refine the experiment plan with the ticked points", MAKE
    ),
    KeyAction(
        "branch", "b", "b", "branch", "a new branch that shares this chain up to here", MAKE, 16
    ),
    KeyAction("enter", "enter", "Enter", "read", "go to the text of this row", LOOK, 12),
    KeyAction(
        "why",
        "w",
        "w",
        "why",
        "where this comes from and what it is based on, in sentences",
        LOOK,
        8,
    ),
    KeyAction(
        "next",
        "right_square_bracket",
        "]",
        "next to decide",
        "go to the next thing that needs you",
        LOOK,
        4,
    ),
    KeyAction(
        "previous",
        "left_square_bracket",
        "[",
        "previous",
        "go to the previous thing that needs you",
        LOOK,
    ),
    KeyAction(
        "history", "h", "h", "history", "the versions of this text: read one and use it", LOOK, 11
    ),
    KeyAction(
        "older",
        "less_than_sign",
        "<",
        "older",
        "look at the version before this one; nothing is changed",
        LOOK,
        18,
    ),
    KeyAction(
        "newer",
        "greater_than_sign",
        ">",
        "newer",
        "look at the version after this one; nothing is changed",
        LOOK,
        19,
    ),
    KeyAction("diff", "d", "d", "diff", "what changed between two versions", LOOK),
    KeyAction("read", "o", "o", "paper", "read the paper", LOOK),
    KeyAction(
        "browser",
        "O",
        "O",
        "browser",
        "open the paper's page; over ssh its address is copied",
        LOOK,
    ),
    KeyAction("inspector", "i", "i", "inspector", "the inspector pane", LOOK),
    KeyAction(
        "find",
        "slash",
        "/",
        "find",
        "find words in the tree and the texts, or go to an address",
        LOOK,
    ),
    KeyAction("find_next", "n", "n", "next match", "the next place with the word", LOOK),
    KeyAction(
        "find_previous", "N", "N", "previous match", "the previous place with the word", LOOK
    ),
    KeyAction("tag", "t", "t", "tag", "tag this row, to compare it", LOOK),
    KeyAction("compare", "equals_sign", "=", "compare", "compare the two tagged rows", LOOK),
    KeyAction("down", "j", "j", "down", "a row or a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a row or a line up (also the arrows)", MOVE),
    KeyAction("fold", "space", "Space", "fold", "fold or unfold this row", MOVE, 13),
    KeyAction(
        "close_row", "left", "Left", "fold", "fold this row, or go to the row above it", MOVE
    ),
    KeyAction(
        "open_row", "right", "Right", "unfold", "unfold this row, or go to its first part", MOVE
    ),
    KeyAction(
        "jump",
        "J",
        "J",
        "jump",
        "a letter beside each row and pane on the screen: type it to go there",
        MOVE,
    ),
    KeyAction("pane_1", "1", "1", "chain", "go to the chain", MOVE),
    KeyAction("pane_2", "2", "2", "detail", "go to the text", MOVE),
    KeyAction("pane_3", "3", "3", "inspector", "go to the inspector", MOVE),
    KeyAction("pane_4", "4", "4", "jobs", "go to the jobs", MOVE),
    KeyAction("zoom", "z", "z", "zoom", "the pane alone on the screen", MOVE),
    KeyAction("stop", "S", "S", "stop", "stop after the current call; again: stop now", RUN, 1),
    KeyAction(
        "export",
        "s",
        "s",
        "export",
        "write the proposal, references or a picture, after its warnings (all is saved already)",
        RUN,
        11,
    ),
    KeyAction("cost", "dollar_sign", "$", "cost", "runs and cost", RUN),
    KeyAction("log", "l", "l", "log", "the log of decisions, newest first", RUN, 18),
    KeyAction("note", "m", "m", "note", "a private note on this row; it is never sent", RUN, 18),
    KeyAction(
        "copy",
        "y",
        "y",
        "copy",
        "copy the text of this row; just after an export, where it was written",
        RUN,
    ),
    KeyAction("copy_cited", "Y", "Y", "copy cited", "copy as Markdown with its citation", RUN),
    KeyAction("settings", "comma", ",", "settings", "settings and provider check", RUN),
    KeyAction(
        "go", "", ":", "go to", "go to an address; here it can be typed after the word go", MOVE
    ),
    KeyAction(
        "next_undecided", "", ":", "next undecided", "go to the next row that is undecided", MOVE
    ),
    KeyAction(
        "pace",
        "",
        ":",
        "change pace",
        "how far to go before asking: every decision, once a stage, to the first idea",
        RUN,
    ),
    KeyAction(
        "network",
        "",
        ":",
        "work offline or online",
        "let nothing of this session leave the machine, or let it again",
        RUN,
    ),
    KeyAction(
        "means",
        "M",
        "M",
        "my means",
        "say what means you have: compute, data, people, weeks",
        DECIDE,
    ),
    KeyAction(
        "criteria",
        "",
        ":",
        "criteria",
        "which papers may be proposed: years, venues, words, no surveys",
        DECIDE,
    ),
    KeyAction(
        "sources",
        "",
        ":",
        "order of sources",
        "in which order sources of papers are asked: for this session, for this question",
        DECIDE,
    ),
    KeyAction("park", "", ":", "set aside", "set this branch aside, or take it up again", DECIDE),
    KeyAction(
        "accept_read",
        "",
        ":",
        "accept what was read",
        "accept everything read from full text (a list first)",
        DECIDE,
    ),
    KeyAction(
        "reject_everywhere",
        "",
        ":",
        "reject everywhere",
        "reject this paper for the whole session",
        DECIDE,
    ),
    KeyAction(
        "attach",
        "",
        ":",
        "attach a PDF",
        "attach a PDF of your own to this paper: its text is read in place of what was",
        MAKE,
    ),
    *DISPLAY_ACTIONS,
    PALETTE,
    HELP,
    KeyAction("back", "q", "q", "sessions", "back to the sessions; a job goes on", RUN, 20),
    KeyAction("escape", "escape", "Esc", "back", "close what is open; the session stays", RUN),
)


T = TypeVar("T")


@dataclass(frozen=True)
class Command:
    """What a key does, and who says why it does nothing now: first ``off``, then the session where ``asks`` names an action at a row.

    ``off`` gives the reason, an empty text where the key works, or None to leave that to the session.
    """

    run: Callable[[], Awaitable[None] | None]
    off: Callable[[], str | None] | None = None
    asks: Action | None = None
    on_row: bool = False
    """True for what needs a row, of whatever kind."""
    word: Callable[[], str] | None = None
    """The footer's word for it as things are now; an empty text for the usual one."""


Commands = Mapping[str, Command]
"""Commands by the ids of ``actions.WORKBENCH_ACTIONS``."""


class WorkbenchView(Protocol):
    """The screen as its controllers see it."""

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""

    @property
    def address(self) -> str:
        """The address under the cursor; empty where there is no row."""

    @property
    def rows(self) -> Mapping[str, Row]:
        """Every row by its address, from the top."""

    @property
    def moves(self) -> bool:
        """Whether text may move while it is read."""

    @property
    def any_stale(self) -> bool:
        """Whether a row can be brought up to date."""

    def follow_cursor(self) -> bool:
        """Tell of the row that the cursor was moved to; False where it has not moved."""

    def go_to_row(self, address: str, said: str = "") -> None:
        """Put the cursor on a row, unfolding what hides it; ``said`` stays on the status line."""

    def refresh_rows(self) -> None:
        """Bring everything shown in line with the session."""

    def show_status(self) -> None:
        """Bring the status lines in line with the row under the cursor."""

    def say(self, text: str) -> None:
        """One sentence on the status line; an empty text gives the line back."""

    def done(self, said: str) -> None:
        """Something was decided: show it, and say so."""

    def trouble(self, error: CoiError) -> None:
        """Tell of an error and what to do about it."""

    async def commit(self, change: Callable[[], T], said: str | Callable[[T], str]) -> bool:
        """Make a change of the session, show it and say so; False where it was refused, which is then said instead."""

    def open(self, screen: Screen[T], then: ScreenResultCallbackType[T]) -> None:
        """Show a screen or sheet over the workbench; ``then`` takes what it gives."""

    async def act(self, name: str) -> None:
        """Do what the key of an action does."""

    def in_background(self, work: Coroutine[Any, Any, object], name: str) -> None:
        """Let a change of the session go on beside the screen."""
