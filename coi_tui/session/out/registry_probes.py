"""Checks of the registries that a pin by id may ask: arXiv, Crossref, Unpaywall. One record each, which is the cheapest call they have."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.literature.types import HttpRequest
from coi_tui.model.errors import ServiceError
from coi_tui.session.out.probes import Checked, patient
from coi_tui.session.run.registries import in_reach

DOI, ARXIV_ID = "10.1038/171737a0", "1706.03762"
"""Records that both registries have had for years."""
SET_MAIL = "coi config set mail you@your.org (or COI_MAIL)"
_NAMES = {
    "unreachable": "down", "server": "down", "limited": "busy", "refused": "refused", "broken": "unexpected answer",
    "not_found": "unexpected answer", "bad_request": "request not taken", "mail": "e-mail not taken",
}  # fmt: skip
_WITHOUT = {
    "arXiv": "Pins by its ids are looked up in the chosen source alone.",
    "Crossref": "Pins by DOI are looked up in the chosen source alone.",
    "Unpaywall": "Pins work without it; open copies of pinned DOIs stay unknown.",
}


async def registries(settings: Settings, keys: Keys, *, online: bool = True, why: str = "") -> list[Checked]:
    """One finding each, all asked at once. Not ``online``: nobody is asked, ``why`` says the reason."""
    asked = {"arXiv": (settings.arxiv, _arxiv), "Crossref": (settings.crossref, _crossref), "Unpaywall": (settings.unpaywall, _unpaywall)}
    waiting: list[Awaitable[Checked]] = []
    for name, (there, probe) in asked.items():
        off = f"not asked: {why}" if not online else _not_asked(settings, keys, name, there)
        waiting.append(_off(name, off) if off else _checked(name, settings, probe))
    return list(await asyncio.gather(*waiting))


def _not_asked(settings: Settings, keys: Keys, name: str, there: SourceSettings) -> str:
    if not in_reach(settings, keys, there):
        return "not asked: the chosen source is on this machine"
    if name == "Unpaywall" and not settings.mail:
        return f"not asked: it wants an e-mail address. {_WITHOUT[name]} To set one: {SET_MAIL}."
    return ""


async def _off(name: str, says: str) -> Checked:
    return Checked(name, "off", says)


async def _checked(name: str, settings: Settings, probe: Callable[[Settings], Awaitable[None]]) -> Checked:
    started = time.monotonic()
    try:
        await probe(settings)
    except ServiceError as error:
        return Checked(name, "FAILED", f"{_NAMES.get(error.kind, 'failed')}: {error} {_WITHOUT[name]}")
    took = f"answered in {1000 * (time.monotonic() - started):.0f} ms"
    good = "takes the e-mail address that is set; asked for open copies of pinned DOIs"
    return Checked(name, "ok", f"{took}; {good}" if name == "Unpaywall" else took)


async def _arxiv(settings: Settings) -> None:
    from coi_tui.literature.arxiv import Arxiv, parse_atom
    from coi_tui.literature.http import HttpFetch

    async with HttpFetch(patient(settings.arxiv), "arXiv", parse=parse_atom) as fetch:
        if (await Arxiv(fetch, settings.arxiv.base_url, today=str).papers([f"arXiv:{ARXIV_ID}"]))[0] is None:
            raise _unexpected("arXiv", f"a feed without {ARXIV_ID}")


async def _crossref(settings: Settings) -> None:
    from coi_tui.literature.crossref import Crossref
    from coi_tui.literature.http import HttpFetch

    polite = {"mailto": settings.mail} if settings.mail else {}
    async with HttpFetch(patient(settings.crossref), "Crossref", query=polite, plain_404=True) as fetch:
        if await Crossref(fetch, settings.crossref.base_url, today=str).paper(f"doi:{DOI}") is None:
            raise _unexpected("Crossref", f"no record of {DOI}")


async def _unpaywall(settings: Settings) -> None:
    """Its only call, with the address of the person, which no finding repeats."""
    from coi_tui.literature.http import HttpFetch

    async with HttpFetch(patient(settings.unpaywall), "Unpaywall", query={"email": settings.mail}) as fetch:
        try:
            answer = await fetch.json(HttpRequest(url=f"{settings.unpaywall.base_url.rstrip('/')}/v2/{DOI}"))
        except ServiceError as error:
            if error.kind == "bad_request" and "answered 422" in error.message:
                raise ServiceError(
                    "Unpaywall", "mail", "Unpaywall does not take the e-mail address that is set (422).", f"Set another: {SET_MAIL}."
                ) from None
            raise
    if answer.status == 404 or not isinstance(answer.payload, dict) or "doi" not in answer.payload:
        raise _unexpected("Unpaywall", f"no record of {DOI}")


def _unexpected(service: str, what: str) -> ServiceError:
    return ServiceError(service, "broken", f"{service} sent {what}.", "Is its address in the settings right?")
