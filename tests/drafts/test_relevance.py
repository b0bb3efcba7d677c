"""Words that go with a topic: what the starter library finds for it teaches the drafter what else
is of use (COI-4, COI-5)."""

from __future__ import annotations

import pytest

from coi_tui.methods.coi.drafts import draft_relevances, related_stems
from coi_tui.services.sources.starter.loader import load

TOPICS = {
    "chain of thought reasoning in large language models": "reasoning",
    "dense passage retrieval": "retrieval",
    "parameter-efficient fine-tuning": "peft",
    "direct preference optimization": "preference",
    "denoising diffusion probabilistic models": "diffusion",
    "multimodal large language models": "multimodal",
    "language model agents that use tools": "agents",
    "generating research ideas with language models": "ideation",
}


def verdict(topic: str, **paper: object) -> dict[str, object]:
    said = draft_relevances(
        {"topic": topic, "neighbour": None, "candidates": [{"id": "P1", **paper}]}
    )["verdicts"]
    assert isinstance(said, list)
    return dict(said[0])


def judged(topic: str, lineage: str | None) -> float:
    """The share of a lineage's papers (None: of all others than the topic's) that the drafter takes
    as relevant."""
    library, own = load(), TOPICS[topic]
    chosen = [
        p
        for p in library.papers.values()
        if (library.lineage[p.id] == lineage if lineage else library.lineage[p.id] != own)
    ]
    said = [
        verdict(topic, title=p.title, year=p.year, abstract=p.abstract)["topic"] for p in chosen
    ]
    return sum(map(bool, said)) / len(said)


@pytest.mark.parametrize("topic", TOPICS)
def test_most_of_a_topics_own_lineage_is_relevant_and_most_of_the_rest_is_not(topic: str) -> None:
    assert judged(topic, TOPICS[topic]) >= 0.7
    assert judged(topic, None) <= 0.35


@pytest.mark.parametrize(
    "topic",
    [
        "cheese ripening bacteria",
        "coral reef calcification",
        "Baroque violin varnish chemistry",
        "",
        "the of and",
    ],
)
def test_a_topic_that_the_library_does_not_know_has_no_related_words(topic: str) -> None:
    assert related_stems(topic) == frozenset()


ONE_WORD = "Retrieval of tea recipes."


@pytest.mark.parametrize(
    ("abstract", "cited_by", "taken"),
    [
        (ONE_WORD, 1, False),
        (ONE_WORD, 2, True),
        (ONE_WORD, "", False),
        ("Recipes for tea.", 9, False),
    ],
)
def test_a_paper_that_several_papers_found_cite_needs_one_word_of_the_topic(
    abstract: str, cited_by: object, taken: bool
) -> None:
    topic = "calibrated retrieval ensembles under distribution shift in ecological monitoring"
    said = verdict(topic, title="A cup", year=2020, abstract=abstract, cited_by=cited_by)
    assert bool(said["topic"]) is taken
    assert ("2 of the papers found for it cite this one" in str(said["reasoning"])) is taken
