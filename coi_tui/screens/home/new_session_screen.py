"""Making a session, steps 2 to 4: questions and known papers, chains, budget and pace. The session
is there from the first step on."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from coi_tui.model.address import Branch, question_of
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.money import Limit
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.papers.paper_sheets import PaperChoiceSheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session import new_session
from coi_tui.session.decisions.new_session_draft import topic_hint
from coi_tui.session.runs.plans import Plan
from coi_tui.widgets.fields import ChoiceList, LineField
from coi_tui.widgets.key_actions import DECIDE, HELP, MAKE, RUN, KeyAction
from coi_tui.widgets.panes import Line, cut, fit

STEPS = ("TOPIC", "QUESTIONS", "CHAINS", "BUDGET")
TICK_S = 0.1
CHAINS = (
    ("branches", "Branches, one per question (1 to 5)"),
    ("length", "Papers per chain, at most (1 to 12)"),
    ("novelty_rounds", "Novelty checks per idea, at most (1 or more)"),
)


WIZARD_ACTIONS = (
    KeyAction(
        "forward",
        "ctrl+s",
        "Enter",
        "continue",
        "go on to the next step (also ^s, in a field too)",
        DECIDE,
        1,
    ),
    KeyAction("tick", "space", "Space", "tick", "include a question or leave it out", DECIDE, 2),
    KeyAction("edit", "e", "e", "edit", "rewrite this question", MAKE, 3),
    KeyAction("add", "plus,n", "+", "add", "go to the field for a question of your own", MAKE, 4),
    KeyAction(
        "ask", "g", "g", "ask for questions", "ask for search questions (a plan first)", MAKE, 5
    ),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 6),
    HELP,
    KeyAction(
        "back",
        "escape",
        "Esc",
        "back",
        "the previous step; from the first one, the sessions. Nothing is lost",
        RUN,
        9,
    ),
)


class NewSessionScreen(CoiScreen[bool]):
    """Gives True when the person goes on to the workbench, False or None when they leave; the
    session stays either way."""

    PLACE = "wizard"
    CSS_PATH = "new_session_screen.tcss"
    ACTIONS = WIZARD_ACTIONS
    TAIL: ClassVar[tuple[str, ...]] = ("back", "help")

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session
        self.step = 2
        self._version = -1
        self._said = ""
        self._warned = ""
        self._asked_once = False

    def body(self) -> ComposeResult:
        yield Line(id="header")
        yield Static("", id="way", markup=False)
        with Vertical(id="step2"):
            yield Static("", id="topic", markup=False)
            yield Static(
                "Search questions, one per branch: leave out, edit, or add your own.",
                id="lead",
                markup=False,
            )
            yield ChoiceList(id="questions")
            yield LineField(
                placeholder="a question of your own; Enter adds it", id="own", compact=True
            )
            yield LineField(
                placeholder="a paper to start from: DOI, arXiv id, URL or title; Enter looks it up",
                id="known",
                compact=True,
            )
        with Vertical(id="step3"):
            for name, label in CHAINS:
                yield Static(label, classes="label", markup=False)
                yield LineField(id=name, type="integer", compact=True)
        with Vertical(id="step4"):
            yield Static("How far to go before asking you", classes="label", markup=False)
            yield ChoiceList(id="paces")
            yield Static(
                "Budget in US dollars, or in tokens (200k tokens); checked before every call",
                classes="label",
                markup=False,
            )
            yield LineField(placeholder="no limit", id="cap", type="number", compact=True)
            with VerticalScroll(id="estimates"):
                yield Static("", id="estimate", markup=False)
        yield Line(id="said")

    def on_mount(self) -> None:
        self.controller.shown += 1
        self.set_interval(TICK_S, self._look)
        self._show(2)

    def on_unmount(self) -> None:
        self.controller.shown -= 1

    # -- showing

    def _show(self, step: int) -> None:
        self.step = step
        for n in (2, 3, 4):
            self.query_one(f"#step{n}").display = n == step
        self._fill()
        focus = {2: "#questions", 3: "#branches", 4: "#paces"}[step]
        self.query_one(focus).focus()
        self.refresh_footer()

    def _fill(self) -> None:
        spent = str(self.session.core.spent().money)
        job = self.controller.job if self.controller.busy else None
        self.query_one("#header", Line).say(
            f"New session   {self.session.name}",
            f"{job.short}  {spent}" if job else f"saved  {spent}",
        )
        way = " > ".join(
            name if n == self.step else name.capitalize() for n, name in enumerate(STEPS, start=1)
        )
        self.query_one("#way", Static).update(Content(f"Step {self.step} of 4   {way}"))
        (self._fill_questions, self._fill_chains, self._fill_budget)[self.step - 2]()

    def _fill_questions(self) -> None:
        lines = self.query_one("#questions", ChoiceList)
        topic = str(self.session.state.value("topic#text") or "")
        hint = topic_hint(topic)
        self.query_one("#topic", Static).update(
            Content(f"Topic  {topic}{f'{chr(10)}{hint}' if hint else ''}")
        )
        lines.show(
            [Content(self._row(q, lines.room)) for q in new_session.questions(self.session)],
            lines.highlighted or 0,
        )

    def _row(self, q: new_session.Asked, room: int) -> str:
        anchor = self.session.state.slot(f"{q.branch}/0").paper
        known = self.session.state.papers.get(anchor) if anchor else None
        tail = f"  {q.whose}{f'   starts from {known.short()}' if known else ''}"
        text = cut(
            q.text or "no question yet: g proposes one, + adds your own", room - 8 - len(tail)
        )
        return cut(f"[{'x' if q.on else ' '}] {q.branch}  {text}{tail}", room)

    def _fill_chains(self) -> None:
        for name, _ in CHAINS:
            self.query_one(f"#{name}", Input).value = str(self.session.state.settings.get(name, ""))

    def _fill_budget(self) -> None:
        chosen, known = new_session.pace(self.session), new_session.paces(self.session)
        paces = self.query_one("#paces", ChoiceList)
        at = known.index(chosen) if paces.highlighted is None else paces.highlighted
        rows = [f"{one.title:24} {one.note}" for one in known]
        paces.show([Content(cut(said, paces.room)) for said in rows], at)
        if not self.query_one("#cap", Input).has_focus:
            self.query_one("#cap", Input).value = self.session.core.own_cap().typed
        plan = self.session.planner.to_stage("")
        room = max(16, min(44, self.size.width - 36))
        rows = [f"  {fit(line.what, room)} {line.takes}" for line in plan.on]
        leaves = "; ".join(plan.sends)
        self.query_one("#estimate", Static).update(
            Content("Estimate for the whole run\n" + "\n".join([*rows, f"  Sends out: {leaves}"]))
        )

    def _look(self) -> None:
        """Show what a job has brought; the person's cursor stays."""
        job = self.controller.job
        if job is None or job.version == self._version:
            return
        self._version = job.version
        if job.ended and not self._said:
            self.say(job.closing())
        self._fill()
        self.refresh_footer()

    def say(self, text: str) -> None:
        self._said = text
        self.query_one("#said", Line).say(text)

    def on_resize(self, event: events.Resize) -> None:
        self._fill()

    def on_marked_list_room_changed(self) -> None:
        self._fill()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.refresh_footer()

    # -- which keys work

    def off(self, name: str) -> str:
        if name in ("edit", "add", "ask", "tick"):
            if reason := self.controller.not_writable():
                return reason
            if self.step != 2:
                return "questions belong to step 2"
        if name == "ask" and self.composed:
            return self.controller.not_idle() or (
                "every branch has its question; e edits one"
                if self.session.planner.to_stage("questions").empty
                else ""
            )
        return ""

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    # -- actions

    async def do_forward(self) -> None:
        if self.step == 3:
            self._take_chains()
        if self.step == 4:
            self._take_cap()
            self._take_pace()
            if (left := self._untaken()) and left != self._warned:
                self._warned = left
                self.say(f"{left}. Enter again goes on without; Esc goes back.")
                return
            self.dismiss(True)
            return
        self.say("")
        self._show(self.step + 1)

    def do_back(self) -> None:
        if self.step > 2:
            self._show(self.step - 1)
        else:
            self.coi.sessions.leave(self.controller)
            self.dismiss(False)

    def _untaken(self) -> str:
        """What stands in the lines of step 2 and was not taken, in words."""
        lines = {"own": "Your question was not added", "known": "A seed paper was not added"}
        left = (said for name, said in lines.items() if self.query_one(f"#{name}", Input).value)
        return "; ".join(left)

    def _take_chains(self) -> None:
        said = {name: self.query_one(f"#{name}", Input).value.strip() for name, _ in CHAINS}
        if not all(text.lstrip("-").isdigit() for text in said.values()):
            raise UsageError("A number is missing.", "Enter a whole number in each field.")
        shares = new_session.shares(int(said["length"]))
        new_session.set_bounds(
            self.session,
            branches=int(said["branches"]),
            novelty_rounds=int(said["novelty_rounds"]),
            **shares,
        )

    def _take_cap(self) -> None:
        cap = Limit.read(self.query_one("#cap", Input).value)
        if cap != self.session.core.own_cap():
            self.session.set_cap(cap)

    def _take_pace(self) -> None:
        chosen = new_session.paces(self.session)[
            self.query_one("#paces", ChoiceList).highlighted or 0
        ]
        if chosen != new_session.pace(self.session):
            new_session.set_bounds(self.session, pace=chosen.name)

    @property
    def _branch(self) -> Branch:
        at = self.query_one("#questions", ChoiceList).highlighted
        return new_session.questions(self.session)[at or 0].branch

    async def do_tick(self) -> None:
        branch = self._branch
        address = question_of(branch)
        on = next(q.on for q in new_session.questions(self.session) if q.branch == branch)
        await self.controller.decide(
            lambda: (
                self.session.decide("reject", address)
                if on
                else self.session.decide("accept", address)
            )
        )
        self.say(f"Branch {branch} is {'left out' if on else 'in again'}.")
        self._fill()

    def do_edit(self) -> None:
        branch = self._branch
        text = next(q.text for q in new_session.questions(self.session) if q.branch == branch)
        effect = "This is what is searched for; one branch grows from it."
        sheet = AskText(f"Question {branch}", effect, "save", value=text)
        self.app.push_screen(sheet, partial(self._written, branch))

    async def _written(self, branch: Branch, text: str | None) -> None:
        if not text or not text.strip():
            return
        try:
            await self.controller.decide(lambda: self.session.edits.save(question_of(branch), text))
        except CoiError as error:
            self.trouble(error)
        self._fill()

    def do_add(self) -> None:
        self.query_one("#own").focus()

    def do_ask(self) -> None:
        from coi_tui.screens.runs.plan_screens import PlanSheet

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
        self._fill()

    # -- fields

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter asks for questions where none is written; the second time it goes on."""
        unasked = not (self._asked_once or any(q.text for q in new_session.questions(self.session)))
        if self.step == 2 and unasked and not self.why_off("ask"):
            self._asked_once = True
            await self.action_act("ask")
        else:
            await self.action_act("forward")

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if event.input.id == "own" and text:
            event.input.value = ""
            await self._own(text)
        elif event.input.id == "known" and text:
            self.replace_worker(partial(self._known, event.input, text), "known")
        else:
            await self.action_act("forward")

    async def _known(self, field: Input, text: str) -> None:
        """Look a paper up and let a branch start from it. None is guessed; what comes to nothing
        stays in its line."""
        self.say(f"Looking up {cut(text, 40)} ...")
        try:
            found = await self.session.papers.look_up(text)
            meant: str | None = found.papers[0].id
            if not found.sure:
                if not self.is_current:  # gone on to something else meanwhile
                    return
                meant = await self.app.push_screen_wait(PaperChoiceSheet(text, found.papers))
            if meant is None:
                self.say("None of these: write it another way.")
                return
            chosen = next(paper for paper in found.papers if paper.id == meant)
            branch = await self.controller.decide(
                lambda: new_session.start_from(self.session, chosen)
            )
        except CoiError as error:
            self.trouble(error)
            return
        field.value = ""
        self._fill()
        self.say(f"Branch {branch} starts from it: {cut(chosen.cited, 60)}. u undoes it.")

    async def _own(self, text: str) -> None:
        try:
            branch = await self.controller.decide(
                lambda: new_session.add_question(self.session, text)
            )
        except CoiError as error:
            self.query_one("#own", Input).value = text
            self.trouble(error)
            return
        self.say(f"Question {branch} is added.")
        self._fill()
