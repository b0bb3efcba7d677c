"""A new session: the topic, and if wanted a private hunch and a name. What is typed is kept until
the session is made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import StoreError
from coi_tui.screens.base import Sheet
from coi_tui.session.decisions.new_session_draft import (
    NewSessionDraft,
    save_draft,
    topic_hint,
)
from coi_tui.session.watch import offline_topics
from coi_tui.widgets.fields import ChoiceList, LineField, Tick
from coi_tui.widgets.key_actions import DECIDE, HELP_BY_F1, MAKE, KeyAction
from coi_tui.widgets.panes import Line

KEEP_EVERY = 0.4
"""Seconds between looks whether something was typed that is not kept yet."""
FIELDS = ("topic", "hunch", "name")


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


class TopicSheet(Sheet[NewSessionDraft]):
    """Step 1 of making a session. Gives the draft of the session, or None.

    There is no session yet, so what is typed is kept in a file of its own: leaving at any point
    loses nothing.
    """

    PLACE = "new"
    ACTIONS = NEW_ACTIONS
    TAIL = ("help",)

    def __init__(
        self,
        services: str,
        known: Sequence[tuple[str, str]] = (),
        begun: NewSessionDraft | None = None,
        methods: Sequence[str] = (),
        online: bool = True,
    ) -> None:
        """``known``: names and topics of the sessions there are; ``begun``: what was typed before
        and came to no session.

        ``online``: papers are looked for on the network, unless the person stays offline.

        ``methods``: those that the session may begin with, the usual one first; which one is asked
        only where there are several.
        """
        super().__init__()
        self.methods = tuple(methods) if len(methods) > 1 else ()
        self.services, self.known, self.begun, self.online = services, list(known), begun, online
        self.offered = offline_topics()
        self.kept = begun or NewSessionDraft("")
        """What the file holds."""

    def body(self) -> ComposeResult:
        begun = self.begun or NewSessionDraft("")
        yield Line("New session, step 1 of 4: TOPIC", "free until you approve a plan", id="title")
        yield Static("Topic: what should the idea be about?", classes="label", markup=False)
        yield LineField(
            begun.topic,
            placeholder="a line or two",
            id="topic",
            compact=True,
            select_on_focus=False,
        )
        yield Static("", id="hint", markup=False)
        yield Static("Hunch: private, not sent to a model", classes="label", markup=False)
        yield LineField(
            begun.hunch, placeholder="optional", id="hunch", compact=True, select_on_focus=False
        )
        yield Tick(
            "let the model see it when it predicts future directions",
            begun.send_hunch,
            id="send",
            compact=True,
        )
        yield Static("Name (made from the topic if left empty)", classes="label", markup=False)
        yield LineField(
            begun.name, placeholder="optional", id="name", compact=True, select_on_focus=False
        )
        if self.methods:
            yield Static(
                f"Method: up and down choose one of {len(self.methods)}",
                classes="label",
                markup=False,
            )
            yield ChoiceList(id="method")
        yield Tick(
            "stay offline: nothing leaves this machine", begun.offline, id="offline", compact=True
        )
        yield Static(Content(self.services), id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one("#topic").focus()
        self._hint()
        self.call_after_refresh(self._list_methods)
        self.set_interval(KEEP_EVERY, self.keep)
        if self.begun is not None:
            self.say("restored from last time")

    def _list_methods(self) -> None:
        if self.methods:
            chosen = self.kept.method
            at = self.methods.index(chosen) if chosen in self.methods else 0
            self.query_one("#method", ChoiceList).show([Content(name) for name in self.methods], at)

    @property
    def method(self) -> str:
        """The chosen method; empty for the usual one."""
        at = self.query_one("#method", ChoiceList).highlighted if self.methods else 0
        return self.methods[at] if at else ""

    @property
    def draft(self) -> NewSessionDraft:
        """As it is filled in now."""
        said = {name: self.query_one(f"#{name}", Input).value for name in FIELDS}
        offline, send = self.query_one("#offline", Tick).value, self.query_one("#send", Tick).value
        return NewSessionDraft(**said, offline=offline, send_hunch=send, method=self.method)

    async def keep(self) -> None:
        """Keep what was typed since the last look; when that fails, say so once and let the person
        go on."""
        draft = self.draft
        if draft == self.kept or (draft.empty and self.kept.empty):
            return
        self.kept = draft
        try:
            await asyncio.to_thread(save_draft, self.coi.paths, draft)
        except StoreError as error:
            self.say(error.message)

    async def on_input_submitted(self) -> None:
        await self.action_act("create")

    on_tick_entered = on_option_list_option_selected = on_input_submitted

    def off(self, name: str) -> str:
        if name == "create" and self.composed and not self.query_one("#topic", Input).value.strip():
            return "enter a topic first"
        return ""

    def on_input_changed(self) -> None:
        self._hint()
        self.refresh_footer()

    on_checkbox_changed = on_input_changed

    def on_descendant_focus(self) -> None:
        self.refresh_footer()

    def _hint(self) -> None:
        topic = self.query_one("#topic", Input).value
        hint = topic_hint(topic)
        if not topic and self._offline:
            hint = f"Down offers {len(self.offered)} topics known here; others need a key or a .bib file."
        self.query_one("#hint", Static).update(Content(hint))

    @property
    def _offline(self) -> bool:
        return not self.online or self.query_one("#offline", Tick).value

    def off_offer(self) -> str:
        if not self.composed or not self._offline:
            return "topics are offered offline"
        field = self.query_one("#topic", Input)
        return (
            ""
            if field.has_focus and field.value in ("", *self.offered)
            else "topics are offered in the empty field of the topic"
        )

    def do_offer(self) -> None:
        field, topics = self.query_one("#topic", Input), self.offered
        at = topics.index(field.value) if field.value in topics else -1
        field.value = topics[(at + 1) % len(topics)]
        field.cursor_position = len(field.value)

    def say(self, text: str) -> None:
        self.query_one("#title", Line).say("New session, step 1 of 4: TOPIC", text)

    async def do_create(self) -> None:
        await self.keep()  # it is needed again when the session cannot be made
        self.dismiss(self.draft)

    async def do_cancel(self) -> None:
        await self.keep()
        self.dismiss(None)
