"""A row of the tree and its marks in words: all that widgets need to know of a session. Light to import."""

from __future__ import annotations

from dataclasses import dataclass

VERDICT_WORDS = {"?": "undecided", "+": "accepted", "P": "pinned", "x": "rejected", "-": "no verdict applies", "_": "empty"}
FRESH_WORDS = {".": "fresh", "~": "stale", ":": "stale upstream", "_": "not made yet", "*": "running", "!": "failed"}
ORIGIN_WORDS = {"m": "made by the model", "d": "drafted without a language model", "e": "edited by you",
                "h": "written or chosen by you", "L": "protected", "s": "found in a source", " ": ""}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A row of the tree. ``marks`` are verdict, freshness and origin; ``words`` say the same in a sentence.

    ``note`` is the short word at the right (STALE, stale^, decide, edited ...); ``year`` is empty for texts.
    """

    address: str
    depth: int
    marks: str
    label: str
    title: str
    year: str = ""
    note: str = ""
    words: str = ""
    needs_you: bool = False
