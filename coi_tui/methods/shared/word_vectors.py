"""Texts as vectors of weighted words, for where there is no model that makes vectors. Pure; numpy
is imported where it is used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.methods.shared.drafts.text_tools import term_weight, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def unit_rows(vectors: NDArray[Any]) -> NDArray[Any]:
    """The rows at length 1; a row of zeros stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: NDArray[Any] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units
