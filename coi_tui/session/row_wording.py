"""Rows in glyphs and sentences: the one place where the tree, the status line, ``coi show`` and its
JSON get theirs. Light to import."""

from __future__ import annotations

from typing import Any

from coi_tui.model.wording import count
from coi_tui.session.queries.row import Row, RowKind, Status, Verdict

RUNNING, FAILED, YOURS, ANCHOR, NOTHING, NO_GLYPH = "●", "!", "✎", "◆", "·", " "
GLYPHS = {
    Verdict.UNDECIDED: "?",
    Verdict.ACCEPTED: "✓",
    Verdict.PINNED: YOURS,
    Verdict.REJECTED: "✗",
    Verdict.NONE: NO_GLYPH,
    Verdict.EMPTY: NOTHING,
}
GLYPH_WORDS = {
    "?": "undecided",
    "✓": "accepted",
    "✗": "rejected",
    YOURS: "yours: written, edited or pinned by you",
    ANCHOR: "the anchor of a chain, before its verdict",
    RUNNING: "running",
    FAILED: "failed",
    NOTHING: "empty, or not made yet",
}
"""What each sign in front of a row means. In ASCII they are ``? + x e # * ! .``, which the screen
puts in their places."""

CHECK_FAILED = "check failed"
STALE_NOTES = {Status.STALE: "stale", Status.UPSTREAM: "input stale"}
DECIDE = "decide"
NEWER = "newer version"
HOLDS = "still holds"
_STATE_WORDS = {"fresh": "up to date", "kept by you": HOLDS, "stale upstream": "its input is stale"}
NOTE_WORDS = {
    DECIDE: "the verdict is yours",
    "stale": "an input has changed since",
    "input stale": "an input is itself stale",
    NEWER: "a version made from the inputs of now waits to be compared with yours",
    CHECK_FAILED: "the report before it stands",
    HOLDS: "stale, but you said that it still holds",
    "draft": "your text is not saved yet",
    "protected": "no plan changes it",
}
"""What the words at the right of a row mean."""


def glyph(row: Row) -> str:
    """The one sign of a row: what happens to it just now, else whose it is and what was said of it.
    A blank where nothing is to be said."""
    if row.status is None:  # a branch, the arena and the rejected papers
        return NO_GLYPH
    if row.running or row.failed:
        return RUNNING if row.running else FAILED
    if row.verdict is Verdict.REJECTED or row.verdict is Verdict.EMPTY:
        return GLYPHS[row.verdict]
    if not row.made:
        return NOTHING
    return YOURS if row.by_you and row.verdict is not Verdict.UNDECIDED else GLYPHS[row.verdict]


def is_anchor(row: Row) -> bool:
    """Whether the paper that a chain begins with stands here, or is to."""
    return row.role == "anchor"


def note(row: Row) -> str:
    """The word at the right, where the state matters: decide, stale, running, failed ..."""
    if row.kind is RowKind.BRANCH:
        return "set aside" if row.parked else f"{row.undecided} to decide" if row.undecided else ""
    if row.kind is RowKind.SHELF:
        return str(row.count)
    return _state_note(row) or (DECIDE if row.asks else "protected" if row.protected else "")


def line(row: Row) -> str:
    """What stands right of the label: the title, for an idea beside those of other methods after
    its method and source."""
    return f"{row.source}: {row.title}" if row.source else row.title


def sentence(row: Row) -> str:
    """The row in words, for the status line and for those who hear it read aloud."""
    if row.kind is RowKind.BRANCH:
        return f"branch {row.address}: {row.title}"
    if row.kind is RowKind.ARENA:
        return row.title.replace(":", ",", 1)
    if row.kind is RowKind.SHELF:
        return f"{row.title}: {count(row.count, 'paper')}"
    if row.kind is RowKind.SLOT:
        said = (
            _listed(row.title, str(row.year or ""), _states(row))
            if row.made or row.running or row.failed
            else Verdict.EMPTY.value
        )
        return f"{row.address} {row.role}: {said}"
    return _text_sentence(row)


def _text_sentence(row: Row) -> str:
    said = (
        "your draft is not saved yet"
        if row.draft
        else "a newer version waits to be compared"
        if row.choice_waits
        else ""
    )
    if row.made and row.failed and not row.running:
        said = _listed(
            "the text before it is in use",
            row.status.value if row.status is not None and row.stale else "",
            said,
        )
    failed = (
        f"last check failed: {row.check_failed}" if row.check_failed and not row.running else ""
    )
    name = row.address if row.address.endswith(row.label) else f"{row.address} {row.label}"
    return f"{name}: {_listed(row.source, _states(row), said, failed)}"


def _listed(*parts: str) -> str:
    """The parts that say something, between commas."""
    return ", ".join(filter(None, parts))


def as_data(row: Row) -> dict[str, Any]:
    """The row for programs."""
    return {
        "address": row.address,
        "depth": row.depth,
        "verdict": row.verdict.value,
        "state": state(row),
        "origin": row.origin.value,
        "protected": row.protected,
        "label": row.label,
        "title": row.title,
        "source": row.source,
        "year": str(row.year or ""),
        "note": note(row),
        "words": sentence(row),
        "needs_you": row.needs_you,
    }


def state(row: Row) -> str:
    """Whether it runs or failed, else how it stands to its inputs; empty for rows that sum up
    others."""
    if row.running or row.failed:
        return "running" if row.running else "failed"
    return (
        ""
        if row.status is None
        else "kept by you"
        if row.status is Status.KEPT
        else row.status.value
    )


def _states(row: Row) -> str:
    verdict = (
        ""
        if row.verdict is Verdict.NONE
        else f"{row.verdict.value}{', waits for you' if row.asks else ''}"
    )
    return _listed(
        verdict,
        _STATE_WORDS.get(state(row), state(row)),
        row.origin.value,
        "protected" if row.protected else "",
    )


def _state_note(row: Row) -> str:
    """The word for a state that a person should see from afar; empty for all others."""
    if row.draft:
        return "draft"
    if row.choice_waits:
        return NEWER
    if row.running or row.failed or row.status is Status.KEPT:
        return _STATE_WORDS.get(state(row), state(row))
    stale = STALE_NOTES.get(row.status, "") if row.status is not None else ""
    return stale or (CHECK_FAILED if row.check_failed else "")
