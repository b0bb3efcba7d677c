"""Creating a session: the topic, how much the first run makes, and what it may spend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.widgets import Input

from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.money import Limit
from coi_tui.screens.sheets.form_sheet import Field, FormSheet
from coi_tui.session.decisions.new_session_draft import (
    NewSessionDraft,
    save_draft,
)
from coi_tui.session.opening import offline_topics
from coi_tui.widgets.key_actions import DECIDE, HELP_BY_F1, MAKE, KeyAction
from coi_tui.widgets.panes import Line

SAVE_EVERY = 0.4
"""Seconds between two looks whether the form has changed."""

NEW_ACTIONS = (
    KeyAction("create", "ctrl+s", "Enter", "create", "create the session (also ^s)", DECIDE, 1),
    KeyAction(
        "offer",
        "down",
        "Down",
        "a topic",
        "offline: the next topic that the starter library covers",
        MAKE,
        4,
    ),
    HELP_BY_F1,
    KeyAction(
        "cancel",
        "escape",
        "Esc",
        "cancel",
        "close; no session is created, and what you typed is kept for next time",
        DECIDE,
        2,
    ),
)


class TopicSheet(FormSheet[NewSessionDraft]):
    """Gives the draft of a session, or None. What is typed is saved in a file of its own until the
    session is created."""

    PLACE = "new"
    ACTIONS = NEW_ACTIONS
    SEND = "create"

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
        self.offered = offline_topics()

    def on_mount(self) -> None:
        self.set_interval(SAVE_EVERY, self.save)

    @property
    def draft(self) -> NewSessionDraft:
        """As it is filled in now."""
        values = dict(self.values)
        method = str(values.pop("method", ""))
        return NewSessionDraft(**values, method="" if method == self.usual else method)  # type: ignore[arg-type]

    async def save(self) -> None:
        """Save what was typed since the last look; when that fails, say so once."""
        draft = self.draft
        if draft == self.saved or (draft.empty and self.saved.empty):
            return
        self.saved = draft
        try:
            await asyncio.to_thread(save_draft, self.coi.paths, draft)
        except StoreError as error:
            self.query_one("#title", Line).say(self.heading, error.message)

    def effect(self) -> str:
        hint = ""
        if not self.text("topic") and self._offline:
            hint = f"Down offers {len(self.offered)} topics known here; others need a key or a .bib file."
        return f"{hint}\n{self.services}".lstrip()

    @property
    def _offline(self) -> bool:
        return not self.online or bool(self.values["offline"])

    def off_create(self) -> str:
        if not self.composed:
            return ""
        if not self.text("topic").strip():
            return "enter a topic first"
        try:
            Limit.read(self.text("cap"))
            assert self.draft.bounds is not None
        except UsageError as error:
            return error.message.rstrip(".")
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

    async def do_create(self) -> None:
        await self.save()  # it is needed again when the session cannot be created
        self.dismiss(self.draft)

    async def do_cancel(self) -> None:
        await self.save()
        self.dismiss(None)
