"""What is said of a decision before it is made is what happens, row by row; and saying it writes
nothing."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import LISTS
from coi_tui.model.address import cell_ref
from coi_tui.model.errors import UsageError
from coi_tui.session.decisions.impact import NAMED, Impact
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, copy_of, made_once, ran
from tests.support.script import HashModel
from tests.support.state_dump import dump

from .moves import ACTS, BEFORE, ON, Move, moves
from .test_dependence import TIES

ASKED = ("emptied", "replaced", "detached", "gone", "stale", "parked", "unpicked")


def rows(session: Session) -> dict[str, str]:
    """Every slot with its paper, every text with whether it is up to date, every parked branch:
    what the tree shows."""
    state = session.state
    papers: dict[str, str] = {
        s.address: str(s.paper) for s in Chains.of(state).slots.values() if s.paper
    }
    fresh = {
        a: f
        for a, f in session.fresh.items()
        if cell_ref(a).kind != "slot" and state.in_use(a) is not None
    }
    texts = {
        a: "stale" if f.status in ("stale", "upstream") else "up to date" for a, f in fresh.items()
    }
    rejected = [
        f"branch {a[1:]}" for a, cell in state.cells.items() if cell.rejected and a.startswith("Q")
    ]
    left_out = dict.fromkeys([f"branch {b}" for b in state.parked] + rejected, "left out")
    return {
        **papers,
        **texts,
        **left_out,
        **({f"pick {state.pick}/idea": "picked"} if state.pick else {}),
    }


def told(changes: Impact, before: dict[str, str], after: dict[str, str]) -> dict[str, set[str]]:
    """The announcement and what happened, in the same words."""
    named = {
        "leaves": {
            *changes.of("emptied"),
            *changes.of("detached"),
            *changes.of("gone"),
            *(f"branch {b}" for b in changes.of("unparked")),
            *(f"pick {a}" for a in changes.of("unpicked")),
        },
        "comes": {
            *changes.of("placed"),
            *changes.of("returned"),
            *changes.of("added"),
            *(f"branch {b}" for b in changes.of("parked")),
            *(f"pick {a}" for a in changes.of("picked")),
        },
        "becomes stale": set(changes.stale),
        "becomes up to date": set(changes.of("fresh")),
        "holds another paper": set(changes.of("replaced")),
    }
    both = before.keys() & after.keys()
    moved = {a: (before[a], after[a]) for a in both if before[a] != after[a]}
    happened = {
        "leaves": before.keys() - after.keys(),
        "comes": after.keys() - before.keys(),
        "becomes stale": {a for a, move in moved.items() if move == ("up to date", "stale")},
        "becomes up to date": {a for a, move in moved.items() if move == ("stale", "up to date")},
        "holds another paper": {
            a for a, move in moved.items() if "stale" not in move and "up to date" not in move
        },
    }
    assert named == happened
    return named


def finished() -> Path:
    """A session in which everything was made that a decision could make stale; means
    were said."""
    return made_once("checked", _checked)


def _checked(folder: Path) -> Desk:
    desk = ran(Desk.new(folder, SMALL, HashModel(TIES)), "review")
    desk.edits.save("means", "2 GPUs")
    return desk


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("consequences")


@settings(max_examples=60)
@given(st.lists(moves, max_size=4), moves)
def test_what_was_announced_is_what_happened(folder: Path, before: list[Move], last: Move) -> None:
    session = Desk.copied(finished(), folder).session
    for name, address, word in before:
        with contextlib.suppress(UsageError):
            ACTS[name](session, address, word)
    check_announced(session, *last)
    session.close()


@pytest.mark.parametrize("name", sorted(ACTS))
def test_a_decision_of_each_kind_is_announced_as_it_happens(tmp_path: Path, name: str) -> None:
    session = Desk.copied(finished(), tmp_path).session
    for before in BEFORE.get(name, ()):
        ACTS[before](session, ON[before], "one")
    check_announced(session, name, ON[name], "one")
    written = session.decision_log()[-1]
    assert written.action == name.partition(":")[0]


def check_announced(session: Session, name: str, address: str, word: str) -> None:
    """Announce a move, make it, and hold what happened to what was announced."""
    then, log = rows(session), len(session.journal.entries)
    try:
        changes = session.impact(address, lambda trial: ACTS[name](trial, address, word))
    except UsageError:
        changes = None
    assert rows(session) == then, "telling changes nothing"
    assert len(session.journal.entries) == log
    if changes is None:
        with pytest.raises(UsageError):
            ACTS[name](session, address, word)
        return
    ACTS[name](session, address, word)
    folded = session.journal.folded(session.journal.entries)
    assert dump(session.state) == dump(folded), "what was rehearsed is what a fold of the log gives"
    named = set().union(*told(changes, then, rows(session)).values())
    shown = {a.split()[-1] for a in named if " " in a or cell_ref(a).kind not in LISTS} - {address}
    if len(shown) < NAMED:
        assert all(a in changes.sentence() for a in shown)
    if not changes.asks:
        lost = {a for name in ASKED for a in changes.of(name)}
        assert not {a for a in lost - {address} if cell_ref(a).kind not in LISTS}, (
            changes.sentence()
        )


def test_the_methods_of_a_state_stay_what_they_are_while_a_decision_is_rehearsed(
    tmp_path: Path,
) -> None:
    """A thread may be asking them how far a run could go."""
    s = copy_of(tmp_path, "small").session
    before, trial = s.methods, s.rehearsal()
    assert trial.add_method("SciPIP") in trial.methods.instances
    assert list(before.instances) == list(s.methods.instances) == [""]
