"""COI-12: the novelty check: when it concludes, what a failed check leaves standing, and the claims of
an idea with their passages."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.base.reply_models import ClaimVerdict
from coi_tui.methods.citing import contains_quote
from coi_tui.methods.ideas.novelty import (
    INCONCLUSIVE,
    MOST_CLAIMS,
    UNJUDGED,
    UNREAD,
    cells,
    closeness,
    concluded,
    of_person,
)
from coi_tui.methods.nova.method import Nova
from coi_tui.model.content import ClaimCell, ComparedPaper, IdeaClaim, NoveltyReport, NoveltySearch
from coi_tui.model.papers import Paper
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, copy_of, version_at
from tests.support.script import CLAIM_KINDS, HashModel, close_match, verdicts
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


@pytest.mark.parametrize("rounds", [1, 2])
def test_coi12_similar_for_ever_ends_at_its_bound(tmp_path: Path, rounds: int) -> None:
    desk = Desk.new(
        tmp_path,
        SHORT.model_copy(update={"novelty_rounds": rounds}),
        HashModel({"coi_novelty_verdicts": close_match}),
    )
    outcome = desk.run()
    assert outcome.state == "done"
    assert len(desk.state.cell("1/nov").versions) == rounds + 1, (
        "and once the idea that won is searched against"
    )
    assert len(desk.state.cell("1/idea").versions) == rounds
    assert desk.content("1/nov")["verdict"] == "close match"
    assert desk.marks() == {}
    assert desk.state.in_use("1/exp") is not None


def test_coi12_a_redraft_replaces_no_text_of_a_person(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SHORT, HashModel({"coi_novelty_verdicts": close_match}))
    desk.run("ideas")
    desk.session.decide("accept", "1/idea")
    mine = desk.content("1/idea")
    desk.run()
    assert desk.content("1/idea") == mine
    assert len(desk.state.cell("1/nov").versions) == 1


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
    before = version_at(desk.session, "1/nov")
    if edited:
        desk.edits.save(
            "1/idea", desk.edits.text_of("1/idea").replace("## title\n", "## title\nMy ")
        )
    failing_source(desk)
    calls = len(desk.model.of("coi_novelty_verdicts"))
    outcome = desk.refresh(["1/nov"], again=True)
    assert outcome.failed["1/nov"].startswith("1 of 3 searches failed.")
    assert desk.state.in_use("1/nov") == before
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
    assert desk.state.in_use("A/1-2") is not None
    assert any(desk.state.in_use(f"{b}/exp") for b in (1, 2))


TEXT = "Sparse Gates. We train “gates” that drop passages – before reading – so that half of the cost is saved. Graphs do not help."
PAPER = Paper(id="DOI:1/x", title="Sparse Gates", abstract=TEXT.removeprefix("Sparse Gates. "))


@pytest.mark.parametrize(
    ("passage", "found"),
    [
        ("gates that drop passages", True),
        ('We train "Gates" that  drop passages - before reading', True),
        ("Sparse Gates we train", True),
        ("train gates ... half of the cost is saved.", True),
        ("half of the cost […] train gates", False),
        ("gates that drop documents", False),
        ("ates that drop passages", False),
        ("drop passages", False),
        ("half-cost gates", False),
        ("...", False),
        ("", False),
    ],
)
def test_a_passage_stands_in_a_text_word_for_word(passage: str, found: bool) -> None:
    assert contains_quote(passage, TEXT) == found


def said(claim: int, judgement: Any, passage: str = "gates that drop passages") -> ClaimVerdict:
    return ClaimVerdict(claim=claim, passage=passage, judgement=judgement)


def test_a_passage_that_does_not_stand_in_the_paper_is_dropped_and_the_cell_says_what_was_said() -> (
    None
):
    first, second, third, fourth = cells(
        [said(1, "same"), said(2, "same", "made up by the model"), said(4, "overlaps", "")],
        4,
        PAPER,
    )
    assert first == ClaimCell(claim=1, judgement="same", passage="gates that drop passages")
    assert second == ClaimCell(claim=2, claimed="same")
    assert third == ClaimCell(claim=3)
    assert fourth == ClaimCell(claim=4, claimed="overlaps")


def test_a_claim_that_is_judged_twice_and_differently_has_no_passage_and_one_that_is_not_there_is_ignored() -> (
    None
):
    assert cells(
        [said(1, "same"), said(1, "different"), said(1, "same"), said(7, "same")], 1, PAPER
    ) == [ClaimCell(claim=1)]
    assert cells([said(1, "same"), said(1, "same")], 1, PAPER)[0].judgement == "same"


def row(word: str) -> ClaimCell:
    """``same``; ``-`` for none; ``!same`` where the passage was dropped."""
    if word.startswith("!"):
        return ClaimCell(claimed=word[1:])
    return ClaimCell() if word == "-" else ClaimCell(judgement=word)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("same same - -", "close match"),
        ("same - - same", "close match"),
        ("same - - -", "partial"),
        ("overlaps same same same", "partial"),
        ("same !same - -", "partial"),
        ("!same - - -", "partial"),
        ("- overlaps - -", "partial"),
        ("different different - -", "not close"),
        ("!different - - -", "not close"),
        ("- - - -", "not close"),
    ],
)
def test_the_verdict_follows_from_the_cells(words: str, verdict: str) -> None:
    assert closeness([row(word) for word in words.split()], CLAIM_KINDS) == verdict


@pytest.mark.parametrize(
    ("same", "verdict"),
    [
        (("problem", "mechanism"), "close match"),
        (("mechanism", "why it works"), "partial"),
        ((), "not close"),
    ],
)
def test_nova_10_close_is_the_same_problem_and_the_same_approach(
    same: tuple[str, ...], verdict: str
) -> None:
    words = [row("same" if kind in same else "different") for kind in CLAIM_KINDS]
    assert closeness(words, CLAIM_KINDS, Nova.novelty.wanted) == verdict


def test_claims_of_a_person_are_read_line_by_line() -> None:
    rows = [
        {
            "name": "Mechanism",
            "description": "Gates drop passages before they are read by the large model.",
        },
        {"name": "A line: of its own", "description": "with more"},
        {"name": "Anything", "description": ""},
    ]
    first, second, third = of_person(rows)
    assert (first.kind, first.text) == ("mechanism", rows[0]["description"])
    assert {"gates", "passages"} <= set(first.queries[0].lower().split())
    assert (second.kind, second.text) == ("", "A line: of its own: with more")
    assert (third.kind, third.text, third.queries) == ("", "Anything", ["anything"])
    assert of_person(None) == []
    assert len(of_person([rows[0]] * 20)) == MOST_CLAIMS


# In a session


OWN = "- mechanism: gates drop passages\n- why it works: most passages are never used\n- setting: question answering"


def test_a_persons_claims_make_the_report_stale_and_are_kept_through_every_check(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "one")
    assert desk.marks() == {}
    before = len(desk.model.of("coi_novelty_queries"))
    desk.edits.save("1/claims", OWN)
    assert desk.session.freshness("1/nov").status == "stale"
    assert desk.session.freshness("1/idea").status == "fresh"
    for _ in range(2):
        outcome = desk.refresh(["1/nov"], again=True)
        assert outcome.failed == {}
        report = desk.state.read("1/nov", NoveltyReport)
        assert report is not None
        assert report.claims_by == "you"
        assert [claim.kind for claim in report.claims] == ["mechanism", "why it works", "setting"]
        assert [s.claim for s in report.searches] == [1, 2, 3, 0]
        assert report.searches[0].query == "gates drop passages"
        assert desk.session.freshness("1/nov").status == "fresh"
    assert len(desk.model.of("coi_novelty_queries")) == before, "they are not asked for"
    desk = desk.reopen()
    assert desk.edits.text_of("1/claims") == OWN
    while "claims" not in desk.session.undo():
        pass  # each check that was made anew
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    assert report.claims_by == "", "the report from before them is in use again"
