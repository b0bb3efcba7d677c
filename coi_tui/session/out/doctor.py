"""What works here and what does not: keys (present or not, never shown), services, storage."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from dataclasses import dataclass
from typing import Literal

from coi_tui.config import Keys, Settings
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.paths import Paths
from coi_tui.session.run.toolbox import Service, service_of, setup_of


@dataclass(frozen=True)
class Checked:
    """One finding. ``state``: ok, off (not set up, works without), or FAILED."""

    what: str
    state: Literal["ok", "off", "FAILED"]
    says: str


async def examine(paths: Paths, settings: Settings, keys: Keys) -> list[Checked]:
    """All checks, each with the cheapest call there is."""
    checks = [_folder("data folder", paths.data), _folder("config folder", paths.config), _search(), _starter(), _prompts(paths)]
    setup = setup_of(settings, keys, False)
    checks.append(Checked("language model key", "ok" if keys.llm else "off", "set" if keys.llm else "OPENAI_API_KEY is not set"))
    checks.append(
        await _model(settings, keys) if setup.online_model else Checked("language model", "off", f"{setup.why}: texts are drafted by rules")
    )
    service = service_of(settings, keys)
    said = "set" if service.key else f"{service.key_name} is not set: {service.without_key}"
    checks.append(Checked(f"{service.name} key", "ok" if service.key else "off", said))
    if setup.online_source:
        checks.append(await _source(service))
    else:
        checks.append(Checked(service.name, "off", "not set up: the starter library is searched"))
    return checks


def _folder(name: str, folder: object) -> Checked:
    from pathlib import Path

    path = Path(str(folder))
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return Checked(name, "ok", f"{path} can be written")
    except OSError as error:
        return Checked(name, "FAILED", f"{path} cannot be written ({error.strerror}). Set COI_HOME to a folder that can.")


def _search() -> Checked:
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
    except sqlite3.OperationalError:
        return Checked("full-text search", "off", f"this SQLite {sqlite3.sqlite_version} lacks FTS5: the library is searched more slowly")
    finally:
        db.close()
    return Checked("full-text search", "ok", f"SQLite {sqlite3.sqlite_version} with FTS5")


def _starter() -> Checked:
    from coi_tui.literature.starter.library import load

    try:
        library = load()
    except CoiError as error:
        return Checked("starter library", "FAILED", str(error))
    checked = sum(link.kind == "cites" for link in library.links)
    share = 100 * checked // max(1, len(library.links))
    return Checked("starter library", "ok", f"{len(library.papers)} papers, {len(library.links)} links, {share} % of them checked")


def _prompts(paths: Paths) -> Checked:
    from coi_tui.prompts.loader import Prompts

    try:
        prompts = Prompts(paths.prompts)
        own = [name for name in prompts.names() if prompts.get(name).overridden]
    except CoiError as error:
        return Checked("prompts", "FAILED", str(error))
    return Checked("prompts", "ok", f"{len(prompts.names())} prompts" + (f", yours: {', '.join(own)}" if own else ""))


async def _model(settings: Settings, keys: Keys) -> Checked:
    from coi_tui.llm.openai_compatible import OpenAICompatible

    where = settings.llm.base_url or "api.openai.com"
    client = OpenAICompatible(settings.llm.model_copy(update={"timeout_s": 10.0, "retries": 0}), keys.llm)
    started = time.monotonic()
    try:
        models = await client.list_models()
    except ServiceError as error:
        return Checked("language model", "FAILED", f"{where}: {error}")
    finally:
        await client.aclose()
    missing = [m for m in {settings.llm.main.model, settings.llm.reader.model} - {""} if models and m not in models]
    took = f"{where} answered in {1000 * (time.monotonic() - started):.0f} ms"
    if missing:
        return Checked(
            "language model", "FAILED", f"{took}, but does not list {', '.join(sorted(missing))}. Set COI_MODEL and COI_READER_MODEL."
        )
    return Checked(
        "language model", "ok", f"{took}; main {settings.llm.main.model}, reader {settings.llm.reader.model or settings.llm.main.model}"
    )


async def _source(service: Service) -> Checked:
    from coi_tui.literature.quota import budget_left

    started = time.monotonic()
    try:
        async with service.fetch(service.settings.model_copy(update={"timeout_s": 10.0, "retries": 0})) as fetch:
            found = await service.source(fetch, lambda: "").search("language model", 1)
            left = budget_left(fetch.quota)
    except ServiceError as error:
        return Checked(service.name, "FAILED", str(error))
    says = f"answered in {1000 * (time.monotonic() - started):.0f} ms; {found.note}"
    return Checked(service.name, "ok", f"{says}; {left}" if left else says)
