"""Words, numbers and lengths as the screens show them. Pure functions; widths are terminal cells."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: cut with ``…``, or filled with blanks."""
    if width <= 0:
        return ""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1).rstrip() + "…"
    return set_cell_size(text, width)


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells, with ``…`` where something is missing."""
    return text if cell_len(text) <= width else fit(text, width).rstrip()


def column(texts: Iterable[str], least: int, most: int) -> int:
    """Cells for a column of texts: as wide as the widest of them, within reason; ``fit`` cuts what
    is wider still."""
    return max(least, min(most, max(map(cell_len, texts), default=0)))


def ends(left: str, right: str, width: int) -> str:
    """``left`` at one side and ``right`` at the other; the left is cut first."""
    right = cut(right, width)
    room = width - cell_len(right)
    return fit(left, room - 2) + "  " + right if room > 2 else right


def indented(text: str, by: int, width: int) -> list[str]:
    """The text wrapped to ``width``, each line ``by`` blanks in."""
    blanks = " " * by
    return textwrap.wrap(
        text,
        max(20, width),
        initial_indent=blanks,
        subsequent_indent=blanks,
        break_on_hyphens=False,
    )


def wrapped(text: str, width: int, most: int | None = None) -> list[str]:
    """The text wrapped to ``width``, in at most so many lines, with ``…`` where something is
    missing."""
    return textwrap.wrap(
        text, max(1, width), max_lines=most, placeholder=" …", break_on_hyphens=False
    )


def ago(time: str, now: datetime | None = None) -> str:
    """``5 min ago`` for an ISO time; the date when it is more than two weeks back, empty when there
    is none."""
    if not time:
        return ""
    try:
        then = datetime.fromisoformat(time.replace("Z", "+00:00"))
    except ValueError:
        return time
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{int(seconds // 60)} min ago"
    if seconds < 86400:
        return f"{int(seconds // 3600)} h ago"
    days = int(seconds // 86400)
    if days <= 14:
        return f"{days} day{'' if days == 1 else 's'} ago"
    return f"{then:%Y-%m-%d}"


def size(number: int) -> str:
    """``1.9 MB``."""
    return f"{number / 1_000_000:.1f} MB" if number >= 1_000_000 else f"{max(1, number // 1000)} kB"
