"""COI-12: the search against an idea: what it asks, what it adds to a report, and what it leaves
standing."""

from pathlib import Path
from typing import Any

from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.base.reply_models import AgainstQuery
from coi_tui.methods.ideas.novelty import new_queries
from coi_tui.model.content import NoveltyReport
from coi_tui.present.snapshot import WITH_APPENDIX
from tests.support.desk import Desk, copy_of
from tests.support.world import MemorySource, make_world


def against(desk: Desk) -> Outcome:
    return desk.do(desk.planner.to_check("against", "1/idea"))


def checked(tmp_path: Path, **source: Any) -> Desk:
    """A session with a report whose two papers are all that a plain search finds; a search against
    the idea finds two others."""
    desk = copy_of(tmp_path, "one", "ideas")
    middle = make_world().middle
    finds = lambda q: middle[2:4] if q.startswith("against") else middle[:2]  # noqa: E731
    desk.source = MemorySource(make_world(), **{"finds": finds, **source})
    desk.run("novelty")
    desk.model.requests.clear()
    return desk


def report(desk: Desk) -> NoveltyReport:
    found = desk.state.read("1/nov", NoveltyReport)
    assert found is not None
    return found


def test_it_goes_on_with_the_report_and_judges_only_what_that_did_not_have(tmp_path: Path) -> None:
    desk = checked(tmp_path)
    before, session = report(desk), desk.session
    old = [row.paper for row in before.papers]
    plan = session.planner.to_check("against", "1/nov")
    assert plan.calls == (1, 2 * (1 + 1))
    assert against(desk).state == "done"
    after = report(desk)
    assert desk.model.sent == ["coi_search_against", "coi_novelty_verdicts"]
    judged: Any = desk.model.of("coi_novelty_verdicts")[0].values["papers"]
    assert len(judged) == 2
    assert after.claims == before.claims
    assert [row.new for row in sorted(after.papers, key=lambda row: row.paper in old)] == [
        True,
        True,
        False,
        False,
    ]
    assert {row.paper: row.verdict for row in before.papers}.items() <= {
        row.paper: row.verdict for row in after.papers
    }.items()
    told = [s for s in after.searches if s.angle]
    assert {s.angle for s in told} == {"own words", "other words", "other field", "opposite"}
    assert [(s.hits, s.date, s.whole, s.claim) for s in told] == [(2, "2026-01-01", False, 0)] * 6
    assert after.searches[: len(before.searches)] == before.searches
    assert all(row.found_by == [s.query for s in told] for row in after.papers if row.new)
    assert desk.marks() == {}
    text = session.exports.text("md", WITH_APPENDIX)
    assert all(s.angle in text for s in told)


def test_without_a_report_of_the_idea_as_it_stands_the_whole_check_is_made(tmp_path: Path) -> None:
    desk = checked(tmp_path)
    desk.edits.save(
        "1/idea", desk.edits.text_of("1/idea").replace("## title\n", "## title\nAnother ")
    )
    plan = desk.planner.to_check("against", "1/idea")
    assert plan.calls[0] > 1, "the idea is checked as well"
    assert against(desk).state == "done"
    assert desk.model.sent[:2] == ["coi_novelty_queries", "coi_search_against"]
    after = report(desk)
    assert len(after.papers) == 4
    assert [bool(s.angle) for s in after.searches] == [False] * 3 + [True] * 6
    assert desk.session.freshness("1/nov").ok


def test_a_run_searches_once_against_the_idea_that_won_and_not_against_one_that_a_person_holds(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "full", "selection")
    due = next(line for line in desk.planner.to_stage("experiment").lines if "against" in line.what)
    assert due.cost.calls[0] == 1
    desk.run("experiment")
    (asked,) = desk.model.of("coi_search_against")
    assert desk.state.in_use(asked.address.replace("/nov", "/exp")) is not None, (
        "the idea that won has the plan"
    )
    desk.run("review")
    assert len(desk.model.of("coi_search_against")) == 1
    held = copy_of(tmp_path / "held", "one", "selection")
    held.session.decide("accept", "1/idea")
    held.run("experiment")
    assert held.model.of("coi_search_against") == []


def test_a_query_that_was_searched_is_not_new_whatever_its_capitals() -> None:
    asked = [
        AgainstQuery(angle="own words", query=query)
        for query in ("Sparse gates", "gates that wait", "SPARSE GATES", "other words")
    ]
    new = new_queries(asked, ["Gates that wait"])
    assert [one.query for one in new] == ["Sparse gates", "other words"]
