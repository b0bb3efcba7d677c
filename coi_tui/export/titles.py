"""Titles that a text names, and whether a paper of the session has them (methods.md, 6, rules 4 and 9)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

LIKENESS = 90.0
"""Least rapidfuzz ratio of two normalised titles that count as the same."""

_CURLY = re.compile(r"“([^“”]{8,300})”")
_STRAIGHT = re.compile(r'"([^"]{8,300})"(?P<year> \((?:19|20)\d\d\))?')


def normalise(title: str) -> str:
    """A title for comparing: accents, case and punctuation made alike."""
    plain = unicodedata.normalize("NFKD", clean_line(title)).casefold()
    return " ".join(re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c))))


class Shelf:
    """The session's papers by title; rapidfuzz is loaded only when a title is not found as it stands."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._by: dict[str, str] = {}
        for paper_id in sorted(papers):
            self._by.setdefault(normalise(papers[paper_id].title), paper_id)
        self._by.pop("", None)
        self._found: dict[str, str | None] = {}

    def find(self, title: str) -> str | None:
        """The paper that a title means, or None."""
        wanted = normalise(title)
        if wanted not in self._found:
            cut = clean_line(title).endswith(("...", "…"))
            self._found[wanted] = self._by.get(wanted) or (self._beginning(wanted) if cut else self._closest(wanted))
        return self._found[wanted]

    def _beginning(self, wanted: str) -> str | None:
        """The only paper whose title begins with the words before a cut."""
        found = [self._by[own] for own in self._by if own.startswith(f"{wanted} ")]
        return found[0] if len(found) == 1 and len(wanted.split()) > 3 else None

    def _closest(self, wanted: str) -> str | None:
        if not wanted or not self._by:
            return None
        from rapidfuzz import fuzz

        numbers = re.findall(r"\d+", wanted)
        scored = ((fuzz.ratio(wanted, own), own) for own in self._by if re.findall(r"\d+", own) == numbers)
        score, own = max(scored, default=(0.0, ""))
        return self._by[own] if score >= LIKENESS else None


def named_in(text: object, shelf: Shelf, known: frozenset[str] = frozenset()) -> list[str]:
    """Titles that a text names, in the order met.

    “Curly” quotations of three words and more; "straight" ones when a year follows, when a paper of the session has the title, or when
    they are written like a title. ``known`` are normalised texts that are quoted but name no paper: the topic, the questions.
    """
    said = clean_line(text)
    found = [(m.start(), m[1]) for m in _CURLY.finditer(said) if len(m[1].split()) > 2 or shelf.find(m[1])]
    found += [(m.start(), m[1]) for m in _STRAIGHT.finditer(said) if m["year"] or shelf.find(m[1]) or _like_a_title(m[1])]
    titles = (_trimmed(title) for _, title in sorted(found))
    return list(dict.fromkeys(t for t in titles if normalise(t) not in known))


def _trimmed(title: str) -> str:
    """Without the punctuation of the sentence around it; the dots of a cut stay."""
    said = title.strip(" ,;")
    return said if said.endswith(("...", "…")) else said.rstrip(" .,;")


def _like_a_title(text: str) -> bool:
    """Four words or more, nearly every long one with a capital, and no sentence."""
    long = [w for w in re.findall(r"[^\W\d_]+", text) if len(w) > 3]
    return (
        len(text.split()) > 3 and len(long) > 2 and sum(w[0].isupper() for w in long) >= 0.8 * len(long) and not text.rstrip().endswith(".")
    )


def texts_of(content: Mapping[str, Any], fields: Iterable[str]) -> list[str]:
    """The texts of some fields; a list gives one text an item."""
    out: list[str] = []
    for name in fields:
        value = content.get(name)
        out += [str(v) for v in value] if isinstance(value, list) else [str(value)] if value else []
    return out
