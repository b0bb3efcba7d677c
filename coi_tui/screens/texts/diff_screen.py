"""Two texts beside each other: two rows, or two versions of one text, block by block."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.model.wording import count
from coi_tui.screens.base import CoiScreen, answering
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.texts import Block, Side, blocks, merged, touched, words
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.formatting import cut
from coi_tui.widgets.key_actions import DECIDE, HELP, LIST_ACTIONS, LOOK, MAKE, MOVE, KeyAction
from coi_tui.widgets.panes import DetailPane, Line

SIDES = ("left", "right")


SIDE_ACTIONS = (
    KeyAction("pane_1", "1", "1", "left", "go to the first text (also Tab)", MOVE, 1),
    KeyAction("pane_2", "2", "2", "right", "go to the second text (also Tab)", MOVE, 2),
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
)
"""The keys of two texts beside each other."""
COMPARE_ACTIONS = (
    *SIDE_ACTIONS,
    KeyAction("page", "space", "Space", "page down", "a page down", MOVE, 3),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class CompareScreen(CoiScreen[str]):
    """Follows the session: a text that changes meanwhile is shown as it is now. ``blind``: nothing tells which row or method it is of."""

    PLACE = "compare"
    ACTIONS = COMPARE_ACTIONS
    TAIL = ("cancel", "help")
    DEFAULT_CSS = """
    CompareScreen #sides { layout: horizontal; height: 1fr; }
    CompareScreen.-one #sides { layout: vertical; }
    CompareScreen #sides DetailPane { width: 1fr; height: 1fr; border: round $secondary; background: $surface; }
    CompareScreen #sides DetailPane:focus { border: double $accent; }
    """

    def __init__(
        self, controller: SessionController, first: str, second: str, *, blind: bool = False
    ) -> None:
        super().__init__()
        self.controller, self.session, self.pair, self.blind = (
            controller,
            controller.session,
            (first, second),
            blind,
        )
        self._seen = -1

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Container(id="sides"):
            for side in SIDES:
                yield DetailPane(id=side, marked=True)

    def on_mount(self) -> None:
        self.query_one("#left", DetailPane).focus()
        self.set_interval(0.5, self._load)
        self._load()

    def _load(self) -> None:
        """Show both texts when the session has moved since."""
        state = self.session.state
        if state.seq == self._seen:
            return
        self._seen = state.seq
        names, queries = SIDES if self.blind else self.pair, self.session.queries
        for n, (side, address) in enumerate(zip(SIDES, self.pair, strict=True)):
            pane = self.query_one(f"#{side}", DetailPane)
            pane.border_title = Content(f"[{n + 1}] {names[n]}")
            if self.blind:
                pane.show(address, "", queries.text_alone(address))
            else:
                about = queries.detail(address)
                pane.show(address, about.title, about.parts)
        self.query_one("#header", Line).say(f"{names[0]} beside {names[1]}", "read only")
        self.refresh_footer()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_footer)

    @property
    def side(self) -> DetailPane:
        """The text that has the focus."""
        return (
            self.focused
            if isinstance(self.focused, DetailPane)
            else self.query_one("#left", DetailPane)
        )

    def do_pane_1(self) -> None:
        self.query_one("#left").focus()

    def do_pane_2(self) -> None:
        self.query_one("#right").focus()

    def do_down(self) -> None:
        self.side.scroll_down(animate=False)

    def do_up(self) -> None:
        self.side.scroll_up(animate=False)

    def do_page(self) -> None:
        self.side.scroll_page_down(animate=False)

    def do_cancel(self) -> None:
        self.dismiss(None)


DIFF_ACTIONS = (
    KeyAction(
        "theirs",
        "greater_than_sign",
        ">",
        "theirs",
        "take this part from theirs, and go to the next that differs",
        DECIDE,
        1,
    ),
    KeyAction(
        "mine",
        "less_than_sign",
        "<",
        "mine",
        "keep this part as mine, and go to the next that differs",
        DECIDE,
        2,
    ),
    KeyAction(
        "save",
        "ctrl+s,enter",
        "^s",
        "save merge",
        "save the text put together; it has both versions as parents",
        DECIDE,
        3,
    ),
    KeyAction(
        "take_free",
        "T",
        "T",
        "take untouched",
        "take from theirs every part that you had not changed yourself",
        DECIDE,
        4,
    ),
    KeyAction(
        "merge", "m", "m", "by hand", "go on with the text put together in the editor", MAKE, 5
    ),
    KeyAction(
        "words", "D", "D", "by word", "show the part word by word, or as two paragraphs", LOOK, 6
    ),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class DiffScreen(CoiScreen[str]):
    """``mine`` is the version in use, ``theirs`` another one. Gives a sentence about what was saved, or None."""

    PLACE = "diff"
    CSS_PATH = "diff_screen.tcss"
    ACTIONS = DIFF_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, controller: SessionController, address: str, theirs: int) -> None:
        super().__init__()
        self.controller, self.session, self.address, self.seq = (
            controller,
            controller.session,
            address,
            theirs,
        )
        state = self.session.state
        mine = state.in_use(address)
        assert mine is not None
        self.mine = self.session.edits.as_text(address, mine.content)
        self.blocks = blocks(
            self.mine, self.session.edits.as_text(address, state.versions[theirs].content)
        )
        base = next((state.versions[p] for p in mine.parents if p in state.versions), None)
        own = touched(
            self.session.edits.as_text(address, base.content) if base else "", self.blocks
        )
        self.free = [
            not block.same and not mine_alone
            for block, mine_alone in zip(self.blocks, own, strict=True)
        ]
        self.choices: dict[int, Side] = {}
        self.by_word = False
        all_of = state.cell(address).versions
        self.names = f"v{all_of.index(mine.seq) + 1} in use (mine) against v{all_of.index(theirs) + 1} (theirs)"

    def body(self) -> ComposeResult:
        yield Line(f"Compare {self.address}   {self.names}", id="header")
        yield MarkedList(id="lines")
        with VerticalScroll(id="about"), Container(id="both"):
            yield Static("", id="text", markup=False)
            yield Static("", id="theirs", markup=False)
        yield Line(id="said")

    def on_mount(self) -> None:
        self.query_one("#lines").focus()
        self._fill(next((n for n, b in enumerate(self.blocks) if not b.same), 0))

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    @property
    def changed(self) -> list[int]:
        return [n for n, b in enumerate(self.blocks) if not b.same]

    @property
    def at(self) -> int:
        return self.query_one(MarkedList).highlighted or 0

    def _fill(self, at: int | None = None) -> None:
        rows = self.query_one(MarkedList)
        rows.border_title = Content(
            f"[1] {len(self.changed)} of {count(len(self.blocks), 'part')} differ"
        )
        rows.show(
            [Content(self._row(n, rows.room)) for n in range(len(self.blocks))],
            self.at if at is None else at,
        )
        self._about()
        self.refresh_footer()

    def _row(self, n: int, room: int) -> str:
        block = self.blocks[n]
        sign = "=" if block.same else ">" if self.choices.get(n) == "theirs" else "<"
        word = "same  " if block.same else "theirs" if self.choices.get(n) == "theirs" else "mine  "
        text = self._shown(block.theirs if self.choices.get(n) == "theirs" else block.mine)
        return f"{sign} {word}  {cut(' '.join(text.split()) or '(nothing)', max(20, room - 10))}"

    def _shown(self, text: str) -> str:
        return self.session.edits.for_reading(self.address, text)

    def _about(self) -> None:
        block = self.blocks[self.at] if self.blocks else None
        mine, theirs = (
            Content(self._shown(block.mine) if block else "Both texts are empty."),
            Content(""),
        )
        if block is not None and not block.same:
            shown = Block(self._shown(block.mine), self._shown(block.theirs))
            if self.by_word:
                mine = _word_by_word(shown)
            else:
                mine, theirs = _titled("MINE", shown.mine), _titled("THEIRS", shown.theirs)
        self.query_one("#text", Static).update(mine)
        self.query_one("#theirs", Static).update(theirs)
        self.query_one("#theirs").display = bool(theirs)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._about()
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def off_theirs(self) -> str:
        same = self.composed and (not self.blocks or self.blocks[self.at].same)
        return "this part is the same in both" if same else ""

    off_mine = off_theirs

    def off_merge(self) -> str:
        return (
            ""
            if "theirs" in self.choices.values()
            else "nothing of theirs is taken yet; > takes a part"
        )

    def off_save(self) -> str:
        return self.off_merge() or self.controller.not_writable()

    def off_take_free(self) -> str:
        return (
            "" if any(self.free) else "you changed every part that differs, so each needs a choice"
        )

    # -- actions --------------------------------------------------------------------------------------------------

    def do_theirs(self) -> None:
        self._choose("theirs")

    def do_mine(self) -> None:
        self._choose("mine")

    def _choose(self, side: Side) -> None:
        self.choices[self.at] = side
        after = next((n for n in self.changed if n > self.at), self.at)
        self._fill(after)

    def do_take_free(self) -> None:
        for n, free in enumerate(self.free):
            if free:
                self.choices[n] = "theirs"
        self._fill()
        self.say(
            f"Taken from theirs, since you had not touched them: {count(sum(self.free), 'part')}."
        )

    def do_words(self) -> None:
        self.by_word = not self.by_word
        self._about()
        self.say("Word by word: [-only mine-] {+only theirs+}." if self.by_word else "")

    async def do_save(self) -> None:
        from coi_tui.screens.sheets.confirm_sheet import foretold

        text, address = merged(self.blocks, self.choices), self.address
        taken = f"{sum(side == 'theirs' for side in self.choices.values())} of {len(self.changed)} parts are theirs"

        async def go() -> None:
            await self.controller.decide(lambda: self.session.edits.merge(address, text, self.seq))
            self.dismiss(
                f"Merged: {taken}. The merge is in use, with both as parents; u undoes it."
            )

        await foretold(
            self.session.consequences(
                address, lambda trial: trial.edits.merge(address, text, self.seq)
            ),
            f"Use the merged text at {address}?",
            go,
            lambda sheet, then: self.app.push_screen(sheet, answering(self, then)),
            self.say,
        )

    def do_merge(self) -> None:
        """Go on by hand: the merged text in the editor."""
        from coi_tui.screens.texts.edit_screen import EditScreen

        screen = EditScreen(
            self.controller, self.address, start=merged(self.blocks, self.choices), beside=self.seq
        )
        self.app.push_screen(screen, self._merged)

    def _merged(self, said: str | None) -> None:
        if said:
            self.dismiss(said)

    def do_pane_1(self) -> None:
        self.query_one("#lines").focus()

    def do_pane_2(self) -> None:
        self.query_one("#about").focus()

    def do_cancel(self) -> None:
        self.dismiss(None)


def _word_by_word(block: Block) -> Content:
    """Both texts in one, with what only one of them has in brackets."""
    marks = {"same": ("", "", ""), "mine": ("[-", "-]", "dim"), "theirs": ("{+", "+}", "bold")}
    pieces = ((*marks[kind], text) for kind, text in words(block))
    return Content("").join(
        Content.styled(f"{before}{text}{after}", style) for before, after, style, text in pieces
    )


def _titled(side: str, text: str) -> Content:
    return Content.assemble((f"{side}\n", "bold"), text.rstrip() or "(nothing)")
