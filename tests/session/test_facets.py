"""Facets of ideas: sought one by one, compared one by one, and what an edit of one does to the
literature."""

from pathlib import Path

import pytest

from coi_tui.methods.ideas.literature import moved
from coi_tui.model.content import (
    ClaimCell,
    ComparedPaper,
    IdeaClaim,
    LiteratureContent,
    NoveltyReport,
)
from coi_tui.model.document import Table
from coi_tui.model.entries import Version
from coi_tui.model.papers import Paper
from coi_tui.present.cells import verdict_text
from coi_tui.present.comparisons import compared
from tests.support.desk import Desk, copy_of, stale


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small", "ideas")


def facet(desk: Desk, name: str, text: str, address: str = "1/idea") -> None:
    """A person writes one facet anew."""
    edits = desk.edits
    edits.save(address, edits.part_alone(address, name, text))


def found(desk: Desk, words: str) -> list[str]:
    index = desk.session.search_index(desk.session.rows())
    return [match.address for match in index.find(words)]


def test_words_are_sought_in_one_facet_of_ideas_and_cards(desk: Desk) -> None:
    facet(desk, "mechanism", "A walrus sorts the graph")
    facet(desk, "setting", "A walrus colony", "2/idea")
    desk.edits.save("1/0.card", desk.edits.part_alone("1/0.card", "move", "Walrus"))
    assert set(found(desk, "walrus")) == {"1/idea", "2/idea", "1/0.card"}
    assert set(found(desk, "mechanism: walrus")) == {"1/idea", "1/0.card"}
    assert found(desk, "Setting:  WALRUS") == ["2/idea"]
    assert found(desk, "evaluation: walrus") == []
    assert found(desk, "no such part: walrus") == []


def report(*rows: tuple[str, str]) -> NoveltyReport:
    """A report on an idea of two claims; ``rows``: what each paper says of them."""
    papers = [
        ComparedPaper(
            paper=f"P{n}",
            verdict="close match" if row[0] == "same" else "partial",
            cells=[ClaimCell(claim=m, judgement=one) for m, one in enumerate(row, 1)],
        )
        for n, row in enumerate(rows)
    ]
    claims = [IdeaClaim(kind=kind, text=kind) for kind in ("mechanism", "setting")]
    return NoveltyReport(verdict="close match", claims=claims, papers=papers)


def test_a_paper_maps_one_to_one_where_it_has_every_facet() -> None:
    rows = report(("same", "overlaps"), ("same", "same"), ("no passage found", "same")).papers
    assert [row.one_to_one for row in rows] == [False, True, False]
    assert not ComparedPaper(paper="P").one_to_one, "nothing was compared"


def test_the_dossier_puts_it_first_and_counts_it(desk: Desk) -> None:
    without = report(("same", "overlaps"), ("same", "overlaps"))
    within = report(("same", "overlaps"), ("same", "same"))
    assert verdict_text(without) != verdict_text(within)
    content = within.model_dump()
    made = Version(actor="coi", address="1/nov", content=content, meanings={}, origin="model")
    desk.session.journal.write([made])
    assert [row.paper for row in compared(desk.state, 1)] == ["P1", "P0"]
    shown = str(desk.session.document("1/nov"))
    assert "same in 2" in shown
    assert "same in 1, overlaps in 1" in shown


# -- the literature follows the idea

LIT = "1/lit"


def papers(**abstracts: str) -> list[Paper]:
    return [Paper(id=name, title=name, abstract=text) for name, text in abstracts.items()]


def test_papers_leave_and_come_by_what_the_idea_says_now() -> None:
    known = papers(
        old="graph layout by force", kept="drawing of a graph", new="walrus colony", far="x y z"
    )
    was, now = "force layout for drawing a graph", "walrus colony for drawing a graph"
    assert moved(known, {"old", "kept"}, was, now, 2) == (["old"], ["new"])
    assert moved(known, {"old", "kept"}, was, was, 2) == ([], [])
    assert moved(known, {"kept", "new"}, was, now, 2) == ([], [])


def rows(desk: Desk) -> list[str]:
    return [row.address for row in desk.session.rows()]


def test_an_edited_facet_gives_one_stale_row_and_undo_takes_it_away(desk: Desk) -> None:
    before, session = rows(desk), desk.session
    stale_before = stale(desk)
    part = session.edits.part_alone("1/idea", "mechanism", "A walrus sorts the graph")
    assert LIT in session.edits.effect("1/idea", part).stale
    facet(desk, "mechanism", "A walrus sorts the graph")
    assert sorted(set(rows(desk)) - set(before)) == [LIT]
    assert stale(desk) - stale_before == {LIT}
    assert rows(desk).index(LIT) > rows(desk).index("1/idea")
    assert session.detail(LIT).parts
    assert not desk.session.readers(LIT), "nothing follows it"
    session.undo()
    assert rows(desk) == before
    assert stale(desk) == stale_before
    session.redo()
    assert stale(desk) - stale_before == {LIT}


@pytest.mark.parametrize("name", ["title", "summary", "final", "works"])
def test_other_parts_of_an_idea_do_not_move_it(desk: Desk, name: str) -> None:
    facet(desk, name, "- Another")
    assert LIT not in rows(desk)


def test_a_refresh_searches_once_for_each_changed_facet_and_asks_no_model(desk: Desk) -> None:
    facet(desk, "mechanism", "A walrus sorts the graph")
    facet(desk, "setting", "On ice")
    session = desk.session
    plan = session.planner.to_refresh([LIT])
    assert (plan.calls, plan.on[0].cost.searches) == ((0, 0), (2, 4))
    asked = len(desk.model.requests)
    assert desk.refresh([LIT]).state == "done", session.failed
    assert len(desk.model.requests) == asked
    held = session.state.read(LIT, LiteratureContent)
    assert held is not None
    assert len(held.searches) == 2
    assert "walrus" in held.searches[0].query
    assert session.freshness(LIT).ok
    assert LIT in rows(desk)
    assert {row.paper for row in held.works} <= set(session.state.papers)
    assert session.listing(LIT) is not None
    assert desk.refresh([LIT], again=True).state == "done", session.failed
    again = session.state.read(LIT, LiteratureContent)
    assert again is not None
    assert len(again.searches) == 4, "the same idea is searched for facet by facet"
    facet(desk, "mechanism", "Another way")
    assert LIT in stale(desk)
    session.undo()
    assert LIT not in stale(desk)


def test_papers_that_moved_by_an_edit_stand_in_its_table(desk: Desk) -> None:
    papers = desk.state.papers
    near = [paper.abstract or "" for paper in papers.values()][-3:]
    facet(desk, "mechanism", " ".join(near))
    table = desk.session.listing(LIT)
    assert isinstance(table, Table)
    assert table.rows
    assert all(row.cells[-1] == papers[row.paper].title for row in table.rows)


def test_a_search_that_fails_leaves_the_row_stale(desk: Desk) -> None:
    facet(desk, "mechanism", "A walrus sorts the graph")
    desk.source.fails = lambda _: True
    assert desk.refresh([LIT]).state != "done" or desk.session.failed
    assert LIT in stale(desk)
