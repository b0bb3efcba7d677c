"""The sessions that are open and their jobs. They belong to the app, so leaving a screen ends nothing."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.widgets import Input, TextArea

from coi_tui.config_file import Display, read_display
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.money import NOTHING, Money, dollars
from coi_tui.model.text import count
from coi_tui.paths import Paths
from coi_tui.screens.terminal import NO_CONTROLS, AsciiOnly
from coi_tui.session.new_session import NewSessionDraft, create_session, drop_draft, first_plan
from coi_tui.session.opening import open_session
from coi_tui.session.recorded_session import open_recorded, recorded_path

if TYPE_CHECKING:
    from textual.driver import Driver

    from coi_tui.config import Keys, Settings
    from coi_tui.session.environment import Environment
    from coi_tui.session.opening import Event, Outcome
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


T = TypeVar("T")
SHOWN = 2
BUSY = "a job is already running; S stops it"


@dataclass
class Job:
    """What a running job has reported so far. ``take`` only notes; screens look when it suits them."""

    plan: Plan
    doing: Callable[[str, str], str]
    """What a task does at an address, in words."""
    waiting: list[Plan] = field(default_factory=list)
    """The plans that follow it, in their order."""
    started: float = field(default_factory=time.monotonic)
    running: dict[tuple[str, str], float] = field(default_factory=dict)
    done: int = 0
    calls: int = 0
    """Those that a model answered."""
    tokens: int = 0
    cost: Money = NOTHING
    failed: dict[str, str] = field(default_factory=dict)
    last: str = ""
    stopping: str = ""
    seconds: float = 0.0
    outcome: Outcome | None = None
    error: CoiError | None = None
    ended: bool = False
    let_go: Sequence[Plan] = ()
    """Plans that waited for it and are not begun, because it was stopped."""
    missed: str = ""
    """Why the stage of the plan was not reached, in a sentence; empty where it was."""
    version: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    """Answers that are coming in now, by address: to be seen, not to be used."""

    def take(self, event: Event) -> None:
        """Note an event; the one listener of the job."""
        if event.kind == "text":
            self.texts[event.address] = event.text
            return  # rows do not change by it; who shows this row looks for itself
        self.version += 1
        if event.kind == "task started":
            self.running[event.address, event.task] = time.monotonic()
        elif event.kind in ("task done", "task failed"):
            self._step_ended(event)
        elif event.asked_model:
            self.calls += 1
            self.tokens += event.tokens
            self.cost += Money(event.cost_usd or 0.0, int(event.cost_usd is None))
        elif event.text and event.kind != "call":
            self.last = f"{event.kind} {event.address} {event.text}"

    def _step_ended(self, event: Event) -> None:
        doing = self.doing(event.address, event.task)
        self.texts.pop(event.address, None)
        self.running.pop((event.address, event.task), None)
        if event.kind == "task failed":
            self.failed[event.address] = event.text
            self.last = f"failed {event.address} {doing}: {event.text}"
        else:
            self.done += 1
            cost = f" {dollars(event.cost_usd)}" if event.cost_usd else ""
            self.last = f"done {event.address} {doing}{cost}"

    def end(self, outcome: Outcome | None, error: CoiError | None = None) -> None:
        self.outcome, self.error, self.ended = outcome, error, True
        self.seconds = time.monotonic() - self.started
        self.version += 1

    @property
    def short(self) -> str:
        """For the header."""
        return "STOPPING" if self.stopping else f"RUNNING {self.done} done"

    def lines(self, *, short: bool = False) -> list[str]:
        """The strip while the job runs: always as many lines, so that nothing above it jumps."""
        now = time.monotonic()
        parts = (
            self.progress(),
            f"{now - self.started:.0f} s",
            f"so far {f'{self.tokens:,} tokens, ' * bool(self.tokens)}{self.cost}",
            self.plan.title,
        )
        head = f"* {'   '.join(part for part in parts if part)}"
        slow = sorted(self.running.items(), key=lambda item: item[1])
        steps = [
            f"    running {address} {self.doing(address, step)}   {now - since:.0f} s"
            for (address, step), since in slow[:SHOWN]
        ]
        if len(slow) > SHOWN:
            steps[-1] += f"   and {len(slow) - SHOWN} more"
        steps += [""] * (SHOWN - len(steps))
        keys = {
            "": "S stop after this call   S S stop now   you can keep working",
            "after": "stopping after the calls that run; S stop now (a call may still be billed)",
            "now": "stopping now; a call may still be billed",
        }
        then = f"then: {'; '.join(plan.title for plan in self.waiting)}   " if self.waiting else ""
        last = f"{then}{keys[self.stopping]}"
        if short:  # the footer names the key as well
            return [head, last]
        return [head, *steps, f"    {self.last}", last]

    def progress(self) -> str:
        """``task 3 of 7``; of a run, whose tasks are not known beforehand, its calls and how long
        they take, or how many tasks are over where it asks no model."""
        over, steps = self.done + len(self.failed), len(self.plan.on)
        if self.plan.goal.kind == "run":
            counted = self.plan.counted(self.calls, time.monotonic() - self.started)
            return counted or f"{count(over, 'task')} done"
        return f"task {min(over + 1, steps)} of {steps}"

    def closing(self) -> str:
        """The last word of the job, in a sentence or two."""
        after = [f"Not begun: {'; '.join(plan.title for plan in self.let_go)}."] * bool(self.let_go)
        return " ".join([self._closing(), *after])

    def _closing(self) -> str:
        if self.error is not None:
            return f"Stopped: {self.error}"
        outcome = self.outcome
        if outcome is None:
            return "Stopped now. What was finished is saved."
        items = (
            f"added {count(len(outcome.made), 'item')} ({count(self.calls, 'call')}), {self.cost}"
        )
        if (stop := outcome.stop) is not None:  # what to do comes first: a narrow line is cut
            remedy = "" if stop.option else f"{stop.hint} "
            key = "g goes on" if self.plan.goal.kind == "run" else "The same key goes on"
            return f"Paused: {items}. {remedy}{key}. {stop.message}"
        word = {"done": "Done", "failed": "Ended with failures", "stopped": "Stopped as you asked"}[
            outcome.state
        ]
        if self.missed and outcome.state == "done":
            word = "Stopped early"
        return f"{word}: {items}, {self.seconds:.0f} s."

    def failures(self) -> list[str]:
        """One line for each failed task and what waits for it."""
        if self.outcome is None:
            return []
        lines = [f"! {address}: {cause}" for address, cause in self.outcome.failed.items()]
        if self.outcome.blocked:
            lines.append(f"  waiting for that: {', '.join(self.outcome.blocked[:6])}")
        return lines


class SessionController:
    """A session with its job. ``shown`` counts the screens that show it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.job: Job | None = None
        self.waiting: list[Plan] = []
        """Approved plans that run after the job, one after the other."""
        self.shown = 0

    @property
    def busy(self) -> bool:
        return self.job is not None and not self.job.ended

    # -- why not

    def not_writable(self) -> str:
        """Why nothing can be changed; empty where it can."""
        reason = self.session.read_only_reason
        return f"this session is read-only ({reason})" if reason else ""

    def not_idle(self) -> str:
        """Why nothing can be done that no job may see change; empty where it can."""
        return self.not_writable() or (BUSY if self.busy else "")

    # -- running and deciding

    def incoming(self, address: str) -> str:
        """The answer that is coming in for a cell, so far; empty where none is."""
        return self.job.texts.get(address, "") if self.job is not None and self.busy else ""

    async def work(self, plan: Plan, job: Job) -> None:
        """Run an approved plan to its end; how it ended is in the job."""
        outcome, error = None, None
        try:
            outcome = await self.session.runs.run(plan, listen=job.take, stream=True)
        except CoiError as trouble:
            error = trouble
        finally:
            if outcome is not None and plan.goal.until and not job.stopping:
                job.missed = self.session.shortfall(plan.goal.until, plan.goal.scope.instance)
            job.end(outcome, error)

    async def decide(self, change: Callable[[], T]) -> T:
        """Make a change of the person's, at a moment when no result of the job is on its way to the
        file. Raises CoiError."""
        async with self.session.journal.committing:
            return change()

    def stop(self) -> str:
        """Stop after the calls that run; the second time now. Says which."""
        if self.job is None or not self.busy:
            return "Nothing runs."
        now = self.job.stopping != ""
        self.session.runs.stop(now=now)
        self.job.stopping = "now" if now else "after"
        self.job.version += 1
        if now:
            return "Stopping now; a call may still be billed."
        waits = " What waits is not begun." if self.waiting else ""
        return f"Stopping after the calls that run; finished tasks stay.{waits} S again stops now."


Opener = Callable[["Environment"], "Session"]
"""Opens a session, in a worker thread."""


class OpenSessions:
    """Opens sessions in workers of the app and shows them on its screens."""

    def __init__(self, app: ConfiguredApp) -> None:
        self._app = app
        self.controllers: dict[Path, SessionController] = {}
        self._one_at_a_time = asyncio.Lock()
        """Sessions are opened one after the other."""

    def use(self, settings: Settings) -> None:
        """Other settings: open sessions go by them from their next plan on."""
        for controller in self.controllers.values():
            controller.session.settings = settings

    # -- opening

    def open(self, name: str | Path, at: str = "") -> None:
        """Open a session (or go back to one that is open) and show it, the cursor on ``at``."""
        self._in_background(self._open(name, partial(open_session, name), at), f"open {name}")

    def open_recorded(self, at: str = "") -> None:
        """The recorded session: from its first opening on the person's own."""
        opening = self._open(recorded_path(self._app.paths), open_recorded, at)
        self._in_background(opening, "open the recorded session")

    def _in_background(
        self, work: Coroutine[Any, Any, object], name: str, group: str = "open"
    ) -> None:
        self._app.run_worker(work, name=name, group=group, exit_on_error=False)

    async def _open(self, name: str | Path, opened: Opener, at: str) -> None:
        async with self._one_at_a_time:
            if (known := self.controllers.get(Path(name))) is not None:
                if not known.shown:  # else Enter was pressed twice
                    self._app.show_session(known, at)
                return
            try:
                await self._app.load_keys()
                session = await asyncio.to_thread(opened, self._app.env)
            except CoiError as error:
                self._not_opened(f"{name} cannot be opened", error)
                return
            self._show(session, at)

    def _not_opened(self, title: str, error: CoiError) -> None:
        self._app.sessions_changed()
        self._app.show_problem(title, error)

    def _show(self, session: Session, at: str = "", plan: Plan | None = None) -> None:
        self.controllers[session.file.path] = controller = SessionController(session)
        self._app.show_session(controller, at, plan)
        for notice in session.notices:
            self._app.notify(notice, severity="warning", markup=False, timeout=20)

    # -- making

    def create(self, draft: NewSessionDraft) -> None:
        """Make a session and show it."""
        self._in_background(self._create(draft), "create")

    async def _create(self, draft: NewSessionDraft) -> None:
        try:
            await self._app.load_keys()
            session = await asyncio.to_thread(create_session, draft, self._app.env, draft.bounds)
        except CoiError as error:
            self._not_opened("The session was not created", error)
            return
        await asyncio.to_thread(drop_draft, self._app.paths)
        self._show(session, plan=first_plan(session))

    # -- jobs

    def start_job(self, controller: SessionController, plan: Plan) -> Job:
        """Run an approved plan of a session, after the job that runs and the plans that wait for
        it. Raises UsageError for one that is among them."""
        if controller.job is not None and controller.busy:
            if plan.title in (one.title for one in (controller.job.plan, *controller.waiting)):
                raise UsageError(f"{plan.title}: this runs already, or waits its turn.")
            controller.waiting.append(plan)
            controller.job.version += 1
            return controller.job
        controller.job = job = Job(plan, controller.session.doing, controller.waiting)
        group = f"job {controller.session.name}"
        self._in_background(self._run(controller, plan, job), f"job {plan.title}", group)
        return job

    async def _run(self, controller: SessionController, plan: Plan, job: Job) -> None:
        await controller.work(plan, job)
        self._app.tell_outside(f"{controller.session.name}: {job.closing()}")
        if job.outcome is None or job.outcome.state not in ("done", "failed"):
            job.let_go, controller.waiting = controller.waiting, []
        if controller.waiting:
            self.start_job(controller, controller.waiting.pop(0))
        elif not controller.shown:
            self._close(controller)
            self._app.sessions_changed(f"{controller.session.name}: {job.closing()}")

    def stop_all(self) -> None:
        """Stop every job now."""
        for controller in self.controllers.values():
            if controller.busy:
                controller.session.runs.stop(now=True)

    def back_up(self) -> None:
        """Let each open session make its half-hourly copy, off the event loop."""
        for controller in self.controllers.values():
            copying = asyncio.to_thread(controller.session.back_up)
            self._in_background(copying, "back up", "back up")

    # -- closing

    def leave(self, controller: SessionController) -> None:
        """A screen lets go of a session: it is closed unless a job still runs there."""
        if not controller.busy:
            self._close(controller)

    def _close(self, controller: SessionController) -> None:
        if self.controllers.pop(controller.session.file.path, None) is not None:
            controller.session.close()

    def close_all(self) -> None:
        """Close every session that is open. Raises CoiError where one cannot be closed, after all
        others were."""
        with contextlib.ExitStack() as stack:
            for controller in list(self.controllers.values()):
                stack.callback(self._close, controller)


NOTICES = {
    "bell": "\a",
    "osc9": "\x1b]9;{}\a",
    "osc777": "\x1b]777;notify;coi-tui;{}\a",
}
"""What the terminal is sent at the end of a job, by the setting."""


class ConfiguredApp(App[None]):
    """The app as its screens know it: open sessions, settings, keys of services, appearance. Of the
    settings only the appearance is read before the first frame."""

    last_key = 0.0
    """When the last key came, by the monotonic clock."""
    terminal: Driver | None = None
    """What writes to the terminal."""
    fault: BaseException | None = None
    """What ended the app; whoever ran it says so."""

    def __init__(self, places: Paths, settings: Settings | None, keys: Keys | None) -> None:
        super().__init__()
        self.paths = places
        self._settings, self._keys = settings, keys
        self.appearance = read_display(places.config_file)
        self._plain = AsciiOnly()
        self._take(self.appearance)
        self.sessions = OpenSessions(self)

    # -- appearance

    @property
    def own_keys(self) -> Mapping[str, str]:
        """The keys that the person gave to actions, by the ids of their bindings."""
        return self.appearance.keys

    def get_line_filters(self) -> Sequence[LineFilter]:
        ours = [NO_CONTROLS, self._plain] if self._plain.enabled else [NO_CONTROLS]
        return [*super().get_line_filters(), *ours]

    def _take(self, now: Display) -> None:
        self.appearance = now
        self._plain.enabled = now.ascii
        self.animation_level = "full" if now.motion else "none"
        if now.theme in self.available_themes:  # else it is told when the settings are read
            self.theme = now.theme
        self.set_keymap(now.keys)

    def calm(self) -> None:
        """Let no cursor blink on the screen on top where nothing is to move."""
        try:
            fields = [*self.screen.query(Input), *self.screen.query(TextArea)]
        except NoMatches:
            return
        for one in fields:
            one.cursor_blink = self.appearance.motion

    def tell_outside(self, text: str) -> None:
        """Tell those who look elsewhere that a job ended, as the setting says."""
        if self.terminal is not None:
            how = NOTICES.get(self.settings.display.notice, "")
            self.terminal.write(how.format(NO_CONTROLS.shown(text)))

    # -- what it shows, from above the screens that ask for it

    def show_session(
        self, controller: SessionController, at: str, plan: Plan | None = None
    ) -> None:
        """Show an open session, the cursor on ``at``, and then a plan to begin with."""
        raise NotImplementedError

    def show_settings(self) -> None:
        raise NotImplementedError

    def show_own_papers(self) -> None:
        raise NotImplementedError

    def show_problem(self, title: str, error: CoiError) -> None:
        """Show an error that a person is meant to read."""
        raise NotImplementedError

    def sessions_changed(self, message: str = "") -> None:
        """Bring the list of sessions up to date where it is on the screen; ``message`` tells what
        changed."""
        raise NotImplementedError

    def leave(self) -> None:
        """As ``quit``, from a key of the home screen."""
        self.run_worker(
            self.action_quit(), name="quit", group="quit", exclusive=True, exit_on_error=False
        )

    # -- settings and keys of services

    @property
    def settings(self) -> Settings:
        """The settings; read when they are first asked for, after the first frame (their models
        take long to import)."""
        if self._settings is None:
            from coi_tui.session.settings import load_settings

            self._settings = load_settings(self.paths.config_file)
        return self._settings

    @property
    def keys(self) -> Keys:
        """The keys of services; none until ``load_keys``."""
        from coi_tui.config import Keys

        return self._keys or Keys()

    @property
    def env(self) -> Environment:
        """What new and opened sessions go by."""
        from coi_tui.session.environment import Environment

        return Environment(self.paths, self.settings, self.keys)

    async def load_keys(self) -> None:
        """Settings and keys, once and in a thread: keys may come from the system keyring, which can
        be slow.

        The app leaves with ``fault`` set where the settings cannot be read.
        """
        try:
            await asyncio.to_thread(self._load_keys)
        except CoiError as error:
            self.fault = error
            self.exit(return_code=1)
            raise

    def _load_keys(self) -> None:
        from coi_tui.session.settings import load_keys

        if self.settings and self._keys is None:
            self._keys = load_keys()

    async def settings_changed(self) -> None:
        """Read the settings file again; open sessions go by it from their next plan on."""
        from coi_tui.session.settings import load_settings

        self._settings = await asyncio.to_thread(load_settings, self.paths.config_file)
        self.sessions.use(self._settings)
        self._take(read_display(self.paths.config_file))
        self.calm()
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.notify_style_update()
                widget.refresh()
