"""Rewords a text by rule: sentences in another order, a fifth of the words dropped, synonyms. The
same seed gives the same text."""

from __future__ import annotations

import random
import re

DROPPED = 0.2
"""The part of the words that is left out."""
_GROUPS = """
approach method; model system; task problem; dataset corpus; datasets corpora; performance accuracy; propose introduce; proposes introduces;
proposed introduced; show demonstrate; shows demonstrates; improve enhance; improves enhances; improved enhanced; results findings;
existing current; novel new; large big; small compact; fast quick; efficient economical; effective successful; robust resilient;
framework architecture; learn acquire; learning acquisition; learned acquired; train fit; training fitting; trained fitted;
predict forecast; prediction forecast; generate produce; generates produces; generation production; generated produced;
image picture; images pictures;
video clip; videos clips; text passage; texts passages; language linguistic; network net; networks nets; agent actor; agents actors;
reward payoff; rewards payoffs; policy strategy; policies strategies; optimization tuning; optimal best; error mistake; errors mistakes;
bias skew; noise disturbance; graph lattice; graphs lattices; node vertex; nodes vertices; user person; users people;
representation encoding; representations encodings; feature attribute; features attributes; sample example; samples examples;
require need; requires needs; reduce lower; reduces lowers; increase raise; increases raises; evaluate assess; evaluation assessment;
benchmark testbed; benchmarks testbeds; challenge difficulty; challenges difficulties; however yet; moreover furthermore;
significantly markedly; recently lately; various several; complex intricate; simple plain; explore investigate; analysis study;
theoretical formal; theory formalism; convergence settling; bound limit; bounds limits; objective goal; objectives goals
"""
SYNONYMS = {
    word: other for pair in _GROUPS.replace("\n", " ").split(";") for word, other in [pair.split()]
}
"""A table of our own; some pairs are so loose that a search for the word no longer finds the
paper."""
_WORD = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


def reworded(text: str, rng: random.Random, dropped: float = DROPPED) -> str:
    """The text in other words. At least one word is left of a text that has any."""
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    rng.shuffle(sentences)
    words = " ".join(sentences).split()
    gone = set(rng.sample(range(len(words)), int(len(words) * dropped)))
    return " ".join(_other(word) for n, word in enumerate(words) if n not in gone)


def _other(word: str) -> str:
    """A synonym with the word's punctuation and capital; the word itself where the table has
    none."""
    before, plain, after = _WORD.match(word).groups()  # type: ignore[union-attr]
    other = SYNONYMS.get(plain.lower(), plain)
    return (
        f"{before}{other.capitalize() if plain[:1].isupper() and other != plain else other}{after}"
    )
