"""Links of own papers: from the reference lists of their PDFs and from what was asked, each with its
evidence; and what a source makes of them."""

from pathlib import Path

import pytest

from coi_tui.literature.ranking import fused, unlinked
from coi_tui.model.papers import Paper
from coi_tui.paths import Paths
from coi_tui.services.sources.source_fallback import SourcesInOrder
from coi_tui.services.sources.starter.source import StarterSource
from coi_tui.services.sources.types import Source
from coi_tui.session.papers.own_links import (
    LINKS_OF,
    NEITHER,
    OwnLinks,
    own_source,
)
from coi_tui.session.papers.own_papers import OwnPdf, add_papers, store_text
from coi_tui.store.library_file import LibraryFile
from tests.support.desk import paths_in

NEW = Paper(id="title:new", title="Growing trees from leaves", year=2024, source="my library")
GATES = Paper(
    id="DOI:10.1234/gates",
    ids={"DOI": "10.1234/gates", "arXiv": "2101.00001"},
    title="Gates that weigh evidence in long texts",
    year=2021,
    source="my library",
    abstract="We weigh evidence.",
)
SHELVES = Paper(
    id="title:shelves", title="Shelves of few-shot learning claims", year=2019, source="my library"
)
LATER = Paper(id="title:later", title="Chains that nobody pulled twice", year=2023)
OWN = [NEW, GATES, SHELVES, LATER]
TEXT = """Growing trees from leaves
We grow trees.
References
[1] A. Bar. Some other work. arXiv:2101.00001, 2021.
[2] C. Baz and D. Qux. Shelves of few- shot learn-
ing claims. Journal of Shelves, 2019.
[3] E. Foo. Chains that nobody pulled twice. In Proc. of Chains, 1999.
[4] Wei and others: Chain-of-thought prompting elicits reasoning in large language models.
Advances 35, 2022.
[5] Nobody. A paper that nobody here knows of at all. 2020.
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = paths_in(tmp_path)
    add_papers(made, OWN)
    return made


def test_the_reference_list_of_a_pdf_links_by_id_and_by_title(paths: Paths) -> None:
    store_text(paths, NEW, OwnPdf("trees.pdf", "hash", TEXT))
    found = OwnLinks(paths, OWN).links
    assert set(found) == {
        (NEW.id, GATES.id),
        (NEW.id, SHELVES.id),
        (NEW.id, "arXiv:2201.11903"),
    }, "another year is another paper"
    assert found[NEW.id, GATES.id].startswith("reference 1 of your PDF trees.pdf: “A. Bar.")
    listed = OwnLinks(paths, OWN).listed(NEW, "cited")
    assert [p.id for p in listed.papers] == [link.cited for link in listed.links]
    assert [OwnLinks(paths, OWN).numbers[paper.id] for paper in OWN] == [3, 1, 1, 0]
    (citing,) = OwnLinks(paths, OWN).listed(SHELVES, "citing").links
    assert (citing.citing, citing.cited, citing.kind) == (NEW.id, SHELVES.id, "cites")


def test_what_was_asked_is_kept_with_its_evidence(paths: Paths) -> None:
    other = Paper(id="arXiv:2105.00002", ids={"arXiv": "2105.00002"}, title="Other", year=2022)
    rows = [(GATES.id, "title:shelves", "listed by S"), (other.id, GATES.id, "cites: “it”")]
    with LibraryFile(paths.library) as library:
        library.remember_papers([other])
        library.remember_reply(f"{LINKS_OF}{GATES.id}", rows)
    links = OwnLinks(paths, OWN)
    assert links.asked.keys() == {GATES.id}
    assert links.links == {
        (GATES.id, SHELVES.id): "listed by S",
        (other.id, GATES.id): "cites: “it”",
    }
    record = GATES.model_copy(update={"id": "arXiv:2101.00001"})
    assert [p.id for p in links.listed(record, "citing").papers] == [other.id]


def source(paths: Paths) -> Source:
    own = own_source(paths, lambda: "2026-03-01")(None)
    return SourcesInOrder([StarterSource(today=lambda: "2026-03-01")], own)


async def test_the_source_of_own_papers_gives_their_links_or_says_why_not(paths: Paths) -> None:
    store_text(paths, NEW, OwnPdf("trees.pdf", "hash", TEXT))
    both = source(paths)
    cited = await both.references(NEW, 100)
    assert {p.id for p in cited.papers} == {GATES.id, SHELVES.id, "arXiv:2201.11903"}
    assert cited.source == "my library"
    none = await both.references(LATER, 100)
    assert not none.papers
    assert NEITHER in none.note
    wei = (await both.papers(["arXiv:2201.11903"]))[0]
    assert wei is not None
    assert (await both.citations(wei, 100)).source == "starter library"


def test_papers_of_which_no_link_is_known_are_ranked_by_what_is_known() -> None:
    rankings = {
        "similarity": {"own": 1, "cited": 2, "bare": 3},
        "citations": {"cited": 1},
        "co-citation": {"cited": 1},
    }
    plain = fused(rankings)
    assert plain["cited"] > plain["own"]
    fair = fused(rankings, unlinked={"own"})
    assert fair["own"] > fair["cited"] > fair["bare"]
    assert fair["cited"] == plain["cited"]
    as_good = {"similarity": {"own": 1}, "citations": {"own": 1}, "co-citation": {"own": 1}}
    assert fair["own"] == pytest.approx(fused(as_good)["own"]), "the same as with such links"
    assert fused({"similarity": {"own": 1}}, unlinked={"own"}) == fused({"similarity": {"own": 1}})


def test_only_own_papers_without_any_link_are_unlinked() -> None:
    assert unlinked(OWN, {NEW.id, SHELVES.id}) == {GATES.id}
