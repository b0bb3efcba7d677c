"""The last look at a session: what stood on the screen when it was left, to be shown again while the session is being opened.

It is shown only where nothing was logged since and the same program kept it, so it never says what is not so. Light to import.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from coi_tui import __version__
from coi_tui.model.errors import CoiError
from coi_tui.session.names import session_path
from coi_tui.session.queries.row import Row
from coi_tui.store.glance import glance

if TYPE_CHECKING:
    from coi_tui.paths import Paths
    from coi_tui.session.core import Core

KEY = "last look"
MOST_ROWS, MOST_TEXT = 300, 12_000
"""Rows and characters kept at most: a screenful is wanted, not the session."""


@dataclass(frozen=True)
class LastLook:
    """``rows``: those in sight and above them, as the tree had them. ``title`` and ``parts``: the text of the row ``at`` the cursor.

    ``inspected`` are the lists of the inspector, as plain values.
    """

    at: str
    rows: tuple[Row, ...]
    title: str
    parts: tuple[tuple[str, str], ...]
    inspected: tuple[Any, ...] = ()


def keep_look(session: Core, look: LastLook) -> None:
    """Remember it with the session; nothing where that is read-only, and none where there is too much of it."""
    value: dict[str, Any] = {"version": __version__, "stamp": session.file.stamp(), "at": look.at}
    if len(look.rows) <= MOST_ROWS and sum(len(text) for _, text in look.parts) <= MOST_TEXT:
        value |= {"rows": [astuple(row) for row in look.rows], "title": look.title, "parts": look.parts, "inspected": look.inspected}
    session.remember(KEY, value)


def remembered_of(paths: Paths, name: str) -> tuple[Mapping[str, Any], LastLook | None]:
    """What the screens remember of a session that is not open yet, and its last look; nothing where either cannot be had."""
    try:
        kept, now = glance(session_path(paths, name, existing=True))
    except CoiError:  # opening it will say what is wrong
        return {}, None
    held = kept.get(KEY)
    if not isinstance(held, dict) or held.get("stamp") != now or held.get("version") != __version__:
        return kept, None
    return kept, _read(held)


def _read(held: Mapping[str, Any]) -> LastLook | None:
    """A look as it was kept; None for what is none. The file may come from anywhere."""
    try:
        rows = tuple(Row(*row) for row in held["rows"])
        parts = tuple((str(heading), str(text)) for heading, text in held["parts"])
        at = str(held["at"])
        sound = all(_sound(row) for row in rows) and rows[0].depth == 0 and any(row.address == at for row in rows)
        return LastLook(at, rows, str(held["title"]), parts, tuple(held["inspected"])) if sound else None
    except (LookupError, TypeError, ValueError):
        return None


def _sound(row: Row) -> bool:
    texts: Sequence[Any] = (row.address, row.marks, row.label, row.title, row.year, row.note, row.words)
    return all(isinstance(text, str) for text in texts) and isinstance(row.depth, int) and 0 <= row.depth < 20
