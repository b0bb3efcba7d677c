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
from contextlib import suppress
from itertools import groupby
from typing import Any

MEMORY_BYTES = 2 * 1024**3
_JOIN = re.compile(
    "[\x02\ufffe]\r?\n?"
)  # PDFium marks a word divided at the line's end; deleting the mark joins it
_LIGATURES = dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"), start=0xFB00))
MOST_PAGE = 20_000
"""Characters of page one, and of an entry of the metadata, that may tell which paper it is."""
LEAST_HEIGHT = 1.5
"""Points below which a line is no text for people."""
LEAST_CONTRAST = 12
"""Of 255 levels of grey, by which the darkest and the lightest point of a line must differ."""
MOST_PIXELS = 1_500
"""Of the longer side of the picture in which lines are looked for."""


def main() -> None:
    """Read, extract, answer. ``text`` is empty where nothing could be read, with the reason in
    ``note``."""
    _limit_memory()
    max_pages, max_chars = int(sys.argv[1]), int(sys.argv[2])
    answer = _extract(sys.stdin.buffer.read(), max_pages, max_chars)
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def _limit_memory() -> None:
    # Windows has no limits: there those of size and time have to do; macOS takes no such one, and a
    # stricter one may be set already
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


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
    pages, notes, unread = list[str](), list[str](), list[str]()
    size, hidden, why = 0, 0, ""
    for number in range(len(document)):
        if number >= max_pages or size >= max_chars:
            notes.append(f"only the first {number} of {len(document)} pages were read")
            break
        try:
            text, left_out = _page_text(document[number])
        except pypdfium2.PdfiumError as error:
            text, left_out, why = "", 0, str(error)
            unread.append(str(number + 1))
        pages.append(text)
        size, hidden = size + len(text), hidden + left_out
    if hidden:
        notes.append(f"{hidden:,} characters that nobody can see on the page were left out")
    if unread:
        notes.append(f"page {', '.join(unread):.80} of {len(document)} not read ({why})")
    return {
        "text": "\n\n".join(pages)[:max_chars],
        "note": "; ".join(notes),
        "page": pages[0][:MOST_PAGE] if pages else "",
        "metadata": [str(value)[:MOST_PAGE] for value in document.get_metadata_dict().values()],
    }


def _page_text(page: Any) -> tuple[str, int]:
    """The page's text as PDFium orders it, divided words joined and ligatures spelled out; and how
    many characters were left out because nobody can see them (white, tiny, covered). Raises
    PdfiumError where there are none."""
    import pypdfium2

    # lines are where they are written, not where a turned page shows them; but on pages turned to
    # the left PDFium needs that to put lines across them in order
    if page.get_rotation() != 270:
        page.set_rotation(0)
    textpage = page.get_textpage()
    page.set_rotation(0)
    count, text, left_out = textpage.count_chars(), str(textpage.get_text_bounded()), 0
    unknown = sum(pypdfium2.raw.FPDFText_HasUnicodeMapError(textpage, n) for n in range(count))
    # in old fonts the numbers of letters are those of ASCII
    if unknown > count / 2 and sum(map(str.islower, text)) < unknown / 2:
        raise pypdfium2.PdfiumError("the fonts do not say which letters their signs are")
    if hidden := _hidden_boxes(page, textpage):
        seen = [_is_seen(textpage.get_charbox(n), hidden) for n in range(count)]
        runs = [list(run) for shown, run in groupby(range(count), seen.__getitem__) if shown]
        parts = (str(textpage.get_text_range(run[0], len(run))).strip() for run in runs)
        text = "\n".join(filter(None, parts))
        left_out = count - sum(seen)
    return "\n".join(_JOIN.sub("", text).translate(_LIGATURES).splitlines()), left_out


Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""


def _hidden_boxes(page: Any, textpage: Any) -> list[Box]:
    """Where lines of text are of which nothing shows in a picture of the page."""
    boxes: list[Box] = [textpage.get_rect(n) for n in range(textpage.count_rects())]
    left, bottom, right, top = page.get_bbox()
    scale = min(1.0, MOST_PIXELS / max(right - left, top - bottom, 1.0))
    picture = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    grey, stride = bytes(picture.buffer), picture.stride

    def hidden(box: Box) -> bool:
        if box[3] - box[1] < LEAST_HEIGHT:
            return True
        first, last = (round((x - left) * scale) for x in (box[0], box[2]))
        upper, lower = (round((top - y) * scale) for y in (box[3], box[1]))
        first, last = max(first, 0), min(last + 1, picture.width)
        rows = range(max(upper, 0), min(lower + 1, picture.height))
        seen = [grey[y * stride + first : y * stride + last] for y in rows]
        shades = [(min(row), max(row)) for row in seen if row]
        if not shades:  # beside the page
            return True
        return max(high for _, high in shades) - min(low for low, _ in shades) < LEAST_CONTRAST

    # a dot or a dash is as low and as faint as it is
    return [b for b in boxes if hidden(b) and re.search(r"\w\w", textpage.get_text_bounded(*b))]


def _is_seen(char: Box, hidden: list[Box]) -> bool:
    x, y = (char[0] + char[2]) / 2, (char[1] + char[3]) / 2
    return not any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in hidden)


if __name__ == "__main__":
    main()
