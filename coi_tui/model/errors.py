"""Errors with one clear sentence: what happened, why, what to do. Raised anywhere, shown at the
edge."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class CoiError(Exception):
    """Base of every error that a person is meant to read.

    ``message`` is one sentence (what and why); ``hint`` says what to do, or is empty.
    Neither ever holds a key or the text of a model's reply.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


def in_full(failed: object) -> str:
    """What a person reads of an error or a stored failure, and after it what the service itself
    said."""
    told, response = getattr(failed, "cause", failed), getattr(failed, "response", "")
    return f"{told} The service said: “{response}”" if response else str(told)


class UsageError(CoiError):
    """The request itself makes no sense here (bad address, illegal move): exit code 2."""


class UnknownAddress(CoiError):
    """An address that has its right form, but names nothing in this session: exit code 1."""


class StoreError(CoiError):
    """A session or library file cannot be opened, read or written."""


FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
FREE_SPACE = "Free some space, then try again."


def why_not_written(error: OSError) -> tuple[str, str]:
    """The cause for which a file cannot be written, as a clause, and what to do about that."""
    if error.errno in FULL:
        return "the disk is full", FREE_SPACE
    if error.errno in READ_ONLY:
        return (
            "the file or its folder is read-only",
            "Change its permissions, or choose another place.",
        )
    return (error.strerror or type(error).__name__).lower(), "Check the folder and the disk."


class ServiceError(CoiError):
    """An outside service failed, and trying again did not help.

    ``kind`` is one of: ``unreachable``, ``limited`` (429), ``refused`` (401, 403, quota),
    ``not_found``,
    ``server`` (5xx), ``bad_request``, ``broken`` (unreadable body), ``offline``.
    """

    def __init__(self, service: str, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.service = service
        self.kind = kind
        self.response = ""
        """The service's own words, cut, cleaned and without keys: told after the message, never part
        of it."""


class QuotaSpent(ServiceError):
    """A service's own budget for the day is spent. Its ``kind`` is ``refused``: trying again is no
    use before the budget renews."""


class ContextError(ServiceError):
    """The prompt does not fit the model's context, which has ``limit`` tokens (0: unknown)."""

    def __init__(self, service: str, message: str, hint: str = "", *, limit: int = 0) -> None:
        super().__init__(service, "bad_request", message, hint)
        self.limit = limit


class ReplyError(CoiError):
    """A model's reply could not be read, not even after the one re-ask. The raw reply is stored with
    the call."""


class ConsentNeeded(CoiError):
    """Nothing was spent: the plan needs a yes first (exit code 3)."""


class BudgetStop(CoiError):
    """The next call's upper estimate would pass the budget, so nothing more is sent (exit code 3).

    ``option``: what ``--budget`` has to allow at least; empty where another limit holds the job
    back.
    """

    def __init__(self, message: str, hint: str = "", option: str = "") -> None:
        super().__init__(message, hint)
        self.option = option


# -- what does not fit a model

_FIXED = {
    "missing": "is missing",
    "extra_forbidden": "is unknown",
    "bool_parsing": "must be true or false",
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "string_type": "must be text, not a list or table",
    "tuple_type": "must be a list",
}
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
    words = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return f"is not valid: {words}" if of_a_part else words
