"""Seed papers of a new session: some to start from, some to keep out. Each is looked up; none is
guessed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.wording import count
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.papers.paper_sheets import PaperChoiceSheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.session import new_session
from coi_tui.widgets.fields import TextField
from coi_tui.widgets.formatting import cut

Kind = Literal["keep", "avoid"]
MOST_ROWS = 3


class PaperField(TextField):
    """Lines that name papers, one each; pasted lines stay apart. Enter sends all of them, Tab
    leaves."""

    class Sent(Message):
        """Enter was pressed."""

        def __init__(self, field: PaperField) -> None:
            super().__init__()
            self.field = field

    def __init__(self, kind: Kind, placeholder: str, id: str) -> None:
        super().__init__(
            placeholder=placeholder,
            id=id,
            compact=True,
            soft_wrap=False,
            highlight_cursor_line=False,
        )
        self.kind: Kind = kind

    @property
    def value(self) -> str:
        """What is written, without empty lines at its ends."""
        return self.text.strip()

    async def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Sent(self))

    def put(self, lines: list[str]) -> None:
        """Write these lines before what is there."""
        if lines:
            with self.prevent(TextArea.Changed):
                self.text = "\n".join([*lines, *([self.value] if self.value else [])])
            self.move_cursor(self.document.end)
            self.fit()

    def fit(self) -> None:
        """As high as its lines, within what the screen has room for."""
        self.styles.height = min(
            MOST_ROWS if self.screen.has_class("-tall") else 1, max(1, self.document.line_count)
        )


class SeedPapers:
    """Looks up the papers that a person names for a new session, in the order in which they were
    given, beside the person's typing."""

    def __init__(
        self, screen: CoiScreen[bool], controller: SessionController, show: Callable[[], None]
    ) -> None:
        """``show`` brings the screen in line with the session."""
        self._screen, self._controller, self._session, self._show = (
            screen,
            controller,
            controller.session,
            show,
        )
        self._given: list[tuple[PaperField, str]] = []
        """What waits to be looked up; the first is being looked up."""
        self.in_front = asyncio.Event()
        """Set while the screen is on top: a list to choose from waits for that, it never covers
        another sheet."""

    def take(self, field: PaperField) -> None:
        """Look up what a field says."""
        try:
            said = new_session.entries_of(field.value)
        except CoiError as error:
            self._screen.trouble(error)
            return
        field.text = ""
        idle = not self._given
        self._given += [(field, text) for text in said]
        if idle:
            self._screen.replace_worker(self._settle, "seed papers")

    async def _settle(self) -> None:
        """Look up what was given, one after the other. What comes to nothing goes back into its
        line."""
        done, left, trouble = list[str](), list[tuple[PaperField, str]](), ""
        while self._given:
            field, text = self._given[0]
            self._screen.say(f"Looking up {cut(text, 40)}, {len(self._given) - 1} to follow ...")
            try:
                paper = await self._meant(text)
                if paper is not None:
                    done.append(await self._place(field.kind, paper))
            except CoiError as error:
                paper, trouble = None, f" {error}"
            left += [(field, text)] if paper is None else []
            self._given.pop(0)
        for field in dict.fromkeys(field for field, _ in left):
            field.put([text for of, text in left if of is field])
        more = f" {len(left)} not added and left in the field." if left else ""
        said = f"{done[0]} u undoes it." if len(done) == 1 else f"{len(done)} added."
        self._screen.say(f"{said}{more}{trouble}")
        self._show()

    async def _meant(self, text: str) -> Paper | None:
        found = await self._session.papers.look_up(text)
        if found.sure:
            return found.papers[0]
        await self.in_front.wait()
        return await self._screen.app.push_screen_wait(PaperChoiceSheet(text, found.papers))

    async def _place(self, kind: Kind, paper: Paper) -> str:
        title = (
            f"{cut(paper.title, max(24, self._screen.size.width - 56))} ({paper.year or 'no year'})"
        )
        if kind == "avoid":
            await self._controller.decide(
                lambda: self._session.decisions.avoid(
                    paper, "left out when the session was created"
                )
            )
            self._show()
            return f"Left out of this session: {title}."
        branch = await self._controller.decide(lambda: new_session.start_from(self._session, paper))
        self._show()
        return f"Branch {branch} starts from it: {title}."

    def show_kept_out(self) -> None:
        """The papers left out, in one line; nothing where there are none."""
        out = new_session.kept_out(self._session)
        line = self._screen.query_one("#out", Static)
        line.display = bool(out)
        said = "; ".join(f"{cut(p.title, 40)} ({p.year or 'no year'})" for p in out)
        count = f"{len(out)} left out: " if len(out) > 1 else "Left out: "
        line.update(Content(cut(count + said, max(20, self._screen.size.width - 4))))

    def unsettled(self) -> str:
        """What was written and not taken, in words; empty when there is nothing."""
        waiting = len(self._given)
        if waiting:
            return f"{count(waiting, 'paper is', 'papers are')} still being looked up"
        lines = sum(
            len(self._screen.query_one(name, PaperField).value.splitlines())
            for name in ("#known", "#avoid")
        )
        return f"{count(lines, 'seed paper was', 'seed papers were')} not added" if lines else ""
