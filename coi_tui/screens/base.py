"""What all screens share: what they ask of the application, which size they are laid out for, key
actions, a footer, one line when the terminal is too small."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from inspect import iscoroutine
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static, Tree
from textual.worker import Worker

from coi_tui.model.errors import CoiError
from coi_tui.screens.open_sessions import ConfiguredApp, SessionController
from coi_tui.screens.terminal import copy
from coi_tui.widgets.key_actions import MOVE_KEYS, ActionFooter, Item, KeyAction, bindings
from coi_tui.widgets.lines import cut
from coi_tui.widgets.panes import Line

if TYPE_CHECKING:
    from coi_tui.model.state import State
    from coi_tui.session.session import Session

FOOTER_KEYS = 6
"""So many keys the footer names before those that leave and help; the help names all."""

T = TypeVar("T")
A = TypeVar("A")
Made = TypeVar("Made")

LEAST = (60, 16)

TWO_PANES, WIDE, VAST, TALL = 80, 118, 160, 30

GRACE = 0.2
"""Seconds after a sheet is drawn in which a key still counts as pressed before: nobody has read it
yet."""

UNCHANGED = "Nothing was changed."


class CoiScreen(Screen[T]):
    """A screen with its key actions. ``act`` runs the handler of an action, or says why it does not
    work now."""

    PLACE = ""
    """The name of the screen in the table of keys."""
    ACTIONS: tuple[KeyAction, ...] = ()
    delegates: tuple[object, ...] = ()
    """Objects that carry out some of the actions, each with its own methods ``do_<id>`` and
    ``off_<id>``."""
    BINDINGS: ClassVar[list[BindingType]] = MOVE_KEYS
    TAIL: ClassVar[tuple[str, ...]] = ("cancel", "help")
    """The actions that the footer always names, at its end."""
    GUARDED = False
    """Whether keys pressed before the screen was drawn are dropped: they meant something else."""
    SAYS = ""
    """The widget in which sentences are shown; where there is none, they come as notifications."""
    listens_from = 0.0
    """Keys pressed before this time are dropped (see ``CoiApp.on_event``)."""
    _left_focus: Widget | None = None
    _composed = False

    def __init_subclass__(cls, **options: Any) -> None:
        if "ACTIONS" in vars(cls) and "BINDINGS" not in vars(cls):
            cls.BINDINGS = bindings(cls.ACTIONS, cls.PLACE)
        super().__init_subclass__(**options)

    @property
    def coi(self) -> ConfiguredApp:
        return cast(ConfiguredApp, self.app)

    @property
    def composed(self) -> bool:
        """True while the widgets are mounted and the screen is not closing. Asked at every key."""
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
            yield ActionFooter(id="footer", markup=False)

    def on_mount(self) -> None:
        if self.coi.appearance.plain:
            for one in self.query("*"):
                one.styles.border = ("none", "white")
        if self.GUARDED:
            self.listens_from = math.inf
            self.call_after_refresh(self._drawn)
        self.refresh_footer()

    def _drawn(self) -> None:
        self.listens_from = Message().time + GRACE

    # -- leaving

    @property
    def leaving(self) -> bool:
        """True once this screen is closed; its widgets go one after the other, while messages to it
        may still come."""
        return not self.is_attached or self not in self.app.screen_stack

    async def on_event(self, event: events.Event) -> None:
        """As every screen, but one that was closed before it was shown is not set up: its widgets
        are gone.

        A size that the terminal has no more is not taken: Textual repeats each size that a screen
        was laid out for, and of two in a queue each would bring the other back, for ever.
        """
        late = isinstance(event, events.Mount) and not self.composed
        outdated = isinstance(event, events.Resize) and event.size != self.app.size
        if not (late or outdated):
            await super().on_event(event)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """As of every widget, but nothing is called once the screen was left: its widgets are
        gone."""
        return super().call_after_refresh(
            lambda: None if self.leaving else callback(*args, **kwargs)
        )

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Leave this screen. Textual would close the screen on top, whichever that is: keys may
        come faster than screens go."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def replace_worker(
        self, work: Callable[[], Coroutine[None, None, None]], name: str
    ) -> Worker[None]:
        """Run work in the background in place of what still runs under that name. It is called when
        it begins, which it may never do."""
        return self.run_worker(work, name=name, group=name, exclusive=True, exit_on_error=False)

    # -- moving

    @property
    def moved_in(self) -> Widget | None:
        """The pane in which keys move."""
        return self.focused

    def action_move(self, how: str) -> None:
        """Move in the pane with the focus, or give it all the room."""
        pane = self.moved_in
        if how == "zoom":
            self.toggle_class("-zoom")
        elif pane is not None and how.startswith("half"):
            lines = pane.size.height // 2 * (1 if how == "half_down" else -1)
            if isinstance(pane, Tree):
                pane.cursor_line += lines
            elif isinstance(pane, OptionList):
                pane.highlighted = (pane.highlighted or 0) + lines
            else:
                pane.scroll_relative(y=lines, animate=False)
        elif pane is not None:
            with suppress(SkipAction):  # there is nothing to scroll
                getattr(pane, f"action_{how}")()

    # -- actions

    @cached_property
    def actions(self) -> tuple[KeyAction, ...]:
        """The key actions, on the keys that the person gave them."""
        own = self.coi.own_keys
        keys = (own.get(f"{self.PLACE}.{action.id}", action.keys) for action in self.ACTIONS)
        return tuple(replace(a, keys=k) for a, k in zip(self.ACTIONS, keys, strict=True))

    @cached_property
    def _in_footer(self) -> tuple[KeyAction, ...]:
        """The actions that the footer names where they work, in its order."""
        named = [a for a in self.actions if a.footer and a.id not in self.TAIL]
        return tuple(sorted(named, key=lambda a: a.footer))

    def named_action(self, name: str) -> KeyAction:
        """The action of that name."""
        return next(action for action in self.actions if action.id == name)

    def why_off(self, name: str) -> str:
        """Why an action does not work now; empty when it does. Screens write ``off_<id>``, or
        ``off`` for several at once."""
        special = self.method(f"off_{name}")
        return str(special()) if special is not None else self.off(name)

    def handler(self, name: str) -> Callable[[], object]:
        """What carries an action out: a method ``do_<id>`` of the screen or of one of its
        delegates."""
        handler: Callable[[], object] = self.method(f"do_{name}")
        return handler

    def method(self, name: str) -> Any:
        """The method of that name of the screen or of one of its delegates; None where there is
        none."""
        parts = (self, *self.delegates)
        return next((getattr(part, name) for part in parts if hasattr(part, name)), None)

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
        await self._run(self.handler(name))
        # else what was opened over it has the keys, and the footer is brought up to date when it
        # comes back
        if self.is_active:
            self.refresh_footer()

    async def _run(self, act: Callable[[], object]) -> None:
        """Do something; a CoiError is shown."""
        try:
            if iscoroutine(result := act()):
                await result
        except CoiError as error:
            self.trouble(error)
        except NoMatches:
            if not self.leaving:  # else its widgets went while the action waited for something
                raise

    def action_copy_text(self) -> None:
        """``^c``: what is selected is copied, and a message says where it went. Without a selection the
        key goes on to the app."""
        chosen = self.get_selected_text()
        if not chosen:
            raise SkipAction
        self.replace_worker(partial(self.copy, chosen, "the selection"), "copy")

    async def copy(self, text: str, what: str) -> None:
        """Copy a text and say where it went."""
        self.say(await copy(self.app, text, what))

    def do_help(self) -> None:
        self.app.action_command_palette()

    def do_quit(self) -> None:
        self.coi.leave()

    def do_settings(self) -> None:
        self.coi.show_settings()

    def do_own_papers(self) -> None:
        self.coi.show_own_papers()

    def do_cancel(self) -> object:
        return self.dismiss()

    def sessions_changed(self, message: str = "") -> None:
        """A session was made, closed or ended its job while this screen is on top; ``message``
        tells of it."""

    def ask(self, sheet: Screen[A], then: Callable[[A], object], left: str = "") -> None:
        """Show a sheet and go on with its answer; where there is none, ``left`` is shown. An error
        of ``then`` is shown."""

        async def answered(answer: A | None) -> None:
            if answer is not None:
                await self._run(partial(then, answer))
            elif left:
                await self._run(partial(self.say, left))

        self.app.push_screen(sheet, answered)

    # -- saying

    def say(self, text: str) -> None:
        """One sentence to the person."""
        if self.SAYS:
            self.query_one(self.SAYS, Static).update(Content(text))
        else:
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
        tail = map(self.named_action, self.TAIL)
        return tuple(Item(a.id, a.show, more.get(a.id, a.label)) for a in tail)

    # -- size

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


class Sheet(CoiScreen[T], ModalScreen[T]):
    """A sheet over a screen."""


class ConfirmSheet(Sheet[bool]):
    """Gives True only for ``y``, pressed after the question was drawn."""

    PLACE = "confirm"
    ACTIONS = (
        KeyAction("no", "enter,escape,n,q", "no, go back", "change nothing", 1),
        KeyAction("yes", "y", "yes", "do it", 2),
    )
    TAIL = ("no",)
    GUARDED = True

    def __init__(self, question: str, text: str, yes: str) -> None:
        super().__init__()
        self.question, self.text, self.yes = question, text, yes

    def body(self) -> ComposeResult:
        yield Line(self.question, id="title")
        yield Static(Content(self.text), id="text", markup=False)

    def label(self, item: KeyAction) -> str:
        return self.yes if item.id == "yes" else item.label

    def do_yes(self) -> None:
        self.dismiss(True)

    do_no = CoiScreen.do_cancel


class ChangeSheet(ConfirmSheet):
    """What else a decision changes. Gives True for Enter, pressed after it was drawn: the decision
    can be undone."""

    PLACE = "change"
    ACTIONS = (
        KeyAction("yes", "enter,y", "do it", "do it; it can be undone", 1),
        KeyAction("no", "escape,n,q", "go back", "change nothing", 2),
    )

    def __init__(self, question: str, effect: str) -> None:
        super().__init__(question, f"{effect} Nothing is deleted or charged; u undoes it.", "do it")


class SessionScreen(CoiScreen[T]):
    """A screen about an open session, on which the person's changes are made."""

    CHANGES = frozenset[str]()
    """Actions that change the session."""
    IDLE = frozenset[str]()
    """Actions that change what a running job goes by."""

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session

    @property
    def state(self) -> State:
        return self.session.state

    def why_off(self, name: str) -> str:
        if name in self.IDLE and (reason := self.controller.not_idle()):
            return reason
        if name in self.CHANGES and (reason := self.controller.not_writable()):
            return reason
        return super().why_off(name)

    def done(self, message: str) -> None:
        """Show what was changed, and say so."""
        raise NotImplementedError

    async def commit(
        self, act: Callable[[Session], Made], message: str | Callable[[Made], str] = ""
    ) -> None:
        """Make a change of the session, show it and say so. Raises CoiError where it is refused."""
        result = await self.controller.decide(lambda: act(self.session))
        self.done(message if isinstance(message, str) else message(result))

    async def change(
        self,
        own: str,
        question: str,
        act: Callable[[Session], Made],
        message: str | Callable[[Made], str],
        then: Callable[[], object] | None = None,
    ) -> None:
        """Make a change about the row ``own``; one that moves other rows says which, and asks once.
        ``then`` follows where it was made."""

        async def go(_: object = None) -> None:
            await self.commit(act, message)
            if then is not None:
                then()

        impact = self.session.impact(own, act)
        if impact.asks:
            self.ask(ChangeSheet(question, impact.sentence()), go, UNCHANGED)
        else:
            await go()

    def off_undo(self) -> str:
        nothing = "" if self.session.undo_labels()[0] else "there is nothing to undo"
        return self.controller.not_writable() or nothing

    async def do_undo(self) -> None:
        """Take back the last decision."""
        await self.commit(lambda s: s.undo(), "Undone: {}.".format)
