"""A method that the engine has never heard of: cells that read other cells, with work as a test
wants it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from coi_tui.engine.budget import Budget, CostCeiling
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import (
    EVERYTHING,
    CellKind,
    Cost,
    Forecast,
    NewVersion,
    Result,
    Scope,
    View,
    Want,
)
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Event, Recorder, ServiceAnswer
from coi_tui.engine.scheduler import Goal, Outcome, Scheduler
from coi_tui.model.address import CellRef
from coi_tui.model.entries import Call, Decision, Failure, JobEvent, Version
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import digest
from tests.support.logs import decision, version

Entry = Decision | Version


class MemoryFile:
    """The part of a session file that the engine writes, in memory."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.calls: list[Call] = []
        self.failures: list[Failure] = []
        self.events: list[JobEvent] = []

    def commit(
        self,
        *,
        entries: Sequence[Entry] = (),
        papers: Iterable[Paper] = (),
        calls: Sequence[Call] = (),
        failures: Sequence[Failure] = (),
        job_events: Sequence[JobEvent] = (),
    ) -> list[int]:
        self.entries += entries
        self.failures += failures
        self.events += job_events
        first = len(self.calls) + 1
        self.calls += calls
        return list(range(first, first + len(calls)))

    def find_call(self, key: str) -> Call | None:
        return next((c for c in self.calls if c.key == key), None)

    async def run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return method(*args, **kwargs)


Work = Callable[["ToyTask", Context, Inputs], Awaitable[Mapping[str, Any]]]


async def hash_of_inputs(_step: ToyTask, ctx: Context, inputs: Inputs) -> Mapping[str, Any]:
    """One call, whose answer is a hash of what was read."""
    shown = {"read": [(r.ref, inputs.one(r.name)) for r in inputs.reads], "at": inputs.address}

    async def send() -> ServiceAnswer:
        return ServiceAnswer({"text": digest(shown)[:12]}, cost_usd=0.01)

    call = await ctx.call("chat", shown, send, prompt="toy", upper=CostCeiling(0.02, 100))
    return {"text": call.reply["text"]}


class ToyTask:
    prompts: tuple[str, ...] = ()

    def __init__(self, reads: Mapping[str, Sequence[Read]], work: Mapping[str, Work]) -> None:
        self.name = "toy"
        self._reads, self._work = reads, work
        self.runs: list[str] = []

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return tuple(self._reads[address])

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        self.runs.append(inputs.address)
        content = await self._work.get(inputs.address, hash_of_inputs)(self, ctx, inputs)
        return Result((NewVersion(inputs.address, content, "scripted"),))


class Toy:
    """Every cell is wanted. ``reads``: for each cell, the cells whose ``text`` it reads."""

    name = "toy"
    stages: tuple[str, ...] = ("all",)

    def __init__(
        self, reads: Mapping[str, Sequence[str | Read]], work: Mapping[str, Work] | None = None
    ) -> None:
        table = {
            a: [r if isinstance(r, Read) else Read(r, f"{r}#text") for r in names]
            for a, names in reads.items()
        }
        self.reads = table
        self.toy = ToyTask(table, work or {})

    def task(self, address: str) -> ToyTask | None:
        return self.toy if address in self.reads else None

    def named(self, name: str, address: str) -> ToyTask | None:
        return self.toy if name == self.toy.name else None

    def kind(self, address: str) -> CellKind:
        return CellKind(address, "", address)

    def is_active(self, state: State, at: CellRef) -> bool:
        return True

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        return [Want(a, self.toy) for a in self.reads]

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        return []

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        return []


def journal_of(entries: Sequence[Entry] = (), file: MemoryFile | None = None) -> Journal:
    journal = Journal(file or MemoryFile(), [], {}, (), lambda: "2026-01-01T00:00:00Z")
    if entries:
        journal.write(list(entries))
    return journal


def edited(
    journal: Journal, address: str, text: str, inputs: Mapping[str, str | None] | None = None
) -> None:
    """A person's text, in use at once."""
    own, number = version(address, text, "person", inputs=inputs or {}), journal.next_seq
    journal.write([own, decision("edit", address, {"version": number})])


class Job:
    """One job of a toy over a journal. ``outcome`` after ``await run()``."""

    def __init__(
        self, toy: Toy, journal: Journal, goal: Goal | None = None, budget: Budget | None = None
    ) -> None:
        self.events: list[Event] = []
        self.recorder = Recorder(journal, budget or Budget(), job=1, listen=self.events.append)
        self.scheduler = Scheduler(
            toy, journal, self.recorder, goal or Goal("run", until="all"), self.events.append
        )

    async def run(self) -> Outcome:
        return await self.scheduler.run()
