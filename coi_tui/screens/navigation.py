"""Parts of the screen of a session, each with a state of its own: the words sought, the place that the
next opening takes up, and the job that is followed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from coi_tui.model.errors import CoiError
from coi_tui.model.text import Values
from coi_tui.screens.base import SessionScreen
from coi_tui.screens.open_sessions import Job, SessionController
from coi_tui.screens.sheets import AskText
from coi_tui.session.queries.detail import Index, RowMatch
from coi_tui.session.session import Session
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.lines import cut
from coi_tui.widgets.panes import DetailPane, JobStrip


@dataclass(eq=False)
class TextSearch:
    """The words sought stay until Esc, marked in the text; the status line counts, which ``changed``
    draws. The texts are read and searched in a thread."""

    screen: SessionScreen[None]
    chain: ChainTree
    pane: DetailPane
    changed: Callable[[], None]
    sought: str = ""
    named: str = ""
    """The address that the words are, if any."""
    matches: tuple[RowMatch, ...] = ()
    _index: Index | None = None

    def do_find(self) -> None:
        """Ask for the words."""
        sheet = AskText(
            "Find",
            "Enter goes to the first row with it; n and N go on, in the text if that has the focus; "
            "Esc ends it.",
            "find",
            hint="words, mechanism: words in one part, or an address",
            value=self.sought,
            at_bottom=True,
        )
        self.screen.ask(sheet, self._find)

    async def _find(self, words: str) -> None:
        self.sought, self.named = words, ""
        if not words:
            self.escape()
            return
        with contextlib.suppress(CoiError):  # words like any other
            self.named = self.screen.session.resolve(words)
        await self._search()
        if not self.matches:
            self.escape()
            where = "is no address and in no title, text, card or note of this session."
            self.screen.say(f"“{cut(words, 40)}” {where}")
            return
        found = [match.address for match in self.matches]
        self._go(found.index(self.named) if self.named in found else max(self._place(), 0))

    async def _search(self) -> None:
        """Bring the matches in line with the session as it is now."""
        rows, session = self.chain.rows, self.screen.session
        if self._index is None or self._index.seq != session.state.seq:
            self._index = await asyncio.to_thread(session.search_index, list(rows.values()))
        found = await asyncio.to_thread(self._index.find, self.sought, self.named)
        self.matches = tuple(match for match in found if match.address in rows)

    def _place(self) -> int:
        """The place of the row under the cursor among the matches, or -1."""
        here = self.chain.address
        return next((n for n, match in enumerate(self.matches) if match.address == here), -1)

    def off_find_next(self) -> str:
        return "" if self.sought else "nothing is sought; / finds words"

    off_find_previous = off_find_next

    async def do_find_next(self, step: int = 1) -> None:
        """Go to the next match, round and round: of the words in the text that has the focus, else
        of the rows."""
        if self.pane.has_focus and self.pane.go_on(step):
            self.changed()
            return
        await self._search()
        if not self.matches:
            self.screen.say(f"“{cut(self.sought, 40)}” is nowhere any more.")
            return
        order = list(self.chain.rows)[::step]
        here = order.index(self.chain.address)
        found = range(len(self.matches))[::step]
        later = (n for n in found if order.index(self.matches[n].address) > here)
        self._go(next(later, found[0]))

    async def do_find_previous(self) -> None:
        """Go to the match before."""
        await self.do_find_next(-1)

    def _go(self, number: int) -> None:
        """Go to a match, unfolding what hides it."""
        self.pane.find(self.sought)
        self.chain.go(self.matches[number].address)
        self.screen.say("")
        self.changed()

    def words(self) -> str:
        """What is sought and where we are among the matches."""
        at, words = self._place(), cut(self.sought, 30)
        count = f"{at + 1} of {len(self.matches)}" if at >= 0 else f"{len(self.matches)} rows"
        where = f" in {self.matches[at].where}" if at >= 0 and self.matches[at].where else ""
        return f"/ “{words}”  {count}{where}{self.pane.reached()}   n N  Esc ends"

    def escape(self) -> bool:
        """Forget the words; False where nothing is sought."""
        ended = bool(self.sought or self.matches)
        self.sought, self.matches = "", ()
        self.pane.find("")
        self.changed()
        return ended


PLACE, EDITING = "place", "editing"
"""Under these a session remembers where the person was, and the address that was being edited."""


@dataclass(eq=False)
class LastPlace:
    """Takes up the place of the last time and keeps that of now. Nothing here changes the session's
    log."""

    session: Session
    chain: ChainTree
    _stored: Values = field(default_factory=dict)
    _marked: int = 0
    """Entries of the log up to which rows were marked as new."""
    recalled: bool = False
    """True once the place of the last time was taken up; from then on the current one is saved."""

    def recall_rows(self) -> None:
        """Take up folds and cursor, before the rows are shown for the first time."""
        stored = self.session.remembered(PLACE, {})
        self._stored = stored if isinstance(stored, dict) else {}
        entries = self._stored.get("entries")
        last = len(self.session.journal.entries)
        self._marked = entries if isinstance(entries, int) else last
        self.chain.begin = str(self._stored.get("at", ""))
        folds = self._stored.get("folds")
        if isinstance(folds, dict):
            self.chain.folds = {str(at): folded is True for at, folded in folds.items()}

    def mark(self) -> None:
        """Mark the rows that others than the person made since the last time."""
        entries, chain = self.session.journal.entries, self.chain
        new = {entry.address for entry in entries[self._marked :] if entry.actor != "you"}
        chain.unseen = (chain.unseen | new) - {chain.address}
        self._marked = len(entries)

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled:
            return
        chain = self.chain
        folds = {a: folded for a, folded in chain.folds.items() if a in chain.rows}
        now = {"at": chain.address, "folds": folds, "entries": self._marked}
        if now != self._stored and chain.address:
            self._stored = now
            with contextlib.suppress(CoiError):  # a full disk must not hold the leaving up
                self.session.remember(PLACE, now)


KEYS_PAUSE, ROWS_WAIT = 0.15, 2.0
"""Seconds without a key after which new rows of a run are painted, and the longest that they wait
for that."""


@dataclass(eq=False)
class JobWatch:
    """Follows the job of the session for the screen: its strip, new rows while it runs, and its
    last words. ``refresh`` takes the rows again; ``last_key`` gives the time of the last key."""

    controller: SessionController
    strip: JobStrip
    refresh: Callable[[], None]
    last_key: Callable[[], float]
    job: Job | None = None
    """The job that is being followed, until its end was reported."""
    plain: bool = False
    """Whether the strip is one line that says what has changed, for screen readers."""
    rewritten: str = ""
    """The text that the last job rewrote as it was asked for, until what changed in it was
    shown."""
    closing: list[str] = field(default_factory=list)
    """The last words of a job that failed, until they are closed."""
    _seen: tuple[int, int] = -1, 0
    _next_look: float = 0.0
    _waits_since: float = 0.0

    def __post_init__(self) -> None:
        if self.controller.busy:
            self.job = self.controller.job

    def follow(self, job: Job) -> None:
        """Follow a job to its end, also one that ends before the next look."""
        if self.job is not job:
            self.job, self.closing = job, []
            self._seen = (-1, 0)  # the job before may have had the same version

    def look(self, *, short: bool) -> str:
        """Bring rows and strip in line with the job: rows when something happened, the strip also
        when a second went by.

        Gives the sentence about the end of the job when it has ended since the last look.
        ``short``: the terminal is low.
        """
        job, now = self.job, time.monotonic()
        second = 0 if self.plain else int(now)
        if job is None or (job.version, second) == self._seen or now < self._next_look:
            return ""
        self._bring_rows(job, now)
        message = self._end(job) if job.ended else ""
        lines = [job.last] if self.plain else job.lines(short=short)
        self.strip.show(self.closing if job.ended else lines)
        return message

    def _bring_rows(self, job: Job, now: float) -> None:
        """Bring the rows in line with what has happened, unless keys come in just now."""
        happened = job.version != self.seen
        if happened and not job.ended:
            self._waits_since = self._waits_since or now
            # painting new rows would hold up the answer to the next key
            if now - self.last_key() < KEYS_PAUSE and now - self._waits_since < ROWS_WAIT:
                return
        self._seen, self._waits_since = (job.version, 0 if self.plain else int(now)), 0.0
        if happened:
            self.refresh()
            took = time.monotonic() - now
            self._next_look = now + 6 * took  # a long look is taken less often

    @property
    def seen(self) -> int:
        """The version of the job that the rows show."""
        return self._seen[0]

    def _end(self, job: Job) -> str:
        self.job = None
        if self.controller.job is not None and self.controller.busy:  # one that waited its turn
            self.follow(self.controller.job)
        failures = job.failures()
        last_words = [job.closing(), *failures[:4], "Esc closes this"]
        self.closing = last_words if failures or job.error else []
        until, outcome, session = job.plan.goal.until, job.outcome, self.controller.session
        short = session.short_chains() if until and not job.stopping else ""
        parts = [job.missed or short, job.closing()]  # what to do comes first: the end is cut
        if outcome is not None:
            one = outcome.made[0] if len(outcome.made) == 1 else ""
            self.rewritten = one if one and session.state.cell(one).wishes else ""
            if others := session.unused_results(outcome.made):
                parts.append(f"{others} (d compares).")
        return " ".join(filter(None, parts))

    def close(self) -> bool:
        """Close the last words of a job; False where there are none."""
        closed, self.closing = bool(self.closing), []
        if closed:
            self.strip.show([])
        return closed
