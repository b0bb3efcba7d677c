"""What a method is made with: contents that are replies, list items as inputs, a course from the
table of kinds."""

from collections.abc import Sequence

import pytest

from coi_tui.methods.base.reply_models import Reasoned, Reply, Words
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.state import State, value_at
from tests.support.folding import fold
from tests.support.logs import numbered


class Step(Reply):
    title: Words
    text: str = ""


class Plan(Reasoned):
    steps: list[Step]
    note: Words


CONTENT = {"steps": [{"title": "one"}, {"title": "two", "text": "second"}], "note": "n"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("note", "n"),
        ("steps.2", {"title": "two", "text": "second"}),
        ("steps.2.text", "second"),
        ("steps.0", None),
        ("steps.3", None),
        ("note.1", None),
        ("other.1", None),
    ],
)
def test_a_reference_may_name_an_item_of_a_list_counted_from_1(path: str, value: object) -> None:
    assert value_at(CONTENT, path) == value


def test_a_reply_is_a_content_whose_missing_or_wrong_fields_are_empty() -> None:
    assert Plan.from_stored(CONTENT).steps[1].text == "second"
    partly = Plan.from_stored({"steps": "none"})
    assert (partly.steps, partly.note) == ([], "")
    assert isinstance(partly, Plan)


def _saved(seq: int, steps: Sequence[str], *, as_before: Version | None = None) -> Version:
    content = {"steps": list(steps)}
    return Version(
        seq=seq,
        actor="coi",
        address="S1/plan",
        content=content,
        meanings=as_before.meanings if as_before else meanings_of(content),
        origin="model",
        parents=(as_before.seq,) if as_before else (),
        wording_only=as_before is not None,
    )


def _with(*log: Decision | Version) -> State:
    return fold(numbered(list(log)))


def test_an_item_means_something_else_only_when_it_is_another_one() -> None:
    first = _saved(1, ["a", "b"])
    edited = _saved(2, ["a", "c"])
    reworded = _saved(2, ["A", "B"], as_before=first)
    before = _with(first)
    for after, item, same in (
        (edited, 1, True),
        (edited, 2, False),
        (reworded, 1, True),
        (reworded, 2, True),
    ):
        reference = f"S1/plan#steps.{item}"
        state = _with(first, after)
        assert (state.meaning(reference) == before.meaning(reference)) is same, (item, after)
    assert _with(first, reworded).value("S1/plan#steps.2") == "B"
    assert before.meaning("S1/plan#steps.3") is None
