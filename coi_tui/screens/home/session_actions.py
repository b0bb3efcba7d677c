"""What is done from the list of sessions to whole sessions, and papers of one's own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet, MessageSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.admin import session_files
from coi_tui.session.watch import SessionHeader, open_session

T = TypeVar("T")
PAPER_LISTS = (".bib", ".bibtex", ".biblatex", ".ris", ".json")
NO_SESSIONS = "there are no sessions yet"


class SessionActions:
    """Archive, import, export and restore sessions, and import papers. Nothing is deleted here."""

    def __init__(
        self,
        screen: CoiScreen[None],
        chosen: Callable[[], SessionHeader | None],
        reload: Callable[[Path | None], object],
    ) -> None:
        """``chosen``: the session under the cursor; ``reload`` reads the folder again, the cursor
        on a file if it is there."""
        self._screen, self._chosen, self._reload = screen, chosen, reload

    def _header(self) -> SessionHeader:
        header = self._chosen()
        assert header is not None  # the keys are off where there is none
        return header

    async def _in_thread(self, work: Callable[[], T]) -> T | None:
        """Do something to files in a thread; None after an error, which was shown."""
        try:
            return await asyncio.to_thread(work)
        except CoiError as error:
            self._screen.trouble(error)
            return None

    def _ask_path(
        self, title: str, effect: str, verb: str, hint: str, then: Callable[[str], Awaitable[None]]
    ) -> None:
        async def answered(path: str | None) -> None:
            if path is not None:
                await then(path)

        self._screen.app.push_screen(AskText(title, effect, verb, hint=hint), answered)

    # -- archive

    def off_archive(self) -> str:
        header = self._chosen()
        if header is None:
            return NO_SESSIONS
        if header.path in self._screen.coi.sessions.controllers:
            return "it is open in this app"
        return "" if header.state == "ok" else "this file cannot be changed"

    async def do_archive(self) -> None:
        header = self._header()
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        when = "" if header.archived else now
        if await self._in_thread(lambda: session_files.archive(header.path, when)) is None:
            return
        self._reload(None)
        done = "archived; z shows archived sessions" if when else "back in the list"
        self._screen.say(f"{header.name} is {done}.")

    # -- import and restore

    def do_import(self) -> None:
        effect = "The file is checked and copied into your sessions; the original is not changed."
        hint = "path of a .coi.db file"
        self._ask_path("Import a session file", effect, "import", hint, self._import)

    async def _import(self, path: str) -> None:
        made = await self._in_thread(
            lambda: session_files.import_session(self._screen.coi.paths, path)
        )
        if made is not None:
            self._reload(made)
            self._screen.say(f"Imported as {made.name.removesuffix('.coi.db')}. Enter opens it.")

    def offer_restore(self, header: SessionHeader, when: str) -> None:
        """Ask whether the intact copy of that time is to replace a damaged session."""
        text = (
            f"The file of {header.name} is damaged ({header.reason}). The last intact copy is from {when}. "
            "Restore it? The damaged file is renamed and kept in the same folder."
        )
        self._screen.app.push_screen(
            ConfirmSheet("Restore the last intact copy?", text, "restore"),
            lambda yes: self._restore(header, bool(yes)),
        )

    async def _restore(self, header: SessionHeader, yes: bool) -> None:
        if not yes:
            self._screen.say("Nothing was changed.")
            return
        paths = self._screen.coi.paths
        if await self._in_thread(lambda: session_files.restore_last(paths, header.path)):
            self._reload(header.path)
            self._screen.say(f"{header.name} is restored.")

    # -- export

    def off_export(self) -> str:
        header = self._chosen()
        if header is None:
            return NO_SESSIONS
        broken = header.state in ("damaged", "unreadable")
        return f"the file cannot be read ({header.reason})" if broken else ""

    def do_export(self) -> None:
        self._screen.replace_worker(partial(self._export, self._header()), "export")

    async def _export(self, header: SessionHeader) -> None:
        """The session is opened read-only, so that a job on it can go on."""
        from coi_tui.screens.sheets.export_sheet import ExportSheet

        coi = self._screen.coi
        try:
            session = await asyncio.to_thread(
                open_session, header.path, coi.paths, coi.settings, coi.keys, read_only=True
            )
        except CoiError as error:
            coi.show_problem(f"{header.name} cannot be exported", error)
            return
        try:
            if not self._screen.is_current:  # gone on to something else meanwhile
                return
            paths = await self._screen.app.push_screen_wait(ExportSheet(session)) or []
        finally:
            await asyncio.to_thread(session.close)
        self._screen.say(f"Written: {', '.join(paths)}." if paths else "Nothing was written.")

    # -- papers of one's own

    async def do_papers(self) -> None:
        from coi_tui.session.runs.disclosure import lookup_disclosure

        coi = self._screen.coi
        await coi.load_keys()
        sends = lookup_disclosure(coi.settings, coi.keys, False)
        effect = f"Searches look at your papers first. {sends}"
        hint = "path of a folder of PDFs, a PDF, or a .bib, .ris or .json file"
        self._ask_path("Add papers of your own", effect, "import", hint, self._papers)

    async def _papers(self, path: str) -> None:
        from coi_tui.session.papers.imported_pdfs import meant_pdfs, meant_place

        try:
            place = await asyncio.to_thread(meant_place, path)
            if place.suffix.lower() in PAPER_LISTS and not place.is_dir():
                await self._paper_list(place)
                return
            files = await asyncio.to_thread(meant_pdfs, path)
        except CoiError as error:
            self._screen.trouble(error)
            return
        self._screen.replace_worker(partial(self._pdfs, files), "pdfs")

    async def _paper_list(self, file: Path) -> None:
        from coi_tui.session.papers.imported import import_papers

        found = await asyncio.to_thread(import_papers, self._screen.coi.paths, file)
        self._screen.say(
            f"{file.name}: {len(found.new)} new, {found.known} already known, {len(found.left_out)} left out."
        )
        if found.left_out:
            self._show_left_out([("", why) for why in found.left_out])

    async def _pdfs(self, files: list[Path]) -> None:
        """Import PDFs one by one; those that were left out are then listed."""
        from coi_tui.session.papers.imported_pdfs import add_pdfs
        from coi_tui.session.papers.lookup import id_lookup
        from coi_tui.session.session import utc_now

        coi, left, done = self._screen.coi, list[tuple[str, str]](), 0
        self._screen.say(f"Reading {len(files)} PDFs ...")
        try:
            async with id_lookup(
                coi.paths, coi.settings, coi.keys, lambda: utc_now()[:10], offline=False
            ) as find:
                async for pdf in add_pdfs(coi.paths, files, find):
                    done += 1
                    left += [] if pdf.paper else [(pdf.name, pdf.why)]
                    self._screen.say(f"{done} of {len(files)} PDFs read.")
        except CoiError as error:
            self._screen.trouble(error)
            return
        self._screen.say(f"{done - len(left)} of {len(files)} PDFs added.")
        if left:
            self._show_left_out([*left, ("To add one of them", "coi papers attach FILE DOI")])

    def _show_left_out(self, reasons: list[tuple[str, str]]) -> None:
        self._screen.app.push_screen(MessageSheet("Not imported", reasons))
