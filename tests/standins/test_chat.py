"""The model server: every reply fits its schema, is deterministic, and the switches switch."""

from __future__ import annotations

import json

import httpx
import openai
import pytest
from pydantic import BaseModel

from benchmarks.standins import NOVELTY_MARKER, ChatOptions, Settings, StandIns
from coi_tui.methods.coi import replies as coi
from coi_tui.methods.shared import replies as shared

from .conftest import all_replies, ask, chat_body

LENGTHS = {
    "Card": 350,
    "Trend": 160,
    "Direction": 240,
    "IdeaDraft": 560,
    "FinalIdea": 400,
    "Match": 120,
    "Experiment": 600,
    "Review": 270,
    "Facts": 120,
    "RefinedExperiment": 700,
}


@pytest.mark.parametrize("reply", all_replies(), ids=lambda reply: reply.__name__)
async def test_replies_fit_their_schema(client: httpx.AsyncClient, pair: StandIns, reply: type[BaseModel]) -> None:
    body = chat_body(reply, "topic: preference alignment\nP1 a paper\nP2 another\nNumber of queries: 4")
    text = await ask(client, pair, body)
    reply.model_validate_json(text)
    assert await ask(client, pair, body) == text
    other = await ask(client, pair, chat_body(reply, "topic: preference alignment, P1, now with margins"))
    assert other != text or reply in (shared.Match,)
    if reply.__name__ in LENGTHS:
        assert len(text) / 4 == pytest.approx(LENGTHS[reply.__name__], rel=0.3)


@pytest.mark.parametrize(
    ("text", "count"),
    [("Number of queries: 5", 5), ("At most 2 phrases.", 2), ("Write exactly four search questions.", 4), ("none", 3)],
)
async def test_as_many_questions_as_asked(client: httpx.AsyncClient, pair: StandIns, text: str, count: int) -> None:
    got = json.loads(await ask(client, pair, chat_body(coi.Questions, f"topic: graphs\n{text}")))
    assert len(set(got["questions"])) == count
    for question in got["questions"]:
        found = await client.get(f"{pair.s2_url}/paper/search", params={"query": question})
        assert len(found.json()["data"]) >= 10


async def test_novelty(client: httpx.AsyncClient, pair: StandIns) -> None:
    said = json.loads(await ask(client, pair, chat_body(shared.NoveltyQueries, "idea ... at most 3 claims.")))
    assert len(said["claims"]) == 3
    assert all(claim["query"].startswith(NOVELTY_MARKER) for claim in said["claims"])
    verdicts = json.loads(await ask(client, pair, chat_body(shared.NoveltyVerdicts, "[P1] x [P2] y [P12] z [P1]")))
    assert [(v["id"], v["claims"][0]["judgement"]) for v in verdicts["verdicts"]] == [(p, "different") for p in ("P1", "P2", "P12")]


async def test_novelty_passages_stand_in_the_abstract_that_was_shown(client: httpx.AsyncClient, pair: StandIns) -> None:
    user = "<<<claims\n1 a: b\n2 c: d\n3 e: f\nclaims>>>\n<<<paper P1\nA title (2020)\nWords of an abstract.\npaper>>>"
    (verdict,) = json.loads(await ask(client, pair, chat_body(shared.NoveltyVerdicts, user)))["verdicts"]
    assert [(row["claim"], row["passage"]) for row in verdict["claims"]] == [(n, "Words of an abstract.") for n in (1, 2, 3)]


async def test_card_names_real_references(client: httpx.AsyncClient, pair: StandIns) -> None:
    paper = pair.corpus.papers[250]
    user = f"topic\n<<<paper\n{paper.title} ({paper.year})\n\n{paper.abstract}"
    titles = json.loads(await ask(client, pair, chat_body(coi.Card, user)))["references"]
    cited = [pair.corpus.titled(title) for title in titles]
    assert len(cited) == 3
    assert all(other is not None and other.number in paper.references for other in cited)
    years = [other.year for other in cited if other is not None]
    assert years == sorted(years, reverse=True)


async def test_switches(client: httpx.AsyncClient) -> None:
    chat = ChatOptions(
        relevant=False, verdict="close match", match="first", wrap="think", usage=False, served_model="served", review_query=False
    )
    async with StandIns(Settings(chat=chat)) as pair:
        answer = (await client.post(f"{pair.chat_url}/chat/completions", json=chat_body(shared.Match, "two ideas"))).json()
        text = answer["choices"][0]["message"]["content"]
        assert "usage" not in answer
        assert answer["model"] == "served"
        assert text.startswith("<think>")
        assert shared.Match.model_validate_json(text.rpartition("</think>")[2]).novelty == 0
        for reply, part in ((coi.Relevance, '"relevant": false'), (shared.NoveltyVerdicts, '"judgement": "same"')):
            assert part in await ask(client, pair, chat_body(reply, "P1"))
        assert '"query": null' in await ask(client, pair, chat_body(shared.ReviewQuery, "plan"))


@pytest.mark.parametrize("rung", ["json_object", "text"])
async def test_lower_rungs_read_the_schema_from_the_system_message(client: httpx.AsyncClient, rung: str) -> None:
    async with StandIns(Settings(chat=ChatOptions(formats=("json_object",)))) as pair:
        refused = await client.post(f"{pair.chat_url}/chat/completions", json=chat_body(coi.Card, "x"))
        assert refused.status_code == 400
        assert refused.json()["error"]["param"] == "response_format"
        system = f'Answer {{"like": "this"}}. Schema: {json.dumps(shared.Experiment.model_json_schema())}'
        form = {"response_format": {"type": rung}} if rung != "text" else {}
        shared.Experiment.model_validate_json(await ask(client, pair, chat_body(None, "idea", system, **form)))
        assert pair.log.entries[-1].note["schema"] == "Experiment"
        assert pair.log.entries[-1].note["rung"] == rung


async def test_refusals(client: httpx.AsyncClient) -> None:
    chat = ChatOptions(formats=("json_schema",), string_errors=True, refuse_params=("max_tokens",), embeddings=False)
    async with StandIns(Settings(chat=chat)) as pair:
        url = f"{pair.chat_url}/chat/completions"
        refused = await client.post(url, json=chat_body(None, "x", response_format={"type": "json_object"}))
        assert refused.status_code == 400
        assert isinstance(refused.json()["error"], str)
        assert (await client.post(url, json=chat_body(coi.Card, "x", max_tokens=5))).status_code == 400
        assert (await client.post(f"{pair.chat_url}/embeddings", json={"input": "a"})).status_code == 404


async def test_openai_client(pair: StandIns) -> None:
    async with openai.AsyncOpenAI(base_url=pair.chat_url, api_key="none", max_retries=0) as api:
        assert [model.id async for model in api.models.list()] == list(ChatOptions().models)
        vectors = await api.embeddings.create(model="e", input=["graph pooling edge", "graph pooling node", "reward margin"])
        one, two, three = (row.embedding for row in vectors.data)
        assert len(one) == 128
        assert _dot(one, one) == pytest.approx(1, abs=1e-3)
        assert _dot(one, two) > _dot(one, three) + 0.3
        stream = await api.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hi"}], stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        assert len(text) > 400
        assert chunks[-1].usage is not None
        plain = await api.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
        assert plain.choices[0].message.content == text
        assert plain.usage is not None
        assert plain.usage.completion_tokens == -(-len(text) // 4)


def _dot(one: list[float], two: list[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True))
