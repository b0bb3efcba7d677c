from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.engine import text_parts as texts
from coi_tui.engine.declarations import CellKind
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

KINDS = {
    "Q1": "Q",
    "topic": "topic",
    "1/0..+1": "trend",
    "1/dir": "dir",
    "1/0.card": "card",
    "1/idea": "idea",
    "1/exp": "exp",
}
METHODS = SessionMethods()


def kind_of(address: str) -> CellKind:
    kind = METHODS.kind(address)
    assert kind is not None
    return kind


def to_text(address: str, content: Mapping[str, Any]) -> str:
    return texts.to_text(kind_of(address), content)


def from_text(address: str, text: str, base: Mapping[str, Any]) -> dict[str, Any]:
    return texts.from_text(kind_of(address), address, text, base)


def editable(address: str) -> bool:
    kind = METHODS.kind(address)
    return kind is not None and kind.editable


FIELDS = {part: tuple(f.name for f in kind_of(address).fields) for address, part in KINDS.items()}
LISTS = {f.name for address in KINDS for f in kind_of(address).fields if f.form != "text"}
MULTI = [a for a, part in KINDS.items() if len(FIELDS[part]) > 1]
SINGLE = [a for a, part in KINDS.items() if len(FIELDS[part]) == 1]

piece = st.one_of(
    st.sampled_from(["## design", "\\## text", "## note\n", "- ", "\n\n", ": ", "  ", "## title"]),
    st.text(max_size=8),
)
free = st.lists(piece, max_size=6).map(lambda p: clean("".join(p)))
named = st.fixed_dictionaries({"name": free, "description": free})


def contents(address: str) -> st.SearchStrategy[dict[str, Any]]:
    def value(name: str) -> st.SearchStrategy[Any]:
        if name in ("entities", "claims"):
            return st.lists(named, max_size=3)
        return st.lists(free, max_size=3) if name in LISTS else free

    return st.fixed_dictionaries(
        {**{f: value(f) for f in FIELDS[KINDS[address]]}, "source": st.just("abstract")}
    )


@settings(max_examples=300)
@given(st.sampled_from(MULTI).flatmap(lambda a: st.tuples(st.just(a), contents(a))))
def test_a_text_that_is_saved_as_it_was_opened_changes_nothing(
    case: tuple[str, dict[str, Any]],
) -> None:
    address, content = case
    assert from_text(address, to_text(address, content), content) == content


@settings(max_examples=300)
@given(st.sampled_from(MULTI).flatmap(lambda a: st.tuples(st.just(a), contents(a))), st.data())
def test_changing_one_part_leaves_every_other_part_alone(
    case: tuple[str, dict[str, Any]], data: st.DataObject
) -> None:
    address, content = case
    name = data.draw(st.sampled_from([f for f in FIELDS[KINDS[address]] if f not in LISTS]))
    new = data.draw(free)
    edited = {**content, name: new}
    assert from_text(address, to_text(address, edited), content) == edited


plain_item = (
    st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf")), max_size=10)
    .map(str.strip)
    .filter(lambda t: bool(t) and not t.startswith("- "))
)


@settings(max_examples=200)
@given(st.lists(st.lists(plain_item, min_size=1, max_size=3).map("\n".join), max_size=4))
def test_lists_written_by_a_person_are_read_back(items: list[str]) -> None:
    edited = {"title": "t", "works": items}
    base = dict.fromkeys(FIELDS["idea"], "") | {"works": ["something else"]}
    assert from_text("1/idea", to_text("1/idea", {**base, **edited}), base)["works"] == items


@settings(max_examples=200)
@given(st.sampled_from(SINGLE), st.text(max_size=30).map(clean).filter(lambda t: bool(t.strip())))
def test_a_single_text_is_kept_byte_for_byte(address: str, text: str) -> None:
    content = from_text(address, text, {"text": "old", "note": "kept"})
    assert content == {"text": text, "note": "kept"}
    assert to_text(address, content) == text


@pytest.mark.parametrize(
    ("address", "text", "said"),
    [
        ("1/dir", " \n", "is empty"),
        ("1/dir", "before\n## text\nx", "stands twice"),
        ("1/dir", "## text\na\n\n## text\nb\n", "stands twice"),
        ("1/0..+1", " \n\t", "is empty"),
        ("Q1", "\x1b[0m", "is empty"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(address: str, text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        from_text(address, text, {})
    assert said in error.value.message
    assert error.value.message.endswith(".")
    assert error.value.hint


def test_a_text_under_headings_may_say_some_parts_and_the_main_one_before_them() -> None:
    base: dict[str, Any] = dict.fromkeys(FIELDS["idea"], "old") | {"works": []}
    content = from_text("1/idea", "The idea.\n\n## Title\nMine\n\n## works\none\n- two\n", base)
    assert content == {**base, "final": "The idea.", "title": "Mine", "works": ["one", "two"]}


def test_control_characters_are_taken_out_of_a_persons_text() -> None:
    assert from_text("1/0..+1", "my \x1b[31mred\x1b[0m text\r\n", {}) == {"text": "my red text\n"}


def test_only_texts_are_editable() -> None:
    assert [
        a for a in ("1/0", "1/nov", "1/review", "A/1-2", "1/0.cands", "X", "1") if editable(a)
    ] == []
    assert all(editable(a) for a in KINDS)
