"""Texts: the one border for those from outside (what passes ``clean`` is safe to show literally),
numbers in words, and hashes of canonical JSON (equal content, equal hash, on every machine)."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Values = Mapping[str, Any]
"""A JSON object, such as the content of a cell, or what a prompt is filled in with, by name."""
Fields = dict[str, Any]
"""The same while it is made."""


def canonical(value: object) -> str:
    """JSON with sorted keys and no blanks; raises TypeError for what JSON cannot hold."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON, the first 32 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()[:32]


# Escape sequences: OSC, DCS, PM, APC and SOS strings run to BEL or ST (or to the end when they are
# cut off), then CSI, then those of two characters. Of their forms in one character of C1 only that
# goes: in data it is a letter that was decoded wrongly, and the text after it counts.
# Then C0 except tab and newline, DEL, C1, bidi controls, zero-width joiners that reorder, BOM, PDFium's
# join mark U+0002 (C0), line separators.
_CONTROLS = re.compile(
    r"\x1b(?:[\]PX^_].*?(?:\x07|\x1b\\|\x9c|\Z)|\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~]?)"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]",
    re.DOTALL,
)

_NEWLINES = re.compile("\r\n|[\r\u2028\u2029\x85]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: object) -> str:
    """Text from outside (papers, replies, files, names) with terminal control sequences taken out.

    Newlines are normalised to ``\\n``; tab and newline stay, every other control, escape sequence
    and bidi override goes. Idempotent. ``None`` gives the empty string; other objects are turned to
    text first.
    """
    raw = "" if text is None else str(text)
    # true of nearly all texts: what goes is not printable
    if raw.replace("\n", "").replace("\t", "").isprintable():
        return raw
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", _NEWLINES.sub("\n", raw)))


_SIGNS = """\
- ─━┄┅┈┉╌╍╴╶╸╺⎯—–‒−
| │┃┆┇┊┋╎╏╵╷╹╻▏▕▎▍▌▐▊▋▉
+ ✓┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╭╮╯╰
= ═
# ║╔╗╚╝╠╣╦╩╬█▓■▆▇◆
: ▒░
_ ▁▂
. …·∙‥▃
* •●★▪▄▅
o ○◦◇
> →›▶►▸⟶
< ←‹◀◄◂
^ ↑▲△
v ↓▼▽▾
e ✎
" “”„«»
' ‘’‚`
~ ≈
x ×✗✕
! ⚠
"""
"""Each plain sign, with those for which it stands."""
PLAIN = str.maketrans({sign: line[0] for line in _SIGNS.splitlines() for sign in line[2:]})
"""Signs, each one cell wide, so that nothing shifts. Letters of any script stay. A typographic
quote or dash in somebody's text is shown as its plain fellow too: what is shown does not say where a
sign came from, and copies and exports take the text itself."""


_SENTENCE = re.compile(r"(?<=[^\d\s][.!?])[ \t]+|\n+")
_CUT = " [...]"


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [piece for piece in _SENTENCE.split(text) if piece.strip()]


def first_sentences(text: str, most: int) -> str:
    """The first sentences of a text, in at most so many characters; of one that is longer its first
    words. A cut is shown."""
    if len(text) <= most:
        return text
    room = most - len(_CUT)
    end = max((one.start() for one in _SENTENCE.finditer(text, 0, room + 1)), default=0)
    return (text[:end] or text[:room].rpartition(" ")[0] or text[:room]) + _CUT


def clean_line(text: object) -> str:
    """``clean``, then on one line: runs of white space become one blank."""
    return " ".join(clean(text).split())


def clean_tree(value: object) -> object:
    """``clean`` applied to every text inside lists and dictionaries (keys included)."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(k): clean_tree(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [clean_tree(v) for v in value]
    return value


def strings(value: object) -> Iterator[str]:
    """Every text within objects and lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from strings(inner)


def fold_accents(text: str) -> str:
    """Case and accents taken out."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def has_words(text: str, words: str) -> bool:
    """Whether a text contains every word of a filter, in any case."""
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


def count(number: int, one: str, many: str = "") -> str:
    """``1 paper``, ``2 papers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """``a, b and c``."""
    return (
        items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
    )


def joined(between: str, *parts: str | None) -> str:
    """The parts that say something, with these signs between them."""
    return between.join(filter(None, parts))


def sentence(text: object) -> str:
    """A text that ends like a sentence."""
    line = clean_line(text)
    return line if not line or line[-1] in ".!?…" else f"{line}."


def clipped(text: object, words: int = 60) -> str:
    """At most so many words on one line; a cut is shown."""
    words_of = clean_line(text).split()
    return " ".join(words_of[:words]) + (_CUT if len(words_of) > words else "")


def day(time: object) -> str:
    """The date of an ISO time, or words for a missing one."""
    line = clean_line(time)
    return line[:10] if re.match(r"\d{4}-\d\d-\d\d", line) else (line or "an unknown date")


def moment(time: object) -> str:
    """Date and minute of an ISO time in UTC."""
    line = clean_line(time)
    found = re.match(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|\+00:00)?$", line)
    return f"{found[1]} {found[2]}{' UTC' if found[3] else ''}" if found else day(line)
