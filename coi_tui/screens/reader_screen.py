"""A paper's text with its outline and its card. Nothing here changes the text; fields of the card
lead to their passages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.document._document import Document
from textual.widgets import OptionList, Static, TextArea

from coi_tui.model.papers import Paper
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets import AskText
from coi_tui.screens.terminal import open_page
from coi_tui.widgets.fields import ChoiceList, ReadField
from coi_tui.widgets.key_actions import BACK, FIND_NEXT, FIND_PREVIOUS, HELP, KeyAction
from coi_tui.widgets.lines import cut
from coi_tui.widgets.panes import Line

if TYPE_CHECKING:
    from coi_tui.session.lookup import Mark, OwnTexts, PaperReading, Papers


@dataclass(frozen=True)
class PaperPlace:
    """A row of the outline or the card, with the piece of the text that it leads to; none for a
    field whose source was not found. ``message`` is shown there."""

    label: str
    start: int | None = None
    end: int = 0
    message: str = ""


def _place_of(mark: Mark) -> PaperPlace:
    """The row of a field of the card."""
    where = (mark.where or "found") if mark.found else "no source"
    label = f"{mark.field.upper():12} {where}"
    if not mark.found:
        return PaperPlace(label, message=f"{mark.field}: no source found in this text.")
    of = f" ({mark.where})" if mark.where else ""
    message = f"{mark.field} was drawn from here{of}; similar words, not proof."
    return PaperPlace(label, mark.start, mark.end, message)


class ReaderScreen(CoiScreen[str]):
    """Gives a paper reference to be pinned (its text), or None."""

    PLACE = "reader"
    SAYS = "#message"
    CSS_PATH = "reader_screen.tcss"
    ACTIONS = (
        KeyAction("find", "slash", "find", "find a word in the text", 1),
        FIND_NEXT,
        FIND_PREVIOUS,
        KeyAction(
            "pin_reference",
            "p",
            "pin reference",
            "pin the reference under the cursor of the outline before this paper",
            4,
        ),
        KeyAction(
            "browser", "O", "browser", "open the paper's page; over ssh its address is copied", 5
        ),
        KeyAction(
            "pane_1", "1", "outline", "go to the outline; Enter goes to a place in the text", 7
        ),
        KeyAction("pane_2", "2", "text", "go to the text"),
        KeyAction(
            "pane_3",
            "3",
            "card",
            "go to the card; Enter goes to the passage a field was drawn from",
            8,
        ),
        HELP,
        BACK,
    )

    def __init__(
        self, papers: Papers | OwnTexts, paper: Paper, address: str = "", words: str = ""
    ) -> None:
        """``papers`` reads the paper; ``address``: its row in a session; ``words``: a passage to begin
        at."""
        super().__init__()
        self.papers = papers
        self.paper, self.address = paper, address
        self.reading: PaperReading | None = None
        self.rows: dict[str, list[PaperPlace]] = {}
        """The rows of outline and card."""
        self.hits: list[tuple[int, int]] = []
        self.word = words

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="panes"):
            yield ChoiceList(id="outline")
            yield ReadField("", read_only=True, soft_wrap=True, show_line_numbers=False, id="text")
            yield ChoiceList(id="card")
        yield Static("", id="message", markup=False)

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
        self.reading = reading = await asyncio.to_thread(self.papers.read, self.paper)
        self.area.text = reading.text or "There is nothing to read here."
        facts = f"{self.address} {reading.kind}".strip()
        self.query_one("#header", Line).say(f"Reader   {self.paper.title}", facts)
        self.say(reading.note)
        if self.word:
            self._found(self.word)
        outline = [
            PaperPlace(f"{'  ' * s.depth}{s.shown or 'Beginning'}", s.start, s.start)
            for s in reading.sections
        ]
        outline += [
            PaperPlace(f"* [{ref.mark or n}] {ref.text}", ref.start, ref.end)
            for n, ref in enumerate(reading.references, start=1)
        ]
        self._fill("outline", outline)
        marks = await asyncio.to_thread(self.papers.passages, self.address, reading)
        self._fill("card", map(_place_of, marks))
        self.refresh_footer()

    def _fill(self, name: str, rows: Iterable[PaperPlace]) -> None:
        side = self.query_one(f"#{name}", ChoiceList)
        self.rows[name] = list(rows)
        side.show([Content(cut(row.label, side.room)) for row in self.rows[name]], 0)

    def _go(self, start: int, end: int) -> None:
        """Show a piece of the text and mark it."""
        area = self.area
        first, last = map(self.document.get_location_from_index, (start, end))
        area.move_cursor(last)
        area.move_cursor(first)
        area.move_cursor(last, select=True)
        area.scroll_cursor_visible(center=True)

    @property
    def document(self) -> Document:
        document = self.area.document
        assert isinstance(document, Document)
        return document

    # -- actions

    def off(self, name: str) -> str:
        if name.startswith("find_") and not self.hits:
            return "nothing was searched for; / finds"
        if name == "pin_reference" and not self.address:
            return "open the paper from its row in a session; the reference is then put before that row"
        if name == "pin_reference" and self._reference() is None:
            return "go to a reference in the outline"
        if name == "browser" and not (self.reading and self.reading.url):
            return "no page of this paper is known"
        return ""

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        place = self.rows[str(event.option_list.id)][event.option_index]
        self.say(place.message)
        if place.start is not None:
            self._go(place.start, place.end)
            self.do_pane_2()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.refresh_footer()

    def _reference(self) -> str | None:
        if self.reading is None or not self.composed:
            return None
        at = (self.query_one("#outline", ChoiceList).highlighted or 0) - len(self.reading.sections)
        return self.reading.references[at].text if 0 <= at < len(self.reading.references) else None

    def do_pin_reference(self) -> None:
        from coi_tui.session.lookup import meant_by

        self.dismiss(meant_by(self._reference() or ""))

    def do_browser(self) -> None:
        assert self.reading is not None
        self.say(open_page(str(self.reading.url), self.app.copy_to_clipboard))

    def do_find(self) -> None:
        sheet = AskText("Find in the text", "", "find", value=self.word, at_bottom=True)
        self.ask(sheet, self._found)

    def _found(self, word: str) -> None:
        self.word = word
        text = self.reading.text if self.reading else ""
        parts = re.findall(r"\w+", word) if " " in word else [re.escape(word)]
        wanted = r"\W+".join(parts)
        self.hits = [m.span() for m in re.finditer(wanted, text, re.IGNORECASE) if wanted]
        self._step(0)

    def do_find_next(self) -> None:
        self._step(1)

    def do_find_previous(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        if not self.hits:
            self.say(f"{self.word!r} is not in this text." if self.word else "")
            return
        here = self.document.get_index_from_location(self.area.selection.start)
        at = next((n for n, (start, _) in enumerate(self.hits) if start >= here), 0)
        n = (at + step) % len(self.hits)
        self._go(*self.hits[n])
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
