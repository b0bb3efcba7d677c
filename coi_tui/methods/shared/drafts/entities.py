"""Named things: the entities of cards; data sets, baselines and metrics in experiment texts; the modules of an idea."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.prompt_values import Values, line_of, mappings
from coi_tui.methods.shared.drafts.text_tools import clip, distinct, one_line, without_full_stop, words

_DATA = re.compile(r"\bData sets?: ([^\n]+?)\.(?:\s|$)")
_BASE = re.compile(r"\bBaselines?: ([^\n]+?)\.(?:\s|$)")
_ON = re.compile(
    r"\b(?:experiments?|evaluat\w+|tested|tests|results?|benchmarks?)\b[^.]{0,30}?\b(?:on|with|in) ([A-Z][^.;:]{2,120}?)(?:\s+(?:show|"
    r"shows|demonstrate|indicate|reach|and on|with)\b|[.;:])"
)
_AGAINST = re.compile(
    r"\b(?:than|against|outperforms?|over|compared (?:with|to)|baselines? (?:such as|like)) ([A-Z][^.;:]{2,100}?)(?:\s+(?:on|in|by|"
    r"while)\b|[.;:]|$)"
)
_METRIC = re.compile(
    r"\b(accuracy|exact match|F1(?: score)?|BLEU|ROUGE(?:-[L12])?|METEOR|CIDEr|perplexity|recall(?:@\d+)?|precision|MRR(?:@\d+)?|"
    r"nDCG(?:@\d+)?|MAP|AUC|pass@\d+|win rate|success rate|FID|CLIP score|inception score|log likelihood|latency|throughput|"
    r"human (?:preference|evaluation|ratings?)|reward|agreement|BERTScore|GPU memory)\b",
    re.IGNORECASE,
)
_MODULE = re.compile(r"\bModule (\d+) \(([^)]{2,60})\)")


@dataclass(frozen=True)
class Entity:
    name: str
    description: str

    @property
    def with_description(self) -> str:
        """``name (description)``."""
        return f"{self.name} ({without_full_stop(self.description)})" if words(self.description) else self.name


def entities_of(values: Values) -> list[Entity]:
    """The named entities under ``entities``, each once."""
    found: dict[str, Entity] = {}
    for item in mappings(values, "entities"):
        if name := without_full_stop(line_of(item, "name")):
            found.setdefault(name.casefold(), Entity(clip(name, 12), clip(without_full_stop(line_of(item, "description")), 30)))
    return list(found.values())


def _split(text: str) -> list[str]:
    return [clip(without_full_stop(part), 10) for part in re.split(r",\s+(?:and\s+)?|\s+and\s+", one_line(text)) if words(part)]


def _capitalised(names: Sequence[str]) -> list[str]:
    return [name for name in names if re.match(r"[A-Z0-9]|\w+[A-Z]", name) and len(words(name)) <= 6]


def datasets_in(texts: Sequence[str]) -> list[str]:
    """Data sets named in experiment texts: those after ``Data sets:``, else names after ``experiments on``."""
    stated = [name for text in texts for found in _DATA.findall(text) for name in _split(found)]
    return distinct(stated or [name for text in texts for found in _ON.findall(text) for name in _capitalised(_split(found))])


def baselines_in(texts: Sequence[str]) -> list[str]:
    """Baselines named in experiment texts: those after ``Baselines:``, else names after ``than``, ``against`` and the like."""
    stated = [name for text in texts for found in _BASE.findall(text) for name in _split(found)]
    return distinct(stated or [name for text in texts for found in _AGAINST.findall(text) for name in _capitalised(_split(found))])


def metrics_in(texts: Sequence[str]) -> list[str]:
    """Metrics named in texts, in the spelling of their first mention."""
    return distinct(found for text in texts for found in _METRIC.findall(text))


def modules_in(method: str, contributions: Sequence[str]) -> list[tuple[str, str]]:
    """The modules of an idea as (short name, what it is): numbered ones of the method, else its contributions."""
    found = {f"module {number}": kind for number, kind in _MODULE.findall(method)}
    if found:
        return list(found.items())
    return [(f"contribution {n}", clip(without_full_stop(text), 25)) for n, text in enumerate(contributions[:4], 1)]
