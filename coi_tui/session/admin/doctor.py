"""What works here and what does not: keys (present or not, never shown), models, sources of papers, registries, the disk.

Each finding says what is used where it fails."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from coi_tui.config import Keys, LlmSettings, Settings, SourceSettings
from coi_tui.literature.types import HttpRequest
from coi_tui.model.errors import CoiError, ServiceError, UsageError, why_not_written
from coi_tui.model.sources import in_words
from coi_tui.paths import Paths
from coi_tui.session.admin.model_check import Role, question, roles_asked
from coi_tui.session.papers.lookup import in_reach
from coi_tui.session.papers.source_order import ONLY_THEN
from coi_tui.session.runs.service_setup import Service, ServiceSetup, services_of, setup_of

if TYPE_CHECKING:
    from coi_tui.llm.openai_compatible import OpenAICompatible


async def examine(
    paths: Paths, settings: Settings, keys: Keys, *, ask: bool = False
) -> list[Checked]:
    """All checks, each with the cheapest call there is. ``ask``: one small paid call a model, to see which reply formats it takes."""
    checks = [
        _folder("data folder", paths.data),
        _folder("config folder", paths.config),
        storage(paths.sessions),
    ]
    checks += [_search(), _starter(), prompt_files(paths), _vectors(paths, settings)]
    setup = setup_of(settings, keys, False)
    checks.append(
        Checked(
            "language model key",
            "ok" if keys.llm else "off",
            "set" if keys.llm else "OPENAI_API_KEY is not set",
        )
    )
    if setup.online_model:
        checks += await models(settings, keys, ask=ask)
    else:
        checks.append(Checked("language model", "off", f"{setup.why}: texts are drafted by rules"))
    return [*checks, *await _sources_of_papers(settings, keys, setup)]


async def _sources_of_papers(settings: Settings, keys: Keys, setup: ServiceSetup) -> list[Checked]:
    """The services that are searched for papers, their keys, and the registries; nobody is asked where none is set up."""
    checks, services = [], services_of(settings, keys)
    if len(services) > 1:
        checks.append(
            Checked("order of sources", "ok", f"{in_words(settings.order)}; each {ONLY_THEN}")
        )
    for service in services:
        said = "set" if service.key else f"{service.key_name} is not set: {service.without_key}"
        checks.append(Checked(f"{service.name} key", "ok" if service.key else "off", said))
    if not setup.online_source:
        asked_for = setup.why == "offline was asked for"
        why = setup.why if asked_for else "no online source is set up"
        said = f"{why if asked_for else 'not set up'}: the starter library is searched"
        checks += [Checked(service.name, "off", said) for service in services]
        checks += await registries(settings, keys, online=False, why=why)
        return checks
    for service in services:
        checks.append(await source(service))
    checks += await registries(settings, keys)
    return checks


def _folder(name: str, folder: object) -> Checked:
    from pathlib import Path

    from coi_tui.private_files import make_folder

    path = Path(str(folder))
    try:
        make_folder(path)
        with tempfile.TemporaryFile(dir=path):
            return Checked(name, "ok", f"{path} can be written")
    except OSError as error:
        return Checked(
            name,
            "FAILED",
            f"{path} cannot be written: {why_not_written(error)[0]}. Set COI_HOME to a folder that can.",
        )


def _search() -> Checked:
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    except sqlite3.OperationalError:
        return Checked(
            "full-text search",
            "off",
            f"this SQLite {sqlite3.sqlite_version} lacks FTS5: the library is searched more slowly",
        )
    finally:
        db.close()
    return Checked("full-text search", "ok", f"SQLite {sqlite3.sqlite_version} with FTS5")


def _starter() -> Checked:
    from coi_tui.literature.starter.loader import load

    try:
        library = load()
    except CoiError as error:
        return Checked("starter library", "FAILED", str(error))
    checked = sum(link.kind == "cites" for link in library.links)
    share = 100 * checked // max(1, len(library.links))
    return Checked(
        "starter library",
        "ok",
        f"{len(library.papers)} papers, {len(library.links)} links, {share} % of them checked",
    )


def prompt_files(paths: Paths) -> Checked:
    """Whether each prompt can be used, and asks for all that the program reads."""
    from coi_tui.prompts.loader import Prompts

    try:
        prompts = Prompts(paths.prompts)
        own = [name for name in prompts.names() if prompts.get(name).overridden]
    except CoiError as error:
        return Checked("prompts", "FAILED", str(error))
    if outdated := [said for name in own if (said := prompts.get(name).outdated)]:
        return Checked("prompts", "FAILED", " ".join(outdated))
    return Checked(
        "prompts",
        "ok",
        f"{len(prompts.names())} prompts" + (f", yours: {', '.join(own)}" if own else ""),
    )


def _vectors(paths: Paths, settings: Settings) -> Checked:
    """Whether papers are compared by sentence vectors, and whose. The model is not loaded for this."""
    from coi_tui.llm.sentence_vectors import folder_of, missing

    what, wanted, folder = (
        "sentence vectors",
        settings.vectors,
        folder_of(settings.vectors, paths.data),
    )
    if settings.llm.embedding.model:
        return Checked(what, "ok", f"{settings.llm.embedding.model}, of the model service")
    if wanted.use is False:
        return Checked(
            what, "off", "turned off (vectors.use): papers are compared by their words alone"
        )
    if lacking := missing(wanted, folder):
        return Checked(
            what,
            "FAILED" if wanted.use else "off",
            f"{lacking} Until then papers are compared by their words alone.",
        )
    return Checked(
        what, "ok", f"{wanted.model}, computed on this machine with the files in {folder}"
    )


PROBE_S = 10.0
LOW_MB = 100
PAGE_BYTES = 4096


@dataclass(frozen=True)
class Checked:
    """One finding. ``state``: ok, off (not set up, works without), or FAILED. ``charged``: what the check itself cost, where it did."""

    what: str
    state: Literal["ok", "off", "FAILED"]
    says: str
    said: str = ""
    """The service's own words, cut and cleaned."""
    charged: str = ""


# -- storage ------------------------------------------------------------------------------------------------------


def storage(folder: Path, max_pages: int = 0) -> Checked:
    """Write a small database where the sessions are, and take it away again. ``max_pages`` limits its size, as a full disk would."""
    from coi_tui.private_files import make_folder
    from coi_tui.store.connection import as_store_error

    path = folder / f".doctor.{os.getpid()}.db"
    try:
        make_folder(folder)
        db = sqlite3.connect(path, isolation_level=None)
        try:
            if max_pages:
                db.execute(f"PRAGMA max_page_count = {max_pages}")
            db.execute("CREATE TABLE t (a BLOB)")
            db.execute("INSERT INTO t VALUES (zeroblob(?))", [64 * PAGE_BYTES])
        finally:
            db.close()
        free = shutil.disk_usage(folder).free // 1_000_000
    except (sqlite3.Error, OSError) as error:
        trouble = as_store_error(error, path)
        return Checked(
            "storage",
            "FAILED",
            f"{trouble} Sessions that are open keep what was saved; nothing new can be.".replace(
                path.name, str(folder)
            ),
        )
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            with contextlib.suppress(
                OSError
            ):  # where nothing could be written there is nothing to take away
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    if free < LOW_MB:
        return Checked(
            "storage",
            "FAILED",
            f"only {free} MB are free in {folder}. Free some space before a long run.",
        )
    return Checked("storage", "ok", f"sessions can be written, {free:,} MB are free")


# -- language models ----------------------------------------------------------------------------------------------


async def models(settings: Settings, keys: Keys, *, ask: bool) -> list[Checked]:
    """The connection with the list of models, which is free; with ``ask`` one small call for each model as well."""
    from coi_tui.llm.openai_compatible import OpenAICompatible
    from coi_tui.network.addresses import shown_host

    llm = settings.llm.model_copy(update={"timeout_s": PROBE_S, "retries": 0})
    try:
        client = OpenAICompatible(llm, keys.llm)
    except UsageError as error:
        return [
            Checked(
                "language model",
                "FAILED",
                f"{error} Until then texts cannot be made; coi run --offline drafts by rules.",
            )
        ]
    where = shown_host(client.base_url)
    try:
        await client.warm()
        started = time.monotonic()
        listed = await client.list_models()
        took = f"{where} answered in {1000 * (time.monotonic() - started):.0f} ms"
        any_name = (
            bool(client.server.api_version) or client.server.profile.id == "llamacpp"
        )  # Azure lists models, not deployments
        checks = [_kind(client, keys.llm), _listed(llm, [] if any_name else listed, took)]
        if ask and checks[-1].state == "ok":
            checks += [await _format(client, role) for role in roles_asked(llm)]
    except ServiceError as error:
        says = f"{where}: {error} Until then texts cannot be made; --offline drafts by rules."
        return [_kind(client, keys.llm), Checked("language model", "FAILED", says, error.said)]
    finally:
        await client.aclose()
    return checks


async def ask_models(settings: Settings, keys: Keys) -> list[Checked]:
    """The connection, then one small question to each model. This is what may be charged: only after a yes to ``model_check.asking_of``."""
    return await models(settings, keys, ask=True)


def _kind(client: OpenAICompatible, key: str | None) -> Checked:
    """Which profile the server has, what follows from it, and what it told of itself."""
    server, told = client.server, client.told
    profile = server.profile
    if profile.key_needed and not key:
        return Checked(
            "model server",
            "FAILED",
            f"{profile.name} ({server.how}): it needs a key. Set OPENAI_API_KEY.",
        )
    parts = [
        f"{profile.name} ({server.how})",
        ""
        if profile.key_needed
        else "no key needed"
        if server.local
        else "a key if the server asks for one",
        f"formats tried: {', '.join(profile.formats)}",
        _context(told.context, profile.context),
        _at_once(told.slots, client.parallel) if profile.one_at_a_time else "",
        f"deployment {server.deployment}" if server.deployment else "",
        f"api-version {server.api_version}" if server.api_version else "",
        profile.note,
    ]
    return Checked("model server", "ok", "; ".join(part for part in parts if part))


def _context(told: int, usual: int | None) -> str:
    return (
        f"context {told:,} tokens"
        if told
        else f"context {usual:,} tokens by default"
        if usual
        else ""
    )


def _at_once(slots: int, parallel: int) -> str:
    """How many requests are sent at once to a server on own hardware."""
    has = f"it has {slots} slot{'' if slots == 1 else 's'}, " if slots else ""
    return f"{has}{'one request' if parallel == 1 else f'{parallel} requests'} at a time (llm.parallel)"


def _listed(llm: LlmSettings, listed: list[str], took: str) -> Checked:
    missing = (
        sorted({llm.main.model, llm.reader.model, llm.embedding.model} - {"", *listed})
        if listed
        else []
    )
    if missing:
        from coi_tui.llm.prices import offered

        return Checked(
            "language model",
            "FAILED",
            f"{took}, but does not list {', '.join(missing)}. {offered(llm, listed)}".strip(),
        )
    return Checked(
        "language model",
        "ok",
        f"{took}; main {llm.main.model}, reader {llm.reader.model or llm.main.model}",
    )


async def _format(client: object, role: Role) -> Checked:
    """Which reply format a model takes: a call of about a hundred tokens."""
    from coi_tui.llm.openai_compatible import OpenAICompatible

    assert isinstance(client, OpenAICompatible)
    what = f"{role} model {client.model_for(role)}"
    try:
        reply = await client.complete(question(role))
    except ServiceError as error:
        return Checked(what, "FAILED", str(error), error.said)
    spelled = {
        "json_schema": "JSON by schema",
        "json_object": "JSON, not by schema",
        "text": "plain text only; JSON is asked for in words",
    }
    cut = (
        "; the answer was cut off at 200 tokens, as by a model that reasons at length"
        if reply.finish_reason == "length"
        else ""
    )
    usage = "" if not reply.usage_estimated else "; it names no token counts, so they are estimated"
    return Checked(
        what,
        "ok",
        f"takes {spelled[reply.reply_format]}, answered in {reply.seconds:.1f} s{usage}{cut}",
    )


# -- sources of papers --------------------------------------------------------------------------------------------


async def source(service: Service) -> Checked:
    """The chosen source: by a search for one paper, or where searches cost something by one record that is free."""
    from coi_tui.literature.quota import budget_left, charged

    started = time.monotonic()
    try:
        async with service.fetch(patient(service.settings)) as fetch:
            note = await service.answers(fetch)
            cost, left = charged(fetch.quota), budget_left(fetch.quota)
    except ServiceError as error:
        return Checked(
            service.name,
            "FAILED",
            f"{error} Until then: pin papers by id, or --offline searches the starter library.",
        )
    took = f"answered in {1000 * (time.monotonic() - started):.0f} ms"
    paid = f"this check took {cost} of today's budget" if cost else "this check is free"
    return Checked(
        service.name,
        "ok",
        "; ".join(part for part in (took, note, paid, left) if part),
        charged=cost,
    )


def patient(settings: SourceSettings) -> SourceSettings:
    """With a short wait, and no second try."""
    return settings.model_copy(update={"timeout_s": PROBE_S, "retries": 0})


DOI, ARXIV_ID = "10.1038/171737a0", "1706.03762"
"""Records that both registries have had for years."""
SET_MAIL = "coi config set mail you@your.org (or COI_MAIL)"
_NAMES = {
    "unreachable": "down",
    "server": "down",
    "limited": "busy",
    "refused": "refused",
    "broken": "unexpected answer",
    "not_found": "unexpected answer",
    "bad_request": "request not taken",
    "mail": "e-mail not taken",
}
_WITHOUT = {
    "arXiv": "Pins by its ids are looked up in the chosen source alone.",
    "Crossref": "Pins by DOI are looked up in the chosen source alone.",
    "Unpaywall": "Pins work without it; open copies of pinned DOIs stay unknown.",
}


async def registries(
    settings: Settings, keys: Keys, *, online: bool = True, why: str = ""
) -> list[Checked]:
    """One finding each, all asked at once. Not ``online``: nobody is asked, ``why`` says the reason."""
    asked = {
        "arXiv": (settings.arxiv, _arxiv),
        "Crossref": (settings.crossref, _crossref),
        "Unpaywall": (settings.unpaywall, _unpaywall),
    }
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


async def _checked(
    name: str, settings: Settings, probe: Callable[[Settings], Awaitable[None]]
) -> Checked:
    started = time.monotonic()
    try:
        await probe(settings)
    except ServiceError as error:
        return Checked(
            name, "FAILED", f"{_NAMES.get(error.kind, 'failed')}: {error} {_WITHOUT[name]}"
        )
    took = f"answered in {1000 * (time.monotonic() - started):.0f} ms"
    good = "takes the e-mail address that is set; asked for open copies of pinned DOIs"
    return Checked(name, "ok", f"{took}; {good}" if name == "Unpaywall" else took)


async def _arxiv(settings: Settings) -> None:
    from coi_tui.literature.arxiv import Arxiv, parse_atom
    from coi_tui.literature.http import HttpFetch

    async with HttpFetch(patient(settings.arxiv), "arXiv", parse=parse_atom) as fetch:
        if (await Arxiv(fetch, settings.arxiv.base_url, today=str).papers([f"arXiv:{ARXIV_ID}"]))[
            0
        ] is None:
            raise _unexpected("arXiv", f"a feed without {ARXIV_ID}")


async def _crossref(settings: Settings) -> None:
    from coi_tui.literature.crossref import Crossref
    from coi_tui.literature.http import HttpFetch

    polite = {"mailto": settings.mail} if settings.mail else {}
    async with HttpFetch(
        patient(settings.crossref), "Crossref", query=polite, plain_404=True
    ) as fetch:
        if await Crossref(fetch, settings.crossref.base_url, today=str).paper(f"doi:{DOI}") is None:
            raise _unexpected("Crossref", f"no record of {DOI}")


async def _unpaywall(settings: Settings) -> None:
    """Its only call, with the address of the person, which no finding repeats."""
    from coi_tui.literature.http import HttpFetch

    async with HttpFetch(
        patient(settings.unpaywall), "Unpaywall", query={"email": settings.mail}
    ) as fetch:
        try:
            answer = await fetch.json(
                HttpRequest(url=f"{settings.unpaywall.base_url.rstrip('/')}/v2/{DOI}")
            )
        except ServiceError as error:
            if error.kind == "bad_request" and "answered 422" in error.message:
                raise ServiceError(
                    "Unpaywall",
                    "mail",
                    "Unpaywall does not take the e-mail address that is set (422).",
                    f"Set another: {SET_MAIL}.",
                ) from None
            raise
    if answer.status == 404 or not isinstance(answer.payload, dict) or "doi" not in answer.payload:
        raise _unexpected("Unpaywall", f"no record of {DOI}")


def _unexpected(service: str, what: str) -> ServiceError:
    return ServiceError(
        service, "broken", f"{service} sent {what}.", "Is its address in the settings right?"
    )
