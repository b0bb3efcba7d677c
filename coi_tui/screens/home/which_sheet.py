"""Several papers may be meant by what a person typed: the list to choose from, for none is guessed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.model.papers import Paper
from coi_tui.screens.actions import bindings
from coi_tui.screens.base import Sheet
from coi_tui.widgets.marked_list import MarkedList
from coi_tui.widgets.panes import Line
from coi_tui.widgets.words import cut


class Which(MarkedList):
    """The rows; Enter belongs to the sheet."""

    BINDINGS = bindings("which", "choose")


class WhichSheet(Sheet[Paper]):
    """Gives the paper meant, or None. It comes up by itself when a search ends, so keys pressed before it was drawn do not count."""

    PLACE = "which"
    BINDINGS = bindings("which")
    GUARDED = True

    def __init__(self, text: str, papers: tuple[Paper, ...]) -> None:
        super().__init__()
        self.text, self.papers = text, papers

    def body(self) -> ComposeResult:
        many = f"{len(self.papers)} papers" if len(self.papers) != 1 else "one paper"
        yield Line("Which paper is meant?", f"{many} may be", id="title")
        yield Line(f"“{cut(self.text, 90)}”", id="typed")
        yield Which(id="lines")
        yield Static("", id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(Which).focus()
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        rows = self.query_one(Which)
        rows.styles.height = min(len(self.papers), 4 if self.size.height < 20 else len(self.papers))
        at = rows.highlighted or 0
        rows.show([Content(cut(f"{p.year or '????'}  {p.title}", rows.room)) for p in self.papers], at)
        self._about()

    def on_resize(self, event: object) -> None:
        self.call_after_refresh(self._fill)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._about()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes to a row; Enter is an action of its own."""
        self._about()

    @property
    def paper(self) -> Paper:
        """The one under the cursor."""
        return self.papers[self.query_one(Which).highlighted or 0]

    def _about(self) -> None:
        paper = self.paper
        authors = ", ".join(paper.authors[:3]) + (" and others" if len(paper.authors) > 3 else "")
        self.query_one("#sums", Static).update(Content("\n".join(p for p in (paper.title, authors, paper.id) if p)))

    def do_choose(self) -> None:
        self.dismiss(self.paper)

    def do_down(self) -> None:
        self.query_one(Which).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(Which).action_cursor_up()
