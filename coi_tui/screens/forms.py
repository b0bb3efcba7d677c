"""Sheets with fields: a new session, the criteria of papers, the export."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.criteria import Criteria
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.money import Limit
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.screens.base import ConfirmSheet, Sheet
from coi_tui.session.decisions.criteria_change import (
    changed,
    criteria_of,
    words,
    would_leave_out,
    years_text,
)
from coi_tui.session.new_session import NewSessionDraft, not_covered, offline_topics, save_draft
from coi_tui.session.session import Session
from coi_tui.widgets.fields import LineField, MarkedList, Tick
from coi_tui.widgets.key_actions import CANCEL_TYPING, HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import Line

if TYPE_CHECKING:
    from coi_tui.session.exports import ProposalOptions

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
    """Enter in any field takes the form (``send``). Subclasses declare ``fields`` and read ``values``."""

    SAYS = "#sums"

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
                        yield MarkedList(id=field.name)
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
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        for field in self.fields:
            if field.choices:
                at = field.choices.index(field.value) if field.value in field.choices else 0
                rows = [Content(choice) for choice in field.choices]
                self.query_one(f"#{field.name}", MarkedList).show(rows, at)
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
            at = self.query_one(f"#{field.name}", MarkedList).highlighted
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
        await self.action_act("send")


LISTS = {
    "venues": ("Venue contains any", "ACL, NeurIPS"),
    "without_venues": ("Venue contains none", "arXiv"),
    "words": ("Text contains any", "reasoning, plan*"),
    "without_words": ("Text contains none", "survey, robot*"),
}


class CriteriaSheet(FormSheet[Criteria]):
    """Gives the criteria, or None."""

    PLACE = "criteria"
    ACTIONS = (
        KeyAction(
            "send",
            "enter,ctrl+s",
            "set",
            "set these criteria; lists made under others become stale (also ^s)",
            1,
        ),
        HELP_BY_F1,
        CANCEL_TYPING,
    )

    def __init__(self, state: State) -> None:
        self.state, self.now = state, criteria_of(state)
        lists = [
            Field(name, label, ", ".join(getattr(self.now, name)), hint)
            for name, (label, hint) in LISTS.items()
        ]
        fields = [
            Field("no_surveys", "no surveys, reviews or tutorials", self.now.no_surveys),
            Field("years", "Years", years_text(self.now), "2018-2026, 2018- or -2026"),
            *lists,
            Field("citations", "Minimum citations", str(self.now.citations or ""), "a number"),
        ]
        super().__init__("Criteria: which papers may be proposed", "u undoes a change", fields)

    def asked(self) -> Criteria:
        """What the lines say. Raises UsageError where that cannot be used."""
        number = self.text("citations").strip()
        if number and not number.isdecimal():
            raise UsageError(
                f"{number[:20]!r} is not a number of citations.",
                "Enter a number, or leave it empty.",
            )
        bounds = {"years": self.text("years"), "citations": int(number or 0) or None}
        lists = {name: words(self.text(name)) for name in LISTS}
        return changed(None, {"no_surveys": self.values["no_surveys"], **bounds, **lists})

    def effect(self) -> str:
        asked = self.asked()
        if not asked:
            return "Nothing is left out."
        out, of = would_leave_out(self.state, asked)
        listed = f"They leave out {out} of the {count(of, 'paper')} listed so far. " if of else ""
        return f"{listed}A paper left out stays in its list with the reason; you can still choose or pin it. Accepted and pinned papers stay."

    def off_send(self) -> str:
        if not self.composed:
            return ""
        try:
            return "nothing was changed" if self.asked() == self.now else ""
        except UsageError as error:
            return str(error).rstrip(".")

    def do_send(self) -> None:
        self.dismiss(self.asked())


APPENDIX, EVERY, NOTES, PANDOC = "appendix", "every", "notes", "pandoc"
CHOICES = {
    APPENDIX: "the proposal with its appendix",
    EVERY: "the appendix with every idea in full, of every method",
    NOTES: "the appendix with my notes, which are private",
    PANDOC: "citations in Markdown for pandoc, by the keys of the BibTeX",
}
"""The boxes after the formats."""


class ExportSheet(FormSheet[list[str]]):
    """Gives the paths written, or None."""

    PLACE = "export"
    CSS_PATH = "export_sheet.tcss"
    ACTIONS = (
        KeyAction(
            "send",
            "enter",
            "write",
            "write what is ticked; existing files are overwritten only after a yes",
            1,
        ),
        HELP_BY_F1,
        CANCEL_TYPING,
    )
    GUARDED = True

    def __init__(self, session: Session) -> None:
        from coi_tui.session.exports import titles_of_formats

        self.formats, self.session = titles_of_formats(), session
        formats = [
            Field(name, f"{name:5} {title}", name == "md") for name, title in self.formats.items()
        ]
        choices = [Field(name, text, False) for name, text in CHOICES.items()]
        hint = "where to write; the extension is added"
        where = Field("where", "Path", f"./{session.exports.stem}", hint)
        aside = "the session itself is already saved"
        super().__init__(f"Export {session.name}", aside, (*formats, *choices, where))
        self._warned_for: ProposalOptions | None = None

    @property
    def options(self) -> ProposalOptions:
        """How the proposal is to be written."""
        from coi_tui.session.exports import ProposalOptions

        values = self.values
        appendix, every, notes, pandoc = (bool(values[name]) for name in CHOICES)
        appendix = appendix or every or notes
        return ProposalOptions(appendix, every, notes, "pandoc" if pandoc else "numbers")

    def body(self) -> ComposeResult:
        yield from super().body()
        with VerticalScroll(id="warnings"):
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self.query_one("#warnings").border_title = Content("Warnings of the proposal")

    def changed(self) -> None:
        """Find the warnings again in a thread: a long session takes a moment."""
        super().changed()
        if self.composed and self.options != self._warned_for:
            self._warned_for = self.options
            self.replace_worker(self._find_warnings, "warnings")

    async def _find_warnings(self) -> None:
        lines = await asyncio.to_thread(self.session.exports.warned, self.options)
        self.query_one("#warnings Static", Static).update(Content("\n".join(lines)))

    def off_send(self) -> str:
        ticked = self.composed and any(self.values[name] for name in self.formats)
        return "" if ticked else "nothing is ticked; Space ticks"

    def targets(self) -> dict[str, Path]:
        """The file of each ticked kind. Raises UsageError where no place is named."""
        typed = self.text("where").strip()
        if not typed:
            raise UsageError("No path is given.", "Enter a path; the extension is added.")
        base = Path(typed).expanduser()
        for name in self.formats:
            base = base.with_name(base.name.removesuffix(f".{name}") or base.name)
        return {
            name: base.with_name(f"{base.name}.{name}")
            for name in self.formats
            if self.values[name]
        }

    async def do_send(self) -> None:
        targets, options = self.targets(), self.options
        there = await asyncio.to_thread(
            lambda: [path.name for path in targets.values() if os.path.exists(path)]
        )

        async def write(_: object = None) -> None:
            write_all = self.session.exports.write_all
            paths = await asyncio.to_thread(
                write_all, targets, overwrite=bool(there), options=options
            )
            self.dismiss(paths)

        if there:
            folder = next(iter(targets.values())).absolute().parent
            text = f"{', '.join(there)} {'exists' if len(there) == 1 else 'exist'} already in {folder}."
            self.ask(ConfirmSheet("Overwrite?", text, "overwrite"), write)
        else:
            await write()


NOT_COVERED = (
    "The papers known here do not cover this topic. Other words may do; so do an online source (a key),"
    " papers of your own (coi papers add FILE.bib), or papers that you pin in the session (p)."
)
SAVE_EVERY = 0.4
"""Seconds between two looks whether the form has changed."""


class TopicSheet(FormSheet[NewSessionDraft]):
    """Gives the draft of a session, or None. What is typed is saved in a file of its own until the
    session is created."""

    PLACE = "new"
    ACTIONS = (
        KeyAction("send", "enter,ctrl+s", "create", "create the session (also ^s)", 1),
        KeyAction(
            "offer", "down", "a topic", "offline: the next topic that the starter library covers", 4
        ),
        HELP_BY_F1,
        KeyAction(
            "cancel",
            "escape",
            "cancel",
            "close; no session is created, and what you typed is kept for next time",
            2,
        ),
    )

    def __init__(
        self,
        services: str,
        begun: NewSessionDraft | None = None,
        methods: Sequence[str] = (),
        online: bool = True,
    ) -> None:
        """``begun``: what was typed before; ``methods``: those to begin with, the usual one first;
        ``online``: papers are searched on the network, unless the person stays offline."""
        self.saved = begun or NewSessionDraft("")
        fields = [
            Field("topic", "Topic", self.saved.topic, "a line or two"),
            Field("hunch", "Your hunch", self.saved.hunch, "optional; private"),
            Field("send_hunch", "send the hunch to the model", self.saved.send_hunch),
            Field("name", "Name", self.saved.name, "optional; made from the topic"),
            Field("method", "Method", self.saved.method, choices=methods),
            Field("branches", "Branches", self.saved.branches, "1 to 5; empty: as in the settings"),
            Field(
                "length",
                "Papers per chain",
                self.saved.length,
                "1 to 12; empty: as in the settings",
            ),
            Field("cap", "Budget", self.saved.cap, "5 (US dollars), 200k tokens; empty: no limit"),
            Field("offline", "stay offline: nothing leaves this machine", self.saved.offline),
        ]
        shown = [field for field in fields if field.name != "method" or len(methods) > 1]
        aside = "restored from last time" if begun else "free until you approve a plan"
        super().__init__("New session", aside, shown)
        self.services, self.online, self.usual = services, online, next(iter(methods), "")
        self.offered, self.lacking = offline_topics(), ""
        self._seen = NewSessionDraft("")

    def on_mount(self) -> None:
        self.set_interval(SAVE_EVERY, self.look)

    @property
    def draft(self) -> NewSessionDraft:
        """As it is filled in now."""
        values = dict(self.values)
        method = str(values.pop("method", ""))
        return NewSessionDraft(**values, method="" if method == self.usual else method)  # type: ignore[arg-type]

    async def save(self) -> None:
        """Save what was typed since the last look; when that fails, say so once."""
        if not self.composed:
            return
        draft = self.draft
        if draft == self.saved or (draft.empty and self.saved.empty):
            return
        self.saved = draft
        try:
            await asyncio.to_thread(save_draft, self.coi.paths, draft)
        except StoreError as error:
            self.query_one("#title", Line).say(self.heading, error.message)

    async def look(self) -> None:
        """Save what was typed, and see whether the papers known here cover its topic."""
        await self.save()
        draft, coi = self.saved, self.coi
        if draft != self._seen:
            self._seen = draft
            self.lacking = await asyncio.to_thread(not_covered, draft.topic, coi.env, draft.offline)
            self.changed()

    def effect(self) -> str:
        hint = ""
        if not self.text("topic") and self._offline:
            hint = f"Down offers {len(self.offered)} topics known here; others need a key or a .bib file."
        if self.lacking:
            hint = NOT_COVERED
        return f"{hint}\n{self.services}".lstrip()

    @property
    def _offline(self) -> bool:
        return not self.online or bool(self.values["offline"])

    def off_send(self) -> str:
        if not self.composed:
            return ""
        if not self.text("topic").strip():
            return "enter a topic first"
        try:
            Limit.read(self.text("cap"))
            assert self.draft.bounds is not None
        except UsageError as error:
            return str(error).rstrip(".")
        return ""

    def off_offer(self) -> str:
        if not self.composed or not self._offline:
            return "topics are offered offline"
        here = self.query_one("#topic").has_focus and self.text("topic") in ("", *self.offered)
        return "" if here else "topics are offered in the empty field of the topic"

    def do_offer(self) -> None:
        field, topics = self.query_one("#topic", Input), self.offered
        at = topics.index(field.value) if field.value in topics else -1
        field.value = topics[(at + 1) % len(topics)]
        field.cursor_position = len(field.value)

    async def do_send(self) -> None:
        await self.save()  # it is needed again when the session cannot be created
        self.dismiss(self.draft)

    async def do_cancel(self) -> None:
        await self.save()
        self.dismiss()
