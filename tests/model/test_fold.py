import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import apply, undo_stacks, undone_groups
from coi_tui.model.papers import Paper
from tests.support.folding import fold
from tests.support.logs import by_apply, decision, everything, logs, numbered, version
from tests.support.state_dump import dump

Log = list[Decision | Version]


@settings(max_examples=200)
@given(logs)
def test_the_fold_is_apply_one_by_one(log: Log) -> None:
    assert everything(fold(log)) == everything(by_apply(log))


@settings(max_examples=100)
@given(logs, st.data())
def test_apply_leaves_the_state_it_was_given_alone(log: Log, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(log)))
    state = by_apply(log[:cut])
    before = copy.deepcopy(everything(state))
    for entry in log[cut:]:
        apply(state, entry)
    assert everything(state) == before


def with_undos(log: Log, choices: list[str]) -> Log:
    """The log, followed by undos and redos where there is something to undo or redo."""
    for action in choices:
        done, redo = undo_stacks(log)
        stack = done if action == "undo" else redo
        if stack:
            log = numbered([*log, decision(action, "topic", undoes=stack[-1])])
    return log


@settings(max_examples=150)
@given(logs, st.lists(st.sampled_from(["undo", "undo", "redo"]), max_size=12))
def test_undo_is_the_fold_without_the_group(log: Log, choices: list[str]) -> None:
    longer = with_undos(log, choices)
    gone = undone_groups(longer)
    kept = [e for e in longer if isinstance(e, Version) or e.group not in gone]
    ours, theirs = everything(fold(longer)), everything(fold(kept))
    assert {k: v for k, v in ours.items() if k != "seq"} == {
        k: v for k, v in theirs.items() if k != "seq"
    }


def test_undo_stacks_hold_a_persons_groups_only() -> None:
    log = numbered(
        [
            decision("settings", "session", {"branches": 1}, creation=True),
            decision("propose", "1/0", {"paper": "p1"}, "coi"),
            decision("pin", "1/0", {"paper": "p2"}, group="g"),
            decision("note", "1/0", {"text": "n"}, group="g"),
            decision("park", "1"),
        ]
    )
    assert undo_stacks(log) == (["g", "d5"], [])
    log = numbered([*log, decision("undo", "1", undoes="d5")])
    assert undo_stacks(log) == (["g"], ["d5"])
    assert fold(log).parked == frozenset()
    log = numbered([*log, decision("undo", "1/0", undoes="g")])
    state = fold(log)
    assert (
        Chains.of(state).slot("1/0").paper == "p1"
    )  # both acts of the group went at once, the machine's proposal stands
    assert state.notes == {}
    log = numbered([*log, decision("note", "2", {"text": "new"})])
    assert undo_stacks(log) == (["d8"], [])  # a new decision ends the redo


PINNED = [decision("pin", "1/0", {"paper": "p1"})]
END = {"side": "forward", "tip_pos": 0, "tip": "p1", "needs": {"1/0": "p1"}}


@pytest.mark.parametrize(
    ("before", "last"),
    [
        (PINNED, decision("propose", "1/0", {"paper": "p2"}, "coi")),
        ([], decision("propose", "1/+1", {"paper": "p2", "needs": {"1/0": "p1"}}, "coi")),
        (PINNED, decision("propose", "1/+1", {"paper": "p1"}, "coi")),
        (
            [*PINNED, decision("reject", "1/0", {"paper": "p1"})],
            decision("propose", "1/0", {"paper": "p1"}, "coi"),
        ),
        (PINNED, decision("accept", "1/0", {"paper": "p2"})),
        (PINNED, decision("reject", "1/0", {"paper": "p2"})),
        ([], decision("reject", "1/0", {"paper": "p1"})),
        (PINNED, decision("pin", "1/+1", {"paper": "p1"})),
        ([], decision("choose", "1/+1", {"paper": "p1", "needs": {"1/0": "p2"}})),
        ([], decision("edit", "1/dir", {"version": 7})),
        ([], decision("accept", "1/dir", {"version": 7})),
        ([], decision("end", "1", END, "coi")),
    ],
)
def test_a_decision_whose_precondition_fails_is_void_and_listed(
    before: Log, last: Decision
) -> None:
    log = numbered([*before, last])
    state = fold(log)
    assert [seq for seq, _ in state.void] == [log[-1].seq]
    assert dump(state) == dump(fold(log[:-1]))


def test_detaching_spares_pins_and_reattaching_brings_papers_back_as_they_were() -> None:
    rejected = decision(
        "reject", "1/0", {"paper": "p1", "detach": {"1/+1": "p2", "1/-1": "p3"}}, reason="off topic"
    )
    start: Log = [
        decision("pin", "1/0", {"paper": "p1"}),
        decision("propose", "1/+1", {"paper": "p2", "why": {"rank": 1}}, "coi"),
        decision("pin", "1/-1", {"paper": "p3"}),
        rejected,
    ]
    state = fold(numbered(start))
    assert {a: s.paper for a, s in Chains.of(state).slots.items() if s.paper} == {"1/-1": "p3"}
    assert [(i.paper, i.kind, i.reason) for i in Chains.of(state).shelf] == [
        ("p1", "rejected", "off topic"),
        ("p2", "detached", "off topic"),
    ]
    back = decision(
        "choose",
        "1/0",
        {
            "paper": "p4",
            "reattach": {"1/+1": {"paper": "p2", "verdict": "proposed", "why": {"rank": 1}}},
        },
    )
    state = fold(numbered([*start, back]))
    assert Chains.of(state).slot("1/+1").paper == "p2"
    assert Chains.of(state).slot("1/+1").verdict == "proposed"
    assert Chains.of(state).slot("1/+1").why == {"rank": 1}
    assert [i.paper for i in Chains.of(state).shelf] == ["p1"]


def test_a_persons_version_is_used_only_once_decided_and_then_stays() -> None:
    log: Log = [version("1/dir", "machine"), version("1/dir", "mine", "person")]
    assert fold(numbered(log)).value("1/dir#text") == "machine"
    log += [decision("edit", "1/dir", {"version": 2}), version("1/dir", "newer")]
    state = fold(numbered(log))
    assert state.value("1/dir#text") == "mine"
    assert state.cell("1/dir").beside == {4: "your text stays in use"}
    assert state.cell("1/dir").versions == (1, 2, 4)


def test_the_version_whose_inputs_are_the_present_ones_comes_back() -> None:
    was = version("topic", "a", "person").meanings["text"]
    log: Log = [
        version("topic", "a", "person"),
        decision("edit", "topic", {"version": 1}),
        version("1/dir", "from a", inputs={"topic#text": was}),
        version("topic", "b", "person"),
        decision("edit", "topic", {"version": 4}),
    ]
    now = version("topic", "b", "person").meanings["text"]
    later: Log = [*log, version("1/dir", "from b", inputs={"topic#text": now})]
    assert fold(numbered(log)).value("1/dir#text") == "from a"  # the newest that was taken
    assert fold(numbered(later)).value("1/dir#text") == "from b"
    undone = fold(numbered([*later, decision("undo", "topic", undoes="d5")]))
    assert undone.value("topic#text") == "a"
    assert undone.value("1/dir#text") == "from a"
    assert set(undone.versions) == {1, 3, 4, 6}  # nothing that was paid for is gone


def test_the_version_made_from_the_longer_chain_comes_back_with_its_paper() -> None:
    """Made from fewer papers later: its inputs are all still there, but so are those of the version
    made from more."""
    papers = {p: Paper(id=p, title=p) for p in ("p1", "p2")}
    start: Log = [decision("pin", "1/0", {"paper": "p1"}), decision("pin", "1/+1", {"paper": "p2"})]
    seen = fold(numbered(start), papers)
    one, two = (
        {r: seen.meaning(r) for r in refs} for refs in (["1/0#paper"], ["1/0#paper", "1/+1#paper"])
    )
    log: Log = [
        *start,
        version("1/dir", "from both", inputs=two),
        decision("reject", "1/+1", {"paper": "p2"}),
        version("1/dir", "from one", inputs=one),
    ]
    assert fold(numbered(log), papers).value("1/dir#text") == "from one"
    assert (
        fold(numbered([*log, decision("undo", "1/+1", undoes="d4")]), papers).value("1/dir#text")
        == "from both"
    )


def test_a_log_names_the_reason_of_an_alternative_beside() -> None:
    late = version("1/dir", "late").model_copy(update={"alternative_because": "it came late"})
    stored = late.model_dump()
    assert stored["beside"] == "it came late"
    assert Version.model_validate(stored) == late
