"""The sessions that are open: made, shown, run and closed. They belong to the app, so leaving a
screen ends nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError
from coi_tui.model.money import Limit
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.session_controller import Job, SessionController
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, drop_draft
from coi_tui.session.opening import create_session, open_recorded, open_session, recorded_path
from coi_tui.startup import freeze_gc

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.paths import Paths
    from coi_tui.screens.configured_app import ConfiguredApp
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


Opener = Callable[["Paths", "Settings", "Keys"], "Session"]
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

    def _in_background(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._app.run_worker(work, name=name, group="open", exit_on_error=False)

    async def _open(self, name: str | Path, opened: Opener, at: str) -> None:
        async with self._one_at_a_time:
            known = self.controllers.get(Path(name))
            if known is not None:
                if not self._is_shown(known):
                    self._show(known, at)
                return
            try:
                await self._app.load_keys()
                session = await asyncio.to_thread(
                    opened, self._app.paths, self._app.settings, self._app.keys
                )
            except CoiError as error:
                self._not_opened(f"{name} cannot be opened", error)
                return
            self._show(SessionController(session), at)

    def _is_shown(self, controller: SessionController) -> bool:
        """Whether a screen already shows this session: Enter was pressed twice."""
        return any(
            getattr(screen, "controller", None) is controller for screen in self._app.screen_stack
        )

    def _not_opened(self, title: str, error: CoiError) -> None:
        self._update_list()
        self._app.show_problem(title, error)

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
        self._in_background(self._create(draft), "create")

    async def _create(self, draft: NewSessionDraft) -> None:
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
                bounds=draft.bounds,
            )
        except CoiError as error:
            self._not_opened("The session was not created", error)
            return
        await asyncio.to_thread(drop_draft, self._app.paths)
        if draft.send_hunch:
            session.decide("settings", "session", {"send_hunch": True})
        if draft.cap:
            session.set_cap(Limit.read(draft.cap))
        screen = self._show(SessionController(session))
        from coi_tui.session.opening import first_plan

        if (plan := first_plan(session)) and not session.read_only_reason:
            screen.call_after_refresh(screen.runs.open_plan, plan)

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
            self._update_list(f"{controller.session.name}: {job.closing()}")

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

    def _update_list(self, said: str = "") -> None:
        """Bring the list of sessions up to date where it is on the screen."""
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
