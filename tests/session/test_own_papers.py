"""The researcher's own papers: brought in, found first, filled from the source, and kept apart from the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.literature.imported_library import ImportedLibrary
from coi_tui.literature.source_fallback import CombinedSources
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.session.papers import imported
from coi_tui.session.papers.imported import OwnPapers, bring_in, forget_paper, own_papers
from coi_tui.session.papers.imported_file import read_papers
from tests.support.desk import paths_in
from tests.support.world import MemorySource, make_world

BIB = """@article{a, title={Gates that weigh evidence}, author={Bar, Ann}, year=2021, doi={10.1234/gate}, abstract={A gate weighs evidence for drafts.}}
@article{b, title={Shelves of forgotten claims}, author={Foo, Bo}, year=2020}
"""


def today() -> str:
    return "2026-01-01"


def test_papers_are_brought_in_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(BIB, encoding="utf-8")
    places = paths_in(tmp_path)
    first = bring_in(places, file)
    assert (len(first.new), first.known, first.left_out) == (2, 0, ())
    again = bring_in(places, file)
    assert (len(again.new), again.known) == (0, 2)
    assert [p.title for p in own_papers(places)] == [
        "Gates that weigh evidence",
        "Shelves of forgotten claims",
    ]
    places.library.unlink(missing_ok=True)
    assert len(own_papers(places)) == 2


def test_one_is_taken_out_for_good(tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(BIB, encoding="utf-8")
    places = paths_in(tmp_path)
    bring_in(places, file)
    assert forget_paper(places, "DOI:10.1234/gate").title == "Gates that weigh evidence"
    assert len(own_papers(places)) == 1
    with pytest.raises(UsageError):
        forget_paper(places, "DOI:10.1234/gate")


def test_a_broken_file_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    places = paths_in(tmp_path)
    places.data.mkdir(parents=True)
    places.imported_papers.write_text("{not a paper}\n", encoding="utf-8")
    with pytest.raises(StoreError, match="is not a paper"):
        own_papers(places)
    assert places.imported_papers.read_text(encoding="utf-8") == "{not a paper}\n"


def test_without_own_papers_the_source_stays_what_it_is(tmp_path: Path) -> None:
    source = MemorySource(make_world())
    assert OwnPapers(paths_in(tmp_path), today).before(source) is source


async def test_own_papers_are_read_once_and_again_when_their_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step of a run asks for its source anew; reading a hundred thousand papers for each card took longer than the run."""
    file, more, places, source = (
        tmp_path / "mine.bib",
        tmp_path / "more.bib",
        paths_in(tmp_path),
        MemorySource(make_world()),
    )
    file.write_text(BIB, encoding="utf-8")
    more.write_text(
        "@article{c, title={Drafts weigh gates}, author={Baz, Cy}, year=2022}", encoding="utf-8"
    )
    bring_in(places, file)
    read: list[Path] = []

    def reading(file: Path) -> list[Paper]:
        read.append(file)
        return read_papers(file)

    monkeypatch.setattr(imported, "read_papers", reading)
    own = OwnPapers(places, today)
    for _ in range(3):
        assert [
            p.title for p in (await own.before(source).search("gates weigh evidence", 1)).papers
        ] == ["Gates that weigh evidence"]
    assert len(read) == 1
    bring_in(places, more)
    assert [p.title for p in (await own.before(source).search("drafts weigh gates", 1)).papers] == [
        "Drafts weigh gates"
    ]
    assert len(read) == 2
    places.imported_papers.unlink()
    assert own.before(source) is source


async def test_own_papers_are_found_first_and_lists_are_the_sources() -> None:
    world = make_world()
    some = world.papers[world.middle[0]]
    mine = [
        Paper(
            id="title:x",
            title="Gates that weigh evidence",
            abstract="A gate weighs evidence.",
            source="my library",
        ),
        Paper(
            id=some.id,
            ids={"arXiv": some.id.removeprefix("arXiv:")},
            title=some.title,
            year=some.year,
        ),
    ]
    inner = MemorySource(world)
    both = CombinedSources([ImportedLibrary(mine, today=today), inner], inner)
    found = await both.search("gates weigh evidence", 5)
    assert found.papers[0].title == "Gates that weigh evidence"
    assert len(found.papers) == 5
    assert "my library: 1" in found.note
    (filled, unknown) = await both.papers([some.id, "arXiv:9999.99999"])
    assert filled is not None
    assert filled.abstract == some.abstract
    assert unknown is None
    assert (await both.references(some, 10)).papers == (await inner.references(some, 10)).papers
    assert (await both.match(some.title, some.year)).paper is not None
    assert (await both.text(mine[0])).kind == "abstract"
