"""PDFs of many makes, written with fpdf2: what preprint servers and publishers hand out, and what
goes wrong.

Every word is invented."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from fpdf import FPDF
from fpdf.enums import AccessPermission, EncryptionMethod

TEXT = (
    "the model reads each card in turn and weighs what it finds against the earlier claim before a new idea is formed so that weak "
    "steps drop out early while sound ones gather support from later evidence and the plan stays short enough to be carried out"
)
WORDS = TEXT.split()
TITLE = "On the Growth of Invented Chains"
HEADINGS = ("Abstract", "Introduction", "Related Work", "Method", "Experiments", "Conclusion")
REFERENCES = (
    ("A. Bar and B. Foo", "Chains that nobody pulled", 2019),
    ("C. Baz", "A survey of empty shelves", 2020),
    ("D. Qux, E. Quux, and F. Corge", "Growing trees from single leaves", 2021),
)


@dataclass(frozen=True)
class Made:
    """A file and what reading it should find. ``refused``: a piece of the reason why there is no
    text; else the rest holds."""

    data: bytes
    refused: str = ""
    order: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    references: int = 0
    holds: tuple[str, ...] = ()
    note: str = ""


def sentence(n: int, marker: str, length: int = 40) -> str:
    """A running text that begins with its marker."""
    return f"{marker} " + " ".join(WORDS[(n * 7 + i) % len(WORDS)] for i in range(length)) + "."


def marker(n: int) -> str:
    return f"Mark{n:03d}x"


def lines_of(pdf: FPDF, text: str, width: float) -> list[str]:
    """The text broken to a width in millimetres, as the page would break it."""
    return cast(list[str], pdf.multi_cell(width, 5, text, dry_run=True, output="LINES"))


class Page(FPDF):
    """A page with headings in bold and references at the end."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
        self.set_font("Times", size=10)
        self.add_page()

    def title_line(self) -> None:
        self.set_font("Times", "B", 16)
        self.multi_cell(0, 8, TITLE, new_x="LMARGIN", new_y="NEXT")
        self.set_font("Times", size=10)

    def heading(self, text: str) -> None:
        self.set_font("Times", "B", 12)
        self.multi_cell(0, 7, text, new_x="LMARGIN", new_y="NEXT")
        self.set_font("Times", size=10)

    def running(self, text: str) -> None:
        self.multi_cell(0, 5, text, new_x="LMARGIN", new_y="NEXT")


def numbered(style: str) -> tuple[str, ...]:
    """The headings after the abstract in one style of numbering."""
    roman = ("I", "II", "III", "IV", "V")
    shapes: dict[str, Callable[[int, str], str]] = {
        "plain": lambda n, h: h,
        "arabic": lambda n, h: f"{n} {h}",
        "dotted": lambda n, h: f"{n}. {h}",
        "roman": lambda n, h: f"{roman[n - 1]}. {h.upper()}",
        "upper": lambda n, h: h.upper(),
    }
    return ("Abstract", *(shapes[style](n, h) for n, h in enumerate(HEADINGS[1:], start=1)))


def reference_lines(style: str) -> list[str]:
    if style == "brackets":
        return [
            f"[{n}] {who}. {what}. Journal of Invented Results, {year}."
            for n, (who, what, year) in enumerate(REFERENCES, 1)
        ]
    if style == "numbers":
        return [
            f"{n}. {who}. {what}. Journal of Invented Results, {year}."
            for n, (who, what, year) in enumerate(REFERENCES, 1)
        ]
    return [
        f"{who} ({year}). {what}. Journal of Invented Results, {year - 2000}(1), 1-9."
        for who, what, year in REFERENCES
    ]


def paper(headings: str = "arabic", refs: str = "brackets", tail: str = "", pages: int = 1) -> Made:
    """One column."""
    pdf, shown, n = Page(), numbered(headings), 0
    pdf.title_line()
    for heading in shown:
        pdf.heading(heading)
        for _ in range(3 * pages):
            pdf.running(sentence(n, marker(n)))
            n += 1
    pdf.heading("References" if refs != "upper" else "REFERENCES")
    for line in reference_lines(refs):
        pdf.running(line)
    if tail:
        pdf.heading(tail)
        pdf.running(sentence(n, "Tailmark"))
    order = tuple(marker(i) for i in range(n))
    return Made(
        bytes(pdf.output()),
        order=order,
        headings=(*shown, "References", *([tail] if tail else [])),
        references=3,
    )


def two_columns() -> Made:
    """Two columns of text under a title over both."""
    pdf = Page()
    pdf.title_line()
    top, width, gap = pdf.get_y() + 4, 82.0, 12.0
    left, right = pdf.l_margin, pdf.l_margin + width + gap
    texts = [sentence(n, marker(n)) for n in range(12)]
    columns = [
        [line for t in texts[:6] for line in lines_of(pdf, t, width)],
        [line for t in texts[6:] for line in lines_of(pdf, t, width)],
    ]
    put: list[tuple[float, float, str]] = []
    for x, lines in zip((left, right), columns, strict=True):
        put += [(x, top + 5 * i, line) for i, line in enumerate(lines)]
    for x, y, line in put:
        pdf.text(x, y, line)
    return Made(bytes(pdf.output()), order=tuple(marker(i) for i in range(12)))


def header_and_footer() -> Made:
    pdf = Page()
    for page in range(3):
        if page:
            pdf.add_page()
        pdf.text(10, 8, "Preprint. Under review.")
        pdf.text(100, 290, str(page + 1))
        for n in range(4):
            pdf.running(sentence(n, marker(page * 4 + n)))
    return Made(bytes(pdf.output()), order=tuple(marker(i) for i in range(12)))


def hyphenated() -> Made:
    pdf = Page()
    for n in range(4):
        pdf.running(sentence(n, marker(n)))
    pdf.running("This line ends in a divided exper-")
    pdf.running("iment that reads on, and well-known stays as it is.")
    return Made(
        bytes(pdf.output()),
        holds=("experiment that reads on", "well-known"),
        order=(marker(0), marker(3)),
    )


def ligatures() -> Made:
    """Glyphs fi, fl and ff as one character each, as TeX fonts have them."""
    body = [sentence(n, marker(n), 12) for n in range(8)]
    shown = " ".join(
        f"({line}) Tj 0 -14 Td" for line in [*body, "the \\001rst \\002ow of e\\003ort"]
    )
    content = f"BT /F1 10 Tf 40 780 Td {shown} ET".encode("latin-1")
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi /fl /ff] >> >>"
    kids = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    stream = (
        b"<< /Length " + str(len(content)).encode() + b" >>\nstream\n" + content + b"\nendstream"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        kids,
        stream,
        font,
    ]
    return Made(raw_pdf(objects), order=(marker(0), marker(7)), holds=("the first flow of effort",))


def raw_pdf(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(
        f"{p:010d} 00000 n \n".encode() for p in places
    )
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return bytes(out)


def accents() -> Made:
    pdf = Page()
    for n in range(4):
        pdf.running(sentence(n, marker(n)))
    pdf.running("Müller and Señor naïvely read the résumé of Ångström.")
    return Made(
        bytes(pdf.output()),
        holds=("Müller", "naïvely", "Ångström"),
        order=(marker(0), marker(3)),
    )


def encrypted(user: str) -> Made:
    pdf = Page()
    for n in range(6):
        pdf.running(sentence(n, marker(n)))
    everything = AccessPermission.all()
    pdf.set_encryption(
        "owner", user, encryption_method=EncryptionMethod.RC4, permissions=everything
    )
    data = bytes(pdf.output())
    return Made(data, refused="password") if user else Made(data, order=(marker(0), marker(5)))


def many_pages(pages: int = 500) -> Made:
    pdf = Page()
    for n in range(pages):
        if n:
            pdf.add_page()
        pdf.running(sentence(n, marker(n)))
    return Made(
        bytes(pdf.output()),
        order=(marker(0), marker(100), marker(399)),
        note="pages were read",
    )


def drawing_only() -> Made:
    pdf = Page()
    for n in range(40):
        pdf.line(10, 10 + n * 5, 200, 20 + n * 5)
    return Made(bytes(pdf.output()), refused="no text")


def rotated() -> Made:
    pdf = Page(orientation="landscape")
    for n in range(6):
        pdf.running(sentence(n, marker(n)))
    return Made(bytes(pdf.output()), order=(marker(0), marker(5)))


def whole() -> bytes:
    return paper().data


def _refused(data: bytes, why: str) -> Callable[[], Made]:
    return lambda: Made(data, refused=why)


MAKES: dict[str, Callable[[], Made]] = {
    "one column, arabic headings, [n] references": paper,
    "one column, dotted headings, n. references": partial(paper, headings="dotted", refs="numbers"),
    "one column, roman headings": partial(paper, headings="roman"),
    "one column, plain headings, author-year references": partial(
        paper, headings="plain", refs="author-year"
    ),
    "one column, capital headings": partial(paper, headings="upper"),
    "an appendix after the references": partial(paper, tail="A Prompts"),
    "several pages": partial(paper, pages=6),
    "two columns": two_columns,
    "page headers and numbers": header_and_footer,
    "a word divided at the line's end": hyphenated,
    "ligatures as single glyphs": ligatures,
    "accents": accents,
    "landscape": rotated,
    "encrypted, opens without a password": partial(encrypted, user=""),
    "encrypted, asks for a password": partial(encrypted, user="secret"),
    "five hundred pages": many_pages,
    "drawings without text": drawing_only,
    "cut in the middle": lambda: Made(
        (good := whole())[: len(good) // 2], refused="could not be opened"
    ),
    "noise behind the first bytes": _refused(
        b"%PDF-1.7\n" + bytes(range(256)) * 40, "could not be opened"
    ),
    "HTML named .pdf": _refused(
        b"<!doctype html><html><body>Sign in to read</body></html>", "not a PDF"
    ),
    "empty": _refused(b"", "not a PDF"),
}
"""Every kind by name, made when it is called for: five hundred pages take a second."""


def make(name: str) -> Made:
    """The PDF of that kind."""
    return MAKES[name]()
