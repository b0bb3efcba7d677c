"""What the parts of the workbench may ask of its screen, and what they give it: a command for each key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType

    from coi_tui.model.errors import CoiError
    from coi_tui.session.availability import Action
    from coi_tui.session.queries.row import Row

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

    def go_to_row(self, address: str) -> None:
        """Put the cursor on a row, unfolding what hides it."""

    def refresh_rows(self) -> None:
        """Bring everything shown in line with the session."""

    def show_status(self) -> None:
        """Bring the status lines in line with the row under the cursor."""

    def say(self, text: str) -> None:
        """One sentence on the status line; an empty text gives the line back."""

    def done(self, said: str) -> None:
        """Something was decided: show it, and say so."""

    def trouble(self, error: CoiError) -> None:
        """Say what went wrong and what to do."""

    async def commit(self, change: Callable[[], T], said: str | Callable[[T], str]) -> bool:
        """Make a change of the session, show it and say so; False where it was refused, which is then said instead."""

    def open(self, screen: Screen[T], then: ScreenResultCallbackType[T]) -> None:
        """Show a screen or sheet over the workbench; ``then`` takes what it gives."""

    async def act(self, name: str) -> None:
        """Do what the key of an action does."""

    def in_background(self, work: Coroutine[Any, Any, object], name: str) -> None:
        """Let a change of the session go on beside the screen."""
