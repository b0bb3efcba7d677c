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
from coi_tui.services.llm.json_objects import object_span, objects, repaired
from coi_tui.services.llm.reply_items import Hints, Tidying, declines
from coi_tui.services.llm.types import REFUSED, TOOL_CALLED

T = TypeVar("T", bound=BaseModel)

_FENCE_START = re.compile(r"\A\s*```[\w-]*\s*")
_FENCE_END = re.compile(r"\s*```\s*\Z")
_THINK = re.compile(r"<think>", re.IGNORECASE)
_END_THINK = re.compile(r"</think>", re.IGNORECASE)
_SHOWN_FAULTS = 3
MOST_CHARS = 100_000
"""No answer is longer: some twenty-five thousand tokens, more than any prompt allows."""

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
    """A reply that was read. ``repaired``: the JSON was damaged and could be repaired without loss.
    ``notes``: what was left out of it."""

    value: T
    repaired: bool
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
    source = _the_object(_without_thinking(text))
    value, damaged = _parse(source)
    tidy = Tidying(hints, _fits)
    tree = tidy.tree({clean(key): clean_tree(inner) for key, inner in value.items()}, schema)
    checked = tidy.fault or _validate(tree, schema)
    if isinstance(
        checked, str
    ):  # raised here and not in the except block: there the old exception would stay chained
        raise Unreadable(checked)
    return Read(checked, repaired=damaged, notes=tuple(tidy.notes))


def reask_message(cause: str) -> str:
    """The sentence that is sent with the one re-ask."""
    return (
        f"That answer could not be used. {cause} "
        "Answer again with exactly one complete JSON object that matches the asked schema, and nothing else."
    )


def _without_thinking(text: str) -> str:
    """``text`` after its last ``</think>``; raises Unreadable where thinking never ends."""
    ends = list(_END_THINK.finditer(text))
    if ends and not _inside_object(text, ends[-1].start()):
        text = text[ends[-1].end() :]
    spans = objects(text)
    if any(
        not any(span.start < tag.start() < span.end for span in spans)
        for tag in _THINK.finditer(text)
    ):
        raise Unreadable("The reply ends within its thinking and holds no answer.")
    return text


def _inside_object(text: str, position: int) -> bool:
    """Whether ``position`` lies in a sound first object that no thinking precedes: an idea may
    speak of these tags."""
    start = text.find("{")
    if start < 0 or _THINK.search(text, 0, start):
        return False
    span = object_span(text, start)
    return span.start < position < span.end and isinstance(
        _strict(text[span.start : span.end]), dict
    )


def _the_object(text: str) -> str:
    """The one outermost brace group; raises Unreadable for none, several, a list, or one that never
    closes."""
    spans = objects(text)
    if not spans and declines(text):
        raise Unreadable("The model refused to answer, in words instead of JSON.")
    if not spans:
        raise Unreadable("The reply holds no JSON object.")
    if spans[-1].too_deep:
        raise Unreadable("The reply's JSON is nested too deeply.")
    if not spans[-1].closed:
        raise Unreadable("The reply's JSON object never closes.")
    # A group without a colon is prose ({x}), as long as there is another one.
    named = [span for span in spans if ":" in text[span.start : span.end]] or spans
    if len(named) > 1:
        raise Unreadable("The reply holds more than one JSON object.")
    span = named[0]
    if span.end - span.start > MOST_CHARS:
        raise Unreadable(f"The reply is too long: it has more than {MOST_CHARS:,} characters.")
    if _is_list(text, span.start):
        raise Unreadable("The reply is a list and not one JSON object.")
    return text[span.start : span.end]


def _is_list(text: str, start: int) -> bool:
    """Whether the object that starts there is an item of a list, or the whole reply is a list."""
    bare = _FENCE_END.sub("", _FENCE_START.sub("", text)).strip()
    return text[:start].rstrip().endswith("[") or (bare.startswith("[") and bare.endswith("]"))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("The reply gives the same field twice.")
    return found


def _no_constant(_name: str) -> NoReturn:
    raise ValueError  # NaN and Infinity are not JSON


def _strict(source: str) -> object:
    """The JSON value of ``source``; None where it is damaged. Raises Unreadable where a key comes
    twice."""
    try:
        return json.loads(source, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def _parse(source: str) -> tuple[dict[str, Any], bool]:
    """The object of ``source``, and whether it had to be repaired; raises Unreadable."""
    value = _strict(source)
    if isinstance(value, dict):
        return value, False
    found = repaired(source)
    if not found:
        raise Unreadable("The reply's JSON is damaged and cannot be repaired without loss.")
    return found, True


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
