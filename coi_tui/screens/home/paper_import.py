"""Bringing papers of one's own in from the list of sessions: a list of papers at once, PDFs through their table."""

from __future__ import annotations

import asyncio
from pathlib import Path

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets.text_sheets import LineSheet
from coi_tui.widgets.key_actions import line_actions

ADD_PAPERS_ACTIONS = line_actions(
    "read", "read this file or folder; nothing is sent", "nothing is imported"
)
LISTS = (".bib", ".bibtex", ".biblatex", ".ris", ".json")
EFFECT = "Searches look at your papers first. A list is imported at once; PDFs are read here and shown in a table. Nothing is sent."


class PapersSheet(LineSheet):
    """Gives the path of a file or folder, or None."""

    PLACE = "add_papers"
    ACTIONS = ADD_PAPERS_ACTIONS
    HINT = "path of a folder of PDFs, a PDF, or a .bib, .ris or .json file"


class PaperImport:
    """The key for it."""

    def __init__(self, screen: CoiScreen[None]) -> None:
        self._screen = screen

    def do_papers(self) -> None:
        self._screen.app.push_screen(PapersSheet("Add papers of your own", EFFECT), self._import)

    async def _import(self, said: str | None) -> None:
        from coi_tui.session.papers.imported_pdfs import meant_pdfs, meant_place

        if said is None:
            return
        try:
            place = await asyncio.to_thread(meant_place, said)
            if place.suffix.lower() in LISTS and not place.is_dir():
                await self._list(place)
                return
            files = await asyncio.to_thread(meant_pdfs, said)
        except CoiError as error:
            self._screen.trouble(error)
            return
        from coi_tui.screens.papers.pdf_table import PdfTableScreen
        from coi_tui.session.papers.pdf_folder import PdfFolder

        self._screen.app.push_screen(
            PdfTableScreen(files, PdfFolder(self._screen.coi.paths)), self._done
        )

    async def _list(self, file: Path) -> None:
        from coi_tui.session.papers.imported import bring_in

        brought = await asyncio.to_thread(bring_in, self._screen.coi.paths, file)
        left = "".join(f" Left out: {why}." for why in brought.left_out[:1]) + (
            " And others." if len(brought.left_out) > 1 else ""
        )
        self._screen.say(
            f"{file.name}: {len(brought.new)} new, {brought.known} already known, {len(brought.left_out)} left out.{left}"
        )

    def _done(self, said: str | None) -> None:
        self._screen.say(said or "")
