"""A row of the tree: all that widgets need to know of a cell. Light to import; its signs and
sentences are made in ``row_wording``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coi_tui.model.entries import Version


class RowKind(Enum):
    """What a row stands for: a branch, the arena and the shelf sum up others."""

    TEXT = "text"
    SLOT = "slot"
    BRANCH = "branch"
    ARENA = "arena"
    SHELF = "shelf"


class Verdict(Enum):
    """What the researcher said of it. ``NONE``: nothing is to be said of such a cell."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    PINNED = "pinned"
    REJECTED = "rejected"
    NONE = "no verdict applies"
    EMPTY = "empty"


class Status(Enum):
    """How what is in use stands to its inputs. ``KEPT``: stale, but the researcher said that it
    still holds."""

    FRESH = "fresh"
    KEPT = "kept"
    STALE = "stale"
    UPSTREAM = "stale upstream"
    MISSING = "not made yet"


class RowOrigin(Enum):
    """Who made what is in use."""

    NONE = ""
    MODEL = "made by the model"
    DRAFTER = "drafted without a language model"
    PROPOSED = "proposed by the model"
    PROPOSED_BY_RULE = "proposed without a language model"
    RECORDED = "recorded reply of a language model"
    EDITED = "edited by you"
    YOURS = "yours"
    SOURCE = "found in a source"


_MADE_BY = {
    "model": RowOrigin.MODEL,
    "scripted": RowOrigin.MODEL,
    "drafter": RowOrigin.DRAFTER,
    "recorded": RowOrigin.RECORDED,
}


def origin_of(version: Version | None) -> RowOrigin:
    """Who made a version; nobody where there is none."""
    if version is None:
        return RowOrigin.NONE
    if version.by_person:
        return RowOrigin.EDITED if version.parents else RowOrigin.YOURS
    return _MADE_BY.get(version.origin, RowOrigin.SOURCE)


@dataclass(frozen=True)
class Row:
    """A row of the tree. ``label`` is its short name, ``title`` its line, ``year`` that of a paper.

    What follows from its fields is found once: a row stays the same object until something that it
    says has changed, and whoever counts goes through all of them.

    ``status`` is that of the text in use, whether a step is ``running`` or ``failed`` for it or
    not; None for rows that sum up others.
    ``draft``: a text is being written here and not saved. ``choice_waits``: an alternative made
    from the current inputs stands beside the researcher's text. ``made``: something is in use.
    ``undecided`` (rows in it that ask for a decision) and
    ``parked`` are of a branch, ``count`` is of the shelf.
    """

    address: str
    depth: int
    kind: RowKind
    label: str
    title: str
    year: int | None = None
    verdict: Verdict = Verdict.NONE
    status: Status | None = None
    origin: RowOrigin = RowOrigin.NONE
    role: str = ""
    """Of a slot: anchor, predecessor or successor."""
    made: bool = False
    protected: bool = False
    running: bool = False
    failed: bool = False
    draft: bool = False
    choice_waits: bool = False
    by_you: bool = False
    """Whether the text in use is the researcher's own."""
    parked: bool = False
    undecided: int = 0
    count: int = 0
    source: str = ""
    """Of an idea beside those of other methods: its method in short, and what that made it from."""
    check_failed: str = ""
    """Of a novelty report: why a later check failed. The report stands."""
    aside: bool = False
    """Whether it is in a branch that was set aside: nothing there needs anybody."""
    awaited: bool = False
    """Whether nothing stands here and a run would put something: an anchor, or a text that a step
    makes."""
    asks: bool = False
    """Whether it is the one row of its branch, or of its method, that waits for a decision
    (``rows.asking``)."""

    @cached_property
    def stale(self) -> bool:
        """Whether an input, or something further up, has changed since."""
        return self.status in (Status.STALE, Status.UPSTREAM)

    @cached_property
    def open_failure(self) -> bool:
        """Whether a step failed here and is not being tried again."""
        return self.failed and not self.running and not self.aside

    @cached_property
    def stale_here(self) -> bool:
        """Whether it carries the sign of a stale row, outside branches set aside."""
        return self.stale and not (self.failed or self.running or self.aside)

    @cached_property
    def empty_here(self) -> bool:
        """Whether nothing stands where a run would put something, outside branches set aside."""
        return self.awaited and not (self.failed or self.running or self.aside)

    @cached_property
    def lacks_anchor(self) -> bool:
        """Whether it is the empty place of an anchor, without which a branch goes no further."""
        return self.kind is RowKind.SLOT and self.empty_here

    @cached_property
    def needs_you(self) -> bool:
        """Whether something is to be decided or mended here."""
        return self.asks or self.open_failure or self.stale_here or self.lacks_anchor
