"""What is done to whole sessions from their list: archive, duplicate, import, export, restore,
delete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.admin import session_files
from coi_tui.session.watch import SessionHeader, open_session

T = TypeVar("T")


BROKEN = ("damaged", "unreadable")


class SessionActions:
    """What is done to whole sessions. Nothing is deleted but by the palette, after the name was
    typed."""

    def __init__(
        self,
        screen: CoiScreen[None],
        chosen: Callable[[], SessionHeader | None],
        reload: Callable[[Path | None], None],
    ) -> None:
        """``chosen``: the session under the cursor; ``reload`` reads the folder again, the cursor
        on a file if it is there."""
        self._screen, self._chosen, self._reload = screen, chosen, reload

    def off_session(self, peek: SessionHeader | None) -> str:
        """Why nothing can be done to a session as a file."""
        if peek is None:
            return "there are no sessions yet"
        if peek.path in self._screen.coi.sessions.controllers:
            return "it is open in this app: a job is running, or its screen is still there"
        return ""

    async def _off_loop(self, work: Callable[[], T]) -> T | None:
        """Do something to files in a thread; None after an error, which was shown."""
        try:
            return await asyncio.to_thread(work)
        except CoiError as error:
            self._screen.trouble(error)
            return None

    # -- archive

    async def do_archive(self) -> None:
        peek = self._chosen()
        assert peek is not None
        when = (
            ""
            if peek.archived
            else datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        )
        if await self._off_loop(lambda: session_files.archive(peek.path, when)) is None:
            return
        self._reload(None)
        done = (
            "is archived, and nothing was deleted; the palette can show archived sessions"
            if when
            else "is back in the list"
        )
        self._screen.say(f"{peek.name} {done}.")

    def off_archive(self) -> str:
        peek = self._chosen()
        if off := self.off_session(peek):
            return off
        return "" if peek is not None and peek.state == "ok" else "this file cannot be changed"

    # -- copies

    async def do_duplicate(self) -> None:
        peek = self._chosen()
        assert peek is not None
        made = await self._off_loop(
            lambda: session_files.duplicate(self._screen.coi.paths, peek.path)
        )
        if made is not None:
            self._reload(made)
            self._screen.say(
                f"{made.name.removesuffix('.coi.db')} is a copy of {peek.name} as it is now."
            )

    def off_duplicate(self) -> str:
        peek = self._chosen()
        if peek is None:
            return "there are no sessions yet"
        return "" if peek.state in ("ok", "held elsewhere") else "this file cannot be read"

    def do_import(self) -> None:
        effect = (
            "The file is checked and copied into your sessions; the original stays where it is."
        )
        sheet = AskText("Import a session file", effect, "import", hint="path of a .coi.db file")
        self._screen.app.push_screen(sheet, self._import)

    async def _import(self, said: str | None) -> None:
        if said is None:
            return
        made = await self._off_loop(
            lambda: session_files.import_session(self._screen.coi.paths, said)
        )
        if made is not None:
            self._reload(made)
            self._screen.say(f"Imported as {made.name.removesuffix('.coi.db')}. Enter opens it.")

    # -- damage

    async def offer_restore(self, peek: SessionHeader) -> None:
        """Ask whether the last whole copy shall take the place of a damaged session."""
        when = await self._off_loop(
            lambda: session_files.last_copy(self._screen.coi.paths, peek.path)
        )
        if not when:
            self._screen.coi.show_problem(
                f"{peek.name} cannot be opened",
                UsageError(
                    f"The file is damaged ({peek.reason}).", "There is no intact copy of it here."
                ),
            )
            return
        text = (
            f"The file of {peek.name} is damaged ({peek.reason}). The last intact copy was made at {when}. "
            "Put it in place of the file? The damaged file is kept beside it under another name."
        )
        self._screen.app.push_screen(
            ConfirmSheet("Restore the last intact copy?", text, "restore"),
            lambda yes: self._restore(peek, bool(yes)),
        )

    async def _restore(self, peek: SessionHeader, yes: bool) -> None:
        if not yes:
            self._screen.say("Nothing was changed.")
            return
        found = await self._off_loop(
            lambda: session_files.restore_last(self._screen.coi.paths, peek.path)
        )
        if found is not None:
            _, aside = found
            self._reload(peek.path)
            self._screen.say(
                f"{peek.name} is restored.{f' The damaged file is {aside}.' if aside else ''}"
            )

    # -- deleting

    def do_delete(self) -> None:
        peek = self._chosen()
        assert peek is not None
        effect = f"{peek.path} and its copies are deleted for good; this cannot be undone. Type {peek.name} to confirm."
        sheet = AskText(f"Delete {peek.name}?", effect, "delete", hint="the name of the session")
        self._screen.app.push_screen(sheet, lambda said: self._delete(peek, said))

    async def _delete(self, peek: SessionHeader, said: str | None) -> None:
        if said is None or said.strip() != peek.name:
            self._screen.say(
                "Nothing was deleted."
                if not said
                else f"{said.strip()[:40]!r} is not {peek.name}; nothing was deleted."
            )
            return
        files = await self._off_loop(
            lambda: session_files.forget_session(self._screen.coi.paths, str(peek.path))
        )
        if files is not None:
            self._reload(None)
            self._screen.say(f"{peek.name} is deleted.")

    def off_delete(self) -> str:
        return self.off_session(self._chosen())

    # -- exports

    def off_export(self) -> str:
        peek = self._chosen()
        if peek is None:
            return "there are no sessions yet"
        if peek.state == "damaged":
            return (
                f"the file is damaged ({peek.reason}); Enter offers to restore the last intact copy"
            )
        return f"the file cannot be read ({peek.reason})" if peek.state in BROKEN else ""

    def do_export(self) -> None:
        peek = self._chosen()
        assert peek is not None
        self._screen.replace_worker(partial(self._export, peek), "export")

    async def _export(self, peek: SessionHeader) -> None:
        """Opened beside whoever holds it, a job of this app too: what is saved is exported, and
        nobody waits or closes for it."""
        from coi_tui.screens.sheets.export_sheet import ExportSheet

        coi = self._screen.coi
        try:
            session = await asyncio.to_thread(
                open_session, peek.path, coi.paths, coi.settings, coi.keys, read_only=True
            )
        except CoiError as error:
            coi.show_problem(f"{peek.name} cannot be exported", error)
            return
        try:
            if not self._screen.is_current:  # gone on to something else meanwhile
                return
            paths = await self._screen.app.push_screen_wait(ExportSheet(session)) or []
        finally:
            await asyncio.to_thread(session.close)
        self._screen.say(f"Written: {', '.join(paths)}." if paths else "Nothing was written.")
