"""The two ideas of a match beside each other, paragraph by paragraph; a paragraph of one can be taken into a draft of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from coi_tui.model.content import IdeaContent
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.texts.diff_screen import SIDE_ACTIONS, SIDES
from coi_tui.session.decisions.merges import Paragraph
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, MAKE, KeyAction
from coi_tui.widgets.panes import Line

OTHER = {"left": "right", "right": "left"}

IDEAS_ACTIONS = (
    KeyAction("merge", "b,enter", "b", "take into the other", "put this paragraph into a draft of the other idea, in the editor", MAKE, 1),
    *SIDE_ACTIONS,
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "back", "back to the match", DECIDE, 9),
)


class IdeasScreen(CoiScreen[str]):
    """Gives a sentence about the draft that was saved or kept, or None. While the match is judged blind no address is shown."""

    PLACE = "ideas"
    CSS_PATH = "ideas_screen.tcss"
    ACTIONS = IDEAS_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, controller: SessionController, addresses: tuple[str, str], *, blind: bool) -> None:
        """``addresses``: of the left idea and of the right one."""
        super().__init__()
        self.controller, self.session, self.blind = controller, controller.session, blind
        self.addresses = dict(zip(SIDES, addresses, strict=True))
        self.parts: dict[str, list[Paragraph]] = {side: [] for side in SIDES}

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="sides"):
            for side in SIDES:
                yield MarkedList(id=side)
        yield Line(id="said")

    def on_mount(self) -> None:
        for side in SIDES:
            self.parts[side] = self.session.merges.paragraphs(self.addresses[side])
            rows = self.query_one(f"#{side}", MarkedList)
            rows.border_title = Content(f"[{SIDES.index(side) + 1}] {side.upper()}  {self._title(side)}")
            rows.show(_rows(self.parts[side]), 0)
        self.query_one("#header", Line).say("b puts a paragraph into a draft of the other idea; nothing is called")
        self.query_one("#left").focus()
        self.refresh_footer()

    def _title(self, side: str) -> str:
        """An idea by its title, and by its address once that may be seen: an address tells the method."""
        idea = self.session.state.read(self.addresses[side], IdeaContent)
        return f"{'' if self.blind else f'{self.addresses[side]}  '}{idea.title if idea is not None else ''}"

    @property
    def side(self) -> str:
        """The side that has the cursor."""
        return "right" if self.focused is not None and self.focused.id == "right" else "left"

    @property
    def chosen(self) -> Paragraph | None:
        """The paragraph under the cursor."""
        at = self.query_one(f"#{self.side}", MarkedList).highlighted
        return self.parts[self.side][at] if at is not None and at < len(self.parts[self.side]) else None

    def off_merge(self) -> str:
        return self.controller.not_writable() or ("" if self.composed and self.chosen is not None else "there is no paragraph")

    def do_merge(self) -> None:
        """Open the draft of the other idea in the editor, with the paragraph in it."""
        from coi_tui.screens.texts.edit_screen import EditScreen

        paragraph, target = self.chosen, self.addresses[OTHER[self.side]]
        if paragraph is None:
            return
        draft = self.session.merges.draft(self.addresses[self.side], paragraph, target)
        shown = replace(draft, shown_as=f"the {OTHER[self.side]} idea") if self.blind else draft
        self.app.push_screen(EditScreen(self.controller, target, merge=shown), self._edited)

    def _edited(self, said: str | None) -> None:
        if said:
            self.dismiss(said)

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def do_down(self) -> None:
        self.query_one(f"#{self.side}", MarkedList).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(f"#{self.side}", MarkedList).action_cursor_up()

    def do_pane_1(self) -> None:
        self.query_one("#left").focus()

    def do_pane_2(self) -> None:
        self.query_one("#right").focus()

    def do_cancel(self) -> None:
        self.dismiss(None)


def _rows(parts: Sequence[Paragraph]) -> list[Content]:
    """Each paragraph in full, the first of a field under the field's name, the others after a dash."""
    fields = ["", *(part.field for part in parts)]
    return [
        Content.assemble((f"{_name(part)}\n  ", "bold") if part.field != before else "- ", " ".join(part.text.split()))
        for part, before in zip(parts, fields, strict=False)
    ]


def _name(part: Paragraph) -> str:
    return part.field.replace("_", " ").capitalize()
