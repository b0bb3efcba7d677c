"""Asks the chosen sources, then the registries of ids, which papers the PDFs of a folder are. Only ids and titles are sent."""

from __future__ import annotations

from coi_tui.config import Keys, Settings
from coi_tui.literature.ids import Id
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.session.papers.lookup import by_registry
from coi_tui.session.papers.pdf_folder import PdfFolder, Told
from coi_tui.session.runs.service_setup import open_services
from coi_tui.session.session import utc_now


async def confirm_online(
    folder: PdfFolder, paths: Paths, settings: Settings, keys: Keys, told: Told
) -> str:
    """As ``PdfFolder.confirm``: empty, or the error of a service that ended the asking."""

    def today() -> str:
        return utc_now()[:10]

    async def registry(pair: Id) -> Paper | None:
        return await by_registry(settings, keys, pair, today)

    async with open_services(settings, keys, paths, offline=False, today=today) as services:
        return await folder.confirm(services.source_for(services.fetch, 0), registry, told)
