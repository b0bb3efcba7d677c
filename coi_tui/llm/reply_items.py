"""What is put right in a reply before it is checked, without filling in anything: blank items of lists go, over-long lists are cut,
and items that stand by themselves are left out where they cannot be read.

What repeats the prompt's own example (``"string"``, ``"one sentence"``, a field's name, one text in every field) is no answer at all, and a
refusal is none. No text is longer, and no list has more items, than any answer needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from coi_tui.llm.refusals import declines
from coi_tui.model.wording import count


class _EachByItself:
    """Marks a list whose items are read one by one: one that cannot be read does not cost the others."""


EACH_BY_ITSELF = _EachByItself()

MOST_FIELD_CHARS = 40_000
"""No text of an answer is longer: some ten thousand tokens, more than any prompt allows for a whole reply."""
MOST_ITEMS = 200
"""No list of an answer has more items, where its prompt states no number."""

Hints = frozenset[str]
"""Texts that a prompt shows as an example of its reply, normalised."""

_HINT_WORDS = frozenset(
    (
        "string",
        "str",
        "text",
        "integer",
        "int",
        "number",
        "float",
        "boolean",
        "bool",
        "array",
        "list",
        "object",
        "value",
        "placeholder",
        "todo",
        "tbd",
        "your answer",
        "your answer here",
        "your text here",
        "insert text here",
        "lorem ipsum",
    )
)
_BRACKETED = re.compile(r"<[^<>\n]{1,120}>|\{\{?[^{}\n]{1,120}\}\}?|\[[^\[\]\n]{1,120}\]")
_EXAMPLE = re.compile(r'[:\[]\s*"([^"]{2,600})"')
_FIELD = re.compile(r"^( *)- (\w+): (.{2,600})$", re.MULTILINE)
_EDGES = " \t\r\n.:;,-_#*…\"'`<>[](){}"


@dataclass
class Tidied:
    """A reply's data put right. ``notes`` say what was left out, ``fault`` why the whole cannot be used (empty where it can)."""

    tree: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    fault: str = ""


Accepts = Callable[[object, type[BaseModel]], bool]
"""Whether an item fits its model."""


@lru_cache(maxsize=64)
def hints_of(prompt: str) -> Hints:
    """What a prompt says of the fields of its answer. Single words may be answers as well and are left out."""
    said = (*_EXAMPLE.findall(prompt), *fields_of(prompt).values())
    return frozenset(text for found in said if " " in (text := _plain(found)))


def fields_of(prompt: str) -> dict[str, str]:
    """What each field of the answer is to hold: the lines ``- name: what`` after the task, a field of items as ``claims.refuted_if``."""
    found: dict[str, str] = {}
    path: list[str] = []
    for indent, name, what in _FIELD.findall(prompt.partition("Task: ")[2]):
        path = [*path[: len(indent) // 2], name]
        found[".".join(path)] = what
    return found


def tidied(
    tree: Mapping[str, Any], schema: type[BaseModel], hints: Hints | None, accepts: Accepts
) -> Tidied:
    """``tree`` as it may be checked against ``schema``. ``hints`` None: examples are not looked for (nobody was shown any)."""
    out = Tidied(dict(tree))
    out.fault = _too_much(tree, schema)
    for name, info in schema.model_fields.items():
        value = out.tree.get(name)
        if isinstance(value, list) and get_origin(info.annotation) is list:
            _tidy_list(out, name, info, value, hints, accepts)
        elif isinstance(value, str) and _free_text(info) and hints is not None:
            if _is_hint(value, name, hints):
                _take_as_empty(out, name, info)
            elif info.is_required() and declines(value):
                out.fault = out.fault or f"The model refuses to answer in {name}."
        elif (
            isinstance(value, dict)
            and isinstance(info.annotation, type)
            and issubclass(info.annotation, BaseModel)
        ):
            inner = tidied(value, info.annotation, hints, accepts)
            out.tree[name], out.fault = inner.tree, out.fault or inner.fault
            out.notes += inner.notes
    if not out.fault and hints is not None and _all_the_same(out.tree, schema):
        out.fault = "The reply gives the same text in all fields."
    return out


def _too_much(tree: Mapping[str, Any], schema: type[BaseModel]) -> str:
    """Which field holds more than any answer has; empty where none does."""
    long = (name for name in schema.model_fields if _longest(tree.get(name)) > MOST_FIELD_CHARS)
    found = next(long, "")
    return (
        f"The reply is too long: {found} has more than {MOST_FIELD_CHARS:,} characters."
        if found
        else ""
    )


def _longest(value: object) -> int:
    """Characters of the longest text in a value."""
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(_longest, inner), default=0)


def _take_as_empty(out: Tidied, name: str, info: FieldInfo) -> None:
    if info.default == "":
        out.tree[name] = ""
        out.notes.append(f"{name} repeated the prompt's example and was taken as empty")
    else:
        out.fault = out.fault or _echoed(name)


def _tidy_list(
    out: Tidied, name: str, info: FieldInfo, items: list[Any], hints: Hints | None, accepts: Accepts
) -> None:
    model = _item_model(info)
    said = [item for item in items if not _blank(item)]
    if (
        model is not None and not said
    ):  # a list of nothing but empty objects was not meant as an empty list
        return
    _note(out, len(items) - len(said), name, "blank")
    own = _without_examples(out, name, said, model, hints)
    if hints is not None:
        out.fault = out.fault or _no_answer(name, [item for item in own if isinstance(item, str)])
    if model is not None and any(mark is EACH_BY_ITSELF for mark in info.metadata):
        read, fault = _readable(out, own, model, hints, accepts)
        if (
            own and not read
        ):  # without a fault of ours the check of the whole says what is wrong with them
            out.fault = out.fault or fault
            return
        _note(out, len(own) - len(read), name, "unreadable")
        own = read
    out.tree[name] = _cut(out, name, info, own)


def _no_answer(name: str, texts: list[str]) -> str:
    """Why the texts of a list are none: all of them refusals, or three and more that are one and the same; empty where they are some."""
    if texts and all(map(declines, texts)):
        return f"The model refuses to answer in {name}."
    return (
        f"The reply gives the same text in all items of {name}."
        if len(texts) > 2 and len(set(map(_plain, texts))) == 1
        else ""
    )


def _without_examples(
    out: Tidied, name: str, said: list[Any], model: type[BaseModel] | None, hints: Hints | None
) -> list[Any]:
    """The items that are not the prompt's own example; a list of examples alone is a fault."""
    if hints is None:
        return said
    own = [item for item in said if not _example_item(item, name, model, hints)]
    if said and not own:
        out.fault = out.fault or _echoed(name)
    _note(out, len(said) - len(own), name, "only the prompt's example")
    return own


def _cut(out: Tidied, name: str, info: FieldInfo, items: list[Any]) -> list[Any]:
    """As many items as the field may have, with a note where there were more."""
    most = next(
        (
            mark.max_length
            for mark in info.metadata
            if getattr(mark, "max_length", None) is not None
        ),
        MOST_ITEMS,
    )
    if len(items) <= most:
        return items
    out.notes.append(f"{name} was cut from {len(items)} items to the {most} that were asked for")
    return items[:most]


def _readable(
    out: Tidied, items: list[Any], model: type[BaseModel], hints: Hints | None, accepts: Accepts
) -> tuple[list[Any], str]:
    """Those of the items that fit their model, each put right, and what is wrong with one of the others beside that."""
    read, fault = [], ""
    for item in items:
        one = tidied(item, model, hints, accepts) if isinstance(item, dict) else Tidied({})
        fault = fault or one.fault
        if not one.fault and accepts(one.tree, model):
            read.append(one.tree)
            out.notes += one.notes
    return read, fault


def _note(out: Tidied, number: int, name: str, why: str) -> None:
    if number:
        out.notes.append(f"{count(number, 'item')} of {name} left out: {why}")


def _echoed(name: str) -> str:
    return f"The reply repeats the prompt's own example in {name} instead of answering."


def _blank(item: Any) -> bool:
    """Nothing at all is said: an empty text, null, or an object of such."""
    if isinstance(item, dict):
        return all(_blank(inner) for inner in item.values())
    return item is None or item in ([], {}) or (isinstance(item, str) and not item.strip())


def _example_item(item: Any, name: str, model: type[BaseModel] | None, hints: Hints) -> bool:
    """An item of which every text is the example's: its choices say nothing then."""
    if isinstance(item, str):
        return _is_hint(item, name, hints)
    if not isinstance(item, dict) or model is None:
        return False
    texts = [
        (key, item[key])
        for key, info in model.model_fields.items()
        if _free_text(info) and isinstance(item.get(key), str)
    ]
    return bool(texts) and all(_is_hint(text, key, hints) for key, text in texts)


def _is_hint(text: str, name: str, hints: Hints) -> bool:
    plain = _plain(text)
    return bool(text.strip()) and (
        not plain
        or plain in hints
        or plain in _HINT_WORDS
        or plain == name.replace("_", " ")
        or bool(_BRACKETED.fullmatch(text.strip()))
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_EDGES)


def _all_the_same(tree: Mapping[str, Any], schema: type[BaseModel]) -> bool:
    """One text in all fields that must hold one."""
    texts = [
        tree.get(name)
        for name, info in schema.model_fields.items()
        if _free_text(info) and info.is_required()
    ]
    plain = [_plain(text) for text in texts if isinstance(text, str)]
    return len(plain) > 1 and len(plain) == len(texts) and len(set(plain)) == 1


def _free_text(info: FieldInfo) -> bool:
    """A field for any text, rather than a choice, a number or a list."""
    return info.annotation is str or str in get_args(info.annotation)


def _item_model(info: FieldInfo) -> type[BaseModel] | None:
    """The model of a list's items, where they are objects."""
    item = next(iter(get_args(info.annotation)), None)
    item = get_args(item)[0] if get_origin(item) is Annotated else item
    return item if isinstance(item, type) and issubclass(item, BaseModel) else None
