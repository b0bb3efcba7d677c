"""What does not fit a model, as a clause of a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

_FIXED = {"missing": "is missing", "extra_forbidden": "is unknown"}
_SHOULD = re.compile(r"\w+ should ")
"""How pydantic begins most of its sentences: ``Input should be ...``, ``List should have ...``."""


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Where the first problem is (a dotted name, empty for the whole), and what it is: ``must be at
    most 5``. It quotes no value."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return where, _words(first["type"], first["msg"], bool(where))


def problem(error: ValidationError, whole: str = "") -> str:
    """The first problem as a clause: ``length must be at most 12``. ``whole``: what the value is
    called where no part of it is at fault."""
    where, what = first_problem(error)
    return f"{where or whole} {what}".strip()


def _words(kind: str, message: str, of_a_part: bool) -> str:
    if kind in _FIXED:
        return _FIXED[kind]
    if found := _SHOULD.match(message):
        return f"must {message[found.end() :]}"
    # pydantic puts "Value error, " before the words of a validator
    said = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return f"is not valid: {said}" if of_a_part else said
