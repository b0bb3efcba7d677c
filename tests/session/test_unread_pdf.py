"""A PDF that came into the library after a card was made: offered on the rows of its paper, and
nothing becomes stale by it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.model.papers import Paper
from coi_tui.session.papers.imported import ImportedPdfTexts, OwnPdf, drop_text, keep_text
from coi_tui.session.papers.imported_pdfs import read_pdf
from tests.support.desk import Desk, copy_of
from tests.support.own_pdfs import pdf_of

NONCE = "zyxwvutsrq"
ROWS = ("1/0", "1/0.card")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = copy_of(tmp_path)
    made.own = ImportedPdfTexts(made.session.core.paths)
    return made


def paper(desk: Desk) -> Paper:
    return desk.session.state.papers[str(desk.session.state.slot("1/0").paper)]


def arrives(desk: Desk, pdf: str = "hash", file: str = "mine.pdf") -> None:
    keep_text(desk.session.core.paths, paper(desk), OwnPdf(file, pdf, f"{NONCE} {file}"))


def told(desk: Desk, address: str) -> list[str]:
    return [
        text
        for heading, text in desk.session.queries.detail(address).parts
        if heading == "YOUR PDF"
    ]


def test_it_is_offered_on_the_rows_of_its_paper_and_nothing_becomes_stale(desk: Desk) -> None:
    before = desk.marks()
    assert [told(desk, row) for row in ROWS] == [[], []]
    arrives(desk)
    said = (
        "mine.pdf, in your library: the card was read without it. Refresh the card (r) to read it."
    )
    assert [told(desk, row) for row in ROWS] == [[said], [said]]
    assert desk.marks() == before
    assert not any(told(desk, row) for row in ("2/0", "2/0.card", "1/dir", "1", "topic"))
    headings = [heading for heading, _ in desk.session.queries.detail("1/0").parts]
    assert headings.index("YOUR PDF") == headings.index("CARD") - 1
    assert [heading for heading, _ in desk.session.queries.detail("1/0.card").parts][:2] == [
        "READ FROM",
        "YOUR PDF",
    ]


def test_a_refresh_reads_it_and_the_offer_goes_until_another_pdf_comes(desk: Desk) -> None:
    arrives(desk)
    assert not desk.refresh(["1/0.card"], again=True).failed
    assert desk.content("1/0.card")["note"].startswith("from your PDF mine.pdf")
    assert [told(desk, row) for row in ROWS] == [[], []]
    arrives(desk, "another hash", "better.pdf")
    assert told(desk, "1/0")[0].startswith("better.pdf, in your library")
    drop_text(desk.session.core.paths, paper(desk))
    assert told(desk, "1/0") == []


def test_it_holds_after_the_session_was_closed(desk: Desk) -> None:
    arrives(desk)
    desk.refresh(["1/0.card"], again=True)
    again = desk.reopen()
    keep_text(again.session.core.paths, paper(again), OwnPdf("mine.pdf", "hash", NONCE))
    assert told(again, "1/0") == []
    keep_text(again.session.core.paths, paper(again), OwnPdf("new.pdf", "new", NONCE))
    assert told(again, "1/0.card") != []


def test_none_is_offered_where_one_is_attached_or_the_card_is_ones_own_or_missing(
    desk: Desk,
) -> None:
    arrives(desk)
    s = desk.session
    s.decisions.attach(
        "1/0", asyncio.run(read_pdf("attached.pdf", pdf_of(paper(desk).title, NONCE)))
    )
    assert told(desk, "1/0") == [
        "attached.pdf, attached to this paper; the card was read without it: refresh the card"
    ]
    assert told(desk, "1/0.card") == []
    s.undo_stack.undo()
    assert told(desk, "1/0.card") != []
    s.edits.save(
        "1/0.card", s.edits.text_of("1/0.card").replace("## limitation\n", "## limitation\nMine. ")
    )
    assert [told(desk, row) for row in ROWS] == [[], []]


def test_none_is_offered_before_there_is_a_card(tmp_path: Path) -> None:
    made = copy_of(tmp_path, until="anchors")
    assert made.session.state.in_use("1/0.card") is None
    arrives(made)
    assert [told(made, row) for row in ROWS] == [[], []]
