"""The Textual application: open sessions, their jobs, and the screens over them."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.errors import NoWidget
from textual.notifications import Notify
from textual.screen import Screen
from textual.widgets import Input, TextArea
from textual.worker import Worker, WorkerFailed, WorkerState

from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths, paths
from coi_tui.process import LOG, freeze_gc, log_task, share_the_interpreter
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.open_sessions import ConfiguredApp, SessionController
from coi_tui.screens.sheets import MessageSheet
from coi_tui.screens.terminal import (
    LateNotification,
    is_closed,
    quiet,
    window_file,
)
from coi_tui.session.recorded_session import RECORDED

if TYPE_CHECKING:
    from textual.driver import Driver

    from coi_tui.config import Keys, Settings
    from coi_tui.screens.workbench import WorkbenchScreen
    from coi_tui.session.runs.plans import Plan

QUIT_WAIT = 5.0
SIGNAL_WAIT = 2.0
"""Seconds that jobs get to end when the app is told to go."""
SIGNALLED = 128
"""Added to the number of a signal for the exit code, as shells do."""
WARM_UP_AFTER = 0.2
"""Seconds after the start of the list in which nothing competes with its first frames."""
LAID_OUT_WITHIN = 0.25
"""Seconds after a change of size in which the toolkit lays the screen out, else it is told
again."""
WINDOW_EVERY = 2.0
"""Seconds between looks whether the terminal's window is still there."""
BACK_UP_EVERY = 600.0
"""Seconds between looks whether a copy is due (store: half an hour)."""


class CoiApp(ConfiguredApp):
    """Sessions and their jobs belong to the app, so that leaving a screen ends none. They close
    with it at the latest."""

    TITLE = "coi-tui"
    CSS_PATH = "screens/coi.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+z",
            "suspend_process",
            "suspend",
            show=False,
            tooltip="sleep in the background; fg brings the app back",
            system=True,
        )
    ]

    def __init__(
        self,
        places: Paths,
        settings: Settings | None = None,
        keys: Keys | None = None,
        *,
        session: str | None = None,
        demo: bool = False,
        at: str = "",
        screen: Callable[[], Screen[None]] | None = None,
    ) -> None:
        """``at``: an address of the session to begin at. ``screen`` makes the one at the bottom, in place
        of the list of sessions."""
        super().__init__(places, settings, keys)
        self._bottom = screen
        self._first, self._first_demo, self._at = session or (RECORDED if demo else ""), demo, at

    def notify(self, message: str, **how: Any) -> None:
        """Show a notification, its text as it is."""
        self.post_message(Notify(LateNotification(message, **how)))

    # -- what comes in, and where it goes

    async def on_event(self, event: events.Event) -> None:
        """Drop keys pressed before the sheet on top was drawn, and the mouse on what has gone; they
        meant what stood there before. No window is without room."""
        if isinstance(event, events.Resize) and not event.size.area:
            event.stop()
            return
        if isinstance(event, events.MouseDown | events.MouseMove) and self._is_gone(event):
            event.stop()
            return
        if isinstance(event, events.Key):
            self.last_key = time.monotonic()
            top = self.screen_stack[-1] if self.screen_stack else None
            if isinstance(top, CoiScreen) and event.time < top.listens_from:
                event.stop()
                return
        await super().on_event(event)

    def _is_gone(self, event: events.MouseEvent) -> bool:
        """Whether the mouse is on something that was taken away and stands there until the next
        frame: Textual would ask what holds it."""
        if not self.screen_stack:
            return False
        try:
            widget, _ = self.get_widget_at(event.x, event.y)
        except NoWidget:
            return False
        return widget.parent is None

    # -- beginning

    def get_default_screen(self) -> Screen[None]:
        return self._bottom() if self._bottom else HomeScreen(self._first)

    def get_driver_class(self) -> type[Driver]:
        return quiet(super().get_driver_class())

    def on_mount(self) -> None:
        self._heed_signals()
        asyncio.get_running_loop().set_exception_handler(log_task)
        self.app_resume_signal.subscribe(
            self, lambda _: self.refresh(layout=True)
        )  # after ^z and fg the terminal shows the shell's lines
        self.set_interval(BACK_UP_EVERY, self.sessions.back_up)
        if (window := window_file()) is not None:
            self._window = self.set_interval(WINDOW_EVERY, partial(self._look_for_window, window))
        self.call_later(self.begin)

    def begin(self) -> None:
        """Open what was asked for at the start: a session or the recorded one."""
        if self._first_demo:
            self.sessions.open_recorded(self._at)
        elif self._first:
            self.sessions.open(self._first, self._at)
        else:
            self.set_timer(WARM_UP_AFTER, self._warm_up)

    def _warm_up(self) -> None:
        self.run_worker(
            asyncio.to_thread(_workbench), name="warm-up", group="warm-up", exit_on_error=False
        )

    def on_resize(self) -> None:
        """Look a little later whether the new size arrived. Textual waits 8 ms for further changes
        with a timer that never fires if the process is put aside just as it starts; all later
        changes of size would then be waiting for it, too."""
        asyncio.get_running_loop().call_later(LAID_OUT_WITHIN, self._lay_out_again)

    def _lay_out_again(self) -> None:
        """Tell the screen on top its size if it has another; the screens below a sheet are told by
        the sheet."""
        if self.screen_stack and self.screen.outer_size != self.size:
            self.screen.post_message(events.Resize(self.size, self.size))

    # -- what screens ask it to show

    def show_session(
        self, controller: SessionController, at: str, plan: Plan | None = None
    ) -> None:
        screen = _workbench()(controller, at)
        self.push_screen(screen)
        screen.call_after_refresh(freeze_gc)
        if plan is not None and not controller.session.read_only_reason:
            screen.call_after_refresh(screen.open_plan, plan)

    def show_settings(self) -> None:
        from coi_tui.screens.settings_screen import SettingsScreen

        self.push_screen(SettingsScreen())

    def show_own_papers(self) -> None:
        from coi_tui.screens.own_papers_screen import OwnPapersScreen

        self.push_screen(OwnPapersScreen())

    def show_problem(self, title: str, error: CoiError) -> None:
        parts = [("What happened", error.message), ("What you can do", error.hint)]
        self.push_screen(MessageSheet(title, parts))

    def sessions_changed(self, message: str = "") -> None:
        if isinstance(self.screen, CoiScreen):
            self.screen.sessions_changed(message)

    # -- signals

    def _heed_signals(self) -> None:
        """A closed terminal window, a polite ``kill`` and an interrupt end the app as leaving does:
        sessions closed, terminal restored."""
        loop = asyncio.get_running_loop()
        for name in ("SIGHUP", "SIGTERM", "SIGINT"):
            # no signals on this system or in this thread
            with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._signalled, number)

    def _signalled(self, number: int) -> None:
        """Leave, with the exit code that a shell gives for the signal."""
        self.run_worker(
            self._end(SIGNALLED + number, wait=SIGNAL_WAIT),
            name="signal",
            group="quit",
            exclusive=True,
            exit_on_error=False,
        )

    def _look_for_window(self, file: int) -> None:
        """Leave with a window that closed without a signal, as one does for a program that does not
        belong to the terminal's session."""
        if is_closed(file):
            # to be told again would begin the leaving anew, while jobs still come to their end
            self._window.stop()
            self._signalled(signal.SIGHUP)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """``^z`` is undo where text is typed, and sleep elsewhere."""
        if action == "suspend_process" and isinstance(self.focused, Input | TextArea):
            return False
        return super().check_action(action, parameters)

    # -- trouble

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What nobody expected is shown, with its text to copy, and ends nothing else."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            LOG.error("worker %s failed", event.worker.group, exc_info=error)
            technical = f"{type(error).__name__}: {error} (in {event.worker.name})"
            kept = "What was finished before is saved in the session."
            self.push_screen(
                MessageSheet(
                    "Unexpected error", [("What is intact", kept), ("Technical", technical)]
                )
            )

    def _handle_exception(self, error: Exception) -> None:
        """Note what Textual calls this for: an error that no handler caught. There is no public way
        to it."""
        if self.fault is None:
            self.fault = error.error if isinstance(error, WorkerFailed) else error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Leave, without the traceback that Textual would print here: its local variables hold
        texts of the person and of papers."""
        self.panic()

    def panic(self, *renderables: Any) -> None:
        """Leave at once; what is being typed is kept where that still works, and nothing is printed
        but by whoever ran the app."""
        self.fault = self.fault or CoiError(
            "The app ended because the terminal's input cannot be read any more. Finished work is saved."
        )
        with contextlib.suppress(
            Exception
        ):  # the error that ends the app is the one to tell, not one on its way out
            self._keep_what_is_typed()
        super().panic()

    # -- commands, leaving

    def action_command_palette(self) -> None:
        """``^p``: the keys and commands of the screen."""
        # with the verbs come pydantic and the model, for which the first frame does not wait
        from coi_tui.screens.commands import CommandSheet

        if isinstance(self.screen, CoiScreen):
            self.screen.ask(CommandSheet(self.screen), self.screen.action_act)

    def action_help_quit(self) -> None:
        """``^c`` with nothing selected: it never quits."""
        message = "Nothing is selected to copy. S stops runs, ^q quits."
        if isinstance(self.screen, CoiScreen):
            self.screen.say(message)
        else:
            self.notify(message)

    async def action_quit(self) -> None:
        """Stop what runs, close every session, leave."""
        await self._end(0, wait=QUIT_WAIT)

    async def _end(self, code: int, *, wait: float) -> None:
        """``wait``: seconds that running jobs get to come to their end."""
        self.sessions.stop_all()
        jobs = [w for w in self.workers if w.group.startswith("job ") and not w.is_finished]
        if jobs:
            await asyncio.wait([asyncio.create_task(w.wait()) for w in jobs], timeout=wait)
        try:
            self._keep_what_is_typed()
            self.sessions.close_all()
        except (
            CoiError
        ) as error:  # what was confirmed is in the files; there may be nobody left to read a screen
            LOG.error("a session could not be closed", exc_info=error)
            self.fault = error
        finally:
            self.exit(return_code=code)

    def _keep_what_is_typed(self) -> None:
        """The draft of an editor and the place on a workbench, before their session is closed."""
        for screen in self.screen_stack:
            keep = getattr(screen, "keep_open_work", None)
            if keep is not None:
                with contextlib.suppress(
                    CoiError
                ):  # a full disk must not hold the leaving up; what was kept before stays
                    keep()


def _workbench() -> type[WorkbenchScreen]:
    """The screen of a session, with the imports that the list does without: in a thread while a
    person looks at the list, and Enter takes 250 ms in place of 750 ms."""
    from coi_tui.screens.workbench import WorkbenchScreen

    return WorkbenchScreen


def run_app(
    *,
    session: str | None = None,
    demo: bool = False,
    at: str = "",
    screen: Callable[[], Screen[None]] | None = None,
) -> int:
    """Run the screens; the exit code. Raises UsageError for settings that cannot be read; every
    session is closed at the end."""
    places = paths()
    share_the_interpreter()
    app = CoiApp(places, session=session, demo=demo, at=at, screen=screen)
    try:
        app.run()
    finally:
        app.sessions.close_all()
    if app.fault is not None:
        # the message of a CoiError says what a person needs, and not where it was not caught
        LOG.error("the app ended", exc_info=app.fault)
        raise app.fault
    return app.return_code or 0
