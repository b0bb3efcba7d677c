"""What every section of the proposal is written from: the subject, the references, and words for marks."""

from __future__ import annotations

from dataclasses import dataclass, field

from coi_tui.export.book import Book
from coi_tui.export.escape import paragraphs
from coi_tui.export.subject import Subject
from coi_tui.model.address import parse_address, place
from coi_tui.model.entries import Version
from coi_tui.model.state import Slot, State

NOT_MADE = "Not made yet."
_NAMES = {
    "topic": "the topic", "dir": "the direction", "idea": "the idea", "nov": "the novelty report", "exp": "the experiment plan",
    "review": "the review", "bad": "the bad cases", "shelf": "the shelf", "arena": "the arena",
}  # fmt: skip
_OF_SLOT = {"card": "the card", "cands": "the list of candidates", "rel": "the relevance verdict"}


@dataclass(frozen=True)
class Sheet:
    """A subject and the book of its references."""

    subject: Subject
    book: Book = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", Book(self.subject.state.papers))

    @property
    def state(self) -> State:
        return self.subject.state

    def parts(self, address: str, fields: tuple[tuple[str, str], ...], level: str) -> list[str]:
        """Fields of a cell as headed texts; a list becomes a numbered one, an empty field is left out."""
        version = self.state.in_use(address)
        out: list[str] = []
        for name, label in fields if version else ():
            value = version.content.get(name) if version else None
            if body := items(value) if isinstance(value, list) else paragraphs(value):
                out += [f"{level} {label}", body]
        return out


def items(values: list[object]) -> str:
    """A numbered list of texts."""
    texts = [paragraphs(v).replace("\n", "\n   ") for v in values]
    return "\n".join(f"{n}. {text}" for n, text in enumerate(filter(None, texts), start=1))


def name_of(address: str) -> str:
    """A part of a session in words: ``the card of 1/-1``, ``the trend from 1/0 to 1/+1``."""
    at = parse_address(address)
    if at.part == "Q":
        return f"question {at.branch}"
    if at.part == "slot":
        return f"the paper at {address}"
    if at.part in ("card", "cands", "rel"):
        return f"{_OF_SLOT[at.part]} of {at.slot}"
    if at.part == "trend":
        return f"the trend from {at.branch}/{place(at.pos)} to {at.branch}/{place(at.other)}"
    if at.part == "match":
        return f"the match of ideas {at.branch} and {at.other}"
    return f"{_NAMES.get(at.part, at.part)}{f' of branch {at.branch}' if at.branch else ''}"


def by(version: Version | None) -> str:
    """Who wrote a text, where that has to be said beside it: a person's own words. Empty for a machine's text."""
    if version is None or not version.by_person:
        return ""
    merged = version.origin == "merged"
    return "*The researcher's own words, merged with a generated text.*" if merged else "*The researcher's own words.*"


def verdict_words(slot: Slot) -> str:
    """What a person decided about a paper in a chain."""
    return {"proposed": "undecided: proposed, not accepted by a person", "accepted": "accepted by the researcher",
            "pinned": "pinned by the researcher", "empty": "empty"}[slot.verdict]  # fmt: skip


def role(pos: int) -> str:
    return "anchor" if pos == 0 else "predecessor" if pos < 0 else "successor"
