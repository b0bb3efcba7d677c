"""The part of the app that opens sessions, puts them on the desk, and shows them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from coi_tui import DEMO_TOPIC, collecting
from coi_tui.computing import beside
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.configured import Configured
from coi_tui.screens.desk import Desk
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, drop_draft
from coi_tui.session.watch import Work, create_session, open_session, opening_parts, running_parts

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.screens.bench.workbench import Workbench
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session

log = logging.getLogger(__name__)
DEMO = "demo"
WARM_AFTER = 0.3
"""Seconds after the first frame in which nothing competes with it; then what opening a session needs is imported."""
QUIET = 0.4
"""Seconds without a key before something is loaded ahead."""


class Ground(Screen[None]):
    """Stands below a session that was named at the start, so that the list of sessions is not made before it is wanted."""

    _covered = False

    def on_screen_suspend(self) -> None:
        self._covered = True

    def _compositor_refresh(self) -> None:
        """What stands over it hides all of it; the toolkit would paint that again whenever this is laid out."""
        if self.app.screen is self:
            super()._compositor_refresh()

    def on_screen_resume(self) -> None:
        if self._covered and self.app.screen is self:
            self.app.push_screen(home_screen())


def home_screen() -> CoiScreen[None]:
    from coi_tui.screens.home.home import HomeScreen

    return HomeScreen()


class Opening(Configured):
    """Sessions close with the app at the latest.

    A session named at the start has its frame on the screen at the first paint; its rows come into it when they have been read.
    """

    def __init__(
        self, places: Paths, settings: Settings | None, keys: Keys | None, *, session: str | None, demo: bool, at: str
    ) -> None:  # fmt: skip
        super().__init__(places, settings, keys)
        self.desks: dict[Path, Desk] = {}
        self._first, self._first_demo, self._first_at = session or (DEMO if demo else ""), demo, at
        self._one_at_a_time = asyncio.Lock()
        """Sessions are opened one after the other: an opening that nobody waits for any more lets go of its file before the next begins."""
        self._opening = 0
        """How many sessions are being opened."""
        self.key_at = 0.0
        """When the last key came, by the monotonic clock."""

    def get_default_screen(self) -> Screen[None]:
        return Ground() if self._first else home_screen()

    def begin(self) -> None:
        """What was asked for at the start: a session, the demo, or the list."""
        name = self._first
        if not name:
            self.set_timer(WARM_AFTER, self._warm)
            return
        from coi_tui.screens.bench.workbench import Workbench

        frame = Workbench(at=self._first_at, wanted=name)
        self.push_screen(frame)
        frame.screen_layout_refresh_signal.subscribe(self, lambda _: self._framed(frame, name), immediate=True)

    def _framed(self, frame: Workbench, name: str) -> None:
        """The frame is painted: open the session, once."""
        frame.screen_layout_refresh_signal.unsubscribe(self)
        if self._first_demo:
            self.open_demo(frame)
        else:
            self.open_session(name, frame)

    # -- loading ahead --------------------------------------------------------------------------------------------

    def _warm(self) -> None:
        """Import beside the list of sessions what the first opening would wait for, and beside a session what its first decision would."""
        self.run_worker(self._warmed(), name="warm", group="warm", exit_on_error=False)

    async def _warmed(self) -> None:
        for work in (*opening_parts(), bench_part):
            await beside(work)
        if not self._opening:
            collecting.resume()
        try:
            for desk in list(self.desks.values()):
                for work in chain(first_sheets(), running_parts(desk.session)):
                    await self._nobody_types()
                    await beside(work)
        except (CoiError, ImportError) as error:  # the run that needs it will say so
            log.info("not loaded ahead: %s", error)
        if not self._opening:
            collecting.resume()  # what was loaded stays and need not be looked at

    async def _nobody_types(self) -> None:
        """Wait until no key has come for a while: a thread that imports takes turns from the loop that answers keys."""
        left = QUIET - (time.monotonic() - self.key_at)
        while left > 0:
            await asyncio.sleep(left)
            left = QUIET - (time.monotonic() - self.key_at)

    async def settings_changed(self) -> None:
        """Read the settings file again; open sessions go by it from their next plan on."""
        await super().settings_changed()
        for desk in self.desks.values():
            desk.session.settings = self.settings

    # -- opening --------------------------------------------------------------------------------------------------

    def open_session(self, name: str | Path, frame: Workbench | None = None) -> None:
        """Open a session (or go back to one that is open) and show it, in the ``frame`` that waits for it if there is one."""
        self.run_worker(self._open(name, frame), name=f"open {name}", group="open", exit_on_error=False)

    async def _open(self, name: str | Path, frame: Workbench | None) -> None:
        self._opening += 1
        collecting.put_off()
        try:
            async with self._one_at_a_time:
                await self._opened(name, frame)
        finally:
            self.call_after_refresh(self._stands)

    def _stands(self) -> None:
        """What was opened is on the screen, or why it is not."""
        self._opening -= 1
        self._warm()

    async def _opened(self, name: str | Path, frame: Workbench | None) -> None:
        known = self.desks.get(Path(name))
        if known is not None:
            if not self._shows(known):
                self._show(known)
            return
        try:
            await self.load_keys()
            session = await asyncio.to_thread(open_session, name, self.paths, self.settings, self.keys)
        except CoiError as error:
            await self._not_opened(f"{name} cannot be opened", error, frame)
            return
        await self._come(session, frame)

    def _shows(self, desk: Desk) -> bool:
        """Whether a screen of this desk stands already: Enter was pressed twice."""
        return any(getattr(screen, "desk", None) is desk for screen in self.screen_stack)

    async def _come(self, session: Session, frame: Workbench | None) -> None:
        """Show a session that is there now, unless the person has left the frame that waited for it."""
        if frame is None or frame in self.screen_stack:
            self._show(Desk(session), frame)
            return
        await asyncio.to_thread(session.close)
        self._sessions_changed()

    async def _not_opened(self, title: str, error: CoiError, frame: Workbench | None) -> None:
        """Say why, over the list of sessions."""
        if frame in self.screen_stack:
            while frame in self.screen_stack:  # with what was opened over it
                await self.pop_screen()
            await self.push_screen(home_screen())
        self.show_problem(title, error)

    def show_problem(self, title: str, error: CoiError) -> None:
        """Show an error that a person is meant to read."""
        raise NotImplementedError

    def open_demo(self, frame: Workbench | None = None) -> None:
        """The demo session: made at its first opening, offline for good."""
        path = self.paths.sessions / f"{DEMO}.coi.db"
        if path.exists():
            self.open_session(path, frame)
        else:
            self.create_session(NewSessionDraft(DEMO_TOPIC, name=DEMO, offline=True), frame)

    def _show(self, desk: Desk, frame: Workbench | None = None) -> Workbench:
        from coi_tui.screens.bench.workbench import Workbench  # its widgets are not needed before the first session

        self.desks[desk.session.file.path] = desk
        if frame is not None:
            frame.seat(desk)
            return frame
        bench = Workbench(desk)
        self.push_screen(bench)
        return bench

    # -- making ---------------------------------------------------------------------------------------------------

    def create_session(self, draft: NewSessionDraft, frame: Workbench | None = None) -> None:
        """Make a session and show it."""
        self.run_worker(self._create(draft, frame), name="create", group="open", exit_on_error=False)

    async def _create(self, draft: NewSessionDraft, frame: Workbench | None) -> None:
        try:
            await self.load_keys()
            session = await asyncio.to_thread(
                create_session, draft.topic, self.paths, self.settings, self.keys,
                name=draft.name, hunch=draft.hunch, offline=draft.offline,
            )  # fmt: skip
        except CoiError as error:
            await self._not_opened("The session was not made", error, frame)
            return
        await asyncio.to_thread(drop_draft, self.paths, draft)
        if draft.send_hunch:
            session.set_settings({"send_hunch": True})
        if draft.offline and draft.name == DEMO:
            await self._come(session, frame)
        else:
            self._wizard(Desk(session))
        self.call_after_refresh(self._warm)

    def _wizard(self, desk: Desk) -> None:
        from coi_tui.screens.home.wizard import Wizard

        self.desks[desk.session.file.path] = desk
        self.push_screen(Wizard(desk), lambda on: self._made(desk, bool(on)))

    def _made(self, desk: Desk, on: bool) -> None:
        """Go on to the workbench, where the search for anchors starts at once when it is free."""
        if not on:
            self._sessions_changed()
            return
        from coi_tui.session.decisions.new_session import first_plan, free_start

        bench = self._show(desk)
        if desk.busy or desk.session.read_only_reason:
            return
        if first := first_plan(desk.session):
            bench.call_after_refresh(bench.open_plan, first)
        elif free := free_start(desk.session):
            self.start_job(desk, free)

    def start_job(self, desk: Desk, plan: Plan) -> object:
        """Run an approved plan on a desk."""
        raise NotImplementedError

    # -- closing --------------------------------------------------------------------------------------------------

    def _sessions_changed(self, said: str = "") -> None:
        """Tell the list of sessions, where it is on the screen."""
        if isinstance(self.screen, CoiScreen):
            self.screen.sessions_changed(said)

    def leave_desk(self, desk: Desk) -> None:
        """A screen lets go of a desk: its session is closed unless a job still runs there."""
        if not desk.busy:
            self._close(desk)

    def _close(self, desk: Desk) -> None:
        if self.desks.pop(desk.session.file.path, None) is not None:
            desk.session.close()
            collecting.look_at_all()

    def close_all(self) -> None:
        """Close every session that is open."""
        for desk in list(self.desks.values()):
            self._close(desk)


FIRST_SHEETS = ("help_screen", "runs.plan_sheet", "runs.stage_sheet", "runs.generate_menu", "sheets.reason_sheet", "home.home")
"""What the first keys on a workbench would show."""


def first_sheets() -> Iterator[Work]:
    """The screens that come first, imported."""
    return (partial(import_module, f"coi_tui.screens.{name}") for name in FIRST_SHEETS)


bench_part: Work = partial(import_module, "coi_tui.screens.bench.workbench")
"""The screen of an open session, imported."""
