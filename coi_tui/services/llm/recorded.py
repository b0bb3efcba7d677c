"""A language model that answers from a recording: for the demonstration, which needs neither a key
nor the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coi_tui.model.errors import CoiError
from coi_tui.services.llm.types import ChatReply, ChatRequest, Kind

RECORDED_MODEL = "recorded language model"


class RecordedReplies:
    """Answers with the reply that was recorded for a prompt at an address; the wording of the
    prompt may have changed since.

    Where several were recorded there, a reply names what its prompt must be about: passages that
    must stand in it in that order. The one that names most is taken. A prompt without a recorded
    reply is an error: nothing is made up.
    """

    kind: Kind = "recorded"

    def __init__(self, file: Path) -> None:
        self._replies = recorded_replies(file)

    def model_for(self, role: str) -> str:
        return RECORDED_MODEL

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The recorded reply. Raises CoiError where there is none."""
        here = (
            row
            for row in self._replies
            if (row["prompt"], row["address"]) == (request.prompt, request.address)
        )
        found = max(
            (row for row in here if _in_order(row["about"], request.user)),
            key=lambda row: len(row["about"]),
            default=None,
        )
        if found is None:
            raise CoiError(
                f"No reply to the prompt {request.prompt} at {request.address} was recorded.",
                "Set up a language model to run this step.",
            )
        text = json.dumps(found["reply"], ensure_ascii=False)
        return ChatReply.free(text, RECORDED_MODEL, "recorded")

    async def aclose(self) -> None:
        """Nothing is open."""


@cache
def recorded_replies(file: Path) -> tuple[dict[str, Any], ...]:
    """The recorded replies: ``address``, ``prompt``, ``about`` and ``reply`` of each."""
    return tuple(json.loads(line) for line in file.read_text("utf-8").splitlines())


def _in_order(passages: Sequence[str], text: str) -> bool:
    """Whether the passages stand in a text in their order."""
    at = 0
    for passage in passages:
        at = text.find(passage, at) + 1
        if not at:
            return False
    return True
