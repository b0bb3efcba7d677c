"""A full text for an invented paper, as a PDF with a text layer."""

import random
import re
import textwrap
from functools import lru_cache

from tests.support.pdfs import raw_pdf
from tests.support.standins import invented_text
from tests.support.standins.corpus import Corpus, Paper

SECTIONS = (
    "Introduction",
    "Related Work",
    "Method",
    "Experiments",
    "Analysis",
    "Limitations",
    "Conclusion",
)
LINES, WIDTH = 54, 92
ESCAPED, MARK = re.compile(r"([()\\])"), r"\\\1"


@lru_cache(maxsize=64)
def _pool(topic: str) -> tuple[str, ...]:
    """Forty paragraphs of a topic, made once, so that a full text costs next to nothing."""
    rng = random.Random(f"pool:{topic}")
    return tuple(invented_text.prose(rng, invented_text.TOPICS[topic], 700) for _ in range(40))


def full_text(corpus: Corpus, paper: Paper) -> str:
    """Title, abstract, seven sections of three paragraphs and the reference list."""
    rng = random.Random(f"full:{paper.paper_id}")
    parts = [paper.title, ", ".join(paper.authors), "Abstract", paper.abstract]
    for number, section in enumerate(SECTIONS, start=1):
        parts += [
            f"{number} {section}",
            *rng.sample(_pool(paper.topic), 2),
            rng.choice(_pool(paper.second_topic)),
        ]
    parts.append("References")
    for cited in corpus.references(paper):
        parts.append(f"{', '.join(cited.authors)}. {cited.year}. {cited.title}.")
    return "\n\n".join(parts)


def pdf(text: str) -> bytes:
    """The text in Courier, 54 lines a page; written by hand, since fpdf2 takes a tenth of a second
    for it."""
    lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, WIDTH) or [""])]
    pages = [lines[at : at + LINES] for at in range(0, len(lines), LINES)]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    ]
    for number, page in enumerate(pages):
        look = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {look} /Contents {5 + 2 * number} 0 R >>")
        shown = "\n".join(f"({ESCAPED.sub(MARK, line)}) Tj T*" for line in page)
        stream = f"BT /F1 9 Tf 12 TL 50 740 Td\n{shown}\nET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return raw_pdf([body.encode("ascii", "replace") for body in objects])
