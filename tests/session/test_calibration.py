"""Estimates that rest on earlier calls of the same prompt and model, and minutes where a server on own hardware has no price."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.engine.steps import Cost
from coi_tui.model.calls import Call
from coi_tui.session.papers.imported_pdfs import read_pdf
from coi_tui.session.runs.calibration import Measures, Pace, estimated, minutes
from coi_tui.session.runs.plans import Plan, PlanLine, stops
from tests.support.desk import Desk, copy_of
from tests.support.own_pdfs import pdf_of

MAIN, READER = "my-main", "my-reader"
LOCAL = "http://localhost:11434"
FAR = "http://models.example.org"


def calls(prompt: str, tokens: list[tuple[int, int]], model: str = MAIN, **more: object) -> list[Call]:
    return [
        Call.model_validate({
            "key": f"{prompt} {model} {n}", "kind": "chat", "address": "1/dir", "step": "x", "prompt": prompt, "model_asked": model,
            "prompt_tokens": given, "completion_tokens": said, "seconds": 10.0, "started": f"2026-01-01T00:{n:02d}:00Z", **more,
        })
        for n, (given, said) in enumerate(tokens)
    ]  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A finished session of three branches whose models are asked by these names."""
    desk = copy_of(tmp_path)
    asked_at(desk, FAR)
    return desk


def asked_at(desk: Desk, url: str, prices: dict[str, Price] | None = None) -> None:
    llm = LlmSettings(base_url=url, main=RoleSettings(model=MAIN), reader=RoleSettings(model=READER), prices=prices or {})
    desk.session.settings = Settings(llm=llm)
    desk.session.core.keys = Keys(llm="sk-any")


def line_of(plan: Plan, start: str) -> PlanLine:
    return next(line for line in plan.lines if line.what.startswith(start))


def test_the_middle_and_a_high_one_take_the_place_of_the_guess(desk: Desk) -> None:
    s = desk.session
    guess = line_of(s.planner.to_refresh(["1/dir"], again=True), "1/dir")
    assert (guess.cost.prompt_tokens, guess.cost.reply_tokens) == ((2_000, 6_500), (200, 1_000))
    assert "earlier calls" not in guess.why
    s.core.file.commit(calls=calls("coi_direction", [(100, 10), (300, 30), (200, 20), (900, 90), (250, 25), (260, 26), (255, 27)]))
    line = line_of(s.planner.to_refresh(["1/dir"], again=True), "1/dir")
    assert line.cost.calls == (1, 2)
    assert (line.cost.prompt_tokens, line.cost.reply_tokens) == ((255, 2 * 900), (26, 2 * 90))
    assert line.why.endswith("; tokens from 7 earlier calls")


def test_too_few_or_of_another_model_say_nothing(desk: Desk) -> None:
    s = desk.session
    s.core.file.commit(calls=[*calls("coi_direction", [(100, 10)] * 2), *calls("coi_direction", [(100, 10)] * 9, "gpt-4o"),
                         *calls("coi_direction", [(0, 0)] * 5, key="", kind="embed")[:1]])  # fmt: skip
    assert line_of(s.planner.to_refresh(["1/dir"], again=True), "1/dir").cost.measured == 0
    s.core.file.commit(calls=calls("coi_direction", [(100, 10)], key="a third one"))
    assert line_of(s.planner.to_refresh(["1/dir"], again=True), "1/dir").cost.measured == 3


def test_a_step_of_two_prompts_of_which_one_was_asked_says_partly(desk: Desk) -> None:
    s = desk.session
    s.core.file.commit(calls=calls("coi_idea", [(4_000, 300)] * 3))
    line = line_of(s.planner.to_refresh(["1/idea"], again=True), "1/idea")
    assert "tokens partly from 3 earlier calls" in line.why
    assert line.cost.prompt_tokens == (round((4_000 + 1_250) / 2 * 2), round((4_000 + 3_500) / 2 * 4))
    s.core.file.commit(calls=calls("coi_final_idea", [(2_000, 100)] * 4))
    line = line_of(s.planner.to_refresh(["1/idea"], again=True), "1/idea")
    assert "tokens from 7 earlier calls" in line.why
    assert line.cost.prompt_tokens == (6_000, 12_000)


def test_a_run_to_a_stage_rests_on_them_too(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    asked_at(desk, FAR, {READER: Price(input=1.0, output=0.0), MAIN: Price(input=1.0, output=0.0)})
    before = line_of(desk.session.planner.to_stage("cards"), "cards")
    desk.session.core.file.commit(calls=calls("coi_read", [(1_000, 100)] * 4, READER))
    line = line_of(desk.session.planner.to_stage("cards"), "cards")
    least, most = line.cost.calls
    assert line.cost.prompt_tokens == (1_000 * least, 1_000 * most)
    assert line.why.endswith("; tokens from 4 earlier calls")
    assert line.usd is not None
    assert before.usd is not None
    assert line.usd.expected < before.usd.expected


def test_the_size_of_an_attached_pdf_is_known_and_not_guessed_from_abstracts(desk: Desk) -> None:
    s = desk.session
    s.core.file.commit(calls=calls("coi_read", [(700, 100)] * 5, READER))
    read = asyncio.run(read_pdf("x.pdf", pdf_of("Any", "word " * 3_000)))
    s.decisions.attach("1/0", read)
    line = line_of(s.planner.to_refresh(["1/0.card"]), "1/0.card")
    size = 600 + -(-len(read.own.text) // 4)
    assert line.cost.prompt_tokens == (size, 2 * size)
    assert line.cost.reply_tokens == (100, 200)
    assert line_of(s.planner.to_refresh(["2/0.card"], again=True), "2/0.card").cost.prompt_tokens == (700, 1_400)


def test_own_hardware_without_a_price_tells_minutes_or_that_there_is_no_measure(desk: Desk) -> None:
    s = desk.session
    asked_at(desk, LOCAL)
    assert s.planner.to_refresh(["1/dir"], again=True).time == "not known yet for this server"
    s.core.file.commit(calls=calls("coi_direction", [(80, 20)] * 4))  # 100 tokens in ten seconds each, one after the other
    assert s.planner.to_refresh(["1/dir"], again=True).time == "under a minute (10 tokens a second, from 4 earlier calls)"
    said = s.planner.to_refresh([f"{b}/idea" for b in (1, 2, 3)], again=True).time
    assert said == "about 28-82 minutes (10 tokens a second, from 4 earlier calls)"
    asked_at(desk, LOCAL, {MAIN: Price(input=1.0, output=0.0)})
    assert s.planner.to_refresh(["1/dir"], again=True).time == ""
    asked_at(desk, FAR)
    assert s.planner.to_refresh(["1/dir"], again=True).time == "", "elsewhere a missing price is no reason to promise minutes"
    s.core.keys = Keys()
    desk.session.settings = Settings()
    assert s.planner.to_refresh(["1/dir"], again=True).time == ""


def test_calls_side_by_side_share_the_time() -> None:
    apart = Measures(calls("p", [(80, 20)] * 3), lambda _p: MAIN).pace(MAIN)
    beside = Measures(calls("p", [(80, 20)] * 3, started="2026-01-01T00:00:00Z"), lambda _p: MAIN).pace(MAIN)
    unknown = Measures(calls("p", [(80, 20)] * 3, started=""), lambda _p: MAIN).pace(MAIN)
    assert apart == unknown == Pace(10.0, 3)
    assert beside == Pace(30.0, 3)


def test_ranges_of_time_in_words() -> None:
    found = [minutes(*pair) for pair in ((1, 59), (30, 60), (200, 500), (170, 180), (3_000, 7_200), (7_000, 20_000))]
    assert found == ["under a minute", "about 1 minute", "about 3-9 minutes", "about 3 minutes", "about 1-2 hours", "about 2-6 hours"]
    both = estimated([Cost("main", (1, 1), (600, 600)), Cost("reader", (1, 1), (600, 600))], {"main": Pace(10, 3), "reader": Pace(40, 5)})
    assert both == "about 1-3 minutes (10-40 tokens a second, from 8 earlier calls)"


def test_a_lower_estimate_does_not_stop_the_job_sooner(desk: Desk) -> None:
    """The cap holds each call's longest reply in reserve: it must leave room for that, however little earlier calls took."""
    s = desk.session
    asked_at(desk, FAR, {MAIN: Price(input=2.5, output=10), READER: Price(input=0.15, output=0.6)})
    addresses = ["1/-1..0", "1/dir", "1/0.card", "1/idea", "1/nov"]
    before = {a: s.planner.to_refresh([a], again=True) for a in addresses}
    for prompt, model in (("coi_trend", MAIN), ("coi_direction", MAIN), ("coi_read", READER), ("coi_idea", MAIN), ("coi_final_idea", MAIN),
                          ("coi_novelty_queries", MAIN), ("coi_novelty_verdicts", MAIN)):  # fmt: skip
        s.core.file.commit(calls=calls(prompt, [(300, 40)] * 5, model))
    for a in addresses:
        guess, after = before[a], s.planner.to_refresh([a], again=True)
        assert after.usd is not None
        assert guess.usd is not None
        assert after.usd.expected < guess.usd.expected
        assert after.stop_usd == guess.stop_usd
        assert s.runs.budget_for(after, None).usd == guess.stop_usd
        assert re.fullmatch(r"the job stops and asks at \$[\d.]+", stops(guess))
        assert stops(after) == stops(guess)
    run = s.planner.to_stage("review")
    assert run.usd is not None
    assert run.stop_usd is not None
    assert run.stop_usd >= 1.2 * run.usd.expected


def test_a_small_attached_pdf_leaves_room_for_a_long_reply(desk: Desk) -> None:
    s = desk.session
    asked_at(desk, FAR, {READER: Price(input=0.15, output=0.6)})
    before = s.planner.to_refresh(["1/0.card"], again=True).stop_usd
    s.decisions.attach("1/0", asyncio.run(read_pdf("x.pdf", pdf_of("Any"))))
    assert s.planner.to_refresh(["1/0.card"]).stop_usd == before
