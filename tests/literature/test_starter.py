from __future__ import annotations

import json
from pathlib import Path

import pytest

from coi_tui.model.errors import StoreError
from coi_tui.services.sources.starter.index import StarterIndex
from coi_tui.services.sources.starter.loader import load
from coi_tui.services.sources.starter.source import StarterSource

from .helpers import paper, sha, small_starter, starter_row


@pytest.fixture
def source(tmp_path: Path) -> StarterSource:
    return StarterSource(load(small_starter(tmp_path)))


def test_a_line_becomes_a_paper(source: StarterSource) -> None:
    got = source.library.papers["arXiv:2203.11171"]
    assert (got.year, got.published, got.abstract_kind, got.source) == (
        2022,
        "2022-06",
        "summary",
        "starter library",
    )
    assert got.ids == {"arXiv": "2203.11171"}
    assert got.citations.source == "reference set"
    assert got.url == "https://arxiv.org/abs/2203.11171"


async def test_evidence_of_links_is_kept(source: StarterSource) -> None:
    voting = source.library.papers["arXiv:2203.11171"]
    (back,) = (await source.references(voting, 9)).links
    (forth,) = (await source.citations(voting, 9)).links
    assert (back.citing, back.cited, back.kind) == ("arXiv:2203.11171", "arXiv:2201.11903", "cites")
    assert back.evidence == "starter library: checked in its reference list"
    assert (forth.citing, forth.cited, forth.kind) == (
        "arXiv:2305.10601",
        "arXiv:2203.11171",
        "cites, unconfirmed",
    )
    assert "not checked" in forth.evidence


async def test_a_paper_from_elsewhere_is_known_by_any_id_or_title(source: StarterSource) -> None:
    from_s2 = paper(f"S2:{sha(1)}", "Whatever", ids={"arXiv": "2201.11903"})
    got = await source.citations(from_s2, 9)
    assert got.links[0].cited == f"S2:{sha(1)}"
    by_title = paper("DOI:10.1000/x", "Self consistency voting", year=2022)
    assert (await source.references(by_title, 9)).papers[0].id == "arXiv:2201.11903"
    assert (await source.text(by_title)).paper == "DOI:10.1000/x"
    stranger = await source.references(paper("DOI:10.1000/y", "Other"), 9)
    assert (stranger.papers, stranger.note) == ((), "not in the starter library")
    assert (await source.text(paper("DOI:10.1000/y", "Other"))).kind == "none"


async def test_search_finds_and_says_how_it_ranked(source: StarterSource) -> None:
    found = await source.search("tree search over thoughts", 2)
    assert found.papers[0].id == "arXiv:2305.10601"
    assert found.note == "3 of 3 words of the query occur in the library; ranked locally"
    assert found.asked_at is None


@pytest.mark.parametrize(
    "query",
    [
        "medieval tax records of Burgundy",
        "coral reef calcification under ocean acidification",
        "Roman pottery kiln firing temperatures",
        "a new method for data analysis using models",
        "the of and",
        "",
        "!!! ??? --",
        "机器学习",
    ],
)
async def test_nothing_in_common_finds_nothing(source: StarterSource, query: str) -> None:
    found = await source.search(query, 5)
    assert found.papers == ()
    assert found.total == 0
    assert found.note


async def test_one_chance_word_is_no_hit_but_the_subject_is(source: StarterSource) -> None:
    assert (await source.search("temperatures", 5)).papers == ()
    assert [p.id for p in (await source.search("voting", 5)).papers] == ["arXiv:2203.11171"]


def test_a_word_in_most_papers_of_a_larger_library_tells_nothing() -> None:
    many = [paper(f"S2:{i}", f"Retrieval of topic{i}") for i in range(20)]
    assert StarterIndex(many).search("retrieval").papers == ()
    assert len(StarterIndex(many[:5]).search("retrieval").papers) == 5


async def test_text_is_the_summary_with_its_lists(source: StarterSource) -> None:
    got = await source.text(source.library.papers["arXiv:2201.11903"])
    assert got.kind == "summary"
    assert "Earlier work fell short." in got.text
    assert "LIMITATIONS\n- It is slow." in got.text
    assert "DATASETS\n- GSM8K" in got.text
    assert "- chain-of-thought prompting: its idea" in got.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "Expecting"),
        ('{"id": "arXiv:1"}', "ids"),
        (json.dumps(starter_row("2201.11903", "Twice", 2022, "x", "y")), "there twice"),
    ],
)
def test_a_bad_line_is_an_error_with_file_and_line(tmp_path: Path, line: str, why: str) -> None:
    folder = small_starter(tmp_path)
    with (folder / "papers" / "one.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + line + "\n")
    with pytest.raises(StoreError, match=r"papers/one\.jsonl:5") as error:
        load(folder)
    assert why in error.value.message
