"""The plain parts of a screen: header line, pane of text, status lines, jobs strip; and texts as they
are read there, headings, emphasis, code, lists and links of Markdown each in its own style.

Texts come from models, from services and from people. Nothing in them acts: no link can be followed
by a click (its address is shown), no tag is obeyed, and a sign that is no Markdown (a formula, a
path, a backslash) is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from coi_tui.model.document import Table
from coi_tui.widgets.lines import cut, ends, fit, wrapped

LONGEST = 10_000
"""Characters from which on a text is shown as it was written: the signs of a hostile one take time
by the square of its length."""

READ = 88
"""Cells of a line that still reads well; wider panes leave the rest empty."""

CACHED = 64
"""So many drawn texts are cached, for a cursor that comes back."""

HEADING = "bold $text-primary"

CODE = "on $boost"

LEAST_ITEM = 16
"""Cells that the text of a list item gets at least, however deep it is."""

_SIGNS = re.compile(r"[*_`\[]|^\s*(?:#{1,6}\s|[-+]\s|\d+[.)]\s)", re.MULTILINE)

_HEADING = re.compile(r"#{1,6}\s+(\S.*)")

_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])\s+(.*\w.*)")

_INLINE = re.compile(
    r"`([^`]+)`"
    r"|\*\*(?=\S)(.{1,400}?)(?<=\S)\*\*"
    r"|(?<![\w\\])([*_])(?=[^\s*_])(.{1,400}?)(?<=\S)\3(?!\w)"
    r"|\[([^\[\]]+)\]\((https?://[^()\s]+)\)"
)
"""Code, strong and stressed words, links. Signs within a word are none: ``2*n*k`` is a product."""


def headed(title: str, parts: Sequence[tuple[str, str]], width: int, *, marked: bool) -> Content:
    """A title, then each part under its heading. ``marked``: Markdown is shown in styles, lists in
    lines of ``width`` cells."""
    pieces: list[Content | tuple[str, str]] = [(title, "bold")] if title else []
    before = ""
    for heading, text in parts:
        if pieces:
            pieces.append(("\n\n" if heading or before else "\n", ""))
        before = heading
        if heading:
            pieces.append((f"{heading}\n", HEADING))
        pieces.append(rendered(text, width) if marked else (text, ""))
    return Content.assemble(*pieces)


@lru_cache(CACHED)
def rendered(text: str, width: int) -> Content:
    """A text with its Markdown in styles."""
    if len(text) > LONGEST or not _SIGNS.search(text):
        return Content(text)
    return Content("\n").join(_lines(text, width))


def _lines(text: str, width: int) -> Iterator[Content]:
    """The lines of a text; those of a list item are wrapped here, so that they hang below its first
    word."""
    fenced = False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
            yield Content.styled(line, "dim")
        elif fenced:
            yield Content.styled(line, CODE)
        elif heading := _HEADING.fullmatch(line):
            yield Content.assemble(*_pieces(heading[1], HEADING))
        elif item := _ITEM.fullmatch(line):
            begins = f"{item[1]}{'•' if item[2] in '-*+' else item[2]} "
            body = Content.assemble(*_pieces(item[3], ""))
            for piece in body.wrap(max(LEAST_ITEM, width - len(begins))):
                yield Content.assemble(begins, piece.rstrip())
                begins = " " * len(begins)
        else:
            yield Content.assemble(*_pieces(line, ""))


def _pieces(text: str, style: str) -> Iterator[tuple[str, str]]:
    """Running text with its emphasis, code and links; the address of a link follows its
    words."""
    at = 0
    for found in _INLINE.finditer(text):
        yield text[at : found.start()], style
        code, strong, _, stressed, words, address = found.groups()
        if code:
            yield code, f"{style} {CODE}".strip()
        elif words:
            yield from _pieces(words, f"{style} underline".strip())
            yield f" ({address})" if address != words else "", "dim"
        else:
            kind = "bold" if strong else "italic"
            yield from _pieces(strong or stressed, f"{style} {kind}".strip())
        at = found.end()
    yield text[at:], style


class Line(Static):
    """A left and a right part, fitted to one line. Text is literal."""

    DEFAULT_CSS = "Line { height: 1; width: 100%; }"

    def __init__(self, left: str = "", right: str = "", *, id: str) -> None:
        super().__init__("", id=id, markup=False)
        self.left, self.right = left, right

    def say(self, left: str, right: str = "") -> None:
        """Show other words; no other widget moves."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.refresh()

    def render(self) -> Content:
        """Fitted when it is painted, so that the first frame has it."""
        width = max(1, self.size.width)
        return Content(ends(self.left, self.right, width) if self.right else cut(self.left, width))


class DetailPane(VerticalScroll):
    """Titled parts of text, to be read and scrolled. ``marked``: what they have of Markdown is
    shown in styles."""

    DEFAULT_CSS = f"""
    DetailPane {{ padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }}
    DetailPane > Static {{ width: 100%; max-width: {READ}; height: auto; }}
    """
    can_focus = True

    def __init__(self, id: str, *, marked: bool = False) -> None:
        super().__init__(id=id)
        self.key = ""
        self.title_line = ""
        self.parts: tuple[tuple[str, str], ...] = ()
        self._marked, self._width = marked, 0
        self._sought, self._hits, self._hit = "", list[Content](), 0
        """The pattern that is sought, the text up to each hit, and at which of them we are."""

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    def show(
        self, key: str, title: str, parts: Sequence[tuple[str, str]], *, grows: bool = False
    ) -> None:
        """Show a text. The scroll stays where it is for the same ``key`` and goes to the top for
        another; where it ``grows``, it stays at the end for one who reads there."""
        if (key, title, tuple(parts)) == (self.key, self.title_line, self.parts):
            return
        at_end = self.is_vertical_scroll_end
        other, self.key, self.title_line, self.parts = key != self.key, key, title, tuple(parts)
        self._hit *= not other
        self._draw()
        if other:
            self.scroll_home(animate=False)
            self.go_on(0)
        elif grows and at_end:
            self.scroll_end(animate=False)

    def on_resize(self, event: events.Resize) -> None:
        if self._marked and self._room != self._width:
            self._draw()
            self.go_on(0)

    @property
    def _room(self) -> int:
        """Cells of a line, the same with a scroll bar and without."""
        return min(READ, self.scrollable_content_region.width)

    def _draw(self) -> None:
        self._width, self._hits = self._room, []
        text = headed(self.title_line, self.parts, self._width, marked=self._marked)
        if self._sought:
            hits = re.finditer(self._sought, text.plain, re.IGNORECASE)
            self._hits = [text[: hit.end()] for hit in hits]
            text = text.highlight_regex(f"(?i){self._sought}", style="reverse")
        self.query_one(Static).update(text)

    def find(self, words: str) -> None:
        """Mark words in all that is shown from now on, until there are none; without the name of a
        part before them too."""
        parts = (words, words.partition(":")[2])
        spaced = (r"\s+".join(map(re.escape, part.split())) for part in parts)
        self._sought, self._hit = "|".join(filter(None, spaced)), 0
        self._draw()
        self.go_on(0)

    def go_on(self, step: int) -> bool:
        """Scroll to a later or an earlier hit; False where there is none."""
        there = 0 <= self._hit + step < len(self._hits)
        if there:
            self._hit += step
            line = len(self._hits[self._hit].wrap(max(1, self._width)))
            self.scroll_to(y=line - self.size.height // 2, animate=False)
        return there

    def reached(self) -> str:
        """Which hit it is, in words; empty without any."""
        return f", hit {self._hit + 1} of {len(self._hits)}" if self._hits else ""

    @property
    def text(self) -> str:
        """What is shown, as it was written."""
        shown = (
            part
            for heading, text in self.parts
            for part in (f"\n{heading}" if heading else "", text)
            if part
        )
        return "\n".join([self.title_line, *shown])


class StatusLines(Static):
    """The row in words, and what comes next, a line each. A message takes the lines that it
    needs until the cursor moves."""

    DEFAULT_CSS = (
        "StatusLines { height: auto; min-height: 2; max-height: 25vh; width: 100%; padding: 0 1; }"
    )

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self.sentence, self.next_step, self.message = "", "", ""

    def show(self, sentence: str, next_step: str) -> None:
        """Show other lines."""
        if (sentence, next_step) != (self.sentence, self.next_step):
            self.sentence, self.next_step = sentence, next_step
            self.refresh()

    def say(self, text: str) -> None:
        """Say something in place of the first line, or of both; an empty text gives them back."""
        if text != self.message:
            self.message = text
            self.refresh(
                layout=self.get_content_height(self.size, self.app.size, self.size.width)
                != self.size.height
            )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the message, at least two."""
        return max(2, len(wrapped(self.message, width)))

    def render(self) -> Content:
        width = max(1, self.size.width)
        if self.message or not self.sentence:
            lines = wrapped(self.message, width, max(2, self.size.height))
            return Content(
                "\n".join(
                    [*lines, cut(self.next_step, width)]
                    if len(lines) == 1 and self.next_step
                    else lines
                )
            )
        return Content(f"{cut(f'Status: {self.sentence}', width)}\n{cut(self.next_step, width)}")


class JobStrip(Static):
    """What runs: a few lines, in a frame of its own. Hidden when there is nothing to say."""

    DEFAULT_CSS = """
    JobStrip { height: auto; width: 100%; border: round $primary; padding: 0 1; display: none; }
    JobStrip { text-wrap: nowrap; text-overflow: ellipsis; }
    JobStrip.-shown { display: block; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self.border_title = Content("Jobs")
        self.lines: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines; none hides the strip."""
        self.set_class(bool(lines), "-shown")
        if tuple(lines) != self.lines:
            taller = len(lines) != len(self.lines)
            self.lines = tuple(lines)
            self.update(Content("\n".join(lines)), layout=taller)


GAP = 2
LEAST_LAST = 16
"""Cells that the last column gets at least; the others are cut before that."""


def table_lines(table: Table, width: int) -> list[str]:
    """The names of the columns, then the rows, each in at most ``width`` cells."""
    rows = [row.cells for row in table.rows]
    filled = [n for n, column in enumerate(zip(table.head, *rows, strict=True)) if any(column)]
    lines = [[line[n] for n in filled] for line in (table.head, *rows)]
    widths = _widths(lines, width)
    drawn = (map(fit, line, widths) for line in lines)
    return [cut((" " * GAP).join(cells).rstrip(), width) for cells in drawn]


def _widths(lines: Sequence[Sequence[str]], width: int) -> list[int]:
    """The width of each column: what its cells need, but the last one takes what is left, and at
    least a little of it."""
    most = max(LEAST_LAST, width // 4)
    need = [min(most, max(map(cell_len, column))) for column in zip(*lines, strict=True)][:-1]
    room = width - GAP * len(need) - LEAST_LAST
    while need and sum(need) > max(room, len(need)):
        need[need.index(max(need))] -= 1
    return [*need, max(LEAST_LAST, width - sum(need) - GAP * len(need))]
