"""What all screens share: what they ask of the application, which size they are laid out for, key
actions, a footer, one line when the terminal is too small."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import cached_property, partial
from inspect import isawaitable
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Container
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker

from coi_tui.model.errors import CoiError
from coi_tui.widgets.key_actions import ActionFooter, Item, KeyAction, bindings
from coi_tui.widgets.panes import cut

if TYPE_CHECKING:
    from coi_tui.screens.configured_app import ConfiguredApp


def outdated(screen: Screen[Any], event: events.Event) -> bool:
    """Whether an event tells a size that the terminal has no more; the one that it has by now is
    told as well.

    Textual tells a screen each size that it was laid out for once more. Of two different ones in a
    queue each brings the other back, for ever, and no key is heard again.
    """
    return isinstance(event, events.Resize) and event.size != screen.app.size


MOVING = "Arrows, j and k move the cursor; PgUp and PgDn move by a page; Tab goes to the next pane or field."

FOOTER_KEYS = 6
"""So many keys the footer names before those that leave and help; the help names all."""


T = TypeVar("T")
A = TypeVar("A")

LEAST = (60, 16)

TWO_PANES, WIDE, VAST, TALL = 80, 118, 160, 30

GRACE = 0.2
"""Seconds after a sheet is drawn in which a key still counts as pressed before: nobody has read it
yet."""


class CoiScreen(Screen[T]):
    """A screen with its key actions. ``act`` runs the handler of an action, or says why it does not
    work now."""

    PLACE: ClassVar[str] = ""
    """The name of the screen in the table of keys."""
    ACTIONS: ClassVar[tuple[KeyAction, ...]] = ()
    delegates: tuple[object, ...] = ()
    """Objects that carry out some of the actions, each with its own methods ``do_<id>`` and
    ``off_<id>``."""
    TAIL: ClassVar[tuple[str, ...]] = ("help",)
    GUARDED: ClassVar[bool] = False
    """Whether keys pressed before the screen was drawn are dropped: they meant something else."""
    listens_from = 0.0
    """Keys pressed before this time are dropped (see ``CoiApp.on_event``)."""
    _left_focus: Widget | None = None
    _composed = False

    def __init_subclass__(cls, **options: Any) -> None:
        if "ACTIONS" in vars(cls) and "BINDINGS" not in vars(cls):
            cls.BINDINGS = bindings(cls.ACTIONS)
        super().__init_subclass__(**options)

    @property
    def coi(self) -> ConfiguredApp:
        return cast("ConfiguredApp", self.app)

    @property
    def composed(self) -> bool:
        """True while the widgets are there: not before they are made, and not when the screen is
        leaving. Asked at every key."""
        if not self._composed:
            self._composed = bool(self.query("#footer"))
        return self._composed and not self.leaving

    def body(self) -> ComposeResult:
        """The widgets of the screen, without footer."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        self.take_size(*self.app.size)  # before the first layout, which is then the only one
        yield Static("", id="tiny", markup=False)
        with Container(id="body"):
            yield from self.body()
            yield ActionFooter("footer")

    def on_mount(self) -> None:
        if self.GUARDED:
            self.listens_from = math.inf
            self.call_after_refresh(self._drawn)
        self.refresh_footer()

    def _drawn(self) -> None:
        self.listens_from = Message().time + GRACE

    @property
    def ready(self) -> bool:
        """True once keys count."""
        return Message().time >= self.listens_from

    # -- leaving

    @property
    def leaving(self) -> bool:
        """True once this screen is closed; its widgets go one after the other, while messages to it
        may still come."""
        return not self.is_attached or self not in self.app.screen_stack

    async def on_event(self, event: events.Event) -> None:
        """As every screen, but one that was closed before it was shown is not set up: its widgets
        are gone. Old sizes are not taken."""
        if not ((isinstance(event, events.Mount) and not self.composed) or outdated(self, event)):
            await super().on_event(event)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """As of every widget, but nothing is called once the screen was left: its widgets are
        gone."""
        return super().call_after_refresh(self._unless_left, partial(callback, *args, **kwargs))

    def set_timer(
        self,
        delay: float,
        callback: Callable[[], Any] | None = None,
        **options: Any,
    ) -> Timer:
        """As ``call_after_refresh``."""
        return super().set_timer(
            delay, callback and partial(self._unless_left, callback), **options
        )

    def set_interval(
        self,
        interval: float,
        callback: Callable[[], Any] | None = None,
        **options: Any,
    ) -> Timer:
        """As ``call_after_refresh``."""
        return super().set_interval(
            interval, callback and partial(self._unless_left, callback), **options
        )

    def _unless_left(self, callback: Callable[[], Any]) -> Any:
        return None if self.leaving else callback()

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Leave this screen. Textual would close the screen on top, whichever that is: keys may
        come faster than screens go."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def leave_with(self, result: T) -> None:
        """As ``dismiss``, for the callback of a sheet, in which nothing is awaited."""
        self.dismiss(result)

    def replace_worker(
        self, work: Callable[[], Coroutine[None, None, None]], name: str
    ) -> Worker[None]:
        """Run work in the background in place of what still runs under that name. It is called when
        it begins, which it may never do."""
        return self.run_worker(work, name=name, group=name, exclusive=True, exit_on_error=False)

    # -- actions

    @cached_property
    def _in_footer(self) -> tuple[KeyAction, ...]:
        """The actions that the footer names where they work, in its order."""
        return tuple(
            sorted(
                (a for a in self.ACTIONS if a.footer and a.id not in self.TAIL),
                key=lambda a: a.footer,
            )
        )

    def named_action(self, name: str) -> KeyAction:
        """The action of that name."""
        return next(action for action in self.ACTIONS if action.id == name)

    def why_off(self, name: str) -> str:
        """Why an action does not work now; empty when it does. Screens write ``off_<id>``, or
        ``off`` for several at once."""
        special = self._method(f"off_{name}")
        return str(special()) if special is not None else self.off(name)

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        """What carries an action out: a method ``do_<id>`` of the screen or of one of its
        delegates. KeyError where there is none."""
        handler: Callable[[], Awaitable[None] | None] | None = self._method(f"do_{name}")
        if handler is None:
            raise KeyError(name)
        return handler

    def _method(self, name: str) -> Any:
        """The method of that name of the screen or of one of its delegates; None where there is
        none."""
        return next(
            (getattr(part, name) for part in (self, *self.delegates) if hasattr(part, name)), None
        )

    def off(self, name: str) -> str:
        """Why an action does not work on what is shown; empty when it does."""
        return ""

    def label(self, item: KeyAction) -> str:
        """The footer's word for an action as things are now."""
        return item.label

    async def action_act(self, name: str) -> None:
        """Run an action by its name; a CoiError is shown, not raised. Nothing happens on a screen
        that is not there yet, or leaving."""
        if self.leaving or not self.is_mounted:
            return
        if reason := self.why_off(name):
            item = self.named_action(name)
            self.say(f"{item.show} {item.label}: {reason}.")
            return
        try:
            result = self.handler(name)()
            if isawaitable(result):
                await result
        except CoiError as error:
            self.trouble(error)
        except NoMatches:
            if not self.leaving:  # else its widgets went while the action waited for something
                raise
        # else what was opened over it has the keys, and the footer is brought up to date when it
        # comes back
        if self.is_active:
            self.refresh_footer()

    def action_copy_text(self) -> None:
        """``^c``: what is selected is copied, and where it went is said. Without a selection the
        key goes on to the app."""
        chosen = self.get_selected_text()
        if not chosen:
            raise SkipAction
        self.replace_worker(partial(self._copy, chosen), "copy")

    async def _copy(self, text: str) -> None:
        from coi_tui.screens.terminal import copy

        self.say(await copy(self.app, text, "the selection"))

    def do_help(self) -> None:
        from coi_tui.screens.commands import CommandSheet

        self.ask(CommandSheet(self), lambda command: command())

    def do_settings(self) -> None:
        from coi_tui.screens.settings_screen import SettingsScreen

        self.app.push_screen(SettingsScreen())

    def help_title(self) -> str:
        return self.PLACE

    def help_entries(self) -> Iterator[tuple[KeyAction, str]]:
        """Every action of this place with the reason when it is off."""
        for item in self.ACTIONS:
            yield item, self.why_off(item.id)

    def help_notes(self) -> tuple[str, ...]:
        """Sentences at the end of the help."""
        return (MOVING,)

    def sessions_changed(self, said: str = "") -> None:
        """A session was made, closed or ended its job while this screen is on top; ``said`` tells
        of it."""

    def ask(self, sheet: Screen[A], then: Callable[[A], object], left: str = "") -> None:
        """Show a sheet and go on with its answer; where there is none, ``left`` is said. An error
        of ``then`` is shown."""

        async def answered(answer: A | None) -> None:
            if answer is None or answer is False:
                if left:
                    self.say(left)
                return
            try:
                if isawaitable(done := then(answer)):
                    await done
            except CoiError as error:
                self.trouble(error)

        self.app.push_screen(sheet, answered)

    # -- saying

    def say(self, text: str) -> None:
        """One sentence to the person."""
        self.app.notify(text, markup=False, timeout=6)

    def trouble(self, error: CoiError) -> None:
        """Tell of an error and what to do about it."""
        self.say(str(error))

    # -- footer

    def refresh_footer(self) -> None:
        """Show the keys that work now."""
        if not self.composed:
            return
        on = (Item(a.id, a.show, self.label(a)) for a in self._in_footer if not self.why_off(a.id))
        self.query_one("#footer", ActionFooter).show(
            list(islice(on, FOOTER_KEYS)), self._footer_end
        )

    @cached_property
    def _footer_end(self) -> tuple[Item, ...]:
        """What the footer always names, at its end: leaving and the help, which also tells of the
        keys that had no room."""
        more = {"help": "more"} if len(self.TAIL) > 1 else {}
        return tuple(
            Item(a.id, a.show, more.get(a.id, a.label)) for a in map(self.named_action, self.TAIL)
        )

    async def on_action_footer_chosen(self, event: ActionFooter.Chosen) -> None:
        await self.action_act(event.name)

    # -- size

    @property
    def tiny(self) -> bool:
        return self.size.width < LEAST[0] or self.size.height < LEAST[1]

    def on_resize(self, event: events.Resize) -> None:
        """Take the size of the terminal as it is by now. Textual tells all screens that show; the
        others take it when they do."""
        self.take_size(*self.app.size)

    def on_screen_resume(self) -> None:
        self.take_size(*self.app.size)
        self.refresh_footer()
        if not self.coi.appearance.motion:
            self.coi.calm()

    def take_size(self, width: int, height: int) -> None:
        """Classes by size. Below the least size only one line is shown; the focus comes back with
        the room."""
        tiny = width < LEAST[0] or height < LEAST[1]
        if tiny and not self.has_class("-tiny"):
            self._left_focus = self.focused
        self.update_classes(
            {
                "-one": width < TWO_PANES,
                "-two": TWO_PANES <= width < WIDE,
                "-wide": width >= WIDE,
                "-vast": width >= VAST,
                "-short": height < TALL,
                "-tall": height >= TALL,
                "-tiny": tiny,
            }
        )
        if not self.composed:
            return
        if tiny:
            note = f"coi-tui needs {LEAST[0]}x{LEAST[1]}; this is {width}x{height}."
            self.query_one("#tiny", Static).update(cut(note, max(1, width)))
        elif self._left_focus is not None:
            self.set_focus(self._left_focus)
            self._left_focus = None


def answering(
    screen: CoiScreen[Any], callback: Callable[[Any], object]
) -> Callable[[Any], Awaitable[None]]:
    """What a sheet over a screen calls with its result. The screen may be leaving by then: what was
    decided is done, and not shown."""

    async def answer(result: Any) -> None:
        try:
            done = callback(result)
            if isawaitable(done):
                await done
        except NoMatches:
            if not screen.leaving:
                raise

    return answer


class Sheet(CoiScreen[T], ModalScreen[T]):
    """A sheet over a screen."""

    def do_cancel(self) -> Awaitable[None] | None:
        self.dismiss(None)
        return None
