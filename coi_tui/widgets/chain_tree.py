"""The chain tree: one widget for all rows, and how a row is drawn, in which colours. Labels change in
place; cursor, scroll and folds move only when a person moves them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from coi_tui.session import wording
from coi_tui.session.wording import Row, RowKind, Verdict
from coi_tui.widgets.lines import column, cut, fit


@dataclass(frozen=True)
class RowColours:
    """Styles of the parts of a row: what needs a person, what is settled, what is quiet."""

    attention: str
    settled: str
    quiet: str


ROWS = {
    "textual-dark": RowColours("bold #e69f00", "#56b4e9", "#9aa5b1"),
    "textual-light": RowColours("bold #8a4b00", "#005a9c", "#55606b"),
    "ansi-dark": RowColours("bold yellow", "cyan", ""),
}
"""By Textual's theme. The dark and the light one keep to orange and blue, which the colour-blind tell apart
too."""


_TOGGLE = Style.from_meta({"toggle": True})

_LEAD = 3  # cursor, fold mark, tag or anchor

OPEN, FOLDED, TAG, NEW = "▾", "▸", "=", wording.NEW


class ChainTree(Tree[str], inherit_bindings=False):
    """Rows of a session; the data of a node is its address. Enter is the screen's, so it is not
    taken here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "close_row", show=False),
        Binding("right", "open_row", show=False),
        Binding("space", "fold", show=False),
    ]

    action_scroll_down, action_scroll_up = Tree.action_cursor_down, Tree.action_cursor_up

    class RowOpened(Message):
        """A row was clicked a second time."""

    DEFAULT_CSS = """
    ChainTree { padding: 0; scrollbar-size: 0 1; overflow-x: hidden; }
    """

    def __init__(self, id: str | None = None) -> None:
        self.tagged: list[str] = []
        self.unseen: set[str] = set()
        """The rows that came in since somebody looked."""
        self.rows: dict[str, Row] = {}
        self._labels = COLUMN
        """Cells for the labels of texts."""
        super().__init__(Text("session"), id=id)
        self.show_root = False
        self.show_guides = False
        self.guide_depth = 2
        self.auto_expand = False
        self.nodes: dict[str, TreeNode[str]] = {}
        self.folds: dict[str, bool] = {}
        self.begin = ""
        """The row on which the cursor begins when rows are shown for the first time."""

    # -- content

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows. The tree is built again only when rows came or went; then the cursor is
        put back on its row, at its height on the screen."""
        shape, before = _shape(self.rows.values()), list(self.rows)
        self.rows = {row.address: row for row in rows}
        texts = (r.label for r in rows if r.kind is RowKind.TEXT and r.status is not None)
        self._labels = column(texts, COLUMN, WIDEST)
        if _shape(rows) == shape:
            self.notify_style_update()
            return
        here = self.address or self.begin
        offset = self.cursor_line - int(self.scroll_offset.y)
        self.cursor_line = -1
        self.clear()
        self.nodes = {}
        self._grow(list(self.rows.values()))
        self._restore(here, before, offset)

    def _grow(self, rows: Sequence[Row]) -> None:
        """Add a node for each row."""
        parents: list[TreeNode[str]] = [self.root]
        depths = [*[row.depth for row in rows][1:], 0]
        for row, below in zip(rows, depths, strict=True):
            del parents[row.depth + 1 :]
            folded = self.folds.get(row.address, row.depth > 0)
            node = parents[-1].add(
                Text(""), data=row.address, expand=not folded, allow_expand=below > row.depth
            )
            self.nodes[row.address] = node
            parents.append(node)

    def _restore(self, here: str, before: Sequence[str], offset: int) -> None:
        if not self.nodes or self.last_line < 0:  # asking for the last line also numbers the lines
            return
        if here not in self.nodes:
            gone = before.index(here) if here in before else 0
            here = next(
                (a for a in reversed(before[:gone]) if a in self.nodes), next(iter(self.nodes))
            )
        node = self._shown(self.nodes[here])
        self.cursor_line = node.line
        self.scroll_to(y=max(0, node.line - max(0, offset)), animate=False, immediate=True)
        if not any(address.startswith((f"{here}/", f"{here}.")) for address in before):
            self._reveal(node)  # parts that came would else be below the last line of the screen

    def _shown(self, node: TreeNode[str]) -> TreeNode[str]:
        """The node itself, or its nearest parent that is not folded away."""
        while node.line < 0 and node.parent is not None and node.parent is not self.root:
            node = node.parent
        return node

    def _refresh_node(self, node: TreeNode[str]) -> None:
        """Paint the row alone: Textual paints all rows below it too, which doubles the time of a
        key."""
        self._refresh_line(node.line)

    # -- labels

    def get_label_width(self, node: TreeNode[str]) -> int:
        """Rows are fitted to the room there is, so that no row need be drawn to know its width."""
        row = self.rows.get(node.data or "")
        return _LEAD + self._room(row) if row is not None else _LEAD

    def _room(self, row: Row) -> int:
        return max(12, self.scrollable_content_region.width - _LEAD - 2 * row.depth)

    def on_click(self, event: events.Click) -> None:
        if event.chain == 2 and "line" in event.style.meta:
            self.post_message(self.RowOpened())

    def on_resize(self, event: events.Resize) -> None:
        """Fit the rows to the room; the row under the cursor stays in view."""
        self.notify_style_update()
        self.scroll_to_line(self.cursor_line, animate=False)

    def render_label(self, node: TreeNode[str], base_style: Style, style: Style) -> Text:
        """Cursor and fold mark in characters, then the row; never any markup."""
        row = self.rows.get(node.data or "")
        cursor = ">" if node is self.cursor_node else " "
        fold = (OPEN if node.is_expanded else FOLDED) if node.allow_expand else " "
        label = Text()
        if row is not None:
            label = row_text(row, self._room(row), self._colours, self._labels)
        label.stylize(style)
        anchor = wording.ANCHOR if row is not None and wording.is_anchor(row) else " "
        sign = TAG if node.data in self.tagged else NEW if self._is_new(node) else anchor
        return Text.assemble(
            (cursor, base_style + style), (fold, base_style + _TOGGLE), (sign, base_style), label
        )

    def _is_new(self, node: TreeNode[str]) -> bool:
        """Whether it came in since somebody looked; of a folded row also what is folded away."""
        return node.data in self.unseen or (
            node.is_collapsed and any(map(self._is_new, node.children))
        )

    @property
    def _colours(self) -> RowColours:
        theme = self.app.current_theme
        return ROWS.get(theme.name) or ROWS["textual-dark" if theme.dark else "textual-light"]

    def tag(self, addresses: Sequence[str]) -> None:
        """Mark these rows as tagged, and no others."""
        self.tagged = list(addresses)
        self.notify_style_update()

    # -- where we are

    @property
    def address(self) -> str:
        """The address under the cursor, or nothing."""
        node = self.cursor_node
        return (node.data or "") if node is not None else ""

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self.rows.get(self.address)

    def next_waiting(self, waits: Callable[[Row], bool] = attrgetter("needs_you")) -> str:
        """The next row that needs the person, round and round; empty when none but this one
        does."""
        order = list(self.rows)
        here = order.index(self.address) if self.address in self.rows else -1
        turned = order[here + 1 :] + order[: max(0, here)]
        return next((a for a in turned if waits(self.rows[a])), "")

    def go(self, address: str) -> None:
        """Put the cursor on a row, unfolding what hides it."""
        node = self.nodes.get(address)
        if node is None:
            return
        above = node.parent
        while above is not None and above is not self.root:
            if above.is_collapsed:
                above.expand()
                self.folds[above.data or ""] = False
            above = above.parent
        if self.last_line >= 0:
            self.move_cursor(node)
            self._reveal(node)

    # -- folds

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[str]) -> None:
        self.folds[event.node.data or ""] = False

    def on_tree_node_collapsed(self, event: Tree.NodeCollapsed[str]) -> None:
        self.folds[event.node.data or ""] = True

    def action_fold(self) -> None:
        """Fold or unfold the row under the cursor."""
        node = self.cursor_node
        if node is not None and node.allow_expand:
            node.toggle()
            self._reveal(node)

    def _reveal(self, node: TreeNode[str]) -> None:
        """Scroll so far that the parts of an unfolded row are in view, as many as there is room
        for."""
        if self.last_line < 0:  # asking for the last line also numbers the lines
            return
        last = node
        while last.is_expanded and last.children:
            last = last.children[-1]
        lowest = min(node.line, last.line - self.size.height + 1)
        if int(self.scroll_offset.y) < lowest:
            self.scroll_to(y=lowest, animate=False, immediate=True)

    def action_close_row(self) -> None:
        """Fold; on a folded row or a leaf go to the row above it in the tree."""
        node = self.cursor_node
        if node is None:
            return
        if node.allow_expand and node.is_expanded:
            node.collapse()
        elif node.parent is not None and node.parent is not self.root:
            self.move_cursor(node.parent)

    def action_open_row(self) -> None:
        """Unfold; on an unfolded row go to its first part."""
        node = self.cursor_node
        if node is None or not node.allow_expand:
            return
        if node.is_collapsed:
            node.expand()
            self._reveal(node)
        elif node.children and self.last_line >= 0:
            self.move_cursor(node.children[0])


def _shape(rows: Iterable[Row]) -> list[tuple[str, int]]:
    """Which rows there are, and how deep each is."""
    return [(row.address, row.depth) for row in rows]


YEAR_FROM = 34
"""Below this width a paper's year gives way to its title."""

COLUMN_FROM, COLUMN, WIDEST = 48, 10, 18
"""From this width on, what texts say begins in one column, right of the widest label; one of more
than ``WIDEST`` cells is cut."""

LABEL_GAP = 2

TITLE_LEAST = 4
"""Cells below which a title gives way to nothing more."""


def row_text(row: Row, width: int, colours: RowColours, labels: int = COLUMN) -> Text:
    """The row without cursor and fold mark. Every part is literal text; nothing in a title is
    markup. Weight and colour repeat what place, glyph and words say. ``labels``: cells for
    labels."""
    head, title = _head(row, width, labels), _title(row)
    room = width - cell_len(head)
    note = _note(row, title, room)
    title = fit(title, room - cell_len(note))
    parts: list[str | tuple[str, str]] = [
        (head[:1], _verdict_style(row, colours)),
        (head[1:], colours.quiet),
        title,
    ]
    if row.kind is RowKind.BRANCH:
        parts = [(head + title, "bold")]
    elif row.kind is RowKind.SLOT and not row.made:
        parts = [(head + title, colours.quiet)]
    asks = row.needs_you or row.running or row.failed
    note_style = colours.attention if asks else colours.quiet
    return Text.assemble(*parts, (note, note_style), no_wrap=True, end="")


def _head(row: Row, width: int, labels: int) -> str:
    """What is before the title: the glyph of the verdict, and the year of a paper, the label of a
    text or the number of a branch."""
    if row.kind is RowKind.BRANCH:
        return f"{row.label}  " if row.label != row.title else ""
    glyph = wording.glyph(row)
    if row.kind is RowKind.SLOT and width >= YEAR_FROM:
        return f"{glyph} {row.year or '':4}  "
    if row.kind is RowKind.SLOT or row.status is None:
        return f"{glyph} "
    label = fit(row.label, labels) if width >= COLUMN_FROM else cut(row.label, labels)
    return f"{glyph} {label}{' ' * LABEL_GAP}"


def _title(row: Row) -> str:
    """The title; for an empty place of a chain which one it is, and nothing where the label says it
    all."""
    if row.kind is RowKind.SLOT and not row.made:
        return f"{row.title}  {row.label}"
    says_no_more = row.title == row.label or (not row.made and row.label in row.title.split())
    return "" if row.kind is RowKind.TEXT and says_no_more else wording.line(row)


def _note(row: Row, title: str, room: int) -> str:
    """The word at the right, with a gap before it; cut where hardly a title is left. That a verdict
    is due, the glyph says too."""
    word = wording.note(row)
    if not word or (word == wording.DECIDE and cell_len(title) + cell_len(word) + 2 > room):
        return ""
    note = f"  {word}"
    return cut(note, max(0, room)) if room - cell_len(note) < TITLE_LEAST else note


def _verdict_style(row: Row, colours: RowColours) -> str:
    if row.needs_decision or row.running or row.failed:
        return colours.attention
    settled = row.verdict in (Verdict.ACCEPTED, Verdict.PINNED) or row.by_you
    return colours.settled if settled else colours.quiet
