"""The means of a person in a session: decided, and said in words."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.means import ADDRESS, KINDS, Means, means_of
from coi_tui.model.text import clean_line
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.edits import write_content

MOST_CHARS = 1_000
"""Of each kind of means; they are sent with every check."""


def set_means(core: SessionCore, means: Means, reason: str = "") -> Decision:
    """Decide the means, each on one line: one entry, one undo. Raises UsageError."""
    content = {kind: text for kind in KINDS if (text := clean_line(getattr(means, kind)))}
    if long := next((kind for kind, text in content.items() if len(text) > MOST_CHARS), ""):
        raise UsageError(
            f"Your means of {long} have {len(content[long]):,} characters; at most {MOST_CHARS:,} are kept.",
            "Say it more briefly.",
        )
    if content == means_of(core.state).said():
        raise UsageError("Your means already say that; nothing was changed.")
    return write_content(core, ADDRESS, content, reason)


def means_effect(core: SessionCore) -> str:
    """What the means are and what is to be checked again, in a sentence."""
    lines = means_of(core.state).lines()
    stale = [
        a
        for a, fresh in core.fresh.items()
        if parse_address(a).part == "check" and fresh.status == "stale"
    ]
    tail = f" To be checked again (r): {', '.join(stale)}." if stale else ""
    if not lines:
        return f"You have named no means.{tail}"
    return f"Your means: {'; '.join(lines)}.{tail} They are sent only where a plan is checked against them."
