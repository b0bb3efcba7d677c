"""A session over a made-up world and a scripted model: what most tests of the core work with."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.config import Keys, Settings
from coi_tui.engine.budget import Budget
from coi_tui.engine.declarations import Scope
from coi_tui.engine.journal import Clock, utc_now
from coi_tui.engine.recorder import Listener, silent
from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.coi.method import ChainOfIdeas
from coi_tui.methods.registry import SessionMethods
from coi_tui.methods.services import ServiceSet
from coi_tui.model.entries import Version
from coi_tui.model.state import State
from coi_tui.paths import Paths
from coi_tui.prompts.loader import Prompts
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.environment import Environment
from coi_tui.session.papers.own_papers import ImportedPdfTexts
from coi_tui.session.runs.planner import Planner
from coi_tui.session.runs.plans import Plan
from coi_tui.session.service_setup import NoNetwork
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile

from . import shared
from .script import HashModel
from .world import MemorySource, World, make_world

PROMPTS = Prompts()
TOPIC = "a plain made-up topic"
FULL = CoiSettings(
    branches=3,
    length=5,
    forward=2,
    backward=2,
    novelty_queries=2,
    novelty_hits=3,
    refine_papers=1,
)
SMALL = CoiSettings(
    branches=2,
    length=3,
    forward=1,
    backward=1,
    novelty_queries=1,
    novelty_hits=2,
    refine_papers=1,
)
ONE = FULL.model_copy(update={"branches": 1})


def ticking() -> Callable[[], str]:
    """A clock that moves by a second each time it is read."""
    ticks = count()

    def clock() -> str:
        n = next(ticks)
        return f"2026-01-{1 + n // 86400:02d}T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}Z"

    return clock


def chains(session: Session) -> Chains:
    """The chains of papers of a session."""
    return Chains.of(session.state)


def version_at(session: Session, address: str) -> Version:
    """What is in use at an address, where something must be."""
    version = session.state.in_use(address)
    assert version is not None, f"nothing at {address}"
    return version


def paths_in(folder: Path) -> Paths:
    return Paths(data=folder / "data", config=folder / "config", cache=folder / "cache")


def bare(folder: Path, clock: Clock = utc_now) -> Environment:
    """A home in which nothing is set up."""
    return Environment(paths_in(folder), Settings(), Keys(), clock)


class Desk:
    """A session with its services. ``model`` and ``source`` record what they were asked."""

    def __init__(
        self, session: Session, model: HashModel | None = None, source: MemorySource | None = None
    ) -> None:
        self.session = session
        self.model = model or HashModel()
        self.source = source or MemorySource(make_world())
        self.own: ImportedPdfTexts | None = None
        self.more: dict[str, Any] = {}
        """Further services, by their names in ``ServiceSet``."""

    @classmethod
    def new(
        cls,
        folder: Path,
        bounds: BaseModel = FULL,
        model: HashModel | None = None,
        source: MemorySource | None = None,
        *,
        topic: str = TOPIC,
        hunch: str = "",
        method: str = "",
    ) -> Desk:
        folder.mkdir(parents=True, exist_ok=True)
        session = Session.create(
            "test",
            topic,
            bare(folder, ticking()),
            bounds=bounds,
            hunch=hunch,
            method=method,
        )
        return cls(session, model, source)

    @classmethod
    def at(
        cls, path: Path, model: HashModel | None = None, source: MemorySource | None = None
    ) -> Desk:
        """An existing session file, opened in place."""
        file = SessionFile(path)
        return cls(
            Session(file, bare(path.parent, ticking())),
            model,
            source,
        )

    @classmethod
    def copied(
        cls,
        made: Path,
        folder: Path,
        model: HashModel | None = None,
        source: MemorySource | None = None,
    ) -> Desk:
        """A copy of a session file in a folder that is there."""
        return cls.at(Path(shutil.copy(made, folder / "copy.coi.db")), model, source)

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def edits(self) -> Edits:
        return self.session.edits

    @property
    def planner(self) -> Planner:
        return self.session.planner

    def closed(self) -> Path:
        """The session's file, once the session is closed."""
        self.session.close()
        return self.session.file.path

    @property
    def method(self) -> ChainOfIdeas:
        return ChainOfIdeas(tools=self.tools)

    @property
    def methods(self) -> SessionMethods:
        """All methods of the session, with services."""
        session = self.session
        return SessionMethods(session.first_method, self.tools).follow(session.state)

    @property
    def tools(self) -> ServiceSet:
        return ServiceSet(
            model=self.model,
            prompts=PROMPTS,
            source_for=lambda _fetch: self.source,
            fetch=NoNetwork(),
            imported_texts=self.own,
            **self.more,
        )

    @property
    def world(self) -> World:
        return self.source.world

    async def go(
        self, plan: Plan, budget: Budget | None = None, listen: Listener = silent
    ) -> Outcome:
        self.session.failed.clear()
        return await self.session.runs.run_with(
            self.methods, plan, self.session.file.next_job(), budget or Budget(), listen
        )

    def do(self, plan: Plan) -> Outcome:
        return asyncio.run(self.go(plan))

    def finish(self, plan: Plan) -> None:
        """Carry out a plan, which must come to its end."""
        outcome = self.do(plan)
        assert outcome.state == "done", (outcome, self.session.failed)

    def run(self, until: str = "review", budget: Budget | None = None) -> Outcome:
        return asyncio.run(self.go(self.session.planner.to_stage(until), budget))

    def refresh(self, addresses: Sequence[str] | None = None, *, again: bool = False) -> Outcome:
        return self.do(self.session.planner.to_refresh(addresses, again=again))

    def reopen(self) -> Desk:
        """Close and open the same file, as on another day."""
        return Desk.at(self.closed(), self.model, self.source)

    def marks(self) -> dict[str, set[str]]:
        """Every address that is not plainly fresh, by status."""
        out: dict[str, set[str]] = {}
        for address, f in self.session.fresh.items():
            if f.status != "fresh":
                out.setdefault(f.status, set()).add(address)
        return out

    def content(self, address: str) -> dict[str, Any]:
        return dict(version_at(self.session, address).content)

    def contents(self) -> dict[str, Mapping[str, Any]]:
        state = self.session.state
        return {a: dict(v.content) for a in state.cells if (v := state.in_use(a)) is not None}


def run(desk: Desk, until: str = "ideas", instance: str = "") -> None:
    """Run an instance, or the session, to a stage; it must come to its end."""
    desk.finish(desk.planner.to_stage(until, Scope(instance=instance)))


def ran(desk: Desk, until: str = "ideas") -> Desk:
    """The same, after a run to a stage."""
    run(desk, until)
    return desk


def stale(desk: Desk) -> set[str]:
    """Every cell that is made of something else than what is in use now, or rests on one that
    is."""
    marks = desk.marks()
    return marks.get("stale", set()) | marks.get("upstream", set())


def base(size: str = "full", until: str = "review") -> Path:
    """A session file that was run once up to ``until``; copy it, do not touch it."""
    return made_once(
        f"{size}-{until}",
        lambda folder: ran(
            Desk.new(folder, {"full": FULL, "small": SMALL, "one": ONE}[size]), until
        ),
    )


def made_once(name: str, make: Callable[[Path], Desk]) -> Path:
    """The session file that is made in a folder, once for all processes of a test run; copy it, do
    not touch it."""
    with shared.to_make(name) as folder:
        if folder is not None:
            (folder / "name").write_text(
                str(make(folder).closed().relative_to(folder)), encoding="utf-8"
            )
    kept = shared.kept(name)
    return kept / (kept / "name").read_text(encoding="utf-8")


def copy_of(folder: Path, size: str = "full", until: str = "review") -> Desk:
    """A desk on its own copy of a finished session."""
    folder.mkdir(parents=True, exist_ok=True)
    return Desk.copied(base(size, until), folder)
