"""Reading a model's reply: from raw text to a checked object, or one sentence saying why not.

Nothing of a reply ever gets into a cause: not a value, not a key, not through a chained exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from coi_tui.model.text import clean, clean_tree
from coi_tui.services.llm.reply_items import Hints, Tidying, declines
from coi_tui.services.llm.types import REFUSED, TOOL_CALLED

T = TypeVar("T", bound=BaseModel)

_OBJECT = re.compile(r'\{(?=\s*["}])')
"""Where a JSON object begins; other braces are prose."""
_THINK = re.compile(r"<think>", re.IGNORECASE)
_END_THINK = re.compile(r"</think>", re.IGNORECASE)
_SHOWN_FAULTS = 3
_LIST = re.compile(r"\s*(?:```[\w-]*\s*)?\[")

_PHRASES = {
    "missing": "is missing",
    "string_too_short": "is empty or too short",
    "string_too_long": "is too long",
    "too_short": "has too few items",
    "too_long": "has too many items",
    "literal_error": "is none of the allowed values",
    "enum": "is none of the allowed values",
    "extra_forbidden": "holds something that is not asked for",
}


@dataclass(frozen=True)
class Read(Generic[T]):
    """A reply that was read. ``notes``: what was left out of it."""

    value: T
    notes: tuple[str, ...] = ()


class Unreadable(Exception):
    """The reply cannot be used. ``cause`` is one sentence of ours, free of any part of the
    reply."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def read_reply(
    text: str, finish_reason: str, schema: type[T], hints: Hints | None = None
) -> Read[T]:
    """The object of type ``schema`` in a model's raw reply. Raises Unreadable, and nothing else.

    Thinking, code fences and prose around the one JSON object are cut; a cut-off reply is never
    completed. ``hints`` are the texts of the example that the prompt shows: a reply that repeats
    them is none.
    """
    if finish_reason == "length":
        raise Unreadable("The reply was cut off at the length limit.")
    if finish_reason == "content_filter":
        raise Unreadable("The reply was stopped by the server's content filter.")
    if finish_reason == REFUSED:
        raise Unreadable("The model refused to answer.")
    if not text.strip():
        called = finish_reason in (TOOL_CALLED, "function_call")
        raise Unreadable(
            "The reply calls a tool instead of answering, and none was offered."
            if called
            else "The reply is empty."
        )
    try:
        found = _the_object(text)
        tidy = Tidying(hints, _fits)
        tree = tidy.tree({clean(key): clean_tree(inner) for key, inner in found.items()}, schema)
        checked = tidy.fault or _validate(tree, schema)
    except RecursionError:
        checked = "The reply's JSON is nested too deeply."
    if isinstance(
        checked, str
    ):  # raised here and not in the except block: there the old exception would stay chained
        raise Unreadable(checked)
    return Read(checked, tuple(tidy.notes))


def reask_message(cause: str) -> str:
    """The sentence that is sent with the one re-ask."""
    return (
        f"That answer could not be used. {cause} "
        "Answer again with exactly one complete JSON object that matches the asked schema, and nothing else."
    )


@dataclass(frozen=True)
class _Span:
    """``text[start:end]`` is one JSON object; ``value`` None where it is damaged or never ends."""

    start: int
    end: int
    value: dict[str, Any] | None

    def holds(self, tag: re.Match[str]) -> bool:
        return self.value is not None and self.start < tag.start() < self.end


def _objects(text: str) -> Iterator[_Span]:
    """The outermost objects of a text in order; a damaged one is the last."""
    at = 0
    while found := _OBJECT.search(text, at):
        value, at = _decoded(text, found.start())
        yield _Span(found.start(), at, value)


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except ValueError:
        return None, len(text)
    return value, end


def _the_object(text: str) -> dict[str, Any]:
    """The one object after the last ``</think>``. Raises Unreadable for none, several, a list, a
    damaged one, and where thinking never ends."""
    spans = list(_objects(text))
    ends = list(_END_THINK.finditer(text))
    # an idea may speak of these tags: a sound first object that no thinking precedes is the answer
    thinks = bool(spans) and _THINK.search(text, 0, spans[0].start) is not None
    if ends and (thinks or not any(span.holds(ends[-1]) for span in spans[:1])):
        text = text[ends[-1].end() :]
        spans = list(_objects(text))
    for tag in _THINK.finditer(text):
        if not any(span.holds(tag) for span in spans):
            raise Unreadable("The reply ends within its thinking and holds no answer.")
    if not spans and declines(text):
        raise Unreadable("The model refused to answer, in words instead of JSON.")
    if not spans:
        raise Unreadable("The reply holds no JSON object.")
    first = spans[0]
    if first.value is None:
        raise Unreadable("The reply's JSON object is damaged or incomplete.")
    if len(spans) > 1:
        raise Unreadable("The reply holds more than one JSON object.")
    if text[: first.start].rstrip().endswith("[") or _LIST.match(text):
        raise Unreadable("The reply is a list and not one JSON object.")
    return first.value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_constant(_name: str) -> NoReturn:
    raise ValueError  # NaN and Infinity are not JSON


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)


def _validate(tree: object, schema: type[T]) -> T | str:
    """The checked object, or the sentence saying which fields are at fault."""
    try:
        value = schema.model_validate(tree)
    except ValidationError as error:
        return _sentence(
            error.errors(include_url=False, include_context=False, include_input=False),
            _names(schema),
        )
    loose = next(_loose_booleans(value.model_dump(by_alias=True), tree, ()), None)
    if loose is not None:
        return _sentence(
            [{"type": "bool_type", "loc": loose, "msg": "", "input": None}], _names(schema)
        )
    return value


def _fits(item: object, model: type[BaseModel]) -> bool:
    return not isinstance(_validate(item, model), str)


def _loose_booleans(
    value: object, given: object, at: tuple[str | int, ...]
) -> Iterator[tuple[str | int, ...]]:
    """Places where pydantic took "yes" or 1 for true, or true for the number 1: neither was said by
    the model."""
    if isinstance(value, dict) and isinstance(given, dict):
        for key, inner in value.items():
            if key in given:
                yield from _loose_booleans(inner, given[key], (*at, key))
    elif isinstance(value, list | tuple) and isinstance(given, list | tuple):
        for index, (inner, raw) in enumerate(zip(value, given, strict=False)):
            yield from _loose_booleans(inner, raw, (*at, index))
    elif isinstance(value, bool) != isinstance(given, bool):
        yield at


def _names(schema: type[BaseModel]) -> frozenset[str]:
    """The field names that the schema knows, at any depth."""
    json_schema = schema.model_json_schema()
    shapes = [json_schema, *json_schema.get("$defs", {}).values()]
    return frozenset(name for shape in shapes for name in shape.get("properties", {}))


def _sentence(errors: list[ErrorDetails], names: frozenset[str]) -> str:
    faults = list(
        dict.fromkeys(f"{_place(error['loc'], names)} {_phrase(error['type'])}" for error in errors)
    )
    more = len(faults) - _SHOWN_FAULTS
    tail = f"; and {more} more" if more > 0 else ""
    return f"The reply does not match the schema: {'; '.join(faults[:_SHOWN_FAULTS])}{tail}."


def _place(loc: tuple[str | int, ...], names: frozenset[str]) -> str:
    """A path of field names and list places; keys that are not the schema's own come from the reply
    and are left out."""
    parts = [
        f"[{part}]" if isinstance(part, int) else f".{part}"
        for part in loc
        if isinstance(part, int) or part in names
    ]
    return "".join(parts).lstrip(".") or "the object"


def _phrase(kind: str) -> str:
    if kind.endswith(("_type", "_parsing")):
        return "is of the wrong kind"
    return _PHRASES.get(kind, f"is not allowed ({kind})")
