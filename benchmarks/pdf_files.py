"""A folder of PDFs as researchers keep them: of papers that a source knows, of some that it does not, and of what is no paper to read.

Written with fpdf2 from the invented literature of the stand-ins; which paper each file is, is known.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from fpdf import FPDF
from fpdf.enums import AccessPermission, EncryptionMethod

from benchmarks.standins.corpus import Corpus, Paper
from benchmarks.standins.pdf import full_text

WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Made:
    """A file. ``truth``: the paper that it is; None where no source knows it, or it is none. ``title``: what its page one bears."""

    kind: str
    name: str
    data: bytes
    truth: Paper | None = None
    title: str = ""
    readable: bool = True


@dataclass(frozen=True)
class Look:
    """How a paper is set.

    ``title`` and ``subtitle`` may hold line ends; ``above`` and ``foot`` stand in small letters, ``stamp`` in the margin.
    """

    title: str
    people: str
    body: Sequence[str]
    subtitle: str = ""
    above: str = ""
    foot: str = ""
    stamp: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    columns: int = 1
    small_capitals: bool = False
    title_size: float = 18
    references: Sequence[str] = ()


def look_of(corpus: Corpus, paper: Paper) -> Look:
    """A paper as a plain page."""
    parts = [part for part in full_text(corpus, paper).split("\n\n") if part][2:14]
    return Look(paper.title, ", ".join(paper.authors), parts)


def pdf_of(look: Look) -> bytes:
    """The look as a file of a page or two."""
    pdf = FPDF()
    pdf.set_creation_date(WRITTEN)
    pdf.add_page()
    _block(pdf, look.above, 8)
    if look.small_capitals:
        _capitals(pdf, look.title, look.title_size)
    else:
        _block(pdf, look.title, look.title_size, "B")
    _block(pdf, look.subtitle, look.title_size - 5)
    _block(pdf, look.people, 11)
    if look.columns == 2:
        _columns(pdf, look.body)
    else:
        for part in look.body[:8]:
            _block(pdf, part, 10)
    _block(pdf, "References" if look.references else "", 12, "B")
    for line in look.references:
        _block(pdf, line, 9)
    _foot(pdf, look)
    for name, value in look.meta.items():
        {
            "title": pdf.set_title,
            "subject": pdf.set_subject,
            "author": pdf.set_author,
            "keywords": pdf.set_keywords,
        }[name](value)
    return bytes(pdf.output())


def _block(pdf: FPDF, text: str, size: float, style: str = "") -> None:
    if text:
        pdf.set_font("Times", style, size)
        pdf.multi_cell(
            0,
            size / 2,
            text.encode("latin-1", "replace").decode("latin-1"),
            new_x="LMARGIN",
            new_y="NEXT",
        )


def _capitals(pdf: FPDF, title: str, size: float) -> None:
    """Small capitals: the first letter of each word larger."""
    for line in title.split("\n"):
        for word in line.split(" "):
            pdf.set_font("Times", "", size)
            pdf.write(9, word[:1].upper())
            pdf.set_font("Times", "", size - 3.5)
            pdf.write(9, word[1:].upper() + " ")
        pdf.ln(9)


def _columns(pdf: FPDF, body: Sequence[str]) -> None:
    """Two columns whose lines are written row by row, as some programs do."""
    lines = [line for part in body for line in textwrap.wrap(part.replace("\n", " "), 48)]
    pdf.set_font("Times", "", 9)
    top = pdf.get_y() + 3
    rows = min(48, len(lines) // 2, int((270 - top) // 4.5))
    for n in range(rows):
        for x, line in ((10, lines[n]), (110, lines[rows + n])):
            pdf.text(x, top + 4.5 * n, line.encode("latin-1", "replace").decode("latin-1"))
    pdf.set_y(min(265, top + 4.5 * rows))


def _foot(pdf: FPDF, look: Look) -> None:
    """What stands in the foot and in the margin of page one."""
    last, pdf.page = pdf.page, 1
    pdf.set_font("Times", "", 8)
    for n, line in enumerate(look.foot.split("\n")):
        pdf.text(10, 284 + 3.5 * n, line.encode("latin-1", "replace").decode("latin-1"))
    if look.stamp:
        pdf.set_font("Times", "", 22)
        with pdf.rotation(90, 7, 220):
            pdf.text(7, 220, look.stamp)
    pdf.page = last


# Kinds


Kind = Callable[[random.Random, Corpus, Paper, Paper], Sequence[Made]]
"""Makes files of a paper; the second paper is another one of the literature."""


def _one(kind: str, name: str, look: Look, truth: Paper | None) -> list[Made]:
    return [
        Made(kind, name, pdf_of(look), truth, " ".join(f"{look.title} {look.subtitle}".split()))
    ]


def with_doi(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """The DOI in the foot, the head or the metadata; some also cite others by DOI."""
    look = look_of(corpus, paper)
    place = rng.choice(("foot", "above", "meta", "cites"))
    doi = rng.choice(
        (f"https://doi.org/{paper.doi}", f"doi:{paper.doi}", f"DOI: {paper.doi.upper()}")
    )
    if place == "meta":
        look = replace(
            look,
            meta={"title": paper.title, "subject": f"Journal of Invented Results, 2020, {doi}"},
        )
    elif place == "cites":
        look = replace(
            look,
            foot=doi,
            body=[
                *look.body[:2],
                f"As was shown before (doi:{other.doi}), this holds.",
                *look.body[2:5],
            ],
        )
    else:
        line = f"Journal of Invented Results 12 (2020) 1-9. {doi}"
        look = replace(look, foot=line) if place == "foot" else replace(look, above=line)
    return _one("DOI", f"{paper.doi.replace('/', '_')}.pdf", look, paper)


def with_stamp(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    stamp = f"arXiv:{paper.arxiv}v{rng.randint(1, 4)}  [cs.CL]  5 Jan 2021"
    return _one(
        "arXiv stamp",
        f"{paper.arxiv}v1.pdf",
        replace(look_of(corpus, paper), stamp=stamp, columns=rng.choice((1, 2))),
        paper,
    )


def title_only(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    name = f"{paper.authors[0].split()[-1]} {paper.year} - {paper.title[:30]}.pdf"
    return _one(
        "title only",
        name.replace("/", " "),
        replace(look_of(corpus, paper), columns=rng.choice((1, 2))),
        paper,
    )


def wrong_metadata(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    meta = {
        "title": rng.choice(
            ("Microsoft Word - draft3.docx", "untitled", other.title, "Instructions for authors")
        ),
        "author": "Administrator",
    }
    return _one(
        "wrong title in its metadata",
        "draft3 (final).pdf",
        replace(look_of(corpus, paper), meta=meta),
        paper,
    )


def divided(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """The longest word of the title is divided at the end of a line."""
    longest = max(paper.title.split(), key=len)
    title = paper.title.replace(
        longest, f"{longest[: len(longest) // 2]}-\n{longest[len(longest) // 2 :]}", 1
    )
    return _one(
        "word of the title divided",
        "divided.pdf",
        replace(look_of(corpus, paper), title=title),
        paper,
    )


def capitals(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    small = rng.random() < 0.5
    look = replace(
        look_of(corpus, paper),
        small_capitals=small,
        title=paper.title if small else paper.title.upper(),
        title_size=15,
    )
    return _one("capitals", "CAPITALS.PDF", look, paper)


def subtitled(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """The subtitle in smaller letters; where the title has none, one that the source does not have."""
    head, mark, tail = paper.title.partition(": ")
    look = replace(
        look_of(corpus, paper),
        title=head + mark.strip(),
        subtitle=tail if mark else "A Study of Four Cases",
    )
    return _one("subtitle in other letters", "sub.pdf", look, paper)


def cites_on_page_one(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """No source knows it; its references, with DOIs and titles, begin on page one."""
    refs = [
        f"[{n}] {', '.join(p.authors)}. {p.title}. {p.year}. https://doi.org/{p.doi}"
        for n, p in enumerate(corpus.references(other)[:3] or [other], 1)
    ]
    look = replace(
        look_of(corpus, paper),
        title="Notes That Nobody Has Catalogued Yet",
        people="X. Unknown",
        body=look_of(corpus, paper).body[:2],
        references=refs,
    )
    return _one("references on page one", "notes.pdf", look, None)


def comment(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """A comment that names the paper, its title in a line of its own, and its DOI."""
    head = rng.choice(("Comment on", "A reply to", "Review of", "A reproduction of"))
    look = replace(
        look_of(corpus, paper),
        title=f"{head}\n{paper.title}",
        foot=f"It discusses {paper.title}, https://doi.org/{paper.doi}",
    )
    people = rng.choice((look.people, "X. Unknown and Y. Nemo"))
    return _one("comment on a paper", "comment.pdf", replace(look, people=people), None)


def nearly(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """Another paper of the same people whose title is nearly the same."""
    words = paper.title.split()
    titles = (
        f"{paper.title} II",
        f"{paper.title} Revisited",
        " ".join(words[:-1]),
        f"Towards {paper.title}",
        " ".join([*words[:2], "Robust", *words[2:]]),
        paper.title.replace(words[-1], other.title.split()[-1] + "s"),
        f"{paper.title} (Extended)",
        paper.title.replace(words[1], "X" + words[1][1:], 1),
    )
    return _one(
        "nearly the same title",
        "near.pdf",
        replace(look_of(corpus, paper), title=rng.choice(titles)),
        None,
    )


def same_title_of_others(
    rng: random.Random, corpus: Corpus, paper: Paper, other: Paper
) -> list[Made]:
    return _one(
        "same title, other authors",
        "homonym.pdf",
        replace(look_of(corpus, paper), people="X. Unknown and Y. Nemo"),
        None,
    )


def generic(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """A title that many papers have, and one that begins another's."""
    some = [p for p in corpus.papers if p.title in ("Introduction", "Deep Learning")]
    found = rng.choice(some)
    people = rng.choice((", ".join(found.authors), "X. Unknown"))
    title = (
        found.title
        if found.title == "Introduction"
        else rng.choice((found.title, "Deep Learning in Neural Nets: An Overview"))
    )
    return _one(
        "generic title",
        "intro.pdf",
        replace(look_of(corpus, paper), title=title, people=people),
        None,
    )


def unknown(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """The source answers nothing; it may bear a stamp, or one DOI of a paper that it builds on."""
    title = f"An Uncatalogued Matter of {rng.choice(paper.title.split())} in {rng.choice(other.title.split())} Times"
    stamp, foot = rng.choice(
        (
            ("", ""),
            ("arXiv:9912.09999v1  [cs.CL]  5 Jan 2021", ""),
            ("", f"It builds on https://doi.org/{other.doi}"),
        )
    )
    return _one(
        "unknown to the source",
        "unknown.pdf",
        replace(look_of(corpus, paper), title=title, people="X. Unknown", stamp=stamp, foot=foot),
        None,
    )


def apart(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """Supplementary material or an erratum of a paper, with its title, people and DOI."""
    what = rng.choice(
        ("Supplementary Material", "Supporting Information for:", "Erratum", "Online Appendix")
    )
    look = replace(look_of(corpus, paper), above=what, foot=rng.choice(("", f"doi:{paper.doi}")))
    if rng.random() < 0.4:
        look = replace(look, above="", title=f"{what.rstrip(':')}\n{paper.title}")
    return _one("supplement or erratum", "supp.pdf", look, None)


def twice(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """The same bytes under two names, and a third file of the same paper."""
    (preprint,) = with_stamp(rng, corpus, paper, other)
    printed = replace(look_of(corpus, paper), foot=f"https://doi.org/{paper.doi}")
    return [
        replace(preprint, kind="twice", name="a copy.pdf"),
        replace(preprint, kind="twice", name="a copy (1).pdf"),
        Made("twice", "printed.pdf", pdf_of(printed), paper, paper.title),
    ]


def other_letters(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """A paper whose title is in no Latin letters; a source may know it."""
    found = next(p for p in corpus.papers if not p.title.isascii())
    known = rng.random() < 0.5
    title = found.title if known else "О закономерностях роста выдуманных цепей"
    data = unicode_pdf(
        [
            (20, title),
            (11, ", ".join(found.authors)),
            *((10, line) for line in paper.abstract.split(". ")[:14]),
        ]
    )
    return [Made("other letters", "статья.pdf", data, found if known else None, title)]


def unreadable(rng: random.Random, corpus: Corpus, paper: Paper, other: Paper) -> list[Made]:
    """A scan, encrypted, cut off, noise, empty, a web page: each a refusal of its own."""
    good = pdf_of(look_of(corpus, paper))
    scan, locked = FPDF(), FPDF()
    for pdf in (scan, locked):
        pdf.set_creation_date(WRITTEN)
        pdf.add_page()
    for n in range(40):
        scan.line(10, 10 + n * 5, 200, 20 + n * 5)
    locked.set_font("Times", "", 11)
    locked.multi_cell(0, 5, paper.abstract.encode("latin-1", "replace").decode("latin-1"))
    locked.set_encryption(
        "f4k3owner",
        "f4k3user",
        encryption_method=EncryptionMethod.RC4,
        permissions=AccessPermission.all(),
    )
    files = {
        "scan.pdf": bytes(scan.output()),
        "locked.pdf": bytes(locked.output()),
        "cut.pdf": good[: len(good) // 2],
        "noise.pdf": b"%PDF-1.7\n" + rng.randbytes(4000),
        "empty.pdf": b"",
        "page.pdf": b"<!DOCTYPE html><html><body>Sign in</body></html>",
    }
    return [
        Made("not to be read", name, data, None, readable=False) for name, data in files.items()
    ]


def unicode_pdf(lines: Sequence[tuple[float, str]]) -> bytes:
    """Lines of any script in a font that is not embedded: what each code means stands in its table."""
    letters = sorted({c for _, line in lines for c in line})
    code = {c: n + 1 for n, c in enumerate(letters)}
    table = "\n".join(f"<{code[c]:04X}> <{c.encode('utf-16-be').hex().upper()}>" for c in letters)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(letters)} beginbfchar\n{table}\nendbfchar endcmap end end"
    )
    y, drawn = 780.0, []
    for size, line in lines:
        drawn.append(
            f"BT /F1 {size} Tf 50 {y:.0f} Td <{''.join(f'{code[c]:04X}' for c in line)}> Tj ET"
        )
        y -= 1.6 * size
    content = "\n".join(drawn)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type0 /BaseFont /Other /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Other /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
        "/DW 550 /FontDescriptor 8 0 R >>",
        f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream",
        "<< /Type /FontDescriptor /FontName /Other /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 "
        "/CapHeight 700 /StemV 80 >>",
    ]
    return _raw(objects)


def _raw(objects: Sequence[str]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(
        f"{p:010d} 00000 n \n".encode() for p in places
    )
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return bytes(out)


KINDS: tuple[tuple[Kind, int], ...] = (
    (with_doi, 7),
    (with_stamp, 6),
    (title_only, 5),
    (wrong_metadata, 2),
    (divided, 2),
    (capitals, 2),
    (subtitled, 2),
    (other_letters, 1),
    (twice, 1),
    (cites_on_page_one, 1),
    (comment, 2),
    (nearly, 3),
    (same_title_of_others, 1),
    (generic, 2),
    (unknown, 1),
    (apart, 2),
    (unreadable, 1),
)
"""Each kind with how often it is made: 48 files with the three of ``twice`` and the six of ``unreadable``."""


def files_of(seed: int, corpus: Corpus, kinds: Sequence[tuple[Kind, int]] = KINDS) -> list[Made]:
    """The folder of a seed, its files in no order, their names made different."""
    rng = random.Random(f"pdfs:{seed}")
    plain = [
        paper for paper in corpus.papers if paper.title.isascii() and len(paper.title.split()) > 4
    ]
    made: list[Made] = []
    for kind, often in kinds:
        for _ in range(often):
            paper, other = rng.sample(plain, 2)
            plain.remove(paper)
            made += kind(rng, corpus, paper, other)
    rng.shuffle(made)
    return [replace(one, name=f"{n:02d} {one.name}") for n, one in enumerate(made)]


def with_hard_titles(corpus: Corpus) -> Corpus:
    """The literature with papers of titles that many share, and one in other letters."""
    extra = []
    for n, (title, authors) in enumerate(
        (
            ("Introduction", ("Ann Bar", "Bo Foo")),
            ("Deep Learning", ("Cy Baz", "Di Qux")),
            ("Deep Learning in Neural Networks: An Overview", ("Jo Grault",)),
            ("О росте выдуманных цепей и деревьев", ("Анна Барова", "Борис Фуев")),
        )
    ):
        like = corpus.papers[n]
        extra.append(
            replace(
                like,
                number=len(corpus.papers) + n,
                paper_id=f"{n:040x}",
                title=title,
                authors=authors,
                references=(),
                citations=(),
            )
        )
    papers = (*corpus.papers, *extra)
    ids = {
        form: p
        for p in extra
        for form in (
            p.paper_id,
            f"corpusid:{p.corpus_id}",
            f"arxiv:{p.arxiv}",
            f"doi:{p.doi}",
            p.doi,
        )
    }
    return Corpus(
        papers,
        {**corpus.by_id, **ids},
        {**corpus.by_title, **{" ".join(p.title.lower().split()): p for p in extra}},
    )
