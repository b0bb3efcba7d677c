"""The drafter and the scripted model."""

from __future__ import annotations

import json
from collections.abc import Mapping

from coi_tui.services.llm.offline import Drafter
from tests.llm.server import request


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
