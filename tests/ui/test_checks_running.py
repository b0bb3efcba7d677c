"""Generating from a row, and what a plan promises: journeys with the built-in drafter behind a
gate."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.model.money import Limit
from coi_tui.screens.runs.run_sheets import (
    WAYS,
    CostScreen,
    FailedStepSheet,
    GenerateSheet,
    PlanSheet,
)
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.services.llm.chat import ChatReply, ChatRequest
from coi_tui.services.sources.starter.source import StarterSource
from coi_tui.session import wording
from coi_tui.session.runs import service_setup

from .helpers import Trip, demo
from .test_jobs import Gate, gate, start

__all__ = ["gate"]


async def choose(t: Trip, key: str) -> PlanSheet:
    """``g`` and a key of its menu; the plan that it opens."""
    await t.press("g")
    await t.on(GenerateSheet)
    await t.press(key)
    return await t.on(PlanSheet)


async def run(t: Trip) -> None:
    await t.press("enter")
    await t.on(WorkbenchScreen)
    await t.ended()


async def test_unticking_a_step_takes_out_what_needs_it_and_says_so(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("1/0")
        sheet = await choose(t, "i")
        first = sheet.items[0].address
        await t.press("space")
        assert first not in sheet.ticked
        assert "1/idea" not in sheet.ticked
        assert "because they depend on it" in t.text


async def test_check_23_the_plan_says_calls_cost_and_what_leaves(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    complete = gate.complete

    async def listening(request: object) -> object:
        seen.append(json.dumps([request.system, request.user, str(request.values)]))  # type: ignore[attr-defined]
        return await complete(request)  # type: ignore[arg-type]

    monkeypatch.setattr(gate, "complete", listening)
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        session.decide("note", "1/0", "my private note on this paper")
        await t.go("1/0")
        await choose(t, "i")
        for words in ("Total", "call", "Sends out", "Model"):
            assert words in t.text
        seen.clear()
        await run(t)
        assert seen
        assert not [text for text in seen if "private note" in text]


async def test_check_26_stop_keeps_finished_steps_and_resume_begins_at_the_first_unfinished(
    tmp_path: Path, gate: Gate
) -> None:
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        await start(t, gate, "directions")
        await t.press("S", "S")
        await t.ended()
        kept = {a: list(c.versions) for a, c in session.state.cells.items()}
        again = session.planner.to_resume()
        assert not again.empty
        gate.open.set()
        t.app.push_screen(PlanSheet(again), t.bench.runs.start)
        await t.on(PlanSheet)
        await run(t)
        assert all(list(session.state.cell(a).versions)[: len(v)] == v for a, v in kept.items())
        assert session.state.in_use("1/dir") is not None


async def test_the_cost_screen_has_a_table_by_step_and_sets_the_budget(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        await t.command("cost")
        await t.on(CostScreen)
        await t.until(lambda: "STEP" in t.text and "total" in t.text, "the table")
        assert "questions" in t.text
        await t.press("b")
        await t.on(AskText)
        await t.press("2", "enter")
        await t.until(lambda: session.core.cap() == Limit(2.0), "the cap")
        assert session.settings.budget_usd is None
        await t.press("escape")
        await t.on(WorkbenchScreen)
        session.undo_stack.undo()
        assert not session.core.cap()


class SlowTeller(Gate):
    """Tells the first part of its answer, then waits at the gate before it gives the rest."""

    async def stream(self, request: ChatRequest, told: Callable[[str], None]) -> ChatReply:
        told('{"trend": "The first sentence is here. The second')
        return await self.complete(request)


async def test_a_running_answer_shows_in_its_own_row_and_is_no_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowTeller()
    monkeypatch.setattr(service_setup, "drafter", lambda: slow)
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        await start(t, slow, "trends")
        address = next(a for a in session.core.running if ".." in a)
        t.bench.chain.go(address)
        await t.until(lambda: "The second" in t.bench.detail.text, "the text that comes in")
        assert "streaming" in t.text
        assert session.state.in_use(address) is None
        t.app.animation_level = "none"
        t.bench.show_detail()
        assert "The second" not in t.bench.detail.text
        assert "The first sentence is here." in t.bench.detail.text
        t.bench.chain.go("1/0")
        await t.until(
            lambda: "The first sentence" not in t.bench.detail.text, "another row's own text"
        )
        slow.open.set()
        await t.ended()
        assert session.state.in_use(address) is not None


async def limited(*_: object, **__: object) -> object:
    raise ServiceError("Semantic Scholar", "limited", "Too many requests (429).", "Wait a minute.")


async def test_check_27_a_429_shows_cause_and_ways_on_and_leaves_the_chain_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        paper = session.state.slot("1/0").paper
        await t.go("1/0")
        with monkeypatch.context() as patch:
            patch.setattr(StarterSource, "citations", limited)
            await choose(t, "s")
            await run(t)
        assert wording.state(t.row("1/+1")) == "failed"
        assert session.state.slot("1/0").paper == paper
        t.bench.chain.go("1/+1")
        await t.until(lambda: "Failed" in t.bench.detail.text, "the failure in the detail")
        await t.press("enter")
        await t.on(FailedStepSheet)
        assert all(name in t.text for name in ("429", *(name for _, name, _ in WAYS.values())))
        await t.press("enter")
        await t.on(PlanSheet)
        await run(t)
        assert session.state.slot("1/+1").paper is not None, "the second try went through"


async def test_a_chain_can_be_kept_where_its_search_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StarterSource, "citations", limited)
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await choose(t, "s")
        await run(t)
        t.bench.chain.go("1/+1")
        await t.press("enter")
        await t.on(FailedStepSheet)
        await t.press("K")
        await t.until(lambda: "kept at this length" in t.status, "the chain to be kept")
        offer = next(o for o in t.bench.session.planner.offers("1/0") if o.key == "s")
        assert offer.off == "kept at this length by you"
