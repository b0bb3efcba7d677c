"""Rows in signs and sentences: the one place where the tree, the status line, ``coi show`` and its JSON get theirs. Light to import."""

from __future__ import annotations

from typing import Any

from coi_tui.session.queries.row import Row, RowKind, RowOrigin, Status, Verdict

VERDICT_SIGNS = {
    Verdict.UNDECIDED: "?", Verdict.ACCEPTED: "+", Verdict.PINNED: "P", Verdict.REJECTED: "x", Verdict.NONE: "-", Verdict.EMPTY: "_",
}  # fmt: skip
STATUS_SIGNS = {Status.FRESH: ".", Status.KEPT: ".", Status.STALE: "~", Status.UPSTREAM: ":", Status.MISSING: "_"}
RUNNING, FAILED = "*", "!"
CHECK_FAILED = "check failed"
ORIGIN_SIGNS = {
    RowOrigin.MODEL: "m", RowOrigin.DRAFTER: "d", RowOrigin.EXAMPLE: "w", RowOrigin.EDITED: "e", RowOrigin.YOURS: "h",
    RowOrigin.SOURCE: "s", RowOrigin.NONE: " ",
}  # fmt: skip
PROTECTED = "L"

VERDICT_WORDS = {sign: verdict.value for verdict, sign in VERDICT_SIGNS.items()}
FRESH_WORDS = {sign: status.value for status, sign in STATUS_SIGNS.items() if status is not Status.KEPT}
FRESH_WORDS |= {RUNNING: "running", FAILED: "failed"}
ORIGIN_WORDS = {sign: origin.value for origin, sign in ORIGIN_SIGNS.items()} | {PROTECTED: "protected"}
"""What each of the three signs in front of a row means."""

_STATUS_NOTES = {Status.STALE: "STALE", Status.UPSTREAM: "stale^"}


def marks(row: Row) -> str:
    """The signs of verdict, freshness and origin; blanks for a branch."""
    if row.kind is RowKind.BRANCH:
        return "   "
    if row.status is None:  # the arena and the shelf
        return "- ."
    return VERDICT_SIGNS[row.verdict] + _fresh_sign(row) + (PROTECTED if row.protected else ORIGIN_SIGNS[row.origin])


def note(row: Row) -> str:
    """The short word at the right: STALE, stale^, decide, edited ..."""
    if row.kind is RowKind.BRANCH:
        return "parked" if row.parked else f"{row.undecided} to do" if row.undecided else ""
    if row.kind is RowKind.SHELF:
        return str(row.count)
    return _slot_note(row) if row.kind is RowKind.SLOT else _text_note(row)


def line(row: Row) -> str:
    """What stands right of the label: the title, for an idea beside those of other methods after its method and source."""
    return f"{row.source}: {row.title}" if row.source else row.title


def sentence(row: Row) -> str:
    """The row in words, for the status line and for those who hear it read aloud."""
    if row.kind is RowKind.BRANCH:
        return f"branch {row.address}: {row.title}"
    if row.kind is RowKind.ARENA:
        return row.title.replace(":", ",", 1)
    if row.kind is RowKind.SHELF:
        return f"shelf, {row.count} papers"
    if row.kind is RowKind.SLOT:
        return _listed(f"{row.address} {row.role}", row.title, str(row.year or ""), _states(row))
    return _text_sentence(row)


def _text_sentence(row: Row) -> str:
    said = "your draft is not saved yet" if row.draft else note(row)
    if row.made and _fresh_sign(row) == FAILED:
        old = row.status.value if row.status is not None and row.stale else ""
        said = _listed("the text before it is in use", old, "" if said == "failed" else said)
    failed = f"last check failed: {row.check_failed}" if row.check_failed and not row.running else ""
    return _listed(f"{row.address} {row.label}", row.source, _states(row), "" if said == CHECK_FAILED else said, failed)


def _listed(*parts: str) -> str:
    """The parts that say something, between commas."""
    return ", ".join(filter(None, parts))


def as_data(row: Row) -> dict[str, Any]:
    """The row for programs."""
    return {
        "address": row.address, "depth": row.depth, "marks": marks(row), "label": row.label, "title": row.title,
        "source": row.source, "year": str(row.year or ""), "note": note(row), "words": sentence(row), "needs_you": row.needs_you,
    }  # fmt: skip


def _fresh_sign(row: Row) -> str:
    if row.running:
        return RUNNING
    return FAILED if row.failed else STATUS_SIGNS[row.status or Status.MISSING]


def _states(row: Row) -> str:
    signs = marks(row)
    return _listed(VERDICT_WORDS[signs[0]] if row.verdict is not Verdict.NONE else "", FRESH_WORDS[signs[1]], ORIGIN_WORDS[signs[2]])


def _slot_note(row: Row) -> str:
    if row.made and row.failed and not row.running:
        return "failed"
    if row.status is Status.UPSTREAM:
        return "stale^"
    by_verdict = {Verdict.UNDECIDED: "decide", Verdict.PINNED: "pinned"}.get(row.verdict, "")
    return by_verdict or ("ANCHOR" if row.role == "anchor" and row.made else "")


def _text_note(row: Row) -> str:
    if row.draft:
        return "draft"
    if row.choice_waits:
        return "choice waits"
    if row.status is Status.KEPT:
        return "kept by you"
    if row.running or row.failed:
        return "running" if row.running else "failed"
    stale = _STATUS_NOTES.get(row.status) if row.status is not None else None
    return stale or (CHECK_FAILED if row.check_failed else "edited" if row.by_you else "")
