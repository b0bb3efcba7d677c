"""What a new session shall be, kept while it is typed, before there is a session, so in a small
file beside the sessions. Light to import: the list of sessions uses it before any is open.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import Any

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths, make_folder, write_whole

FILE = "new-session.json"
NUMBERS = {"branches": 5, "length": 12}
"""The most that each bound may be."""
MOST = 4000
"""Characters of a line that are kept."""


@dataclass(frozen=True)
class NewSessionDraft:
    """As a person filled it in; an empty ``name`` is made from the topic."""

    topic: str
    hunch: str = ""
    name: str = ""
    offline: bool = False
    send_hunch: bool = False
    """Whether a model may see the hunch when it predicts directions."""
    method: str = ""
    """The method that the session begins with, by name; empty for the usual one."""
    branches: str = ""
    length: str = ""
    cap: str = ""
    """Bounds as they were typed; empty for those of the settings."""

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds that were filled in. Raises UsageError for one that is not allowed."""
        typed = {name: str(getattr(self, name)).strip() for name in NUMBERS}
        for name, text in typed.items():
            if text and not (text.isdecimal() and 1 <= int(text) <= NUMBERS[name]):
                raise UsageError(f"{name.capitalize()}: a number from 1 to {NUMBERS[name]}.")
        return {name: int(text) for name, text in typed.items() if text}

    @property
    def empty(self) -> bool:
        """True when nothing was typed; ticks alone are not worth keeping."""
        return not (self.topic.strip() or self.hunch.strip() or self.name.strip())


def read_draft(paths: Paths) -> NewSessionDraft | None:
    """What was typed for a session that was not made; None where there is nothing that can be
    read."""
    try:
        data = json.loads((paths.data / FILE).read_text(encoding="utf-8"))
    # a lost draft must never keep one from beginning again
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    filled: dict[str, Any] = {
        field.name: clean_line(value)[:MOST] if field.type == "str" else value is True
        for field in fields(NewSessionDraft)
        if isinstance(value := data.get(field.name), str if field.type == "str" else bool)
    }
    draft = NewSessionDraft(**{"topic": "", **filled})
    return None if draft.empty else draft


def save_draft(paths: Paths, draft: NewSessionDraft) -> None:
    """Keep what was typed, readable by this user alone, for a hunch is private; an empty draft is
    forgotten. Raises StoreError."""
    if draft.empty:
        drop_draft(paths)
        return
    try:
        make_folder(paths.data)
        write_whole(paths.data / FILE, json.dumps(asdict(draft)))
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(
            f"What you type is not kept: {why}.",
            f"{hint} Making the session needs the same folder.",
        ) from None


def drop_draft(paths: Paths) -> None:
    """Forget the draft."""
    with suppress(OSError):
        (paths.data / FILE).unlink(missing_ok=True)
