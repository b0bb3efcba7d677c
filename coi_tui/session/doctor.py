"""What works here and what does not: the disk, prompts, models, sources of papers; of keys only
whether they are set.

Each finding says what is used where it fails."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coi_tui.config import Keys, Settings, key_name
from coi_tui.methods.registry import broken_plugins, every_method
from coi_tui.model.errors import CoiError, ServiceError, UsageError, why_not_written
from coi_tui.model.text import count, joined, listed
from coi_tui.paths import Paths, make_folder
from coi_tui.prompts.loader import Prompts
from coi_tui.services.http.addresses import shown_host
from coi_tui.services.llm.chat import offered
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.llm.sentence_vectors import NAME, folder_of, missing
from coi_tui.services.sources.source_registry import (
    Service,
    id_services,
    service_of,
    source_names,
    spec_of,
)
from coi_tui.session.environment import Environment
from coi_tui.session.settings import NO_KEY, OFFLINE, setup_of, unused_sections

PROBE_S = 10.0
LOW_MB = 100
TRIED_BYTES = 256_000
CUTS = "prompts are cut to it unless OLLAMA_CONTEXT_LENGTH is raised; say the same number as llm.context_tokens"
NO_MODEL = "Until then texts cannot be made; --offline leaves worksheets."


@dataclass(frozen=True)
class Finding:
    """What a check found. ``state``: ok, off (not set up, works without), or FAILED. ``quote``: the
    service's own words, cut and cleaned."""

    what: str
    state: Literal["ok", "off", "FAILED"]
    detail: str
    quote: str = ""


async def examine(env: Environment) -> list[Finding]:
    """All checks, each with the cheapest call there is."""
    paths, settings, keys = env.paths, env.settings, env.keys
    setup = setup_of(settings, keys, False)
    checks = [
        storage(paths.sessions),
        methods(paths),
        prompt_files(paths),
        _vectors(paths, settings),
    ]
    if setup.online_model:
        checks += await models(settings, keys)
    else:
        checks.append(
            Finding("language model", "off", f"{setup.why or NO_KEY}: worksheets take its place")
        )
    why = OFFLINE if setup.why == OFFLINE else "no online source is set up"
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


def storage(folder: Path) -> Finding:
    """Write a little where the sessions are, and take it away again."""
    try:
        make_folder(folder)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(TRIED_BYTES))
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        why, hint = why_not_written(error)
        return Finding("storage", "FAILED", f"{folder} cannot be written: {why}. {hint}")
    if free < LOW_MB:
        detail = f"only {free} MB are free in {folder}. Free some space before a long run."
        return Finding("storage", "FAILED", detail)
    return Finding("storage", "ok", f"sessions can be written, {free:,} MB are free")


def methods(paths: Paths) -> Finding:
    """Whether every installed method can be used, and sections of settings that none has."""
    if broken := broken_plugins():
        return Finding("methods", "FAILED", " ".join(broken))
    detail = count(len(every_method()), "method")
    if unused := unused_sections(paths.config_file):
        detail += f"; the settings have sections of no installed method or source: {listed(unused)}"
    return Finding("methods", "ok", detail)


def prompt_files(paths: Paths) -> Finding:
    """Whether each prompt can be used."""
    try:
        prompts = Prompts(paths.prompts)
        own = [name for name in prompts.names() if prompts.get(name).overridden]
    except CoiError as error:
        return Finding("prompts", "FAILED", str(error))
    yours = f", yours: {', '.join(own)}" if own else ""
    return Finding("prompts", "ok", f"{len(prompts.names())} prompts{yours}")


def _vectors(paths: Paths, settings: Settings) -> Finding:
    """Whether papers are compared by sentence vectors, and whose. The model is not loaded for
    this."""
    what, wanted, by_words = "sentence vectors", settings.vectors, "papers are compared by words"
    folder = folder_of(wanted, paths.data)
    if name := settings.llm.embedding.model:
        return Finding(what, "ok", f"{name}, of the model service")
    if wanted.use is False:
        return Finding(what, "off", f"turned off (vectors.use): {by_words}")
    if lacking := missing(folder):
        state: Literal["FAILED", "off"] = "FAILED" if wanted.use else "off"
        return Finding(what, state, f"{lacking} Until then {by_words}.")
    return Finding(what, "ok", f"{NAME}, computed here with the files in {folder}")


# -- language models

_NO_LIST = "does not list its models, so whether it answers shows in the first call. Where that fails too, check llm.base_url (`coi config get llm.base_url`)."


async def models(settings: Settings, keys: Keys) -> list[Finding]:
    """The server and its list of models, which is free."""
    llm, what = settings.llm, "language model"
    try:
        client = OpenAICompatible(
            llm.model_copy(update={"timeout_s": PROBE_S, "retries": 0}), keys.llm
        )
    except UsageError as error:
        return [Finding(what, "FAILED", f"{error} {NO_MODEL}")]
    where, started = shown_host(client.server.base_url), time.monotonic()
    try:
        listed = await client.list_models()
        took = f"{where} {_took(started)}"
        if client.server.profile.id in ("azure", "llamacpp"):
            listed = []  # Azure lists models, not deployments; llama.cpp takes any name
        named = {llm.main.model, llm.reader.model, llm.embedding.model} - {"", *listed}
        if listed and named:
            detail = f"{took}, but does not list {', '.join(sorted(named))}. {offered(llm, listed)}"
            return [_server(client, keys), Finding(what, "FAILED", detail)]
        roles = f"main {llm.main.model}, reader {llm.reader.model or llm.main.model}"
        return [_server(client, keys), Finding(what, "ok", f"{took}; {roles}")]
    except ServiceError as error:
        failed = Finding(what, "FAILED", f"{where}: {error} {NO_MODEL}", error.response)
        if error.kind == "not_found":  # some servers answer and list nothing
            failed = Finding(what, "off", f"{where} {_NO_LIST}", error.response)
        return [_server(client, keys), failed]
    finally:
        await client.aclose()


def _server(client: OpenAICompatible, keys: Keys) -> Finding:
    """Which profile the server has, what follows from it, and what it reports."""
    server, profile = client.server, client.server.profile
    name = f"{profile.name} ({server.how})"
    if profile.key_needed and not keys.llm:
        return Finding("model server", "FAILED", f"{name}: it needs a key. Set OPENAI_API_KEY.")
    context = client.settings.context_tokens or profile.context
    parts = (
        name,
        "key set" if keys.llm else "no key set (OPENAI_API_KEY)",
        f"formats tried: {', '.join(one for one in profile.formats if not one.endswith('+'))}",
        f"context {context:,} tokens" if context else "",
        f"{client.parallel} at a time (llm.parallel)" if profile.one_at_a_time else "",
        CUTS if profile.cuts_silently else "",
    )
    return Finding("model server", "ok", joined("; ", *parts))


# -- sources of papers


async def source(service: Service, off: str = "") -> Finding:
    """One source, asked for one paper, by its id where searches cost something; with ``off`` it is
    not asked."""
    spec = service.spec
    if spec.problem:
        return Finding(spec.title, "FAILED", f"this source cannot be loaded: {spec.problem}.")
    if off:
        return Finding(spec.title, "off", f"not asked: {off}")
    started = time.monotonic()
    try:
        async with service.connect(timeout_s=PROBE_S, retries=0) as fetch:
            asked = service.source(fetch, str)
            if spec.probe:
                found = await asked.papers([spec.probe])
            else:
                found = list((await asked.search("language model", 1)).papers)
    except ServiceError as error:
        return Finding(spec.title, "FAILED", f"{error} {_without(service)}")
    if None in found:
        why = f"{spec.title} has no record of {spec.probe}. Is its address in the settings right?"
        return Finding(spec.title, "FAILED", f"{why} {_without(service)}")
    takes_key = spec.key_header or spec.key_parameter
    missing = f"{key_name(spec.name)} is not set: {spec.without_key}" if takes_key else ""
    key = "key set" if service.key else missing.removesuffix(": ")
    return Finding(spec.title, "ok", joined("; ", _took(started), key))


def _without(service: Service) -> str:
    """What works while a source does not answer."""
    if service.spec.searches:
        return "Until then: pin papers by id, or --offline searches the starter library."
    return "Pins by its ids are looked up in the chosen source alone."


def _took(started: float) -> str:
    return f"answered in {1000 * (time.monotonic() - started):.0f} ms"
