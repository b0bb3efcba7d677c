"""The people behind papers: by the services' ids, by name alone, and what of them passes the cut,
the fallback and the record."""

from typing import Any

import pytest

from coi_tui.model.papers import Paper
from coi_tui.services.sources.paper_source import people_by_name
from coi_tui.services.sources.semantic_scholar import SemanticScholar
from coi_tui.services.sources.source_fallback import SourcesInOrder
from coi_tui.services.sources.types import Author, HttpRequest

from .helpers import TODAY, ScriptedFetch, paper, sha

ANN, BO = {"authorId": "1741101", "name": "Ann Bar"}, {"authorId": None, "name": "Bo  Fôo"}
PAPERS = [paper(f"S2:{sha(1)}"), paper(f"S2:{sha(2)}"), paper("title:unknown-to-the-service")]


def s2(*rules: Any) -> tuple[SemanticScholar, ScriptedFetch]:
    fetch = ScriptedFetch(*rules)
    return SemanticScholar(fetch, "https://s2.example", today=lambda: TODAY), fetch


def person(number: int, **more: Any) -> dict[str, Any]:
    listed = [{"paperId": sha(9), "title": "On &amp; on", "year": 2020, "authors": [ANN, BO]}]
    told = {
        "authorId": str(number),
        "name": f"Author {number}",
        "affiliations": ["Here"],
        "paperCount": 3,
        "citationCount": 40,
    }
    return {**told, "papers": listed, **more}


async def test_semantic_scholar_gives_authors_by_id_and_their_papers() -> None:
    batch = [{"paperId": sha(1), "authors": [ANN, BO]}, {"paperId": sha(2), "authors": [BO]}]
    source, fetch = s2(
        ("/paper/batch", batch), ("/author/batch", [person(1741101, name="Ann Bar")])
    )
    found = await source.people(PAPERS, 10, 5)
    ann, bo = Author(id="S2:1741101", name="Ann Bar"), Author(id="name:bo foo", name="Bo Fôo")
    assert found.authors == {f"S2:{sha(1)}": (ann, bo), f"S2:{sha(2)}": (bo,)}
    assert [(p.id, p.name) for p in found.people] == [
        ("name:bo foo", "Bo Fôo"),
        ("S2:1741101", "Ann Bar"),
    ]
    told = found.people[1]
    assert (told.affiliation, told.citations, told.paper_count) == ("Here", 40, 3)
    assert [(p.title, p.year, p.authors) for p in told.papers] == [("On & on", 2020, (ann, bo))]
    assert (found.source, found.asked_at) == ("Semantic Scholar", TODAY)
    assert [r.body for r in fetch.asked] == [{"ids": [sha(1), sha(2)]}, {"ids": ["1741101"]}]


def as_ids(request: HttpRequest) -> list[str]:
    body = request.body
    assert isinstance(body, dict)
    return [str(value) for value in body["ids"]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "odd",
    [
        {"name": None},
        {"affiliations": [None, "", {"x": 1}]},
        {"paperCount": "many", "citationCount": -1},
        {"papers": [None, "x", {"title": None}, {"title": "T", "year": 9999, "authors": {"x": 1}}]},
    ],
)
async def test_any_field_may_be_missing_or_odd(odd: dict[str, Any]) -> None:
    source, _ = s2(
        ("/paper/batch", [{"authors": [ANN, None, {"name": ""}, "x"]}]),
        ("/author/batch", [person(1741101, **odd)]),
    )
    (found,) = (await source.people(PAPERS[:1], 5, 5)).people
    assert (found.id, found.name.startswith("A")) == ("S2:1741101", True)
    assert all(p.year is None or p.year < 2030 for p in found.papers)


# By name alone


OWN = [
    Paper(id="a", title="Gates", year=2021, authors=("Ann Bar", "Bo Foo")),
    Paper(id="b", title="Shelves", year=2020, authors=("ann  bar",)),
]


def test_by_name_alone_case_and_accents_do_not_count() -> None:
    asked = paper("DOI:10.1/x", "Ours", year=2022, authors=("Ann Bar", "Zoë Ng"))
    found = people_by_name([asked], OWN, 5, 5, source="here", asked_at=TODAY)
    assert [(p.id, [q.title for q in p.papers]) for p in found.people] == [
        ("name:ann bar", ["Ours", "Gates", "Shelves"]),
        ("name:zoe ng", ["Ours"]),
    ]
    assert (found.people[0].citations, found.people[0].paper_count) == (None, None)


# What stands between a step and a service


async def test_papers_after_the_cut_are_left_out_and_so_are_counts_of_today() -> None:
    batch = [{"authors": [ANN]}]
    listed = [
        {"title": f"Paper {y}", "year": y, "authors": [ANN]} for y in (2019, 2020, 2021, 2022)
    ] + [{"title": "No year"}]
    source, fetch = s2(("/paper/batch", batch), ("/author/batch", [person(1741101, papers=listed)]))
    early, late = paper(f"S2:{sha(1)}", year=2019), paper(f"S2:{sha(2)}", year=2022)
    found = await SourcesInOrder([source], cut="2021-06").people([early, late], 5, 1)
    assert list(found.authors) == [early.id]
    (told,) = found.people
    assert [p.title for p in told.papers] == ["Paper 2020"]
    assert (told.citations, told.paper_count, told.affiliation) == (None, None, "")
    assert as_ids(fetch.asked[0]) == [sha(1)]
