"""What works here and what does not: keys (present or not, never shown), services, storage."""

from __future__ import annotations

import sqlite3
import tempfile

from coi_tui.config import Keys, Settings
from coi_tui.model.errors import CoiError
from coi_tui.model.sources import in_words
from coi_tui.paths import Paths
from coi_tui.session.admin.probes import Checked, models, registries, source, storage
from coi_tui.session.papers.source_order import ONLY_THEN
from coi_tui.session.runs.service_setup import services_of, setup_of


async def examine(paths: Paths, settings: Settings, keys: Keys, *, ask: bool = False) -> list[Checked]:
    """All checks, each with the cheapest call there is. ``ask``: one small paid call a model, to see which reply formats it takes."""
    checks = [_folder("data folder", paths.data), _folder("config folder", paths.config), storage(paths.sessions)]
    checks += [_search(), _starter(), _prompts(paths)]
    setup = setup_of(settings, keys, False)
    checks.append(Checked("language model key", "ok" if keys.llm else "off", "set" if keys.llm else "OPENAI_API_KEY is not set"))
    if setup.online_model:
        checks += await models(settings, keys, ask=ask)
    else:
        checks.append(Checked("language model", "off", f"{setup.why}: texts are drafted by rules"))
    services = services_of(settings, keys)
    if len(services) > 1:
        checks.append(Checked("order of sources", "ok", f"{in_words(settings.order)}; each {ONLY_THEN}"))
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
    from coi_tui.literature.starter.loader import load

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
