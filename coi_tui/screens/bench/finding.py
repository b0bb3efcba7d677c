"""Finding words in the tree and the texts: ``/``, ``n``, ``N``, and Esc to end it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from coi_tui.screens.bench.looking import Looking
from coi_tui.widgets.words import cut

if TYPE_CHECKING:
    from coi_tui.session.queries.search_index import Index, Match


class Finding(Looking):
    """The words sought stay until Esc; the status line counts. The texts are read and searched in a thread."""

    sought = ""
    _index: Index | None = None
    _matches: tuple[Match, ...] = ()
    _matched = -1
    """The state that the matches belong to."""

    def do_find(self) -> None:
        from coi_tui.screens.sheets.find_sheet import FindSheet

        self.app.push_screen(FindSheet(self.sought), self._found)

    async def _found(self, words: str | None) -> None:
        if words is None:
            return
        self.sought = words
        if not words:
            self.end_search()
            return
        await self._search()
        if not self._matches:
            self.sought = ""
            self.say(f"“{cut(words, 40)}” is in no title, text, card or note of this session.")
            return
        self._go_match(0 if self._place() < 0 else self._place(), stay=True)

    async def _search(self) -> None:
        """Bring the matches in line with the session as it is now."""
        state = self.session.state
        if self._index is None or self._index.seq != state.seq:
            self._index = await asyncio.to_thread(self.session.queries.search_index, list(self.chain.rows.values()))
        found = await asyncio.to_thread(self._index.find, self.sought)
        self._matches = tuple(match for match in found if match.address in self.chain.rows)
        self._matched = self._index.seq

    def _place(self) -> int:
        """The place of the row under the cursor among the matches, or -1."""
        return next((n for n, match in enumerate(self._matches) if match.address == self.chain.address), -1)

    def off_find_next(self) -> str:
        return "" if self.sought else "nothing is sought; / finds words"

    def off_find_previous(self) -> str:
        return self.off_find_next()

    async def do_find_next(self) -> None:
        await self._step(1)

    async def do_find_previous(self) -> None:
        await self._step(-1)

    async def _step(self, by: int) -> None:
        if self._matched != self.session.state.seq:
            await self._search()
        if not self._matches:
            self.say(f"“{cut(self.sought, 40)}” is nowhere any more.")
            return
        order = list(self.chain.rows)
        here = order.index(self.chain.address) if self.chain.address in self.chain.rows else -1
        places = [order.index(match.address) for match in self._matches]
        if by > 0:
            target = next((n for n, at in enumerate(places) if at > here), 0)
        else:
            target = next((n for n in reversed(range(len(places))) if places[n] < here), len(places) - 1)
        self._go_match(target)

    def _go_match(self, number: int, *, stay: bool = False) -> None:
        """Go to a match, unfolding what hides it; ``stay`` on a row that is one already."""
        if not (stay and self._place() >= 0):
            self.chain.go(self._matches[number].address)
        self.say("")
        self.show_status()

    def search_words(self) -> str:
        """What is sought and where we are among the matches; empty when nothing is."""
        if not self.sought:
            return ""
        at, words = self._place(), cut(self.sought, 30)
        count = f"{at + 1} of {len(self._matches)}" if at >= 0 else f"{len(self._matches)} rows"
        where = f" in {self._matches[at].where}" if at >= 0 and self._matches[at].where else ""
        return f"/ “{words}”  {count}{where}   n next  N previous  Esc ends"

    def end_search(self) -> None:
        """Forget the words."""
        self.sought, self._matches = "", ()
        self.say("")
        self.show_status()

    def do_escape(self) -> None:
        if self.sought:
            self.end_search()
        else:
            super().do_escape()

    def show_status(self) -> None:
        """Bring the status lines in line with the row under the cursor."""
        raise NotImplementedError
