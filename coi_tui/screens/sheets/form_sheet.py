"""A sheet with declared fields: one line each, a name at the left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.errors import UsageError
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import ChoiceList, LineField, Tick
from coi_tui.widgets.panes import Line

T = TypeVar("T")


@dataclass(frozen=True)
class Field:
    """A line to fill in, a box to tick (``value`` is a bool) or, with ``choices``, a list."""

    name: str
    label: str
    value: str | bool = ""
    hint: str = ""
    choices: Sequence[str] = ()


class FormSheet(Sheet[T]):
    """Enter in any field takes the form. Subclasses declare ``fields`` and read ``values``."""

    TAIL = ("cancel", "help")
    SEND: ClassVar[str] = "send"
    """The action of Enter."""

    def __init__(self, title: str, aside: str, fields: Sequence[Field]) -> None:
        super().__init__()
        self.heading, self.aside, self.fields = title, aside, tuple(fields)

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        with VerticalScroll(id="fields", can_focus=False):
            for field in self.fields:
                with Horizontal(classes="field"):
                    if isinstance(field.value, bool):
                        yield Tick(field.label, field.value, id=field.name, compact=True)
                        continue
                    yield Static(field.label, classes="name", markup=False)
                    if field.choices:
                        yield ChoiceList(id=field.name)
                    else:
                        yield LineField(
                            field.value,
                            placeholder=field.hint,
                            id=field.name,
                            compact=True,
                            select_on_focus=False,
                        )
        yield Static("", id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(f"#{self.fields[0].name}").focus()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        for field in self.fields:
            if field.choices:
                at = field.choices.index(field.value) if field.value in field.choices else 0
                rows = [Content(choice) for choice in field.choices]
                self.query_one(f"#{field.name}", ChoiceList).show(rows, at)
        self.changed()

    @property
    def values(self) -> Mapping[str, str | bool]:
        """What is filled in now, by field; of a list the choice under its cursor."""
        return {field.name: self._value(field) for field in self.fields}

    def text(self, name: str) -> str:
        """What is filled in on a line, or chosen."""
        return str(self.values[name])

    def _value(self, field: Field) -> str | bool:
        if field.choices:
            at = self.query_one(f"#{field.name}", ChoiceList).highlighted
            return field.choices[at] if at is not None else str(field.value)
        if isinstance(field.value, bool):
            return self.query_one(f"#{field.name}", Tick).value
        return self.query_one(f"#{field.name}", LineField).value

    def effect(self) -> str:
        """What the values would do, in sentences. Raises UsageError where they cannot be used."""
        return ""

    def changed(self) -> None:
        """Say what the values would do, or what is wrong with them."""
        if not self.composed:
            return
        try:
            self.say(self.effect())
        except UsageError as error:
            self.say(str(error))
        self.refresh_footer()

    def on_input_changed(self) -> None:
        self.changed()

    on_checkbox_changed = on_option_list_option_highlighted = on_input_changed
    on_descendant_focus = on_input_changed

    async def on_input_submitted(self) -> None:
        await self.action_act(self.SEND)

    on_tick_entered = on_option_list_option_selected = on_input_submitted

    def say(self, text: str) -> None:
        self.query_one("#sums", Static).update(Content(text))
