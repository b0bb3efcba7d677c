"""What of a paper's full text a reader is shown where it is long: the parts that say what it does and
how it ends, the sentences that bear on a subject, and the references nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from coi_tui.literature.ranking import content_words
from coi_tui.literature.sections import TextSection, references, sections
from coi_tui.model.text import first_sentences, sentences

OPENING, ENDING, LISTED = 0.35, 0.2, 0.15
"""Shares of what is shown: the beginning, the parts of ``_ENDS``, and references."""
GAP = "[...]"
_ENDS = re.compile(r"limitation|conclusion|future work|discussion", re.IGNORECASE)
_NO_TEXT = re.compile(r"references|bibliography|acknowledg|appendix|supplement", re.IGNORECASE)
_LIST = re.compile(r"references|bibliography", re.IGNORECASE)
_TELLING = re.compile(
    r"\b(?:we|our)\b|\b(?:data ?sets?|benchmarks?|baselines?|compared|outperforms?|improves?|participants)\b|\d%",
    re.IGNORECASE,
)
"""What authors do, and what they tested it on."""
_LEAST, _LONGEST = 40, 600
"""Shorter pieces in characters say nothing, and longer ones are tables."""


def excerpt(text: str, about: Sequence[str], most: int) -> str:
    """At most about ``most`` characters of a text, in its order, gaps shown; a shorter text as it
    is. ``about``: the subject; the words of the abstract count as well."""
    if len(text) <= most:
        return text
    parts = sections(text)
    last = next((p.start for p in parts[1:] if _NO_TEXT.match(p.title)), len(text))
    body = [p for p in parts if p.start < last] or [TextSection("", "", 0, last)]
    opening = first_sentences(text[:last], int(most * OPENING))
    ends = _ends(text, [p for p in body if p.start >= len(opening)], most)
    abstract = text[: min(1_500, next((p.start for p in parts if p.number), len(text)))]
    wanted = set[str]().union(*map(content_words, (*about, abstract)))
    cited = _nearest(text, wanted, int(most * LISTED))
    room = most - len(opening) - sum(map(len, (*ends.values(), cited)))
    middle = _bearing(text, [p for p in body if p not in ends], len(opening), wanted, room)
    shown = sorted([*middle, *((p.start, one) for p, one in ends.items())])
    return "\n\n".join(filter(None, (opening, *(one for _, one in shown), cited)))


def _ends(text: str, parts: Iterable[TextSection], most: int) -> dict[TextSection, str]:
    """The beginnings of the parts that conclude a text."""
    closing = [p for p in parts if _ENDS.search(p.title)]
    return {
        p: first_sentences(text[p.start : p.end].strip(), int(most * ENDING / len(closing)))
        for p in closing
    }


def _bearing(
    text: str, parts: Sequence[TextSection], start: int, wanted: set[str], room: int
) -> list[tuple[int, str]]:
    """Of parts behind ``start`` the sentences with most of the wanted words, and of equals those
    that tell what the authors do; each part with its heading, where it begins."""
    pieces = [
        (n, place, one)
        for n, part in enumerate(parts)
        if part.end > start
        for place, one in enumerate(sentences(text[max(part.start, start) : part.end]))
    ]
    worth = {
        piece: len(content_words(piece[2]).keys() & wanted) + 2 * bool(_TELLING.search(piece[2]))
        for piece in pieces
        if _LEAST <= len(piece[2]) <= _LONGEST
    }
    taken = set[tuple[int, int, str]]()
    for piece in sorted(worth, key=lambda one: -worth[one]):
        if len(piece[2]) + len(GAP) < room:
            taken.add(piece)
            room -= len(piece[2]) + len(GAP)
    found = []
    for n, own in groupby(pieces, key=lambda piece: piece[0]):
        shown = [piece[2].strip() if piece in taken else GAP for piece in own]
        if shown.count(GAP) < len(shown):
            said = " ".join(one for one, _ in groupby(shown))
            found.append((parts[n].start, "\n".join(filter(None, (parts[n].shown, said)))))
    return found


def _nearest(text: str, wanted: set[str], room: int) -> str:
    """The references with most of the wanted words, as they are printed."""
    listed = [one.text for one in references(text)] or [
        line.strip()
        for part in sections(text)
        if _LIST.fullmatch(part.title)
        for line in text[part.start : part.end].split("\n")[1:]
    ]
    taken = set[str]()
    for one in sorted(listed, key=lambda one: -len(content_words(one).keys() & wanted)):
        if (room := room - len(one) - 1) < 0:
            break
        taken.add(one)
    rows = [one for one in dict.fromkeys(listed) if one in taken]
    return "\n".join(["References, in part:", *rows]) if rows else ""
