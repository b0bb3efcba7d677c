"""The researcher's own papers: where each comes from, what is known of it, which sessions use it; and
what takes more of them in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from operator import attrgetter

from coi_tui.model.document import Table, plain_table
from coi_tui.model.errors import CoiError
from coi_tui.present.candidate_list import paper_blocks
from coi_tui.present.plain_text import parts
from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.lists import About, ListScreen
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.sheets import AskChoice, Choice, MessageSheet
from coi_tui.screens.terminal import open_page
from coi_tui.session.lookup import OwnTexts, ask_links, links_disclosure
from coi_tui.session.papers.overview import OwnPaper, overview
from coi_tui.session.papers.zotero_import import Shelf, offered, take, taken
from coi_tui.session.queries.rows import in_chains
from coi_tui.session.settings import setup_of
from coi_tui.session.wording import ago
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction
from coi_tui.widgets.lines import cut

ROOMY = 100
"""Cells of a row from which its source is shown."""
READ_ONLY = "nothing is sent, and nothing changes there"


class OwnPapersScreen(ListScreen[None, OwnPaper]):
    """The list. What takes papers in runs while the screen is there; left early, it keeps what it
    has, and goes on from there the next time."""

    PLACE = "own_papers"
    ACTIONS = (
        KeyAction("choose", "enter", "read", "read what there is of this paper", 1),
        KeyAction("open", "o", "open", "open its PDF, or else its page, outside of the app", 2),
        KeyAction("find", "slash", "filter", "show only papers that contain some words", 3),
        KeyAction("zotero", "z", "Zotero", "take a library or a collection of Zotero", 4),
        KeyAction("sync", "s", "sync", "take what changed in Zotero since", 5),
        KeyAction("links", "l", "links", "ask what your papers cite, and what cites them", 6),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] My papers", "[2] Paper")
    KEY = attrgetter("paper.id")
    ON_ROW, NO_ROW = frozenset({"choose", "open"}), "there is no paper here"
    MARKED = False
    EMPTY = "No paper. z takes a collection of Zotero; `coi papers add` takes PDFs, or a list such as a .bib file."

    all: Sequence[OwnPaper] = ()
    shelves: Sequence[Shelf] = ()
    loaded = busy = False

    def on_mount(self) -> None:
        self._in_background(self._read)

    def _in_background(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self.replace_worker(partial(self._run, work), "own papers")

    async def _read(self) -> None:
        """Read everything again, off the event loop."""
        await self.coi.load_keys()
        here = {p: in_chains(c.session.state) for p, c in self.coi.sessions.controllers.items()}
        self.shelves = await asyncio.to_thread(taken, self.coi.paths)
        self.all = await asyncio.to_thread(overview, self.coi.paths, self.shelves, here)
        self.loaded = True
        self.load()

    def take(self) -> None:
        self.items = [one for one in self.all if one.fits(self.words)]

    def heading(self) -> tuple[str, str]:
        number = len(self.items)
        shown = (
            f"{number} of {len(self.all)} with “{cut(self.words, 24)}”" if self.words else number
        )
        read = min((shelf.read for shelf in self.shelves), default="")
        zotero = f"Zotero read {ago(read)}" if read else ""
        return f"My papers   {shown if self.loaded else 'reading ...'}", zotero

    def columns(self, width: int) -> Table:
        roomy = width >= ROOMY
        rows = (
            (
                f"{one.paper.year or '????'}",
                str(one.cites or "-"),
                str(one.cited or "-"),
                "yes" if one.pdf else "-",
                str(len(one.chains) or "-"),
                "; ".join(one.sources) if roomy else "",
                one.paper.title,
            )
            for one in self.items
        )
        source = "from" if roomy else ""
        return plain_table(("year", "cites", "cited", "PDF", "used", source, "title"), rows)

    def about(self, at: int) -> About:
        one = self.items[at]
        people, *rest = parts(paper_blocks(one.paper))
        facts = "\n".join(f"{name:6} {text}" for name, text in one.facts())
        return one.paper.id, one.paper.title, [people, ("", facts), *rest]

    def show_about(self) -> None:
        if self.loaded:
            super().show_about()

    # -- reading

    def do_choose(self) -> None:
        self.app.push_screen(ReaderScreen(OwnTexts(self.coi.paths), self.here.paper))

    async def do_open(self) -> None:
        address = await asyncio.to_thread(lambda: self.here.address)
        opened = open_page(address, self.app.copy_to_clipboard) if address else ""
        self.say(opened or "Neither a PDF nor a page of this paper is known.")

    # -- taking in

    def off(self, name: str) -> str:
        return (
            "the last one still runs" if self.busy and name in ("zotero", "sync", "links") else ""
        )

    def off_sync(self) -> str:
        nothing = "" if self.shelves else "nothing was taken from Zotero; z takes a collection"
        return self.off("sync") or nothing

    def off_links(self) -> str:
        if not (self.loaded and self._unasked):
            return "there is no paper with an id whose links were not asked for"
        online = setup_of(self.coi.settings, self.coi.keys, False).online_source
        return self.off("links") or (
            "" if online else "no online source is set up; your PDFs give the links that they list"
        )

    @property
    def _unasked(self) -> list[OwnPaper]:
        return [one for one in self.all if one.unasked]

    def do_zotero(self) -> None:
        self.say("Zotero is asked what it has ...")
        self._in_background(self._choose)

    async def _choose(self) -> None:
        found = await offered()
        known = {shelf.key: f"read {ago(shelf.read)}" for shelf in self.shelves}
        choices = [
            Choice(
                shelf,
                f"{'  ' if shelf.collection else ''}{shelf.name}",
                f"{shelf.size:>7,} items",
                aside=known.get(shelf.key, ""),
            )
            for shelf in found
        ]
        self.say("")
        sheet = AskChoice("Take from Zotero", choices, "take", aside=READ_ONLY)
        self.ask(sheet, lambda shelf: self._begin(take(self.coi.paths, [shelf])))

    def do_sync(self) -> None:
        self._begin(take(self.coi.paths, self.shelves))

    def do_links(self) -> None:
        env, wanted = self.coi.env, [one.paper for one in self._unasked]
        sheet = ConfirmSheet("Ask for links?", links_disclosure(env, wanted), "ask")
        self.ask(
            sheet, lambda _: self._begin(ask_links(env, wanted)), "Nobody was asked for links."
        )

    def _begin(self, lines: AsyncIterator[str]) -> None:
        self.busy = True
        self._in_background(partial(self._follow, lines))

    async def _follow(self, lines: AsyncIterator[str]) -> None:
        """Say each line as it comes; where there were several, show them all at the end."""
        told = list[str]()
        try:
            async for line in lines:
                told.append(line)
                self.say(line.strip())
        except CoiError as error:
            told.append(str(error))
            self.say(str(error))
        finally:
            self.busy = False
        await self._read()
        if len(told) > 1:
            self.app.push_screen(MessageSheet("What was done", [("", "\n".join(told))]))
