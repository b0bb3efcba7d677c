"""COI-12: the novelty check: what it searches for, when it concludes, and what a failed check
leaves standing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, copy_of
from tests.support.script import HashModel, close_match, verdicts
from tests.support.world import MemorySource, make_world

SHORT = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1})


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_coi12_similar_for_ever_ends_at_its_bound(tmp_path: Path, rounds: int) -> None:
    desk = Desk.new(
        tmp_path,
        SHORT.model_copy(update={"novelty_rounds": rounds}),
        HashModel({"coi_novelty_verdicts": close_match}),
    )
    outcome = desk.run()
    assert outcome.state == "done"
    assert len(desk.session.state.cell("1/nov").versions) == rounds + 1, (
        "and once the idea that won is searched against"
    )
    assert len(desk.session.state.cell("1/idea").versions) == rounds
    assert desk.content("1/nov")["verdict"] == "close match"
    assert desk.marks() == {}
    assert desk.session.state.in_use("1/exp") is not None


def test_coi12_a_redraft_replaces_no_text_of_a_person(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SHORT, HashModel({"coi_novelty_verdicts": close_match}))
    desk.run("ideas")
    desk.session.decide("accept", "1/idea")
    mine = desk.content("1/idea")
    desk.run()
    assert desk.content("1/idea") == mine
    assert len(desk.session.state.cell("1/nov").versions) == 1


@pytest.mark.parametrize(
    ("fails", "empty", "why"),
    [
        (lambda q: q.startswith("novelty"), lambda _: False, "2 of 3 searches failed"),
        (lambda q: q.startswith("novelty 1"), lambda _: False, "1 of 3 searches failed"),
        (
            lambda _: False,
            lambda q: q.startswith("novelty"),
            "2 phrases for its claims found nothing",
        ),
        (
            lambda _: False,
            lambda q: not q.startswith("question"),
            "found nothing that could be compared",
        ),
        (
            lambda q: q.startswith("novelty 0"),
            lambda q: q.startswith("novelty 1"),
            "1 of 3 searches failed",
        ),
    ],
)
def test_coi12_empty_and_failed_searches_are_inconclusive(
    tmp_path: Path, fails: Any, empty: Any, why: str
) -> None:
    desk = Desk.new(tmp_path, SHORT, source=MemorySource(make_world(), fails=fails, empty=empty))
    assert desk.run("novelty").state == "done"
    report = desk.content("1/nov")
    assert report["verdict"] == "INCONCLUSIVE"
    assert why in report["why"]
    outcomes = {s["query"][:9]: s["outcome"] for s in report["searches"]}
    assert set(outcomes.values()) <= {"ok", "empty", "failed"}


def test_coi12_a_close_match_is_one_even_where_another_search_failed(tmp_path: Path) -> None:
    source = MemorySource(make_world(), fails=lambda q: q.startswith("novelty 1"))
    desk = Desk.new(
        tmp_path,
        SHORT.model_copy(update={"novelty_rounds": 1}),
        HashModel({"coi_novelty_verdicts": close_match}),
        source,
    )
    desk.run("novelty")
    assert desk.content("1/nov")["verdict"] == "close match"


def test_coi12_verdicts_that_cannot_be_read_are_inconclusive(tmp_path: Path) -> None:
    def without_the_last(request: ChatRequest) -> Any:
        said = verdicts("not close")(request)
        return {**said, "verdicts": said["verdicts"][:-1]} if said["verdicts"][1:] else "?"

    odd = SHORT.model_copy(update={"branches": 1, "novelty_queries": 1, "novelty_hits": 3})
    world = make_world()
    source = MemorySource(world, finds=lambda _query: world.middle[:3])
    desk = Desk.new(tmp_path, odd, HashModel({"coi_novelty_verdicts": without_the_last}), source)
    assert desk.run("novelty").failed == {}
    report = desk.content("1/nov")
    assert report["verdict"] == "INCONCLUSIVE"
    assert report["why"] == "1 of 3 verdicts could not be read."
    assert report["judged"] == 2


def test_coi12_where_no_verdict_can_be_read_the_step_fails(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SHORT, HashModel({"coi_novelty_verdicts": lambda _: "?"}))
    outcome = desk.run("novelty")
    assert outcome.failed
    assert all(address.endswith("/nov") for address in outcome.failed)
    assert desk.session.state.in_use("1/nov") is None


def damaged(change: str, request: ChatRequest) -> Any:
    """The first verdict of a reply missing, given twice and differently, for a label that was not
    shown, or of no allowed value."""
    said = verdicts("not close")(request)
    first = said["verdicts"][0]
    match change:
        case "missing":
            said["verdicts"] = said["verdicts"][1:]
        case "twice":
            said["verdicts"].append({**first, "reason": "on second thoughts"})
        case "unknown":
            first["id"] = "Q7"
        case "unreadable":
            first["claims"] = "perhaps"
    return said


@pytest.mark.parametrize("change", ["missing", "twice", "unknown", "unreadable"])
def test_coi12_a_verdict_that_is_missing_is_asked_for_once_more_by_itself(
    tmp_path: Path, change: str
) -> None:
    def once(request: ChatRequest) -> Any:
        papers: Any = request.values["papers"]
        return damaged(change, request) if len(papers) > 1 else verdicts("not close")(request)

    desk = Desk.new(tmp_path, SHORT, HashModel({"coi_novelty_verdicts": once}))
    assert desk.run("novelty").failed == {}
    report = desk.content("1/nov")
    assert report["judged"] == len(report["papers"])
    asked = desk.model.of("coi_novelty_verdicts")
    papers: list[Any] = [request.values["papers"] for request in asked]
    again = [shown for shown in papers if len(shown) == 1]
    assert len(again) == len(papers) // 2, "the missing one alone, once for each reply"
    assert {shown[0]["id"] for shown in again} == {"P1"}
    assert [
        r.schema["$defs"]["PaperVerdict"]["properties"]["id"]["enum"]
        for r in asked
        if r.values["papers"] == again[0]
    ] == [["P1"]]


@pytest.mark.parametrize(("on_topic", "verdict"), [(4, "INCONCLUSIVE"), (5, "partial")])
def test_coi12_too_few_papers_on_the_topic_are_inconclusive(
    tmp_path: Path, on_topic: int, verdict: str
) -> None:
    told = 0

    def some_on_topic(request: ChatRequest) -> dict[str, Any]:
        nonlocal told
        said: dict[str, Any] = verdicts("not close", "partial")(request)
        for row in said["verdicts"]:
            row["on_topic"] = told < on_topic
            told += 1
        return said

    desk = copy_of(tmp_path, "one", "ideas")
    desk.model.say["coi_novelty_verdicts"] = some_on_topic
    desk.run("novelty")
    report = desk.content("1/nov")
    assert report["judged"] > 5
    assert (report["verdict"], report["on_topic"], report["floor"]) == (verdict, on_topic, 5)
    if verdict == "INCONCLUSIVE":
        assert report["why"] == "Only 4 papers on the topic were judged; 5 are needed."


# A check that fails while a report stands


def failing_source(desk: Desk) -> None:
    desk.source = MemorySource(desk.world, fails=lambda q: q.startswith("novelty 1"))


@pytest.mark.parametrize("edited", [False, True])
def test_coi12_a_failed_recheck_leaves_the_report_that_stands(tmp_path: Path, edited: bool) -> None:
    desk = copy_of(tmp_path, "one")
    before = desk.session.state.in_use("1/nov")
    assert before is not None
    if edited:
        desk.session.edits.save(
            "1/idea", desk.session.edits.text_of("1/idea").replace("## title\n", "## title\nMy ")
        )
    failing_source(desk)
    calls = len(desk.model.of("coi_novelty_verdicts"))
    outcome = desk.refresh(["1/nov"], again=True)
    assert outcome.failed["1/nov"].startswith("1 of 3 searches failed.")
    assert desk.session.state.in_use("1/nov") == before
    assert len(desk.model.of("coi_novelty_verdicts")) == calls, "no verdict is paid for"


def test_coi12_a_recheck_that_fails_in_a_run_does_not_hold_up_the_matches(tmp_path: Path) -> None:
    rounds = 0

    def fails(query: str) -> bool:
        nonlocal rounds
        rounds += query.startswith("novelty 0")
        return query.startswith("novelty 0") and rounds > 2

    two = SHORT.model_copy(update={"branches": 2, "novelty_rounds": 3})
    desk = Desk.new(
        tmp_path,
        two,
        HashModel({"coi_novelty_verdicts": close_match}),
        MemorySource(make_world(), fails=fails),
    )
    outcome = desk.run("review")
    assert set(outcome.failed) == {"1/nov", "2/nov"}
    assert desk.content("1/nov")["verdict"] == "close match"
    assert desk.session.state.in_use("A/1-2") is not None
    assert any(desk.session.state.in_use(f"{b}/exp") for b in (1, 2))


def test_check30_a_recheck_searches_again_and_marks_what_is_new(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "novelty")
    assert not any(row["new"] for row in desk.content("1/nov")["papers"])
    known = {row["paper"] for row in desk.content("1/nov")["papers"]}
    desk.session.edits.save(
        "1/idea", desk.session.edits.text_of("1/idea").replace("## title\n", "## title\nMy ")
    )
    desk.refresh()
    assert len([q for kind, q in desk.source.asked if kind == "search"]) == 3
    rows = desk.content("1/nov")["papers"]
    assert all(row["new"] == (row["paper"] not in known) for row in rows)
    assert any(row["new"] for row in rows)
