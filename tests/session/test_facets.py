"""Facets of ideas: sought one by one, compared one by one, and what an edit of one does to the
literature."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.model.content import ClaimCell, ComparedPaper, IdeaClaim, NoveltyReport
from coi_tui.model.entries import Version
from coi_tui.present.cells import verdict_text
from coi_tui.present.comparisons import compared
from tests.support.desk import Desk, copy_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small", "ideas")


def facet(desk: Desk, name: str, text: str, address: str = "1/idea") -> None:
    """A person writes one facet anew."""
    edits = desk.session.edits
    edits.save(address, edits.part_alone(address, name, text))


def found(desk: Desk, words: str) -> list[str]:
    index = desk.session.search_index(desk.session.rows())
    return [match.address for match in index.find(words)]


def test_words_are_sought_in_one_facet_of_ideas_and_cards(desk: Desk) -> None:
    facet(desk, "mechanism", "A walrus sorts the graph")
    facet(desk, "setting", "A walrus colony", "2/idea")
    desk.session.edits.save("1/0.card", desk.session.edits.part_alone("1/0.card", "move", "Walrus"))
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
    assert [row.paper for row in compared(desk.session.state, 1)] == ["P1", "P0"]
    shown = str(desk.session.document("1/nov"))
    assert "same in 2" in shown
    assert "same in 1, overlaps in 1" in shown
