"""What does not fit a model, in our own words: pydantic's sentences are written for programmers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError

_MUST_BE = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "text",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "dict": "a table",
    "model": "a table",
}
"""What a value must be, by the first word of the names that pydantic gives to its errors
(``int_parsing``, ``bool_type``)."""

_BOUNDS = (
    ("greater_than_equal", "ge", "must be at least"),
    ("less_than_equal", "le", "must be at most"),
    ("greater_than", "gt", "must be more than"),
    ("less_than", "lt", "must be less than"),
    ("literal_error", "expected", "must be"),
    ("enum", "expected", "must be"),
)
"""The name of an error, where it holds its limit, and the words before that."""
_FIXED = {
    "missing": "is missing",
    "extra_forbidden": "is unknown",
    "string_pattern_mismatch": "does not have the form that it must have",
}


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Where the first problem is (a dotted name, empty for the whole), and what it is: ``must be at
    most 5``. It quotes no value."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return where, _words(first["type"], first.get("ctx", {}), first["msg"], bool(where))


def problem(error: ValidationError, whole: str = "") -> str:
    """The first problem as a clause: ``length must be at most 12``. ``whole``: what the value is
    called where no part of it is at fault."""
    where, what = first_problem(error)
    return f"{where or whole} {what}".strip()


def _words(kind: str, given: Mapping[str, Any], message: str, of_a_part: bool) -> str:
    if kind in _FIXED:
        return _FIXED[kind]
    for name, limit, words in _BOUNDS:
        if kind == name and limit in given:
            value = given[limit]
            return f"{words} {f'{value:g}' if isinstance(value, float) else value}"
    if kind in ("value_error", "assertion_error"):
        said = message.partition(", ")[
            2
        ]  # pydantic puts "Value error, " before the words of a validator
        return f"is not valid: {said}" if of_a_part else said
    needed = _MUST_BE.get(kind.partition("_")[0])
    return f"must be {needed}" if needed else f"is not valid: {message[:1].lower()}{message[1:]}"
