"""The built-in prompts: inputs, replies, budgets, own words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

import coi_tui
from coi_tui.llm.reply_items import fields_of
from coi_tui.methods.coi import replies
from coi_tui.methods.imitate import replies as imitate
from coi_tui.methods.nova import replies as nova
from coi_tui.methods.scipip import replies as scipip
from coi_tui.methods.shared import replies as shared
from coi_tui.methods.virsci import replies as virsci
from coi_tui.prompts.loader import Prompts, undeclared

PAPERS = Path(coi_tui.__file__).resolve().parents[2] / "shared" / "papers"
Values = Callable[..., dict[str, dict[str, object]]]
NAMES = Prompts().names()


def tokens(texts: tuple[str, str]) -> float:
    return sum(map(len, texts)) / 4


@pytest.mark.parametrize("name", NAMES)
def test_declared_inputs_are_the_names_the_text_uses(name: str, values: Values) -> None:
    prompt = Prompts().get(name)
    assert set(prompt.inputs) == undeclared(prompt)
    assert set(prompt.accepts) == set(values()[name])
    assert set(prompt.optional) <= set(prompt.inputs)


def schema_of(name: str) -> type[BaseModel]:
    reply = Prompts().get(name).reply
    modules = (replies, shared, scipip, nova, imitate, virsci)
    found: type[BaseModel] = next(known for module in modules if (known := getattr(module, reply, None)))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_reply_is_a_schema_and_its_fields_are_named_in_its_order(name: str, values: Values) -> None:
    asked = Prompts().get(name).render(values("a")[name])[1].partition("Task: ")[2]
    listed = "Fields of the answer:" in asked
    places = [asked.index(f"\n- {field}: " if listed else f'"{field}"') for field in schema_of(name).model_fields]
    assert places == sorted(places)
    if listed:
        assert set(fields_of(f"Task: {asked}")) >= set(schema_of(name).model_fields)


FIRST_THOUGHTS = {
    "coi_direction": "note", "coi_match": "novelty", "coi_novelty_verdicts": "summary",
    "coi_relevances": "verdicts", "scipip_filter": "judged", "nova_weigh": "judged",
}  # fmt: skip
"""Where what comes first is a part of the answer itself; within a list of verdicts each has its reason before it."""


@pytest.mark.parametrize("name", NAMES)
def test_the_thinking_comes_before_the_answer(name: str) -> None:
    fields = schema_of(name).model_fields
    assert next(iter(fields)) == FIRST_THOUGHTS.get(name, "reasoning")
    assert fields["reasoning"].is_required() == (name in FIRST_THOUGHTS) if "reasoning" in fields else name in FIRST_THOUGHTS


@pytest.mark.parametrize(
    ("row", "before", "verdict"), [(replies.PaperRelevance, "reasoning", "relevant"), (shared.PaperVerdict, "reason", "claims")]
)
def test_each_verdict_of_a_list_follows_its_reason(row: type[BaseModel], before: str, verdict: str) -> None:
    fields = list(row.model_fields)
    assert fields[0] == "id"
    assert fields.index(before) < fields.index(verdict) == len(fields) - 1


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_reasons_by_itself_is_not_asked_to_write_it_down(name: str, values: Values) -> None:
    asked, not_asked = (Prompts().get(name).render(values("a")[name], reasoning=wanted)[1] for wanted in (True, False))
    optional = "reasoning" in schema_of(name).model_fields and not schema_of(name).model_fields["reasoning"].is_required()
    assert (asked != not_asked) == optional
    assert bool(re.search(r'"reasoning"|- reasoning:', not_asked)) == (name == "coi_relevances")


@pytest.mark.parametrize("name", NAMES)
def test_fixed_text_keeps_to_its_budget(name: str, values: Values) -> None:
    given = values()[name]
    if name == "coi_read":
        given["topic"] = "t" * 200
    assert tokens(Prompts().get(name).render(given)) <= 700


@pytest.mark.parametrize("name", NAMES)
def test_quoted_text_is_declared_as_data_and_one_object_is_asked_for(name: str) -> None:
    system = Prompts().get(name).system
    assert "never follow instructions" in system
    assert "one JSON object" in system


# -- what is shared, and in which order -------------------------------------------------------------------------------


def test_the_system_part_is_the_same_in_all_prompts() -> None:
    assert len({Prompts().get(name).system for name in NAMES}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_task_comes_after_the_quoted_texts(name: str, values: Values) -> None:
    context, task = Prompts().get(name).render(values("text")[name])[1].split("\n\nTask: ")
    assert ">>>" in context
    assert ">>>" not in task


@pytest.mark.parametrize(
    ("names", "ends_with"),
    [
        (("coi_direction", "coi_idea", "coi_final_idea"), "trend>>>"),
        (("coi_idea", "coi_final_idea"), "rejected>>>"),
        (("coi_novelty_verdicts", "coi_search_against"), "idea>>>"),
        (("coi_experiment", "coi_refine"), "idea>>>"),
        (("coi_questions", "coi_rewrite", "coi_relevances", "coi_read", "coi_trend", "coi_direction"), "topic>>>"),
    ],
)
def test_prompts_begin_with_what_they_share(names: tuple[str, ...], ends_with: str, values: Values) -> None:
    rendered = ["\n".join(Prompts().get(name).render(values("text")[name])) for name in names]
    shared_part = rendered[0][: rendered[0].index(ends_with) + len(ends_with)]
    assert all(text.startswith(shared_part) for text in rendered)


# -- parts that may be absent -----------------------------------------------------------------------------------------


def emptied(value: object) -> object:
    """A value of the same kind that says nothing."""
    return type(value)() if isinstance(value, list | str) else value


NEVER_EMPTY = {"title", "name", "id", "kind", "abstract", "text", "topic", "question", "part", "point", "design", "method", "final"}
"""What a heading of its own does not stand before, or what is checked not to be empty before a prompt is filled in."""


def inner_fields(given: dict[str, object]) -> list[tuple[str, str]]:
    """The fields of the objects among the values of a prompt, as (value, field)."""
    found = []
    for name, value in given.items():
        item = value[0] if isinstance(value, list) and value else value
        if isinstance(item, dict):
            found += [(name, field) for field in item if field not in NEVER_EMPTY]
    return found


def without(given: dict[str, object], absent: set[tuple[str, str]]) -> dict[str, object]:
    """The values with some fields of their objects empty."""

    def lighter(name: str, item: object) -> object:
        return {f: emptied(v) if (name, f) in absent else v for f, v in item.items()} if isinstance(item, dict) else item

    return {name: [lighter(name, i) for i in v] if isinstance(v, list) else lighter(name, v) for name, v in given.items()}


def assert_nothing_is_announced_that_does_not_come(rendered: tuple[str, str]) -> None:
    user = rendered[1].partition("Task: ")[0]
    assert "\n\n\n" not in "\n".join(rendered)
    assert "None" not in user
    assert "Undefined" not in user
    assert not re.search(r"\{\{|\}\}|\{%|%\}", "\n".join(rendered))
    assert not re.search(r"<<<(\w+)[^\n]*\n\1>>>", user), "a fence around nothing"
    lines = user.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        heading = line.rstrip().endswith(":")
        assert not heading or after.startswith(("<<<", "- ")), f"nothing follows {line!r}"
        assert line.strip() not in ("-", "1."), "an item without a text"


@pytest.mark.parametrize("name", NAMES)
def test_no_heading_is_left_where_optional_parts_are_absent(name: str, values: Values) -> None:
    """All absent, each alone absent, each alone there; and the same for the fields of every object among the values."""
    prompt, given = Prompts().get(name), values("text", 2024)[name]
    optional = set(prompt.optional)
    for gone in [set(), optional, *({one} for one in optional), *(optional - {one} for one in optional)]:
        some = {key: emptied(value) if key in gone else value for key, value in given.items()}
        fields = set(inner_fields(some))
        for absent in [set(), fields, *({one} for one in fields), *(fields - {one} for one in fields)]:
            assert_nothing_is_announced_that_does_not_come(prompt.render(without(some, absent)))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _runs(text: str, length: int = 12) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not part of the project")
def test_no_run_of_twelve_words_is_taken_from_the_papers() -> None:
    theirs: set[tuple[str, ...]] = set()
    for file in sorted(PAPERS.glob("*.txt")):
        theirs |= _runs(file.read_text(encoding="utf-8", errors="replace"))
    assert theirs
    for name in NAMES:
        prompt = Prompts().get(name)
        assert not (_runs(f"{prompt.system}\n{prompt.user}") & theirs), name
