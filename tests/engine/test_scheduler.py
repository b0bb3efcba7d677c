import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import View, Want
from coi_tui.engine.freshness import Inputs
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import ServiceAnswer
from coi_tui.engine.scheduler import MOST_RUNS, Goal
from coi_tui.model.errors import BudgetStop, CoiError
from coi_tui.model.fold import LATE
from tests.support.state_dump import dump
from tests.support.toy import Job, MemoryFile, Toy, ToyTask, edited, hash_of_inputs, journal_of

TWO = {
    "1/dir": ["topic"],
    "1/idea": ["1/dir"],
    "2/dir": ["topic"],
    "2/idea": ["2/dir"],
    "A/1-2": ["1/idea", "2/idea"],
}


def start(text: str = "a", file: MemoryFile | None = None) -> Journal:
    journal = journal_of(file=file)
    edited(journal, "topic", text)
    return journal


async def broken(_step: ToyTask, _ctx: Context, _inputs: Inputs) -> Mapping[str, Any]:
    raise CoiError("It broke.", "Mend it.")


async def crashed(_step: ToyTask, _ctx: Context, _inputs: Inputs) -> Mapping[str, Any]:
    raise RuntimeError("a secret in a reply")


LONG_S, SOON_S = 600.0, 30.0
"""A call that no test waits for, and how long a test waits before it says that it hangs."""


def slow(seconds: float) -> Any:
    async def work(step: ToyTask, ctx: Context, inputs: Inputs) -> Mapping[str, Any]:
        async def send() -> ServiceAnswer:
            await asyncio.sleep(seconds)
            return ServiceAnswer({"text": "slow"})

        call = await ctx.call("chat", {"slow": inputs.address}, send)
        return {"text": call.reply["text"]}

    return work


async def test_a_method_that_wants_one_cell_for_ever_does_not_keep_the_job_from_ending() -> None:
    class Greedy(Toy):
        def wanted(self, view: View, until: str) -> list[Want]:
            return (
                [Want("1/dir", step, "always")] if (step := self.task("1/dir")) is not None else []
            )

    journal, toy = start(), Greedy({"1/dir": ["topic"]})
    outcome = await asyncio.wait_for(Job(toy, journal).run(), SOON_S)
    assert outcome.state == "done"
    assert len(toy.toy.runs) == MOST_RUNS


async def test_independent_steps_run_side_by_side_and_dependent_ones_wait() -> None:
    together: list[frozenset[str]] = []

    async def meet(step: ToyTask, ctx: Context, inputs: Inputs) -> Mapping[str, Any]:
        await asyncio.sleep(0.01)
        together.append(job.scheduler.running)
        return await hash_of_inputs(step, ctx, inputs)

    journal, toy = start(), Toy(TWO, dict.fromkeys(TWO, meet))
    job = Job(toy, journal)
    outcome = await job.run()
    assert (outcome.state, outcome.failed, outcome.blocked) == ("done", {}, [])
    assert {"1/dir", "2/dir"} in together
    assert {"1/idea", "2/idea"} in together
    assert toy.toy.runs.index("A/1-2") == 4
    assert sorted(outcome.made) == sorted(TWO)


async def test_a_failed_step_stops_only_what_reads_it() -> None:
    journal, toy = start(), Toy(TWO, {"1/dir": broken})
    outcome = await Job(toy, journal).run()
    assert outcome.state == "failed"
    assert outcome.failed == {"1/dir": "It broke. Mend it."}
    assert sorted(outcome.made) == ["2/dir", "2/idea"]
    assert sorted(outcome.blocked) == ["1/idea", "A/1-2"]
    assert journal.state.in_use("1/dir") is None


async def test_in_a_refresh_too_a_failed_step_stops_what_reads_it_and_keeps_the_old_version() -> (
    None
):
    journal = start()
    await Job(Toy(TWO), journal).run()
    before = journal.state.value("1/idea#text")
    edited(journal, "topic", "b")
    edited(journal, "2/dir", "by hand", {"topic#text": journal.state.meaning("topic#text")})
    toy = Toy(TWO, {"1/dir": broken})
    outcome = await Job(toy, journal, Goal("refresh", addresses=tuple(TWO))).run()
    assert outcome.failed == {"1/dir": "It broke. Mend it."}
    assert "1/idea" not in toy.toy.runs
    assert "A/1-2" not in toy.toy.runs  # it reads an idea whose own input could not be made
    assert outcome.made == ["2/idea"]
    assert sorted(outcome.blocked) == ["1/idea", "A/1-2"]
    assert journal.state.value("1/idea#text") == before


async def test_an_unexpected_error_is_a_failed_step_that_quotes_nothing() -> None:
    file = MemoryFile()
    journal = start(file=file)
    outcome = await Job(Toy(TWO, {"1/dir": crashed}), journal).run()
    assert "RuntimeError" in outcome.failed["1/dir"]
    assert "secret" not in outcome.failed["1/dir"]
    assert [f.kind for f in file.failures] == ["unexpected"]


async def test_the_budget_stops_the_job_and_says_so() -> None:
    file = MemoryFile()
    journal = start(file=file)
    outcome = await Job(Toy(TWO), journal, budget=Budget(usd=0.035)).run()
    assert outcome.state == "waiting"
    assert isinstance(outcome.stop, BudgetStop)
    assert sum(c.cost_usd or 0 for c in file.calls) <= 0.035
    rest = await Job(Toy(TWO), journal).run()
    assert rest.state == "done"
    assert len(file.calls) == 5


@pytest.mark.parametrize("now", [False, True])
async def test_stop_waits_for_no_long_call_and_starts_nothing_more(now: bool) -> None:
    file = MemoryFile()
    journal, toy = (
        start(file=file),
        Toy(TWO, {"1/dir": slow(0.2), "2/dir": slow(LONG_S if now else 0.2)}),
    )
    job = Job(toy, journal)
    task = asyncio.create_task(job.run())
    await asyncio.sleep(0.05)
    job.scheduler.stop(now=now)
    outcome = await asyncio.wait_for(task, SOON_S)
    assert outcome.state == "stopped"
    assert toy.toy.runs == ["1/dir", "2/dir"]
    if now:
        assert file.calls == []
    else:
        assert len(file.calls) == 2  # the calls in flight were let finish and are kept
        resumed = Toy(TWO, {"1/dir": slow(LONG_S), "2/dir": slow(LONG_S)})
        again = await asyncio.wait_for(Job(resumed, journal).run(), SOON_S)
        assert again.state == "done"  # and are not made again


async def test_cancelling_the_job_itself_ends_it_without_leaving_tasks() -> None:
    journal = start()
    job = Job(Toy(TWO, {"1/dir": slow(LONG_S), "2/dir": slow(LONG_S)}), journal)
    task = asyncio.create_task(job.run())
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [t for t in asyncio.all_tasks() if t is not asyncio.current_task()] == []


async def test_a_result_whose_inputs_moved_meanwhile_stands_beside() -> None:
    async def moved(step: ToyTask, ctx: Context, inputs: Inputs) -> Mapping[str, Any]:
        edited(journal, "topic", "b")
        return await hash_of_inputs(step, ctx, inputs)

    journal = start()
    toy = Toy({"1/dir": ["topic"]}, {"1/dir": moved})
    await Job(toy, journal).run()
    cell = journal.state.cell("1/dir")
    late = journal.state.versions[cell.versions[0]]
    assert late.alternative_because == LATE
    assert (
        cell.taken == cell.versions[1:]
    )  # the want was still open, so it was made once more from what is in use now
    used = journal.state.in_use("1/dir")
    assert used is not None
    assert (used.seq, used.alternative_because) == (cell.versions[1], "")


@settings(max_examples=25)
@given(st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_any_order_of_completion_gives_the_same_session(delays: list[int]) -> None:
    def late(ms: int) -> Any:
        async def work(step: ToyTask, ctx: Context, inputs: Inputs) -> Mapping[str, Any]:
            await asyncio.sleep(ms / 1000)
            return await hash_of_inputs(step, ctx, inputs)

        return work

    journal = start()
    asyncio.run(
        Job(Toy(TWO, {a: late(d) for a, d in zip(TWO, delays, strict=True)}), journal).run()
    )
    plain = start()
    asyncio.run(Job(Toy(TWO), plain).run())
    assert dump(journal.state) == dump(plain.state)
