"""Stand-ins and a client for the tests of the stand-ins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from benchmarks.standins import StandIns
from coi_tui.methods.coi import replies as coi
from coi_tui.methods.shared import replies as shared


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=10, trust_env=False) as http:
        yield http


@pytest.fixture
async def pair() -> AsyncIterator[StandIns]:
    async with StandIns() as stand_ins:
        yield stand_ins


def all_replies() -> list[type[BaseModel]]:
    """Every reply schema of the method."""
    names = (
        "Questions Rewrite Relevance Card Trend Direction IdeaDraft FinalIdea NoveltyQueries NoveltyVerdicts Match "
        "Experiment Review ReviewQuery Facts RefinedExperiment"
    )
    return [getattr(coi, name, None) or getattr(shared, name) for name in names.split(" ")]


def chat_body(reply: type[BaseModel] | None, user: str, system: str = "Answer in JSON.", **more: Any) -> dict[str, Any]:
    """A chat request that asks for a reply by json_schema."""
    body: dict[str, Any] = {
        "model": "main-x",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
    }
    if reply is not None:
        schema = {"name": reply.__name__, "strict": True, "schema": reply.model_json_schema()}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return {**body, **more}


async def ask(client: httpx.AsyncClient, pair: StandIns, body: dict[str, Any]) -> str:
    """The text of the reply."""
    answer = await client.post(f"{pair.chat_url}/chat/completions", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["choices"][0]["message"]["content"])
