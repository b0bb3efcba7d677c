"""The Textual application: sessions on the desk, their jobs, and the screens over them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
import time
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.screen import Screen
from textual.widgets import Input, TextArea
from textual.worker import Worker, WorkerState

from coi_tui import DEMO_TOPIC, collecting
from coi_tui.computing import beside
from coi_tui.display import read_display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths, paths
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.desk import Desk, Job
from coi_tui.screens.displayed import Displayed
from coi_tui.screens.home.home import HomeScreen
from coi_tui.screens.quiet_driver import quiet
from coi_tui.screens.sheets.message import MessageScreen
from coi_tui.session.decide.wishing import Wish, drop_wish
from coi_tui.session.watch import Work, create_session, open_session, opening_parts, running_parts

if TYPE_CHECKING:
    from textual.driver import Driver

    from coi_tui.config import Keys, Settings
    from coi_tui.screens.bench.workbench import Workbench
    from coi_tui.session.run.plans import Plan

log = logging.getLogger(__name__)
DEMO = "demo"
QUIT_WAIT = 5.0
SWITCH_S = 0.0005
"""Seconds after which a thread that computes gives way: ranking and drafting run beside the loop, which has keys to answer."""
SIGNAL_WAIT = 2.0
"""Seconds that jobs get to end when the app is told to go."""
SIGNALLED = 128
"""Added to the number of a signal for the exit code, as shells do."""
WARM_AFTER = 0.3
"""Seconds after the first frame in which nothing competes with it; then what opening a session needs is imported."""
QUIET = 0.4
"""Seconds without a key before something is loaded ahead."""
BACK_UP_EVERY = 600.0
"""Seconds between looks whether a copy is due (store: half an hour)."""


def _go_provider() -> type[Provider]:
    """Loaded when the palette is opened."""
    from coi_tui.screens.go_provider import GoProvider

    return GoProvider


class CoiApp(Displayed):
    """Jobs are workers of the app, so that leaving a screen ends none. Sessions close with the app at the latest."""

    TITLE = "coi-tui"
    CSS_PATH = "screens/coi.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", "suspend", show=False, tooltip="sleep in the background; fg brings the app back", system=True)
    ]
    COMMANDS = App.COMMANDS | {_go_provider}

    def __init__(
        self, places: Paths, settings: Settings | None = None, keys: Keys | None = None, *, session: str | None = None, demo: bool = False,
        at: str = "",
    ) -> None:  # fmt: skip
        """``at``: an address of the session to begin at."""
        super().__init__(places)
        self._settings, self._keys = settings, keys
        self.fault: CoiError | None = None
        """Why the settings could not be read; the app leaves, and whoever ran it says so."""
        self._first, self._first_demo, self._first_at = session, demo, at
        self.desks: dict[Path, Desk] = {}
        self.beginning = session or (DEMO if demo else "")
        self._opening = 0
        """How many sessions are being opened."""
        self.key_at = 0.0
        """When the last key came, by the monotonic clock."""

    def get_driver_class(self) -> type[Driver]:
        return quiet(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()

    def on_mount(self) -> None:
        self._heed_signals()
        self.set_interval(BACK_UP_EVERY, self.back_up)
        if self._first_demo:
            self.open_demo()
        elif self._first is not None:
            self.open_session(self._first)
        else:
            self.set_timer(WARM_AFTER, self._warm)

    async def on_event(self, event: events.Event) -> None:
        """Drop keys pressed before the sheet on top was drawn; they meant what stood there before."""
        if isinstance(event, events.Key):
            self.key_at = time.monotonic()
            if self._too_early(event):
                event.stop()
                return
        await super().on_event(event)

    def _too_early(self, event: events.Key) -> bool:
        top = self.screen_stack[-1] if self.screen_stack else None
        return isinstance(top, CoiScreen) and event.time < top.listens_from

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
                for work in running_parts(desk.session):
                    await self._nobody_types()
                    await beside(work)
        except (CoiError, ImportError) as error:  # the run that needs it will say so
            log.info("not loaded ahead: %s", error)

    async def _nobody_types(self) -> None:
        """Wait until no key has come for a while: a thread that imports takes turns from the loop that answers keys."""
        left = QUIET - (time.monotonic() - self.key_at)
        while left > 0:
            await asyncio.sleep(left)
            left = QUIET - (time.monotonic() - self.key_at)

    # -- signals --------------------------------------------------------------------------------------------------

    def _heed_signals(self) -> None:
        """A closed terminal window and a polite ``kill`` end the app as leaving does: sessions closed, terminal restored."""
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM"):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # no signals on this system or in this thread
                    loop.add_signal_handler(number, self._signalled, number)

    def _signalled(self, number: int) -> None:
        """Leave, with the exit code that a shell gives for the signal."""
        self.run_worker(self._end(SIGNALLED + number, wait=SIGNAL_WAIT), name="signal", group="quit", exclusive=True, exit_on_error=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """``^z`` is undo where text is typed, and sleep elsewhere."""
        if action == "suspend_process" and isinstance(self.focused, Input | TextArea):
            return False
        return super().check_action(action, parameters)

    @property
    def settings(self) -> Settings:
        """The settings; read when they are first asked for, after the first frame (their models take long to import)."""
        if self._settings is None:
            from coi_tui.config import load_settings

            self._settings = load_settings(self.paths.config_file)
        return self._settings

    @property
    def keys(self) -> Keys:
        """The keys of services; none until ``load_keys``."""
        from coi_tui.config import Keys

        return self._keys or Keys()

    async def load_keys(self) -> None:
        """Settings and keys, once and in a thread: keys may come from the system keyring, which can be slow.

        The app leaves with ``fault`` set where the settings cannot be read.
        """
        try:
            await asyncio.to_thread(self._load_keys)
        except CoiError as error:
            self.fault = error
            self.exit(return_code=1)
            raise

    def _load_keys(self) -> None:
        from coi_tui.config import load_keys

        if self.settings and self._keys is None:
            self._keys = load_keys()

    async def settings_changed(self) -> None:
        """Read the settings file again; open sessions go by it from their next plan on."""
        from coi_tui.config import load_settings

        self._settings = await asyncio.to_thread(load_settings, self.paths.config_file)
        for desk in self.desks.values():
            desk.session.settings = self._settings
        self._take(read_display(self.paths.config_file))

    # -- sessions -------------------------------------------------------------------------------------------------

    def open_session(self, name: str | Path) -> None:
        """Open a session (or go back to one that is open) and show it."""
        self.run_worker(self._open(name), name=f"open {name}", group="open", exclusive=True, exit_on_error=False)

    async def _open(self, name: str | Path) -> None:
        self._opening += 1
        collecting.put_off()
        try:
            await self._opened(name)
        finally:
            self.call_after_refresh(self._stands)

    def _stands(self) -> None:
        """What was opened is on the screen, or why it is not."""
        self._opening -= 1
        self._warm()

    async def _opened(self, name: str | Path) -> None:
        known = self.desks.get(Path(name))
        if known is not None:
            self._show(known)
            return
        try:
            await self.load_keys()
            session = await asyncio.to_thread(open_session, name, self.paths, self.settings, self.keys)
        except CoiError as error:
            self.show_problem(f"{name} cannot be opened", error)
            return
        self._show(Desk(session))

    def create_session(self, wish: Wish) -> None:
        """Make a session and show it."""
        self.run_worker(self._create(wish), name="create", group="open", exclusive=True, exit_on_error=False)

    async def _create(self, wish: Wish) -> None:
        try:
            await self.load_keys()
            session = await asyncio.to_thread(
                create_session, wish.topic, self.paths, self.settings, self.keys,
                name=wish.name, hunch=wish.hunch, offline=wish.offline,
            )  # fmt: skip
        except CoiError as error:
            self.show_problem("The session was not made", error)
            return
        await asyncio.to_thread(drop_wish, self.paths, wish)
        if wish.send_hunch:
            session.set_settings({"send_hunch": True})
        if wish.offline and wish.name == DEMO:
            self._show(Desk(session))
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
            if isinstance(self.screen, HomeScreen):
                self.screen.load()
            return
        from coi_tui.session.decide.starting import first_plan, free_start

        bench = self._show(desk)
        if desk.busy or desk.session.read_only_reason:
            return
        if first := first_plan(desk.session):
            bench.call_after_refresh(bench.open_plan, first)
        elif free := free_start(desk.session):
            self.start_job(desk, free)

    def open_demo(self) -> None:
        """The demo session: made at its first opening, offline for good."""
        path = self.paths.sessions / f"{DEMO}.coi.db"
        if path.exists():
            self.open_session(path)
        else:
            self.create_session(Wish(DEMO_TOPIC, name=DEMO, offline=True))

    def _show(self, desk: Desk) -> Workbench:
        from coi_tui.screens.bench.workbench import Workbench  # its widgets are not needed before the first session

        self.desks[desk.session.file.path] = desk
        self.beginning = ""
        bench = Workbench(desk, self._first_at)
        self._first_at = ""
        self.push_screen(bench)
        return bench

    def leave_desk(self, desk: Desk) -> None:
        """A screen lets go of a desk: its session is closed unless a job still runs there."""
        if not desk.busy:
            self._close(desk)

    def _close(self, desk: Desk) -> None:
        if self.desks.pop(desk.session.file.path, None) is not None:
            desk.session.close()
            collecting.look_at_all()

    def back_up(self) -> None:
        """Let each open session make its half-hourly copy, off the event loop."""
        for desk in self.desks.values():
            self.run_worker(asyncio.to_thread(desk.session.back_up), name="back up", group="back up", exit_on_error=False)

    # -- jobs -----------------------------------------------------------------------------------------------------

    def start_job(self, desk: Desk, plan: Plan) -> Job:
        """Run an approved plan on a desk."""
        desk.job = job = Job(plan)
        self.run_worker(self._job(desk, plan, job), name=f"job {plan.title}", group=f"job {desk.session.name}", exit_on_error=False)
        return job

    async def _job(self, desk: Desk, plan: Plan, job: Job) -> None:
        await desk.work(plan, job)
        if not desk.shown:
            self._close(desk)
            home = self.screen
            if isinstance(home, HomeScreen):
                home.say(f"{desk.session.name}: {job.closing()}")
                home.load()

    # -- trouble --------------------------------------------------------------------------------------------------

    def show_problem(self, title: str, error: CoiError) -> None:
        """An error that a person is meant to read."""
        self.beginning = ""
        self.push_screen(MessageScreen(title, [("What happened", error.message), ("What you can do", error.hint)]))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What nobody expected is shown, with its text to copy, and ends nothing else."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            technical = f"{type(error).__name__}: {error} (in {event.worker.name})"
            kept = "What was finished before is saved in the session."
            self.push_screen(MessageScreen("Something unexpected went wrong", [("What is intact", kept), ("Technical", technical)]))

    # -- palette, leaving -----------------------------------------------------------------------------------------

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The actions of the screen in words, those that are off with the reason; then Textual's own."""
        if isinstance(screen, CoiScreen):
            for item, reason in screen.help_entries():
                if item.id != "palette":
                    off = f" (off: {reason})" if reason else ""
                    yield SystemCommand(f"{item.label}: {item.help}", f"{item.show}{off}", lambda name=item.id: screen.action_act(name))
        yield from super().get_system_commands(screen)

    def action_help_quit(self) -> None:
        """``^c`` with nothing selected: it never quits."""
        said = "Nothing is selected to copy. S stops runs, ^q quits."
        if isinstance(self.screen, CoiScreen):
            self.screen.say(said)
        else:
            self.notify(said, markup=False)

    async def action_quit(self) -> None:
        """Stop what runs, close every session, leave."""
        await self._end(0, wait=QUIT_WAIT)

    async def _end(self, code: int, *, wait: float) -> None:
        """``wait``: seconds that running jobs get to come to their end."""
        for desk in self.desks.values():
            if desk.busy:
                desk.session.stop(now=True)
        jobs = [w for w in self.workers if w.group.startswith("job ") and not w.is_finished]
        if jobs:
            await asyncio.wait([asyncio.create_task(w.wait()) for w in jobs], timeout=wait)
        self._keep_what_is_typed()
        self.close_all()
        self.exit(return_code=code)

    def _keep_what_is_typed(self) -> None:
        """The draft of an editor and the place on a workbench, before their session is closed."""
        for screen in self.screen_stack:
            keep = getattr(screen, "keep_open_work", None)
            if keep is not None:
                with contextlib.suppress(CoiError):  # a full disk must not hold the leaving up; what was kept before stays
                    keep()

    def leave(self) -> None:
        """As ``quit``, from a key of the home screen."""
        self.run_worker(self.action_quit(), name="quit", group="quit", exclusive=True, exit_on_error=False)

    def close_all(self) -> None:
        """Close every session that is open."""
        for desk in list(self.desks.values()):
            self._close(desk)


bench_part: Work = partial(import_module, "coi_tui.screens.bench.workbench")
"""The screen of an open session, imported."""


def run_app(*, session: str | None = None, demo: bool = False, at: str = "") -> int:
    """Run the screens; the exit code. Raises UsageError for settings that cannot be read; every session is closed at the end."""
    places = paths()
    sys.setswitchinterval(SWITCH_S)
    app = CoiApp(places, session=session, demo=demo, at=at)
    try:
        app.run()
    finally:
        app.close_all()
    if app.fault is not None:
        raise app.fault
    return app.return_code or 0
