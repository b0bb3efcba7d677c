"""The reading list: made before the anchors, ranked with citations, and of use to the chains."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.evidence.reading_list import MISSING, reading_list
from coi_tui.model.document import Section
from coi_tui.model.errors import ServiceError
from tests.support.desk import ONE, Desk, chains
from tests.support.script import HashModel
from tests.support.world import MemorySource, make_world

WORLD = make_world()


def desk_with(
    folder: Path, source: MemorySource | None = None, model: HashModel | None = None
) -> Desk:
    return Desk.new(folder, ONE, model, source or MemorySource(WORLD, lists=True))


def test_it_is_made_before_the_anchors_with_every_signal(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.edits.save("topic", " ".join(WORLD.papers[p].title for p in WORLD.middle[:3]))
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
    anchor = chains(desk.session).slot("1/0").paper
    assert anchor in {
        p for hit in hits for p in WORLD.cites[hit]
    }  # cited by what was found, not only found
    assert chains(desk.session).slot("1/0").why["ranks"]["reading list"] >= 1


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
        content["note"].endswith("The service had an error.")
        if broken
        else "no lists of references" in content["note"]
    )
    assert {row["paper"] for row in content["entries"]} == set(WORLD.middle)
    assert {signal for row in content["entries"] for signal in row["ranks"]} == {
        "search"
    }  # what is missing is left out
    assert chains(desk.session).slot("1/0").paper is not None


def test_what_most_hits_cite_is_named_until_somebody_looks_at_it(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.run("cards")
    found = reading_list(desk.state)
    looked_at = {e.paper.id for e in found.entries if e.places}
    counts = {
        e.paper.id: e.row.cited_by
        for e in found.entries
        if e.row.cited_by > 1 and e.paper.id not in looked_at
    }
    assert looked_at
    assert 0 < len(found.missing) <= MISSING
    assert [e.row.cited_by for e in found.missing] == sorted(counts.values())[: -MISSING - 1 : -1]
    assert {e.paper.id for e in found.missing} <= counts.keys()
    first, shown = found.missing[0], desk.session.document("reading")
    assert first.paper.title in str([block for block in shown if isinstance(block, Section)])
    desk.session.decide("avoid", "X", reason="no", paper=first.paper)
    assert first.paper.id not in {e.paper.id for e in reading_list(desk.state).missing}
