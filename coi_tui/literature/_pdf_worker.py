"""Extracts the text of a PDF. Runs as a process of its own: PDF bytes on standard input, one JSON object on standard output.

PDFium is native code that reads untrusted files, so it never runs inside the app. Started by path with ``-P``: nothing of the package is
imported, and this folder, whose ``types.py`` would hide the standard one, stays off the search path.
"""

from __future__ import annotations

import ctypes
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

MEMORY_BYTES = 2 * 1024**3
_JOIN = re.compile(
    "[\x02\ufffe]\r?\n?"
)  # PDFium marks a word divided at the line's end; deleting the mark joins it
_MARK = re.compile(
    "[\x02\ufffe]"
)  # in a title the division is kept: who reads it knows whether the word is written with a hyphen
_LINE_NUMBERS = re.compile(
    r"\A\s*(?:\d{3}\s+){10,}"
)  # numbered preprints put 000 001 002 ... first
_AT_START, _AT_END = re.compile(r"^\s*(\d{1,4})(?:\s+|$)"), re.compile(r"(?:\s+|^)(\d{1,4})\s*$")
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
LEAST_LINES = 10
"""Fewer numbers in a row than these are a list, not the line numbers of a review copy."""
LEAST_WIDTH = 0.08
"""A narrower piece, as a share of the page width, is a number or a last word and no line of a column."""
LEAST_TITLE = 8
"""Fewer letters than these in one size are an initial capital or a page number, no title."""
LEAST_STEP = 0.15
"""How far apart the baselines of letters on one line may be, as a share of their height."""
LEAST_GAP = 0.1
"""A blank that PDFium guesses in a narrower gap than this, as a share of the height, is only a capital's distance from small capitals."""
MOST_LETTERS = 6000
"""Characters of page one that are looked at for the largest letters."""
LEAST_JUMPS = 6
"""Fewer jumps between the halves of a page come from figures and footnotes, not from columns written row by row."""


def main() -> None:
    """Read, extract, answer. ``text`` is empty where nothing could be read, with the reason in ``note``."""
    _limit_memory()
    max_pages, max_chars = int(sys.argv[1]), int(sys.argv[2])
    answer = _extract(
        sys.stdin.buffer.read(), max_pages, max_chars, identify=sys.argv[3:] == ["identify"]
    )
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows; there the size and time limits have to do
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    except (
        ValueError,
        OSError,
    ):  # macOS takes no such limit, and a stricter one may be set already
        return


def _extract(data: bytes, max_pages: int, max_chars: int, *, identify: bool) -> dict[str, Any]:
    import pypdfium2  # type: ignore[import-untyped]

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return {"text": "", "note": f"the PDF could not be opened ({error})"}
    pages: list[str] = []
    size, note = 0, ""
    for number in range(len(document)):
        if number >= max_pages or size >= max_chars:
            note = f"only the first {number} of {len(document)} pages were read"
            break
        pages.append(_tidy(_page_text(document[number])))
        size += len(pages[-1])
    answer: dict[str, Any] = {"text": "\n\n".join(pages)[:max_chars], "note": note}
    if identify and pages:
        metadata = document.get_metadata_dict()
        answer["pages"] = pages[:2]
        answer["metadata"] = {
            name: str(metadata.get(name) or "")
            for name in ("Title", "Author", "Subject", "Keywords")
        }
        answer["largest"] = _largest(document[0], pypdfium2.raw)
    return answer


def _largest(page: Any, raw: Any) -> list[str]:
    """The text of page one in its largest letters, the largest first, at most three pieces, without rotated text (a preprint's stamp)."""
    pieces: dict[float, list[str]] = {}
    for size, line in _sized_lines(page, raw):
        pieces.setdefault(size, []).append(line)
    texts = (
        _tidy(re.sub(r"\s+", " ", _MARK.sub("-", " ".join(pieces[size])))).strip()
        for size in sorted(pieces, reverse=True)
    )
    return [
        text[:400]
        for text in texts
        if sum(c.isalpha() for c in text) >= LEAST_TITLE and " " in text
    ][:3]


class _Letter(NamedTuple):
    """An upright letter of a page, with the kind of blank before it: ``real``, ``guessed`` by PDFium, or none."""

    text: str
    blank: str
    baseline: float
    left: float
    right: float
    height: float


def _sized_lines(page: Any, raw: Any) -> list[tuple[float, str]]:
    """The upright lines of a page with the size of their letters in half points: that of the capitals where small capitals follow them."""
    lines: list[tuple[list[float], list[str]]] = []
    baseline, end = math.inf, 0.0
    for letter in _letters(page.get_textpage(), raw):
        if abs(letter.baseline - baseline) > LEAST_STEP * letter.height:
            lines.append(([], []))
            baseline = letter.baseline
        elif letter.blank == "real" or (
            letter.blank and letter.left - end > LEAST_GAP * letter.height
        ):
            lines[-1][1].append(" ")
        end = letter.right
        sizes, texts = lines[-1]
        texts.append(letter.text)
        if letter.text.isalpha():
            sizes.append(round(2 * letter.height) / 2)
    # the second largest: one odd sign does not make a title of its line
    return [(sorted(sizes)[-2:][0], "".join(texts)) for sizes, texts in lines if sizes]


def _letters(page: Any, raw: Any) -> Iterator[_Letter]:
    """The upright letters of a text page in the order of the file."""
    blank = ""
    x, y = ctypes.c_double(), ctypes.c_double()
    for n in range(min(page.count_chars(), MOST_LETTERS)):
        text = chr(raw.FPDFText_GetUnicode(page, n))
        if text.isspace():
            blank = (
                blank
                if blank == "real"
                else "guessed"
                if raw.FPDFText_IsGenerated(page, n) == 1
                else "real"
            )
            continue
        if abs(raw.FPDFText_GetCharAngle(page, n)) > 0.1 or not raw.FPDFText_GetCharOrigin(
            page, n, x, y
        ):
            continue
        left, bottom, right, top = page.get_charbox(n, loose=True)
        yield _Letter(text, blank, y.value, left, right, top - bottom)
        blank = ""


def _page_text(page: Any) -> str:
    """The page's text as PDFium orders it, or column after column where it was written row by row across two of them."""
    text_page = page.get_textpage()
    boxes = [text_page.get_rect(n) for n in range(text_page.count_rects())]
    halves = [_half(box, page.get_width()) for box in boxes]
    least = LEAST_WIDTH * page.get_width()
    sides = [
        half
        for half, (left, _, right, _) in zip(halves, boxes, strict=True)
        if half and right - left > least
    ]
    jumps = sum(a != b for a, b in pairwise(sides))
    if jumps < max(LEAST_JUMPS, len(sides) // 3) or len(sides) < 0.6 * len(boxes):
        return str(text_page.get_text_bounded())
    return "\n".join(
        str(text_page.get_text_bounded(*boxes[n])).strip() for n in _by_columns(boxes, halves)
    )


def _half(box: Sequence[float], width: float) -> str:
    """L or R for what lies in that half of the page; nothing for what crosses the middle."""
    left, _, right, _ = box
    return "L" if right <= 0.53 * width else "R" if left >= 0.47 * width else ""


def _by_columns(boxes: Sequence[Sequence[float]], halves: Sequence[str]) -> list[int]:
    """Top to bottom; between two boxes that cross the middle, the left half before the right one."""
    downwards = sorted(range(len(boxes)), key=lambda n: (-boxes[n][3], boxes[n][0]))
    order: list[int] = []
    band: dict[str, list[int]] = {"L": [], "R": []}
    for n in downwards:
        if halves[n]:
            band[halves[n]].append(n)
        else:
            order += [*band["L"], *band["R"], n]
            band = {"L": [], "R": []}
    return [*order, *band["L"], *band["R"]]


def _tidy(text: str) -> str:
    """Divided words joined, ligatures spelled out, the line numbers of a review copy removed."""
    lines = _LINE_NUMBERS.sub("", _JOIN.sub("", text)).translate(_LIGATURES).splitlines()
    return "\n".join(_unnumbered(_unnumbered(lines, _AT_START), _AT_END))


def _unnumbered(lines: list[str], place: re.Pattern[str]) -> list[str]:
    """The lines without the numbers there, when most lines have one and they count up by one."""
    found = [place.search(line) for line in lines]
    numbers = [int(m[1]) for m in found if m]
    counting = sum(b == a + 1 for a, b in pairwise(numbers))
    if counting < max(LEAST_LINES, 0.6 * len(lines)):
        return lines
    return [
        line[: m.start()] + line[m.end() :] if m else line
        for line, m in zip(lines, found, strict=True)
    ]


if __name__ == "__main__":
    main()
