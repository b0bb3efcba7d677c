"""PDFs written with fpdf2: of many makes, as preprint servers and publishers hand them out, with
what goes wrong, and as a researcher has them. Every word is invented."""

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


def marker(n: int) -> str:
    return f"Mark{n:03d}x"


def sentence(n: int, marker: str, length: int = 40) -> str:
    """A running text that begins with its marker."""
    return f"{marker} " + " ".join(WORDS[(n * 7 + i) % len(WORDS)] for i in range(length)) + "."


class Page(FPDF):
    """A page with lines of several sizes. Its date is fixed: else no two files of one text are the
    same."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
        self.set_font("Times", size=10)
        self.add_page()

    def line_of(self, text: str, size: int = 10, style: str = "") -> None:
        self.set_font("Times", style, size)
        self.multi_cell(0, size / 2, text, new_x="LMARGIN", new_y="NEXT")
        self.set_font("Times", size=10)

    def marked(self, count: int, first: int = 0) -> None:
        """So many paragraphs, each with its mark."""
        for n in range(first, first + count):
            self.line_of(sentence(n, marker(n)))

    def made(self, *marks: int, **more: Any) -> Made:
        """The file; ``marks``: those that it has, in this order."""
        return Made(bytes(self.output()), order=tuple(map(marker, marks)), **more)


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


def reference(n: int, style: str, who: str, what: str, year: int) -> str:
    if style == "author-year":
        return f"{who} ({year}). {what}. Journal of Invented Results, {year - 2000}(1), 1-9."
    number = f"[{n}]" if style == "brackets" else f"{n}."
    return f"{number} {who}. {what}. Journal of Invented Results, {year}."


def paper(headings: str = "arabic", refs: str = "brackets", tail: str = "", pages: int = 1) -> Made:
    """One column."""
    pdf, shown, each = Page(), numbered(headings), 3 * pages
    pdf.line_of(TITLE, 16, "B")
    for n, heading in enumerate(shown):
        pdf.line_of(heading, 12, "B")
        pdf.marked(each, n * each)
    pdf.line_of("References", 12, "B")
    for n, parts in enumerate(REFERENCES, 1):
        pdf.line_of(reference(n, refs, *parts))
    if tail:
        pdf.line_of(tail, 12, "B")
        pdf.line_of(sentence(0, "Tailmark"))
    found = (*shown, "References", *([tail] if tail else []))
    return pdf.made(*range(each * len(shown)), headings=found, references=3)


def two_columns() -> Made:
    """Two columns of text under a title over both."""
    pdf = Page()
    pdf.line_of(TITLE, 16, "B")
    top, width, gap = pdf.get_y() + 4, 82.0, 12.0
    for x, first in ((pdf.l_margin, 0), (pdf.l_margin + width + gap, 6)):
        texts = (sentence(n, marker(n)) for n in range(first, first + 6))
        broken = (pdf.multi_cell(width, 5, t, dry_run=True, output="LINES") for t in texts)
        for i, line in enumerate(line for lines in broken for line in cast(list[str], lines)):
            pdf.text(x, top + 5 * i, line)
    return pdf.made(*range(12))


def header_and_footer() -> Made:
    pdf = Page()
    for page in range(3):
        if page:
            pdf.add_page()
        pdf.text(10, 8, "Preprint. Under review.")
        pdf.text(100, 290, str(page + 1))
        pdf.marked(4, page * 4)
    return pdf.made(*range(12))


def lines(*more: str, holds: Sequence[str] = (), landscape: bool = False) -> Made:
    """Four paragraphs, then these lines."""
    pdf = Page(orientation="landscape" if landscape else "portrait")
    pdf.marked(4)
    for line in more:
        pdf.line_of(line)
    return pdf.made(0, 3, holds=tuple(holds))


def ligatures() -> Made:
    """Glyphs fi, fl and ff as one character each, as TeX fonts have them."""
    body = [sentence(n, marker(n), 12) for n in range(8)]
    shown = " ".join(
        f"({line}) Tj 0 -14 Td" for line in [*body, "the \\001rst \\002ow of e\\003ort"]
    )
    content = f"BT /F1 10 Tf 40 780 Td {shown} ET".encode("latin-1")
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi /fl /ff] >> >>"
    kids = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        kids,
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
        font,
    ]
    return Made(raw_pdf(objects), order=(marker(0), marker(7)), holds=("the first flow of effort",))


def raw_pdf(objects: Sequence[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return bytes(out) + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(out))
    )


def encrypted(user: str) -> Made:
    pdf = Page()
    pdf.marked(6)
    rights, method = AccessPermission.all(), EncryptionMethod.RC4
    pdf.set_encryption("owner", user, encryption_method=method, permissions=rights)
    return Made(bytes(pdf.output()), refused="password") if user else pdf.made(0, 5)


def many_pages(pages: int = 500) -> Made:
    pdf = Page()
    for n in range(pages):
        if n:
            pdf.add_page()
        pdf.marked(1, n)
    return pdf.made(0, 100, 399, note="pages were read")


def drawing_only() -> Made:
    pdf = Page()
    pdf.line(10, 10, 200, 20)
    return Made(bytes(pdf.output()), refused="no text")


def whole() -> bytes:
    return paper().data


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
    """A PDF as a researcher has it. ``stamp`` is turned in the margin, ``foot`` in small letters
    below the text, ``label`` in small letters above the title; ``subject`` is in the metadata."""
    pdf = Page()
    if label:
        pdf.line_of(label, 9)
    pdf.line_of(title, 20, "B")
    pdf.line_of(people, 11)
    for n in range(8):
        pdf.line_of(sentence(n, f"Part{n}") + (f" {text}" if n == 3 else ""), 11)
    pdf.line_of(foot or " ", 8)
    if stamp:
        pdf.set_font("Times", "", 26)
        with pdf.rotation(90, 8, 220):
            pdf.text(8, 220, stamp)
    if subject:
        pdf.set_subject(subject)
    return bytes(pdf.output())


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
    "a word divided at the line's end": partial(
        lines,
        "This line ends in a divided exper-",
        "iment that reads on, and well-known stays as it is.",
        holds=("experiment that reads on", "well-known"),
    ),
    "ligatures as single glyphs": ligatures,
    "accents": partial(
        lines, "Müller naïvely read of Ångström.", holds=("Müller", "naïvely", "Ångström")
    ),
    "landscape": partial(lines, landscape=True),
    "encrypted, opens without a password": partial(encrypted, user=""),
    "encrypted, asks for a password": partial(encrypted, user="secret"),
    "five hundred pages": many_pages,
    "drawings without text": drawing_only,
    "cut in the middle": lambda: Made(whole()[: len(whole()) // 2], refused="could not be opened"),
    "noise behind the first bytes": lambda: Made(
        b"%PDF-1.7\n" + bytes(range(256)) * 40, refused="could not be opened"
    ),
    "HTML named .pdf": lambda: Made(b"<!doctype html><html>Sign in</html>", refused="not a PDF"),
    "empty": lambda: Made(b"", refused="not a PDF"),
}
"""Every kind by name, made when it is called for: five hundred pages take a second."""
