"""Models that are asked beside the sessions: judges, and the writer of the texts. What they answered
is in ``calls``, so that nothing is paid for twice.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from coi_tui.config import LlmSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.methods.prompt_calls import PromptCalls
from coi_tui.model.entries import Failure
from coi_tui.model.errors import ReplyError, UsageError
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.session.files import ENDING
from coi_tui.session.session import Session
from coi_tui.session.suite.definition import Server
from coi_tui.session.suite.sessions import Sessions
from coi_tui.session.suite.texts import llm_of

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Asker:
    """A model whose answers are kept in a session file of its own."""

    session: Session
    recorder: Recorder
    model: ChatModel
    prompts: Prompts
    settings: LlmSettings

    async def ask(self, prompt: str, values: Mapping[str, Any], form: type[T]) -> T:
        """The answer to a prompt; one that was kept is not asked for again. Raises CoiError."""
        ctx = Context(self.recorder, self.session.state, "topic", prompt)
        calls = PromptCalls(ctx, self.model, self.prompts, self.settings, self.settings.prices)
        try:
            return (await calls.ask(prompt, values, form)).value
        except ReplyError as error:  # recorded, so that the next start asks again
            failure = Failure(
                address="topic",
                step=prompt,
                cause=error.message,
                kind="reply",
                keys=tuple(ctx.keys),
                time=self.session.clock(),
            )
            await self.session.journal.fail(failure)
            raise


@contextlib.asynccontextmanager
async def open_asker(
    sessions: Sessions, name: str, model: ChatModel, llm: LlmSettings, budget: Budget
) -> AsyncIterator[Asker]:
    """A model with the file of that name."""
    path = sessions.paths.data / "calls" / f"{name}{ENDING}"
    with sessions.at(path, f"What {name} answered", ONE_CALL) as session:
        session.check_writable()
        recorder = Recorder(session.journal, budget)
        try:
            yield Asker(session, recorder, model, Prompts(sessions.paths.prompts), llm)
        finally:
            await recorder.close(cancel=False)


def client_of(
    one: Server, llm: LlmSettings, usual: str | None, waits: Callable[[str], None]
) -> ChatModel:
    """The model of a judge or contestant. ``usual``: the key of the server of the settings. Raises
    UsageError where its own key is not set."""
    key = os.environ.get(one.key_env, "").strip() if one.key_env else ""
    if one.key_env and not key:
        raise UsageError(f"{one.key_env}, the key of {one.name}, is not set.")
    client = OpenAICompatible(llm_of(one, llm), key or (None if one.base_url else usual))
    client.on_wait = waits
    return client
