"""The starter library: real papers of AI and visualization with the project's own summaries, so
that everything runs offline. Its files are ``papers/*.jsonl`` and ``links/*.jsonl`` (one of each a
lineage)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from coi_tui.literature.ids import paper_url
from coi_tui.model.papers import Link, Paper
from coi_tui.model.text import Fields, Values
from coi_tui.services.sources.types import STARTER_LIBRARY

NAME = STARTER_LIBRARY
TOPICS = {
    "grammars": "grammars for interactive visualization",
    "agents": "language agents that learn from verbal feedback",
    "stories": "narrative visualization and data stories",
    "reasoning": "chain-of-thought prompting for mathematical reasoning",
    "sets": "visualization of set intersections",
    "rag": "retrieval-augmented generation for question answering",
    "inspection": "visual analytics of deep neural networks",
    "preference": "preference optimization of language models",
    "topics": "visual analysis of topics in text",
    "diffusion": "diffusion models for image synthesis",
    "parallel": "parallel coordinates of multivariate data",
    "ideation": "scientific hypothesis generation with language models",
    "multimodal": "instruction tuning of vision-language models",
    "peft": "low-rank adaptation of large language models",
    "retrieval": "dense retrieval and passage ranking",
}
"""For each lineage a topic that it covers, to begin with offline."""


@dataclass(frozen=True)
class StarterLibrary:
    """Papers by id and links, in file order."""

    papers: Mapping[str, Paper]
    links: tuple[Link, ...]


@cache
def bundled_library() -> StarterLibrary:
    """The shipped library, read once."""
    return load()


def load(folder: Traversable | None = None) -> StarterLibrary:
    """The library in ``folder`` (the shipped one when None), whose lines are sound."""
    home = files("coi_tui.services.sources.starter") if folder is None else folder
    links = {(link.citing, link.cited): link for link in map(_link, _rows(home, "links"))}
    # a chain walks on checked links alone
    checked = [pair for pair, link in links.items() if link.kind == "cites"]
    citing, cited = Counter(b for _, b in checked), Counter(a for a, _ in checked)
    papers = dict[str, Paper]()
    for row in _rows(home, "papers"):
        del row["lineage"]  # for people who read the file
        own = row["id"]
        papers[own] = Paper(
            **row,
            abstract_kind="summary",  # the project's own
            url=paper_url(row["ids"]),
            source=NAME,
            known_links=(citing[own], cited[own]),
        )
    return StarterLibrary(papers, tuple(links.values()))


def _link(row: Values) -> Link:
    """The link of a line, with the kind and the words that its evidence allows: one was found by a
    script in a list of references, or is the project's own knowledge."""
    checked = row["evidence"] == "checked"
    how = (
        "checked in its reference list"
        if checked
        else "from the project's own knowledge, not checked in a source"
    )
    return Link(
        citing=row["citing"],
        cited=row["cited"],
        kind="cites" if checked else "cites, unconfirmed",
        evidence=f"{NAME}: {how}",
    )


def _rows(home: Traversable, kind: str) -> Iterator[Fields]:
    """Every line of ``kind``, files in the order of their names."""
    for file in sorted(home.joinpath(kind).iterdir(), key=lambda item: item.name):
        if file.name.endswith(".jsonl"):
            yield from map(json.loads, filter(str.strip, file.read_text("utf-8").split("\n")))
