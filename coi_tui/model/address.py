"""Addresses of everything in a session: stable, short, typed anywhere (ux.md 2.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from coi_tui.model.errors import UsageError

Part = Literal[
    "session", "topic", "criteria", "Q", "branch", "slot", "card", "cands", "rel", "trend",
    "ents", "dir", "bad", "idea", "nov", "exp", "review", "arena", "match", "shelf", "pick",
]  # fmt: skip

_OF_BRANCH = ("ents", "dir", "bad", "idea", "nov", "exp", "review")
_OF_SLOT = ("card", "cands", "rel")
_WHOLE: dict[str, Part] = {"session": "session", "topic": "topic", "criteria": "criteria", "A": "arena", "X": "shelf", "pick": "pick"}
_POS = r"(?:0|[+-]?[1-9]\d?)"
_QUESTION = re.compile(r"[Qq]([1-9]\d?)")
_BRANCH = re.compile(r"([1-9]\d?)")
_SLOT = re.compile(rf"([1-9]\d?)/({_POS})(?:\.(card|cands|rel))?")
_TREND = re.compile(rf"([1-9]\d?)/({_POS})\.\.({_POS})")
_NAMED = re.compile(r"([1-9]\d?)/(ents|dir|bad|idea|nov|exp|review)")
_MATCH = re.compile(r"A/([1-9]\d?)-([1-9]\d?)")


@dataclass(frozen=True, order=True)
class Address:
    """A parsed address. ``branch`` counts from 1 (0 = none; for Q it is the question's number, for a match the first idea).

    ``pos`` is the slot's place (0 anchor, negative predecessors, positive successors) or a trend's older slot;
    ``other`` is a trend's newer slot or a match's second idea.
    """

    part: Part
    branch: int = 0
    pos: int = 0
    other: int = 0

    def __str__(self) -> str:
        if self.part == "Q":
            return f"Q{self.branch}"
        if self.part == "branch":
            return str(self.branch)
        if self.part == "slot":
            return f"{self.branch}/{place(self.pos)}"
        if self.part in _OF_SLOT:
            return f"{self.branch}/{place(self.pos)}.{self.part}"
        if self.part == "trend":
            return f"{self.branch}/{place(self.pos)}..{place(self.other)}"
        if self.part == "match":
            return f"A/{self.branch}-{self.other}"
        if self.part in _OF_BRANCH:
            return f"{self.branch}/{self.part}"
        return {"arena": "A", "shelf": "X"}.get(self.part, self.part)

    @property
    def slot(self) -> Address:
        """The slot that a card, candidate list or relevance list belongs to."""
        return Address("slot", self.branch, self.pos)


def place(pos: int) -> str:
    """``0``, ``+1``, ``-2``: how a slot's place is written."""
    return f"{pos:+d}" if pos else "0"


@lru_cache(maxsize=8192)
def parse_address(text: str) -> Address:
    """The address that ``text`` names. Raises UsageError saying what an address looks like."""
    text = text.strip()
    if whole := _WHOLE.get(text):
        return Address(whole)
    if m := _QUESTION.fullmatch(text):
        return Address("Q", int(m[1]))
    if m := _BRANCH.fullmatch(text):
        return Address("branch", int(m[1]))
    if m := _SLOT.fullmatch(text):
        part: Part = m[3] if m[3] else "slot"  # type: ignore[assignment]
        return Address(part, int(m[1]), int(m[2]))
    if m := _TREND.fullmatch(text):
        older, newer = int(m[2]), int(m[3])
        if newer == older + 1:
            return Address("trend", int(m[1]), older, newer)
    if m := _NAMED.fullmatch(text):
        return Address(m[2], int(m[1]))  # type: ignore[arg-type]
    if (m := _MATCH.fullmatch(text)) and int(m[1]) < int(m[2]):
        return Address("match", int(m[1]), 0, int(m[2]))
    raise UsageError(
        f"{text[:60]!r} is not an address.",
        "Addresses look like topic, Q2, 1/0, 1/-1, 1/+1.card, 1/t0, 1/dir, 1/idea, 1/nov, 1/exp, 1/review, A/1-2.",
    )


def slot(branch: int, pos: int) -> str:
    """The slot's address as text."""
    return f"{branch}/{place(pos)}"


def slot_of(address: str) -> str:
    """The slot whose candidates a row is about: a slot, its card or list, or the anchor of a branch or question; else empty."""
    at = parse_address(address)
    if at.part in ("branch", "Q"):
        return f"{at.branch}/0"
    return str(at.slot) if at.part in ("slot", "card", "cands", "rel") else ""


def trend(branch: int, older: int) -> str:
    """The address of the trend between ``older`` and the next newer slot."""
    return f"{branch}/{place(older)}..{place(older + 1)}"


def ref(address: str, field: str) -> str:
    """A reference to one field of a cell: ``1/0.card#limitation``."""
    return f"{address}#{field}"


def split_ref(text: str) -> tuple[str, str]:
    """Address and field of a reference."""
    address, _, field = text.partition("#")
    return address, field
