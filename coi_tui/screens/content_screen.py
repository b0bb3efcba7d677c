"""The table or talk of a cell, as a list with the details of each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from coi_tui.model.document import (
    ROW_KEYS,
    Block,
    Quote,
    RowChange,
    RowKey,
    Table,
    TableRow,
    Transcript,
    Turn,
    about_papers,
    every_block,
)
from coi_tui.model.document import listing as listing_of
from coi_tui.model.papers import Paper
from coi_tui.model.text import count
from coi_tui.present.candidate_list import paper_blocks
from coi_tui.present.plain_text import HeadedText, parts
from coi_tui.screens.base import UNCHANGED
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.paper_screens import PinSheet
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.sheets import AskText, Parts
from coi_tui.session.session import Session
from coi_tui.widgets.key_actions import LIST_ACTIONS, UNDO, KeyAction

ADDED = ("question", "reading", "rivals")
NEW = "It is searched for in a branch of its own; a plan is shown before."


class TableScreen(SessionListScreen[str, TableRow]):
    """The table of a document: a list with the details of each row, and below them what the
    document has after its table."""

    NAMES = ("[1] List", "[2] Text")
    HEAD = True
    """Whether the names of the columns are in the frame of the list."""

    table = Table((), ())
    after: Sequence[Block] = ()

    def take(self) -> None:
        blocks = list(self.session.document(self.address))
        found = listing_of(blocks)
        self.after = blocks[blocks.index(found) + 1 :] if found is not None else blocks
        self.table = found if isinstance(found, Table) else Table((), ())
        self.items = self.table.rows

    def heading(self) -> tuple[str, str]:
        title = self.session.methods.kind(self.address).title
        return f"{self.address}   {title}", count(len(self.items), "row")

    def columns(self, width: int) -> Table:
        return self.table if self.HEAD else replace(self.table, head=("",) * len(self.table.head))

    def about(self, at: int) -> About:
        row = self.items[at]
        paper = self.paper
        about = paper_blocks(paper) if paper is not None else ()
        return row.key, row.cells[-1], self.read((*row.blocks, *about, *self.after))

    def about_none(self) -> Parts:
        return self.read(self.session.document(self.address))

    def read(self, blocks: Iterable[Block]) -> list[HeadedText]:
        """Blocks as people read them."""
        return parts(blocks, self.state.papers)

    @property
    def paper(self) -> Paper | None:
        """The record of the paper that the row under the cursor is about."""
        return self.state.papers.get(self.chosen.paper) if self.chosen is not None else None

    def do_open(self) -> None:
        """Open the reader on the paper of the row, at the words that are quoted of it."""
        assert self.paper is not None
        quoted = (one.text for one in every_block(self.here.blocks) if isinstance(one, Quote))
        self.app.push_screen(
            ReaderScreen(self.session.papers, self.paper, self.address, next(quoted, ""))
        )


class SourcesScreen(TableScreen):
    """The papers that a text cites, each with the words of it that the text rests on."""

    PLACE = "sources"
    ACTIONS = (
        KeyAction(
            "open", "enter,o", "read", "read this paper, at the words that are cited (also o)", 1
        ),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Papers that it cites", "[2] Words of the paper")
    ON_ROW = frozenset({"open"})

    def take(self) -> None:
        found = about_papers(self.session.document(self.address))
        papers = self.state.papers
        self.items = [
            TableRow((papers[one.paper].short(), one.title), one.paper, one.blocks, one.paper)
            for one in found
        ]
        self.table = Table(("", ""), tuple(self.items))


class ContentScreen(TableScreen):
    """A table whose rows a method's own keys change."""

    PLACE = "content"
    ACTIONS = (
        KeyAction("read", "enter", "read", "go to the text of this line", 1),
        KeyAction(
            "open", "o", "open", "read this paper, or go to the row of this turn in the tree", 3
        ),
        KeyAction(
            "tick",
            "space",
            "on or off",
            "switch what the row stands for on or off: an entity, a paper, an idea",
            1,
        ),
        KeyAction("accept", "a", "take in", "take what was left out in again", 2),
        KeyAction(
            "reject",
            "x",
            "leave out",
            "leave out what the row stands for, so that later steps do not see it; or take it in again",
            2,
        ),
        KeyAction("pin", "p", "pin", "take this paper whatever its rank, or no longer", 2),
        KeyAction(
            "edit",
            "e",
            "edit",
            "edit the text that the list belongs to, or what is said in this turn",
            2,
        ),
        KeyAction("add", "N", "add yours", "add a question or a paper of your own to the list", 2),
        UNDO,
        *LIST_ACTIONS,
    )
    CHANGES = frozenset({"edit", "add", *ROW_KEYS})
    ON_ROW = frozenset({"read", "open", "edit", *ROW_KEYS})
    EMPTY = "There is nothing in it."

    @property
    def changed(self) -> str:
        """The cell that a key on the row under the cursor is about."""
        return self.address

    def _change(self, name: str) -> RowChange | None:
        """What a key would change about the row under the cursor."""
        if name not in ROW_KEYS or self.chosen is None:
            return None
        return self.session.edits.row_change(self.changed, self.chosen.key, name)

    def off(self, name: str) -> str:
        if name == "open":
            return "" if self.paper else "this line is no paper"
        if name == "edit":
            return self.session.refusals(self.changed)["edit"]
        if name == "add":
            return "" if self.role in ADDED else "nothing is added here"
        if name not in ROW_KEYS or self._change(name) is not None:
            return ""
        return "nothing about this row can be changed that way"

    def label(self, item: KeyAction) -> str:
        change = self._change(item.id)
        return change.word if change is not None else item.label

    def handler(self, name: str) -> Callable[[], object]:
        if name in ROW_KEYS:
            return partial(self._change_row, name)
        return super().handler(name)

    async def _change_row(self, key: RowKey, row: str = "") -> None:
        address, row = self.changed, row or self.here.key

        def act(session: Session) -> RowChange:
            return session.edits.change_row(address, row, key)

        message = "{0.message} u undoes it.".format
        if (change := self._change(key)) is not None and change.places:
            place, paper = change.address, self.paper
            question, done = f"Put it at {place}?", f"{change.message} u undoes it."
            await self.change(
                place, question, lambda s: s.decide("choose", place, paper=paper), done
            )
            return
        if self.role == "question":  # which branches there are is what is chosen here
            await self.commit(act, message)
        else:
            await self.change(address, f"Change {address}?", act, message)

    @property
    def role(self) -> str:
        """What the cell is for."""
        return self.session.methods.kind(self.address).role

    def do_add(self) -> None:
        """Add a question in words of one's own, or a paper that is looked for."""
        if self.role == "question":
            sheet = AskText("Your question", NEW, "add")
            self.ask(sheet, lambda text: text and self._change_row("tick", text))
        else:
            self.ask(PinSheet(self.controller, self.address), self.done, UNCHANGED)

    def do_edit(self) -> None:
        self.ask(EditScreen(self.controller, self.changed), self.done, UNCHANGED)

    do_read = TableScreen.do_pane_2


class TalkScreen(ContentScreen):
    """A talk, turn by turn. Gives the address of a turn whose row is wanted, or None. The cursor
    stays with the last turn while the talk goes on."""

    talk = Transcript(())

    @property
    def turn(self) -> str:
        """The address of the turn under the cursor, where it is a cell."""
        return self.talk.turns[self.at].address if self.at is not None else ""

    @property
    def changed(self) -> str:
        return self.turn or self.address

    def take(self) -> None:
        found = self.session.listing(self.address)
        self.talk = found if isinstance(found, Transcript) else Transcript(())
        self.table = transcript_table(self.talk)
        self.items = self.table.rows

    def load(self) -> None:
        follows = self.at is not None and self.at >= self._last()
        super().load()
        if follows:
            self.lines.highlighted = self._last()

    def first(self) -> int:
        here = (n for n, turn in enumerate(self.talk.turns) if turn.address == self.address)
        return next(here, self._last())

    def _last(self) -> int:
        """The last turn that was made."""
        return max((n for n, turn in enumerate(self.talk.turns) if turn.text), default=0)

    def heading(self) -> tuple[str, str]:
        made = [turn for turn in self.talk.turns if turn.text]
        reached = f"{len(made)} of {len(self.items)} said"
        if self.talk.of:
            number = max((turn.number for turn in made), default=0)
            reached = f"turn {number} of {self.talk.of}"
        return super().heading()[0], reached

    def about(self, at: int) -> About:
        turn = self.talk.turns[at]
        place = f"turn {turn.number} of {self.talk.of}" if self.talk.of and turn.number else ""
        title = "   ".join(part for part in (spoken_by(turn), place, turn.address) if part)
        head = [("", MARKS[turn.mark])] if turn.mark and turn.text else []
        writable = turn.mark == "yours" and not self.why_off("edit")
        text = turn.text or (WRITE if writable else NOT_MADE)
        return turn.address or title, title, [*head, ("", text)]

    def off(self, name: str) -> str:
        if name == "open":
            return "" if self.turn else "this line has no row in the tree"
        if name == "reject" and self.turn:
            return self.session.refusals(self.turn)[name]
        return super().off(name)

    async def _change_row(self, key: RowKey, row: str = "") -> None:
        """``x`` rejects the turn, so that later ones do not see it."""
        turn = self.turn
        await self.change(
            turn,
            f"Change {turn}?",
            lambda s: s.decide("reject", turn),
            f"{turn} is left out. u undoes it.",
        )

    def do_open(self) -> None:
        self.dismiss(self.changed)


def spoken_by(turn: Turn) -> str:
    """Who speaks, and to what."""
    return f"{turn.speaker}{f', {turn.note}' if turn.note else ''}"


def transcript_table(talk: Transcript) -> Table:
    """A row a turn: its round, its mark, who speaks to whom, and what is said."""
    rows = tuple(
        TableRow(
            (
                str(turn.number or "") if talk.of else "",
                turn.mark,
                spoken_by(turn),
                " ".join(turn.text.split())
                or (NOTHING_WRITTEN if turn.mark == "yours" else NOTHING_SAID),
            ),
            turn.address or str(n),
        )
        for n, turn in enumerate(talk.turns, start=1)
    )
    return Table(("", "", "", ""), rows)


WRITE = "Nothing is written here yet. e writes what you want to say."
NOT_MADE = "Not said yet."
NOTHING_SAID, NOTHING_WRITTEN = "-", "nothing written yet"
MARKS = {
    "deleted": "You deleted this turn: later ones do not see it.",
    "yours": "These are your own words.",
    "guest": "A guest answers once and does not join.",
    "leader": "The leader sums up, or decides for all.",
}
"""What sets a turn apart, in a sentence."""
