"""SCI-1, SCI-3 to SCI-5: entities of texts, where they occur, what occurs together with them, and
which of them to search for.

Pure functions. An entity is a phrase of a few words; two spellings with the same word stems are one
entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from coi_tui.methods.base.text_tools import STOP, stem, term_weight, words
from coi_tui.model.content import Named

MOST_WORDS, FEWEST_WORDS = 5, 2
PER_TEXT = 5
"""Entities taken of one text at most (SCI-1)."""
_PIECE = re.compile(r"[.,;:!?()\[\]{}\"“”]|\s[-–—]\s")

Key = tuple[str, ...]
Occurrence = Mapping[Key, frozenset[str]]
"""The papers (by id) in whose text each entity occurs."""


class Entity(Named):
    """SCI-3: an entity; ``description`` names its synonyms, parted by semicolons, ``of`` the texts
    that name it (``background``, ``brainstorm``, paper ids)."""

    of: tuple[str, ...] = ()

    @property
    def names(self) -> dict[Key, str]:
        """Each of its names under its stems, its own first."""
        found: dict[Key, str] = {}
        for name in (self.name, *self.description.split(";")):
            found.setdefault(key_of(name), name.strip())
        found.pop((), None)
        return found


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
        group = [*(other for other in out if other.names.keys() & entity.names.keys()), entity]
        said = Entity(
            name=group[0].name, description=";".join(f"{e.name};{e.description}" for e in group)
        )
        texts = dict.fromkeys(text for one in group for text in one.of)
        merged = Entity(
            name=said.name, description="; ".join([*said.names.values()][1:]), of=tuple(texts)
        )
        place = out.index(group[0]) if len(group) > 1 else len(out)
        out = [*out[:place], merged, *(one for one in out[place:] if one not in group)]
    return out


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


def entities_by_rule(text: str) -> list[str]:
    """The phrases of a text that it repeats and whose words are distinctive, best first, ties in
    the order met (the title first)."""
    found = {key_of(run): run for run in map(" ".join, runs(text)) if is_entity(run)}
    said = f" {' '.join(key_of(text))} "

    def weight(key: Key) -> float:
        return said.count(f" {' '.join(key)} ") * sum(map(term_weight, key)) / len(key)

    return [found[key] for key in sorted(found, key=weight, reverse=True)[:PER_TEXT]]


# -- where they occur


def occurrence(texts: Mapping[str, str], keys: Iterable[Key]) -> dict[Key, frozenset[str]]:
    """In which texts (by paper id) each entity occurs: its stems one after the other."""
    stems = {paper: f" {' '.join(key_of(text))} " for paper, text in texts.items()}
    return {
        key: frozenset(paper for paper, said in stems.items() if f" {' '.join(key)} " in said)
        for key in set(keys)
    }


def vocabulary(texts: Mapping[str, str]) -> dict[Key, str]:
    """The phrases of 2 to 4 words, and the names of one word, that two texts or more hold, with one
    spelling each."""
    held: Counter[Key] = Counter()
    spelling: dict[Key, str] = {}
    for paper in sorted(texts):
        own = {
            key_of(phrase): phrase
            for run in runs(texts[paper])
            for start, end in combinations(range(len(run) + 1), 2)
            if end - start <= 4 and is_entity(phrase := " ".join(run[start:end]))
        }
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
