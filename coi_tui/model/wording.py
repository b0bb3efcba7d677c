"""Small wording helpers for sentences that people read: counts, lists, dates, ends of sentences.
Plain text, not escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from coi_tui.model.text import clean_line


def count(number: int, one: str, many: str = "") -> str:
    """``1 paper``, ``2 papers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """``a, b and c``."""
    return (
        items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that somebody who typed ``name`` most likely meant; empty where none is like
    it."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), "")


def sentence(text: object) -> str:
    """A text that ends like a sentence."""
    said = clean_line(text)
    return said if not said or said[-1] in ".!?…" else f"{said}."


def clipped(text: object, words: int = 60) -> str:
    """At most so many words on one line; a cut is shown."""
    said = clean_line(text).split()
    return " ".join(said[:words]) + (" [...]" if len(said) > words else "")


def day(time: object) -> str:
    """The date of an ISO time, or words for a missing one."""
    said = clean_line(time)
    return said[:10] if re.match(r"\d{4}-\d\d-\d\d", said) else (said or "an unknown date")


def moment(time: object) -> str:
    """Date and minute of an ISO time in UTC."""
    said = clean_line(time)
    found = re.match(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|\+00:00)?$", said)
    return f"{found[1]} {found[2]}{' UTC' if found[3] else ''}" if found else day(said)
