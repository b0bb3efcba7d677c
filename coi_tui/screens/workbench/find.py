"""Finding words in the tree and the texts: ``/``, ``n``, ``N``, and Esc to end it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from coi_tui.screens.workbench.view import Command, Commands
from coi_tui.widgets.formatting import cut

if TYPE_CHECKING:
    from coi_tui.screens.workbench.view import WorkbenchView
    from coi_tui.session.queries.search_index import Index, Match
    from coi_tui.session.session import Session


class TextSearch:
    """The words sought stay until Esc; the status line counts. The texts are read and searched in a thread."""

    def __init__(self, view: WorkbenchView, session: Session) -> None:
        self._view, self._session = view, session
        self.sought = ""
        self.matches: tuple[Match, ...] = ()
        self._index: Index | None = None
        self._matched = -1
        """The state that the matches belong to."""

    def commands(self) -> Commands:
        """The keys that find."""
        return {
            "find": Command(self.ask), "find_next": Command(lambda: self._step(1), self._off_step),
            "find_previous": Command(lambda: self._step(-1), self._off_step),
        }  # fmt: skip

    def ask(self) -> None:
        """Ask for the words."""
        from coi_tui.screens.sheets.text_sheets import FindSheet

        self._view.open(FindSheet(self.sought), self._find)

    async def _find(self, words: str | None) -> None:
        if words is None:
            return
        self.sought = words
        if not words:
            self.end()
            return
        await self._search()
        if not self.matches:
            self.sought = ""
            self._view.say(f"“{cut(words, 40)}” is in no title, text, card or note of this session.")
        elif self._place() < 0:
            self._go(0)
        else:  # the row under the cursor is a match already
            self._tell()

    async def _search(self) -> None:
        """Bring the matches in line with the session as it is now."""
        if self._index is None or self._index.seq != self._session.state.seq:
            self._index = await asyncio.to_thread(self._session.queries.search_index, list(self._view.rows.values()))
        found = await asyncio.to_thread(self._index.find, self.sought)
        self.matches = tuple(match for match in found if match.address in self._view.rows)
        self._matched = self._index.seq

    def _place(self) -> int:
        """The place of the row under the cursor among the matches, or -1."""
        return next((n for n, match in enumerate(self.matches) if match.address == self._view.address), -1)

    def _off_step(self) -> str:
        return "" if self.sought else "nothing is sought; / finds words"

    async def _step(self, by: int) -> None:
        if self._matched != self._session.state.seq:
            await self._search()
        if not self.matches:
            self._view.say(f"“{cut(self.sought, 40)}” is nowhere any more.")
            return
        order = list(self._view.rows)
        here = order.index(self._view.address) if self._view.address in self._view.rows else -1
        places = [order.index(match.address) for match in self.matches]
        if by > 0:
            target = next((n for n, at in enumerate(places) if at > here), 0)
        else:
            target = next((n for n in reversed(range(len(places))) if places[n] < here), len(places) - 1)
        self._go(target)

    def _go(self, number: int) -> None:
        """Go to a match, unfolding what hides it."""
        self._view.go_to_row(self.matches[number].address)
        self._tell()

    def _tell(self) -> None:
        self._view.say("")
        self._view.show_status()

    def words(self) -> str:
        """What is sought and where we are among the matches; empty when nothing is."""
        if not self.sought:
            return ""
        at, words = self._place(), cut(self.sought, 30)
        count = f"{at + 1} of {len(self.matches)}" if at >= 0 else f"{len(self.matches)} rows"
        where = f" in {self.matches[at].where}" if at >= 0 and self.matches[at].where else ""
        return f"/ “{words}”  {count}{where}   n next  N previous  Esc ends"

    def end(self) -> None:
        """Forget the words."""
        self.sought, self.matches = "", ()
        self._tell()

    def escape(self) -> bool:
        """End the search; False where nothing is sought."""
        if not self.sought:
            return False
        self.end()
        return True
