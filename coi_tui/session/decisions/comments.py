"""Comments of a colleague, who refers to the numbered paragraphs of the web page: one a line, such as
``1/idea ¶3: too broad``. They become notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.text import clean_line, clipped

_LINE = re.compile(r"(?:[-*] +)?(\S+?)(?: *(?:¶|par\.?|p\.?) *(\d+))? *: *(\S.*)")
FORM = "Write ADDRESS: text, or ADDRESS ¶NUMBER: text."


def notes_of(
    text: str, by: str, resolve: Callable[[str], str], paragraphs: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """The address and the note of each comment; for a line that names nothing no address and why.
    Empty lines and headings are passed over. ``by``: whose comments they are; ``resolve`` raises
    UsageError for what is no address."""
    for number, line in enumerate(map(clean_line, text.splitlines()), start=1):
        if line and not line.startswith("#"):
            try:
                yield _note(line, by, resolve, paragraphs)
            except CoiError as error:
                yield "", f"Line {number}: {error}"


def _note(
    line: str, by: str, resolve: Callable[[str], str], paragraphs: Mapping[str, Sequence[str]]
) -> tuple[str, str]:
    if (found := _LINE.fullmatch(line)) is None:
        raise UsageError("This is no comment.", FORM)
    at, number = resolve(found[1]), int(found[2] or 0)
    known = paragraphs.get(at, ())
    if number > len(known):
        raise UsageError(f"{at} has {len(known)} numbered paragraphs, and no ¶{number}.", FORM)
    place = f" ¶{number} “{clipped(known[number - 1], 6)}”" if number else ""
    return at, f"{by}{place}: {found[3]}"
