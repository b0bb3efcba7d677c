"""Pins that the chosen source does not know: asked of arXiv by arXiv id, of Crossref (and Unpaywall) by DOI."""

from __future__ import annotations

from collections.abc import Callable

from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.session.runs.service_setup import service_of


async def by_registry(settings: Settings, keys: Keys, pair: tuple[str, str], today: Callable[[], str]) -> Paper | None:
    """The paper of an arXiv id or a DOI, None where it is neither or not known there."""
    asked = asked_by_id(settings, keys, pair)
    if asked == "arXiv":
        return await _arxiv(settings, pair[1], today)
    return await _crossref(settings, keys, pair[1], today) if asked == "Crossref" else None


def asked_by_id(settings: Settings, keys: Keys, pair: tuple[str, str]) -> str:
    """The registry that is asked for an id; empty where none is."""
    registry, there = {"arXiv": ("arXiv", settings.arxiv), "DOI": ("Crossref", settings.crossref)}.get(pair[0], ("", None))
    return registry if there is not None and in_reach(settings, keys, there) else ""


def in_reach(settings: Settings, keys: Keys, other: SourceSettings) -> bool:
    """With the chosen service on this machine nothing else on the network is asked."""
    from coi_tui.network.addresses import is_loopback, origin_of

    home, there = origin_of(service_of(settings, keys).settings.base_url), origin_of(other.base_url)
    return not (home and is_loopback(home[1])) or bool(there and is_loopback(there[1]))


async def _arxiv(settings: Settings, value: str, today: Callable[[], str]) -> Paper | None:
    from coi_tui.literature.arxiv import Arxiv, parse_atom
    from coi_tui.literature.http import HttpFetch

    async with HttpFetch(settings.arxiv, "arXiv", parse=parse_atom) as fetch:
        return (await Arxiv(fetch, settings.arxiv.base_url, today=today).papers([f"arXiv:{value}"]))[0]


async def _crossref(settings: Settings, keys: Keys, doi: str, today: Callable[[], str]) -> Paper | None:
    from coi_tui.literature.crossref import Crossref, Unpaywall
    from coi_tui.literature.http import HttpFetch

    polite = {"mailto": settings.mail} if settings.mail else {}
    async with HttpFetch(settings.crossref, "Crossref", query=polite, plain_404=True) as fetch:
        paper = await Crossref(fetch, settings.crossref.base_url, today=today).paper(f"doi:{doi}")
    if paper is None or not settings.mail or not in_reach(settings, keys, settings.unpaywall):
        return paper
    try:
        async with HttpFetch(settings.unpaywall, "Unpaywall", query={"email": settings.mail}) as fetch:
            pdf = await Unpaywall(fetch, settings.unpaywall.base_url).open_pdf(doi)
    except ServiceError:  # the paper is found all the same; only the open copy stays unknown
        return paper
    return paper.model_copy(update={"open_pdf": pdf}) if pdf else paper
