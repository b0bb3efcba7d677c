"""Kinds of limitation, told by their words: which of them begin a worksheet is decided by it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class LimitationKind:
    """A kind and the words by which it is told."""

    name: str
    cues: str


KINDS = (
    LimitationKind(
        name="evaluation",
        cues=r"evaluat|metric|reward|measur|judge|benchmark|check|exact match|score|proxy",
    ),
    LimitationKind(
        name="reliability",
        cues=r"error|hallucinat|nois|wrong|bias|unfaithful|exploit|incorrect|mislead|hack|brittle|unstable|robust|"
        r"reliab|mistake|fail|risk|unsafe|safety|misuse|circumvent|loops|derail",
    ),
    LimitationKind(
        name="cost",
        cues=r"cost|expens|slow|latency|memory|comput|heav|overhead|inference|parameters|many (?:\w+ )?(?:calls|"
        r"samples|passes|steps)|sequential|\blong",
    ),
    LimitationKind(
        name="supervision",
        cues=r"label|annotat|human|expert|demonstrat|manual|hand-?written|hand-?made|supervis|crowd",
    ),
    LimitationKind(
        name="scope",
        cues=r"\bonly\b|single|fixed|limit|restrict|english|short|small|domain|generali|carry over|transfer|"
        r"other tasks|unseen|not tested|\bone\b|large",
    ),
    LimitationKind(
        name="choices",
        cues=r"depend|relies|rely|sensitiv|hyperparameter|threshold|prompt|implementation detail|quality of|choice|"
        r"chosen|tuned|(?<!-)\btuning|needs?\b|requires?|assum",
    ),
    LimitationKind(
        name="quality",
        cues=r"weak|worse|behind|below|lag|lower|\bgap\b|\bfalls?\b|trail|difficult|\bfar\b|poor|inferior|drop|"
        r"degrad|struggl|not competitive",
    ),
)
OTHER = LimitationKind(
    name="gap",
    cues="",
)


def kind_of(limitation: str) -> LimitationKind:
    """The kind whose cues occur most often in a limitation; on a tie the earlier in the table; ``OTHER`` where none occurs."""
    counts = [len(re.findall(kind.cues, limitation, re.IGNORECASE)) for kind in KINDS]
    return KINDS[counts.index(max(counts))] if any(counts) else OTHER
