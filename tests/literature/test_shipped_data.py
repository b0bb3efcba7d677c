"""The contract of the data that ships. May be red while the files are being written."""

from __future__ import annotations

import re

import pytest

from coi_tui.literature.ids import normalise_id
from coi_tui.services.sources.starter.loader import StarterLibrary, load
from coi_tui.services.sources.starter.source import StarterSource

_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bet al)[.!?](?=\s+[A-Z(0-9]|$)")


@pytest.fixture(scope="module")
def library() -> StarterLibrary:
    return load()


def test_it_loads_without_a_bad_line(library: StarterLibrary) -> None:
    """Unique ids, ends of links that exist and no link twice are the loader's own rules."""
    assert len(library.papers) >= 100
    assert len(library.links) >= 300


def test_ids_are_what_they_say(library: StarterLibrary) -> None:
    for paper in library.papers.values():
        scheme, value = paper.id.split(":", 1)
        if scheme != "title":
            assert normalise_id(paper.id) == (scheme, value), paper.id
            assert paper.ids.get(scheme) == value, paper.id
        for name, known in paper.ids.items():
            assert normalise_id(f"{name}:{known}") in ((name, known), ("DOI", known.lower())), (
                paper.id,
                name,
                known,
            )


def test_summaries_have_four_to_six_sentences(library: StarterLibrary) -> None:
    counts = {
        paper.id: len(_SENTENCE_END.findall(paper.abstract or ""))
        for paper in library.papers.values()
    }
    assert {paper_id: n for paper_id, n in counts.items() if not 4 <= n <= 6} == {}


def test_no_paper_cites_a_newer_one(library: StarterLibrary) -> None:
    backwards = []
    for link in library.links:
        citing, cited = library.papers[link.citing], library.papers[link.cited]
        n = min(len(citing.when), len(cited.when))
        if cited.when[:n] > citing.when[:n]:
            backwards.append((citing.id, citing.when, cited.id, cited.when))
    assert backwards == []


@pytest.mark.parametrize(
    "query",
    ["medieval tax records of Burgundy", "coral reef calcification under ocean acidification"],
)
async def test_a_foreign_topic_finds_nothing(library: StarterLibrary, query: str) -> None:
    assert (await StarterSource(library).search(query, 6)).papers == ()


@pytest.mark.parametrize(
    "query",
    [
        "chain of thought prompting",
        "retrieval augmented generation",
        "direct preference optimization",
        "research idea generation",
    ],
)
async def test_a_topic_of_the_library_finds_enough(library: StarterLibrary, query: str) -> None:
    assert len((await StarterSource(library).search(query, 6)).papers) == 6


@pytest.mark.parametrize(
    "topic",
    [
        "selective attention of air traffic controllers",
        "MuJoCo locomotion tasks",
        "graph neural networks for molecules",
        "federated learning with differential privacy",
        "traffic forecasting with spatio-temporal graphs",
        "a new method for data analysis",
        "algorithms with predictions",
        "beekeeping",
        "flow visualization",
        "parallel computing",
    ],
)
async def test_a_topic_that_too_few_papers_fit_is_lacking_with_figures(topic: str) -> None:
    said = (await StarterSource().search(topic, 6)).lacking
    assert "at least 4 are needed" in said or "only words that nearly every paper uses" in said


@pytest.mark.parametrize(
    "topic",
    [
        "dense passage retrieval",
        "LoRA",
        "RLHF",
        "visual instruction tuning",
        "denoising diffusion models",
        "Euler diagrams",
        "visualization recommendation",
        "reward model overoptimization",
        "UpSet: Visualization of Intersecting Sets",
        "D3 data-driven documents",
    ],
)
async def test_a_topic_of_a_lineage_is_not_lacking(topic: str) -> None:
    assert (await StarterSource().search(topic, 6)).lacking == ""
