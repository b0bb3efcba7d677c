"""What leaves this machine when a paper is looked up, and who gets it: said before anything is asked."""

from __future__ import annotations

import re

from coi_tui.config import Keys, Settings
from coi_tui.session.run.registries import asked_by_id, in_reach
from coi_tui.session.run.toolbox import Service, Setup, service_of, setup_of

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
    service = service_of(settings, keys)
    pair = normalise_id(said)
    if pair is None:
        what = "this address, in which no paper's id is seen, as a title" if _ADDRESS.match(said) else "the words as written"
        return f"If no title known here is just this, {service.name} gets {what}."
    return _of_id(settings, keys, service, pair)


def _why_here(setup: Setup) -> str:
    return "Offline" if setup.why == "offline was asked for" else "No online source is set up"


def _of_id(settings: Settings, keys: Keys, service: Service, pair: tuple[str, str]) -> str:
    name = _NAMES.get(pair[0], pair[0])
    first = f"{service.name} gets the {name}" if service.knows_ids_of(pair) else ""
    second = _of_registry(settings, keys, pair, name)
    if not first and not second:
        return f"{service.name} has no place for a {name}: {HERE}"
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
