"""Half-price batches: what is asked together goes out once, and is collected whenever the program was
stopped."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.errors import ServiceError, StoreError
from coi_tui.services.http.retry import CallTimer, current_timer
from coi_tui.services.llm import batches
from coi_tui.services.llm.batches import BatchedModel, under_way
from coi_tui.services.llm.chat import ChatReply
from tests.llm.server import KEY, SCHEMA, request
from tests.support.standins import ChatOptions, StandIn
from tests.support.standins.chat import ChatService
from tests.support.standins.corpus import make_corpus
from tests.support.standins.http_server import Request, Response

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "QUIET_S", 0.01)
    monkeypatch.setattr(batches, "POLL_S", 0.01)


class Desk:
    """A server and, one after the other, the programs that ask it."""

    def __init__(self, home: Path, options: ChatOptions) -> None:
        self.service = ChatService(make_corpus(), options)
        self.server = StandIn(self.service)
        self.ledger = home / "batches.json"
        self.waits: list[str] = []

    @property
    def sent(self) -> list[dict[str, Any]]:
        return list(self.service.batches.batches.values())

    def model(self) -> BatchedModel:
        settings = LlmSettings(base_url=self.server.url, main=RoleSettings(model="standin-main"))
        model = BatchedModel(settings, KEY, self.ledger, wait_s=0)
        model.on_wait = self.waits.append
        return model

    async def ask(self, model: BatchedModel, *numbers: int) -> list[ChatReply]:
        """What a recorder would do: each call in a task of its own with its key."""
        return await asyncio.gather(*(asyncio.create_task(_call(model, n)) for n in numbers))


async def _call(model: BatchedModel, number: int) -> ChatReply:
    current_timer.set(CallTimer(f"key-{number}"))
    return await model.complete(request(user=f"Question {number}", schema=SCHEMA))


@pytest.fixture
def options() -> ChatOptions:
    return ChatOptions()


@pytest.fixture
async def desk(tmp_path: Path, options: ChatOptions) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path, options)
    async with desk.server:
        yield desk


async def alone(desk: Desk, number: int) -> str:
    """What the same question is answered in a batch of its own."""
    other = Desk(desk.ledger.parent / "other", ChatOptions())
    other.ledger.parent.mkdir(exist_ok=True)
    async with other.server:
        model = other.model()
        (reply,) = await other.ask(model, number)
        await model.aclose()
    return reply.text


async def cut_off(model: BatchedModel, asking: asyncio.Future[Any]) -> None:
    """End a program without its own ending: nothing more is written down."""
    model.leave()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_what_is_asked_together_is_one_batch_and_answers_find_their_questions(
    desk: Desk,
) -> None:
    model = desk.model()
    replies = await desk.ask(model, 1, 2, 3)
    (batch,) = desk.sent
    assert batch["request_counts"]["completed"] == 3
    order = [
        json.loads(line)["custom_id"] for line in desk.service.batches.files["file-2"].splitlines()
    ]
    assert order == ["key-3", "key-2", "key-1"]
    assert [reply.text for reply in replies] == [await alone(desk, n) for n in (1, 2, 3)]
    assert len({reply.text for reply in replies}) == 3
    assert replies[0].prompt_tokens > 0
    assert KEY not in desk.ledger.read_text("utf-8")
    await model.aclose()
    assert under_way(desk.ledger) == []
    assert desk.waits, "a wait is told"


async def test_a_batch_is_written_down_before_it_is_sent_and_collected_by_the_next_start(
    desk: Desk,
) -> None:
    desk.service.batches.options = ChatOptions(looks=10**9)
    first = desk.model()
    waiting = asyncio.ensure_future(desk.ask(first, 1, 2))
    while not desk.waits:  # noqa: ASYNC110 - the server is asked in between
        await asyncio.sleep(0.01)
    (written,) = json.loads(desk.ledger.read_text("utf-8"))
    assert written["ids"] == ["key-1", "key-2"]
    assert written["id"] == desk.sent[0]["id"]
    await cut_off(first, waiting)
    desk.service.batches.options = ChatOptions()
    assert len(under_way(desk.ledger)) == 1
    for _ in range(2):  # a kill after the answers came, and before anybody stored them
        again = desk.model()
        replies = await desk.ask(again, 1, 2)
        assert len(desk.sent) == 1
    assert [reply.text for reply in replies] == [await alone(desk, n) for n in (1, 2)]
    await again.aclose()


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_submission_that_may_have_arrived_is_looked_for_before_it_is_sent_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, arrived: bool
) -> None:
    answer, never = desk.service.answer, asyncio.Event()

    def swallowed(asked: Request, fault: Any) -> Response:
        """The server hears of the batch, or not, and its answer gets lost."""
        if asked.method == "POST" and asked.path.endswith("/batches"):
            found = answer(asked, fault) if arrived else Response(500)
            never.set()
            return Response(found.status, found.body, pieces=(b" ", found.body), pause=60)
        return answer(asked, fault)

    monkeypatch.setattr(desk.service, "answer", swallowed)
    first = desk.model()
    waiting = asyncio.ensure_future(desk.ask(first, 1, 2))
    await never.wait()
    await cut_off(first, waiting)
    (written,) = json.loads(desk.ledger.read_text("utf-8"))
    assert written["id"] == ""
    assert len(desk.sent) == int(arrived)
    monkeypatch.setattr(desk.service, "answer", answer)
    model = desk.model()
    replies = await desk.ask(model, 1, 2)
    assert len(desk.sent) == 1
    assert [reply.text for reply in replies] == [await alone(desk, n) for n in (1, 2)]
    await model.aclose()
    assert under_way(desk.ledger) == []


@pytest.mark.parametrize("options", [ChatOptions(expires_after=2)])
async def test_an_expired_batch_keeps_its_answers_and_only_the_rest_is_asked_again(
    desk: Desk,
) -> None:
    model = desk.model()
    replies = await desk.ask(model, 1, 2, 3, 4, 5)
    assert [one["status"] for one in desk.sent] == ["expired", "completed"]
    assert sorted(desk.service.batches.asked) == [f"key-{n}" for n in (1, 2, 3, 4, 5)]
    assert [reply.text for reply in replies] == [await alone(desk, n) for n in (1, 2, 3, 4, 5)]
    await model.aclose()
    assert under_way(desk.ledger) == []


@pytest.mark.parametrize("options", [ChatOptions(expires_after=0)])
async def test_a_batch_without_any_answer_is_not_sent_for_ever(desk: Desk) -> None:
    model = desk.model()
    with pytest.raises(ServiceError):
        await desk.ask(model, 1)
    await model.aclose()
    assert len(desk.sent) == 1
    again = desk.model()
    assert await desk.ask(again, 1)
    await again.aclose()


@pytest.mark.parametrize("options", [ChatOptions(formats=("json_object",))])
async def test_a_form_that_is_refused_in_a_batch_gives_way_to_the_next(desk: Desk) -> None:
    model = desk.model()
    replies = await desk.ask(model, 1, 2)
    assert {reply.reply_format for reply in replies} == {"json_object"}
    assert len(desk.sent) == 2
    await model.aclose()


@pytest.mark.parametrize("options", [ChatOptions(batches=False)])
async def test_a_server_without_batches_is_named(desk: Desk) -> None:
    model = desk.model()
    with pytest.raises(ServiceError) as caught:
        await model.check()
    assert caught.value.kind == "not_found"
    assert "--batch" in caught.value.hint
    await model.aclose()
    assert not desk.ledger.exists()


async def test_a_server_that_answers_nonsense_is_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for nonsense in (
        Response(200, b"<html>", content_type="text/html"),
        Response(200, b"[]"),
        Response(200, b"{}"),
        Response(200, b"{"),
    ):
        monkeypatch.setattr(desk.service, "answer", lambda _asked, _fault, n=nonsense: n)
        model = desk.model()
        with pytest.raises(ServiceError):
            await model.check()
        with pytest.raises(ServiceError):
            await desk.ask(model, 1)
        await model.aclose()
        desk.ledger.unlink(missing_ok=True)


def test_a_damaged_ledger_is_named(tmp_path: Path) -> None:
    for damage in (b"{", b"[1]", b'[{"name": 1}]', b"\xff"):
        (tmp_path / "batches.json").write_bytes(damage)
        with pytest.raises(StoreError):
            under_way(tmp_path / "batches.json")
