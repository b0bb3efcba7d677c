"""Texts as they are shown: what differs between two, by paragraph and by word, and an answer that
is still coming in. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from coi_tui.model.text import clean

ALIKE = 0.6
"""Likeness below which two paragraphs are shown whole, one after the other."""
Piece = tuple[Literal["same", "mine", "theirs"], str]
_PARAGRAPH = re.compile(r"\n\s*\n+")
_WORD = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True)
class Block:
    """A run of paragraphs: the same on both sides, or one side's in place of the other's (either
    may be empty)."""

    mine: str
    theirs: str

    @property
    def same(self) -> bool:
        return self.mine == self.theirs


def paragraphs(text: str) -> list[str]:
    """Paragraphs, each with the blank lines after it, so that joining them gives the text back."""
    ends = [0, *(m.end() for m in _PARAGRAPH.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(ends) if text[a:b]]


def blocks(mine: str, theirs: str) -> list[Block]:
    """Both texts side by side, paragraph by paragraph; changed runs of equal length are paired one
    to one."""
    left, right = paragraphs(mine), paragraphs(theirs)
    out: list[Block] = []
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal" or b - a == d - c:
            out += [Block(x, y) for x, y in zip(left[a:b], right[c:d], strict=True)]
        else:
            out.append(Block("".join(left[a:b]), "".join(right[c:d])))
    return out


def words(block: Block) -> list[Piece]:
    """A block word by word: what both have, what only mine has, what only theirs has, in reading
    order."""
    left, right = _WORD.findall(block.mine), _WORD.findall(block.theirs)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    changes = matcher.get_opcodes()
    if matcher.ratio() < ALIKE:
        end = changes[0][2] if changes[0][0] == "equal" else 0
        changes = [("equal", 0, end, 0, end), ("replace", end, len(left), end, len(right))]
    out: list[Piece] = []
    for tag, a, b, c, d in changes:
        if tag == "equal":
            out.append(("same", "".join(left[a:b])))
        else:
            out += [("mine", "".join(left[a:b])), ("theirs", "".join(right[c:d]))]
    return [piece for piece in out if piece[1]]


def difference(mine: str, theirs: str) -> list[Piece]:
    """Two texts word by word."""
    return [piece for block in blocks(mine, theirs) for piece in words(block)]


def in_marks(pieces: Iterable[Piece]) -> str:
    """A difference in one text: ``[-only mine-]``, ``{+only theirs+}``."""
    signs = {"same": "{}", "mine": "[-{}-]", "theirs": "{{+{}+}}"}
    return "".join(signs[side].format(text) for side, text in pieces)


_FIELD = re.compile(r'"([A-Za-z_]\w*)"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIGNS = {"n": "\n", "t": " ", "r": "", "b": "", "f": ""}


def readable(raw: str) -> str:
    """The texts of a JSON answer that need not be whole, each under its name; other answers as they
    are."""
    found = _FIELD.findall(raw) if raw.lstrip()[:1] in ("{", "[", "`") else []
    fields = (f"{name.replace('_', ' ').upper()}\n{_plain(text)}" for name, text in found if text)
    return clean("\n\n".join(fields) if found else raw)


def _plain(text: str) -> str:
    def sign(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) == 5:
            code = int(escape[1:], 16)
            return "" if 0xD800 <= code <= 0xDFFF else chr(code)
        return _SIGNS.get(escape, escape)

    return _ESCAPE.sub(sign, text)


def sentences(text: str) -> str:
    """The text up to its last whole sentence, for those who want nothing to move."""
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s)|\n", text)]
    return text[: ends[-1]].rstrip() if ends else ""
