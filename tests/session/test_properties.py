"""Freshness is exact, undo returns to the start, human text stays in use whatever
lands when."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.freshness import Inputs
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Version
from coi_tui.model.errors import UsageError
from coi_tui.model.text import digest
from tests.support.desk import Desk, copy_of, version_at
from tests.support.scratch import assert_as_from_scratch
from tests.support.script import HashModel, shown
from tests.support.state_dump import dump
from tests.support.toy import journal_of

from .moves import ACTS, OF_SLOT, OF_TEXT, ON, SLOTS, TEXTS, Move, words

MADE = [address for address in TEXTS if address != "1/exp"]
"""The texts that every session here has: the plan is that of the better idea."""


def some(*names: str) -> st.SearchStrategy[Move]:
    """Moves of these names, each on a row where it may make sense."""

    def rows(name: str) -> Sequence[str]:
        return MADE if name in OF_TEXT else SLOTS if name in OF_SLOT else (ON.get(name, ""),)

    return st.sampled_from(names).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from(rows(name)), words)
    )


edits = some("edit")
decisions = some(
    *("accept", "reject", "choose", "pin", "fork"), *("accept: text", "adopt", "protect: text")
)
others = some("edit: wording", "note", "keep", "park: idea", "pick")
undos, refreshes = some("undo"), some("refresh")


def act(desk: Desk, name: str, address: str, word: str) -> None:
    """One move of a person; one that is refused there changes nothing."""
    with contextlib.suppress(UsageError):
        if name == "refresh":
            desk.refresh()
        else:
            ACTS[name](desk.session, address, word)


def made_again(desk: Desk, address: str) -> dict[str, Any]:
    """What the task at an address writes from what is in use now, asked anew."""
    state, method = desk.state, desk.method
    step = method.task(address)
    assert step is not None
    ctx = Context(Recorder(journal_of(), Budget()), state, address, step.name)
    result = asyncio.run(step.run(ctx, Inputs(state, address, step.reads(state, address))))
    return comparable(address, dict(result.made[0].content))


def comparable(address: str, content: dict[str, Any]) -> dict[str, Any]:
    """A report also numbers the version it judged and marks what earlier reports did not hold: its
    history, not its content."""
    if address.endswith("/nov"):
        rest = {k: v for k, v in content.items() if k != "idea"}
        return {**rest, "papers": [{**row, "new": None} for row in content["papers"]]}
    return content


def above(desk: Desk, address: str) -> set[str]:
    step = desk.session.methods.task(address)
    if step is None or cell_ref(address).kind == "slot":
        return set()
    near = {r.cell for r in step.reads(desk.state, address) if not r.parent}
    return near.union(*(above(desk, a) for a in near)) if near else near


def machine_texts(desk: Desk) -> list[str]:
    """Cells whose text is the machine's and whose content follows from their reads alone.

    Not anchors' lists and verdicts: which papers other places hold is looked at there and is no
    input.
    """
    state = desk.state
    return [
        a
        for a in desk.session.fresh
        if (at := cell_ref(a)).kind not in ("slot", "rel", "topic", "review")
        and not (at.kind == "cands" and at.pos == 0)
        and not (
            at.kind == "Q" and at.branch in Chains.of(state).forks
        )  # asked anew it is another of the list: a fork has its origin's question
        and state.in_use(a) is not None
        and state.cell(a).lock is None
        and not any(
            "angle" in search for search in desk.content(a).get("searches", ())
        )  # a search against was added to the report
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("properties")


def fresh_desk(folder: Path, until: str, model: HashModel | None = None) -> Desk:
    desk = copy_of(folder / digest([until, len(list(folder.iterdir()))])[:12], "small", until)
    desk.model = model or desk.model
    return desk


@settings(max_examples=15)
@given(
    st.lists(
        st.one_of(edits, edits, decisions, undos, refreshes),
        min_size=1,
        max_size=6,
    )
)
def test_a_cell_is_fresh_exactly_when_making_it_again_gives_the_same(
    folder: Path, moves: list[Move]
) -> None:
    desk = fresh_desk(folder, "experiment")
    for move in moves:
        act(desk, *move)
    s = desk.session
    before = {a: (s.freshness(a), comparable(a, desk.content(a))) for a in machine_texts(desk)}
    for _ in range(2):
        behind = [
            a for a, f in s.fresh.items() if f.status in ("stale", "upstream") and not f.needs
        ]
        desk.refresh([a for a in behind if s.methods.task(a) is not None])
    after = s.fresh
    for address, (fresh, content) in before.items():
        open_above = [
            a
            for a in above(desk, address)
            if a in after and after[a].status in ("stale", "upstream", "missing")
        ]
        cell = s.state.cell(address)
        if open_above or after[address].needs or cell.lock is not None or cell.protected:
            # it, or what stands above it, was left out: a choice waits, a slot is empty, or it is
            # protected
            continue
        assert after[address].status == "fresh", (address, after[address])
        assert made_again(desk, address) == comparable(address, desk.content(address)), address
        same = content == comparable(address, desk.content(address))
        if (
            cell_ref(address).kind == "cands"
        ):  # a ranking is no hash: other words may give the same order
            assert same or fresh.status != "fresh", (address, fresh)
        else:
            assert (fresh.status == "fresh") == same, (address, fresh)
    s.close()


@settings(max_examples=10)
@given(
    st.lists(
        st.one_of(edits, decisions, others, undos, refreshes),
        min_size=2,
        max_size=8,
    )
)
def test_what_is_kept_from_one_state_to_the_next_is_what_working_it_out_anew_gives(
    folder: Path, moves: list[Move]
) -> None:
    desk = fresh_desk(folder, "review")
    for move in moves:
        act(desk, *move)
        assert_as_from_scratch(desk.session)
    desk.session.close()


@settings(max_examples=15)
@given(
    st.lists(
        st.one_of(edits, decisions, others, refreshes),
        min_size=1,
        max_size=7,
    )
)
def test_undoing_every_decision_gives_the_starting_state_and_keeps_every_result(
    folder: Path, moves: list[Move]
) -> None:
    desk = fresh_desk(folder, "review")
    start, marks = dump(desk.state), desk.marks()
    for move in moves:
        act(desk, *move)
    end, versions = dump(desk.state), made(desk)
    steps = 0
    while desk.session.undo_labels()[0]:
        desk.session.undo()
        steps += 1
    assert dump(desk.state) == start
    assert desk.marks() == marks
    assert made(desk) == versions
    desk = desk.reopen()
    assert dump(desk.state) == start
    assert made(desk) == versions
    for _ in range(steps):
        desk.session.redo()
    assert dump(desk.state) == end
    assert desk.session.verify() == []
    desk.session.close()


def made(desk: Desk) -> set[int]:
    """Numbers of the versions in the log, as the state knows them (a fork's shared ones have
    numbers of their own)."""
    logged = {e.seq for e in desk.session.journal.entries if isinstance(e, Version)}
    assert logged == {seq for seq in desk.state.versions if seq > 0}
    return logged


Written = list[tuple[int, str, str]]
texts_written = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from(MADE), words),
    min_size=1,
    max_size=6,
)


@settings(max_examples=6)
@given(texts_written, st.integers(1, 1000))
def test_any_interleaving_of_results_and_edits_keeps_human_text_in_use(
    folder: Path, written: Written, seed: int
) -> None:
    model = HashModel(delay=lambda r: int(digest([seed, shown(r)])[:2], 16) / 255 * 0.006)
    desk = fresh_desk(folder, "experiment", model)
    s = desk.session
    s.edits.save("topic", f"another topic {seed}")
    mine: dict[str, str] = {"topic": s.edits.text_of("topic")}

    async def both() -> None:
        job = asyncio.create_task(desk.go(s.planner.to_refresh()))
        for delay, address, word in written:
            await asyncio.sleep(delay / 2000)
            ACTS["edit"](s, address, word)
            mine[address] = s.edits.text_of(address)
            check(desk, mine)
        await job

    asyncio.run(both())
    check(desk, mine)
    desk.refresh()
    check(desk, mine)
    desk.run()
    check(desk, mine)
    desk = desk.reopen()
    check(desk, mine)
    assert desk.session.verify() == []
    desk.session.close()


def check(desk: Desk, mine: dict[str, str]) -> None:
    for address, text in mine.items():
        version = version_at(desk.session, address)
        assert version.by_person
        assert desk.edits.text_of(address) == text
