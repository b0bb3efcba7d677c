"""Where the texts of a suite come from: ordinary sessions, each of which opens in the app, and files of
a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.engine.budget import Budget
from coi_tui.methods.registry import SessionMethods
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import Branch, cell_at, ref
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.text import Fields, clean, joined, sentence
from coi_tui.paths import MOST_TEXT, make_folder, read_file
from coi_tui.session.environment import Environment
from coi_tui.session.files import session_path
from coi_tui.session.session import Session
from coi_tui.session.suite.definition import Contestant, Server

Unit = tuple[str, int]
"""A topic in a repeat: what is compared with each other."""


@dataclass(frozen=True)
class Entry:
    """What a contestant is to make of a topic in a repeat. ``source``: the name of its session, or the
    text of its file. ``bounds``: the settings of the method."""

    contestant: Contestant
    topic: str
    number: int
    repeat: int
    source: str
    bounds: BaseModel | None = None

    @property
    def unit(self) -> Unit:
        return self.topic, self.repeat

    @property
    def name(self) -> str:
        return f"{self.contestant.name}, topic {self.number}, repeat {self.repeat}"


def llm_of(one: Server, llm: LlmSettings) -> LlmSettings:
    """The settings with the model of a judge or contestant in the place of every other, at its
    server; unchanged where it names none."""
    if not one.model:
        return llm
    own: Fields = {"main": RoleSettings(model=one.model), "reader": RoleSettings()}
    if one.base_url:
        own |= {"base_url": one.base_url, "profile": "", "embedding": RoleSettings()}
    return llm.model_copy(update=own)


def numbered(folder: Path) -> dict[int, str]:
    """The Markdown and JSON files of a folder by the number that each name begins with. Raises
    UsageError."""
    found = {}
    try:
        for file in sorted(folder.iterdir()):
            if file.suffix in (".md", ".json") and (number := re.match(r"\d+", file.name)):
                text = read_file(file, MOST_TEXT).decode("utf-8-sig")
                parts = json.loads(text) if file.suffix == ".json" else text
                if isinstance(parts, Mapping):
                    parts = "\n\n".join(f"{name}: {_plain(one)}" for name, one in parts.items())
                found[int(number[0])] = clean(_plain(parts)).strip()
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"The texts in {folder} cannot be read: {type(error).__name__}.") from None
    return found


def text_of(session: Session, branch: Branch) -> str:
    """The proposal of a branch, else its idea and its plan."""
    state = session.state
    if text := state.value(ref(cell_at(branch, "proposal"), "text")):
        return str(text)
    idea, exp = cell_at(branch, "idea"), cell_at(branch, "exp")
    parts = [str(state.value(ref(idea, field)) or "") for field in ("title", "final")]
    for part in session.methods.kind(exp).fields:
        if value := state.value(ref(exp, part.name)):
            parts.append(f"{part.heading}: {_plain(value)}")
    return joined("\n\n", *parts)


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(map(_plain, value.values()))
    return "; ".join(map(_plain, value)) if isinstance(value, list) else str(value)


@dataclass
class Sessions:
    """Opens the sessions of a suite, which are made where there are none yet, and runs them to
    ``stage``."""

    env: Environment
    stage: str
    running: set[Session] = field(default_factory=set)

    def of(self, entry: Entry) -> Session:
        path, one = session_path(self.env.paths, entry.source), entry.contestant
        return self.at(path, entry.topic, one.method, entry.bounds, one)

    def at(
        self,
        path: Path,
        topic: str,
        method: str,
        bounds: BaseModel | None = None,
        one: Server | None = None,
    ) -> Session:
        """The session of a file, for the model of ``one``."""
        settings = self.env.settings
        llm = llm_of(one, settings.llm) if one else settings.llm
        env = replace(self.env, settings=settings.model_copy(update={"llm": llm}))
        make_folder(path.parent)
        if path.exists():
            return Session.open(str(path), env)
        return Session.create(str(path), topic, env, method=method, bounds=bounds)

    async def text(self, entry: Entry, tools: ServiceSet, budget: Budget) -> str:
        """What a session comes to; empty where it was ended before. Raises BudgetStop, CoiError."""
        with self.of(entry) as session:
            plan = session.planner.to_stage(self.stage)
            if not plan.empty:
                job = await session.runs.approve(plan)
                methods = SessionMethods(session.first_method, tools).follow(session.state)
                self.running.add(session)
                try:
                    outcome = await session.runs.run_with(methods, plan, job, budget)
                finally:
                    self.running.discard(session)
                if outcome.stop:
                    raise outcome.stop
                if outcome.state == "stopped":
                    return ""
            branch = session.exports.snapshot().branch
            short = session.shortfall(self.stage)
            if branch is None or short:
                causes = map(sentence, sorted(set(session.failed.values())))
                raise CoiError(" ".join([short, *causes]).strip() or "It came to no idea.")
            return text_of(session, branch)
