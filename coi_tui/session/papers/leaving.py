"""What leaves this machine when a paper is looked up, and who gets it: said before anything is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coi_tui.config import Keys, Settings
from coi_tui.session.run.registries import asked_by_id, in_reach
from coi_tui.session.run.toolbox import Service, Setup, services_of, setup_of

BEFORE = "What a look-up sends, and to whom, stands here as you write."
HERE = "looked up on this machine alone, nothing leaves it."
_NAMES = {"arXiv": "arXiv id", "DOI": "DOI", "S2": "Semantic Scholar id", "OpenAlex": "OpenAlex id", "ACL": "ACL id", "PMID": "PMID"}
_ADDRESS = re.compile(r"(?:https?://|www\.)", re.IGNORECASE)


def told_of_lookup(settings: Settings, keys: Keys, offline: bool, text: str) -> str:
    """One sentence for an id, a URL or a title as it stands. Pure: it asks nobody, nor does it look whether the paper is known here."""
    from coi_tui.literature.ids import normalise_id

    setup = setup_of(settings, keys, offline)
    said = " ".join(text.split())
    if not setup.online_source:
        return f"{_why_here(setup)}: {HERE}"
    if not said:
        return BEFORE
    services = services_of(settings, keys)
    pair = normalise_id(said)
    if pair is None:
        what = "this address, in which no paper's id is seen, as a title" if _ADDRESS.match(said) else "the words as written"
        return f"If no title known here is just this, {services[0].name} gets {what}{_then(services)}."
    return _of_id(settings, keys, services, pair)


def _why_here(setup: Setup) -> str:
    return "Offline" if setup.why == "offline was asked for" else "No online source is set up"


def _then(services: Sequence[Service]) -> str:
    """Who is asked after the first source, where sources have an order."""
    return "".join(f"; where it is away or has nothing, {service.name} too" for service in services[1:])


def _of_id(settings: Settings, keys: Keys, services: Sequence[Service], pair: tuple[str, str]) -> str:
    name = _NAMES.get(pair[0], pair[0])
    asked = [service for service in services if service.knows_ids_of(pair)]
    first = f"{asked[0].name} gets the {name}{_then(asked)}" if asked else ""
    second = _of_registry(settings, keys, pair, name)
    if not first and not second:
        return f"{services[0].name} has no place for a {name}: {HERE}"
    if first and second:
        return f"If unknown here, {first}; if unknown there too, {second}."
    return f"If unknown here, {first or second}."


def _of_registry(settings: Settings, keys: Keys, pair: tuple[str, str], name: str) -> str:
    """Who else gets the id; the mail address goes to Crossref and to Unpaywall, which is not asked without one."""
    asked = asked_by_id(settings, keys, pair)
    if not asked:
        return ""
    mail = " and your e-mail address" if settings.mail and asked == "Crossref" else ""
    others = " and, for an open copy, Unpaywall" if mail and in_reach(settings, keys, settings.unpaywall) else ""
    return f"{asked}{others} {'get' if others else 'gets'} it{mail}"
