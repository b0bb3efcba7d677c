"""Extracts the text of a PDF. Runs as a process of its own: PDF bytes on standard input, one JSON
object on standard output.

PDFium is native code that reads untrusted files, so it never runs inside the app. Started by path
with ``-P``: nothing of the package is imported, and this folder, whose ``types.py`` would hide the
standard one, stays off the search path.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

MEMORY_BYTES = 2 * 1024**3
_JOIN = re.compile(
    "[\x02\ufffe]\r?\n?"
)  # PDFium marks a word divided at the line's end; deleting the mark joins it
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
MOST_PAGE = 20_000
"""Characters of page one, and of an entry of the metadata, that may tell which paper it is."""
LEAST_LINES = 10
"""Fewer numbers in a row than these are a list, not the line numbers of a review copy."""
LEAST_WIDTH = 0.08
"""A narrower piece, as a share of the page width, is a number or a last word and no line of a
column."""
LEAST_JUMPS = 6
"""Fewer jumps between the halves of a page come from figures and footnotes, not from columns
written row by row."""


def main() -> None:
    """Read, extract, answer. ``text`` is empty where nothing could be read, with the reason in
    ``note``."""
    _limit_memory()
    max_pages, max_chars = int(sys.argv[1]), int(sys.argv[2])
    answer = _extract(sys.stdin.buffer.read(), max_pages, max_chars)
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


def _extract(data: bytes, max_pages: int, max_chars: int) -> dict[str, Any]:
    import pypdfium2  # type: ignore[import-untyped]

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return {
            "text": "",
            "note": f"the PDF could not be opened ({error})",
            "page": "",
            "metadata": [],
        }
    pages: list[str] = []
    size, note = 0, ""
    for number in range(len(document)):
        if number >= max_pages or size >= max_chars:
            note = f"only the first {number} of {len(document)} pages were read"
            break
        pages.append(_tidy(_page_text(document[number])))
        size += len(pages[-1])
    return {
        "text": "\n\n".join(pages)[:max_chars],
        "note": note,
        "page": pages[0][:MOST_PAGE] if pages else "",
        "metadata": [str(value)[:MOST_PAGE] for value in document.get_metadata_dict().values()],
    }


def _page_text(page: Any) -> str:
    """The page's text as PDFium orders it, or column after column where it was written row by row
    across two of them."""
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
    """Top to bottom; between two boxes that cross the middle, the left half before the right
    one."""
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
