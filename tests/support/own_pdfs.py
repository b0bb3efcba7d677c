"""PDFs as a researcher keeps them: a title in large letters, people, a text, and what publishers and preprint servers put around it."""

from __future__ import annotations

from datetime import UTC, datetime

from fpdf import FPDF

from tests.support.pdfs import sentence


def pdf_of(
    title: str,
    text: str = "",
    *,
    stamp: str = "",
    foot: str = "",
    meta: str = "",
    subject: str = "",
    second: str = "",
    caps: bool = False,
    people: str = "Ann Bar and Bo Foo",
    label: str = "",
) -> bytes:
    """``caps``: the title in small capitals, as some venues set it; ``stamp`` stands turned in the margin, ``foot`` in small letters below
    the text, ``second`` on a page of its own, ``label`` in small letters above the title.
    """
    pdf = FPDF()
    pdf.add_page()
    if label:
        pdf.set_font("Times", "", 9)
        pdf.multi_cell(0, 5, label, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Times", "B", 20)
    if caps:
        _small_capitals(pdf, title)
    else:
        pdf.multi_cell(0, 9, title, align="C", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Times", "", 11)
    pdf.multi_cell(0, 5, people, new_x="LMARGIN", new_y="NEXT")
    for n in range(8):
        pdf.multi_cell(
            0,
            5,
            sentence(n, f"Part{n}") + (f" {text}" if n == 3 else ""),
            new_x="LMARGIN",
            new_y="NEXT",
        )
    pdf.set_font("Times", "", 8)
    pdf.multi_cell(0, 4, foot or " ", new_x="LMARGIN", new_y="NEXT")
    if stamp:
        pdf.set_font("Times", "", 26)
        with pdf.rotation(90, 8, 220):
            pdf.text(8, 220, stamp)
    if second:
        pdf.add_page()
        pdf.set_font("Times", "", 11)
        pdf.multi_cell(0, 5, second, new_x="LMARGIN", new_y="NEXT")
    if meta:
        pdf.set_title(meta)
    if subject:
        pdf.set_subject(subject)
    pdf.set_creation_date(
        datetime(2026, 1, 1, tzinfo=UTC)
    )  # else no two files of one text are the same
    return bytes(pdf.output())


def _small_capitals(pdf: FPDF, title: str) -> None:
    """The first letter of each word larger than the others."""
    for line in title.split("\n"):
        for word in line.split(" "):
            pdf.set_font("Times", "", 17)
            pdf.write(9, word[0].upper())
            pdf.set_font("Times", "", 13.5)
            pdf.write(9, word[1:].upper() + " ")
        pdf.ln(9)
