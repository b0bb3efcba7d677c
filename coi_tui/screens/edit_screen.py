"""The editor: a field for each part of a text, with the generated text and what saving does. What
is typed is saved as a draft within a second."""

from __future__ import annotations

from dataclasses import replace

from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.timer import Timer

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.text import count, listed
from coi_tui.paths import edit_outside
from coi_tui.screens.base import ConfirmSheet, SessionScreen
from coi_tui.screens.navigation import EDITING
from coi_tui.screens.open_sessions import SessionController
from coi_tui.session.decisions.edits import TextPart
from coi_tui.widgets.fields import TextField, Tick
from coi_tui.widgets.key_actions import HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import DetailPane, Line, StatusLines

HINTS = {
    "text": "",
    "lines": "one a line",
    "pairs": "one a line, a name and what it is after a colon",
}
"""How a part is written, by what it contains."""


def _field(part: TextPart) -> TextField:
    field = TextField(part.text, soft_wrap=True, show_line_numbers=False, id=f"part-{part.name}")
    hint = HINTS[part.form]
    field.border_title = Content.assemble(
        " ", (part.heading, "bold"), f"  {hint} " if hint else " "
    )
    return field


DRAFT_AFTER = 0.8
"""Seconds from the first unsaved key to the draft in the file, so that a lost process costs less
than a second of typing."""


class EditScreen(SessionScreen[str]):
    """Gives a sentence about what was saved, or None. ``start``: a text to begin with; ``other``:
    another version that went into it; ``again``: how the person comes back here."""

    PLACE = "edit"
    CSS_PATH = "edit_screen.tcss"
    ACTIONS = (
        KeyAction("save", "ctrl+s", "save version", "save the text as a version and use it", 1),
        KeyAction(
            "wording",
            "f2",
            "wording only",
            "a change of wording: what reads this text stays fresh",
            3,
        ),
        KeyAction("edit_outside", "ctrl+g", "$EDITOR", "edit in your own editor"),
        HELP_BY_F1,
        KeyAction(
            "discard", "", "discard draft", "discard what you typed here; the text in use stays"
        ),
        KeyAction("cancel", "escape", "close", "close; a changed text is kept as a draft", 2),
    )

    saved = False
    """Whether what is typed is saved as a draft."""
    _timer: Timer | None = None

    def __init__(
        self,
        controller: SessionController,
        address: str,
        *,
        start: str | None = None,
        other: int | None = None,
        again: str = "e",
    ) -> None:
        super().__init__(controller)
        self.address, self.other, self.again = address, other, again
        self.before = self.session.edits.text_of(address)
        self.opened = self.session.inputs_now(address)
        self.draft = start if start is not None else self.session.edits.draft(address)
        parts = self._parts(self.before if self.draft is None else self.draft)
        self.fields = {part.name: _field(part) for part in parts}
        self.area = next(iter(self.fields.values()))
        """The field that is written in, or was last."""

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="panes"):
            with VerticalScroll(id="text", can_focus=False):
                yield from self.fields.values()
            yield DetailPane(id="source")
        yield Tick(
            "only the wording changes: what was made from it stays up to date (F2)",
            id="wording",
            compact=True,
        )
        yield StatusLines(id="status")

    def _parts(self, text: str) -> list[TextPart]:
        """The parts of a text; one that cannot be told apart is whole in the first of them."""
        edits = self.session.edits
        try:
            return edits.parts(self.address, text)
        except UsageError:
            first, *others = edits.parts(self.address, self.before)
            return [replace(first, text=text), *others]

    def on_mount(self) -> None:
        self.query_one("#text").border_title = Content("[1] Your text")
        self.query_one("#source", DetailPane).border_title = Content("[2] Effect and source")
        self.area.focus()
        self.area.move_cursor((0, 0))
        self.session.remember(EDITING, self.address)
        self.show_effect()
        if self.draft is not None and self.draft != self.before:
            self.say("This is your unsaved draft. ^s saves it; Esc leaves and keeps it.")

    @property
    def texts(self) -> dict[str, str]:
        """What is written, by the names of the parts."""
        return {name: field.text for name, field in self.fields.items()}

    @property
    def text(self) -> str:
        """What is written, all parts of it."""
        return self.session.edits.joined(self.address, self.texts)

    @property
    def changed(self) -> bool:
        return self.text != self.before

    @property
    def wording(self) -> bool:
        """Whether only the wording changes."""
        return self.query_one(Tick).value

    # -- drafts

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, TextField):
            self.area = event.widget

    def on_text_area_changed(self) -> None:
        self.area.scroll_visible(animate=False)  # a part that grows stays in sight
        self.saved = False
        self._show_state()
        if self._timer is None:
            self._timer = self.set_timer(DRAFT_AFTER, self.keep_draft)

    def keep_draft(self) -> None:
        """Save what is typed into the file, outside the log."""
        self._stop_timer()
        try:
            if self.changed:
                self.session.edits.save_draft(self.address, self.text, self.opened)
                self.saved = True
        except CoiError as error:
            self.trouble(error)
        self.show_effect()

    def keep_open_work(self) -> None:
        """Save the draft, which the next opening goes on with; called when the app ends."""
        if self.changed:
            self.keep_draft()

    def _drop_draft(self) -> None:
        self._stop_timer()
        self.session.edits.drop_draft(self.address)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # -- showing

    def _show_state(self) -> None:
        words = sum(len(text.split()) for text in self.texts.values())
        number = len(self.state.cell(self.address).versions)
        state = "changed, not saved yet" if self.changed else "not changed"
        facts = [
            "draft saved" if self.saved else state,
            count(number, "version"),
            count(words, "word"),
        ]
        self.query_one("#header", Line).say(f"Edit {self.address}", "   ".join(facts))
        self.refresh_footer()

    def show_effect(self) -> None:
        """The generated text, the inputs, and what saving would make stale."""
        if not self.composed:
            return
        state, edits = self.state, self.session.edits
        versions = (state.versions[seq] for seq in reversed(state.cell(self.address).versions))
        made = next((version for version in versions if not version.by_person), None)
        parts = [
            ("Saving", self._effect()),
            ("Inputs", "\n".join(sorted({name.partition("#")[0] for name in self.opened}))),
        ]
        if made is not None:
            text = edits.for_reading(self.address, edits.as_text(self.address, made.content))
            parts.append(("Generated text (read only)", text))
        self.query_one("#source", DetailPane).show(self.address, "", parts)
        self._show_state()

    on_checkbox_changed = show_effect

    def _effect(self) -> str:
        if not self.changed:
            return "Nothing is changed yet."
        effect = self.session.edits.effect(self.address, self.text, wording_only=self.wording)
        if effect.problem:
            return f"! {effect.problem}"
        return "\n".join(f"~ {a}   stale" for a in effect.stale) or "Nothing becomes stale."

    # -- actions

    def off_save(self) -> str:
        return "" if not self.composed or self.changed else "nothing was changed"

    off_discard = off_save

    def say(self, text: str) -> None:
        self.query_one(StatusLines).say(text)

    async def do_save(self) -> None:
        """Save as a version; a text that cannot be read back keeps the editor open, with the
        reason."""
        text, edits, other, wording = self.text, self.session.edits, self.other, self.wording
        stale = edits.effect(self.address, text, wording_only=wording).stale
        unread = self.session.unread(self.address)
        await self.controller.decide(
            lambda: edits.save(
                self.address, text, wording_only=wording, other=other, opened=self.opened
            )
        )
        self._drop_draft()
        how = " as wording only" if wording and other is None else ""
        effect = f"Stale now: {listed(stale)}." if stale else unread
        self._leave(f"Saved your text at {self.address}{how}; u undoes it. {effect}".rstrip())

    def do_wording(self) -> None:
        self.query_one(Tick).toggle()

    def do_edit_outside(self) -> None:
        """The text in $VISUAL or $EDITOR. What comes back can be undone like typing; on failure the
        text here stays."""
        about = [
            f"coi-tui: the text at {self.address}",
            "the app shows what becomes stale when you save",
        ]
        try:
            with self.app.suspend():
                text, code = edit_outside(self.text, about)
        except SuspendNotSupported:
            raise UsageError(
                "This terminal cannot hand over to another program.",
                "Go on in the built-in editor.",
            ) from None
        self.app.refresh()
        ended = f"The editor ended with code {code}"
        if text is None:
            unchanged = "The text came back empty or unchanged, so nothing is changed."
            self.say(f"{ended}." if code else unchanged)
            return
        where = self._take(text)
        if code:
            self.keep_draft()
            self.say(f"{ended}: its text is kept as a draft, not saved. ^s saves it.")
        else:
            self.say(f"The text came back from your editor{where}. ^s saves it; ^z takes it back.")

    def _take(self, text: str) -> str:
        """Put what came back into the fields, each of which can be undone like typing; in which,
        where it named none. Plain text is the main part, else the one with the cursor."""
        try:
            parts = self.session.edits.filled(self.address, text)
        except UsageError:
            parts = {name: text for name, field in self.fields.items() if field is self.area}
        for name, part in parts.items():
            field = self.fields[name]
            if part != field.text:
                field.replace(part, (0, 0), field.document.end)
        return f" as {next(iter(parts))}" if len(parts) == 1 < len(self.fields) else ""

    def do_discard(self) -> None:
        words = f"Your changes to {self.address} are only in a draft. Discard them?"
        sheet = ConfirmSheet("Discard your changes?", words, "discard my changes")
        self.ask(sheet, lambda _: self._discard())

    def _discard(self) -> None:
        self._drop_draft()
        self._leave("The draft was discarded; the text in use is as it was.")

    def do_cancel(self) -> None:
        """Leave; a changed text stays as a draft."""
        if not self.changed:
            self._drop_draft()
            self._leave(None)
            return
        self.keep_draft()
        self._leave(f"Your draft of {self.address} is kept; {self.again} continues it.")

    def _leave(self, message: str | None) -> None:
        self.session.remember(EDITING, "")
        self.dismiss(message)
