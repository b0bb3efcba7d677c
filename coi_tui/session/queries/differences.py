"""What changed between two texts, by paragraph and by word, and a text put together from both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Side = Literal["mine", "theirs"]
Piece = tuple[Literal["same", "mine", "theirs"], str]
_PARAGRAPH = re.compile(r"\n\s*\n+")
_WORD = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True)
class Block:
    """A run of paragraphs: the same on both sides, or one side's in place of the other's (either may be empty)."""

    mine: str
    theirs: str

    @property
    def same(self) -> bool:
        return self.mine == self.theirs


def paragraphs(text: str) -> list[str]:
    """Paragraphs, each with the blank lines after it, so that joining them gives the text back."""
    ends = [m.end() for m in _PARAGRAPH.finditer(text)]
    starts = [0, *ends]
    return [text[a:b] for a, b in zip(starts, [*ends, len(text)], strict=True) if text[a:b]]


def blocks(mine: str, theirs: str) -> list[Block]:
    """Both texts side by side, paragraph by paragraph; changed runs of equal length are paired one to one."""
    left, right = paragraphs(mine), paragraphs(theirs)
    out: list[Block] = []
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal" or b - a == d - c:
            out += [Block(x, y) for x, y in zip(left[a:b], right[c:d], strict=True)]
        else:
            out.append(Block("".join(left[a:b]), "".join(right[c:d])))
    return out


def merged(found: Sequence[Block], choices: Mapping[int, Side]) -> str:
    """The text with each changed block as chosen by its index; mine where nothing was chosen."""
    return "".join(b.theirs if choices.get(n) == "theirs" else b.mine for n, b in enumerate(found))


def words(block: Block) -> list[Piece]:
    """A block word by word: what both have, what only mine has, what only theirs has, in reading order."""
    left, right = _WORD.findall(block.mine), _WORD.findall(block.theirs)
    out: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            out.append(("same", "".join(left[a:b])))
            continue
        if b > a:
            out.append(("mine", "".join(left[a:b])))
        if d > c:
            out.append(("theirs", "".join(right[c:d])))
    return out


def touched(base: str, found: Sequence[Block]) -> list[bool]:
    """For each block whether mine is another than the base both began with: those need a choice, the others may be taken in one go."""
    known = set(map(str.strip, paragraphs(base)))
    return [not all(p.strip() in known for p in paragraphs(b.mine)) for b in found]
