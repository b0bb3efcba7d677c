"""The draft of what a paper says to review points (COI-15)."""

from __future__ import annotations

import re

from coi_tui.methods.shared.drafts.paper_sections import split_sections
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    sentences,
    terms,
    total_weight,
    with_full_stop,
    words,
)

_CONCRETE = re.compile(
    r"\b\d{2,}|\bdata ?sets?\b|\bbenchmark|\bbaseline|\bexperiments?\b|\bablation", re.IGNORECASE
)


def draft_facts(values: Values) -> Draft:
    """COI-15: up to six sentences of the text that share distinctive words with the points, in the order of the text."""
    source = split_sections(text_of(values, "text"))
    wanted = " ".join(
        f"{line_of(item, 'part')} {line_of(item, 'point')}" for item in mappings(values, "points")
    )
    asked = set(terms(wanted))
    if not asked:
        return {"facts": []}
    ranked = []
    for index, sentence in enumerate(sentences(source.main[:60000])):
        gain = _gain(sentence, asked)
        if gain >= 1 and 5 <= len(words(sentence)) <= 60:
            ranked.append((-gain, index, with_full_stop(sentence)))
    best = sorted(
        sorted(ranked)[: 6 - bool(source.datasets) - bool(source.baselines)],
        key=lambda item: item[1],
    )
    return {
        "facts": [sentence for _, _, sentence in best] + _lists(source.datasets, source.baselines)
    }


def _gain(sentence: str, asked: set[str]) -> float:
    """Weight of the words shared with the points; a number or a measure in the sentence adds to it."""
    common = set(terms(sentence)) & asked
    return total_weight(common) + 0.75 * bool(_CONCRETE.search(sentence)) if common else 0.0


def _lists(datasets: tuple[str, ...], baselines: tuple[str, ...]) -> list[str]:
    found = [("Data sets used", datasets), ("Compared with", baselines)]
    return [
        with_full_stop(f"{label}: {clip('; '.join(names), 40)}") for label, names in found if names
    ]
