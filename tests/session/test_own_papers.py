"""The researcher's own papers: brought in, found first, filled from the source, and kept in
the library."""

from pathlib import Path

import pytest

from coi_tui.literature.ranking import LocalPapers
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.services.sources.imported_library import ImportedLibrary
from coi_tui.services.sources.source_fallback import SourcesInOrder
from coi_tui.session.papers.own_links import OwnLinks
from coi_tui.session.papers.own_papers import import_papers, own_papers
from coi_tui.session.session import Session
from tests.support.desk import ONE, Desk, copy_of, paths_in, version_at
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
    first = import_papers(places, file)
    assert (len(first.new), first.known, first.left_out) == (2, 0, ())
    again = import_papers(places, file)
    assert (len(again.new), again.known) == (0, 2)
    assert [p.title for p in own_papers(places)] == [
        "Gates that weigh evidence",
        "Shelves of forgotten claims",
    ]


@pytest.mark.parametrize("text", ["", "Dear Ann,\nhere is my list.", "@comment{jabref-meta: x}"])
def test_a_list_without_an_entry_says_so(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"mine\.bib has no entry"):
        import_papers(paths_in(tmp_path), file)


def test_damage_is_named_and_nothing_overwrites_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text(BIB, encoding="utf-8")
    places = paths_in(tmp_path)
    import_papers(places, file)
    places.own_papers.write_bytes(damaged := places.own_papers.read_bytes()[:-20])
    for work in (lambda: own_papers(places), lambda: import_papers(places, file)):
        with pytest.raises(StoreError):
            work()
    assert places.own_papers.read_bytes() == damaged


async def test_own_papers_are_found_first_and_lists_are_the_sources(tmp_path: Path) -> None:
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
    both = SourcesInOrder(
        [inner],
        ImportedLibrary(LocalPapers(mine), OwnLinks(paths_in(tmp_path), mine).listed, today=today),
    )
    found = await both.search("gates weigh evidence", 5)
    assert found.papers[0].title == "Gates that weigh evidence"
    assert len(found.papers) == 5
    assert "my library: 1" in found.note
    (filled, unknown) = await both.papers([some.id, "arXiv:9999.99999"])
    assert filled is not None
    assert filled.abstract == some.abstract
    assert unknown is None
    assert (await both.references(some, 10)).papers == (await inner.references(some, 10)).papers
    assert await both.match(some.title, some.year) is not None
    assert (await both.text(mine[0])).kind == "abstract"


SECOND = Paper(id="S2:second", title="A second paper", year=2022)
OWN = Paper(id="S2:own", title="Asking costs less than guessing", year=2023, abstract="We ask.")


def made(folder: Path, stage: str) -> Session:
    desk = Desk.new(folder, ONE)
    desk.finish(desk.planner.to_stage(stage))
    return desk.session


def papers(session: Session, address: str, field: str) -> list[str]:
    version = version_at(session, address)
    return [row["paper"] for row in version.content[field]]


@pytest.mark.parametrize(
    ("address", "field", "stage"),
    [("reading", "entries", "anchors"), ("1/rivals", "works", "rivals")],
)
def test_a_paper_is_added_first_and_taken_out_and_undone(
    tmp_path: Path, address: str, field: str, stage: str
) -> None:
    session = made(tmp_path, stage)
    before = papers(session, address, field)
    assert OWN.id not in before
    session.edits.add_paper(address, OWN)
    assert papers(session, address, field) == [OWN.id, *before]
    assert session.state.papers[OWN.id].title == OWN.title
    assert any(row.paper == OWN.id for row in session.listing(address).rows)  # type: ignore[union-attr]
    session.edits.add_paper(address, SECOND)
    session.edits.change_row(address, OWN.id, "reject")
    assert papers(session, address, field) == [SECOND.id, *before]
    session.undo()
    assert papers(session, address, field) == [SECOND.id, OWN.id, *before]
    session.undo()
    session.undo()
    assert papers(session, address, field) == before


def test_a_paper_of_the_list_can_be_put_first_and_keeps_its_reasons(tmp_path: Path) -> None:
    session = made(tmp_path, "anchors")
    before = papers(session, "reading", "entries")
    session.edits.change_row("reading", before[3], "pin")
    entries = session.reading_list().entries
    assert [e.paper.id for e in entries] == [before[3], *before[:3], *before[4:]]
    assert [e.rank for e in entries] == list(range(1, len(before) + 1))
    assert session.edits.row_change("reading", before[3], "pin") is None, "it is first already"
    assert entries[0].row.ranks


def test_before_a_rival_is_added_it_is_said_what_reads_it_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    session = copy_of(tmp_path, "full", "ideas").session
    seq = session.state.seq
    ahead = session.preview("1/rivals", OWN)
    assert not ahead.problem
    assert "1/idea" in ahead.changes.sentence() or "1/sketch" in ahead.changes.sentence()
    assert session.state.seq == seq
    assert OWN.id not in session.state.papers
    session.edits.add_paper("1/rivals", OWN)
    assert session.freshness("1/idea").status in ("stale", "upstream")
    assert session.verify() == []
