"""Models that are asked beside the sessions: judges, and the writer of the texts. What they answered
is in ``calls``, so that nothing is paid for twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from coi_tui.config import LlmSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Recorder
from coi_tui.engine.scheduler import failure_of
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.methods.prompt_calls import PromptCalls
from coi_tui.model.errors import ReplyError
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel
from coi_tui.session.files import ENDING
from coi_tui.session.session import Session
from coi_tui.session.suite.suite_texts import Sessions

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Asker:
    """A model whose answers are stored in a session file of its own."""

    session: Session
    recorder: Recorder
    model: ChatModel
    prompts: Prompts
    settings: LlmSettings

    async def ask(self, prompt: str, values: Mapping[str, Any], form: type[T]) -> T:
        """The answer to a prompt; one that was stored is not asked for again. Raises CoiError."""
        ctx = Context(self.recorder, self.session.state, "topic", prompt)
        calls = PromptCalls(ctx, self.model, self.prompts, self.settings, self.settings.prices)
        try:
            return (await calls.ask(prompt, values, form)).value
        except ReplyError as error:  # recorded, so that the next start asks again
            failure = failure_of(error, "topic", prompt, ctx, 0, self.session.clock())
            await self.session.journal.fail(failure)
            raise


@contextlib.asynccontextmanager
async def open_asker(
    sessions: Sessions, name: str, model: ChatModel, llm: LlmSettings, budget: Budget
) -> AsyncIterator[Asker]:
    """A model with the file of that name."""
    path = sessions.env.paths.data / "calls" / f"{name}{ENDING}"
    with sessions.at(path, f"What {name} answered", ONE_CALL) as session:
        session.check_writable()
        recorder = Recorder(session.journal, budget)
        try:
            yield Asker(session, recorder, model, Prompts(sessions.env.paths.prompts), llm)
        finally:
            await recorder.close(cancel=False)
