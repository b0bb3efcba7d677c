"""The part of the app that opens sessions and shows them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from coi_tui import DEMO_TOPIC
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.configured import Configured
from coi_tui.screens.opening_screen import OpeningScreen, home_screen
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, drop_draft
from coi_tui.session.watch import create_session, open_session

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session

DEMO = "demo"


class Opening(Configured):
    """Sessions close with the app at the latest."""

    def __init__(
        self, places: Paths, settings: Settings | None, keys: Keys | None, *, session: str | None, demo: bool, at: str
    ) -> None:  # fmt: skip
        super().__init__(places, settings, keys)
        self.open_sessions: dict[Path, SessionController] = {}
        self._first, self._first_demo, self._first_at = session or (DEMO if demo else ""), demo, at
        self._one_at_a_time = asyncio.Lock()
        """Sessions are opened one after the other: an opening that nobody waits for any more lets go of its file before the next begins."""
        self.key_at = 0.0
        """When the last key came, by the monotonic clock."""

    def get_default_screen(self) -> Screen[None]:
        return OpeningScreen(self._first) if self._first else home_screen()

    def begin(self) -> None:
        """Open what was asked for at the start: a session or the demo."""
        if self._first_demo:
            self.open_demo()
        elif self._first:
            self.open_session(self._first)

    async def settings_changed(self) -> None:
        """Read the settings file again; open sessions go by it from their next plan on."""
        await super().settings_changed()
        for controller in self.open_sessions.values():
            controller.session.settings = self.settings

    # -- opening --------------------------------------------------------------------------------------------------

    @property
    def _waiting(self) -> OpeningScreen | None:
        """The screen that waits for the session named at the start, until the person leaves it."""
        return next((screen for screen in self.screen_stack if isinstance(screen, OpeningScreen) and screen.waits), None)

    def open_session(self, name: str | Path) -> None:
        """Open a session (or go back to one that is open) and show it."""
        self.run_worker(self._open(name, self._waiting), name=f"open {name}", group="open", exit_on_error=False)

    async def _open(self, name: str | Path, waiting: OpeningScreen | None) -> None:
        async with self._one_at_a_time:
            known = self.open_sessions.get(Path(name))
            if known is not None:
                if not self._shows(known):
                    self._show(known)
                return
            try:
                await self.load_keys()
                session = await asyncio.to_thread(open_session, name, self.paths, self.settings, self.keys)
            except CoiError as error:
                await self._not_opened(f"{name} cannot be opened", error, waiting)
                return
            await self._come(session, waiting)

    def _shows(self, controller: SessionController) -> bool:
        """Whether a screen of this session stands already: Enter was pressed twice."""
        return any(getattr(screen, "controller", None) is controller for screen in self.screen_stack)

    async def _come(self, session: Session, waiting: OpeningScreen | None) -> None:
        """Show a session that is there now, unless the person has left the screen that waited for it."""
        if waiting is None:
            self._show(SessionController(session))
        elif waiting.waits:
            await self._back_to(waiting)
            waiting.waits = False
            self._show(SessionController(session), self._first_at)
        else:
            await asyncio.to_thread(session.close)
            self._sessions_changed()

    async def _not_opened(self, title: str, error: CoiError, waiting: OpeningScreen | None) -> None:
        """Say why, over the list of sessions."""
        if waiting is not None and waiting.waits:
            await self._back_to(waiting)
            waiting.give_way()
        self.show_problem(title, error)

    async def _back_to(self, screen: Screen[None]) -> None:
        """Close what stands over a screen."""
        while self.screen is not screen:
            await self.pop_screen()

    def show_problem(self, title: str, error: CoiError) -> None:
        """Show an error that a person is meant to read."""
        raise NotImplementedError

    def open_demo(self) -> None:
        """The demo session: made at its first opening, offline for good."""
        path = self.paths.sessions / f"{DEMO}.coi.db"
        if path.exists():
            self.open_session(path)
        else:
            self.create_session(NewSessionDraft(DEMO_TOPIC, name=DEMO, offline=True))

    def _show(self, controller: SessionController, at: str = "") -> WorkbenchScreen:
        from coi_tui.screens.workbench.workbench import WorkbenchScreen  # its widgets are not needed before the first session

        self.open_sessions[controller.session.core.file.path] = controller
        screen = WorkbenchScreen(controller, at)
        self.push_screen(screen)
        return screen

    # -- making ---------------------------------------------------------------------------------------------------

    def create_session(self, draft: NewSessionDraft) -> None:
        """Make a session and show it."""
        self.run_worker(self._create(draft, self._waiting), name="create", group="open", exit_on_error=False)

    async def _create(self, draft: NewSessionDraft, waiting: OpeningScreen | None) -> None:
        try:
            await self.load_keys()
            session = await asyncio.to_thread(
                create_session, draft.topic, self.paths, self.settings, self.keys,
                name=draft.name, hunch=draft.hunch, offline=draft.offline,
            )  # fmt: skip
        except CoiError as error:
            await self._not_opened("The session was not made", error, waiting)
            return
        await asyncio.to_thread(drop_draft, self.paths, draft)
        if draft.send_hunch:
            session.decisions.set_settings({"send_hunch": True})
        if draft.offline and draft.name == DEMO:
            await self._come(session, waiting)
        else:
            self._wizard(SessionController(session))

    def _wizard(self, controller: SessionController) -> None:
        from coi_tui.screens.home.wizard import Wizard

        self.open_sessions[controller.session.core.file.path] = controller
        self.push_screen(Wizard(controller), lambda on: self._made(controller, bool(on)))

    def _made(self, controller: SessionController, on: bool) -> None:
        """Go on to the workbench, where the search for anchors starts at once when it is free."""
        if not on:
            self._sessions_changed()
            return
        from coi_tui.session.new_session import first_plan, free_start

        screen = self._show(controller)
        if controller.busy or controller.session.read_only_reason:
            return
        if first := first_plan(controller.session):
            screen.call_after_refresh(screen.runs.open_plan, first)
        elif free := free_start(controller.session):
            self.start_job(controller, free)

    def start_job(self, controller: SessionController, plan: Plan) -> object:
        """Run an approved plan of a session."""
        raise NotImplementedError

    # -- closing --------------------------------------------------------------------------------------------------

    def _sessions_changed(self, said: str = "") -> None:
        """Tell the list of sessions, where it is on the screen."""
        if isinstance(self.screen, CoiScreen):
            self.screen.sessions_changed(said)

    def leave_session(self, controller: SessionController) -> None:
        """A screen lets go of a session: it is closed unless a job still runs there."""
        if not controller.busy:
            self._close(controller)

    def _close(self, controller: SessionController) -> None:
        if self.open_sessions.pop(controller.session.core.file.path, None) is not None:
            controller.session.close()

    def close_all(self) -> None:
        """Close every session that is open."""
        for controller in list(self.open_sessions.values()):
            self._close(controller)
