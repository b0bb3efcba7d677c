"""The starter library as it ships: what it answers, and its data."""

import pytest

from coi_tui.literature.ids import normalise_id
from coi_tui.model.content import CandidateRow
from coi_tui.services.sources.starter import StarterLibrary, load
from coi_tui.services.sources.starter.source import StarterIndex, StarterSource

from .helpers import paper, sha


@pytest.fixture(scope="module")
def library() -> StarterLibrary:
    return load()


@pytest.fixture
def source(library: StarterLibrary) -> StarterSource:
    return StarterSource(library)


async def test_a_paper_from_elsewhere_is_known_by_any_id_or_title(source: StarterSource) -> None:
    from_s2 = paper(f"S2:{sha(1)}", "Whatever", ids={"arXiv": "2201.11903"})
    got = await source.citations(from_s2, 9)
    assert got.links[0].cited == f"S2:{sha(1)}"
    title = "Self consistency improves chain of thought reasoning in language models"
    by_title = paper("DOI:10.1000/x", title, year=2022)
    cited = {p.id for p in (await source.references(by_title, 9)).papers}
    assert "arXiv:2201.11903" in cited
    assert (await source.text(by_title)).paper == "DOI:10.1000/x"
    stranger = await source.references(paper("DOI:10.1000/y", "Other"), 9)
    assert (stranger.papers, stranger.note) == ((), "not in the starter library")
    assert (await source.text(paper("DOI:10.1000/y", "Other"))).kind == "none"


async def test_one_chance_word_is_no_hit_but_the_subject_is(source: StarterSource) -> None:
    assert (await source.search("temperatures", 5)).papers == ()
    assert [p.id for p in (await source.search("toolformer", 5)).papers] == ["arXiv:2302.04761"]


def test_a_word_in_most_papers_of_a_larger_library_tells_nothing() -> None:
    many = [paper(f"S2:{i}", f"Retrieval of topic{i}") for i in range(20)]
    assert StarterIndex(many).search("retrieval").papers == ()
    assert len(StarterIndex(many[:5]).search("retrieval").papers) == 5


# Its data


@pytest.fixture(scope="module")
def checked(library: StarterLibrary) -> set[tuple[str, str]]:
    return {(link.citing, link.cited) for link in library.links if link.kind == "cites"}


async def test_links_that_were_not_checked_come_last_and_are_said(
    library: StarterLibrary, source: StarterSource
) -> None:
    got = await source.references(library.papers["arXiv:2305.10601"], 100)
    kinds = [link.kind == "cites" for link in got.links]
    assert kinds == sorted(kinds, reverse=True)
    assert sum(kinds) > 0
    unchecked = len(kinds) - sum(kinds)
    assert (f"{unchecked} by links that were not checked" in got.note) == bool(unchecked)
    assert not any(
        CandidateRow(paper=link.cited, link=link.kind).eligible
        for link in got.links
        if link.kind != "cites"
    )


def test_a_paper_counts_only_the_checked_links_that_a_chain_can_follow(
    library: StarterLibrary, checked: set[tuple[str, str]]
) -> None:
    for one in library.papers.values():
        citing = sum(cited == one.id for _, cited in checked)
        assert one.known_links == (citing, sum(own == one.id for own, _ in checked)), one.id


def test_ids_are_what_they_say(library: StarterLibrary) -> None:
    for one in library.papers.values():
        scheme, value = one.id.split(":", 1)
        if scheme != "title":
            assert normalise_id(one.id) == (scheme, value), one.id
            assert one.ids.get(scheme) == value, one.id
        for name, known in one.ids.items():
            assert normalise_id(f"{name}:{known}") in ((name, known), ("DOI", known.lower())), (
                one.id,
                name,
                known,
            )


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
