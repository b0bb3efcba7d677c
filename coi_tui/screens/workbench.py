"""The workbench: what a person decides on the row under the cursor, and the jobs that are planned and
run from there. A key becomes one change of the session or one plan, and the answer a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from coi_tui.model.address import branch_of
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.screens.chain_screen import NOTHING_RUN, ChainScreen
from coi_tui.screens.commands import WORKBENCH_ACTIONS
from coi_tui.screens.forms import CriteriaSheet
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.row_actions import PaperActions, RowScreens, TextActions
from coi_tui.screens.run_sheets import CostScreen
from coi_tui.screens.sheets import AcceptSheet, AskChoice, AskText, Choice, named
from coi_tui.session.decisions.bulk_accept import accepted, is_undecided
from coi_tui.session.decisions.criteria_change import effect
from coi_tui.session.decisions.verbs import VERBS, Target, Verb
from coi_tui.session.opening import next_stage
from coi_tui.session.runs.planner import ADD_METHOD, Offer
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.session.wording import Status
from coi_tui.widgets.lines import cut

PLAN_FIRST = "a plan comes first"
TOP = Offer("g", "top of the pane", "g g, as in other programs")


class WorkbenchScreen(ChainScreen):
    """The screen of an open session with all that can be done there."""

    PLACE = "workbench"
    ACTIONS = WORKBENCH_ACTIONS
    IDLE = frozenset({"network"})
    CHANGES = frozenset(
        {"generate", "refresh_all", "look", "note", "means", "criteria", "accept_all", "redo"}
    )

    def __init__(self, controller: SessionController, at: str = "") -> None:
        super().__init__(controller, at)
        self.papers, self.texts = PaperActions(self), TextActions(self)
        self.row_screens = RowScreens(self)
        self.delegates = (self.search, self.papers, self.texts, self.row_screens)

    def do_enter(self) -> None:
        """Go to the screen of the row, or to its text."""
        if not self.row_screens.open():
            self.do_pane_2()

    def handler(self, name: str) -> Callable[[], object]:
        """A verb without a screen of its own is decided as the table says."""
        if name in ("verify", "against", "review"):
            return partial(self._check, name)
        if self.method(f"do_{name}") is None and name in VERBS:
            return partial(self._decide, name)
        return super().handler(name)

    # -- decisions

    async def _decide(self, name: str) -> None:
        """Make the decision that a key stands for; one with a reason asks for that first."""
        verb, target = self.session.verb_at(name, self.address)
        if verb.explained is None:
            question = verb.sentence(verb.question, target)
            await self._make(verb, target, "", "" if verb.quiet(target) else question)
            return
        changes = self.session.impact(
            verb.about(target), lambda s: s.decide(verb.name, target.address)
        )
        title = cut(self.row.title if self.row else "", 50)
        sheet = AskText(
            f"{verb.sentence(verb.question, target)} {title}",
            f"{changes.sentence()}\n{verb.explained(target)} Nothing is deleted or charged; u undoes it.",
            "reject",
            hint="reason (optional)",
        )
        self.ask(
            sheet, lambda reason: self._make(verb, target, reason, ""), "Nothing was rejected."
        )

    async def _make(self, verb: Verb, target: Target, reason: str, question: str) -> None:
        """Make a decision; what else it changes is asked about first where there is a question."""
        done = verb.sentence(verb.done, target, reason)
        waits = (
            self.row is not None and self.row.needs_decision and self.session.settings.display.go_on
        )
        go_on = partial(self._go_on, done) if verb.goes_on and waits else None

        def act(session: Session) -> object:
            return session.decide(verb.name, target.address, reason=reason)

        if question:
            await self.change(verb.about(target), question, act, done, go_on)
            return
        await self.commit(act, done)
        if go_on is not None:
            go_on()

    def _go_on(self, done: str) -> None:
        """Go to the next row that asks; ``done`` stays on the screen."""
        if target := self.chain.next_waiting(lambda row: row.needs_decision or row.lacks_anchor):
            self.go_to_row(target, done)

    def off_accept_all(self) -> str:
        branch = branch_of(self.address)
        waits = any(is_undecided(row, branch) for row in self.rows.values())
        return "" if waits else "nothing is undecided"

    def do_accept_all(self) -> None:
        """Accept what is undecided in the branch of the row, or in the session, from a list."""
        branch, find = branch_of(self.address), self.session.undecided
        where = f"branch {branch}" if branch else "the session"
        sheet = AcceptSheet(f"Accept all of {where}", find(branch) if branch else find())

        async def answered(addresses: list[str]) -> None:
            await self.change(
                "",
                "Accept all of it?",
                lambda s: s.decide("accept_all", "session", addresses),
                f"Accepted {accepted(sheet.chosen)}. u takes all of it back.",
            )

        self.ask(sheet, answered, "Nothing was accepted.")

    async def do_fork(self) -> None:
        """Begin a branch that shares the chain up to this paper."""
        verb, target = self.session.verb_at("fork", self.address)
        await self.commit(lambda s: s.decide("fork", target.address))
        new = str(self.session.state.branches_of("")[-1])
        self.go_to_row(new, f"Branch {new} {verb.sentence(verb.done, target)}")

    def do_note(self) -> None:
        """Write a private note on the row."""
        verb, target = self.session.verb_at("note", self.address)
        sheet = AskText(
            f"Note on {target.address}",
            "Enter saves it; an empty line removes the note.",
            "save",
            hint="a line for yourself",
            aside="private: never sent to a model",
            value=" ".join(self.session.state.notes.get(target.address, "").split("\n")),
        )

        async def noted(text: str) -> None:
            done = verb.sentence(verb.done, target)
            await self.commit(lambda s: s.decide("note", target.address, text), done)

        self.ask(sheet, noted, "The note stays as it was.")

    def word_undo(self) -> str:
        return f"undo: {self.session.undo_labels()[0]}"

    def off_redo(self) -> str:
        return "" if self.session.undo_labels()[1] else "there is nothing to redo"

    async def do_redo(self) -> None:
        """Bring back what was undone."""
        await self.commit(lambda s: s.redo(), "Redone: {}.".format)

    def do_criteria(self) -> None:
        """Say which papers may be proposed."""
        self.ask(
            CriteriaSheet(self.session.state),
            lambda asked: self.change(
                CRITERIA,
                "Change the criteria?",
                lambda s: s.decide("criteria", CRITERIA, asked),
                lambda _: effect(self.session),
            ),
            "The criteria stay as they were.",
        )

    async def do_network(self) -> None:
        """From offline to online or back; what is online is said by the next plan before anything
        leaves."""
        offline = not self.session.is_offline
        message = (
            "Offline: nothing leaves this machine."
            if offline
            else "Online: each plan says what would leave, before it runs."
        )
        await self.commit(
            lambda s: s.decide("network", "session", offline), f"{message} u takes it back."
        )

    # -- plans

    def _check(self, name: str) -> None:
        self.open_plan(self.session.planner.to_check(name, self.address))

    def off_of_sessions(self) -> str:
        return (
            f"{self.named_action('back').show} goes to the list of sessions, where these keys are"
        )

    def do_generate(self) -> None:
        """Choose what to make from the menu of the row."""
        address = self.address or "topic"
        branch = branch_of(address)
        title = f"Generate for branch {branch}, on {address}" if branch else "Generate"
        choices = [
            Choice(
                offer,
                offer.what,
                offer.note,
                offer.key,
                offer.off,
                offer.plan.takes if offer.plan is not None and offer.key != "a" else "",
            )
            for offer in self.session.planner.offers(address)
        ]
        choices.append(Choice(TOP, TOP.what, TOP.note, TOP.key))
        self.ask(AskChoice(title, choices, "make", aside=PLAN_FIRST), self._generate, NOTHING_RUN)

    def _generate(self, offer: Offer) -> None:
        if offer is TOP:
            self.action_move("scroll_home")
        elif offer.key == ADD_METHOD:
            methods = named(self.session.planner.methods_to_add())
            sheet = AskChoice("Add another method to this session", methods, "add")
            self.ask(sheet, self._add_method, "Nothing was added.")
        elif offer.plan is not None and offer.key == "a":
            self._choose_stage(offer.plan)
        elif offer.plan is not None:
            self.open_plan(offer.plan)

    async def _add_method(self, name: str) -> None:
        await self.commit(lambda s: s.add_method(name))
        row = list(self.session.state.instances)[-1]
        self.go_to_row(row, f"Added {name} as {row}: g on its row runs it. u undoes it.")

    def _choose_stage(self, whole: Plan) -> None:
        """The plan to the last stage of a method says what each stage still makes."""
        session, instance = self.session, whole.goal.scope.instance
        about = {
            stage: whole.of_stage(stage) or "there is nothing left to make"
            for stage in session.methods.stages_of(instance)
        }
        title = f"Run {instance} to a stage".replace("  ", " ")
        title += f"   reached: {session.stage_reached(instance)}"
        begin = next_stage(session, instance)
        sheet = AskChoice(title, named(about), "run", aside=PLAN_FIRST, begin=begin)
        self.ask(sheet, partial(self._plan_stage, whole), NOTHING_RUN)

    def _plan_stage(self, whole: Plan, stage: str) -> None:
        plan = self.session.planner.to_stage(stage, whole.goal.scope)
        if plan.empty:
            self.say(f"Everything up to the stage {stage} exists already.")
        else:
            self.open_plan(plan)

    def do_ask(self) -> None:
        """Say in words how the text of the row should be, and have it rewritten; then what changed
        is shown."""
        address, session = self.address, self.session
        before, same = session.state.cell(address).wishes, session.twin(address)
        asked_before = f" Asked for before, and still so: {'; '.join(before)}." if before else ""
        sheet = AskText(
            f"Say how {address} should be",
            "The model rewrites the text in use; yours stays, and the new one is another version. "
            f"A plan is shown first.{asked_before}",
            hint="make it more about accessibility",
            value=same and f"Another one, away from the problem and the mechanism of {same}",
        )

        async def asked(wish: str) -> None:
            await self.commit(
                lambda s: s.decide("ask", address, wish),
                f"Asked of {address}; u takes it back.",
            )
            plan = session.planner.to_rewrite(address)
            if plan.lines:
                self.open_plan(
                    plan, refused=self._undoing(f"Nothing was run or asked of {address}.")
                )
            else:
                self.say(
                    f"{address} is the text that this request gave before; no call was needed."
                )

        self.ask(sheet, asked, "Nothing was asked for.")

    def do_link(self) -> None:
        """Say in words what links the papers of a trend that found no link."""
        address = self.address
        sheet = AskText(
            f"What links the two papers of {address}?",
            "Your words take the place of its text, in later prompts too. u takes them back.",
        )

        async def said(words: str) -> None:
            await self.commit(
                lambda s: s.decide("link", address, words),
                f"There is a link at {address}; u takes it back.",
            )

        self.ask(sheet, said, "Nothing was changed.")

    def _undoing(self, message: str) -> Callable[[], object]:
        """What takes back the decision that a refused plan was for."""
        undo = partial(self.commit, lambda s: s.undo(), message)
        return partial(self.call_later, self._run, undo)

    def do_derive(self) -> None:
        """Make a new idea from the one of the row: how, then the plan."""
        address, session = self.address, self.session
        made = [
            Choice(value, label, note, off=off)
            for value, label, note, off in session.planner.ways_to_derive(address)
        ]

        async def derive(value: dict[str, str]) -> None:
            await self.commit(lambda s: s.decide("derive", address, value))
            instance = list(session.state.instances)[-1]
            self.go_to_row(f"{instance}/1/idea", "")
            plan = session.planner.to_derive(instance)
            self.open_plan(plan, refused=self._undoing(NOTHING_RUN))

        title = f"A new idea from {branch_of(address)}/idea"
        self.ask(AskChoice(title, made, "make", aside=PLAN_FIRST), derive, NOTHING_RUN)

    def word_accept(self) -> str:
        return "seen" if self.session.verb_at("accept", self.address)[0].name == "seen" else ""

    def do_look(self) -> None:
        """Look for papers that are new since the person looked."""
        self.open_plan(self.session.planner.to_look())

    def do_refresh(self) -> None:
        """Make the text of the row again: with what it waits for where it is stale, as a new sample
        where it is fresh."""
        row = self.row
        fresh = row is not None and not row.running and row.status in (Status.FRESH, Status.KEPT)
        self.open_plan(self.session.planner.to_refresh([self.address], again=fresh))

    def off_refresh_all(self) -> str:
        stale = any(row.stale and not row.running for row in self.rows.values())
        return "" if stale else "nothing is stale"

    def do_refresh_all(self) -> None:
        """Bring everything stale up to date."""
        self.open_plan(self.session.planner.to_refresh())

    def do_refine(self) -> None:
        """Answer the ticked review points in the next version of the experiment plan, after the
        words to search for were shown."""
        address, planner = self.address, self.session.planner
        sheet = AskText(
            f"Search before refining {branch_of(address)}/exp",
            "Papers that may help to answer the ticked points are searched with these phrases, a semicolon between two. Change them as "
            "you like; an empty line searches nothing. Only the words of this line go to the source of papers.",
            hint="nothing is searched",
            value=planner.refine_query(address),
        )
        self.ask(
            sheet, lambda query: self.open_plan(planner.to_refine(address, query)), NOTHING_RUN
        )

    # -- what runs and what it costs

    def off_stop(self) -> str:
        return "" if self.controller.busy else "nothing runs"

    def word_stop(self) -> str:
        job = self.controller.job
        return "stop now" if job is not None and job.stopping else ""

    def do_stop(self) -> None:
        """Stop after the calls that run; the second time now."""
        self.done(self.controller.stop())

    def do_cost(self) -> None:
        """Runs, calls and what they cost."""
        self.ask(CostScreen(self.controller), lambda _: None)
