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
from typing import Any

MEMORY_BYTES = 2 * 1024**3
_JOIN = re.compile(
    "[\x02\ufffe]\r?\n?"
)  # PDFium marks a word divided at the line's end; deleting the mark joins it
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
        pages.append(_page_text(document[number]))
        size += len(pages[-1])
    return {
        "text": "\n\n".join(pages)[:max_chars],
        "note": note,
        "page": pages[0][:MOST_PAGE] if pages else "",
        "metadata": [str(value)[:MOST_PAGE] for value in document.get_metadata_dict().values()],
    }


def _page_text(page: Any) -> str:
    """The page's text as PDFium orders it, divided words joined and ligatures spelled out."""
    text = str(page.get_textpage().get_text_bounded())
    return "\n".join(_JOIN.sub("", text).translate(_LIGATURES).splitlines())


if __name__ == "__main__":
    main()
