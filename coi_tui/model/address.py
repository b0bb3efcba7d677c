"""Addresses of everything in a session: stable, short, typed anywhere.

The grammar knows forms, not methods: a slot of a chain (``1/0``), what is attached to a slot
(``1/0.card``), a pair of neighbouring slots (``1/-1..0``), a named cell (``1/idea``), one of many
cells of a name (``N1/seed2.1``) and a match of two ideas (``A/1-2``). Which names there are is
declared by the methods.

A **branch** is one line of work that leads to one idea. Those of the usual method are numbers
(``1``). Any other method is in the session as an *instance* with a letter and a number
(``S1``); its branches carry that name (``S1/2``), and so do its cells (``S1/2/idea``,
``S1/entities``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from coi_tui.model.errors import UsageError

Branch = int | str
"""A branch's name: a number, or ``S1/2`` and (what belongs to all branches of an instance) ``S1``.
0 is no branch."""

CANDIDATES, VERDICTS, SUMMARY = "cands", "rel", "card"
"""What the kernel attaches to a slot: the papers that may stand there, the verdicts on them, and
what was read from the one that does."""

READING = "reading"
"""The session's reading list."""

NEWS = "news"
"""What is new since the person looked."""

LITERATURE = "lit"
"""The cell of a branch with the papers near its idea, which follow an edit of it."""

RECORDS = "records"
"""What a method read of several papers for all its ideas at once (``S1/records``)."""

QUESTION, PAIR = "Q", "trend"
"""The question that a numbered branch searches for (``Q1``), and what is said of two neighbouring
slots (``1/-1..0``)."""

_WHOLE = {
    "session": "session",
    "topic": "topic",
    READING: READING,
    NEWS: NEWS,
    "criteria": "criteria",
    "means": "means",
    "A": "arena",
    "X": "shelf",
    "pick": "pick",
}

_NUMBER = r"[1-9]\d?"
_INSTANCE = rf"[B-PR-WYZ]{_NUMBER}"  # A is the arena, Q a question, X the shelf
_BRANCH = rf"(?:{_INSTANCE}/{_NUMBER}|{_INSTANCE}|{_NUMBER})"
_PLACE = rf"(?:0|[+-]?{_NUMBER})"
_ADDRESS = re.compile(
    rf"[Qq](?P<question>{_NUMBER})"
    rf"|A/(?P<first>{_BRANCH})-(?P<second>{_BRANCH})"
    rf"|(?P<branch>{_BRANCH})(?:/(?P<pos>{_PLACE})(?:\.(?P<attached>[a-z]+)|\.\.(?P<newer>{_PLACE}))?"
    rf"|/(?P<name>[a-z]{{2,12}})(?P<item>{_NUMBER}(?:\.{_NUMBER}){{0,3}})?)?"
)


@dataclass(frozen=True)
class Address:
    """A parsed address. ``part`` names the kind of cell (``dir``, ``card``), or the form: slot,
    branch, trend (a pair of slots), match.

    ``pos`` is the slot's place (0 anchor, negative predecessors, positive successors) or a pair's
    older slot; ``other`` is a pair's newer slot, or the branch of a match's second idea. Of a
    question ``Q2`` the branch is 2. ``item`` numbers one of many cells of a name: the first that
    came from the second is ``2.1``.
    """

    part: str
    branch: Branch = 0
    pos: int = 0
    other: Branch = 0
    item: str = ""

    def __str__(self) -> str:
        form = _FORMS.get(self.part)
        if form is not None:
            return form.format(
                branch=self.branch, older=place(self.pos), newer=place(self.newer), rival=self.other
            )
        if self.attached:
            return f"{self.branch}/{place(self.pos)}.{self.part}"
        return f"{self.branch}/{self.part}{self.item}" if self.branch else self.part

    def __lt__(self, other: Address) -> bool:
        return self._order < other._order

    @property
    def _order(self) -> tuple[Any, ...]:
        return (
            self.part,
            branch_order(self.branch),
            self.pos,
            branch_order(self.other),
            self.numbers,
        )

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of one of many cells of a name: (2, 1) of ``seed2.1``; empty for any other
        address."""
        return tuple(map(int, self.item.split("."))) if self.item else ()

    @property
    def attached(self) -> bool:
        """True for what belongs to a slot: its candidates, the verdicts on them, the summary of its
        paper."""
        return self.part in ATTACHED

    @property
    def newer(self) -> int:
        """A pair's newer slot; 0 for anything else."""
        return self.other if isinstance(self.other, int) else 0

    @property
    def slot(self) -> Address:
        """The slot that a summary, candidate list or list of verdicts belongs to."""
        return Address("slot", self.branch, self.pos)

    @cached_property
    def instance(self) -> str:
        """The method instance that the cell belongs to: ``S1``; empty for numbered branches and for
        what belongs to all."""
        return instance_of(self.branch)


ATTACHED = frozenset({CANDIDATES, VERDICTS, SUMMARY})

_FORMS = {
    QUESTION: "Q{branch}",
    "branch": "{branch}",
    "slot": "{branch}/{older}",
    PAIR: "{branch}/{older}..{newer}",
    "match": "A/{branch}-{rival}",
    "arena": "A",
    "shelf": "X",
}


_known = lru_cache(maxsize=65_536)  # more than a session of 9,000 cells has


def place(pos: int) -> str:
    """``0``, ``+1``, ``-2``: how a slot's place is written."""
    return f"{pos:+d}" if pos else "0"


@_known
def instance_of(branch: Branch) -> str:
    """``S1`` for ``S1/2``; empty for a numbered branch."""
    return branch.split("/")[0] if isinstance(branch, str) else ""


@_known
def branch_order(branch: Branch) -> tuple[str, int, int]:
    """A key that sorts branches: numbered ones first, then instance by instance, each in the order
    of its numbers."""
    if isinstance(branch, int):
        return ("", 0, branch)
    instance, _, number = branch.partition("/")
    return (instance[:1], int(instance[1:] or 0), int(number or 0))


def as_branch(text: str) -> Branch:
    """The branch that a text names: a number where it is one."""
    return int(text) if text.isdigit() else text


@_known
def parse_address(text: str) -> Address:
    """The address that ``text`` names. Raises UsageError saying what an address looks like."""
    text = text.strip()
    if whole := _WHOLE.get(text):
        return Address(whole)
    found = _ADDRESS.fullmatch(text)
    address = _address_of(**found.groupdict()) if found is not None else None
    if address is None:
        raise UsageError(
            f"{text[:60]!r} is not an address.",
            "Addresses look like topic, Q2, 1/0, 1/-1, 1/+1.card, 1/-1..0, 1/dir, 1/idea, 1/nov, 1/exp, 1/review, A/1-2, S1/1/idea.",
        )
    return address


_RESERVED = frozenset({*_WHOLE.values(), *_FORMS, *ATTACHED})
"""Names that no method may give to a cell of its own."""


def _address_of(
    question: str | None,
    first: str,
    second: str,
    branch: str | None,
    pos: str | None,
    attached: str | None,
    newer: str | None,
    name: str | None,
    item: str | None,
) -> Address | None:
    """The address of a written form; None where the form fits but names nothing."""
    if question:
        return Address(QUESTION, int(question))
    if branch is None:
        one, other = as_branch(first), as_branch(second)
        in_order = branch_order(one) < branch_order(other)
        return Address("match", one, other=other) if in_order else None
    if pos is not None and newer is not None:
        following = int(newer) == int(pos) + 1
        return Address(PAIR, as_branch(branch), int(pos), int(newer)) if following else None
    if pos is not None:
        known = attached is None or attached in ATTACHED
        return Address(attached or "slot", as_branch(branch), int(pos)) if known else None
    if name in _RESERVED:
        return None
    return Address(name or "branch", as_branch(branch), item=item or "")


@_known
def slot(branch: Branch, pos: int) -> str:
    """The slot's address as text."""
    return f"{branch}/{place(pos)}"


def slot_of(address: str) -> str:
    """The slot whose candidates a row is about: a slot, what is attached to it, or the first one of
    a branch or question; else empty.

    Only numbered branches have slots.
    """
    at = parse_address(address)
    if not isinstance(at.branch, int):
        return ""
    if at.part in ("branch", QUESTION):
        return f"{at.branch}/0"
    return str(at.slot) if at.part == "slot" or at.attached else ""


def question_of(branch: Branch) -> str:
    """The address of a branch's question: ``Q1`` of a numbered branch."""
    return f"Q{branch}" if isinstance(branch, int) else f"{branch}/question"


def pair(branch: Branch, older: int) -> str:
    """The address of the pair of ``older`` and the next newer slot."""
    return f"{branch}/{place(older)}..{place(older + 1)}"


def match_of(first: Branch, second: Branch) -> str:
    """The address of the match between two branches' ideas, whichever is named first."""
    low, high = sorted((first, second), key=branch_order)
    return f"A/{low}-{high}"


@_known
def ref(address: str, field: str) -> str:
    """A reference to one field of a cell: ``1/0.card#limitation``."""
    return f"{address}#{field}"


@_known
def split_ref(text: str) -> tuple[str, str]:
    """Address and field of a reference."""
    address, _, field = text.partition("#")
    return address, field


def branch_of(address: str) -> Branch:
    """The branch that a row belongs to, or 0 for rows of the whole session."""
    at = parse_address(address)
    return 0 if at.part == "match" else at.branch
