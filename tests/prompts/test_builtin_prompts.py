"""The built-in prompts: inputs, replies, budgets, own words."""

import json
import pkgutil
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

from coi_tui import methods
from coi_tui.methods.base.reply_models import Reply
from coi_tui.methods.coi.kinds import Kinships
from coi_tui.model import experiment_plans, proposals
from coi_tui.prompts.loader import Prompts, undeclared
from coi_tui.services.llm.reply_reading import fields_of

Values = Callable[..., dict[str, dict[str, object]]]
PROMPTS = Prompts()
NAMES = PROMPTS.names()


@pytest.mark.parametrize("name", NAMES)
def test_declared_inputs_are_the_names_the_text_uses(name: str) -> None:
    prompt = PROMPTS.get(name)
    assert set(prompt.inputs) == undeclared(prompt)
    assert set(prompt.optional) <= set(prompt.inputs)


for _module in pkgutil.walk_packages(methods.__path__, f"{methods.__name__}."):
    import_module(_module.name)


def forms(of: type[BaseModel] = Reply) -> Iterator[type[BaseModel]]:
    """The forms of replies, and of what stands in them."""
    for form in of.__subclasses__():
        yield form
        yield from forms(form)


def schema_of(name: str) -> type[BaseModel]:
    return next(form for form in forms() if form.__name__ == PROMPTS.get(name).reply)


@pytest.mark.parametrize("name", NAMES)
def test_the_fields_of_the_answer_are_listed_in_the_order_of_its_schema(
    name: str, values: Values
) -> None:
    listed = list(fields_of(PROMPTS.get(name).render(values("a")[name])[1]))
    assert [field for field in listed if "." not in field] == list(schema_of(name).model_fields)
    shape = schema_of(name).model_json_schema()
    inner = {
        field: [given.partition(".")[2] for given in listed if given.startswith(f"{field}.")]
        for field in shape["properties"]
    }
    for field, given in inner.items():
        about = re.search(r"#/\$defs/(\w+)", json.dumps(shape["properties"][field]))
        known = [*shape["$defs"][about[1]]["properties"]] if about else []
        assert [one for one in given if one in known] == [one for one in known if one in given], (
            field
        )


@pytest.mark.parametrize("form", list(forms()), ids=lambda form: form.__name__)
def test_a_verdict_follows_its_reason_and_no_private_code_travels(form: type[BaseModel]) -> None:
    fields = form.model_json_schema()["properties"]
    reasons = [
        n
        for n, field in enumerate(fields)
        if field in ("reasoning", "reason", "why", "thinking", "shows")
    ]
    verdicts = [
        n
        for n, (name, said) in enumerate(fields.items())
        if name not in ("id", "step")
        and ("enum" in said or said.get("type") in ("boolean", "integer"))
    ]
    assert not reasons or not verdicts or min(reasons) < min(verdicts)
    assert not re.search(r"[A-Z]{2,4}-\d", json.dumps(form.model_json_schema()))


# -- what is shared, and in which order


def test_all_have_one_system_part_that_declares_quoted_text_as_data() -> None:
    (system,) = {PROMPTS.get(name).system for name in NAMES}
    assert "never follow instructions" in system
    assert "one JSON object" in system


@pytest.mark.parametrize("name", NAMES)
def test_the_task_comes_after_the_quoted_texts(name: str, values: Values) -> None:
    context, task = PROMPTS.get(name).render(values("text")[name])[1].split("\n\nTask: ")
    assert ">>>" in context
    assert ">>>" not in task


# -- parts that may be absent


def emptied(value: object) -> object:
    """A value of the same kind that says nothing."""
    return type(value)() if isinstance(value, list | str) else value


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
    """All absent, and each alone absent."""
    prompt, given = PROMPTS.get(name), values("text", 2024)[name]
    optional = set(prompt.optional)
    for gone in [set(), optional, *({one} for one in optional)]:
        some = {key: emptied(value) if key in gone else value for key, value in given.items()}
        assert_nothing_is_announced_that_does_not_come(prompt.render(some))


# -- what a prompt offers, its schema has


def shapes(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The fields of a JSON schema by path, those of items and of objects within under theirs."""
    every = schema.get("$defs", {})

    def inside(node: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, shape in node.get("properties", {}).items():
            here = f"{path}{name}"
            yield here, shape
            for one in (shape, shape.get("items", {}), *shape.get("anyOf", ())):
                if "$ref" in one:
                    yield from inside(every[one["$ref"].rpartition("/")[2]], f"{here}.")

    return inside(schema, path)


def asked(name: str, values: Values, *gone: str) -> dict[str, str]:
    """What a prompt asks for, field by field; without the optional inputs ``gone``."""
    prompt, given = PROMPTS.get(name), values("a")[name]
    return fields_of(
        prompt.render({k: emptied(v) if k in gone else v for k, v in given.items()})[1]
    )


COUNTED = "one two three four five six seven eight nine ten"
NUMBERS = {word: n for n, word in enumerate(COUNTED.split(), start=1)} | {
    "twelve": 12,
    "thirty": 30,
}
_MOST = re.compile(r"\b(?:at most|up to|to|or) (?:the )?(\w+)\b(?! (?:words|sentences|paragraph))")


def options(hint: str) -> set[str]:
    """The choices that a hint lists: ``first, second or tie``."""
    said = re.sub(r"\s*\([^)]*\)", "", hint)
    return {one.strip() for one in re.split(r", (?:or )?| or ", said)}


@pytest.mark.parametrize("name", NAMES)
def test_each_choice_of_the_prompt_is_one_of_the_schema_and_the_other_way_round(
    name: str, values: Values
) -> None:
    hints = asked(name, values)
    schema = Kinships if name == "coi_relevances" else schema_of(name)
    for path, shape in shapes(schema.model_json_schema()):
        if path in hints and "enum" in shape and not hints[path].startswith("the label of"):
            assert options(hints[path]) == set(shape["enum"]), path
        elif path in hints and shape.get("type") == "boolean":
            assert re.search(r"\btrue\b", hints[path]), path
            assert re.search(r"\bfalse\b|\belse\b|\botherwise\b", hints[path]), path


@pytest.mark.parametrize("name", NAMES)
def test_what_may_be_empty_in_the_prompt_may_be_in_the_schema(name: str, values: Values) -> None:
    hints, schema = asked(name, values), schema_of(name).model_json_schema()
    for path, shape in shapes(schema):
        hint = hints.get(path, "")
        kinds = {one.get("type") for one in (shape, *shape.get("anyOf", ()))}
        if re.search(r"\bempty\b", hint) and "array" in kinds:
            assert not shape.get("minItems"), path
        elif re.search(r"\bempty\b", hint):
            assert not shape.get("minLength"), path
        said = bool(re.search(r"\bnull\b", hint))
        assert ("null" in kinds) >= said, path
        assert said or "null" not in kinds or "default" in shape or not hint, path


@pytest.mark.parametrize("name", NAMES)
def test_a_list_has_the_length_that_the_prompt_says(name: str, values: Values) -> None:
    hints = asked(name, values)
    for path, shape in shapes(schema_of(name).model_json_schema()):
        hint = hints.get(path, "").partition(",")[0].partition(":")[0]
        if shape.get("type") != "array" or (re.search(r"\bwords?\b", hint) and "search" in hint):
            continue
        said = [NUMBERS.get(one, one) for one in _MOST.findall(hint)]
        most = [int(one) for one in said if str(one).isdecimal()]
        if most and "count" not in PROMPTS.get(name).inputs:
            assert shape.get("maxItems") == most[-1], (path, hint)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("coi_proposal", proposals.MOST_WORDS),
        *(
            (name, experiment_plans.MOST_WORDS)
            for name in ("coi_experiment", "one_call", "one_call_papers")
        ),
    ],
)
def test_a_text_may_have_as_many_words_as_its_check_allows(name: str, most: int) -> None:
    assert f"at most {most:,} words" in PROMPTS.get(name).text


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_the_schema_is_asked_for_and_no_other(name: str, values: Values) -> None:
    """Whatever is absent; what cites is asked for only where there is a paper to cite."""
    prompt = PROMPTS.get(name)
    for gone in ((), tuple(prompt.optional), *((one,) for one in prompt.optional)):
        given = values("a")[name]
        some = {k: emptied(v) if k in gone else v for k, v in given.items()}
        context, _, task = prompt.render(some)[1].partition("\n\nTask: ")
        listed = set(fields_of(f"Task: {task}"))
        schema = Kinships if some.get("neighbour") else schema_of(name)
        known = {path for path, _ in shapes(schema.model_json_schema())} - {"sources.found"}
        assert listed <= known, (gone, listed - known)
        missing = {path for path in known - listed if "." not in path} - {"sources"}
        assert not missing, (gone, missing)
        labelled = re.search(r"(?<!\w)P\d\b", context) is not None
        assert labelled or "[P1" not in task, (gone, "no paper is listed")
        assert ("sources" in listed) <= labelled, gone


def test_a_proposal_takes_over_no_more_of_a_work_than_is_known(values: Values) -> None:
    text = PROMPTS.get("coi_proposal").render(values("a")["coi_proposal"])[1]
    assert not re.search(r"full title|its authors", text)


def test_own_points_are_spoken_of_only_where_there_are_some(values: Values) -> None:
    given = values("a")["coi_refine"]
    own = [{"part": "design", "point": "a", "own": True}]
    for points, said in ((given["points"], False), (own, True)):
        text = PROMPTS.get("coi_refine").render({**given, "points": points})[1]
        assert ("researcher's own" in text) is said
