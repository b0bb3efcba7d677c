"""Two texts beside each other: two rows, or two versions of one text, block by block."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from coi_tui.model.naming import version_number
from coi_tui.model.text import count
from coi_tui.present.text import parts
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.texts import Block, blocks, words
from coi_tui.widgets.key_actions import DECIDE, HELP, LIST_ACTIONS, MAKE, KeyAction
from coi_tui.widgets.panes import DetailPane, cut

COMPARE_ACTIONS = (
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class CompareScreen(CoiScreen[None]):
    """Tab goes from one text to the other. ``blind``: nothing tells which row or method it is
    of."""

    PLACE = "compare"
    ACTIONS = COMPARE_ACTIONS
    TAIL = ("cancel", "help")
    DEFAULT_CSS = """
    CompareScreen #sides { layout: horizontal; height: 1fr; }
    CompareScreen.-one #sides { layout: vertical; }
    CompareScreen #sides DetailPane { width: 1fr; height: 1fr; border: round $text-primary; background: $surface; }
    CompareScreen #sides DetailPane:focus { border: double $text-accent; }
    """

    def __init__(
        self, controller: SessionController, first: str, second: str, *, blind: bool = False
    ) -> None:
        super().__init__()
        self.session, self.pair, self.blind = controller.session, (first, second), blind

    def body(self) -> ComposeResult:
        with Container(id="sides"):
            yield DetailPane(id="left", marked=True)
            yield DetailPane(id="right", marked=True)

    def on_mount(self) -> None:
        queries = self.session.queries
        for pane, address in zip(self.query(DetailPane), self.pair, strict=True):
            pane.border_title = Content(str(pane.id) if self.blind else address)
            if self.blind:
                pane.show(address, "", list(parts(queries.document(address))))
            else:
                about = queries.detail(address)
                pane.show(address, about.title, about.parts)
        self.query_one("#left").focus()
        self.refresh_footer()

    def do_cancel(self) -> None:
        self.dismiss(None)


DIFF_ACTIONS = (
    KeyAction(
        "adopt", "a", "a", "use theirs", "use the other version; it then stays in use", DECIDE, 1
    ),
    KeyAction(
        "merge",
        "m",
        "m",
        "by hand",
        "edit the text in use into one that has both versions as parents",
        MAKE,
        2,
    ),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class DiffScreen(Listing[str, Block]):
    """``mine`` is the version in use, ``theirs`` another one, part by part. Gives a sentence about
    what was changed, or None."""

    PLACE = "diff"
    ACTIONS = DIFF_ACTIONS
    NAMES = ("[1] Parts   = same  * differ", "[2] Both texts")
    CHANGES = frozenset({"adopt", "merge"})
    MARKED = False  # "-" before a word says that only mine has it
    EMPTY = "Both texts are empty."

    def __init__(self, controller: SessionController, address: str, theirs: int) -> None:
        super().__init__(controller)
        self.address, self.seq = address, theirs

    def keys(self) -> Sequence[str]:
        return [str(n) for n in range(self.count)]

    def take(self) -> None:
        state, as_text = self.session.state, self.session.edits.as_text
        mine, theirs = state.in_use(self.address), state.versions[self.seq]
        self.items = blocks(
            as_text(self.address, mine.content) if mine is not None else "",
            as_text(self.address, theirs.content),
        )

    def first(self) -> int:
        return next((n for n, block in enumerate(self.items) if not block.same), 0)

    def heading(self) -> tuple[str, str]:
        state, differ = self.session.state, sum(not block.same for block in self.items)
        mine = state.in_use(self.address)
        names = [
            f"v{version_number(state, self.address, seq)}"
            for seq in (mine.seq if mine is not None else self.seq, self.seq)
        ]
        return (
            f"{self.address}   {names[0]} in use (mine) against {names[1]} (theirs)",
            f"{differ} of {count(self.count, 'part')} differ",
        )

    def row_texts(self, width: int) -> Sequence[Content]:
        return [
            Content(
                cut(
                    f"{'=' if b.same else '*'} {' '.join(self._read(b.mine or b.theirs).split())}",
                    width,
                )
            )
            for b in self.items
        ]

    def _read(self, text: str) -> str:
        return self.session.edits.for_reading(self.address, text).rstrip()

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        block = self.items[at]
        mine, theirs = self._read(block.mine), self._read(block.theirs)
        if block.same:
            return str(at), "", [("", mine)]
        parts = [("Mine", mine or "(nothing)"), ("Theirs", theirs or "(nothing)")]
        if mine and theirs:
            parts.append(("By word   [-mine-] {+theirs+}", _word_by_word(Block(mine, theirs))))
        return str(at), "", parts

    # -- actions

    def off_adopt(self) -> str:
        used = self.session.state.in_use(self.address)
        return "it is in use" if used is not None and used.seq == self.seq else ""

    async def do_adopt(self) -> None:
        said = f"The other version of {self.address} is in use and stays so; u undoes it."
        await self.change(
            self.address,
            f"Use the other version of {self.address}?",
            lambda s: s.decisions.adopt(self.address, self.seq),
            lambda _: self.dismiss(said),
        )

    def do_merge(self) -> None:
        """Go on by hand, in the editor."""
        from coi_tui.screens.texts.edit_screen import EditScreen

        screen = EditScreen(self.controller, self.address, beside=self.seq)
        self.app.push_screen(screen, self._merged)

    def _merged(self, said: str | None) -> None:
        if said:
            self.dismiss(said)


def _word_by_word(block: Block) -> str:
    """Both texts in one, with what only one of them has in brackets."""
    marks = {"same": ("", ""), "mine": ("[-", "-]"), "theirs": ("{+", "+}")}
    return "".join(f"{marks[kind][0]}{text}{marks[kind][1]}" for kind, text in words(block))
