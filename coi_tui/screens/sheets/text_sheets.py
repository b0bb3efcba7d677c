"""Sheets with one line to fill in: a reason, a note, a review point, words to find, an address."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.address import Branch
from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import CANCEL_TYPING, DECIDE, HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import Line

LINE_ACTIONS = (
    KeyAction("send", "enter", "Enter", "go on", "go on with what is written", DECIDE, 1),
    HELP_BY_F1,
    CANCEL_TYPING,
)


class AskText(Sheet[str]):
    """Gives the line (perhaps empty), or None when nothing is to be done. ``verb``: what Enter is
    called; ``at_bottom``: the rows behind stay in view."""

    PLACE = "line"
    ACTIONS = LINE_ACTIONS
    TAIL = ("help",)

    def __init__(
        self,
        title: str,
        effect: str,
        verb: str = "go on",
        *,
        hint: str = "",
        aside: str = "",
        value: str = "",
        at_bottom: bool = False,
    ) -> None:
        super().__init__(classes="-line" if at_bottom else "")
        self.heading, self.effect, self.verb = title, effect, verb
        self.hint, self.aside, self.value = hint, aside, value

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield Static(Content(self.effect), id="text", markup=False)
        yield LineField(self.value, placeholder=self.hint, id="reason")

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "send" else super().label(item)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.action_act("send")

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))


class ReasonSheet(AskText):
    """Gives the reason (perhaps empty), or None when nothing is to be done."""

    def __init__(self, title: str, effect: str, verb: str = "reject") -> None:
        super().__init__(title, effect, verb, hint="reason (optional)")


class NoteSheet(AskText):
    """Gives the note (empty to take it away), or None when nothing is to be changed. ``shared``: on
    a compared paper, which others will read."""

    def __init__(self, name: str, note: str, *, shared: bool = False) -> None:
        super().__init__(
            f"Note on {name}",
            "Enter saves it; an empty line removes the note.",
            "save",
            hint="what a reader of the proposal should know" if shared else "a line for yourself",
            aside="exported, not sent to a model" if shared else "private: never sent to a model",
            value=" ".join(note.split("\n")),
        )


class PointSheet(AskText):
    """Gives the point (empty for none), or None when nothing is to be added."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Your own point on {name}",
            "It counts like the reviewer's points and is sent when it is ticked. Begin with “metrics:” to say which part it is about.",
            "add",
            hint="what is to be changed in the plan",
        )


class AskSheet(AskText):
    """Gives what a person asks of a text (perhaps nothing), or None."""

    def __init__(self, name: str, before: tuple[str, ...]) -> None:
        stands = f" Asked for before, and still so: {'; '.join(before)}." if before else ""
        effect = "The model rewrites the text in use; where that is yours, it stays and the new one stands beside it. A plan is shown first."
        hint = "make it more about accessibility"
        super().__init__(f"Say how {name} should be", f"{effect}{stands}", hint=hint)


class RefineQuerySheet(AskText):
    """Gives the words to search for before a plan is refined (empty for no search), or None."""

    def __init__(self, name: str, words: str) -> None:
        effect = (
            "Papers that may help to answer the ticked points are searched with these phrases, a semicolon between two. Change them as "
            "you like; an empty line searches nothing. Only the words of this line go to the source of papers."
        )
        hint = "nothing is searched"
        super().__init__(f"Search before refining {name}", effect, hint=hint, value=words)


class FindSheet(AskText):
    """Gives the words (none ends the search), or None."""

    def __init__(self, words: str) -> None:
        super().__init__(
            "Find",
            "Enter goes to the first row that contains it; n and N go on from there, Esc ends the search.",
            "find",
            hint="words in a title, text, card or note, or an address",
            value=words,
            at_bottom=True,
        )


class WordsSheet(AskText):
    """Gives the words to search the anchor of a branch with, or None."""

    def __init__(self, branch: Branch, words: str) -> None:
        super().__init__(
            f"Search for the anchor of branch {branch} with these words",
            f"They become question {branch}; accepted and pinned papers stay. A plan is shown before anything is searched.",
            "search",
            hint="what the papers should be about",
            value=words,
            at_bottom=True,
        )
