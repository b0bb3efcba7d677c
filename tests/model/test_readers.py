"""What a second reader's log adds: the laws of joining, over random logs, and what is compared."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.entries import Decision, Version
from coi_tui.model.readers import SETTING, Log, Review, Said, compared, joined, said
from coi_tui.model.state import State
from tests.support.folding import fold
from tests.support.logs import decision, entries, everything, logs, numbered, version

from .test_fold import with_undos

TAIL = st.lists(entries, max_size=12)
UNDOS = st.lists(st.sampled_from(["undo", "undo", "redo"]), max_size=4)


def begun(log: Log, reader: str, name: str) -> list[Decision | Version]:
    """A second reader's file of a log: its versions under other numbers."""
    shown = [e.model_copy(update={"actor": "coi"}) for e in log if isinstance(e, Version)]
    versions = {n: e.seq for n, e in enumerate(shown, start=2)}
    review = Review(
        id=name, reader=reader, session="s", entries=len(shown) + 1, versions=versions
    ).model_dump(mode="json")
    return numbered([decision("settings", "session", {SETTING: review}, creation=True), *shown])


def went_on(pack: Log, tail: list[Decision | Version], undos: list[str]) -> Log:
    return with_undos(numbered([*pack, *tail]), undos)


def after(log: Log, *packs: Log) -> list[Decision | Version]:
    whole = list(log)
    for pack in packs:
        whole += joined(whole, pack, fold(whole).versions)
    return whole


def plain(state: State) -> dict[str, Any]:
    """What a state holds, texts by what they say instead of by their numbers."""
    held = everything(state)
    for numbers in ("seq", "versions", "cells", "void"):
        held.pop(numbers)
    texts = {
        address: sorted(
            (v.event, v.actor, str(v.content), cell.beside.get(v.seq, ""))
            for v in map(state.versions.__getitem__, cell.versions)
        )
        for address, cell in state.cells.items()
    }
    locks = {a: (state.in_use(a), cell.lock, cell.accepted) for a, cell in state.cells.items()}
    return {**held, "texts": texts, "locks": locks}


def events(log: Log) -> set[str]:
    return {entry.event for entry in log if entry.event}


TWO = st.tuples(logs, TAIL, UNDOS, TAIL, UNDOS, st.booleans())


@settings(max_examples=150)
@given(TWO)
def test_the_order_in_which_files_are_joined_plays_no_part(two: Any) -> None:
    """Of two readers, or of two copies of one reader's file that went different ways."""
    log, tail_a, undos_a, tail_b, undos_b, copies = two
    a = went_on(begun(log, "Ana", "a"), tail_a, undos_a)
    other = ("Ana", "a") if copies else ("Bo", "b")
    b = went_on(begun(log, *other), tail_b, undos_b)
    one, two = after(log, a, b), after(log, b, a)
    assert events(one) == events(two)
    assert len(one) == len(two) == len(log) + len(events(one))
    assert plain(fold(one)) == plain(fold(two))
    for actor in ("you", "reader:Ana", "reader:Bo"):
        assert said(one, actor) == said(two, actor)


@settings(max_examples=150)
@given(logs, TAIL, UNDOS, st.integers(0, 12))
def test_joining_twice_changes_nothing_and_more_comes_later(
    log: Log, tail: list[Decision | Version], undos: list[str], cut: int
) -> None:
    pack = begun(log, "Ana", "a")
    whole = went_on(pack, tail, undos)
    early = whole[: len(pack) + cut]
    once = after(log, whole)
    assert after(log, whole, whole) == once
    assert events(after(log, early, whole)) == events(once)
    assert joined(log, log, fold(log).versions) == []
    assert joined(log, pack, fold(log).versions) == []


@settings(max_examples=150)
@given(logs, TAIL, UNDOS)
def test_nothing_of_the_session_is_changed(
    log: Log, tail: list[Decision | Version], undos: list[str]
) -> None:
    whole = after(log, went_on(begun(log, "Ana", "a"), tail, undos))
    before, now = fold(log), fold(whole)
    assert whole[: len(log)] == list(log)
    for address, cell in before.cells.items():
        assert now.in_use(address) == before.in_use(address)
        assert (now.cell(address).lock, now.cell(address).accepted) == (cell.lock, cell.accepted)
    assert everything(now)["components"] == everything(before)["components"]
    for name in ("votes", "judged", "points", "parked", "pick", "notes"):
        assert getattr(now, name) == getattr(before, name)
    assert said(whole, "you") == said(log, "you")


def test_a_decision_about_a_text_that_is_not_there_is_left_out() -> None:
    log = numbered([version("1/dir", "a"), version("1/idea", "b")])
    pack = begun(log, "Ana", "a")
    tail: list[Decision | Version] = [
        decision("accept", "1/dir", {"version": 2}),
        version("1/dir", "made by a run"),
        decision("accept", "1/dir", {"version": 5}),
        version("1/idea", "hers", "person"),
        decision("edit", "1/idea", {"version": 7}, reason="\x1b[31mclearer"),
        decision("note", "1/idea", {"text": "private"}),
    ]
    new = joined(log, numbered([*pack, *tail]), fold(log).versions)
    assert [(e.seq, e.actor) for e in new] == [(3 + n, "reader:Ana") for n in range(3)]
    accepted, text, edit = new
    assert isinstance(accepted, Decision)
    assert accepted.value == {"version": 1}
    assert isinstance(edit, Decision)
    assert (edit.value, edit.reason) == ({"version": text.seq}, "clearer")
    state = fold([*log, *new])
    assert state.in_use("1/idea") == log[1]
    assert state.cell("1/idea").beside == {text.seq: "written by Ana"}


HERS: list[tuple[str, str, dict[str, Any]]] = [
    ("reject", "1/0", {"paper": "p1"}),
    ("choose", "1/+1", {"paper": "p9"}),
    ("reject", "2/idea", {}),
    ("vote", "A/1-2", {"criterion": "novelty", "winner": 2}),
    ("vote", "A/1-2", {"criterion": "clarity", "winner": 1}),
    ("judge", "1/nov", {"paper": "p3", "judgement": "unrelated"}),
]


def test_what_both_decided_is_compared() -> None:
    log = numbered(
        [
            decision("accept", "1/0", {"paper": "p1"}, reason="mine"),
            decision("accept", "1/+1", {"paper": "p2"}),
            decision("park", "2"),
            decision("vote", "A/1-2", {"criterion": "novelty", "winner": 1}),
            decision("vote", "A/1-2", {"criterion": "clarity", "winner": 0}),
            decision("vote", "A/1-2", {"criterion": "clarity", "winner": None}),
            decision("judge", "1/nov", {"paper": "p3", "judgement": "unrelated"}),
            *(
                decision(action, at, value, "reader:Ana", time=f"2026-01-01T00:00:0{n}Z")
                for n, (action, at, value) in enumerate(HERS)
            ),
        ]
    )
    both = compared(said(log, "you"), said(log, "reader:Ana"))
    assert both == {
        ("verdicts", "1/0", ""): ("accepted", "rejected"),
        ("verdicts", "1/+1", ""): ("accepted", "accepted another paper"),
        ("verdicts", "2/idea", ""): ("rejected", "rejected"),
        ("votes", "A/1-2", "novelty"): ("1/idea", "2/idea"),
        ("close papers", "1/nov", "p3"): ("unrelated", "unrelated"),
    }
    assert said(log, "you")["verdicts", "1/0", ""] == Said("accepted", "p1", "mine")
