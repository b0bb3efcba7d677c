"""What services answer: values that may be missing or odd, and what they say of their errors. Each
has a shape of its own for these: an object, a list, a text, one error within another as JSON in a
text, a web page."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, NoReturn

from coi_tui.model.text import Fields, clean_line


def no_constant(name: str) -> NoReturn:
    """What a decoder of JSON does with NaN and Infinity. Raises ValueError."""
    raise ValueError(f"{name} is not JSON")


def dig(value: object, *names: str) -> Any:
    """What nested objects hold under these names; None where anything in between is missing or
    odd."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def as_list(value: object) -> list[Any]:
    """The list itself; an empty one in place of null or anything else."""
    return value if isinstance(value, list) else []


def whole_number(value: object) -> int | None:
    """A count that may come as a number or as text; None when it is neither, or beyond all
    counting."""
    text = str(value).strip() if isinstance(value, int | str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else None


# -- errors

Leaves = list[tuple[str, str]]
"""The texts and numbers of an error, each with the name of its field in lower case."""

_SAYS = r"errors?|message|msg|details?|raw|innererror|reason|title|description|error_?message|error_description|statusmessage"
_AROUND = re.compile(rf"{_SAYS}|metadata|loc")
"""Fields that hold an error or its words. What else an error holds may repeat what was sent."""
_WORDS = re.compile(_SAYS)
_CODES = re.compile("code|type|status|statuscode|error_type|param|loc")
_WAITS = re.compile("retry.*|n_ctx")
_BESIDE = re.compile(
    rf"{_AROUND.pattern}|{_CODES.pattern}|object|success|request_?id|timestamp|path"
)
"""All that an error consists of, where it comes in place of an answer."""
DEPTH, MOST = 8, 20
"""How far in, and how many items of a list, are read."""
_PAGE = re.compile(r"(?s)<(style|script)\b.*?</\1>|<!--.*?-->|<[^<>]*>")


def leaves(error: object, name: str = "error", depth: int = DEPTH) -> Leaves:
    """The texts and numbers of an error, which is the field ``name`` of another."""
    if isinstance(error, str) and error.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            error = json.loads(error)
    if not isinstance(error, dict | list):
        return [] if error is None else [(name, str(error))]
    found: Leaves = []
    pairs = error.items() if isinstance(error, dict) else [(name, one) for one in error[:MOST]]
    for key, value in pairs:
        if depth and (_AROUND.fullmatch(key.lower()) or not isinstance(value, dict | list)):
            found += leaves(value, key.lower(), depth - 1)
    return found


def words_of(error: Leaves) -> str:
    """The sentences of an error on one line, each once, without the marks of a web page."""
    texts = [clean_line(_PAGE.sub(" ", text)) for name, text in error if _WORDS.fullmatch(name)]
    return "; ".join(dict.fromkeys(filter(None, texts)))


def codes_of(error: Leaves) -> str:
    """The codes, types and parameters of an error, and by name a wait that it asks for ("retry_after
    2") and the context of a model ("n_ctx 8192")."""
    codes = [text for name, text in error if _CODES.fullmatch(name)]
    return " ".join(codes + [f"{name} {text}," for name, text in error if _WAITS.fullmatch(name)])


def is_error(body: Fields) -> bool:
    """Whether an answer with status 200 is an error and nothing else."""
    fields = [name.lower() for name, value in body.items() if value is not None]
    return all(map(_BESIDE.fullmatch, fields)) and bool(words_of(leaves(body)))
