"""Words, sentences and how similar they are: what all drafting rules rest on. Pure functions, no
randomness."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from coi_tui.literature import ranking
from coi_tui.model.text import Values as Values
from coi_tui.model.text import clean_line

if TYPE_CHECKING:
    from numpy.typing import NDArray


_STOP_WORDS = """a about above across after again against all almost along already also although always among an and another any are
    around as at away be because been before being below between both but by can cannot could did do does doing done down
    during each either else enough even ever every few for from further get gets given gives had has have having he her here
    him his how however i if in instead into is it its itself just less let lets like made make makes many may me meet meets might
    more most much must my near need needs neither no nor not now of off often on once one only onto or other our out over own per
    rather s same she should since so some still such t than that the their them then there these they this those through
    thus to too toward towards under until up upon us use used uses using very via was way we well were what when where
    whether which while who whom whose why will with within without would yet you your"""
STOP = frozenset(_STOP_WORDS.split())

# Words that many papers share: they count for little.
_GENERIC_WORDS = """able academic achieve adaptive advanced aim algorithm analysis answer application apply approach area artificial aspect
    author automatic base based better build case challenge change collect common compare complex component compute concept
    context control cost current data dataset deep deliver demonstrate design develop different direct domain earlier
    easy effect effective efficient end error evaluate evaluation evidence example existing experiment explore fast feature
    find first fixed form framework general generic give good grow hand hard help high idea improve improvement include
    increase information input instance intelligence intelligent introduce investigate issue keep key kind know known
    language large last later lead learn learning level limit limitation line long low machine main mean method model modern
    module name natural network neural new novel number open order output paper part perform performance piece plain point
    possible practical present previous prior problem procedure process propose provide quality rate reach recent reduce
    related report require research result run scale science scientific score second see select sentence separate series set
    setting several shape short show similar simple single size small smaller solution solve source space specific stage
    standard state step strong structure study support system task technique term test text third time tool toward train
    training two type understand useful value various weak whole wide word work world write"""

_ALIASES = {
    "cot": "chain thought",
    "dpo": "direct preference optimization",
    "gnn": "graph neural network",
    "irl": "inverse reinforcement learning",
    "kg": "knowledge graph",
    "lm": "language model",
    "llm": "large language model",
    "lrm": "large reasoning model",
    "mcts": "monte carlo tree search",
    "mllm": "multimodal large language model",
    "moe": "mixture experts",
    "nlp": "natural language processing",
    "ppo": "proximal policy optimization",
    "qa": "question answering",
    "rag": "retrieval augmented generation",
    "rl": "reinforcement learning",
    "rlaif": "reinforcement learning ai feedback",
    "rlhf": "reinforcement learning human feedback",
    "sft": "supervised fine tuning",
    "vlm": "vision language model",
    "vqa": "visual question answering",
}

_WORD = re.compile(r"[^\W_]+(?:(?:[-'’+]|(?<=\d)\.(?=\d))[^\W_]+)*\+?")


def words(text: str) -> list[str]:
    """The words of a text in their order and spelling; ``chain-of-thought`` and ``GPT-2`` are one
    word each."""
    return _WORD.findall(text)


def stem(word: str) -> str:
    """The word as it is compared."""
    return ranking.stem(word.casefold())


_GENERIC_STEMS = frozenset(stem(word) for word in _GENERIC_WORDS.split())


def content_words(text: str) -> list[str]:
    """The words that carry meaning, in order, each once (compared by stem)."""
    seen: dict[str, str] = {}
    for word in words(text):
        if word.casefold() not in STOP and (len(word) > 1 or not word.isascii()):
            seen.setdefault(stem(word), word)
    return list(seen.values())


@lru_cache(maxsize=1024)
def terms(text: str) -> Mapping[str, str]:
    """Stem to spelling for the content words of a text; hyphenated words are taken apart and usual
    acronyms spelt out as well."""
    found: dict[str, str] = {}
    for whole in words(text):
        # ``GPT-2`` stays whole
        parts = [whole] if any(c.isdigit() for c in whole) else re.split(r"[-'’]", whole)
        for word in filter(None, parts):
            low = word.casefold()
            if low in STOP or (len(low) < 2 and low.isascii()):
                continue
            found.setdefault(stem(word), word)
            singular = low[:-1] if low.endswith("s") else low
            for extra in _ALIASES.get(singular, "").split():
                found.setdefault(stem(extra), extra)
    return MappingProxyType(found)


@lru_cache(maxsize=50_000)
def term_weight(stemmed: str) -> float:
    """How distinctive a term is: little for words that most papers use, more for names with digits
    or of some length."""
    if stemmed in _GENERIC_STEMS:
        return 0.25
    return 1.25 if len(stemmed) > 7 or any(c.isdigit() for c in stemmed) else 1.0


def _weight(stems: Iterable[str]) -> float:
    """Sum of weights, added in a fixed order so that the last digit is the same on every run."""
    return sum(term_weight(s) for s in sorted(stems))


def share(of: str, found_in: str) -> float:
    """The part of ``of``'s term weight that is also in ``found_in`` (0 to 1; 0 where ``of`` has no
    terms)."""
    mine, theirs = terms(of), terms(found_in)
    whole = _weight(mine)
    return _weight(set(mine) & set(theirs)) / whole if whole else 0.0


def jaccard(a: str, b: str) -> float:
    """Weighted Jaccard similarity of the terms of two texts (0 to 1)."""
    first, second = set(terms(a)), set(terms(b))
    union = _weight(first | second)
    return _weight(first & second) / union if union else 0.0


def shared_words(a: str, b: str, most: int = 6) -> list[str]:
    """The distinctive words that both texts have, in the order and spelling of ``a``."""
    second = terms(b)
    return [word for s, word in terms(a).items() if s in second and term_weight(s) >= 1][:most]


def distinct(items: Iterable[str]) -> list[str]:
    """The items without blanks and without repeats (compared without regard to case), in order."""
    seen: dict[str, str] = {}
    for item in items:
        if item.strip():
            seen.setdefault(" ".join(item.casefold().split()), item)
    return list(seen.values())


Draft = dict[str, object]
"""The fields of a drafted reply."""


def text_of(values: Values, key: str) -> str:
    """The text under ``key`` with its lines; empty where there is none. A list gives its items, a
    mapping its texts, a line each."""
    value = values.get(key) or ""
    parts = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, str):
        value = "\n".join(part for part in parts if isinstance(part, str))
    return str(value).strip()


def line_of(values: Values, key: str) -> str:
    """The text under ``key`` on one line."""
    return clean_line(text_of(values, key))


def mappings(values: Values, key: str) -> list[Values]:
    """The objects listed under ``key``."""
    return list(values.get(key) or ())


def mapping(values: Values, key: str) -> Values:
    """The object under ``key``, or an empty one."""
    return values.get(key) or {}


def weighted_words(texts: Sequence[str]) -> NDArray[Any]:
    """A row for each text, a column for each word of them all. A word that many of the texts share
    counts less."""
    import numpy as np

    found = [terms(text) for text in texts]
    spread = Counter(stem for words in found for stem in words)
    column = {stem: n for n, stem in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), max(1, len(column))))
    for row, words in enumerate(found):
        for stem in words:
            vectors[row, column[stem]] = term_weight(stem) * (
                math.log((1 + len(texts)) / (1 + spread[stem])) + 1
            )
    return vectors
