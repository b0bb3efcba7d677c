"""What a text names and no paper of the session is, is told beside the text, and by the export."""

import json
from pathlib import Path

from tests.support.desk import copy_of
from tests.support.world import MemorySource, make_world

WORLD = make_world()
GONE = "A Grammar of Forgotten Kettles"


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
    desk.edits.save("1/idea", f"## final\n{text}\n")
    parts = dict(desk.session.detail("1/idea").parts)
    lines = next(said for head, said in parts.items() if head.startswith("Unverified")).splitlines()
    assert [line[2:].partition("”")[0][1:] for line in lines] == [named[1][0], GONE, never]
    assert other.title in lines[0]
    assert "2026-01-01" in lines[1]
    assert len({line.partition("”")[2] for line in lines}) == 3
    desk.session.decide("pick", "1/idea")
    made = json.loads(desk.session.exports.text("json"))
    assert list(made["unverified"]) == [named[1][0], GONE, never]
