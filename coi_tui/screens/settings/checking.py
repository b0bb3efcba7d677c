"""The check of the services: free first, and then, only after a yes to its price, one small question to each model."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError
from coi_tui.screens.actions import Action
from coi_tui.screens.base import CoiScreen

if TYPE_CHECKING:
    from coi_tui.session.admin.model_check import Asking
    from coi_tui.session.admin.probes import Checked

CHECKED = ("Providers", "Search")
"""The sections that services belong to."""


class Checking(CoiScreen[None]):
    """``c`` checks; once that has shown a model that answers, ``c`` offers to ask it."""

    found: tuple[Checked, ...] = ()
    offer: Asking | None = None
    """What ``c`` would ask for now; None: it checks for free."""
    _checking = False

    def _tell(self) -> None:
        """Show what is known now."""
        raise NotImplementedError

    @property
    def checked(self) -> str:
        """The findings, a line each, what failed before the rest."""
        troubles_first = sorted(self.found, key=lambda c: c.state != "FAILED")
        return "\n".join(f"{c.state:7} {c.what}: {c.says}" for c in troubles_first)

    def check_parts(self) -> list[tuple[str, str]]:
        """The findings as a part of the text pane, with what more can be asked."""
        if not self.found:
            return []
        more = f"c again asks each model one small question, {self.offer.price}; Enter on its sheet confirms.\n" if self.offer else ""
        return [("The services", more + self.checked)]

    def why_no_check(self, section: str) -> str:
        """Why ``c`` does not work in a section; empty when it does."""
        if section not in CHECKED:
            return f"services belong to {' and '.join(CHECKED)}"
        return "the check still runs" if self._checking else ""

    def label(self, item: Action) -> str:
        return "ask models" if item.id == "check" and self.offer else item.label

    def forget_offer(self) -> None:
        """Another setting: what was found and its price may hold no longer."""
        self.offer = None

    def do_check(self) -> None:
        if self.offer is None:
            self._begin(self._check_free(), "Checking with calls that cost nothing ...")
            return
        from coi_tui.screens.settings.ask_sheet import AskSheet

        self.app.push_screen(AskSheet(self.offer), self._answered)

    def _answered(self, yes: bool | None) -> None:
        if yes and not self._checking:
            self._begin(self._ask(), "Asking each model one small question ...")
        else:
            self.say("Nothing was asked, nothing was spent.")
        self.forget_offer()
        self._tell()

    def _begin(self, work: Coroutine[Any, Any, None], said: str) -> None:
        self._checking = True
        self.say(said)
        self.run_worker(self._guarded(work), name="check", group="check", exit_on_error=False)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except CoiError as error:
            self.trouble(error)
        finally:
            self._checking = False
        self._tell()

    async def _check_free(self) -> None:
        from coi_tui.session.admin.doctor import examine
        from coi_tui.session.admin.model_check import asking_of

        coi = self.coi
        self.found = tuple(await examine(coi.paths, coi.settings, coi.keys))
        charged = [f"{c.what} took {c.charged} of today's budget" for c in self.found if c.charged]
        fine = f"{sum(c.state == 'ok' for c in self.found)} of {len(self.found)} are fine, {'; '.join(charged) or 'nothing was charged'}."
        if any(c.what == "language model" and c.state == "ok" for c in self.found):
            self.offer = await asyncio.to_thread(asking_of, coi.settings, coi.keys)
        self.say(f"{fine} c again: ask the models, {self.offer.price}." if self.offer else fine)

    async def _ask(self) -> None:
        """The answers go before what was known, and take the place of what was known of the same thing."""
        from coi_tui.session.admin.model_check import ask_models

        asked = await ask_models(self.coi.settings, self.coi.keys)
        new = {c.what for c in asked}
        self.found = (*reversed(asked), *(c for c in self.found if c.what not in new))
        self.say("; ".join(f"{c.what}: {c.state}" for c in asked if c.what.startswith(("main", "reader"))) or "No model could be asked.")
