"""The server itself: log at arrival and at completion, drops, keep-alive, latency, speed, a process of its own."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path

import httpx
import pytest

from benchmarks.standins import (
    BENCH,
    ChatOptions,
    Faults,
    Latency,
    S2Options,
    Settings,
    StandInProcess,
    StandIns,
    in_flight,
    novelty_rule,
    read_log,
    repeated,
    select,
)
from benchmarks.standins.__main__ import parser, settings_of
from coi_tui.methods.coi import replies as coi
from coi_tui.methods.shared import replies as shared

from .conftest import chat_body


async def test_log_at_arrival_and_completion(client: httpx.AsyncClient, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    async with StandIns(Settings(latency=Latency(chat=0.6)), log_file=file) as pair:
        body = chat_body(coi.Trend, "older and newer")
        task = asyncio.create_task(client.post(f"{pair.chat_url}/chat/completions", json=body))
        await asyncio.sleep(0.1)
        (under_way,) = read_log(file)
        assert (under_way.state, under_way.status, under_way.kind) == ("arrived", None, "chat")
        assert under_way.note["schema"] == "Trend"
        assert under_way.note["prompt_chars"] == len("Answer in JSON.older and newer")
        middle = time.time()
        await task
        (done,) = read_log(file)
        assert (done.state, done.status, done.nth) == ("answered", 200, 1)
        assert done.note["reply_chars"] > 300
        assert done.finished is not None
        assert done.finished - done.arrived > 0.55, "the latency that was set"
        assert in_flight([done], middle) == [done]
        assert in_flight([done], done.finished + 0.01) == []
        assert in_flight([done], done.finished + 0.01, slack=0.1) == [done]
        assert len(file.read_text().splitlines()) == 2


async def test_a_lost_connection_is_logged_as_dropped(tmp_path: Path) -> None:
    async with StandIns(Settings(latency=Latency(search=5)), log_file=tmp_path / "log") as pair:
        _, writer = await asyncio.open_connection("127.0.0.1", pair.s2.port)
        writer.write(b"GET /graph/v1/paper/search?query=graph HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.sleep(0.05)
        writer.close()
        await asyncio.sleep(0.05)
        (entry,) = pair.log.entries
        assert entry.state == "dropped"
        assert read_log(tmp_path / "log")[0].state == "dropped"
        assert not pair.s2.connections


async def test_the_same_content_has_the_same_hash(client: httpx.AsyncClient) -> None:
    async with StandIns(Settings(s2_faults=Faults(seed=0))) as pair:
        url = f"{pair.s2_url}/paper/search"
        await client.get(f"{url}?query=graph&limit=5")
        await client.get(f"{url}?limit=5&query=graph")
        await client.get(f"{url}?limit=6&query=graph")
        one, two, three = pair.log.of("s2", "search")
        assert one.hash == two.hash != three.hash
        assert (one.nth, two.nth) == (1, 2)
        assert repeated(pair.log.entries) == [two]


async def test_keep_alive_and_pieces(pair: StandIns) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", pair.chat.port)
    request = b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n"
    writer.write(request + request[:20])
    await asyncio.sleep(0.02)
    writer.write(request[20:])
    for _ in range(2):
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        assert json.loads(await reader.readexactly(length))["object"] == "list"
    writer.close()
    assert len(pair.log.entries) == 2


async def test_bad_requests_do_not_hang(client: httpx.AsyncClient, pair: StandIns) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", pair.chat.port)
    writer.write(b"nonsense\r\n\r\n")
    assert b" 400 " in await reader.read()
    writer.close()
    assert (await client.post(f"{pair.chat_url}/chat/completions", content=b"{")).status_code == 400
    assert (await client.get(f"{pair.chat_url}/nowhere")).status_code == 404


async def test_forty_in_parallel_are_all_served(pair: StandIns) -> None:
    user = "topic: preference alignment " + "reward margin of the policy " * 200
    chat = json.dumps(chat_body(coi.Card, user)).encode()
    post = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(chat), chat)
    search = b"GET /paper/search?query=graph+pooling&fields=title,abstract,year HTTP/1.1\r\nHost: x\r\n\r\n"
    await asyncio.gather(*(_raw(pair.chat.port, post) for _ in range(40)), *(_raw(pair.s2.port, search) for _ in range(40)))
    assert len(pair.log.entries) == 80
    assert {(entry.state, entry.status) for entry in pair.log.entries} == {("answered", 200)}


async def _raw(port: int, data: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
    writer.close()


async def test_a_run_writes_off_its_latency_in_parallel(client: httpx.AsyncClient) -> None:
    async with StandIns(Settings(latency=Latency(search=1.0, other=0.01))) as pair:
        urls = [f"{pair.s2_url}/paper/search?query=graph+{n}" for n in range(10)]
        await asyncio.gather(*(client.get(url) for url in urls))
        last_arrival = max(entry.arrived for entry in pair.log.entries)
        assert all(entry.finished is not None and entry.finished > last_arrival for entry in pair.log.entries), "none waited for another"


def test_process_of_its_own(tmp_path: Path) -> None:
    settings = Settings(chat=ChatOptions(served_model="served"), latency=Latency(chat=0.05))
    with StandInProcess(settings, tmp_path / "log.jsonl") as pair:
        answer = httpx.post(f"{pair.chat_url}/chat/completions", json=chat_body(shared.Facts, "paper"), trust_env=False)
        assert answer.json()["model"] == "served"
        assert "data" in httpx.get(f"{pair.s2_url}/paper/search?query=graph", trust_env=False).json()
        assert [entry.state for entry in pair.entries()] == ["answered"] * 2
        assert len(select(pair.entries(), schema="Facts")) == 1
        port = int(pair.chat_url.rpartition(":")[2].removesuffix("/v1"))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_settings_travel_as_json_and_flags() -> None:
    settings = Settings(
        chat=ChatOptions(formats=("json_object",)), s2=S2Options(rules=(novelty_rule("fail"),)), chat_faults=Faults(p429=0.1), latency=BENCH
    )
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    flags = "--latency-chat 1.0 --latency-other 0.1 --p429 0.1 --verdict close --novelty-search empty --irrelevant"
    parsed = settings_of(parser().parse_args(flags.split()))
    assert parsed.latency == BENCH
    assert parsed.chat_faults.p429 == parsed.s2_faults.p429 == 0.1
    assert parsed.chat == ChatOptions(verdict="close", relevant=False)
    assert parsed.s2.rules == (novelty_rule("empty"),)
