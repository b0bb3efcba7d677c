"""References to cells: stable, short, typed anywhere.

The grammar knows forms, not methods: a place (``1/0``), what is attached to a place
(``1/0.card``), a pair of neighbouring places (``1/-1..0``), a named cell (``1/idea``), one of many
cells of a name (``N1/seed2.1``), a cell of the whole session (``topic``) and a match of two ideas
(``A/1-2``). Which names there are is declared by the methods.

A **branch** is one line of work that leads to one idea. Those of the usual method are numbers
(``1``). Any other method is in the session as an *instance* with a letter and a number
(``S1``); its branches carry that name (``S1/2``), and so do its cells (``S1/2/idea``,
``S1/entities``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal

from coi_tui.model.errors import UsageError

Branch = int | str
"""A branch's name: a number, or ``S1/2`` and (what belongs to all branches of an instance) ``S1``.
0 is no branch."""

Form = Literal["session", "branch", "cell", "place", "attached", "pair", "question", "match"]
"""How a reference is written, by what it belongs to."""

SESSION = "session"
"""What is decided about a session as a whole."""

READING = "reading"
"""The session's reading list."""

NEWS = "news"
"""What is new since the person looked."""

QUESTION, PAIR, SLOT, MATCH = "Q", "trend", "slot", "match"
"""The kinds whose form says which they are: the question that a numbered branch searches for
(``Q1``), what is said of two neighbours (``1/-1..0``), a place, a match."""

_CAPITALS = {"A": "arena", "X": "shelf"}
_WRITTEN = {kind: letter for letter, kind in _CAPITALS.items()}

_NUMBER = r"[1-9]\d?"
_INSTANCE = rf"[B-PR-WYZ]{_NUMBER}"  # A is the arena, Q a question, X the shelf
_BRANCH = rf"(?:{_INSTANCE}/{_NUMBER}|{_INSTANCE}|{_NUMBER})"
_PLACE = rf"(?:0|[+-]?{_NUMBER})"
_NAME = r"[a-z]{2,12}"
_NAMED = re.compile(_NAME)
_ADDRESS = re.compile(
    rf"[Qq](?P<question>{_NUMBER})"
    rf"|(?P<session>[AX]|{_NAME})"
    rf"|A/(?P<first>{_BRANCH})-(?P<second>{_BRANCH})"
    rf"|(?P<branch>{_BRANCH})(?:/(?P<pos>{_PLACE})(?:\.(?P<attached>{_NAME})|\.\.(?P<newer>{_PLACE}))?"
    rf"|/(?P<name>{_NAME})(?P<item>{_NUMBER}(?:\.{_NUMBER}){{0,3}})?)?"
)
_RESERVED = frozenset({"branch", QUESTION, PAIR, SLOT, MATCH, *_WRITTEN})
"""Names that no method may give to a cell of its own."""

_known = lru_cache(maxsize=65_536)  # more than a session of 9,000 cells has


class CellRef(str):
    """A reference to a cell: its text, with what the text says.

    ``kind`` is the name of its kind (``dir``, ``card``, ``slot``); ``branch`` the branch or
    instance that it belongs to, the first of a match's two, 0 for the session. ``key`` holds what
    is left: the place (0 the anchor, negative predecessors, positive successors) of a slot and of
    what is attached to it, both places of a pair, the numbers of one of many cells of a name
    (the first that came from the second is ``(2, 1)``), and the branch of a match's second idea.
    """

    __slots__ = ("branch", "form", "instance", "key", "kind", "pos")
    branch: Branch
    form: Form
    instance: str
    """The method instance that it belongs to: ``S1``; empty for numbered branches and for what
    belongs to all."""
    key: tuple[Any, ...]
    kind: str
    pos: int
    """The place of a slot or of what is attached to it, the older one of a pair; else 0."""

    @property
    def newer(self) -> int:
        """A pair's newer place; 0 for anything else."""
        newer: int = self.key[1] if self.form == "pair" else 0
        return newer

    @property
    def rival(self) -> Branch:
        """The branch of a match's second idea; 0 for anything else."""
        rival: Branch = self.key[0] if self.form == "match" else 0
        return rival

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of one of many cells of a name; empty for anything else."""
        return self.key if self.form == "cell" else ()

    @property
    def item(self) -> str:
        """These numbers as they are written: ``2.1``."""
        return ".".join(map(str, self.numbers))

    @property
    def slot(self) -> CellRef:
        """The slot that a list, a verdict or a summary is attached to; of a pair the older one."""
        return slot(self.branch, self.pos)

    @property
    def owner(self) -> Branch:
        """The branch that it belongs to; 0 for what belongs to the session, as a match does."""
        return 0 if self.form == "match" else self.branch


def _made(
    text: str, form: Form, kind: str, branch: Branch = 0, key: tuple[Any, ...] = ()
) -> CellRef:
    found = CellRef(text)
    own = as_branch(branch) if isinstance(branch, str) else branch
    found.branch, found.form, found.kind, found.key = own, form, kind, key
    found.instance = instance_of(own)
    found.pos = key[0] if form in ("place", "attached", "pair") else 0
    return found


def place(pos: int) -> str:
    """``0``, ``+1``, ``-2``: how a slot's place is written."""
    return f"{pos:+d}" if pos else "0"


@_known
def instance_of(branch: Branch) -> str:
    """``S1`` for ``S1/2``; empty for a numbered branch."""
    return branch.split("/")[0] if isinstance(branch, str) else ""


def branch_name(instance: str, number: int) -> Branch:
    """The branch of that number of an instance: ``S1/2``; the number where it is of none."""
    return f"{instance}/{number}" if instance else number


@_known
def branch_order(branch: Branch) -> tuple[str, int, int]:
    """A key that sorts branches: numbered ones first, then instance by instance, each in the order
    of its numbers."""
    if isinstance(branch, int):
        return ("", 0, branch)
    instance, _, number = branch.partition("/")
    return (instance[:1], int(instance[1:] or 0), int(number or 0))


def in_order(address: str) -> tuple[Any, ...]:
    """A key that sorts references by kind, then branch by branch, place by place and number by
    number."""
    at = cell_ref(address)
    return at.kind, branch_order(at.branch), at.pos, branch_order(at.rival or at.newer), at.numbers


def as_branch(text: str) -> Branch:
    """The branch that a text names: a number where it is one."""
    return int(text) if text.isdigit() else text


@_known
def cell_ref(text: str) -> CellRef:
    """The reference that a text is. Raises UsageError saying what one looks like."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is not None and (known := _ref_of(**found.groupdict())) is not None:
        return known
    raise no_address(text)


def no_address(text: str) -> UsageError:
    """What to raise for a text that is no reference."""
    return UsageError(
        f"{text.strip()[:60]!r} is not an address.",
        "Addresses look like topic, Q2, 1/0, 1/-1, 1/+1.card, 1/-1..0, 1/dir, 1/idea, 1/nov, 1/exp, 1/review, A/1-2, S1/1/idea.",
    )


def _ref_of(
    question: str | None,
    session: str | None,
    first: str,
    second: str,
    branch: str | None,
    pos: str | None,
    attached: str | None,
    newer: str | None,
    name: str | None,
    item: str | None,
) -> CellRef | None:
    """The reference of a written form; None where the form fits but names nothing."""
    if question:
        return question_of(int(question))
    if session:
        return of_session(_CAPITALS.get(session, session))
    if branch is None:
        one, other = as_branch(first), as_branch(second)
        return match_of(one, other) if branch_order(one) < branch_order(other) else None
    own = as_branch(branch)
    if pos is not None and newer is not None:
        return pair(own, int(pos)) if int(newer) == int(pos) + 1 else None
    if pos is not None:
        at = slot(own, int(pos))
        return attached_to(at, attached) if attached else at
    if name in _RESERVED:
        return None
    return cell_at(own, name, item or ()) if name else branch_row(own)


@_known
def of_session(kind: str) -> CellRef:
    """The cell of the session of that kind."""
    return _made(_WRITTEN.get(kind, kind), "session", kind)


@_known
def branch_row(branch: Branch) -> CellRef:
    """The row of a branch or an instance."""
    return _made(str(branch), "branch", "branch", branch)


@_known
def cell_at(branch: Branch, kind: str, *key: int | str | tuple[()]) -> CellRef:
    """The cell of that kind of a branch or an instance, or one of many by its numbers, also as they
    are written (``2.1``, or at the end of the kind: ``outline1``)."""
    name = kind.rstrip(".0123456789")
    if _NAMED.fullmatch(name) is None:
        raise ValueError(f"{kind!r} is no name of a kind of cell.")
    kind, key = name, (kind[len(name) :], *key) if kind != name else key
    item = ".".join(str(one) for one in key if one not in ((), ""))
    numbers = tuple(map(int, item.split("."))) if item else ()
    return _made(f"{branch}/{kind}{item}", "cell", kind, branch, numbers)


@_known
def slot(branch: Branch, pos: int) -> CellRef:
    """The slot at a place."""
    return _made(f"{branch}/{place(pos)}", "place", SLOT, branch, (pos,))


@_known
def attached_to(at: str, kind: str) -> CellRef:
    """The cell of that kind that is attached to a slot."""
    of = cell_ref(at)
    return _made(f"{of}.{kind}", "attached", kind, of.branch, of.key)


@_known
def pair(branch: Branch, older: int) -> CellRef:
    """The pair of ``older`` and the next newer place."""
    text = f"{branch}/{place(older)}..{place(older + 1)}"
    return _made(text, "pair", PAIR, branch, (older, older + 1))


@_known
def question_of(branch: Branch) -> CellRef:
    """A branch's question: ``Q1`` of a numbered branch."""
    if isinstance(branch, int):
        return _made(f"Q{branch}", "question", QUESTION, branch)
    return cell_at(branch, "question")


@_known
def match_of(first: Branch, second: Branch) -> CellRef:
    """The match between two branches' ideas, whichever is named first."""
    low, high = sorted((first, second), key=branch_order)
    return _made(f"A/{low}-{high}", "match", MATCH, low, (high,))


@_known
def moved(at: CellRef, branch: Branch) -> CellRef:
    """The same cell of another branch."""
    if at.form == "question":
        return question_of(branch)
    return cell_ref(f"{branch}{at[len(str(at.branch)) :]}")


@_known
def ref(address: str, field: str) -> str:
    """A reference to one field of a cell: ``1/0.card#limitation``."""
    return f"{address}#{field}"


@_known
def split_ref(text: str) -> tuple[CellRef, str]:
    """Cell and field of a reference to a field."""
    address, _, field = text.partition("#")
    return cell_ref(address), field


def branch_of(address: str) -> Branch:
    """The branch that a row belongs to, or 0 for rows of the whole session."""
    return cell_ref(address).owner
