"""What a new session shall be, kept while it is typed: before there is a session, so in a small file beside the sessions."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from coi_tui.model.errors import StoreError
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths
from coi_tui.whole_file import write_whole

FILE = "new-session.json"
MOST = 4000
"""Characters of a line that are kept."""


@dataclass(frozen=True)
class Wish:
    """As a person filled it in; an empty ``name`` is made from the topic."""

    topic: str
    hunch: str = ""
    name: str = ""
    offline: bool = False
    send_hunch: bool = False
    """Whether a model may see the hunch when it predicts directions."""

    @property
    def empty(self) -> bool:
        """True when nothing was typed; ticks alone are not worth keeping."""
        return not (self.topic.strip() or self.hunch.strip() or self.name.strip())


def read_wish(paths: Paths) -> Wish | None:
    """What was typed for a session that was not made; None where there is nothing that can be read."""
    try:
        said = json.loads((paths.data / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # a lost draft must never keep one from beginning anew
        return None
    if not isinstance(said, dict):
        return None
    texts = {name: clean_line(said[name])[:MOST] for name in ("topic", "hunch", "name") if isinstance(said.get(name), str)}
    ticks = {name: said.get(name) is True for name in ("offline", "send_hunch")}
    wish = Wish(texts.get("topic", ""), texts.get("hunch", ""), texts.get("name", ""), **ticks)
    return None if wish.empty else wish


def keep_wish(paths: Paths, wish: Wish) -> None:
    """Keep what was typed, readable by this user alone, for a hunch is private; an empty wish is forgotten. Raises StoreError."""
    if wish.empty:
        drop_wish(paths)
        return
    try:
        paths.data.mkdir(parents=True, exist_ok=True)
        write_whole(paths.data / FILE, json.dumps(asdict(wish)))
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise StoreError(f"What you type is not kept: {why}.", "Making the session needs the same folder.") from None


def drop_wish(paths: Paths, made: Wish | None = None) -> None:
    """Forget the draft. With ``made`` only if it is the draft of that session: another window may be writing one of its own."""
    if made is not None and (kept := read_wish(paths)) is not None and clean_line(made.topic)[:MOST] != kept.topic:
        return
    try:
        (paths.data / FILE).unlink(missing_ok=True)
    except OSError:
        return
