"""Two people and one session: the file for a second reader, what they decide in it, and what comes
back."""

import json
import sqlite3
from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.sketches import ranking_of
from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Decision
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.readers import review_of
from coi_tui.present.comparisons import CRITERIA
from coi_tui.session.second_reader import load_review, merge, reports, write_review
from coi_tui.session.session import Session
from coi_tui.session.wording import Verdict
from tests.support.desk import Desk, bare, chains, copy_of, ticking

WORD = "nobody-else-may-read-this"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A finished session in which its person decided, with reasons and notes."""
    desk = copy_of(tmp_path / "one")
    session = desk.session
    session.decide("note", "1/idea", f"{WORD} note")
    session.decide("accept", "1/-1", reason=f"{WORD} kept")
    session.decide("reject", "1/+2", reason=f"{WORD} a survey")
    session.edits.save("1/dir", "A direction in my own words.", reason=f"{WORD} mine")
    session.decide("accept", "1/idea")
    session.decide("set_aside", "3", reason=f"{WORD} weak")
    session.decide("vote", "A/1-2", {"criteria": list(CRITERIA), "winner": 1})
    return desk


def packed(desk: Desk, folder: Path, reader: str = "Ana") -> Session:
    """The second reader's file, open at theirs."""
    folder.mkdir(exist_ok=True)
    path = folder / "pack.coi.db"
    write_review(desk.session, reader, path)
    return Session.open(str(path), bare(folder, ticking()))


def closed(session: Session) -> Path:
    session.close()
    return session.file.path


def test_the_file_is_blind(desk: Desk, tmp_path: Path) -> None:
    ana = packed(desk, tmp_path / "two")
    state, own = ana.state, desk.state
    for address, cell in own.cells.items():
        used = own.in_use(address)
        if used is None or address == ranking_of(own):
            continue
        there = state.in_use(address)
        assert there is not None, address
        if not address.startswith("A/") and not address.endswith("/review"):
            assert there.content == used.content, address
        assert (there.origin, there.actor) == ("reviewed", "coi")
        assert cell.versions
    assert {a: p.paper for a, p in Chains.of(state).slots.items() if p.paper} == {
        a: p.paper for a, p in Chains.of(own).slots.items() if p.paper
    }
    assert {p.verdict for p in Chains.of(state).slots.values() if p.paper} == {"proposed"}
    assert not any((state.notes, state.votes, state.parked, Chains.of(state).shelf, state.pick))
    assert not any(cell.accepted for cell in state.cells.values())
    verdicts = {row.verdict for row in ana.rows() if row.address != "topic"}
    assert not verdicts & {Verdict.ACCEPTED, Verdict.PINNED, Verdict.REJECTED}
    assert "hidden until you have voted" in "".join(row.title for row in ana.rows())
    assert not ana.verify()
    assert [a for a, f in ana.fresh.items() if f.status in ("stale", "upstream")] == []
    path = closed(ana)
    with sqlite3.connect(path) as db:
        whole = "".join(str(row) for row in db.iterdump())
        assert [
            db.execute(f"SELECT count(*) FROM {t}").fetchone() for t in ("calls", "drafts")
        ] == [
            (0,),
            (0,),
        ]
    assert WORD not in whole
    for word in ('"straight"', '"scores"', '"person"', '"you"'):
        assert word not in whole


def decided_by_ana(ana: Session) -> None:
    ana.decide("reject", "1/-1", reason="off the topic")
    ana.decide("accept", "1/0")
    ana.undo()
    ana.decide("accept", "1/idea")
    ana.edits.save("1/dir", "Her direction.", reason="clearer")
    ana.decide("accept", "3/idea", reason="the best")
    ana.decide("vote", "A/1-2", {"criteria": [CRITERIA[0]], "winner": 2})
    ana.decide("vote", "A/1-2", {"criteria": [CRITERIA[1]], "winner": 1})
    ana.decide("note", "1/idea", "hers alone")


def test_both_decisions_stay_with_their_names(desk: Desk, tmp_path: Path) -> None:
    ana = packed(desk, tmp_path / "two")
    decided_by_ana(ana)
    session, path = desk.session, closed(ana)
    before = {a: session.state.in_use(a) for a in session.state.cells}
    slots = dict(chains(session).slots)
    assert merge(session, *load_review(path)) == 10
    assert {a: session.state.in_use(a) for a in before} == before
    assert chains(session).slots == slots
    assert session.undo_labels()[0], "what is undone next is still one's own"
    _, conflicts = reports(session)
    told = {(key[1], key[2]): (str(one), str(two)) for _, key, one, two in conflicts}
    paper = slots[cell_ref("1/-1")].paper
    assert told == {
        ("1/-1", ""): (f"accepted {paper}: {WORD} kept", f"rejected {paper}: off the topic"),
        ("3/idea", ""): (f"rejected: {WORD} weak", "accepted: the best"),
        ("A/1-2", CRITERIA[0]): ("1/idea, no reason given", "2/idea, no reason given"),
        ("session", ""): ("1/idea, no reason given", "3/idea: the best"),
    }
    hers = session.state.versions[session.state.cell("1/dir").versions[-1]]
    assert (hers.actor, hers.content["text"]) == ("reader:Ana", "Her direction.")
    session.decide("use", "1/dir", hers.seq)
    assert session.state.in_use("1/dir") == hers
    log = [e for e in session.journal.entries if isinstance(e, Decision)]
    assert not any("hers alone" in str(e.value) for e in log)
    assert not session.verify()


def test_a_file_that_comes_twice_adds_what_is_new(desk: Desk, tmp_path: Path) -> None:
    ana = packed(desk, tmp_path / "two")
    ana.decide("accept", "1/-1")
    session, path = desk.session, closed(ana)
    assert merge(session, *load_review(path)) == 1
    seq = session.state.seq
    assert merge(session, *load_review(path)) == 0
    assert session.state.seq == seq
    again = Session.open(str(path), ana.env)
    again.undo()
    again.decide("reject", "1/-1", reason="after all")
    assert merge(session, *load_review(closed(again))) == 2
    reopened = desk.reopen().session
    assert reports(reopened)[0] == [
        "Ana decided about 1 thing.",
        "Verdicts: 0 of 1 alike, kappa 0.00.",
    ]


def test_other_files_are_refused(desk: Desk, tmp_path: Path) -> None:
    session = desk.session
    with pytest.raises(UsageError, match="no second reader's file"):
        load_review(Desk.new(tmp_path / "three").closed())
    path = closed(packed(desk, tmp_path / "two"))
    other = Desk.new(tmp_path / "four", topic="another topic").session
    review, loaded = load_review(path)
    with pytest.raises(UsageError, match="another topic"):
        merge(other, review, loaded)
    with pytest.raises(UsageError, match="no name of a reader"):
        write_review(session, "../x\n", tmp_path / "x.coi.db")
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER log_no_update")
        db.execute("UPDATE log SET json = replace(json, 'proposed', 'x') WHERE seq = 3")
    with pytest.raises(CoiError, match=r"damaged|not sound"):
        load_review(path)


def test_a_review_of_a_review_is_one(desk: Desk, tmp_path: Path) -> None:
    """What a second reader's own session says of itself is the newest file's."""
    ana = packed(desk, tmp_path / "two")
    path = tmp_path / "again.coi.db"
    write_review(ana, "Bo", path)
    review, loaded = load_review(path)
    assert review.reader == "Bo"
    assert json.dumps(loaded.entries[0].model_dump(mode="json")).count('"reader"') == 1
    assert review_of(loaded.entries) == review
