"""What comes next: counted as the rows are marked, and which row of a branch asks."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.cli import main as coi
from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import cell_ref
from coi_tui.model.errors import UsageError
from coi_tui.screens.commands import WORKBENCH_ACTIONS
from coi_tui.services.llm.offline import TO_WRITE
from coi_tui.session import wording
from coi_tui.session.environment import Environment
from coi_tui.session.opening import next_stage
from coi_tui.session.queries.rows import NextSteps, ReachableStage, needing_decision
from coi_tui.session.session import Session
from coi_tui.session.wording import Row, RowKind, Status, Verdict, state
from coi_tui.store.summary import PendingCounts, list_sessions
from tests.session.test_properties import (
    act,
    decisions,
    edits,
    fresh_desk,
    others,
    refreshes,
    undos,
)
from tests.support.desk import chains, copy_of, paths_in

KEYS = {action.id: action.show for action in WORKBENCH_ACTIONS}
LEFT_OUT = {"generate", "export", "stop", "pick", "edit", "pin"}
"""Actions that a session without a row that needs anybody may come to."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("next")


# -- it counts what the rows carry


@settings(max_examples=12)
@given(
    st.lists(
        st.one_of(edits, decisions, decisions, undos, refreshes, others),
        max_size=7,
    )
)
def test_it_counts_the_rows_that_carry_a_sign_and_promises_nothing_while_one_does(
    folder: Path, moves: list[tuple[str, str, str]]
) -> None:
    desk = fresh_desk(folder, "review")
    for move in moves:
        act(desk, *move)
    session = desk.session
    step, parked = session.next_step(), session.state.parked
    rows = [row for row in session.rows() if cell_ref(row.address).branch not in parked]
    assert step.needs.undecided == sum(row.needs_decision for row in rows)
    assert step.needs.failed == sum(state(row) == "failed" for row in rows)
    assert step.needs.stale == sum(
        state(row) in (Status.STALE.value, Status.UPSTREAM.value) for row in rows
    )
    bare = [row for row in rows if row.role == "anchor" and not row.made]
    assert step.needs.empty >= len(bare)
    if step.needs.undecided or step.needs.failed or step.needs.stale or bare:
        assert step.address, step
        assert step.action not in ("export", "stop")
    if step.action == "export":
        assert step.needs == PendingCounts(empty=step.needs.empty)
        assert session.state.ideas()
        assert any(chains(session).chain(branch) for branch in session.state.branches_of(""))
    session.close()


row_kinds = st.sampled_from([RowKind.TEXT, RowKind.SLOT])
some_rows = st.lists(
    st.builds(
        Row,
        st.just(""),
        st.just(0),
        row_kinds,
        st.just(""),
        st.just(""),
        needs_decision=st.booleans(),
        status=st.sampled_from(list(Status)),
        failed=st.booleans(),
        running=st.booleans(),
        aside=st.booleans(),
        awaited=st.booleans(),
        choice_waits=st.just(False),
    ),
    max_size=8,
)
nexts = st.builds(
    NextSteps,
    goal=st.sampled_from([ReachableStage(), ReachableStage("ideas")]),
    running=st.booleans(),
    unlisted=st.integers(0, 1),
    ideas=st.sampled_from([(), ("1/idea",), ("1/idea", "2/idea")]),
)


@given(some_rows, nexts, st.integers(0, 9))
def test_it_begins_where_the_person_is_and_names_a_key_and_a_command_for_whatever_is_first(
    drawn: list[Row], steps: NextSteps, at: int
) -> None:
    rows = [replace(row, address=f"{n}/idea") for n, row in enumerate(drawn, start=1)]
    step = replace(steps, rows=rows).step(f"{at}/idea")
    needing = [row.address for row in rows if row.needs_you]
    if needing:
        assert step.address == next(
            (a for a in needing if int(a.partition("/")[0]) >= at and at <= len(rows) and at),
            needing[0],
        )
    else:
        assert step.action in LEFT_OUT
    assert step.action in wording.ACTIONS
    keys = {name: f"<{name}>" for name in (*wording.ACTIONS, "reject", "keep", "next")}
    for line in (wording.by_keys(step, keys), wording.by_commands(step, "demo")):
        assert line.startswith("Next: ")
        assert "{" not in line
        assert all(said in line for said in wording.counts(step.needs))


def test_a_failed_row_is_never_left_unsaid(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "proposal")
    for row in desk.session.rows():
        if row.needs_decision:
            desk.session.decide("accept", row.address)
    assert desk.session.next_step().action == "export"
    desk.model.say["coi_novelty_judge"] = desk.model.say["coi_novelty_queries"] = lambda _: (
        "nonsense"
    )
    desk.refresh(["1/nov"], again=True)
    step = desk.session.next_step()
    assert (step.action, step.address, step.needs.failed) == ("enter", "1/nov", 1)
    assert (
        wording.by_keys(step, KEYS)
        == "Next: 1/nov failed (], then Enter says why and tries again); 1 failed"
    )
    assert (
        wording.by_keys(step, KEYS, "1/nov")
        == "Next: 1/nov failed (Enter says why and tries again); 1 failed"
    )


def test_it_stands_in_the_file_so_that_the_list_folds_nothing(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "ideas")
    desk.session.remember("place", {"at": "1/idea"})
    said = desk.session.next_step()
    assert said.address == "1/idea"
    desk.session.close()
    (listed,) = list_sessions(tmp_path)
    assert listed.summary.next == said


def test_a_run_on_the_command_line_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    assert (
        coi(
            [
                "run",
                "chain of thought reasoning",
                "--name",
                "th",
                "--offline",
                "--branches",
                "1",
                "--until",
                "anchors",
                "--yes",
            ]
        )
        == 0
    )
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Next: `coi decide th 1 accept-all papers`, or accept and reject one by one; 1 to decide, 4 empty; "
        "`coi resume th --until chains` goes on"
    )
    assert coi(["decide", "th", "1/0", "accept"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == "Next: `coi resume th --until chains` goes on; 4 empty"
    assert coi(["ls"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == said
    assert coi(["show", "th"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == said


# -- followed again and again


def write(session: Session, address: str) -> None:
    """A text in the place of a worksheet."""
    text = session.edits.text_of(address)
    assert TO_WRITE in text
    session.edits.save(address, text.replace(TO_WRITE, "It says "))


def test_a_paper_is_reopened_at_x_in_every_branch_that_it_left(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    papers = {at: str(chains(session).slot(at).paper) for at in ("1/+1", "2/-1")}
    for at in papers:
        session.decide("reject", at)
    title = session.state.papers[papers["1/+1"]].title
    session.decide("reopen", "X", title)
    assert papers["1/+1"] not in {item.paper for item in chains(session).shelf}
    assert papers["2/-1"] in {item.paper for item in chains(session).shelf}
    with pytest.raises(UsageError, match="X"):
        session.decide("reopen", "X", papers["1/+1"])
    with pytest.raises(UsageError, match="branch 1"):
        session.decide("reopen", "1", papers["2/-1"])
    session.decide("reopen", "2", papers["2/-1"])
    assert not chains(session).shelf
    session.decide("avoid", "X", paper=session.state.papers[papers["2/-1"]])
    session.decide("reopen", "X", papers["2/-1"])
    assert not chains(session).shelf


def test_the_stage_that_was_reached_is_that_of_the_method_which_came_farthest(
    tmp_path: Path,
) -> None:
    """A proposal for the idea of another method was "novelty" in the list."""
    desk = copy_of(tmp_path, "small", "novelty")
    session = desk.session
    assert session.stage_reached() == "novelty"
    made = session.decide("derive", "1/idea", {"operator": "negate"})
    instance = Scope((f"{made.address}/1",), instance=made.address)
    desk.do(session.planner.to_stage("proposal", instance))
    assert session.stage_reached() == "proposal"
    own, stages = session.stage_reached(""), session.methods.stages
    assert own != "proposal"
    assert next_stage(session) == stages[stages.index(own) + 1], "of the method that goes on"


def test_a_search_that_would_find_nothing_again_is_refused_with_the_ways_out(
    tmp_path: Path,
) -> None:
    """It closed the list of candidates and searched in vain once more."""
    session = Session.create(
        "frogs",
        "chain of thought reasoning in large language models",
        Environment(paths_in(tmp_path), Settings(offline=True), Keys()),
        offline=True,
    )
    asyncio.run(session.runs.run(session.planner.to_stage("chains")))
    state = session.state
    at = next(place.address for place in Chains.of(state).filled(1) if place.pos > 0)
    for place in (at, "1/0"):
        assert not session.refusals(place)["search"]
        listed = state.in_use(f"{place}.cands")
        assert listed is not None
        none = listed.model_copy(update={"content": {**listed.content, "entries": []}})
        state.versions[listed.seq] = none
        with pytest.raises(UsageError, match="other words"):
            session.planner.to_search_again(place)
    assert session.refusals(at)["search"]
    assert not session.refusals("1/0")["search"], "an anchor is searched for with other words"
    session.close()


OPEN, YES, NO = Verdict.UNDECIDED, Verdict.ACCEPTED, Verdict.REJECTED
SLOTS = {"1/-1": OPEN, "1/0": OPEN, "1/+1": OPEN, "1/0.card": OPEN, "1/0..+1": OPEN}


def rows(verdicts: dict[str, Verdict]) -> list[Row]:
    places = {
        address: RowKind.SLOT if address.rpartition("/")[2].lstrip("+-").isdigit() else RowKind.TEXT
        for address in verdicts
    }
    return [
        Row(address, 1, places[address], "", "", verdict=verdict, made=True)
        for address, verdict in verdicts.items()
    ]


@pytest.mark.parametrize(
    ("verdicts", "wanted"),
    [
        pytest.param(SLOTS, {"1/-1"}, id="a list of papers asks at its first"),
        pytest.param({**SLOTS, "1/-1": YES}, {"1/0"}, id="and then at the next"),
        pytest.param(
            {**SLOTS, "1/dir": OPEN}, {"1/dir"}, id="the direction in place of the papers"
        ),
        pytest.param(
            {**SLOTS, "1/dir": YES}, set(), id="an accepted direction takes its papers as they are"
        ),
        pytest.param(
            {**SLOTS, "1/dir": OPEN, "1/idea": OPEN, "1/exp": OPEN},
            {"1/idea"},
            id="the idea in place of all",
        ),
        pytest.param(
            {**SLOTS, "1/dir": OPEN, "1/idea": YES, "1/exp": OPEN},
            set(),
            id="an accepted idea ends it",
        ),
        pytest.param(
            {"1/idea": OPEN, "2/idea": OPEN, "A/1-2": OPEN},
            {"1/idea", "2/idea"},
            id="each branch for itself",
        ),
        pytest.param(
            {"S1/first": OPEN, "S1/problem": OPEN}, {"S1/problem"}, id="another method asks once"
        ),
        pytest.param(
            {"S1/first": OPEN, "S1/1/idea": OPEN, "S1/2/idea": OPEN},
            {"S1/1/idea"},
            id="for all of its ideas",
        ),
        pytest.param(
            {"S1/1/idea": NO, "S1/2/idea": OPEN},
            {"S1/2/idea"},
            id="for the next where one was rejected",
        ),
        pytest.param(
            {"S1/1/idea": OPEN, "S1/2/idea": YES}, set(), id="no more where one was taken"
        ),
    ],
)
def test_one_row_of_a_branch_or_method_asks(verdicts: dict[str, Verdict], wanted: set[str]) -> None:
    assert needing_decision(rows(verdicts)) == wanted
    assert needing_decision([replace(row, aside=True) for row in rows(verdicts)]) == set()
    picked = needing_decision(rows(verdicts), picked=True)
    assert not {address for address in picked if address.endswith("/idea")}, "that is decided"


def test_no_idea_asks_once_one_was_picked_and_taking_that_back_asks_again(tmp_path: Path) -> None:
    """What was offered next took back the person's choice."""
    session = copy_of(tmp_path, "full").session
    before = session.next_step().needs.undecided
    assert before > 1
    session.decide("accept", "2/idea")
    assert session.next_step().needs.undecided == 0
    session.undo()
    assert session.next_step().needs.undecided == before
    with pytest.raises(UsageError, match="idea"):
        session.decide("pick", "1/exp")
