"""What works here and what does not: the disk, prompts, models, sources of papers; of keys only
whether they are set.

Each finding says what is used where it fails."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from coi_tui.config import Keys, Settings, key_name
from coi_tui.methods.registry import broken_plugins, every_method
from coi_tui.model.errors import CoiError, ServiceError, UsageError, why_not_written
from coi_tui.model.text import count, listed
from coi_tui.paths import Paths
from coi_tui.private_files import make_folder
from coi_tui.prompts.loader import Prompts
from coi_tui.services.http.addresses import shown_host
from coi_tui.services.llm.types import ChatRequest, Role
from coi_tui.services.sources.source_registry import (
    Service,
    id_services,
    service_of,
    source_names,
    spec_of,
)
from coi_tui.session.runs.service_setup import NO_KEY, OFFLINE, setup_of
from coi_tui.session.settings import unused_sections

if TYPE_CHECKING:
    from coi_tui.services.llm.openai_compatible import OpenAICompatible

PROBE_S = 10.0
LOW_MB = 100
TRIED_BYTES = 256_000
CUTS = "prompts are cut to it unless OLLAMA_CONTEXT_LENGTH is raised; say the same number as llm.context_tokens"
NO_MODEL = "Until then texts cannot be made; --offline leaves worksheets."


@dataclass(frozen=True)
class Checked:
    """One finding. ``state``: ok, off (not set up, works without), or FAILED. ``said``: the
    service's own words, cut and cleaned."""

    what: str
    state: Literal["ok", "off", "FAILED"]
    says: str
    said: str = ""


async def examine(
    paths: Paths, settings: Settings, keys: Keys, *, ask: bool = False
) -> list[Checked]:
    """All checks, each with the cheapest call there is. ``ask``: one small paid call a model, to
    see which reply formats it takes."""
    setup = setup_of(settings, keys, False)
    checks = [
        storage(paths.sessions),
        methods(paths),
        prompt_files(paths),
        _vectors(paths, settings),
    ]
    if setup.online_model:
        checks += await models(settings, keys, ask=ask)
    else:
        checks.append(
            Checked("language model", "off", f"{setup.why or NO_KEY}: worksheets take its place")
        )
    why = setup.why if setup.why == OFFLINE else "no online source is set up"
    off = "" if setup.online_source else f"{why}: the starter library is searched"
    return checks + [
        await source(service_of(name, settings, keys), off or _unused(name, settings, keys))
        for name in dict.fromkeys([*settings.order, *source_names()])
        if name in settings.order or not spec_of(name).searches or spec_of(name).problem
    ]


def _unused(name: str, settings: Settings, keys: Keys) -> str:
    """Why a source is not asked although others are; empty where it is."""
    spec = spec_of(name)
    used = name in settings.order or any(
        service.spec == spec
        for scheme in spec.ids
        for service in id_services(scheme, settings, keys)
    )
    return "" if used else "the chosen source is on this machine"


def storage(folder: Path) -> Checked:
    """Write a little where the sessions are, and take it away again."""
    try:
        make_folder(folder)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(TRIED_BYTES))
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        why, hint = why_not_written(error)
        return Checked("storage", "FAILED", f"{folder} cannot be written: {why}. {hint}")
    if free < LOW_MB:
        said = f"only {free} MB are free in {folder}. Free some space before a long run."
        return Checked("storage", "FAILED", said)
    return Checked("storage", "ok", f"sessions can be written, {free:,} MB are free")


def methods(paths: Paths) -> Checked:
    """Whether every installed method can be used, and sections of settings that none has."""
    if broken := broken_plugins():
        return Checked("methods", "FAILED", " ".join(broken))
    said = count(len(every_method()), "method")
    if unused := unused_sections(paths.config_file):
        said += f"; the settings have sections of no installed method or source: {listed(unused)}"
    return Checked("methods", "ok", said)


def prompt_files(paths: Paths) -> Checked:
    """Whether each prompt can be used."""
    try:
        prompts = Prompts(paths.prompts)
        own = [name for name in prompts.names() if prompts.get(name).overridden]
    except CoiError as error:
        return Checked("prompts", "FAILED", str(error))
    said = f"{len(prompts.names())} prompts" + (f", yours: {', '.join(own)}" if own else "")
    return Checked("prompts", "ok", said)


def _vectors(paths: Paths, settings: Settings) -> Checked:
    """Whether papers are compared by sentence vectors, and whose. The model is not loaded for
    this."""
    from coi_tui.services.llm.sentence_vectors import NAME, folder_of, missing

    what, wanted, by_words = "sentence vectors", settings.vectors, "papers are compared by words"
    folder = folder_of(wanted, paths.data)
    if name := settings.llm.embedding.model:
        return Checked(what, "ok", f"{name}, of the model service")
    if wanted.use is False:
        return Checked(what, "off", f"turned off (vectors.use): {by_words}")
    if lacking := missing(folder):
        state: Literal["FAILED", "off"] = "FAILED" if wanted.use else "off"
        return Checked(what, state, f"{lacking} Until then {by_words}.")
    return Checked(what, "ok", f"{NAME}, computed here with the files in {folder}")


# -- language models


async def models(settings: Settings, keys: Keys, *, ask: bool) -> list[Checked]:
    """The server and its list of models, which is free; with ``ask`` one small call for each model
    as well."""
    from coi_tui.services.llm.openai_compatible import OpenAICompatible
    from coi_tui.services.llm.prices import offered

    llm, what = settings.llm, "language model"
    try:
        client = OpenAICompatible(
            llm.model_copy(update={"timeout_s": PROBE_S, "retries": 0}), keys.llm
        )
    except UsageError as error:
        return [Checked(what, "FAILED", f"{error} {NO_MODEL}")]
    where, started = shown_host(client.base_url), time.monotonic()
    try:
        listed = await client.list_models()
        took = f"{where} {_took(started)}"
        if client.server.profile.id in ("azure", "llamacpp"):
            listed = []  # Azure lists models, not deployments; llama.cpp takes any name
        named = {llm.main.model, llm.reader.model, llm.embedding.model} - {"", *listed}
        if listed and named:
            said = f"{took}, but does not list {', '.join(sorted(named))}. {offered(llm, listed)}"
            return [_server(client, keys), Checked(what, "FAILED", said)]
        roles = f"main {llm.main.model}, reader {llm.reader.model or llm.main.model}"
        checks = [_server(client, keys), Checked(what, "ok", f"{took}; {roles}")]
        if ask:
            checks.append(await _asked(client, "main"))
        if ask and llm.reader.model not in ("", llm.main.model):
            checks.append(await _asked(client, "reader"))
        return checks
    except ServiceError as error:
        failed = Checked(what, "FAILED", f"{where}: {error} {NO_MODEL}", error.said)
        return [_server(client, keys), failed]
    finally:
        await client.aclose()


def _server(client: OpenAICompatible, keys: Keys) -> Checked:
    """Which profile the server has, what follows from it, and what it told of itself."""
    server, profile = client.server, client.server.profile
    name = f"{profile.name} ({server.how})"
    if profile.key_needed and not keys.llm:
        return Checked("model server", "FAILED", f"{name}: it needs a key. Set OPENAI_API_KEY.")
    context = server.context or profile.context
    parts = (
        name,
        "key set" if keys.llm else "no key set (OPENAI_API_KEY)",
        f"formats tried: {', '.join(one for one in profile.formats if not one.endswith('+'))}",
        f"context {context:,} tokens" if context else "",
        f"{client.parallel} at a time (llm.parallel)" if profile.one_at_a_time else "",
        CUTS if profile.cuts_silently else "",
    )
    return Checked("model server", "ok", "; ".join(filter(None, parts)))


async def _asked(client: OpenAICompatible, role: Role) -> Checked:
    """Which reply format a model takes: a call of about a hundred tokens."""
    what, fields = f"{role} model {client.model_for(role)}", {"word": {"type": "string"}}
    request = ChatRequest(
        role=role,
        prompt="doctor",
        version="1",
        prompt_hash="",
        system="Answer in JSON.",
        schema_name="Probe",
        schema={"type": "object", "properties": fields, "required": ["word"]},
        user='Answer with the JSON object {"word": "ready"} and nothing else.',
        temperature=0.0,
        max_tokens=200,
        values={},
    )
    try:
        reply = await client.complete(request)
    except ServiceError as error:
        return Checked(what, "FAILED", str(error), error.said)
    spelled = {
        "json_schema": "JSON by schema",
        "json_object": "JSON, not by schema",
        "text": "plain text only; JSON is asked for in words",
    }
    cut = "; the answer was cut off, as by a model that reasons at length"
    return Checked(
        what,
        "ok",
        f"takes {spelled[reply.reply_format]}, answered in {reply.seconds:.1f} s"
        f"{'; it names no token counts, so they are estimated' if reply.usage_estimated else ''}"
        f"{cut if reply.finish_reason == 'length' else ''}",
    )


# -- sources of papers


async def source(service: Service, off: str = "") -> Checked:
    """One source, asked for one paper, by its id where searches cost something; with ``off`` it is
    not asked."""
    spec = service.spec
    if spec.problem:
        return Checked(spec.title, "FAILED", f"this source cannot be loaded: {spec.problem}.")
    if off:
        return Checked(spec.title, "off", f"not asked: {off}")
    started = time.monotonic()
    try:
        async with service.connect(timeout_s=PROBE_S, retries=0) as fetch:
            asked = service.source(fetch, str)
            if spec.probe:
                found = await asked.papers([spec.probe])
            else:
                found = list((await asked.search("language model", 1)).papers)
    except ServiceError as error:
        return Checked(spec.title, "FAILED", f"{error} {_without(service)}")
    if None in found:
        why = f"{spec.title} has no record of {spec.probe}. Is its address in the settings right?"
        return Checked(spec.title, "FAILED", f"{why} {_without(service)}")
    takes_key = spec.key_header or spec.key_parameter
    missing = f"{key_name(spec.name)} is not set: {spec.without_key}" if takes_key else ""
    key = "key set" if service.key else missing.removesuffix(": ")
    return Checked(spec.title, "ok", "; ".join(filter(None, (_took(started), key))))


def _without(service: Service) -> str:
    """What works while a source does not answer."""
    return (
        "Until then: pin papers by id, or --offline searches the starter library."
        if service.spec.searches
        else "Pins by its ids are looked up in the chosen source alone."
    )


def _took(started: float) -> str:
    return f"answered in {1000 * (time.monotonic() - started):.0f} ms"
