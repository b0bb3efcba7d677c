"""Moves that are refused, marks of rows, sentences, verification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coi_tui.model.address import slot
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.session.queries.history import shelf, versions
from coi_tui.session.session import Session
from tests.support.desk import Desk, chains, copy_of, version_at
from tests.support.state_dump import dump

from .moves import decided


def test_a_merged_idea_has_both_as_parents_and_undo_takes_it_back(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    one, two = session.state.in_use("1/idea"), session.state.in_use("2/idea")
    assert one is not None
    assert two is not None
    text = session.edits.text_of("1/idea").replace("## final\n", "## final\nOf both. ")
    decision = session.edits.save("1/idea", text, other=two.seq, reason="why")
    merged = version_at(session, "1/idea")
    assert (merged.origin, merged.parents) == ("merged", (one.seq, two.seq))
    assert decision.reason == "why"
    assert versions(session.state, "1/idea")[0].parents == ("v1", "2/idea v1")
    assert session.freshness("A/1-2").status == "stale"
    assert session.verify() == []
    session.undo()
    assert session.state.in_use("1/idea") == one


OTHER = Paper(id="arXiv:1", title="A paper of one's own", year=2017)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small")


def first_in(s: Session, address: str) -> str:
    paper = chains(s).slot(address).paper
    assert paper is not None
    return paper


def old_paper(s: Session) -> Paper:
    return OTHER.model_copy(update={"year": 1950})


REFUSED: dict[str, Callable[[Session], Any]] = {
    "accept an empty slot": decided("accept", "1/+2"),
    "accept what was never made": lambda s: s.decide(
        "accept", "2/exp" if s.state.in_use("2/exp") is None else "1/exp"
    ),
    "accept twice": decided("accept", "1/0"),
    "reject an empty slot": decided("reject", "1/+2"),
    "reject a card": decided("reject", "1/0.card"),
    "choose for a text": decided("choose", "1/idea", "1"),
    "choose what is not listed": decided("choose", "1/+1", "no such paper anywhere"),
    "choose a rank too high": decided("choose", "1/+1", "99"),
    "choose a paper twice": lambda s: s.decide("choose", "1/+1", first_in(s, "1/-1")),
    "pin into a text": lambda s: s.decide("pin", "1/idea", paper=OTHER),
    "pin a paper twice": lambda s: s.decide(
        "pin", "1/+1", paper=s.state.papers[first_in(s, "1/-1")]
    ),
    "pin against the order": lambda s: s.decide("pin", "1/+1", paper=old_paper(s)),
    "pin away from the chain": lambda s: s.decide("pin", "1/+3", paper=OTHER),
    "keep what is fresh": decided("keep", "1/idea"),
    "keep what was never made": decided("keep", "1/+7.card"),
    "adopt no version": decided("use", "1/idea", 9999),
    "edit a report": lambda s: s.edits.save("1/nov", "x"),
    "merge a plan into an idea": lambda s: s.edits.save(
        "1/idea",
        "Of both.",
        other=next(s.state.cell(a).versions[0] for a in ("1/exp", "2/exp") if s.state.in_use(a)),
    ),
    "merge what is not there": lambda s: s.edits.save("1/idea", "Of both.", other=99999),
    "edit to nothing": lambda s: s.edits.save("1/-1..0", "  \n"),
    "read the text of a slot": lambda s: s.edits.text_of("1/0"),
    "mark a point that is not there": decided("tick", "1/review", 99),
    "reopen what is not on the shelf": decided("reopen", "1", "p"),
    "undo nothing": lambda s: s.undo(),
    "redo nothing": lambda s: s.redo(),
    "refresh a slot": lambda s: s.planner.to_refresh(["1/0"]),
    "an unknown stage": lambda s: s.planner.to_stage("dinner"),
    "an unknown address": lambda s: s.resolve("nonsense"),
    "a trend that is not there": lambda s: s.resolve("1/t7"),
    "pick what was never made": decided("pick", "7/idea"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_move_that_makes_no_sense_says_so_and_changes_nothing(case: str, desk: Desk) -> None:
    act = REFUSED[case]
    if case == "accept twice":
        desk.session.decide("accept", "1/0")
    before, log = dump(desk.state), list(desk.session.journal.entries)
    with pytest.raises(UsageError) as error:
        act(desk.session)
    assert error.value.message.endswith(".")
    assert "\n" not in error.value.message
    assert desk.session.journal.entries == log
    assert dump(desk.state) == before
    assert desk.session.verify() == []


def test_choosing_by_rank_id_or_title_accepts_and_puts_the_old_one_on_the_shelf(desk: Desk) -> None:
    s = desk.session
    listed = [e["paper"] for e in desk.content("1/+1.cands")["entries"]]
    old, new = chains(s).slot("1/+1").paper, listed[1]
    assert old == listed[0]
    s.decide("choose", "1/+1", "2", reason="closer to the topic")
    assert (chains(s).slot("1/+1").paper, chains(s).slot("1/+1").verdict) == (
        new,
        "accepted",
    )
    assert [(i.paper, i.kind, i.reason) for i in chains(s).shelf] == [
        (old, "replaced", "closer to the topic")
    ]
    assert chains(s).slot("1/+1").why["link"] == "cites"
    s.undo()
    s.decide("choose", "1/+1", s.state.papers[new].title[:12].upper())
    assert chains(s).slot("1/+1").paper == new


def test_a_rejected_paper_is_not_proposed_again_until_it_is_reopened(desk: Desk) -> None:
    s = desk.session
    gone = first_in(s, "1/+1")
    s.decide("reject", "1/+1", reason="too far off")
    desk.run("chains")
    assert chains(s).slot("1/+1").paper not in (gone, None)
    s.decide("reject", "1/+1", reason="this one too")
    desk.refresh(["1/+1.cands"], again=True)
    desk.run("chains")
    assert chains(s).slot("1/+1").paper != gone
    s.decide("reopen", "1", gone)
    assert gone not in chains(s).rejected(1)


def test_a_paper_is_kept_out_of_the_session_and_one_undo_lets_it_in(desk: Desk) -> None:
    s = desk.session
    before = dump(s.state)
    s.decide("avoid", "X", reason="not this one", paper=OTHER)
    assert all(OTHER.id in chains(s).rejected(b) for b in s.state.branches)
    assert s.state.papers[OTHER.id].title == OTHER.title
    line = shelf(s.state, s.journal.entries)[0]
    assert (line.where, line.title, line.item.reason) == ("all", OTHER.title, "not this one")
    with pytest.raises(UsageError, match="already"):
        s.decide("avoid", "X", paper=OTHER)
    here = s.state.papers[first_in(s, "1/0")]
    with pytest.raises(UsageError, match="in use at 1/0"):
        s.decide("avoid", "X", paper=here)
    s.decide("reject", "1/0")
    s.decide("avoid", "X", paper=here)
    desk.run("anchors")
    assert chains(s).slot("1/0").paper not in (here.id, None)
    s.undo()
    s.undo()
    assert s.undo().startswith("reject X")
    assert {k: v for k, v in dump(s.state).items() if k != "papers"} == {
        k: v for k, v in before.items() if k != "papers"
    }
    assert s.verify() == []


def test_the_reason_of_every_move_is_cleaned(desk: Desk) -> None:
    """Text from outside has one border: no move lets a control sequence into the log."""
    s, hostile = desk.session, " odd \x1b]52;c;eA==\x07\x1b[2Jreason "
    s.decide("accept", "1/0", reason=hostile)
    s.decide(
        "pin",
        "1/+1",
        reason=hostile,
        paper=OTHER.model_copy(update={"year": (chains(s).paper_in(slot(1, 0)) or OTHER).year}),
    )
    s.decide("pick", "1/idea", reason=hostile)
    s.edits.save("1/-1..0", "my trend", reason=hostile)
    s.decide("reject", "2/-1", reason=hostile)
    reasons = [d.reason for d in s.decision_log() if d.actor == "you" and not d.creation]
    assert len(reasons) == 6
    assert set(reasons) == {"odd reason"}


def test_what_is_available_is_what_the_write_takes(tmp_path: Path) -> None:
    """Allowed for a screen is allowed for the write, and a refusal says the same reason."""
    session = copy_of(tmp_path, "one", "experiment").session
    for row in session.rows():
        refusals = session.refusals(row.address)
        for verb in ("accept", "reject", "protect", "fork", "keep", "set_aside", "pick"):
            if not refusals[verb]:
                session.decide(verb, row.address)
                session.undo()
                continue
            with pytest.raises(UsageError) as refused:
                session.decide(verb, row.address)
            assert refusals[verb] in refused.value.message, (row.address, verb)
