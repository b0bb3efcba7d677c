"""Papers of one's own from the list of sessions: a list of papers at once, PDFs one by one."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets.confirm_sheet import MessageSheet
from coi_tui.screens.sheets.text_sheets import AskText

LISTS = (".bib", ".bibtex", ".biblatex", ".ris", ".json")


class PaperImport:
    """The key for it."""

    def __init__(self, screen: CoiScreen[None]) -> None:
        self._screen = screen

    async def do_papers(self) -> None:
        from coi_tui.session.runs.disclosure import lookup_disclosure

        coi = self._screen.coi
        await coi.load_keys()
        effect = f"Searches look at your papers first. {lookup_disclosure(coi.settings, coi.keys, False)}"
        hint = "path of a folder of PDFs, a PDF, or a .bib, .ris or .json file"
        sheet = AskText("Add papers of your own", effect, "read", hint=hint)
        self._screen.app.push_screen(sheet, self._import)

    async def _import(self, said: str | None) -> None:
        from coi_tui.session.papers.imported_pdfs import typed_pdfs, typed_place

        if said is None:
            return
        try:
            place = await asyncio.to_thread(typed_place, said)
            if place.suffix.lower() in LISTS and not place.is_dir():
                await self._list(place)
                return
            files = await asyncio.to_thread(typed_pdfs, said)
        except CoiError as error:
            self._screen.trouble(error)
            return
        self._screen.replace_worker(partial(self._pdfs, files), "pdfs")

    async def _list(self, file: Path) -> None:
        from coi_tui.session.papers.imported import import_papers

        brought = await asyncio.to_thread(import_papers, self._screen.coi.paths, file)
        left = "".join(f" Left out: {why}." for why in brought.left_out[:1]) + (
            " And others." if len(brought.left_out) > 1 else ""
        )
        self._screen.say(
            f"{file.name}: {len(brought.new)} new, {brought.known} already known, {len(brought.left_out)} left out.{left}"
        )

    async def _pdfs(self, files: list[Path]) -> None:
        """Each is kept when its line is there; those that were left out are then listed."""
        from coi_tui.session.papers.imported_pdfs import add_pdfs
        from coi_tui.session.papers.lookup import id_lookup
        from coi_tui.session.session import utc_now

        coi, left, done = self._screen.coi, list[tuple[str, str]](), 0
        self._screen.say(f"Reading the first of {len(files)} PDFs ...")
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
            how = ("To add one of them", "coi papers attach FILE DOI")
            self._screen.app.push_screen(
                MessageSheet(f"{len(left)} of {len(files)} PDFs were left out", [*left, how])
            )
