"""A PDF attached to a paper of a chain: its text is what is read from then on, in this session
alone, and undo takes it back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.errors import UsageError
from coi_tui.session.papers.own_papers import PdfRead, read_pdf
from coi_tui.session.queries.history import log
from tests.support.desk import Desk, copy_of
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


def test_undo_brings_the_earlier_card_back_and_redo_the_later_one(
    desk: Desk, tmp_path: Path
) -> None:
    s = desk.session
    first = s.state.in_use(f"{AT}.card")
    s.decide("attach", AT, pdf(tmp_path).own)
    desk.refresh([f"{AT}.card"])
    second = s.state.in_use(f"{AT}.card")
    assert s.undo().endswith("1/0.card")
    assert s.state.in_use(f"{AT}.card") == first
    assert s.undo() == "attach 1/0"
    assert s.state.in_use(f"{AT}.card") == first
    assert s.freshness(f"{AT}.card").ok
    s.redo()
    s.redo()
    assert s.state.in_use(f"{AT}.card") == second
    assert s.freshness(f"{AT}.card").ok
    line = next(line for line in log(s.state, s.journal.entries) if line.action == "attach")
    assert line.about.startswith("your PDF mine.pdf of ")


def test_it_holds_after_closing_and_another_pdf_takes_its_place(desk: Desk, tmp_path: Path) -> None:
    desk.session.decide("attach", AT, pdf(tmp_path).own)
    desk = desk.reopen()
    s = desk.session
    paper = s.state.papers[str(Chains.of(s.state).slot(AT).paper)]
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


def test_a_failed_reading_is_tried_again_with_the_same_text(desk: Desk, tmp_path: Path) -> None:
    s = desk.session
    s.decide("attach", AT, pdf(tmp_path).own)
    desk.model.say["coi_read"] = lambda _r: "no JSON"
    outcome = desk.refresh([f"{AT}.card"])
    assert outcome.failed
    del desk.model.say["coi_read"]
    assert not desk.refresh([f"{AT}.card"]).failed
    assert desk.content(f"{AT}.card")["source"] == "full text"
    assert sum(c.kind == "text" and c.step == "attach" for c in s.calls.values()) == 1


def test_a_pdf_belongs_to_its_paper_in_every_branch_of_a_fork(desk: Desk, tmp_path: Path) -> None:
    s = desk.session
    number = s.decide("attach", AT, pdf(tmp_path).own).seq
    branch = s.decide("fork", "1/+1").value["branch"]
    assert s.state.value(f"{branch}/0#pdf") is not None
    desk.refresh([f"{AT}.card"])
    s.revert(number)  # asks for no branch
    assert Chains.of(s.state).attached == {}
    assert {s.freshness(f"{b}/0.card").ok for b in (1, branch)} == {True}
