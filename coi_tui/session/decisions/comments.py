"""Comments of a colleague, who refers to the numbered paragraphs of the web page: one a line, such as
``1/idea ¶3: too broad``. They become notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from coi_tui.model.errors import UsageError
from coi_tui.model.text import clipped

_LINE = re.compile(r"(?:[-*] +)?(\S+?)(?: *(?:¶|par\.?|p\.?) *([1-9]\d*))? *: *(\S.*)")


def as_note(
    line: str, by: str, resolve: Callable[[str], str], paragraphs: Mapping[str, Sequence[str]]
) -> tuple[str, str]:
    """The address that a comment names, and the note that it becomes: whose it is, on which
    paragraph. Raises UsageError for one that names nothing."""
    form = "Write ADDRESS: text, or ADDRESS ¶NUMBER: text."
    if (found := _LINE.fullmatch(line)) is None:
        raise UsageError("This is no comment.", form)
    at, number = resolve(found[1]), int(found[2] or 0)
    known = paragraphs.get(at, ())
    if number > len(known):
        raise UsageError(f"{at} has {len(known)} numbered paragraphs.", form)
    place = f" ¶{number} “{clipped(known[number - 1], 6)}”" if number else ""
    return at, f"{by}{place}: {found[3]}"
