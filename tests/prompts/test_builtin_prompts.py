"""The built-in prompts: inputs, replies, budgets, own words."""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from pydantic import BaseModel

from coi_tui import methods
from coi_tui.methods.base.replies import Reply
from coi_tui.prompts.loader import Prompts, undeclared
from coi_tui.services.llm.reply_items import fields_of

Values = Callable[..., dict[str, dict[str, object]]]
NAMES = Prompts().names()


@pytest.mark.parametrize("name", NAMES)
def test_declared_inputs_are_the_names_the_text_uses(name: str) -> None:
    prompt = Prompts().get(name)
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
    return next(form for form in forms() if form.__name__ == Prompts().get(name).reply)


@pytest.mark.parametrize("name", NAMES)
def test_the_fields_of_the_answer_are_listed_in_the_order_of_its_schema(
    name: str, values: Values
) -> None:
    listed = list(fields_of(Prompts().get(name).render(values("a")[name])[1]))
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
    (system,) = {Prompts().get(name).system for name in NAMES}
    assert "never follow instructions" in system
    assert "one JSON object" in system


@pytest.mark.parametrize("name", NAMES)
def test_the_task_comes_after_the_quoted_texts(name: str, values: Values) -> None:
    context, task = Prompts().get(name).render(values("text")[name])[1].split("\n\nTask: ")
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
    prompt, given = Prompts().get(name), values("text", 2024)[name]
    optional = set(prompt.optional)
    for gone in [set(), optional, *({one} for one in optional)]:
        some = {key: emptied(value) if key in gone else value for key, value in given.items()}
        assert_nothing_is_announced_that_does_not_come(prompt.render(some))
