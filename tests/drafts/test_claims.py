"""No draft says of a paper what its record does not: over chains of linked papers from every lineage of the starter library."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from coi_tui.literature.ranking import stems
from coi_tui.literature.starter.index import searchable
from coi_tui.literature.starter.loader import bundled_library
from coi_tui.literature.starter.source import summary_text
from coi_tui.methods.shared.drafts.worksheet import own_sentences
from coi_tui.model.papers import Paper
from tests.support.drafts import DRAFTS

LIBRARY = bundled_library()
LINEAGES = sorted(set(LIBRARY.lineage.values()))


def chains(lineage: str) -> Iterator[list[Paper]]:
    """Up to three chains of three linked papers, old to new."""
    older: dict[str, str] = {}
    for link, name in zip(LIBRARY.links, LIBRARY.link_lineage, strict=True):
        if name == lineage:
            older.setdefault(link.citing, link.cited)
    found = [(older[older[new]], older[new], new) for new in sorted(older) if older[new] in older]
    for ids in found[:3]:
        yield [LIBRARY.papers[paper_id] for paper_id in ids]


def card(paper: Paper, topic: str) -> dict[str, object]:
    given = {"topic": topic, "title": paper.title, "year": paper.year, "kind": "summary", "text": summary_text(paper)}
    return {"title": paper.title, "year": paper.year, **DRAFTS["coi_read"](given)}


@pytest.mark.parametrize("lineage", LINEAGES)
def test_every_sentence_is_a_form_and_every_quotation_is_from_a_record(lineage: str) -> None:
    for papers in chains(lineage):
        topic = papers[1].title
        cards = [card(p, topic) for p in papers]
        trends = [str(DRAFTS["coi_trend"]({"topic": topic, "older": a, "newer": b})["text"]) for a, b in itertools.pairwise(cards)]
        values = {"topic": topic, "hunch": "", "chain": cards, "trends": trends, "entities": []}
        direction = str(DRAFTS["coi_direction"](values)["text"])
        texts = [*trends, direction]
        assert own_sentences(texts) == []
        record = " ".join(stems(" ".join(searchable(p) for p in papers)))
        quoted = [part for text in texts for part in text.split('"')[1::2]]
        assert [part for part in quoted if " ".join(stems(part.removesuffix(" ..."))) not in record] == []
