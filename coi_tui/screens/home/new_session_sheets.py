"""Creating a session: the topic, the search questions, and the bounds of the first run. The session
exists from the questions on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from coi_tui.model.address import question_of
from coi_tui.model.errors import CoiError, StoreError, UsageError
from coi_tui.model.money import Limit
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.papers.paper_sheets import PaperChoiceSheet
from coi_tui.screens.runs.run_sheets import PlanSheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.form_sheet import Field, FormSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session import new_session
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, save_draft, topic_hint
from coi_tui.session.runs.plans import Plan
from coi_tui.session.watch import offline_topics
from coi_tui.widgets.fields import ChoiceList, LineField
from coi_tui.widgets.key_actions import DECIDE, HELP, HELP_BY_F1, MAKE, RUN, KeyAction
from coi_tui.widgets.panes import Line, cut

SAVE_EVERY = 0.4
"""Seconds between two looks whether the form has changed."""
TICK_S = 0.1

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
    TAIL = ("help",)
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
        hint = topic_hint(self.text("topic"))
        if not self.text("topic") and self._offline:
            hint = f"Down offers {len(self.offered)} topics known here; others need a key or a .bib file."
        return f"{hint}\n{self.services}".lstrip()

    @property
    def _offline(self) -> bool:
        return not self.online or bool(self.values["offline"])

    def off_create(self) -> str:
        return "" if not self.composed or self.text("topic").strip() else "enter a topic first"

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


WIZARD_ACTIONS = (
    KeyAction(
        "forward", "ctrl+s", "Enter", "continue", "go on (also ^s, in a field too)", DECIDE, 1
    ),
    KeyAction("tick", "space", "Space", "tick", "include a question or leave it out", DECIDE, 2),
    KeyAction("edit", "e", "e", "edit", "rewrite this question", MAKE, 3),
    KeyAction("add", "plus,n", "+", "add", "go to the field for a question of your own", MAKE, 4),
    KeyAction(
        "ask", "g", "g", "ask for questions", "ask for search questions (a plan first)", MAKE, 5
    ),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 6),
    HELP,
    KeyAction("back", "escape", "Esc", "back", "back to the sessions; nothing is lost", RUN, 9),
)


class NewSessionScreen(CoiScreen[bool]):
    """The search questions and the papers to start from. Gives True when the person goes on to the
    workbench, False or None when they leave; the session stays either way."""

    PLACE = "wizard"
    CSS_PATH = "new_session_sheets.tcss"
    ACTIONS = WIZARD_ACTIONS
    TAIL: ClassVar[tuple[str, ...]] = ("back", "help")

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session
        self._version = -1
        self._said = self._warned = ""
        self._asked_once = False

    def body(self) -> ComposeResult:
        yield Line(id="header")
        yield Static("", id="topic", markup=False)
        yield ChoiceList(id="questions")
        yield LineField(placeholder="a question of your own; Enter adds it", id="own", compact=True)
        yield LineField(
            placeholder="a paper to start from: DOI, arXiv id, URL or title; Enter looks it up",
            id="known",
            compact=True,
        )
        yield Line(id="said")

    def on_mount(self) -> None:
        self.controller.shown += 1
        self.set_interval(TICK_S, self._look)
        self.lines.border_title = Content("Search questions, one per branch")
        self.lines.focus()
        self.fill()

    def on_unmount(self) -> None:
        self.controller.shown -= 1

    @property
    def lines(self) -> ChoiceList:
        return self.query_one("#questions", ChoiceList)

    @property
    def questions(self) -> Sequence[new_session.Asked]:
        return new_session.questions(self.session)

    @property
    def here(self) -> new_session.Asked:
        """The question under the cursor."""
        return self.questions[self.lines.highlighted or 0]

    # -- showing

    def fill(self) -> None:
        """Draw what the session holds by now; the cursor stays."""
        if not self.composed:
            return
        spent = str(self.session.core.spent().money)
        job = self.controller.job if self.controller.busy else None
        self.query_one("#header", Line).say(
            f"New session   {self.session.name}",
            f"{job.short}  {spent}" if job else f"saved  {spent}",
        )
        topic = str(self.session.state.value("topic#text") or "")
        about = "\n".join(filter(None, [f"Topic  {topic}", topic_hint(topic)]))
        self.query_one("#topic", Static).update(Content(about))
        lines = self.lines
        rows = [Content(self._row(q, lines.room)) for q in self.questions]
        lines.show(rows, lines.highlighted or 0)
        self.refresh_footer()

    def _row(self, q: new_session.Asked, room: int) -> str:
        anchor = self.session.state.slot(f"{q.branch}/0").paper
        known = self.session.state.papers.get(anchor) if anchor else None
        tail = f"  {q.whose}{f'   starts from {known.short()}' if known else ''}"
        text = q.text or "no question yet: g proposes one, + adds your own"
        box = f"[{'x' if q.on else ' '}] {q.branch}"
        return cut(f"{box}  {cut(text, room - 8 - len(tail))}{tail}", room)

    def _look(self) -> None:
        """Show the results of a job; the person's cursor stays."""
        job = self.controller.job
        if job is None or job.version == self._version:
            return
        self._version = job.version
        if job.ended and not self._said:
            self.say(job.closing())
        self.fill()

    def say(self, text: str) -> None:
        self._said = text
        self.query_one("#said", Line).say(text)

    def on_marked_list_room_changed(self) -> None:
        self.fill()

    def on_descendant_focus(self) -> None:
        self.refresh_footer()

    # -- actions

    def off(self, name: str) -> str:
        changes = name in ("edit", "add", "tick")
        return self.controller.not_writable() if changes else ""

    def off_ask(self) -> str:
        left = self.composed and self.session.planner.to_stage("questions").empty
        none_left = "every branch has its question; e edits one" if left else ""
        return self.controller.not_idle() or none_left

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    def do_forward(self) -> None:
        """On to the bounds, unless something typed was not taken yet."""
        lines = {"own": "Your question was not added", "known": "A seed paper was not added"}
        left = "; ".join(
            said for name, said in lines.items() if self.query_one(f"#{name}", Input).value
        )
        if left and left != self._warned:
            self._warned = left
            self.say(f"{left}. Enter again goes on without.")
        else:
            self.app.push_screen(BoundsSheet(self.controller), self._bounded)

    def _bounded(self, done: bool | None) -> None:
        if done:
            self.dismiss(True)

    def do_back(self) -> None:
        self.coi.sessions.leave(self.controller)
        self.dismiss(False)

    async def _change(self, change: partial[object], said: str) -> bool:
        """Make a change and say so; False where it was refused, which is shown."""
        try:
            await self.controller.decide(change)
        except CoiError as error:
            self.trouble(error)
            return False
        self.say(said)
        self.fill()
        return True

    async def do_tick(self) -> None:
        q, decisions = self.here, self.session.decisions
        change = partial(decisions.reject if q.on else decisions.accept, question_of(q.branch))
        await self._change(change, f"Branch {q.branch} is {'left out' if q.on else 'included'}.")

    def do_edit(self) -> None:
        q = self.here
        effect = "The words that are searched for; one branch is built from the results."
        sheet = AskText(f"Question {q.branch}", effect, "save", value=q.text)

        async def written(text: str | None) -> None:
            if text:
                change = partial(self.session.edits.save, question_of(q.branch), text)
                await self._change(change, f"Question {q.branch} is saved.")

        self.app.push_screen(sheet, written)

    def do_add(self) -> None:
        self.query_one("#own").focus()

    def do_ask(self) -> None:
        plan = self.session.planner.to_stage("questions")
        if plan.asks:
            self.app.push_screen(PlanSheet(plan), self._asked)
        else:
            self._asked(plan)

    def _asked(self, plan: Plan | None) -> None:
        self.say("" if plan else "Nothing was asked.")
        if plan is not None:
            self.coi.sessions.start_job(self.controller, plan)

    async def do_undo(self) -> None:
        self.say(f"Undone: {await self.controller.decide(self.session.undo_stack.undo)}.")
        self.fill()

    # -- fields

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter asks for questions where none is written; the second time it goes on."""
        unasked = not (self._asked_once or any(q.text for q in self.questions))
        if unasked and not self.why_off("ask"):
            self._asked_once = True
            await self.action_act("ask")
        else:
            await self.action_act("forward")

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if event.input.id == "own" and text:
            event.input.value = ""
            add = partial(new_session.add_question, self.session, text)
            if not await self._change(add, "The question is added."):
                event.input.value = text
        elif event.input.id == "known" and text:
            self.replace_worker(partial(self._known, event.input, text), "known")
        else:
            await self.action_act("forward")

    async def _known(self, field: Input, text: str) -> None:
        """Look a paper up and let a branch start from it. None is guessed; what is not found stays
        in its line."""
        self.say(f"Looking up {cut(text, 40)} ...")
        try:
            found = await self.session.papers.look_up(text)
        except CoiError as error:
            self.trouble(error)
            return
        meant: str | None = found.papers[0].id
        if not found.sure:
            if not self.is_current:  # gone on to something else meanwhile
                return
            meant = await self.app.push_screen_wait(PaperChoiceSheet(text, found.papers))
        paper = next((paper for paper in found.papers if paper.id == meant), None)
        if paper is None:
            self.say("None of these: write it another way.")
            return
        change = partial(new_session.start_from, self.session, paper)
        if await self._change(change, f"A branch starts from {cut(paper.cited, 60)}. u undoes it."):
            field.value = ""


NUMBERS = {
    "branches": "Branches (1 to 5)",
    "length": "Papers per chain (1 to 12)",
    "novelty_rounds": "Novelty checks per idea",
}
BOUNDS_ACTIONS = (
    KeyAction("send", "ctrl+s", "Enter", "begin", "go to the workbench (also ^s)", DECIDE, 1),
    HELP_BY_F1,
    KeyAction("cancel", "escape", "Esc", "back", "back to the questions", DECIDE, 2),
)


class BoundsSheet(FormSheet[bool]):
    """How much the first run makes, when it asks, and what it may spend. Gives True once they are
    set."""

    PLACE = "bounds"
    ACTIONS = BOUNDS_ACTIONS

    def __init__(self, controller: SessionController) -> None:
        self.session = session = controller.session
        self.paces = {f"{one.title}: {one.note}": one for one in new_session.paces(session)}
        now = new_session.pace(session)
        numbers = [
            Field(name, label, str(session.state.settings.get(name, "")))
            for name, label in NUMBERS.items()
        ]
        pace = next(text for text, one in self.paces.items() if one == now)
        cap = session.core.own_cap().typed
        fields = [
            Field("pace", "When to ask you", pace, choices=tuple(self.paces)),
            *numbers,
            Field("cap", "Budget", cap, "US dollars, or tokens (200k tokens); empty: no limit"),
        ]
        super().__init__("Before the first run", "can be changed later", fields)

    def effect(self) -> str:
        plan = self.session.planner.to_stage("")
        sends = "; ".join(plan.sends)
        return f"The whole run: {plan.takes}.\nSends out: {sends}"

    def do_send(self) -> None:
        typed = {name: self.text(name).strip() for name in NUMBERS}
        if not all(text.isdecimal() for text in typed.values()):
            raise UsageError("A number is missing.", "Enter a whole number in each field.")
        numbers = {name: int(text) for name, text in typed.items()}
        new_session.set_bounds(
            self.session,
            **new_session.shares(numbers.pop("length")),
            **numbers,
            pace=self.paces[self.text("pace")].name,
        )
        cap = Limit.read(self.text("cap"))
        if cap != self.session.core.own_cap():
            self.session.decisions.set_cap(cap)
        self.dismiss(True)
