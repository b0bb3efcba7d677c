"""Which sentences of a text state a fact about earlier work, and on which passages of the session's papers they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.export.support import WORDS, Checked, Evidence, cards_of, checked_texts, counted, evidence_of, is_checked, own_words
from coi_tui.model.address import parse_address
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.candidates import Part

MARKS = {"supported": " ", "unsupported": "!", "unverified": "?"}


@dataclass(frozen=True)
class SupportLine:
    """A sentence about earlier work: ``status`` in words, the passage with its paper, and the row of that paper (empty where none)."""

    sentence: str
    status: str
    mark: str
    paper: str
    title: str
    passage: str
    where: str
    row: str


class SupportQueries:
    """What the texts of a session stand on. The passages are gathered once, and again when papers, cards or titles of ideas change."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._seq = -1
        self._key: object = None
        self._evidence: Evidence | None = None

    @property
    def evidence(self) -> Evidence:
        """What the session's papers say."""
        state = self._core.state
        if self._evidence is None or self._seq != state.seq:
            key = (frozenset(state.papers), tuple(sorted(cards_of(state).items())), own_words(state))
            if self._evidence is None or key != self._key:
                self._evidence, self._key = evidence_of(state), key
            self._seq = state.seq
        return self._evidence

    def gather(self) -> None:
        """Gather the passages before they are asked for. For a worker thread: the state does not change under it."""
        assert self.evidence is not None

    def is_checked(self, address: str) -> bool:
        """Whether the text at an address is held against the papers."""
        return is_checked(self._core.methods.kind(address), address)

    def of(self, address: str) -> list[Checked]:
        """The sentences about earlier work of the text in use."""
        kind, state = self._core.methods.kind(address), self._core.state
        if kind is None or not is_checked(kind, address):
            return []
        return [found for text in checked_texts(state, kind, address) for found in self.evidence.check(text)]

    def lines(self, address: str) -> list[SupportLine]:
        """The same with paper and passage, for a list."""
        return [_line(self._core.state, address, found) for found in self.of(address)]

    def counted(self, address: str) -> str:
        """``7 sentences about earlier work: 4 supported, 2 UNSUPPORTED``; empty where there are none."""
        return counted(self.of(address))

    def told(self, address: str) -> tuple[str, Part | None]:
        """``2 of 7 UNSUPPORTED`` for the text in use, empty where none is; and how it stands, with the sentences that stand on nothing.

        None in place of the second where it has no sentence about earlier work.
        """
        return _told(self.of(address))

    def told_of_text(self, address: str, text: str) -> tuple[str, Part | None]:
        """The same for a text that is being written at an address."""
        return _told(self.evidence.check(text) if self.is_checked(address) else ())


def _told(found: Sequence[Checked]) -> tuple[str, Part | None]:
    return _open(found), _part(found)


def _open(found: Sequence[Checked]) -> str:
    number = sum(one.status == "unsupported" for one in found)
    return f"{number} of {len(found)} UNSUPPORTED" if number else ""


def _part(found: Sequence[Checked]) -> Part | None:
    if not found:
        return None
    open_ = "\n".join(f"- {one.text}" for one in found if one.status == "unsupported")
    return (counted(found), open_ or "Every one that could be checked stands on a passage of the session's papers.")


def _line(state: State, address: str, found: Checked) -> SupportLine:
    paper = state.papers.get(found.paper)
    branch = parse_address(address).branch
    slots = sorted((one for one in state.slots.values() if one.paper == found.paper), key=lambda one: (one.branch != branch, one.address))
    read = (place.partition(" ")[0] for place, (read_paper, _) in cards_of(state).items() if read_paper == found.paper)
    row = (slots[0].address if slots else next(read, "")) if found.paper else ""
    title = f"{paper.title} ({paper.year or 'n.d.'})" if paper is not None else ""
    return SupportLine(found.text, WORDS[found.status], MARKS[found.status], found.paper, title, found.passage, found.where, row)
