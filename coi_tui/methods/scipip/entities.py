"""SCI-1, SCI-3 to SCI-5: entities of texts, where they occur, what occurs together with them, and
which of them to search for.

Pure functions. An entity is a phrase of a few words; two spellings with the same word stems are one
entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coi_tui.methods.shared.drafts.text_tools import STOP, stem, term_weight, words

MOST_WORDS, FEWEST_WORDS = 5, 2
PER_TEXT = 5
"""Entities taken of one text at most (SCI-1)."""
_PIECE = re.compile(r"[.,;:!?()\[\]{}\"“”]|\s[-–—]\s")

Key = tuple[str, ...]
Occurrence = Mapping[Key, frozenset[str]]
"""The papers (by id) in whose text each entity occurs."""


@dataclass(frozen=True)
class Entity:
    """An entity with its synonyms and the texts that name it (``background``, ``brainstorm``, paper
    ids)."""

    name: str
    also: tuple[str, ...] = ()
    of: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[Key]:
        return frozenset(key for name in (self.name, *self.also) if (key := key_of(name)))


@lru_cache(maxsize=20_000)
def key_of(name: str) -> Key:
    """What makes two spellings one entity: the stems of their words, hyphens taken apart."""
    return tuple(stem(word) for word in words(name.replace("-", " ")))


def is_entity(name: str) -> bool:
    """Whether a name has the length of an entity: 2 to 5 words. A single word that is written as a
    name (``BERT``) counts too."""
    count = len(words(name.replace("-", " ")))
    return FEWEST_WORDS <= count <= MOST_WORDS or (
        count == 1 and sum(c.isupper() or c.isdigit() for c in name) > 1
    )


def joined(found: Iterable[Entity]) -> list[Entity]:
    """Entities that share a spelling or a synonym as one, under the first name met, in the order
    met."""
    out: list[Entity] = []
    for entity in found:
        same = [n for n, other in enumerate(out) if other.keys & entity.keys]
        group = [*(out[n] for n in same), entity]
        merged = _merged(group)
        if not same:
            out.append(merged)
            continue
        out[same[0]] = merged
        out = [other for n, other in enumerate(out) if n not in same[1:]]
    return out


def _merged(group: Sequence[Entity]) -> Entity:
    names: dict[Key, str] = {}
    for name in (name for entity in group for name in (entity.name, *entity.also)):
        names.setdefault(key_of(name), name)
    first = group[0].name
    also = tuple(name for key, name in names.items() if key and key != key_of(first))
    return Entity(first, also, tuple(dict.fromkeys(text for entity in group for text in entity.of)))


# -- entities by rule


def runs(text: str) -> Iterator[list[str]]:
    """Runs of words without stop words or punctuation between them."""
    for piece in _PIECE.split(text):
        run: list[str] = []
        for word in [*piece.split(), ""]:
            plain = next(iter(words(word)), "")
            if plain and plain.casefold() not in STOP:
                run.append(plain)
                continue
            if run:
                yield run
            run = []


def phrases(text: str) -> list[str]:
    """Phrases of a text that may be entities, each once in the order met; of a long run of words
    the first three and the last three."""
    found: dict[Key, str] = {}
    for run in runs(text):
        parts = [run] if len(run) <= MOST_WORDS else [run[:3], run[-3:]]
        for phrase in (" ".join(part) for part in parts):
            if is_entity(phrase):
                found.setdefault(key_of(phrase), phrase)
    return list(found.values())


def entities_by_rule(text: str, most: int = PER_TEXT) -> list[str]:
    """The phrases of a text that it repeats and whose words are distinctive, best first, ties in
    the order met (the title first)."""
    found, said = phrases(text), f" {' '.join(key_of(text))} "

    def weight(phrase: str) -> float:
        key = key_of(phrase)
        return said.count(f" {' '.join(key)} ") * sum(map(term_weight, key)) / len(key)

    return sorted(found, key=lambda phrase: -weight(phrase))[:most]


# -- where they occur


def occurrence(texts: Mapping[str, str], keys: Iterable[Key]) -> dict[Key, frozenset[str]]:
    """In which texts (by paper id) each entity occurs: its stems one after the other."""
    stems = {paper: f" {' '.join(key_of(text))} " for paper, text in texts.items()}
    return {
        key: frozenset(paper for paper, said in stems.items() if f" {' '.join(key)} " in said)
        for key in set(keys)
        if key
    }


def vocabulary(texts: Mapping[str, str]) -> dict[Key, str]:
    """The phrases of 2 to 4 words, and the names of one word, that two texts or more hold, with one
    spelling each."""
    held: Counter[Key] = Counter()
    spelling: dict[Key, str] = {}
    for paper in sorted(texts):
        own: dict[Key, str] = {}
        for run in runs(texts[paper]):
            for size in range(1, 5):
                for start in range(len(run) - size + 1):
                    phrase = " ".join(run[start : start + size])
                    if is_entity(phrase):
                        own.setdefault(key_of(phrase), phrase)
        held.update(own.keys())
        spelling = own | spelling
    return {key: name for key, name in spelling.items() if held[key] > 1}


def neighbours(seeds: Iterable[Key], where: Occurrence, more_than: int) -> list[Key]:
    """SCI-4: the entities that occur together with a seed in strictly more than ``more_than``
    papers, sorted."""
    own = set(seeds)
    found = {
        key
        for key, papers in where.items()
        if key not in own
        for seed in own
        if len(papers & where.get(seed, frozenset())) > more_than
    }
    return sorted(found)


def within_budget(
    keys: Iterable[Key], where: Occurrence, budget: int
) -> tuple[list[Key], list[str]]:
    """SCI-5: the entities to take, the rarest first, and their papers, at most ``budget``; entities
    without papers are dropped.

    The papers come in the order in which their entities bring them, those of one entity by id.
    """
    held = sorted(
        (key for key in set(keys) if where.get(key)), key=lambda key: (len(where[key]), key)
    )
    taken: list[Key] = []
    papers: dict[str, None] = {}
    for key in held:
        if len(papers) >= budget:
            break
        taken.append(key)
        papers |= dict.fromkeys(sorted(where[key]))
    return taken, list(papers)[:budget]
