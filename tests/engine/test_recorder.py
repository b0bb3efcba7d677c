import asyncio
from typing import Any

import pytest

from coi_tui.engine.budget import Budget, CostCeiling
from coi_tui.engine.context import Context
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Ask, Recorder, ServiceAnswer
from coi_tui.model.entries import Failure
from coi_tui.model.errors import BudgetStop, ServiceError
from coi_tui.model.text import digest
from tests.support.folding import empty_state
from tests.support.toy import MemoryFile, journal_of


class Service:
    """Counts what reaches it."""

    def __init__(self, cost: float | None = 0.5) -> None:
        self.sent: list[str] = []
        self.cost = cost
        self.fail = False
        self.peak = self.under_way = 0

    def ask(self, what: str, *, upper: float | None = None, kind: Any = "chat") -> Ask:
        async def send() -> ServiceAnswer:
            self.sent.append(what)
            self.under_way += 1
            self.peak = max(self.peak, self.under_way)
            await asyncio.sleep(0.005)
            self.under_way -= 1
            if self.fail:
                raise ServiceError("service", "server", "The service failed.")
            return ServiceAnswer({"said": what}, "served", 3, 4, self.cost)

        return Ask(
            kind,
            {"what": what},
            send,
            "1/idea",
            "idea",
            prompt="p",
            model="asked",
            upper=CostCeiling(upper, 100),
            shown={"what": what},
        )


def recorder(
    budget: Budget | None = None, journal: Journal | None = None
) -> tuple[Recorder, MemoryFile]:
    file = MemoryFile()
    return Recorder(journal or journal_of(file=file), budget or Budget(), job=7), file


async def test_identical_calls_that_start_together_are_one() -> None:
    service, (rec, file) = Service(), recorder()
    calls = await asyncio.gather(
        *(rec.call(service.ask("a")) for _ in range(5)), rec.call(service.ask("b"))
    )
    assert service.sent == ["a", "b"]
    assert len({c.id for c in calls}) == 2
    assert len(file.calls) == 2
    assert rec.budget.spent_calls == 2


async def test_a_kept_call_is_not_sent_again() -> None:
    service, (rec, file) = Service(), recorder()
    first = await rec.call(service.ask("a"))
    later = await Recorder(journal_of(file=file), Budget(usd=0.0), job=8).call(
        service.ask("a", upper=99.0)
    )
    assert service.sent == ["a"]
    assert later.reply == first.reply == {"said": "a"}
    assert file.calls[0].model_dump(
        include={"model_asked", "model_served", "prompt_tokens", "cost_usd", "job", "address"}
    ) == {
        "model_asked": "asked",
        "model_served": "served",
        "prompt_tokens": 3,
        "cost_usd": 0.5,
        "job": 7,
        "address": "1/idea",
    }


async def test_a_failed_call_is_not_kept_and_frees_its_reservation() -> None:
    service, (rec, file) = Service(), recorder(Budget(usd=1.0))
    service.fail = True
    with pytest.raises(ServiceError):
        await rec.call(service.ask("a", upper=1.0))
    assert file.calls == []
    service.fail = False
    await rec.call(service.ask("a", upper=1.0))
    assert service.sent == ["a", "a"]
    assert rec.budget.spent_usd == 0.5


async def test_after_an_unreadable_reply_the_retry_is_a_new_call() -> None:
    service, (rec, file) = Service(), recorder()
    await rec.call(service.ask("a"))
    key = rec.key({"what": "a"})
    base = digest({"what": "a"})
    rec.journal.failures.append(
        Failure(address="1/idea", step="idea", cause="unreadable", kind="reply", keys=(base,))
    )
    assert rec.key({"what": "a"}) != key
    await rec.call(service.ask("a"))
    await rec.call(service.ask("a"))  # and that one is kept in its turn
    assert service.sent == ["a", "a"]
    assert len(file.calls) == 2


async def test_the_budget_stops_before_the_call() -> None:
    service, (rec, file) = Service(cost=0.4), recorder(Budget(usd=1.0))
    await rec.call(service.ask("a", upper=0.6))
    with pytest.raises(BudgetStop, match=r"\$1\.00.* at least --budget 1\.01;"):
        await rec.call(service.ask("b", upper=0.61))
    assert service.sent == ["a"]
    assert len(file.calls) == 1
    await rec.call(service.ask("c", upper=0.6))
    assert rec.budget.spent_usd == pytest.approx(0.8)


@pytest.mark.parametrize(("upper", "sent"), [(0.4, "ab"), (0.6, "abc")])
async def test_a_call_waits_for_reservations_to_settle_and_stops_where_none_are_left(
    upper: float, sent: str
) -> None:
    """Where an answer costs less than was reserved, all fit one after the other; where it costs as
    much, the third does not."""
    service, (rec, _) = Service(cost=0.4 if upper == 0.4 else 0.2), recorder(Budget(usd=1.0))
    ends = await asyncio.gather(
        *(rec.call(service.ask(w, upper=upper)) for w in "abc"), return_exceptions=True
    )
    assert "".join(sorted(service.sent)) == sent
    assert [type(e) for e in ends if isinstance(e, Exception)] == [BudgetStop] * (3 - len(sent))
    assert service.peak == (2 if upper == 0.4 else 1), "never more at once than the budget allows"
    assert rec.budget.spent_usd == pytest.approx(0.8 if upper == 0.4 else 0.6)


async def test_a_call_that_waits_for_its_budget_is_cut_off_by_a_stop() -> None:
    service, (rec, file) = Service(cost=0.2), recorder(Budget(usd=1.0))
    tasks = [asyncio.create_task(rec.call(service.ask(w, upper=0.6))) for w in "ab"]
    await asyncio.sleep(0.001)
    await rec.close(cancel=False)
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ends[1], asyncio.CancelledError)
    assert service.sent == ["a"]
    assert len(file.calls) == 1


async def test_the_number_of_calls_is_a_cap_too_and_searches_do_not_count() -> None:
    service, (rec, _) = Service(cost=None), recorder(Budget(calls=1))
    for n in range(3):
        await rec.call(service.ask(f"search {n}", kind="http"))
    await rec.call(service.ask("a"))
    with pytest.raises(BudgetStop, match="limit of 1 model calls"):
        await rec.call(service.ask("b"))
    assert service.sent[3:] == ["a"]


async def test_a_waiter_that_is_cancelled_does_not_lose_the_call_for_others() -> None:
    service, (rec, file) = Service(), recorder()
    first = asyncio.create_task(rec.call(service.ask("a")))
    second = asyncio.create_task(rec.call(service.ask("a")))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).reply == {"said": "a"}
    assert first.cancelled()
    assert len(file.calls) == 1


async def test_closing_waits_for_what_is_paid_or_cuts_it_off() -> None:
    service, (rec, file) = Service(), recorder()
    task = asyncio.create_task(rec.call(service.ask("a")))
    await asyncio.sleep(0.001)
    await rec.close(cancel=False)
    assert len(file.calls) == 1
    await task
    with pytest.raises(asyncio.CancelledError):
        await rec.call(service.ask("b"))
    assert service.sent == ["a"]
    service, (rec, file) = Service(), recorder()
    task = asyncio.create_task(rec.call(service.ask("a")))
    await asyncio.sleep(0.001)
    await rec.close(cancel=True)
    assert file.calls == []
    assert rec.budget.spent_calls == 0
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_sample_is_another_call_and_a_recheck_another_search() -> None:
    service, (rec, _) = Service(), recorder()

    async def through(kind: Any, sample: int = 0, again: int = 0) -> None:
        ask = service.ask(kind, kind=kind)
        await Context(rec, empty_state(), "1/idea", "idea", sample=sample, again=again).call(
            kind, ask.content, ask.send
        )

    for sample in (0, 0, 1, 1, 2):
        await through("chat", sample=sample)
    for again in (0, 0, 1):
        await through("http", again=again)
    await through("chat", again=5)
    assert service.sent == ["chat", "chat", "chat", "http", "http"]


async def test_a_cap_in_dollars_lets_no_call_through_whose_cost_is_unknown() -> None:
    service, (rec, _) = Service(cost=None), recorder(Budget(usd=5.0))
    with pytest.raises(
        BudgetStop,
        match=r"cost of the next call is unknown, so the budget of \$5\.00 cannot be kept",
    ):
        await rec.call(service.ask("a", upper=None))
    assert service.sent == []


async def test_unless_a_cap_in_tokens_holds_as_well() -> None:
    service, (rec, _) = Service(cost=None), recorder(Budget(usd=5.0, tokens=1_000))
    await rec.call(service.ask("a", upper=None))
    assert service.sent == ["a"]


async def test_tokens_are_a_cap_of_their_own() -> None:
    service, (rec, _) = Service(cost=None), recorder(Budget(tokens=110))
    await rec.call(service.ask("a"))  # may take 100, takes 7
    assert rec.budget.spent_tokens == 7
    await rec.call(service.ask("b"))
    with pytest.raises(
        BudgetStop,
        match=r"budget of 110 tokens .* \(used 14, next up to 100\).* at least --budget 114-tokens;",
    ):
        await rec.call(service.ask("c"))
    assert service.sent == ["a", "b"]
