"""The drafter and the scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from coi_tui.llm.drafter import Drafter
from coi_tui.llm.types import ChatReply
from coi_tui.model.errors import ServiceError
from tests.llm.server import request
from tests.support.scripted import ScriptedModel


async def test_the_drafter_answers_by_the_registry() -> None:
    seen: list[Mapping[str, object]] = []

    def draft(values: Mapping[str, object]) -> Mapping[str, object]:
        seen.append(values)
        return {"query": f"über {values['topic']}"}

    drafter = Drafter({"coi_rewrite": draft})
    reply = await drafter.complete(request())
    assert json.loads(reply.text) == {"query": "über t"}
    assert (
        reply.model_asked,
        reply.model_served,
        reply.prompt_tokens,
        reply.completion_tokens,
    ) == ("drafter", "drafter", 0, 0)
    assert await drafter.complete(request()) == reply
    assert drafter.model_for("main") == "drafter"
    assert (
        await drafter.complete(request(prompt="other"))
    ).text == "{}"  # a worksheet: no field is required
    await drafter.aclose()


async def test_drafts_leave_turns_to_others() -> None:
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    drafter = Drafter({"coi_rewrite": lambda _: {}})
    for _ in range(5):
        await drafter.complete(request())
    task.cancel()
    assert turns >= 4


async def test_the_scripted_model() -> None:
    whole = ChatReply("t", "a", "s", 1, 2, True, "length", "text", 0.5)
    says: dict[int, Any] = {
        0: {"query": "ä"},
        1: "raw",
        2: ServiceError("language model", "server", "It is down."),
        3: whole,
    }
    model = ScriptedModel(lambda sent: says[sent.sample], latency_s=0.01)
    first, second, third, fourth = await asyncio.gather(
        *(model.complete(request(sample=i)) for i in range(4)), return_exceptions=True
    )
    assert isinstance(first, ChatReply)
    assert isinstance(second, ChatReply)
    assert (json.loads(first.text), second.text) == ({"query": "ä"}, "raw")
    assert isinstance(third, ServiceError)
    assert fourth is whole
    assert [sent.sample for sent in model.requests] == [0, 1, 2, 3]
    assert model.peak == 4
    await model.aclose()
    assert model.closed
