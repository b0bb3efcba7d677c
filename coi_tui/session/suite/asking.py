"""Models that are asked beside the sessions: judges, and the writer of the texts. What they answered
is in ``calls``, so that nothing is paid for twice.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from coi_tui.config import LlmSettings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Ask, Recorder
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.methods.prompt_calls import PromptCalls
from coi_tui.model.entries import Call, Failure
from coi_tui.model.errors import ReplyError, UsageError
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.batches import BatchedModel, under_way
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.session.files import ENDING
from coi_tui.session.session import Session
from coi_tui.session.suite.definition import Server
from coi_tui.session.suite.sessions import Sessions
from coi_tui.session.suite.texts import llm_of
from coi_tui.store.session_file import SessionFile

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


class _Merged(Recorder):
    """Knows the calls in other files as well."""

    others: Sequence[SessionFile] = ()

    async def _fly(self, key: str, ask: Ask) -> Call:
        for file in self.others:
            kept: Call | None = await file.run(file.find_call, key)
            if kept is not None:
                return kept
        return await super()._fly(key, ask)


@contextlib.asynccontextmanager
async def open_asker(
    sessions: Sessions, name: str, model: ChatModel, llm: LlmSettings, budget: Budget, shard: str
) -> AsyncIterator[Asker]:
    """A model with the file of that name. What other shards asked is known too."""
    folder = sessions.paths.data / "calls"
    path = folder / f"{name}{shard}{ENDING}"
    with (
        contextlib.ExitStack() as stack,
        sessions.at(path, f"What {name} answered", ONE_CALL) as session,
    ):
        session.check_writable()
        recorder = _Merged(session.journal, budget)
        recorder.others = [
            stack.enter_context(SessionFile(file, read_only=True))
            for file in sorted(folder.glob(f"{name}*{ENDING}"))
            if file != path
        ]
        try:
            yield Asker(session, recorder, model, Prompts(sessions.paths.prompts), llm)
        finally:
            await recorder.close(cancel=False)


def client_of(
    one: Server,
    llm: LlmSettings,
    usual: str | None,
    waits: Callable[[str], None],
    ledger: Path | None = None,
    batch: bool = False,
) -> OpenAICompatible:
    """The model of a judge or contestant. ``usual``: the key of the server of the settings. ``ledger``:
    where its batches are written down. Raises UsageError where its own key is not set, and where it
    is not to be asked in batches while some are under way."""
    key = os.environ.get(one.key_env, "").strip() if one.key_env else ""
    if one.key_env and not key:
        raise UsageError(f"{one.key_env}, the key of {one.name}, is not set.")
    settings, key = llm_of(one, llm), key or ("" if one.base_url else usual or "")
    if ledger is not None and batch:
        client: OpenAICompatible = BatchedModel(settings, key, ledger)
    elif ledger is not None and under_way(ledger):
        raise UsageError(
            f"Batches of {one.name} are under way, and paid for.",
            f"Go on with --batch, or delete {ledger} to give them up.",
        )
    else:
        client = OpenAICompatible(settings, key)
    client.on_wait = waits
    return client
