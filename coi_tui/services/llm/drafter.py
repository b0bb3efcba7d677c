"""The drafter: fills the prompts' replies from a form, by rule, without any model. It works offline
and costs nothing.

The drafts themselves are registered by the methods; this file knows none of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from coi_tui.computing import run_in_thread
from coi_tui.services.llm.types import ChatReply, ChatRequest, Kind
from coi_tui.services.llm.worksheet import worksheet

DRAFTER_MODEL = "drafter"

Draft = Callable[[Mapping[str, object]], Mapping[str, object]]

DRAFTS: dict[str, Draft] = {}
"""Prompt name to the function that drafts its reply from the prompt's structured inputs."""


def register_all(drafts: Mapping[str, Draft]) -> None:
    """Make the rules of a method known, by the names of their prompts."""
    DRAFTS.update(drafts)


class Drafter:
    """A ChatModel made of the registered drafts. Equal inputs give equal text; 0 tokens, 0
    seconds."""

    kind: Kind = "drafter"

    def __init__(self, drafts: Mapping[str, Draft] | None = None) -> None:
        self._drafts = DRAFTS if drafts is None else drafts

    def model_for(self, role: str) -> str:
        return DRAFTER_MODEL

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The draft of ``request.prompt`` as JSON text; for a prompt without a rule of its own a
        worksheet."""
        draft = self._drafts.get(request.prompt)
        found = worksheet(request) if draft is None else await run_in_thread(draft, request.values)
        return ChatReply.free(json.dumps(found, ensure_ascii=False), DRAFTER_MODEL, "draft")

    async def aclose(self) -> None:
        """Nothing is open."""
