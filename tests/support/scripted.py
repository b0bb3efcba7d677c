"""A language model that follows a script: for tests and demonstrations, never offered to a person
as a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from coi_tui.llm.prices import estimate_tokens
from coi_tui.llm.types import ChatReply, ChatRequest, Kind

Script = Callable[[ChatRequest], Mapping[str, Any] | str | ChatReply | Exception]


class ScriptedModel:
    """Answers each request with what ``script`` says: a dictionary becomes JSON text, a text is the
    raw reply, a ChatReply is taken as it is, an exception is raised.

    ``requests`` holds every request in order, ``peak`` the most calls that were under way at once;
    ``latency_s`` is the time each answer takes.
    """

    kind: Kind = "scripted"

    def __init__(self, script: Script, *, latency_s: float = 0.0, model: str = "scripted") -> None:
        self.script = script
        self.latency_s = latency_s
        self.model = model
        self.requests: list[ChatRequest] = []
        self.peak = 0
        self.closed = False
        self._under_way = 0

    def model_for(self, role: str) -> str:
        return self.model

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        self._under_way += 1
        self.peak = max(self.peak, self._under_way)
        try:
            await asyncio.sleep(self.latency_s)
            return self._reply(request, self.script(request))
        finally:
            self._under_way -= 1

    def _reply(
        self, request: ChatRequest, said: Mapping[str, Any] | str | ChatReply | Exception
    ) -> ChatReply:
        if isinstance(said, Exception):
            raise said
        if isinstance(said, ChatReply):
            return said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return ChatReply(
            text=text,
            model_asked=self.model,
            model_served=self.model,
            prompt_tokens=estimate_tokens(request.prompt_chars()),
            completion_tokens=estimate_tokens(len(text)),
            usage_estimated=True,
            finish_reason="stop",
            reply_format="scripted",
            seconds=self.latency_s,
        )

    async def aclose(self) -> None:
        self.closed = True
