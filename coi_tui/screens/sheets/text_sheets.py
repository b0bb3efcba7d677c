"""Sheets with one line to fill in: a reason, a note, a review point, words to find, an address."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.address import Branch
from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import KeyAction, line_actions
from coi_tui.widgets.panes import Line


class LineSheet(Sheet[str]):
    """Gives the line (perhaps empty), or None when nothing is to be done."""

    TAIL = ("help",)
    HINT: ClassVar[str] = ""

    def __init__(self, title: str, effect: str, *, aside: str = "", value: str = "") -> None:
        super().__init__()
        self.heading, self.effect, self.aside, self.value = title, effect, aside, value

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield Static(Content(self.effect), id="text", markup=False)
        yield LineField(self.value, placeholder=self.HINT, id="reason")

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.do_send()

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))


REASON_ACTIONS = line_actions(
    "reject", "go on, with the reason if you give one", "nothing is changed"
)


class ReasonSheet(LineSheet):
    """Gives the reason (perhaps empty), or None when nothing is to be done."""

    PLACE = "reason"
    ACTIONS = REASON_ACTIONS
    HINT = "reason (optional)"

    def __init__(self, title: str, effect: str, verb: str = "reject") -> None:
        super().__init__(title, effect)
        self.verb = verb

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "send" else super().label(item)


NOTE_ACTIONS = line_actions(
    "save", "save the note; an empty line removes it", "the note stays as it was"
)


class NoteSheet(LineSheet):
    """Gives the note (empty to take it away), or None when nothing is to be changed."""

    PLACE = "note"
    ACTIONS = NOTE_ACTIONS
    HINT = "a line for yourself"
    ASIDE = "private: never sent to a model"

    def __init__(self, name: str, note: str) -> None:
        super().__init__(
            f"Note on {name}",
            "Enter saves it; an empty line removes the note.",
            aside=self.ASIDE,
            value=" ".join(note.split("\n")),
        )


class PaperNoteSheet(NoteSheet):
    """The same for a note on a compared paper, which others will read."""

    HINT = "what a reader of the proposal should know"
    ASIDE = "exported, not sent to a model"


POINT_ACTIONS = line_actions("add", "add the point; an empty line adds nothing", "nothing is added")


class PointSheet(LineSheet):
    """Gives the point (empty for none), or None when nothing is to be added."""

    PLACE = "point"
    ACTIONS = POINT_ACTIONS
    HINT = "what is to be changed in the plan"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Your own point on {name}",
            "It counts like the reviewer's points and is sent when it is ticked. Begin with “metrics:” to say which part it is about.",
        )


ASK_ACTIONS = line_actions(
    "go on", "show the plan of rewriting it; nothing is sent yet", "nothing is asked for"
)


class AskSheet(LineSheet):
    """Gives what a person asks of a text (perhaps nothing), or None."""

    PLACE = "ask"
    ACTIONS = ASK_ACTIONS
    HINT = "make it more about accessibility"

    def __init__(self, name: str, before: tuple[str, ...]) -> None:
        stands = f" Asked for before, and still so: {'; '.join(before)}." if before else ""
        effect = "The model rewrites the text in use; where that is yours, it stays and the new one stands beside it."
        super().__init__(f"Say how {name} should be", f"{effect}{stands}")


REFINE_QUERY_ACTIONS = line_actions(
    "go on", "show the plan of the refinement; nothing is sent yet", "nothing is refined"
)


class RefineQuerySheet(LineSheet):
    """Gives the words to search for before a plan is refined (empty for no search), or None."""

    PLACE = "refine_query"
    ACTIONS = REFINE_QUERY_ACTIONS
    HINT = "nothing is searched"

    def __init__(self, name: str, words: str) -> None:
        effect = (
            "Papers that may help to answer the ticked points are searched with these phrases, a semicolon between two. Change them as "
            "you like; an empty line searches nothing. Only the words of this line go to the source of papers."
        )
        super().__init__(f"Search before refining {name}", effect, value=words)


FIND_ACTIONS = line_actions(
    "find", "go to the first row that contains it", "the search before goes on"
)


class FindSheet(LineSheet):
    """Gives the words (none ends the search), or None."""

    PLACE = "find"
    ACTIONS = FIND_ACTIONS
    HINT = "words in a title, text, card or note, or an address"
    CSS_PATH = "text_sheets.tcss"

    def __init__(self, words: str) -> None:
        super().__init__(
            "Find",
            "Enter goes to the first row that contains it; n and N go on from there, Esc ends the search.",
            value=words,
        )
        self.add_class("-line")


WORDS_ACTIONS = line_actions(
    "search", "show the plan of this search; nothing is sent yet", "nothing is searched"
)


class WordsSheet(LineSheet):
    """Gives the words to search the anchor of a branch with, or None."""

    PLACE = "words"
    ACTIONS = WORDS_ACTIONS
    HINT = "what the papers should be about"
    CSS_PATH = "text_sheets.tcss"

    def __init__(self, branch: Branch, words: str) -> None:
        effect = f"They become question {branch}; accepted and pinned papers stay. A plan is shown before anything is searched."
        super().__init__(
            f"Search for the anchor of branch {branch} with these words", effect, value=words
        )
        self.add_class("-line")


FILTER_ACTIONS = line_actions(
    "filter", "show only rows with these words; an empty line shows all", "the list stays as it is"
)


class FilterSheet(LineSheet):
    """Gives the words of a filter (none shows all), or None."""

    PLACE = "filter"
    ACTIONS = FILTER_ACTIONS
    HINT = "words in a title, a year, a flag"
    CSS_PATH = "text_sheets.tcss"

    def __init__(self, words: str) -> None:
        super().__init__(
            "Filter",
            "Only rows that contain all of these words are shown; nothing is changed.",
            value=words,
        )
        self.add_class("-line")
