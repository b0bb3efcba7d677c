"""What screens watch and reach for before a session is open. Light to import: heavy parts are
loaded inside the functions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coi_tui.engine.recorder import Event as Event
from coi_tui.engine.recorder import Listener as Listener
from coi_tui.paths import Paths
from coi_tui.store.summary import NextStep as NextStep
from coi_tui.store.summary import PendingCounts as PendingCounts
from coi_tui.store.summary import SessionHeader as SessionHeader
from coi_tui.store.summary import SessionSummary as SessionSummary
from coi_tui.store.summary import list_sessions as list_sessions

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.engine.scheduler import Outcome as Outcome
    from coi_tui.session.session import Session


def stages(method: str = "") -> tuple[str, ...]:
    """The stages of a method by its name, in order; of the usual one where none is named. Raises
    UsageError for an unknown method."""
    from coi_tui.methods.registry import stages_of

    return stages_of(method)


def open_session(
    name: str | Path, paths: Paths, settings: Settings, keys: Keys, *, read_only: bool = False
) -> Session:
    """Open a session by name or path; ``read_only``, whoever else holds it. For a worker thread:
    this is where heavy packages come in."""
    from coi_tui.session.session import Session

    return Session.open(str(name), paths=paths, settings=settings, keys=keys, read_only=read_only)


def create_session(
    topic: str,
    paths: Paths,
    settings: Settings,
    keys: Keys,
    *,
    name: str = "",
    hunch: str = "",
    offline: bool = False,
    method: str = "",
    bounds: Mapping[str, Any],
) -> Session:
    """A new session, named after its topic unless ``name`` is given; ``method``: the one it begins
    with, empty for the usual one; ``bounds``: settings of the method, for this session.

    For a worker thread, as ``open_session``.
    """
    from coi_tui.session.names import free_name
    from coi_tui.session.new_session import settings_for
    from coi_tui.session.session import Session

    chosen = name.strip() or free_name(paths, topic)
    return Session.create(
        chosen,
        topic,
        paths=paths,
        settings=settings,
        keys=keys,
        offline=offline,
        hunch=hunch,
        method=method,
        bounds=settings_for(method, settings, bounds),
    )


RECORDED = "recorded-session"
"""The name of the recorded session among the person's own."""


def open_recorded(paths: Paths, settings: Settings, keys: Keys) -> Session:
    """The recorded session, the person's own from its first opening on. For a worker thread, as
    ``open_session``."""
    from coi_tui.session.recorded_run import unpack_session
    from coi_tui.session.session import Session

    if not (path := recorded_path(paths)).exists():
        unpack_session(path, RECORDED)
    return Session.open(str(path), paths=paths, settings=settings, keys=keys)


def recorded_path(paths: Paths) -> Path:
    """Where the recorded session is, or will be."""
    return paths.sessions / f"{RECORDED}.coi.db"


def methods() -> tuple[str, ...]:
    """The methods that a session may begin with, by name."""
    from coi_tui.methods.registry import every_method

    return tuple(every_method())


def offline_topics() -> tuple[str, ...]:
    """Topics that the starter library covers, one of each of its lineages."""
    from coi_tui.services.sources.starter import TOPICS

    return tuple(TOPICS.values())
