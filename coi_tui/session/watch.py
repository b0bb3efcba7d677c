"""What screens watch and reach for before a session is open. Light to import: heavy parts are loaded inside the functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.engine.events import Event as Event
from coi_tui.engine.events import Listener as Listener
from coi_tui.paths import Paths
from coi_tui.store.summary import Peek as Peek
from coi_tui.store.summary import list_sessions as list_sessions

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.engine.scheduler import Outcome as Outcome
    from coi_tui.session.session import Session


def stages() -> tuple[str, ...]:
    """The stages of the method, in order."""
    from coi_tui.methods.coi.method import STAGES

    return STAGES


Work = Callable[[], object]


def _imports(*names: str) -> list[Work]:
    return [partial(import_module, name) for name in names]


def opening_parts() -> list[Work]:
    """What the first opening of a session and its first decision would wait for. Each is for a worker thread."""
    return _imports("coi_tui.session.session", "sqlite_utils")


FIRST_KEYS = tuple(
    f"coi_tui.{name}"
    for name in (
        "engine.scheduler", "engine.recorder", "session.runs.plans", "session.runs.generate_menu", "session.runs.disclosure",
        "session.runs.calibration",
        "session.runs.plan_queue", "session.decisions.new_session", "session.decisions.preview", "session.decisions.placement",
        "session.decisions.criteria",
        "session.queries.why", "session.queries.search_index", "session.queries.timeline", "session.queries.experiment",
        "session.papers.candidates",
        "session.papers.library", "methods.services", "methods.coi.replies",
    )
)  # fmt: skip
"""What the first keys on an open session would import."""


def running_parts(session: Session) -> Iterator[Work]:
    """What the first keys and the first run in a session would load while more keys come in: first keys first.

    Each is for a worker thread, best while nobody types, and to be done before the next one is asked for.
    """
    setup = session.setup
    yield from _imports(*FIRST_KEYS, "jinja2", "coi_tui.prompts.loader")
    if setup.online_source:
        literature = (f"coi_tui.literature.{name}" for name in ("http", "source_fallback", "cached_answers"))
        yield from _imports("httpx", "stamina.instrumentation", *literature)
        from coi_tui.network.tls import ssl_context

        yield ssl_context
    else:
        yield from _imports("coi_tui.literature.starter.index")
        from coi_tui.literature.starter.index import bundled

        yield bundled
    if setup.online_model:
        yield from _imports("httpx", "openai", "coi_tui.llm.openai_compatible")
    else:
        from coi_tui.session.runs.service_setup import drafter

        yield drafter
    from coi_tui.prompts.loader import Prompts

    prompts = Prompts(session.paths.prompts)
    yield from (partial(prompts.warm, name) for name in prompts.names())


def open_session(name: str | Path, paths: Paths, settings: Settings, keys: Keys) -> Session:
    """Open a session by name or path. For a worker thread: this is where heavy packages come in."""
    from coi_tui.session.session import Session

    return Session.open(str(name), paths=paths, settings=settings, keys=keys)


def open_to_read(path: Path, paths: Paths, settings: Settings, keys: Keys) -> Session:
    """Open a session that is only looked at, whoever else holds it. For a worker thread."""
    from coi_tui.session.session import Session

    return Session.open(str(path), paths=paths, settings=settings, keys=keys, read_only=True)


def create_session(
    topic: str, paths: Paths, settings: Settings, keys: Keys, *, name: str = "", hunch: str = "", offline: bool = False
) -> Session:
    """A new session, named after its topic unless ``name`` is given. For a worker thread, as ``open_session``."""
    from coi_tui.session.names import free_name
    from coi_tui.session.session import Session

    chosen = name.strip() or free_name(paths, topic)
    return Session.create(chosen, topic, paths=paths, settings=settings, keys=keys, offline=offline, hunch=hunch)
