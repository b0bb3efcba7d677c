"""The sessions that are open: made, shown, run and closed. They belong to the app, so leaving a
screen ends nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen, outdated
from coi_tui.screens.session_controller import Job, SessionController
from coi_tui.screens.workbench.commands import WORKBENCH_ACTIONS
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, drop_draft
from coi_tui.session.watch import create_session, open_recorded, open_session, recorded_path
from coi_tui.startup import freeze_gc
from coi_tui.widgets.key_actions import bindings

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.paths import Paths
    from coi_tui.screens.configured_app import ConfiguredApp
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


Opener = Callable[["Paths", "Settings", "Keys"], "Session"]
"""Opens a session, in a worker thread."""


def home_screen() -> CoiScreen[None]:
    """The list of sessions."""
    from coi_tui.screens.home.home_screen import HomeScreen

    return HomeScreen()


class OpeningScreen(Screen[None]):
    """The lowest screen where a session was named. Whoever comes back to it sees the list of
    sessions over it."""

    BINDINGS = bindings("workbench", WORKBENCH_ACTIONS, "back", "escape")

    def __init__(self, name: str) -> None:
        super().__init__()
        self.wanted = name.rpartition("/")[2].removesuffix(".coi.db")
        self.waits = True
        """False once the session was shown, or was not wanted any more."""

    async def on_event(self, event: events.Event) -> None:
        """As every screen, without sizes that the terminal has no more."""
        if not outdated(self, event):
            await super().on_event(event)

    def compose(self) -> ComposeResult:
        yield Static(f"Opening {self.wanted}.   Esc: the list of sessions", markup=False)

    def action_act(self, name: str) -> None:
        """The person leaves before the session is there: it is closed when it comes."""
        self.give_way()

    def on_screen_resume(self) -> None:
        if not self.waits:
            self.give_way()

    def give_way(self) -> None:
        """Show the list of sessions."""
        self.waits = False
        if self.app.screen is self:
            self.app.push_screen(home_screen())


class OpenSessions:
    """Opens sessions in workers of the app and shows them on its screens."""

    def __init__(self, app: ConfiguredApp, at: str = "") -> None:
        """``at``: an address to begin at in the session that was named at the start."""
        self._app, self._at = app, at
        self.controllers: dict[Path, SessionController] = {}
        self._one_at_a_time = asyncio.Lock()
        """Sessions are opened one after the other: an opening that nobody waits for any more lets
        go of its file before the next begins."""

    def use(self, settings: Settings) -> None:
        """Other settings: open sessions go by them from their next plan on."""
        for controller in self.controllers.values():
            controller.session.settings = settings

    # -- opening

    @property
    def _waiting(self) -> OpeningScreen | None:
        """The screen that waits for the session named at the start, until the person leaves it."""
        return next(
            (
                screen
                for screen in self._app.screen_stack
                if isinstance(screen, OpeningScreen) and screen.waits
            ),
            None,
        )

    def open(self, name: str | Path) -> None:
        """Open a session (or go back to one that is open) and show it."""
        self._app.run_worker(
            self._open(name, self._waiting), name=f"open {name}", group="open", exit_on_error=False
        )

    async def _open(
        self, name: str | Path, waiting: OpeningScreen | None, opened: Opener | None = None
    ) -> None:
        async with self._one_at_a_time:
            known = self.controllers.get(Path(name))
            if known is not None:
                if not self._shows(known):
                    self._show(known)
                return
            try:
                await self._app.load_keys()
                session = await asyncio.to_thread(
                    opened or partial(open_session, name),
                    self._app.paths,
                    self._app.settings,
                    self._app.keys,
                )
            except CoiError as error:
                await self._not_opened(f"{name} cannot be opened", error, waiting)
                return
            await self._come(session, waiting)

    def _shows(self, controller: SessionController) -> bool:
        """Whether a screen of this session stands already: Enter was pressed twice."""
        return any(
            getattr(screen, "controller", None) is controller for screen in self._app.screen_stack
        )

    async def _come(self, session: Session, waiting: OpeningScreen | None) -> None:
        """Show a session that is there now, unless the person has left the screen that waited for
        it."""
        if waiting is None:
            self._show(SessionController(session))
        elif waiting.waits:
            await self._back_to(waiting)
            waiting.waits = False
            self._show(SessionController(session), self._at)
        else:
            await asyncio.to_thread(session.close)
            self._tell()

    async def _not_opened(self, title: str, error: CoiError, waiting: OpeningScreen | None) -> None:
        """Say why, over the list of sessions."""
        if waiting is not None and waiting.waits:
            await self._back_to(waiting)
            waiting.give_way()
        self._app.show_problem(title, error)

    async def _back_to(self, screen: Screen[None]) -> None:
        """Close what stands over a screen."""
        while self._app.screen is not screen:
            await self._app.pop_screen()

    def open_recorded(self) -> None:
        """The recorded session: from its first opening on the person's own."""
        opening = self._open(recorded_path(self._app.paths), self._waiting, open_recorded)
        self._app.run_worker(
            opening, name="open the recorded session", group="open", exit_on_error=False
        )

    def _show(self, controller: SessionController, at: str = "") -> WorkbenchScreen:
        from coi_tui.screens.workbench.workbench import (
            WorkbenchScreen,
        )  # its widgets are not needed before the first session

        self.controllers[controller.session.core.file.path] = controller
        screen = WorkbenchScreen(controller, at)
        self._app.push_screen(screen)
        screen.call_after_refresh(freeze_gc)
        for notice in controller.session.notices:
            self._app.notify(notice, severity="warning", markup=False, timeout=20)
        return screen

    # -- making

    def create(self, draft: NewSessionDraft) -> None:
        """Make a session and show it."""
        self._app.run_worker(
            self._create(draft, self._waiting), name="create", group="open", exit_on_error=False
        )

    async def _create(self, draft: NewSessionDraft, waiting: OpeningScreen | None) -> None:
        try:
            await self._app.load_keys()
            session = await asyncio.to_thread(
                create_session,
                draft.topic,
                self._app.paths,
                self._app.settings,
                self._app.keys,
                name=draft.name,
                hunch=draft.hunch,
                offline=draft.offline,
                method=draft.method,
            )
        except CoiError as error:
            await self._not_opened("The session was not made", error, waiting)
            return
        await asyncio.to_thread(drop_draft, self._app.paths, draft)
        if draft.send_hunch:
            session.decide("settings", "session", {"send_hunch": True})
        from coi_tui.session.new_session import asks_for_questions

        if not asks_for_questions(session):
            await self._come(session, waiting)
        else:
            self._wizard(SessionController(session))

    def _wizard(self, controller: SessionController) -> None:
        from coi_tui.screens.home.new_session_screen import NewSessionScreen

        self.controllers[controller.session.core.file.path] = controller
        self._app.push_screen(
            NewSessionScreen(controller), lambda on: self._made(controller, bool(on))
        )

    def _made(self, controller: SessionController, on: bool) -> None:
        """Go on to the workbench, where the search for anchors starts at once when it is free."""
        if not on:
            self._tell()
            return
        from coi_tui.session.new_session import first_plan, free_start

        screen = self._show(controller)
        if controller.busy or controller.session.read_only_reason:
            return
        if first := first_plan(controller.session):
            screen.call_after_refresh(screen.runs.open_plan, first)
        elif free := free_start(controller.session):
            self.start_job(controller, free)

    # -- jobs

    def start_job(self, controller: SessionController, plan: Plan) -> Job:
        """Run an approved plan of a session."""
        controller.job = job = Job(plan)
        group = f"job {controller.session.name}"
        self._app.run_worker(
            self._run(controller, plan, job),
            name=f"job {plan.title}",
            group=group,
            exit_on_error=False,
        )
        return job

    async def _run(self, controller: SessionController, plan: Plan, job: Job) -> None:
        await controller.work(plan, job)
        if not controller.shown:
            self._close(controller)
            self._tell(f"{controller.session.name}: {job.closing()}")

    def stop_all(self) -> None:
        """Stop every job now."""
        for controller in self.controllers.values():
            if controller.busy:
                controller.session.runs.stop(now=True)

    def back_up(self) -> None:
        """Let each open session make its half-hourly copy, off the event loop."""
        for controller in self.controllers.values():
            self._app.run_worker(
                asyncio.to_thread(controller.session.core.back_up),
                name="back up",
                group="back up",
                exit_on_error=False,
            )

    # -- closing

    def _tell(self, said: str = "") -> None:
        """Tell the list of sessions, where it is on the screen."""
        if isinstance(self._app.screen, CoiScreen):
            self._app.screen.sessions_changed(said)

    def leave(self, controller: SessionController) -> None:
        """A screen lets go of a session: it is closed unless a job still runs there."""
        if not controller.busy:
            self._close(controller)

    def _close(self, controller: SessionController) -> None:
        if self.controllers.pop(controller.session.core.file.path, None) is not None:
            controller.session.close()

    def close_all(self) -> None:
        """Close every session that is open. Raises CoiError where one cannot be closed, after all
        others were."""
        with contextlib.ExitStack() as stack:
            for controller in list(self.controllers.values()):
                stack.callback(self._close, controller)
