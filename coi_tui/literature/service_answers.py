"""What the clients of scholarly services share in reading answers."""

from __future__ import annotations

import re

from coi_tui.model.text import clean_line


def whole_number(value: object) -> int | None:
    """A count that may come as a number or as text; None when it is neither, or negative."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:18])
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def web_url(value: object) -> str | None:
    """An address of the web as it was given, its blanks (which some have) made fit to be sent; None for anything else."""
    url = clean_line(value)
    return url.replace(" ", "%20") if isinstance(value, str) and re.match(r"https?://[^\s/]", url) else None


def list_note(looked_at: int, total: int | None, complete: bool, unresolved: int) -> str:
    """How much of a list was seen, in words."""
    if complete:
        note = f"looked at all {looked_at}" if looked_at else "the list is empty"
    else:
        note = f"looked at {looked_at} of about {total}" if total else f"looked at the first {looked_at}; there are more"
    return f"{note}; {unresolved} without an id" if unresolved else note
