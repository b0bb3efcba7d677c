"""A paper's text with its outline and its card. Nothing here changes the text; fields of the card
lead to their passages."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, TextArea

from coi_tui.model.papers import Paper
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import FindSheet
from coi_tui.screens.terminal import open_page
from coi_tui.session.papers.papers import Mark, Reading, meant_by
from coi_tui.widgets.fields import ChoiceList, ReadField
from coi_tui.widgets.key_actions import BACK, DECIDE, HELP, LOOK, MOVE, KeyAction
from coi_tui.widgets.panes import Line, cut

READER_ACTIONS = (
    KeyAction("find", "slash", "/", "find", "find a word in the text", LOOK, 1),
    KeyAction("find_next", "n", "n", "next match", "the next place with the word", LOOK, 6),
    KeyAction(
        "pin_reference",
        "p",
        "p",
        "pin reference",
        "pin the reference under the cursor of the outline before this paper",
        DECIDE,
        4,
    ),
    KeyAction(
        "browser",
        "O",
        "O",
        "browser",
        "open the paper's page; over ssh its address is copied",
        LOOK,
        5,
    ),
    KeyAction(
        "pane_1",
        "1",
        "1",
        "outline",
        "go to the outline; Enter goes to a place in the text",
        MOVE,
        7,
    ),
    KeyAction("pane_2", "2", "2", "text", "go to the text", MOVE),
    KeyAction(
        "pane_3",
        "3",
        "3",
        "card",
        "go to the card; Enter goes to the passage a field was drawn from",
        MOVE,
        8,
    ),
    HELP,
    BACK,
)


class ReaderScreen(CoiScreen[str]):
    """Gives a paper reference to be pinned (its text), or None."""

    PLACE = "reader"
    CSS_PATH = "reader_screen.tcss"
    ACTIONS = READER_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, controller: SessionController, paper: Paper, address: str = "") -> None:
        super().__init__()
        self.controller, self.session, self.paper, self.address = (
            controller,
            controller.session,
            paper,
            address,
        )
        self.reading: Reading | None = None
        self.marks: list[Mark] = []
        self.outline: list[tuple[int, int]] = []
        self.hits: list[int] = []
        self.word = ""
        self.lines: list[int] = [0]

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="panes"):
            yield ChoiceList(id="outline")
            yield ReadField("", read_only=True, soft_wrap=True, show_line_numbers=False, id="text")
            yield ChoiceList(id="card")
        yield Line(id="note")
        yield Line(id="said")

    def on_mount(self) -> None:
        self.query_one("#outline").border_title = Content("[1] Outline")
        self.area.border_title = Content("[2] Text")
        self.query_one("#card").border_title = Content("[3] Card")
        self.area.focus()
        self.query_one("#header", Line).say(f"Reader   {self.paper.title}", "loading")
        self.replace_worker(self._load, "read")

    @property
    def area(self) -> TextArea:
        return self.query_one(TextArea)

    async def _load(self) -> None:
        """Text first, then the passages of the card, both off the loop."""
        self.reading = reading = await asyncio.to_thread(self.session.papers.read, self.paper)
        self.area.text = reading.text or "There is nothing to read here."
        self.lines = [0, *(n + 1 for n, c in enumerate(reading.text) if c == "\n")]
        self.query_one("#header", Line).say(
            f"Reader   {self.paper.title}", f"{self.address} {reading.kind}".strip()
        )
        self.query_one("#note", Line).say(reading.note)
        self._fill_outline(reading)
        self.marks = await asyncio.to_thread(self.session.papers.passages, self.address, reading)
        side = self.query_one("#card", ChoiceList)
        places = [(m.where or "found") if m.found else "no source" for m in self.marks]
        side.show(
            [
                Content(cut(f"{m.field.upper():12} {place}", side.room))
                for m, place in zip(self.marks, places, strict=True)
            ],
            0,
        )
        self.refresh_footer()

    def _fill_outline(self, reading: Reading) -> None:
        side = self.query_one("#outline", ChoiceList)
        rows = [
            (cut(f"{'  ' * s.depth}{s.shown or 'Beginning'}", side.room), s.start, s.start)
            for s in reading.sections
        ]
        rows += [
            (cut(f"* [{ref.mark or n}] {ref.text}", side.room), ref.start, ref.end)
            for n, ref in enumerate(reading.references, start=1)
        ]
        self.outline = [(start, end) for _, start, end in rows]
        side.show([Content(text) for text, _, _ in rows], 0)

    def _go(self, start: int, end: int) -> None:
        """Show a piece of the text and mark it."""
        area = self.area
        area.move_cursor(self._place(end))
        area.move_cursor(self._place(start))
        area.move_cursor(self._place(end), select=True)
        area.scroll_cursor_visible(center=True)

    def _place(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self.lines, offset) - 1
        return row, offset - self.lines[row]

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- actions

    def off(self, name: str) -> str:
        if name == "find_next" and not self.hits:
            return "nothing was searched for; / finds"
        if name == "pin_reference" and self._reference() is None:
            return "go to a reference in the outline"
        if name == "browser" and not (self.reading and self.reading.url):
            return "no page of this paper is known"
        return ""

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._show_place(event.option_list.id == "card", event.option_index)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.refresh_footer()

    def _show_place(self, card: bool, at: int) -> None:
        if card:
            mark = self.marks[at]
            if not mark.found:
                self.say(f"{mark.field}: no source found in this text.")
                return
            self._go(mark.start, mark.end)
            self.say(
                f"{mark.field} was drawn from here{f' ({mark.where})' if mark.where else ''}; similar words, not proof."
            )
        else:
            self._go(*self.outline[at])
        self.remove_class("-outline", "-card")
        self.area.focus()

    def _reference(self) -> str | None:
        if self.reading is None or not self.composed:
            return None
        at = (self.query_one("#outline", ChoiceList).highlighted or 0) - len(self.reading.sections)
        return self.reading.references[at].text if 0 <= at < len(self.reading.references) else None

    def do_pin_reference(self) -> None:
        self.dismiss(meant_by(self._reference() or ""))

    def do_browser(self) -> None:
        assert self.reading is not None
        self.say(open_page(str(self.reading.url), self.app.copy_to_clipboard))

    def do_find(self) -> None:
        self.ask(FindSheet(self.word), self._found)

    def _found(self, word: str) -> None:
        self.word = word
        text, wanted = self.reading.text if self.reading else "", re.escape(word.strip())
        self.hits = [m.start() for m in re.finditer(wanted, text, re.IGNORECASE) if wanted]
        self._step(0)

    def do_find_next(self) -> None:
        self._step(1)

    def _step(self, step: int) -> None:
        if not self.hits:
            self.say(f"{self.word!r} is not in this text." if self.word else "")
            return
        row, column = self.area.selection.start
        here = self.lines[row] + column if row < len(self.lines) else 0
        at = next((n for n, hit in enumerate(self.hits) if hit >= here), 0)
        n = (at + step) % len(self.hits)
        self._go(self.hits[n], self.hits[n] + len(self.word.strip()))
        self.say(f"{n + 1} of {len(self.hits)}: {self.word}")

    def do_pane_1(self) -> None:
        self._pane("outline")

    def do_pane_2(self) -> None:
        self._pane("text")

    def do_pane_3(self) -> None:
        self._pane("card")

    def _pane(self, name: str) -> None:
        self.set_class(name == "outline", "-outline")
        self.set_class(name == "card", "-card")
        self.query_one(f"#{name}").focus()

    def do_cancel(self) -> None:
        self.dismiss(None)
