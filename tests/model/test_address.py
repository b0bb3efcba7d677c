import copy
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.address import (
    CellRef,
    attached_to,
    branch_row,
    cell_at,
    cell_ref,
    in_order,
    match_of,
    moved,
    of_session,
    pair,
    question_of,
    slot,
)
from coi_tui.model.errors import UsageError

number = st.integers(1, 99)
place = st.integers(-99, 99)
addresses = st.one_of(
    st.sampled_from([of_session(kind) for kind in ("topic", "session", "arena", "shelf", "pick")]),
    number.map(question_of),
    number.map(branch_row),
    st.builds(slot, number, place),
    st.builds(
        attached_to, st.builds(slot, number, place), st.sampled_from(["card", "cands", "rel"])
    ),
    st.builds(cell_at, number, st.sampled_from(["ents", "dir", "idea", "nov", "exp", "review"])),
    st.builds(pair, number, st.integers(-99, 98)),
    st.builds(
        lambda name, item: cell_at("N1", name, *item),
        st.sampled_from(["seed", "plan"]),
        st.lists(number, min_size=1, max_size=4),
    ),
    st.tuples(number, number).filter(lambda t: t[0] != t[1]).map(lambda t: match_of(*t)),
)


def parts(at: CellRef) -> tuple[object, ...]:
    return str(at), at.branch, at.form, at.kind, at.key


@settings(max_examples=300)
@given(addresses)
def test_a_reference_reads_back_as_itself_and_is_its_text(at: CellRef) -> None:
    assert parts(cell_ref(str(at))) == parts(at)
    assert (at, hash(at), json.dumps(at)) == (str(at), hash(str(at)), json.dumps(str(at)))
    for copied in (copy.deepcopy(at), pickle.loads(pickle.dumps(at))):
        assert parts(copied) == parts(at)


@given(addresses, number)
def test_the_same_cell_of_another_branch_differs_in_nothing_else(at: CellRef, new: int) -> None:
    if at.branch and at.form != "match":
        there = moved(at, new)
        assert (there.branch, there.kind, there.form, there.key) == (new, at.kind, at.form, at.key)


def test_references_are_sorted_by_their_numbers_and_not_as_texts() -> None:
    texts = ["10/idea", "2/idea", "S1/idea", "1/+1", "1/-1", "1/0", "N1/seed10", "N1/seed2"]
    ordered = ["2/idea", "10/idea", "S1/idea", "N1/seed2", "N1/seed10", "1/-1", "1/0", "1/+1"]
    assert sorted(texts, key=in_order) == ordered


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1/+1.card", ("card", 1, (1,))),
        ("1/1", ("slot", 1, (1,))),
        (" q2 ", ("Q", 2, ())),
        ("3", ("branch", 3, ())),
        ("1/-1..0", ("trend", 1, (-1, 0))),
        ("1/-1..+0", None),
        ("A/1-2", ("match", 1, (2,))),
        ("X", ("shelf", 0, ())),
        ("topic", ("topic", 0, ())),
        ("1/nov", ("nov", 1, ())),
        ("A/2-1", None),
        ("A/1-1", None),
        ("1/0..+2", None),
        ("1/+1..0", None),
        ("0/0", None),
        ("1/-0", None),
        ("Q0", None),
        ("1/100", None),
        ("", None),
        ("N1/seed2.1", ("seed", "N1", (2, 1))),
        ("N1/seed", ("seed", "N1", ())),
        ("N1/seed0", None),
        ("N1/seed1.1.1.1.1", None),
        ("N1/seed1.", None),
        ("1/idea#title", None),
        ("1/0.CARD", None),
    ],
)
def test_the_grammar_by_example(typed: str, meant: tuple[object, ...] | None) -> None:
    if meant is None:
        with pytest.raises(UsageError):
            cell_ref(typed)
    else:
        at = cell_ref(typed)
        assert (at.kind, at.branch, at.key) == meant
