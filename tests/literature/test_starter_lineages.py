"""What the links of the starter library carry: chains of checked links."""

from __future__ import annotations

import pytest

from coi_tui.model.content import CandidateRow
from coi_tui.services.sources.starter import TOPICS as OFFERED
from coi_tui.services.sources.starter.loader import StarterLibrary, load
from coi_tui.services.sources.starter.source import StarterSource


@pytest.fixture(scope="module")
def library() -> StarterLibrary:
    return load()


async def test_every_lineage_has_a_topic_to_begin_with(library: StarterLibrary) -> None:
    assert set(OFFERED) == set(library.lineage.values())
    source = StarterSource(library)
    for lineage, topic in OFFERED.items():
        found = await source.search(topic, 3)
        assert (
            found.lacking,
            [library.lineage[p.id] for p in found.papers].count(lineage) >= 2,
        ) == ("", True), topic


@pytest.fixture(scope="module")
def checked(library: StarterLibrary) -> set[tuple[str, str]]:
    return {(link.citing, link.cited) for link in library.links if link.kind == "cites"}


async def test_links_that_were_not_checked_come_last_and_are_said(library: StarterLibrary) -> None:
    got = await StarterSource(library).references(library.papers["arXiv:2305.10601"], 100)
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
    for paper in library.papers.values():
        citing = sum(cited == paper.id for _, cited in checked)
        assert paper.known_links == (citing, sum(own == paper.id for own, _ in checked)), paper.id
