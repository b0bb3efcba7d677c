"""What a replayed step is answered: recorded calls, recorded errors, and else nothing."""

from __future__ import annotations

from typing import Any

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Answer, Recorder
from coi_tui.engine.replay import CallMissing, Replayer
from coi_tui.engine.unanswered import UNANSWERED
from coi_tui.model.calls import Call
from coi_tui.model.entries import Version
from coi_tui.model.errors import ContextError, QuotaSpent, ServiceError
from coi_tui.model.state import State
from tests.support.toy import MemoryFile, journal_of


def request(what: str) -> dict[str, Any]:
    return {"method": "GET", "url": f"https://papers.example/{what}", "params": [], "body": None}


def version(recipe: dict[str, Any]) -> Version:
    return Version(actor="coi", address="1/nov", content={}, meanings={}, origin="model", recipe={"step": "novelty", **recipe})


async def ask(recorder: Recorder, what: str, error: Exception | None = None, address: str = "1/nov") -> tuple[Context, Call | None]:
    async def send() -> Answer:
        if error is not None:
            raise error
        return Answer({"found": what})

    ctx = Context(recorder, State(), address, "novelty")
    try:
        return ctx, await ctx.call("http", request(what), send, shown=request(what))
    except ServiceError:
        return ctx, None


ERRORS = (
    ServiceError("papers", "unreachable", "papers cannot be reached.", "Check the network."),
    QuotaSpent("papers", "refused", "The budget of the day is spent."),
    ContextError("language model", "The prompt is too long.", limit=4096, prompt_tokens=5000),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
async def test_a_call_that_was_not_answered_is_kept_with_the_version_and_fails_again_in_the_same_words(error: ServiceError) -> None:
    ctx, call = await ask(Recorder(journal_of(file=MemoryFile()), Budget()), "search", error)
    assert call is None
    replayer = Replayer(journal_of(file=MemoryFile()), version({UNANSWERED: ctx.unanswered}), ())
    again, _ = await ask(replayer, "search")
    assert again.unanswered == ctx.unanswered != []
    assert replayer.missing == []


async def test_that_nothing_may_be_asked_offline_is_not_kept() -> None:
    ctx, _ = await ask(Recorder(journal_of(file=MemoryFile()), Budget()), "search", ServiceError("network", "offline", "Offline."))
    assert ctx.unanswered == []
    again, call = await ask(Replayer(journal_of(file=MemoryFile()), version({}), (), offline=True), "search")
    assert (again.unanswered, call) == ([], None)


async def test_a_recorded_call_answers_whatever_else_was_in_its_key_and_no_other_is_made() -> None:
    held = Call(id=7, key="of another day", kind="http", request=request("search"), reply={"found": "then"})
    replayer = Replayer(journal_of(file=MemoryFile()), version({}), [held])
    assert (await ask(replayer, "search"))[1] == held
    assert replayer.served == {7}
    with pytest.raises(
        CallMissing, match=r"Step novelty of 1/nov asks for a call that the record does not hold: https://papers.example/more"
    ):
        await ask(replayer, "more")
    with pytest.raises(CallMissing, match="Nothing is done ahead"):
        await ask(replayer, "search", address="1/0.card")
