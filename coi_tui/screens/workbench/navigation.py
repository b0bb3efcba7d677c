"""Moving about: the cursor, folds, what comes next, going to an address, finding words, Enter and
Esc."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.sheets.text_sheets import FindSheet
from coi_tui.session.queries.rows import Index, Match
from coi_tui.widgets.formatting import cut

if TYPE_CHECKING:
    from coi_tui.screens.workbench.workbench import WorkbenchScreen


class Part:
    """A part of the workbench that carries out some of its keys."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        self.bench, self.controller, self.session = bench, bench.controller, bench.session


class Navigation(Part):
    """Nothing here changes a session."""

    def word_enter(self) -> str:
        return self.bench.row_screens.word()

    def do_enter(self) -> None:
        """Go to the screen of the row, or to its text."""
        if not self.bench.row_screens.open():
            self.bench.panes.go("detail")

    def do_escape(self) -> None:
        """Close what is open, one thing at a time. The session stays: leaving it has a key of its
        own."""
        bench = self.bench
        closing = (
            bench.search.escape,
            bench.panes.escape_pane,
            bench.texts.escape,
            bench.watch_job.close,
            bench.panes.escape_text,
        )
        if not any(close() for close in closing):
            self.bench.say("Nothing is open here. q goes back to the sessions.")

    # -- going somewhere

    def off_next(self) -> str:
        return (
            ""
            if any(row.needs_you for row in self.bench.chain.rows.values())
            else "no row needs you; the line above says what comes next"
        )

    def do_next(self) -> None:
        """Go to the next row that needs the person, round and round."""
        target = self.bench.chain.next_waiting()
        self.bench.chain.go(target)
        if not target:
            self.bench.say("This is the only row that needs you.")

    def row_of(self, text: str) -> str:
        """The row that a typed address means. Raises UsageError with a sentence when there is
        none."""
        address = self.session.queries.resolve(text)
        if address not in self.bench.chain.rows:
            raise UsageError(
                f"{text.strip()} has no row in this session.",
                "/ finds words; ] goes to what needs you.",
            )
        return address

    def go_to(self, text: str) -> None:
        """Go to the row of a typed address, unfolding what hides it. Raises UsageError where there
        is none."""
        self.bench.chain.go(self.row_of(text))
        self.bench.chain.focus()


class TextSearch(Part):
    """The words sought stay until Esc; the status line counts. The texts are read and searched in a
    thread."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        super().__init__(bench)
        self.sought = ""
        self.matches: tuple[Match, ...] = ()
        self._index: Index | None = None

    def do_find(self) -> None:
        """Ask for the words."""
        self.bench.open(FindSheet(self.sought), self._find)

    async def _find(self, words: str | None) -> None:
        if words is None:
            return
        self.sought = words
        if not words:
            self.end()
            return
        await self._search()
        named = next(
            (n for n, match in enumerate(self.matches) if match.address == self._named(words)), None
        )
        if not self.matches:
            self.sought = ""
            self.bench.say(
                f"“{cut(words, 40)}” is no address and in no title, text, card or note of this session."
            )
        elif named is not None:
            self._go(named)
        elif self._place() < 0:
            self._go(0)
        else:  # the row under the cursor is a match already
            self._tell()

    async def _search(self) -> None:
        """Bring the matches in line with the session as it is now."""
        if self._index is None or self._index.seq != self.session.state.seq:
            self._index = await asyncio.to_thread(
                self.session.queries.search_index, list(self.bench.rows.values())
            )
        found = await asyncio.to_thread(self._index.find, self.sought, self._named(self.sought))
        self.matches = tuple(match for match in found if match.address in self.bench.rows)

    def _named(self, words: str) -> str:
        """The address that the words are, or nothing."""
        try:
            return self.session.queries.resolve(words)
        except CoiError:  # words like any other
            return ""

    def _place(self) -> int:
        """The place of the row under the cursor among the matches, or -1."""
        return next(
            (n for n, match in enumerate(self.matches) if match.address == self.bench.address), -1
        )

    def off_find_next(self) -> str:
        return "" if self.sought else "nothing is sought; / finds words"

    async def do_find_next(self) -> None:
        """Go to the next match, round and round."""
        await self._search()
        if not self.matches:
            self.bench.say(f"“{cut(self.sought, 40)}” is nowhere any more.")
            return
        order = list(self.bench.rows)
        here = order.index(self.bench.address) if self.bench.address in self.bench.rows else -1
        places = [order.index(match.address) for match in self.matches]
        self._go(next((n for n, at in enumerate(places) if at > here), 0))

    def _go(self, number: int) -> None:
        """Go to a match, unfolding what hides it."""
        self.bench.go_to_row(self.matches[number].address)
        self._tell()

    def _tell(self) -> None:
        self.bench.say("")
        self.bench.show_status()

    def words(self) -> str:
        """What is sought and where we are among the matches; empty when nothing is."""
        if not self.sought:
            return ""
        at, words = self._place(), cut(self.sought, 30)
        count = f"{at + 1} of {len(self.matches)}" if at >= 0 else f"{len(self.matches)} rows"
        where = f" in {self.matches[at].where}" if at >= 0 and self.matches[at].where else ""
        return f"/ “{words}”  {count}{where}   n next  Esc ends"

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
