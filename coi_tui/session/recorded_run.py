"""The recorded run: the real engine on recorded replies, and the session that ``coi demo``
opens."""

from __future__ import annotations

import contextlib
import lzma
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from coi_tui import recorded
from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods.coi import CoiSettings
from coi_tui.paths import Paths
from coi_tui.services.llm.recorded import RecordedReplies
from coi_tui.session.names import session_path
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session, utc_now
from coi_tui.store.imports import import_copy
from coi_tui.store.session_opening import put_session


@contextlib.contextmanager
def recorded_run(paths: Paths, name: str, clock: Callable[[], str] = utc_now) -> Iterator[Session]:
    """A new session whose model answers from the recording. It is made apart, with settings,
    prompts and papers as they are delivered, and put among the sessions of ``paths`` at the end."""
    with tempfile.TemporaryDirectory(prefix="coi-recorded-") as folder:
        at = Path(folder)
        apart = Paths(data=at / "data", config=at / "config", cache=at / "cache")
        bounds = CoiSettings(branches=2, length=5)
        with Session.create(
            name,
            recorded.TOPIC,
            paths=apart,
            settings=Settings(),
            keys=Keys(),
            bounds=bounds,
            offline=True,
            clock=clock,
            model=RecordedReplies(recorded.REPLIES),
        ) as session:
            yield session
        import_copy(session_path(apart, name), session_path(paths, name), name)


def recorded_plans(session: Session) -> Iterator[Plan]:
    """What was recorded, each planned once the one before it has run: Chain of Ideas to its review,
    then SciPIP to its matches."""
    yield session.planner.to_stage("")
    yield session.planner.to_stage(
        "selection", Scope(instance=session.instance_of_method("SciPIP"))
    )


def unpack_session(target: Path, name: str) -> None:
    """Put a copy of the recorded session at ``target``."""
    put_session(target, lzma.decompress(recorded.SESSION.read_bytes()), name)
