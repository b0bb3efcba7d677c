"""What a text names and no paper of the session is, is told beside the text, and by the export."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.desk import copy_of
from tests.support.world import MemorySource, make_world

WORLD = make_world()
GONE = "A Grammar of Forgotten Kettles"
INVENTED = "It goes beyond Quandry et al. (2019) and “Sparse Memory for Adaptive Planning”."


def test_an_invented_citation_is_marked_in_the_detail_and_in_the_export(tmp_path: Path) -> None:
    session = copy_of(tmp_path).session
    address = f"{session.state.ideas()[0]}/idea"
    before = dict(session.detail(address).parts)
    assert not any(head.startswith("Unverified") for head in before)
    own = next(p for p in session.state.papers.values() if p.authors and p.year)
    text = f"{INVENTED} It builds on “{own.title}”."
    session.edits.save(address, f"## final\n{text}\n")
    marked = next(
        said for head, said in session.detail(address).parts if head.startswith("Unverified")
    )
    title, citation = marked.splitlines()
    assert title.startswith("- “Sparse Memory for Adaptive Planning”")
    assert citation == "- Quandry et al. (2019)"
    session.decide("pick", address)
    data = json.loads(session.exports.text("json"))
    assert data["unverified"] == {
        "Sparse Memory for Adaptive Planning": [address],
        "Quandry et al. (2019)": [address],
    }


def test_a_title_that_was_looked_up_is_told_by_what_came_of_it(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "directions")
    kept, other = (WORLD.papers[p] for p in WORLD.middle[:2])
    words = other.title.split()
    named = [(kept.title, kept.year), (" ".join([*words[1:], words[0]]), other.year), (GONE, 2019)]
    works = [{"title": title, "year": year, "same": "", "left": ""} for title, year in named]
    desk.model.say["coi_rivals"] = lambda _: {"works": works, "phrases": ["near phrase"]}
    desk.source = MemorySource(WORLD, finds=lambda _: [other.id])
    desk.run()
    never = "Sparse Memory for Adaptive Planning"
    text = " ".join(f"It follows “{title}”." for title, _ in [*named, (never, None)])
    desk.session.edits.save("1/idea", f"## final\n{text}\n")
    parts = dict(desk.session.detail("1/idea").parts)
    lines = next(said for head, said in parts.items() if head.startswith("Unverified")).splitlines()
    assert [line[2:].partition("”")[0][1:] for line in lines] == [named[1][0], GONE, never]
    assert other.title in lines[0]
    assert "2026-01-01" in lines[1]
    assert len({line.partition("”")[2] for line in lines}) == 3
    desk.session.decide("pick", "1/idea")
    made = json.loads(desk.session.exports.text("json"))
    assert list(made["unverified"]) == [named[1][0], GONE, never]
