"""Chains where no citation is known: places taken by topic and year, trends without a link, and a
person who sees one."""

from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi.growth import stopped
from coi_tui.methods.evidence.cards import found_links
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import BY_TOPIC, Citations, Paper
from coi_tui.present.candidate_list import candidates
from coi_tui.services.sources.types import CitationList
from tests.support.desk import ONE, TOPIC, Desk, chains
from tests.support.script import reply_to
from tests.support.world import MemorySource, World

ALONE = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1, "minimum": 2})


def paper(key: str, year: int, count: int | None = 47) -> Paper:
    return Paper(
        id=key,
        title=f"Paper {key}",
        year=year,
        authors=("Lee",),
        abstract=f"{TOPIC} and more about {key}",
        citations=Citations(count=count),
    )


def desk_of(folder: Path, *links: tuple[str, str], count: int | None = 47) -> Desk:
    """Five papers on the topic; the anchor is the middle one. ``links``: citing, cited."""
    years = {"a1": 2010, "b2": 2014, "c3": 2018, "d4": 2020, "e5": 2022}
    papers = {key: paper(key, year, count if key == "c3" else 5) for key, year in years.items()}
    cites = {key: tuple(b for a, b in links if a == key) for key in papers}
    source = MemorySource(World(papers, cites, tuple(papers)))
    desk = Desk.new(folder, ALONE, source=source)
    desk.session.decide("pin", "1/0", paper=papers["c3"])
    return desk


def test_a_place_without_a_known_citation_takes_a_paper_by_topic_and_year(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    desk.run("chains")
    state = desk.state
    assert Chains.of(state).chain(1) == [-1, 0, 1]
    for place, known in (("1/+1", {"d4", "e5"}), ("1/-1", {"a1", "b2"})):
        slot = Chains.of(state).slot(place)
        assert slot.paper in known, "in the order of time"
        assert slot.reason.link == BY_TOPIC
    assert Chains.of(state).slot("1/+1").reason.evidence == "cited by 47, list not available"
    assert "cited by 47, list not available" in desk.content("1/+1.cands")["note"]
    assert "cited by 47, list not available" in " ".join(candidates(state, "1/+1").searched)
    assert found_links(state) == [], "it is no citation"


def test_a_citation_goes_before_topic_and_year(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, ("e5", "c3"))
    desk.run("chains")
    state = desk.state
    assert (Chains.of(state).slot("1/+1").paper, Chains.of(state).slot("1/+1").reason.link) == (
        "e5",
        "cites",
    )
    assert [e["paper"] for e in desk.content("1/+1.cands")["entries"]] == ["e5"]
    assert Chains.of(state).slot("1/-1").reason.link == BY_TOPIC


def test_a_paper_that_nobody_cites_has_no_successor(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, count=0)
    desk.run("chains")
    assert chains(desk.session).slot("1/+1").paper is None
    assert "lists no paper" in stopped(desk.state, 1, "forward")


@pytest.mark.parametrize(("day", "may"), [("2025-12-31", True), ("2026-01-01", False)])
def test_an_empty_list_is_asked_for_again_from_the_next_day_on(
    tmp_path: Path, day: str, may: bool
) -> None:
    """The clock of the session stands at 2026-01-01."""
    desk = desk_of(tmp_path, count=0)
    listed = desk.source.citations

    async def dated(paper: Paper, limit: int) -> CitationList:
        found = await listed(paper, limit)
        source = desk.session.setup.source
        return found.model_copy(update={"asked_at": day, "source": source})

    desk.source.citations = dated  # type: ignore[method-assign]
    desk.run("chains")
    assert desk.content("1/+1.cands")["entries"] == []
    assert (desk.session.refusals("1/+1")["search"] == "") == may


# -- trends


def unlinked(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    desk.model.say["coi_trend"] = lambda request: (
        reply_to(request) | {"linked": False, "text": "They share a word. Nothing else [P1]."}
    )
    desk.run("trends")
    return desk


def trends_shown(desk: Desk) -> object:
    desk.model.requests.clear()
    desk.run("directions")
    return desk.model.of("coi_direction")[-1].values["trends"]


def test_a_trend_without_a_link_is_one_sentence_that_no_later_prompt_is_shown(
    tmp_path: Path,
) -> None:
    desk = unlinked(tmp_path)
    trend = desk.content("1/0..+1")
    assert (trend["text"], trend["linked"]) == ("They share a word.", False)
    assert trends_shown(desk) == []


def test_a_person_who_sees_a_link_says_so_and_the_label_goes(tmp_path: Path) -> None:
    desk = unlinked(tmp_path)
    session = desk.session
    title = next(row for row in session.rows() if row.address == "1/0..+1").title
    assert title.startswith("no link")
    with pytest.raises(UsageError, match="Nothing was said"):
        session.decide("link", "1/0..+1", "  ")
    session.decide("link", "1/0..+1", "Both ask before they guess.")
    title = next(row for row in session.rows() if row.address == "1/0..+1").title
    assert title == "Both ask before they guess."
    assert trends_shown(desk) == ["Both ask before they guess."]
    with pytest.raises(UsageError, match="found no link"):
        session.decide("link", "1/0..+1", "Once more.")
    session.undo()
    assert desk.content("1/0..+1")["text"] == "They share a word."
    assert not session.freshness("1/dir").ok
