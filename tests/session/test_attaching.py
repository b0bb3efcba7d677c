"""A PDF attached to a paper of a chain: its text is what is read from then on, in this session
alone, and undo takes it back."""

import asyncio
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.session.papers.own_papers import PdfRead, read_pdf
from tests.support.desk import Desk, chains, copy_of
from tests.support.pdfs import pdf_of

NONCE = "zyxwvutsrq"
AT = "1/0"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path)


def pdf(
    folder: Path, title: str = "Any title at all", name: str = "mine.pdf", text: str = NONCE
) -> PdfRead:
    (folder / name).write_bytes(pdf_of(title, text))
    return asyncio.run(read_pdf(folder / name))


def test_the_card_becomes_stale_and_a_refresh_reads_the_pdf_alone(
    desk: Desk, tmp_path: Path
) -> None:
    s = desk.session
    before = desk.content(f"{AT}.card")
    s.decide("attach", AT, pdf(tmp_path).own)
    stale = s.freshness(f"{AT}.card")
    assert (stale.status, stale.changed) == ("stale", ("1/0#pdf",))
    assert (
        "Stale because you attached your PDF mine.pdf to 1/0: this was read without it."
        in s.why(f"{AT}.card")
    )
    assert s.freshness("2/0.card").ok, "another paper's card reads another text"
    plan = s.planner.to_refresh([f"{AT}.card"])
    assert [(line.address, line.why) for line in plan.lines] == [
        (f"{AT}.card", "changed: your PDF of 1/0")
    ]
    desk.refresh([f"{AT}.card"])
    after = desk.content(f"{AT}.card")
    assert (before["source"], after["source"]) == ("abstract", "full text")
    assert after["note"] == "from your PDF mine.pdf"
    assert s.freshness(f"{AT}.card").ok
    (sent,) = [r for r in desk.model.requests if NONCE in r.user]
    assert sent.prompt == "coi_read"


def test_it_holds_after_closing_and_another_pdf_takes_its_place(desk: Desk, tmp_path: Path) -> None:
    desk.session.decide("attach", AT, pdf(tmp_path).own)
    desk = desk.reopen()
    s = desk.session
    paper = s.state.papers[str(chains(s).slot(AT).paper)]
    text = s.papers.read(paper)
    assert (text.kind, text.note) == ("full text", "your PDF mine.pdf")
    assert NONCE in text.text
    with pytest.raises(UsageError, match="already attached to 1/0"):
        s.decide("attach", AT, pdf(tmp_path).own)
    s.decide("attach", AT, pdf(tmp_path, name="better.pdf", text="otherwords").own)
    assert s.papers.read(paper).note == "your PDF better.pdf"
    desk.refresh([f"{AT}.card"])
    assert "better.pdf" in desk.content(f"{AT}.card")["note"]
    s.undo()
    s.undo()
    assert s.papers.read(paper).note == "your PDF mine.pdf"
    assert not s.freshness(f"{AT}.card").ok
