from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.address import cell_ref
from coi_tui.model.errors import UsageError

number = st.integers(1, 99)
place = st.integers(-99, 99)
addresses = st.one_of(
    st.sampled_from(
        [Address("topic"), Address("session"), Address("arena"), Address("shelf"), Address("pick")]
    ),
    number.map(lambda n: Address("Q", n)),
    number.map(lambda n: Address("branch", n)),
    st.builds(Address, st.sampled_from(["slot", "card", "cands", "rel"]), number, place),
    st.builds(
        Address, st.sampled_from(["ents", "dir", "bad", "idea", "nov", "exp", "review"]), number
    ),
    st.builds(lambda b, p: Address("trend", b, p, p + 1), number, st.integers(-99, 98)),
    st.builds(
        lambda name, item: Address(name, "N1", item=".".join(map(str, item))),
        st.sampled_from(["seed", "plan"]),
        st.lists(number, min_size=1, max_size=4),
    ),
    st.tuples(number, number)
    .filter(lambda t: t[0] != t[1])
    .map(lambda t: Address("match", min(t), 0, max(t))),
)


@settings(max_examples=300)
@given(addresses)
def test_every_address_reads_back_as_itself(address: Address) -> None:
    assert cell_ref(str(address)) == address


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1/+1.card", Address("card", 1, 1)),
        ("1/1", Address("slot", 1, 1)),
        (" q2 ", Address("Q", 2)),
        ("3", Address("branch", 3)),
        ("1/-1..0", Address("trend", 1, -1, 0)),
        ("1/-1..+0", None),
        ("A/1-2", Address("match", 1, 0, 2)),
        ("X", Address("shelf")),
        ("1/nov", Address("nov", 1)),
        ("A/2-1", None),
        ("A/1-1", None),
        ("1/0..+2", None),
        ("1/+1..0", None),
        ("0/0", None),
        ("1/-0", None),
        ("Q0", None),
        ("1/100", None),
        ("", None),
        ("N1/seed2.1", Address("seed", "N1", item="2.1")),
        ("N1/seed", Address("seed", "N1")),
        ("N1/seed0", None),
        ("N1/seed1.1.1.1.1", None),
        ("N1/seed1.", None),
        ("N1/card1", None),
        ("1/idea#title", None),
        ("1/0.CARD", None),
    ],
)
def test_the_grammar_by_example(typed: str, meant: Address | None) -> None:
    if meant is None:
        with pytest.raises(UsageError):
            cell_ref(typed)
    else:
        assert cell_ref(typed) == meant
