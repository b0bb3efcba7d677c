"""A list about a session: it follows the session, and its keys change it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from coi_tui.model.document import RowKey
from coi_tui.screens.list_screen import ListScreen
from coi_tui.screens.session_controller import SessionController

if TYPE_CHECKING:
    from coi_tui.session.decisions.impact import Impact
    from coi_tui.session.session import Session

T = TypeVar("T")
Row = TypeVar("Row")
Made = TypeVar("Made")
WATCH = 0.5
"""Seconds between looks whether the session has changed."""


class Listing(ListScreen[T, Row]):
    """A list about a session. Loads its rows again when the session changes."""

    CHANGES: ClassVar[frozenset[str]] = frozenset()
    """Actions that change the session."""
    STARTS: ClassVar[frozenset[str]] = frozenset()
    """Actions that start a job."""
    GOES_ON: ClassVar[frozenset[str]] = frozenset()
    """Actions that the screen gives to the workbench, to be done at ``address``."""
    address = ""

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session
        self._seen = -1

    def on_mount(self) -> None:
        self.set_interval(WATCH, self._watch)

    def load(self) -> None:
        self._seen = self.session.state.seq
        super().load()

    @property
    def moved(self) -> bool:
        """True when the session has changed since the rows were taken: what is shown may not hold
        any more."""
        return self.session.state.seq != self._seen

    def _watch(self) -> None:
        if self.composed and self.moved:
            self.load()

    # -- actions

    def why_off(self, name: str) -> str:
        if name in self.STARTS and (reason := self.controller.not_idle()):
            return reason
        if name in self.CHANGES and (reason := self.controller.not_writable()):
            return reason
        if name in self.GOES_ON:
            return self.controller.refusals(self.address)[name]
        return super().why_off(name)

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        return partial(self._go_on, name) if name in self.GOES_ON else super().handler(name)

    def _go_on(self, name: str) -> None:
        self.dismiss(cast("T", name))

    async def change(
        self,
        own: str,
        question: str,
        act: Callable[[Session], Made],
        done: Callable[[Made], object],
    ) -> None:
        """Make a change of the person's; one that moves other rows says which beforehand, and asks
        once."""
        await self.confirm_impact(self.session.impact(own, act), question, act, done)

    async def change_row(self, address: str, row: str, key: RowKey) -> None:
        """Do what a key does about a row of a table or talk."""
        await self.change(
            address,
            f"Change {address}?",
            lambda s: s.edits.change_row(address, row, key),
            lambda change: self.done(f"{change.message} u undoes it."),
        )

    async def confirm_impact(
        self,
        changes: Impact,
        question: str,
        act: Callable[[Session], Made],
        done: Callable[[Made], object],
    ) -> None:
        """Make a change whose impact is known; one that moves other rows says which, and
        asks once."""
        from coi_tui.screens.sheets.confirm_sheet import confirm_impact

        async def go() -> None:
            done(await self.controller.decide(lambda: act(self.session)))

        await confirm_impact(changes, question, go, self.app.push_screen, self.say)

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    async def do_undo(self) -> None:
        label = await self.controller.decide(self.session.undo_stack.undo)
        self.done(f"Undone: {label}.")
