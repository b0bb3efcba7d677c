"""COI-12: the novelty check: what it searches for, when it concludes, and what a failed check
leaves standing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.ideas.novelty import INCONCLUSIVE, UNJUDGED, UNREAD, concluded
from coi_tui.model.content import ComparedPaper, IdeaClaim, NoveltySearch
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, copy_of
from tests.support.script import HashModel, close_match, verdicts
from tests.support.world import MemorySource, make_world

SHORT = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1})


def searched(*hits: int) -> list[NoveltySearch]:
    """One search with the whole idea, then one for each claim; -1 is a failed one."""
    return [
        NoveltySearch(
            query=f"q{n}",
            whole=n == 0,
            hits=max(number, 0),
            outcome="failed" if number < 0 else "ok" if number else "empty",
        )
        for n, number in enumerate(hits)
    ]


def compared(verdict: str, number: int, **more: Any) -> list[ComparedPaper]:
    return [ComparedPaper(paper=f"P{n}", verdict=verdict, **more) for n in range(number)]


FAR, UNREAD_ONE = compared("not close", 5), compared(UNJUDGED, 1, reason=UNREAD)


@pytest.mark.parametrize(
    ("rows", "searches", "verdict"),
    [
        (FAR, (3, 1), "not close"),
        ([*FAR, *compared("partial", 1)], (3, 1), "partial"),
        (FAR, (3, -1), INCONCLUSIVE),
        (FAR, (-1, 1), INCONCLUSIVE),
        ([], (-1, -1), INCONCLUSIVE),
        ([], (0, 0), INCONCLUSIVE),
        (FAR, (3, 0, 0), INCONCLUSIVE),
        (FAR, (3, 2, 0), INCONCLUSIVE),
        (FAR, (0, 2, 1), "not close"),
        ([*FAR, *UNREAD_ONE], (3, 1), INCONCLUSIVE),
        (FAR[:4], (3, 1), INCONCLUSIVE),
        ([*UNREAD_ONE, *compared("close match", 1)], (-1, -1), "close match"),
    ],
)
def test_coi12_a_report_concludes_only_where_everything_was_searched_and_read(
    rows: list[ComparedPaper], searches: tuple[int, ...], verdict: str
) -> None:
    claims = [IdeaClaim(text=f"{n}", queries=[f"q{n}"]) for n in range(1, len(searches))]
    found, why = concluded(rows, searched(*searches), claims, 5)
    assert found == verdict
    assert bool(why) == (verdict == INCONCLUSIVE)


def test_coi12_a_failed_search_makes_a_report_inconclusive(tmp_path: Path) -> None:
    source = MemorySource(make_world(), fails=lambda q: q.startswith("novelty 1"))
    desk = Desk.new(tmp_path, SHORT, source=source)
    assert desk.run("novelty").state == "done"
    report = desk.content("1/nov")
    assert report["verdict"] == INCONCLUSIVE
    assert {s["outcome"] for s in report["searches"]} == {"ok", "failed"}


@pytest.mark.parametrize("rounds", [1, 2])
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


def test_a_recheck_searches_again_and_marks_what_is_new(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "novelty")
    assert not any(row["new"] for row in desk.content("1/nov")["papers"])
    known = {row["paper"] for row in desk.content("1/nov")["papers"]}
    papers = desk.source.world.papers.values()
    other = next(paper.id for paper in papers if paper.abstract and paper.id not in known)
    desk.source.finds = lambda _query: [other]
    text = desk.session.edits.text_of("1/idea")
    desk.session.edits.save("1/idea", text.replace("## title\n", "## title\nMy "))
    desk.refresh()
    assert len([q for kind, q in desk.source.asked if kind == "search"]) == 3
    rows = desk.content("1/nov")["papers"]
    assert all(row["new"] == (row["paper"] not in known) for row in rows)
    assert any(row["new"] for row in rows)


def test_coi12_a_recheck_is_compared_with_the_report_in_use(tmp_path: Path) -> None:
    """Once an edit of the idea was undone that is not the newest one."""
    desk = copy_of(tmp_path, "one", "novelty")
    session, first = desk.session, desk.content("1/nov")["verdict"]
    title = session.edits.text_of("1/idea").replace("## title\n", "## title\nMy ")
    session.edits.save("1/idea", title)
    desk.model = HashModel({"coi_novelty_verdicts": close_match})
    desk.refresh(["1/nov"])
    second = desk.content("1/nov")
    assert second["verdict"] == "close match" != first
    assert f"was {first}" in second["since"]
    session.undo()
    assert desk.content("1/nov")["verdict"] == first
    desk.refresh(["1/nov"], again=True)
    third = desk.content("1/nov")
    assert third["verdict"] == "close match"
    assert f"was {first}" in third["since"]
