"""PDFs as a researcher keeps them: a title in large letters, people, a text, and what publishers
and preprint servers put around it."""

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
    subject: str = "",
    people: str = "Ann Bar and Bo Foo",
    label: str = "",
) -> bytes:
    """``stamp`` stands turned in the margin, ``foot`` in small letters below the text, ``label`` in
    small letters above the title; ``subject`` is in the metadata.
    """
    pdf = FPDF()
    pdf.add_page()
    if label:
        pdf.set_font("Times", "", 9)
        pdf.multi_cell(0, 5, label, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Times", "B", 20)
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
    if subject:
        pdf.set_subject(subject)
    pdf.set_creation_date(
        datetime(2026, 1, 1, tzinfo=UTC)
    )  # else no two files of one text are the same
    return bytes(pdf.output())
