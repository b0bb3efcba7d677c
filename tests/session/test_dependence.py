"""What depends on what, row by row: whole sets of addresses by status."""

from collections.abc import Callable
from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import pair, slot
from coi_tui.model.entries import Decision
from coi_tui.model.papers import Paper
from tests.support.desk import FULL, Desk, chains, made_once, ran, version_at
from tests.support.script import HashModel, judged
from tests.support.state_dump import dump

Move = Callable[[Desk], object]
BRANCHES, PLACES, NEXT = (1, 2, 3), (-2, -1, 0, 1, 2), (-2, -1, 1, 2)
AFTER_IDEA = {"1/nov", "A/1-2", "A/1-3", "1/exp"}
AFTER_DIR = AFTER_IDEA | {"1/rivals"}
SKETCHES = {f"1/sketch{n}" for n in range(1, 5)}
LEARNT = {"1/dir"} | SKETCHES
OF_PAPERS = LEARNT | {"1/rivals", "1/idea", "1/exp"}
TIES = {"coi_match": lambda _: judged(2)}


def first_wins(folder: Path) -> Desk:
    """A finished session of three branches in which every match is a tie, so that the plan is made
    for branch 1."""
    made = made_once("full-ties", lambda new: ran(Desk.new(new, FULL, HashModel(TIES)), "review"))
    return Desk.copied(made, folder, HashModel(TIES))


def everywhere(*names: str) -> set[str]:
    return {f"{b}/{name}" for b in BRANCHES for name in names}


def decided(verb: str, address: str, reason: str = "") -> Move:
    return lambda desk: desk.session.decide(verb, address, reason=reason)


def saved(address: str, text: str, *, wording_only: bool = False) -> Move:
    return lambda desk: desk.edits.save(address, text, wording_only=wording_only)


def reworded(address: str, old: str, new: str) -> Move:
    """A person edits a part of a text."""

    def act(desk: Desk) -> object:
        edits = desk.edits
        return edits.save(address, edits.text_of(address).replace(old, new))

    return act


def fitting(desk: Desk, address: str, linked: bool) -> Paper:
    """A paper of the world that may stand at an address of branch 1, and does or does not link to
    what lies beyond it."""
    state, world = desk.state, desk.world
    pos = {"1/0": 0, "1/-1": -1}[address]
    older, newer = (
        Chains.of(state).paper_in(slot(1, pos - 1)),
        Chains.of(state).paper_in(slot(1, pos + 1)),
    )
    assert older is not None
    assert newer is not None
    used = {s.paper for s in Chains.of(state).slots.values()}
    for paper in world.papers.values():
        fits = paper.id not in used and (older.year or 0) <= (paper.year or 0) <= (newer.year or 0)
        if fits and (older.id in world.cites[paper.id]) == linked:
            return paper
    raise AssertionError("the world has no such paper")


def pin_unlinked(address: str) -> Move:
    return lambda desk: desk.session.decide(
        "pin", address, paper=fitting(desk, address, linked=False)
    )


def correct(field: str) -> Move:
    def act(desk: Desk) -> None:
        text = desk.edits.text_of("1/0.card")
        old = str(desk.content("1/0.card")[field])
        desk.edits.save("1/0.card", text.replace(f"## {field}\n{old}", f"## {field}\nmended"))
        assert desk.content("1/0.card")[field] == "mended"

    return act


def tick_bad_case(desk: Desk) -> None:
    report = version_at(desk.session, "1/nov")
    value = {
        "report": report.seq,
        "paper": "p",
        "title": "A close paper",
        "reason": "the same core",
    }
    desk.session.journal.write([Decision(actor="you", action="tick", address="1/bad", value=value)])


def quiet_moves(desk: Desk) -> None:
    s = desk.session
    s.decide("note", "1/idea", "a note")
    s.decide("tick", "1/review", 1)
    s.decide("dismiss", "1/review", 2)
    s.decide("protect", "1/dir")
    s.decide("pick", "2/idea")
    for b in BRANCHES:
        for pos in PLACES:
            s.decide("accept", slot(b, pos))
    s.decide("reject", "3/idea")
    assert 3 in s.state.parked


ROWS: dict[str, tuple[Move, set[str], set[str]]] = {
    "change topic text": (
        saved("topic", "another topic"),
        {"reading", "Q1", "Q2", "Q3"}
        | everywhere("0.cands", *(f"{p:+d}.{part}" for p in NEXT for part in ("cands", "rel")))
        | {f"{slot(b, p)}.card" for b in BRANCHES for p in PLACES}
        | {pair(b, p) for b in BRANCHES for p in PLACES[:-1]}
        | everywhere("dir", "rivals", "idea", "nov")
        | everywhere(*(f"sketch{n}" for n in range(1, 5)))
        | {"A/1-2", "A/1-3", "A/2-3"},
        {"1/exp"} | {slot(b, p) for b in BRANCHES for p in PLACES},  # suggestions only
    ),
    "edit a question": (
        saved("Q1", "another question"),
        {"1/0.cands"},
        {"1/0"},
    ),
    "drop a question": (
        decided("reject", "Q1", "no"),
        {"1/0.cands"},
        {"1/0"},
    ),
    "reject the anchor": (
        decided("reject", "1/0", "off topic"),
        {"1/-1.cands", "1/+1.cands"} | OF_PAPERS,
        AFTER_IDEA - {"1/exp"} | {"1/-1.rel", "1/+1.rel"},
    ),
    "replace the anchor": (
        pin_unlinked("1/0"),
        {"1/-1.cands", "1/+1.cands"} | OF_PAPERS,
        AFTER_IDEA - {"1/exp"} | {"1/-1.rel", "1/+1.rel"},
    ),
    "reject -1": (
        decided("reject", "1/-1", "no"),
        {"1/-2.cands", "1/-2..-1", "1/-1..0"} | OF_PAPERS,
        AFTER_IDEA - {"1/exp"} | {"1/-2", "1/-2.rel"},
    ),
    "pin a paper at -1": (
        pin_unlinked("1/-1"),
        {"1/-2.cands", "1/-1..0"} | OF_PAPERS,
        AFTER_IDEA - {"1/exp"} | {"1/-2.rel"},
    ),
    "correct LIMITS in a card": (
        correct("limits"),
        {"1/-1..0", "1/0..+1", "1/idea"} | LEARNT,
        AFTER_DIR,
    ),
    "correct EXPERIMENT in a card": (correct("experiment"), {"1/exp"}, set()),
    "correct USE in a card": (correct("use"), SKETCHES, AFTER_IDEA | {"1/idea"}),
    "correct MOVE in a card": (
        correct("move"),
        {"1/-1..0", "1/0..+1", "1/idea"} | LEARNT,
        AFTER_DIR,
    ),
    "edit a trend": (
        saved("1/-1..0", "my trend"),
        LEARNT,
        AFTER_DIR | {"1/idea"},
    ),
    "edit a direction": (
        saved("1/dir", "## text\nmine\n\n## note\nmine\n"),
        {"1/rivals"} | SKETCHES,
        AFTER_IDEA | {"1/idea"},
    ),
    "edit a sketch": (
        saved("1/sketch1", "## sentence\nMine."),
        {"1/idea"},
        AFTER_IDEA,
    ),
    "pick another sketch": (
        decided("pick", "1/sketch2"),
        {"1/idea"},
        AFTER_IDEA,
    ),
    "edit an idea": (
        reworded("1/idea", "## title\n", "## title\nMy "),
        AFTER_IDEA,
        set(),
    ),
    "tick a bad example": (tick_bad_case, {"1/idea"}, AFTER_IDEA),
    # A review is of one version and never stale.
    "edit an experiment": (
        reworded("1/exp", "design ", "my design "),
        set(),
        set(),
    ),
    "note, tick a point, protect, pick, accept, park": (quiet_moves, set(), set()),
    "edit a trend as wording only": (
        saved("1/-1..0", "the same", wording_only=True),
        set(),
        set(),
    ),
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = first_wins(tmp_path)
    assert desk.marks() == {}
    assert [chains(desk.session).chain(b) for b in BRANCHES] == [list(PLACES)] * 3
    return desk


@pytest.mark.parametrize("row", ROWS)
def test_the_table_of_dependences(row: str, desk: Desk) -> None:
    act, stale, upstream = ROWS[row]
    before = dump(desk.state)
    act(desk)
    marks = desk.marks()
    assert marks.pop("stale", set()) == stale
    assert marks.pop("upstream", set()) == upstream
    new = {
        "replace the anchor": {"missing": {"1/0.card"}},
        "pin a paper at -1": {"missing": {"1/-1.card"}},
    }
    assert marks == new.get(row, {})  # a paper that was not there has no card yet
    assert desk.model.requests == []
    assert desk.source.asked == []
    if row != "change topic text":
        assert not [a for a in stale | upstream if a.startswith(("2/", "3/", "A/2-3", "Q2", "Q3"))]
    while desk.session.undo_labels()[0]:
        desk.session.undo()
    assert desk.marks() == {}
    assert dump(desk.state) == before
