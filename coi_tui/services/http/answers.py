"""Values in what a service sent, any of which may be missing or odd."""

from __future__ import annotations

from typing import Any, NoReturn


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
