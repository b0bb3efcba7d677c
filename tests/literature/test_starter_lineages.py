"""What the links of the starter library carry: chains of checked links."""

from __future__ import annotations

from itertools import pairwise

import pytest

from coi_tui.model.content import CandidateRow
from coi_tui.model.papers import strictly_older
from coi_tui.services.sources.starter import TOPICS as OFFERED
from coi_tui.services.sources.starter.loader import StarterLibrary, load
from coi_tui.services.sources.starter.source import StarterSource

CHAINS = {
    "agents": "arXiv:2010.03768 arXiv:2210.03629 arXiv:2303.11366 arXiv:2305.16291 arXiv:2505.00234",
    "preference": "arXiv:1706.03741 arXiv:2009.01325 arXiv:2203.02155 arXiv:2305.18290 arXiv:2411.01493",
    "reasoning": "arXiv:1705.04146 arXiv:2110.14168 arXiv:2201.11903 arXiv:2203.11171 arXiv:2305.10601",
    "grammars": "10.1109/tvcg.2009.174 10.1109/tvcg.2011.185 10.1109/tvcg.2015.2467091 10.1109/tvcg.2016.2599030 10.1109/tvcg.2018.2865240",
    "stories": "10.1109/tvcg.2010.179 10.1109/tvcg.2011.255 10.1109/tvcg.2013.119 10.1109/tvcg.2019.2934398 10.1109/tvcg.2020.3030403",
    "inspection": "10.1109/tvcg.2016.2598831 10.1109/tvcg.2017.2744718 10.1109/tvcg.2018.2864500 10.1109/tvcg.2019.2934659 "
    "10.1109/tvcg.2020.3030418",
    "topics": "10.1109/infvis.2000.885098 10.1109/tvcg.2008.166 10.1109/tvcg.2011.239 10.1109/vast.2012.6400485 10.1109/tvcg.2013.162",
    "sets": "10.1109/tvcg.2009.122 10.1109/tvcg.2011.186 10.1109/tvcg.2013.184 10.1109/tvcg.2014.2346248 10.1109/tvcg.2015.2467051",
    "parallel": "10.1109/visual.1990.146402 10.1109/visual.1994.346302 10.1109/infvis.2002.1173157 10.1109/infvis.2005.1532139 "
    "10.1109/tvcg.2009.179",
}
"""Five papers of one lineage, old to new; each cites the one before. Ids without a scheme are
DOIs."""


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


@pytest.mark.parametrize("lineage", sorted(CHAINS))
def test_a_lineage_has_a_chain_of_five_by_checked_links(
    lineage: str, library: StarterLibrary, checked: set[tuple[str, str]]
) -> None:
    ids = [name if ":" in name else f"DOI:{name}" for name in CHAINS[lineage].split()]
    papers = [library.papers[name] for name in ids]
    assert len(set(ids)) == 5
    assert {library.lineage[name] for name in ids} == {lineage}
    assert all((newer, older) in checked for older, newer in pairwise(ids))
    assert all(strictly_older(older, newer) for older, newer in pairwise(papers))
    assert all(paper.abstract for paper in papers)


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
