"""Moving about: the cursor, folds, what comes next, going to an address, finding words, Enter and
Esc; which panes show at which width, and the place that the next opening takes up."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.sheets import FindSheet
from coi_tui.session.queries.rows import Index, Match
from coi_tui.widgets.panes import cut

if TYPE_CHECKING:
    from coi_tui.screens.workbench import WorkbenchScreen


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
        if not self.matches:
            self.sought = ""
            self.bench.say(
                f"“{cut(words, 40)}” is no address and in no title, text, card or note of this session."
            )
            return
        found, named = [match.address for match in self.matches], self._named(words)
        self._go(found.index(named) if named in found else max(self._place(), 0))

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
        here = order.index(self.bench.address)
        later = (n for n, match in enumerate(self.matches) if order.index(match.address) > here)
        self._go(next(later, 0))

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


THIRD = 100
"""Columns from which the inspector can stand beside the text."""

PANES = ("chain", "detail", "inspector")


class PaneLayout:
    """Sets the classes of the screen that its style sheet goes by."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        self.bench = bench

    def do_pane_1(self) -> None:
        self.go("chain")

    def do_pane_2(self) -> None:
        self.go("detail")

    def _has(self, name: str) -> bool:
        return self.bench.has_class(name)

    @property
    def focused(self) -> str:
        """The pane that has the focus; empty where none has."""
        focused = self.bench.focused
        return focused.id if focused is not None and focused.id in PANES else ""

    # -- panes

    def go(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for it beside the others, it takes the place of
        one."""
        pane = self.bench.query_one(f"#{name}")

        self.bench.set_class(name == "detail", "-detail")
        if name == "inspector":
            self.bench.add_class("-inspector")
            self.bench.remove_class("-no-inspector")
        elif self._has("-one") or (name == "detail" and not self._has("-mid")):
            self.bench.remove_class("-inspector")
        if focus or self._has("-one"):
            pane.focus()
        self.bench.call_after_refresh(self.bench.show_inspector)

    def do_inspector(self) -> None:
        """Go to the inspector; from there back to the chain, with the inspector out of sight."""
        if self.bench.focused is not self.bench.inspector:
            self.go("inspector")
            return
        self.bench.set_class(self._has("-wide"), "-no-inspector")
        self.bench.remove_class("-inspector")
        self.go("chain")

    def escape_pane(self) -> bool:
        """Leave the inspector; False where the focus is elsewhere."""
        if self.bench.focused is not self.bench.inspector:
            return False
        if not self._has("-wide"):
            self.bench.remove_class("-inspector")
        self.go("chain")
        return True

    def escape_text(self) -> bool:
        """Go from the text back to the chain; False where the chain has the focus."""
        if self.bench.focused is not self.bench.detail and not self._has("-detail"):
            return False
        self.go("chain")
        return True

    # -- sizes

    def take_width(self, width: int) -> None:
        """The class of a width with room for the inspector beside the text."""
        self.bench.set_class(width >= THIRD and self._has("-two"), "-mid")

    def resized(self) -> None:
        """Cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        if self._has("-one"):
            name = self.focused or "chain"
            self.bench.set_class(name == "detail", "-detail")
            self.bench.set_class(name == "inspector", "-inspector")
        self.bench.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """Give the focus to the chain, or to the text, when its pane is not on the screen."""
        focused = self.bench.focused
        there = focused is not None and focused.display
        if self.bench.is_active and not self._has("-tiny") and not there:
            (self.bench.chain if self.bench.chain.display else self.bench.detail).focus()
        self.bench.show_inspector()


PLACE, EDITING = "place", "editing"


class Place:
    """Takes up the place of the last time and keeps that of now. Nothing here changes the session's
    log."""

    def __init__(self, bench: WorkbenchScreen, at: str) -> None:
        """``at``: an address to begin at; empty where the last time ended."""
        self.bench, self.session, self._at = bench, bench.session, at
        self._kept: dict[str, Any] = {}
        self.recalled = False
        """True once the place of the last time was taken up; from then on that of now is kept."""

    def recall_rows(self) -> None:
        """Take up folds and cursor, before the rows are shown for the first time."""
        stored = self.session.core.remembered(PLACE, {})
        self._kept = stored if isinstance(stored, dict) else {}
        self.bench.chain.begin = (self._asked_for(), str(self._kept.get("at", "")))
        folds = self._kept.get("folds")
        if isinstance(folds, dict):
            self.bench.chain.folds = {
                str(address): folded is True for address, folded in folds.items()
            }

    def _asked_for(self) -> str:
        """The address that the app was told to begin at; empty where it was told none, or one that
        is none."""
        try:
            return self.session.queries.resolve(self._at) if self._at else ""
        except CoiError:
            return ""  # said when the rows are there

    def begin(self) -> None:
        """Go to the row that was asked for, or say that there is none; else go on writing."""
        self.recalled = True
        if not self._at:
            self._go_on_writing()
        elif self.bench.chain.address != self._asked_for():
            try:
                self.bench.navigation.go_to(self._at)
            except CoiError as error:
                self.bench.trouble(error)

    def _go_on_writing(self) -> None:
        """Open the editor on the draft that was open when the app went away."""
        core = self.session.core
        address = str(core.remembered(EDITING, "") or "")
        if not address or self.session.read_only_reason or not self.bench.is_active:
            return
        if address in self.bench.chain.rows and self.session.edits.draft(address) is not None:
            self.bench.chain.go(address)
            self.bench.text_actions.do_edit()
        else:
            core.remember(EDITING, "")

    def now(self) -> dict[str, Any]:
        """Where the person is now."""
        chain = self.bench.chain
        folds = {a: folded for a, folded in chain.folds.items() if a in chain.rows}
        return {"at": chain.address, "folds": folds}

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled or self.bench.has_class("-tiny"):
            return
        now = self.now()
        if now != self._kept and now["at"]:
            self._kept = now
            with contextlib.suppress(CoiError):  # a full disk must not hold the leaving up
                self.session.core.remember(PLACE, now)
