"""The reading list: made before the anchors, ranked with citations, and of use to the chains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.shared.reading_entries import reading_list
from coi_tui.methods.shared.reading_list import ReadingLinks, ReadingListStep
from coi_tui.model.content import ReadingContent
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import strictly_older
from coi_tui.session.queries.candidates import candidates
from tests.support.desk import ONE, SMALL, Desk
from tests.support.script import HashModel
from tests.support.world import MemorySource, World, make_world

WORLD = make_world()


def desk_with(
    folder: Path, source: MemorySource | None = None, model: HashModel | None = None
) -> Desk:
    return Desk.new(folder, ONE, model, source or MemorySource(WORLD, lists=True))


def test_it_is_made_before_the_anchors_with_every_signal(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.session.edits.save("topic", " ".join(WORLD.papers[p].title for p in WORLD.middle[:3]))
    desk.run("anchors")
    content = desk.content("reading")
    assert [t["query"] for t in content["tries"]] == [desk.content("topic")["text"]]
    assert {signal for row in content["entries"] for signal in row["ranks"]} == {
        "similarity",
        "citations",
        "co-citation",
        "coupling",
        "search",
    }
    asked = [kind for kind, _ in desk.source.asked]
    assert asked.index("reference lists") < len(asked) - 1  # the anchors' own search comes after it
    assert [row["rank"] for row in content["entries"]] == list(
        range(1, len(content["entries"]) + 1)
    )


def test_papers_that_only_the_hits_cite_are_in_the_list_and_may_be_anchors(tmp_path: Path) -> None:
    hits = WORLD.cited_by(WORLD.middle[0])
    assert len(hits) > 1
    source = MemorySource(WORLD, finds=lambda _q: hits, lists=True)
    desk = desk_with(tmp_path, source)
    desk.run("anchors")
    rows = {row["paper"]: row for row in desk.content("reading")["entries"]}
    assert rows[WORLD.middle[0]]["cited_by"] == len(hits)
    assert not rows[WORLD.middle[0]]["found"]
    anchor = desk.session.state.slot("1/0").paper
    assert anchor in {
        p for hit in hits for p in WORLD.cites[hit]
    }  # cited by what was found, not only found
    assert desk.session.state.slot("1/0").why["ranks"]["reading list"] >= 1


@pytest.mark.parametrize("broken", [True, False])
def test_without_reference_lists_the_hits_stand_and_a_note_says_why(
    tmp_path: Path, broken: bool
) -> None:
    class NoLists(MemorySource):
        async def reference_lists(self, papers: Any) -> Any:
            raise ServiceError("memory library", "server", "The service had an error.")

    source = NoLists(WORLD) if broken else MemorySource(WORLD)
    desk = desk_with(tmp_path, source)
    assert desk.run("anchors").failed == {}
    content = desk.content("reading")
    assert (
        "Citations among the papers found are not counted" in content["note"]
        if broken
        else "no lists of references" in content["note"]
    )
    assert {row["paper"] for row in content["entries"]} == set(WORLD.middle)
    assert {signal for row in content["entries"] for signal in row["ranks"]} == {
        "search"
    }  # what is missing is left out
    assert desk.session.state.slot("1/0").paper is not None


def test_a_search_that_fails_is_a_failed_step_and_no_empty_list(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, MemorySource(WORLD, fails=lambda _q: True))
    outcome = desk.run("anchors")
    assert "reading" in outcome.failed
    assert desk.session.state.in_use("reading") is None


def test_the_same_answers_give_the_same_list(tmp_path: Path) -> None:
    one, other = desk_with(tmp_path / "a"), desk_with(tmp_path / "b")
    one.run("anchors")
    other.run("anchors")
    assert one.content("reading") == other.content("reading")


def test_a_list_made_anew_leaves_what_was_chosen_with_the_old_one_fresh(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.run("cards")
    desk.refresh(["reading"], again=True)
    assert len(desk.session.state.cell("reading").versions) == 2
    assert desk.marks() == {}


def test_the_whole_list_names_places_and_what_stands_beside_them(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL, source=MemorySource(WORLD, lists=True))
    desk.run("cards")
    found = reading_list(desk.session.state)
    assert found.made
    places = {entry.paper: entry.places for entry in found.entries}
    for slot in desk.session.state.slots.values():
        if slot.paper:
            assert places[slot.paper] == (
                f"in chain {slot.address.split('/')[0]} at {slot.address}",
            )
    assert any(where and where[0].startswith("often cited beside ") for where in places.values())
    listed = {
        row["paper"]
        for a in desk.session.state.cells
        if a.endswith(".cands")
        for row in desk.content(a)["entries"]
    }
    assert listed <= set(places)  # what was found beside the chains is there as well
    assert all(entry.reasons() for entry in found.entries)


def test_a_rejected_paper_goes_to_the_end_and_says_so(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.run("anchors")
    first = reading_list(desk.session.state).entries[0]
    desk.session.decisions.avoid(
        desk.session.state.papers[first.paper], "no"
    ) if not first.places else desk.session.decisions.reject("1/0")
    last = next(e for e in reading_list(desk.session.state).entries if e.paper == first.paper)
    assert last.rejected
    assert last.rank > 1
    assert "rejected" in last.reasons()


def test_links_of_a_missing_list_say_nothing() -> None:
    links = ReadingLinks(ReadingContent())
    assert links.rankings(["a", "b"], ["c"]) == {}
    assert links.best(5) == []
    assert not links.is_cited("a")


def test_an_anchor_is_judged_also_from_the_first_query_and_none_that_fits_ends_with_a_sentence(
    tmp_path: Path,
) -> None:
    nothing = HashModel({"coi_relevance": lambda _: {"reasoning": "r", "relevant": False}})
    bounds = ONE.model_copy(update={"anchor_tries": 2})
    desk = Desk.new(tmp_path, bounds, nothing, MemorySource(WORLD, lists=True))
    desk.run("anchors")
    assert desk.session.state.slot("1/0").paper is None
    assert "none of use for the topic" in desk.session.queries.shortfall("anchors")


def test_who_judges_anchors_is_told_how_many_papers_found_cite_a_candidate(tmp_path: Path) -> None:
    hits = WORLD.cited_by(WORLD.middle[0])
    desk = desk_with(tmp_path, MemorySource(WORLD, finds=lambda _q: hits, lists=True))
    desk.run("anchors")
    (asked,) = desk.model.of("coi_relevances")
    cited_by = {row["paper"]: row["cited_by"] for row in desk.content("reading")["entries"]}
    by_title = {WORLD.papers[paper].title: number for paper, number in cited_by.items()}
    shown: Any = asked.values["candidates"]
    assert [c["cited_by"] for c in shown] == [by_title[c["title"]] for c in shown]
    assert f"Cited by {shown[0]['cited_by']} of the papers found for the topic." in asked.user
    assert shown[0]["cited_by"] > 1


def test_a_step_without_hits_asks_nothing_more(tmp_path: Path) -> None:
    world = World({}, {}, ())
    desk = desk_with(tmp_path, MemorySource(world, lists=True, empty=lambda _q: True))
    desk.run("anchors")
    assert desk.content("reading")["note"] == "No paper was found for the topic."
    assert "reference lists" not in [kind for kind, _ in desk.source.asked]
    assert ReadingListStep().cost(desk.session.state, "reading").searches[1] <= 5


def test_rows_from_a_file_with_missing_fields_are_read() -> None:
    content = ReadingContent.from_held(
        {"entries": [{"paper": "a"}, {"nothing": 1}], "cites": {"b": ["a"]}}
    )
    assert [row.paper for row in content.entries] == ["a"]
    assert ReadingLinks(content).rankings(["a"], ["a"])["co-citation"] == {"a": 1}


def test_the_picker_offers_papers_of_the_reading_list_that_fit_and_one_can_be_chosen(
    tmp_path: Path,
) -> None:
    desk = desk_with(tmp_path)
    desk.run("cards")
    state = desk.session.state
    offered = [
        c
        for c in candidates(state, "1/+1").entries
        if any(flag.startswith("reading list #") for flag in c.flags)
    ]
    assert offered
    older, newer = state.paper_at(1, 0), state.paper_at(1, 2)
    assert older is not None
    assert newer is not None
    held = {slot.paper for slot in state.slots.values()}
    for one in offered:
        assert (older.year or 0) <= (one.year or 0) <= (newer.year or 0)
        assert one.paper not in held
    desk.session.decisions.choose("1/+1", offered[0].paper)
    assert desk.session.state.slot("1/+1").paper == offered[0].paper
    assert desk.session.state.slot("1/+1").verdict == "accepted"


def test_a_candidate_of_which_no_signal_knows_anything_is_listed_last_and_not_lost(
    tmp_path: Path,
) -> None:
    hits = WORLD.middle[:2]
    desk = desk_with(tmp_path, MemorySource(WORLD, finds=lambda _q: hits, lists=True))
    desk.run("cards")
    anchor = desk.session.state.slot("1/0").paper
    assert anchor is not None
    older = {
        p for p in WORLD.cites[anchor] if strictly_older(WORLD.papers[p], WORLD.papers[anchor])
    }
    newer = {
        p for p in WORLD.cited_by(anchor) if strictly_older(WORLD.papers[anchor], WORLD.papers[p])
    }
    for address, fitting in (("1/-1.cands", older), ("1/+1.cands", newer)):
        rows = desk.content(address)["entries"]
        assert {row["paper"] for row in rows} == fitting
    assert any(not row["ranks"] for row in desk.content("1/+1.cands")["entries"])
