"""The ordinary sessions of a suite: each opens in the app."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.config import Keys, Settings
from coi_tui.engine.budget import Budget
from coi_tui.methods.registry import SessionMethods
from coi_tui.methods.services import ServiceSet
from coi_tui.model.errors import CoiError
from coi_tui.model.text import sentence
from coi_tui.paths import Paths, make_folder
from coi_tui.services.llm.chat import ChatModel
from coi_tui.session.files import session_path
from coi_tui.session.session import Session
from coi_tui.session.suite.definition import Server
from coi_tui.session.suite.texts import Entry, llm_of, text_of


@dataclass
class Sessions:
    """Opens the sessions of a suite, which are made where there are none yet, and runs them to
    ``stage``. ``model`` answers in place of the language model (tests bring their own)."""

    paths: Paths
    settings: Settings
    keys: Keys
    stage: str
    model: ChatModel | None = None
    running: set[Session] = field(default_factory=set)

    def of(self, entry: Entry) -> Session:
        path, one = session_path(self.paths, entry.source), entry.contestant
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
        llm = self.settings.llm
        settings = self.settings.model_copy(update={"llm": llm_of(one, llm) if one else llm})
        here: dict[str, Any] = {"paths": self.paths, "settings": settings, "keys": self.keys}
        make_folder(path.parent)
        if not path.exists():
            here |= {"method": method, "bounds": bounds, "model": self.model}
            return Session.create(str(path), topic, **here)
        session = Session.open(str(path), **here)
        session.model = self.model
        return session

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
