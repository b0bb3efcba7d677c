"""Moving about: the cursor, folds, what comes next, going to an address, finding words, Enter and Esc."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.screens.workbench.pane_layout import PaneLayout
from coi_tui.screens.workbench.row_texts import RowScreens
from coi_tui.session.queries.row import Verdict
from coi_tui.session.queries.rows import Index, Match
from coi_tui.session.session import Session
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.formatting import cut


class Navigation:
    """Nothing here changes a session."""

    def __init__(
        self,
        view: WorkbenchView,
        session: Session,
        chain: ChainTree,
        panes: PaneLayout,
        screens: RowScreens,
        closing: Iterable[Callable[[], bool]],
    ) -> None:
        """``closing``: what Esc closes, tried in this order; each says whether there was anything to close."""
        self._view, self._session, self._chain, self._panes, self._screens = (
            view,
            session,
            chain,
            panes,
            screens,
        )
        self._closing = tuple(closing)

    def commands(self) -> Commands:
        """The keys that move."""
        chain = self._chain
        return {
            "enter": Command(self.enter, on_row=True, word=self._screens.word),
            "next": Command(lambda: self._jump(1), self._off_jump),
            "previous": Command(lambda: self._jump(-1), self._off_jump),
            "next_undecided": Command(self.next_undecided),
            "go": Command(self.ask_address),
            "down": Command(self.down),
            "up": Command(self.up),
            "fold": Command(self.fold, self._off_fold),
            "close_row": Command(chain.close_row),
            "open_row": Command(chain.open_row),
            "escape": Command(self.escape),
        }

    # -- keys -----------------------------------------------------------------------------------------------------

    def down(self) -> None:
        """A row down, or a line in a pane of text."""
        pane = self._panes.reading
        if pane is not None:
            pane.scroll_down(animate=False)
        else:
            self._chain.action_cursor_down()
            self._view.follow_cursor()

    def up(self) -> None:
        """A row up, or a line in a pane of text."""
        pane = self._panes.reading
        if pane is not None:
            pane.scroll_up(animate=False)
        else:
            self._chain.action_cursor_up()
            self._view.follow_cursor()

    def fold(self) -> None:
        """Fold or unfold the row; a page down in a pane of text."""
        pane = self._panes.reading
        if pane is not None:
            pane.scroll_page_down(animate=False)
        else:
            self._chain.fold()

    def _off_fold(self) -> str:
        return (
            ""
            if self._panes.focused == "detail" or self._chain.can_fold
            else "this row has no parts"
        )

    def enter(self) -> None:
        """Go to the screen of the row, or to its text."""
        if not self._screens.open():
            self._panes.go("detail")

    def escape(self) -> None:
        """Close what is open, one thing at a time. The session stays: leaving it has a key of its own."""
        if not any(close() for close in self._closing):
            self._view.say("Nothing is open here. q goes back to the sessions.")

    # -- going somewhere --------------------------------------------------------------------------------------------

    def _off_jump(self) -> str:
        return (
            ""
            if any(row.needs_you for row in self._chain.rows.values())
            else "no row needs you; the line above says what comes next"
        )

    def _jump(self, step: int) -> None:
        target = self._chain.next_waiting(step)
        if target:
            self._chain.go(target)
        else:
            self._view.say("This is the only row that needs you.")

    def next_undecided(self) -> None:
        """Go to the next row that is undecided, round and round."""
        order = list(self._chain.rows)
        here = order.index(self._chain.address) if self._chain.address in self._chain.rows else -1
        target = next(
            (
                a
                for a in [*order[here + 1 :], *order[: max(0, here)]]
                if self._chain.rows[a].verdict is Verdict.UNDECIDED
            ),
            "",
        )
        if target:
            self._chain.go(target)
        else:
            self._view.say("No other row is undecided.")

    def ask_address(self) -> None:
        """Ask for an address and go to its row."""
        from coi_tui.screens.sheets.text_sheets import GoSheet

        self._view.open(GoSheet(), self.try_to_go)

    def try_to_go(self, text: str | None) -> None:
        """Go to the row of a typed address, or say that there is none."""
        if text:
            try:
                self.go_to(text)
            except CoiError as error:
                self._view.trouble(error)

    def row_of(self, text: str) -> str:
        """The row that a typed address means. Raises UsageError with a sentence when there is none."""
        address = self._session.queries.resolve(text)
        if address not in self._chain.rows:
            raise UsageError(
                f"{text.strip()} has no row in this session.",
                "/ finds words; ] goes to what needs you.",
            )
        return address

    def go_to(self, text: str) -> None:
        """Go to the row of a typed address, unfolding what hides it. Raises UsageError where there is none."""
        self._chain.go(self.row_of(text))
        self._chain.focus()


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
            "find": Command(self.ask),
            "find_next": Command(lambda: self._step(1), self._off_step),
            "find_previous": Command(lambda: self._step(-1), self._off_step),
        }

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
        named = next(
            (n for n, match in enumerate(self.matches) if match.address == self._named(words)), None
        )
        if not self.matches:
            self.sought = ""
            self._view.say(
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
        if self._index is None or self._index.seq != self._session.state.seq:
            self._index = await asyncio.to_thread(
                self._session.queries.search_index, list(self._view.rows.values())
            )
        found = await asyncio.to_thread(self._index.find, self.sought, self._named(self.sought))
        self.matches = tuple(match for match in found if match.address in self._view.rows)
        self._matched = self._index.seq

    def _named(self, words: str) -> str:
        """The address that the words are, or nothing."""
        try:
            return self._session.queries.resolve(words)
        except CoiError:  # words like any other
            return ""

    def _place(self) -> int:
        """The place of the row under the cursor among the matches, or -1."""
        return next(
            (n for n, match in enumerate(self.matches) if match.address == self._view.address), -1
        )

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
            target = next(
                (n for n in reversed(range(len(places))) if places[n] < here), len(places) - 1
            )
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
