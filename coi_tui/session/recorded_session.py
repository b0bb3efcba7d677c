"""The recorded session: unpacked, brought back as it was delivered, and run through the real engine.

Light to import: heavy parts are loaded inside the functions, which are for worker threads.
"""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.paths import Paths
from coi_tui.session.files import free_name, rename_session, session_path
from coi_tui.session.opening import WALL_STAGE, open_session

if TYPE_CHECKING:
    from coi_tui.engine.journal import Clock
    from coi_tui.session.environment import Environment
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


RECORDED = "recorded-session"
"""The name of the recorded session among the person's own."""


def open_recorded(env: Environment) -> Session:
    """The recorded session, the person's own from its first opening on."""
    if not (path := recorded_path(env.paths)).exists():
        unpack_session(path, RECORDED)
    return open_session(path, env)


def reset_recorded(paths: Paths) -> str:
    """Bring the recorded session back as it was delivered; says so. What was made of it is kept as a
    session under another name. Raises StoreError where it is open or damaged."""
    kept, path = "", recorded_path(paths)
    if path.exists():
        kept = free_name(paths, RECORDED)
        rename_session(paths, path, kept)
    unpack_session(path, RECORDED)
    return f"{RECORDED} is as it was delivered{f'; yours is kept as {kept}' if kept else ''}."


def recorded_path(paths: Paths) -> Path:
    """Where the recorded session is, or will be."""
    return paths.sessions / f"{RECORDED}.coi.db"


def unpack_session(target: Path, name: str) -> None:
    """Put a copy of the recorded session at ``target``."""
    from coi_tui import recorded
    from coi_tui.store.creation import put_session

    put_session(target, lzma.decompress(recorded.SESSION.read_bytes()), name)


@contextmanager
def recorded_run(paths: Paths, name: str, clock: Clock | None = None) -> Iterator[Session]:
    """A new session of the real engine whose model answers from the recording. It is made apart,
    with settings, prompts and papers as they are delivered, and put among the sessions of ``paths``
    at the end."""
    from coi_tui import recorded
    from coi_tui.config import Keys, Settings
    from coi_tui.engine.journal import utc_now
    from coi_tui.methods.coi import CoiSettings
    from coi_tui.services.llm.offline import RecordedReplies
    from coi_tui.session.environment import Environment
    from coi_tui.session.session import Session
    from coi_tui.store.creation import import_copy

    with tempfile.TemporaryDirectory(prefix="coi-recorded-") as folder:
        at = Path(folder)
        apart = Paths(data=at / "data", config=at / "config", cache=at / "cache")
        env = Environment(
            apart, Settings(), Keys(), clock or utc_now, RecordedReplies(recorded.REPLIES)
        )
        bounds = CoiSettings(branches=2, length=5)
        with Session.create(name, recorded.TOPIC, env, bounds=bounds, offline=True) as session:
            yield session
        import_copy(session_path(apart, name), session_path(paths, name), name)


PICKED, WHY_PICKED = "1/sketch4", "Every author of a chart with two controls can use it tomorrow."
"""The sketch that the recorded run works out, and why."""


def recorded_plans(session: Session) -> Iterator[Plan]:
    """What was recorded, each planned once the one before it has run: Chain of Ideas to its
    sketches, which the judge ranks and of which one is picked, then to its proposal; then SciPIP to
    its matches."""
    from coi_tui.engine.declarations import Scope

    yield session.planner.to_stage(WALL_STAGE)
    yield session.planner.to_refresh()  # the list beyond a paper that gave its place to another
    yield session.planner.to_rank()
    session.decide("pick", PICKED, reason=WHY_PICKED)
    yield session.planner.to_stage("")
    yield session.planner.to_stage(
        "selection", Scope(instance=session.instance_of_method("SciPIP"))
    )
