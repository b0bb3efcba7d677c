"""Words of titles and abstracts: TF-IDF similarity and BM25 over any part of a set of papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

_COMMON = """
a about above after again all also although an and any are as at be because been before being between both but by can could did do does
doing during each either etc few for from further had has have having he her here his how however i if in into is it its itself just may
might more most must no nor not of off on once one only or other our out over own per same she should since so some such than that the
their them then there these they this those through thus to too toward towards two under until up upon us use used using very via was we
were what when where whether which while who whom why will with within without would yet you your
"""
STOP_WORDS = frozenset(_COMMON.split())
BM25_K1, BM25_B = 1.2, 0.75


def words(text: str) -> list[str]:
    """Lower-case words of two or more letters or digits, without the common English ones."""
    return [word for word in re.findall(r"[^\W_]{2,}", text.lower()) if word not in STOP_WORDS]


class TextIndex:
    """Word counts of documents in both directions, and what can be computed from them for the
    documents of a mask."""

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: dict[str, int] = {}
        documents: list[int] = []
        terms: list[int] = []
        counts: list[int] = []
        total = 0
        for document, text in enumerate(texts):
            total += 1
            for word, count in Counter(words(text)).items():
                documents.append(document)
                terms.append(numbers.setdefault(word, len(numbers)))
                counts.append(count)
        self.numbers, self.size = numbers, total
        self.documents: Ints = np.array(documents, dtype=np.int64)
        self.terms: Ints = np.array(terms, dtype=np.int64)
        self.counts: Floats = np.array(counts, dtype=np.float64)
        self.tf: Floats = 1 + np.log(np.maximum(self.counts, 1))
        self.lengths: Floats = np.bincount(
            self.documents, weights=self.counts, minlength=total
        ).astype(np.float64)
        self.row_starts: Ints = np.searchsorted(self.documents, np.arange(total + 1))
        """The postings of document d are ``row_starts[d]:row_starts[d + 1]``."""
        self.by_term: Ints = np.argsort(self.terms, kind="stable")
        self.term_starts: Ints = np.searchsorted(
            self.terms[self.by_term], np.arange(len(numbers) + 1)
        )

    def postings(self, term: int) -> Ints:
        """Positions of a term's postings."""
        return self.by_term[self.term_starts[term] : self.term_starts[term + 1]]

    def spread(self, mask: Mask) -> Floats:
        """In how many documents of the mask each term stands."""
        return np.bincount(self.terms[mask[self.documents]], minlength=len(self.numbers)).astype(
            np.float64
        )


class Ranking:
    """Similarities of texts to the documents of one mask; word rarity is that within the mask."""

    def __init__(self, index: TextIndex, mask: Mask) -> None:
        self.index, self.mask = index, mask
        spread, size = index.spread(mask), int(mask.sum())
        self.idf: Floats = np.log((1 + size) / (1 + spread)) + 1
        weights = (index.tf * self.idf[index.terms]) ** 2
        self.norms: Floats = np.sqrt(
            np.maximum(np.bincount(index.documents, weights=weights, minlength=index.size), 1e-12)
        )
        self.rarity: Floats = np.log(1 + (size - spread + 0.5) / (spread + 0.5))
        self.usual_length = float(index.lengths[mask].mean()) if size else 1.0

    def tfidf(self, text: str) -> Floats:
        """Cosine of the TF-IDF vectors of a text and of every document; 0 outside the mask."""
        known = [
            (self.index.numbers[word], count)
            for word, count in Counter(words(text)).items()
            if word in self.index.numbers
        ]
        return self._cosine(
            [term for term, _ in known], [1 + float(np.log(count)) for _, count in known]
        )

    def tfidf_to(self, document: int) -> Floats:
        """The same for a document of the index."""
        part = slice(int(self.index.row_starts[document]), int(self.index.row_starts[document + 1]))
        return self._cosine(
            [int(term) for term in self.index.terms[part]],
            [float(tf) for tf in self.index.tf[part]],
        )

    def _cosine(self, terms: Sequence[int], tfs: Sequence[float]) -> Floats:
        scores: Floats = np.zeros(self.index.size)
        square = 0.0
        for term, tf in zip(terms, tfs, strict=True):
            weight = tf * float(self.idf[term])
            square += weight * weight
            at = self.index.postings(term)
            scores[self.index.documents[at]] += weight * self.index.tf[at] * self.idf[term]
        scores /= self.norms * max(square, 1e-12) ** 0.5
        scores[~self.mask] = 0
        return scores

    def bm25(self, text: str) -> Floats:
        """BM25 scores of a query; 0 for documents that share no word and outside the mask."""
        scores: Floats = np.zeros(self.index.size)
        for word in dict.fromkeys(words(text)):
            if (term := self.index.numbers.get(word)) is None:
                continue
            at = self.index.postings(term)
            documents, counts = self.index.documents[at], self.index.counts[at]
            longer = 1 - BM25_B + BM25_B * self.index.lengths[documents] / self.usual_length
            scores[documents] += (
                self.rarity[term] * counts * (BM25_K1 + 1) / (counts + BM25_K1 * longer)
            )
        scores[~self.mask] = 0
        return scores


def best(scores: Floats, most: int) -> list[int]:
    """The documents with a score above 0, best first, the earlier one first among equals."""
    order = np.argsort(-scores, kind="stable")[: most if most else None]
    return [int(n) for n in order if scores[n] > 0]
