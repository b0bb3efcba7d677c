"""Plans, jobs and what fails in them, with the built-in drafter behind a gate."""

import json
import re
from pathlib import Path
from typing import Literal

import pytest

from coi_tui.config import LlmSettings, RoleSettings, Settings
from coi_tui.engine.declarations import Cost
from coi_tui.engine.recorder import Event
from coi_tui.engine.scheduler import Goal, Outcome
from coi_tui.model.errors import BudgetStop, ServiceError
from coi_tui.model.money import Limit
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.open_sessions import Job
from coi_tui.screens.row_actions import REMEDIES
from coi_tui.screens.run_sheets import CostScreen, PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.services.sources.starter.source import StarterSource
from coi_tui.session import service_setup, wording
from coi_tui.session.runs.plans import Plan, PlanLine
from coi_tui.session.session import Session
from coi_tui.session.wording import Status
from coi_tui.widgets.panes import JobStrip
from tests.support.desk import bare, chains
from tests.support.held_jobs import Gate, Held
from tests.support.standins import StandIns

from .helpers import Trip, demo


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    made.open.set()
    monkeypatch.setattr(service_setup, "drafter", lambda: made)
    return made


async def start(t: Trip, gate: Gate, stage: str) -> None:
    """Start a job and wait until its calls stand at the closed gate."""
    gate.open.clear()
    t.bench.ask(PlanSheet(t.bench.session.planner.to_stage(stage)), t.bench.start)
    await t.on(PlanSheet)
    await t.to(WorkbenchScreen, "enter")
    await t.until(lambda: gate.waiting, "a call at the gate")


async def test_unticking_a_step_takes_out_what_needs_it_and_says_so(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("1/0")
        sheet = await t.plan("i")
        first = sheet.items[0].address
        await t.press("space")
        assert first not in sheet.ticked
        assert "1/idea" not in sheet.ticked
        assert "because they depend on it" in t.text


async def test_the_plan_says_calls_cost_and_what_leaves(
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
        await t.plan("i")
        for words in ("Total", "call", "Sends out", "Model"):
            assert words in t.text
        seen.clear()
        await t.run()
        assert seen
        assert not [text for text in seen if "private note" in text]


async def test_the_cost_screen_has_a_table_by_step_and_sets_the_budget(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        await t.command("cost")
        await t.on(CostScreen)
        await t.until(lambda: "STEP" in t.text and "total" in t.text, "the table")
        assert "questions" in t.text
        await t.to(AskText, "b")
        await t.press("2", "enter")
        await t.until(lambda: session.cap() == Limit(2.0), "the cap")
        assert session.settings.budget_usd is None
        await t.to(WorkbenchScreen, "escape")
        session.undo()
        assert not session.cap()


async def test_a_running_answer_shows_in_its_own_row_and_is_no_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Held()
    slow.part = '{"trend": "The first sentence is here. The second'
    monkeypatch.setattr(service_setup, "drafter", lambda: slow)
    async with demo(tmp_path, stage="cards") as t:
        session = t.bench.session
        await start(t, slow, "trends")
        address = next(a for a in session.running if ".." in a)
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


async def test_a_429_shows_cause_and_ways_on_and_leaves_the_chain_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        paper = chains(session).slot("1/0").paper
        await t.go("1/0")
        with monkeypatch.context() as patch:
            patch.setattr(StarterSource, "citations", limited)
            await t.plan("s")
            await t.run()
        assert wording.state(t.row("1/+1")) == "failed"
        assert chains(session).slot("1/0").paper == paper
        t.bench.chain.go("1/+1")
        await t.until(lambda: "Failed" in t.bench.detail.text, "the failure in the detail")
        await t.to(AskChoice, "enter")
        assert all(name in t.text for name in ("429", *(name for _, name, _ in REMEDIES.values())))
        await t.to(PlanSheet, "enter")
        await t.run()
        assert chains(session).slot("1/+1").paper is not None, "the second try went through"


async def test_a_chain_can_be_kept_where_its_search_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StarterSource, "citations", limited)
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await t.plan("s")
        await t.run()
        t.bench.chain.go("1/+1")
        await t.to(AskChoice, "enter")
        await t.press("K")
        await t.until(lambda: "kept at this length" in t.status, "the chain to be kept")
        offer = next(o for o in t.bench.session.planner.offers("1/0") if o.key == "s")
        assert offer.off == "kept at this length by you"


@pytest.mark.parametrize(("asks", "shown"), [(True, "2 of about 10 calls"), (False, "1 task done")])
def test_the_strip_counts_calls_of_models_as_the_plan_does(asks: bool, shown: str) -> None:
    line = PlanLine("trends", "", Cost(calls=(10, 15)), None)
    job = Job(Plan("Run it", Goal("run"), (line,), "m", "s", (), asks=asks), "{1}".format)
    for told in ("http", "coi_trend", "text", "embed"):
        job.take(Event("call", "1/-1..0", "trend", told))
    job.take(Event("task done", "1/-1..0", "trend"))
    head = job.lines()[0].split("   ")
    assert head[0] == f"* {shown}"
    assert re.fullmatch(r"\d+ s", head[1])


async def test_a_second_plan_waits_its_turn_and_is_not_begun_after_a_stop(
    tmp_path: Path, gate: Gate
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session, strip = t.bench.session, t.bench.query_one(JobStrip)
        branch = next(b for b in session.state.branches if len(chains(session).chain(b)) > 1)
        await start(t, gate, "trends")
        first = t.bench.controller.job
        await t.go(f"{branch}/0")
        await t.to(AskChoice, "g")
        sheet = await t.to(PlanSheet, "d")
        title = sheet.plan.title
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: any(title in line for line in strip.lines), "the plan that waits")
        assert t.bench.controller.job is first
        await t.to(AskChoice, "g")
        await t.to(PlanSheet, "d")
        await t.to(WorkbenchScreen, "enter")
        assert title in t.status, "the same once more is refused"
        assert len(t.bench.controller.waiting) == 1
        gate.open.set()
        await t.until(lambda: session.state.in_use(f"{branch}/dir"), "what the second one made")
        await t.ended()
        assert t.bench.controller.job is not first
        assert not strip.lines
        # a person who stops a job stops what waits for it, too
        await t.go(f"{branch}/dir")
        gate.open.clear()
        await t.to(PlanSheet, "r")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: gate.waiting, "a call at the gate")
        plan = await t.plan("i")
        title = plan.plan.title
        await t.to(WorkbenchScreen, "enter")
        await t.press("S", "S")
        await t.ended()
        assert title in t.status
        assert session.state.in_use(f"{branch}/idea") is None
        assert not t.bench.controller.waiting
        gate.open.set()


async def test_leaving_a_screen_ends_no_job(tmp_path: Path, gate: Gate) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        session = t.bench.session
        await t.to(HomeScreen, "q")
        await t.until(lambda: "running" in t.text, "the running session in the list")
        bench = await t.to(WorkbenchScreen, "enter")
        assert bench.session is session
        await t.to(HomeScreen, "q")
        gate.open.set()
        await t.until(
            lambda: not t.app.sessions.controllers, "the session to be closed after its job"
        )
        await t.until(lambda: "demo: Done" in t.text, "the end to be said")


async def test_quitting_stops_the_job_and_leaves_the_session_sound(
    tmp_path: Path, gate: Gate
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        await t.press("ctrl+q")
        await t.until(
            lambda: not t.app.sessions.controllers and not t.app.is_running, "the app to leave"
        )
    assert gate.waiting == 0
    with Session.open("demo", bare(tmp_path)) as again:
        assert not again.read_only_reason
        assert again.verify() == []
        assert again.file.job_events()[-1].state == "stopped"


@pytest.mark.parametrize(
    ("kind", "stop", "remedy"),
    [
        (
            "run",
            BudgetStop("The budget is short.", "Allow at least --budget 2.", "2"),
            "g goes on.",
        ),
        (
            "refresh",
            BudgetStop("The budget is short.", "Raise it ($ b)."),
            "Raise it ($ b). The same key goes on.",
        ),
    ],
)
def test_a_pause_names_the_key_that_goes_on_before_its_cause(
    kind: Literal["run", "refresh"], stop: BudgetStop, remedy: str
) -> None:
    """The app knows no options; ``--budget`` is for the command line."""
    job = Job(Plan("Run it", Goal(kind), (), "a model", "a source", ()), "{1}".format)
    job.end(Outcome("waiting", stop=stop))
    assert job.closing() == f"Paused: added 0 items (0 calls), $0.00. {remedy} The budget is short."


WISH = "make it more about accessibility"


async def test_a_sentence_its_plan_and_what_changed(tmp_path: Path) -> None:
    async with StandIns() as pair, demo(tmp_path, (80, 24), stage="directions") as t:
        session = t.bench.session
        await t.go("1/dir")
        assert "no language model can rewrite it (offline was asked for)" in t.bench.why_off("ask")
        session.decide("network", "session", False)
        session.settings = Settings(
            show_plans=True,
            llm=LlmSettings(base_url=pair.chat_url, main=RoleSettings(model="standin-main")),
        )
        t.bench.refresh_rows()
        before = session.state.in_use("1/dir")
        await t.to(AskText, "I")
        await t.write(WISH)
        await t.press("enter")
        assert (await t.on(PlanSheet)).plan.title == "Rewrite 1/dir as you asked"
        await t.press("escape")
        await t.until(
            lambda: "Nothing was run or asked of 1/dir." in t.status,
            "the sentence to be taken back",
        )
        assert (t.row("1/dir").status, session.state.cell("1/dir").wishes) == (Status.FRESH, ())
        await t.to(AskText, "I")
        await t.write(WISH)
        await t.to(PlanSheet, "enter")
        await t.to(HistoryScreen, "enter")
        after = session.state.in_use("1/dir")
        assert before is not None
        assert after is not None
        assert (after.parents, session.state.cell("1/dir").wishes) == ((before.seq,), (WISH,))
        await t.press("escape")
        await t.change("u", lambda: session.state.in_use("1/dir") == before, "the text as it was")


def test_the_pace_so_far_says_how_long_the_rest_takes() -> None:
    line = PlanLine("trends", "", Cost(calls=(10, 15)), None)
    plan = Plan("Run it", Goal("run"), (line,), "m", "s", (), asks=True)
    assert plan.counted(2, 60) == "2 of about 10 calls", "two calls are no pace"
    assert plan.counted(5, 240) == "5 of about 10 calls, 4 min left"
    assert plan.counted(9, 60) == "9 of about 10 calls, 1 min left", "a minute at least"
    assert plan.counted(12, 60) == "12 of about 12 calls"


def test_the_strip_counts_tokens_where_there_were_any() -> None:
    line = PlanLine("trends", "", Cost(calls=(10, 15)), None)
    job = Job(Plan("Run it", Goal("run"), (line,), "m", "s", (), asks=True), "{1}".format)
    assert "so far $0.00" in job.lines()[0]
    for cost in (None, None):
        job.take(Event("call", "1/dir", "direction", "coi_dir", cost, tokens=1200))
    assert "so far 2,400 tokens, cost unknown" in job.lines()[0]
