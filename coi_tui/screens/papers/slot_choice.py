"""A paper chosen for a slot on a list: what that would change, the question before a pin is
replaced, and the choice itself."""

from __future__ import annotations

from typing import Any

from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.screens.listing import Listing
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.session.decisions.placement import Preview
from coi_tui.widgets.panes import cut


class SlotChoice:
    """For a list whose result is a sentence about the choice: the screen is left with it."""

    def __init__(self, screen: Listing[str, Any]) -> None:
        self._screen, self._controller, self._session = screen, screen.controller, screen.session
        self._preview: tuple[tuple[int, str, str], Preview] | None = None

    def preview(self, address: str, paper: Paper) -> Preview:
        """What putting the paper into the slot would change; worked out once for each state of the
        session."""
        key = (self._session.state.seq, address, paper.id)
        if self._preview is None or self._preview[0] != key:
            self._preview = (key, self._session.preview(address, paper))
        return self._preview[1]

    async def choose(self, address: str, paper: Paper) -> None:
        """Put the paper there, after a question where a pinned one would go; nothing where the
        session has changed since the preview."""
        if self._screen.moved:  # the preview that was read is not of what is there now
            self._screen.load()
            self._screen.say(
                "The session has changed in the meantime. Check the preview again, then press Enter."
            )
        elif self.preview(address, paper).drops_pin:
            said = f"You pinned the paper at {address}. Put “{cut(paper.title, 60)}” in its place? The pinned one stays listed under X."
            sheet = ConfirmSheet("Replace a pinned paper?", said, "replace it")
            self._screen.app.push_screen(sheet, lambda yes: self._confirmed(address, paper, yes))
        else:
            await self._put(address, paper)

    async def _confirmed(self, address: str, paper: Paper, yes: bool | None) -> None:
        if not yes:
            self._screen.say("Nothing was changed.")
            return
        try:
            await self._put(address, paper)
        except CoiError as error:
            self._screen.trouble(error)

    async def _put(self, address: str, paper: Paper) -> None:
        done = self.preview(address, paper)
        await self._controller.decide(lambda: self._session.decide("choose", address, paper.id))
        self._screen.dismiss(
            f"Put “{cut(paper.title, 50)}” at {address}{_effect(done)}; u undoes it."
        )


def _effect(done: Preview) -> str:
    """What a choice has moved, for a sentence."""
    moved = (("detached", done.changes.of("detached")), ("back", done.changes.of("returned")))
    said = [f"{word}: {', '.join(which)}" for word, which in moved if which]
    if done.changes.stale:
        said.append(f"{len(done.changes.stale)} stale")
    return f" ({'; '.join(said)})" if said else ""
