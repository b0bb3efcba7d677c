"""Words of a text for ranking and searching: folded, lightly stemmed, stop words apart from content."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_VOWEL = re.compile(r"[aeiouy]")

_STOP = """
a about above after again against all also although am among an and any are as at be because been before being below
between both but by can could did do does doing down during each either etc even few for from further had has have
having he her here hers him his how i if in into is it its itself just less may me might more most much must my near
nor not now of off often on once one only onto or other our ours out over own per same she should since so some
still such than that the their theirs them then there these they this those through thus to too toward towards two
under until up upon us very via was we were what when where whether which while who whom whose why will with within
without would yet you your
"""
_GENERIC = """
able achieve ai algorithm analysis analyse analyze application apply approach area article artificial aspect author
aware base based better between build case challenge compare comparison computer conclude current data dataset deep
demonstrate deploy design develop development different direction domain effect effective efficient enable evaluate
evaluation exist existing experiment explore field find finding first framework future general good help high impact
important improve improvement include information introduce investigate issue know known language large learn
learning level low machine main make many mean method methodology model need network neural new novel number
outperform overview paper part performance perform possible potential present previous prior problem process propose
proposed provide recent related report require research result review role second set several show simple small
software some state strong study support survey system take task technique technology topic train training type
understand understanding use used useful user using various way well work
"""

STOP_WORDS = frozenset(_STOP.split())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without plural -s, -ing, -ed and closing -e; only likeness matters, so the result need not be a word."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for tail in ("ing", "ed"):
        root = word.removesuffix(tail)
        if root != word and len(root) >= 3 and _VOWEL.search(root) and not word.endswith("eed"):
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


GENERIC_WORDS = frozenset(stem(word) for word in _GENERIC.split())
"""Stems that nearly every paper uses: alone they are no sign that a paper is about a query."""


def fold(text: str) -> str:
    """Case and accents taken out."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def stems(text: str) -> list[str]:
    """The stems of ``text`` in order, stop words and single letters left out."""
    return [stem(word) for word in _words(text)]


def content_words(text: str) -> dict[str, str]:
    """The stems of ``text`` that say what it is about, each with its first word there: no generic research words, no bare numbers."""
    found: dict[str, str] = {}
    for word in _words(text):
        if stem(word) not in GENERIC_WORDS and not word.isdigit():
            found.setdefault(stem(word), word)
    return found


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in STOP_WORDS and (len(word) > 1 or not word.isascii())]
