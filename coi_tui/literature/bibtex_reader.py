"""BibTeX: bibtexparser finds the entries and says which are broken; their values are put together
here.

bibtexparser knows a name that ``@string`` gives only where it is the whole value, so joined values
(``jir # { B}``) are read here too.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    ImplicitComment,
    ParsingFailedBlock,
    String,
)
from bibtexparser.model import Entry as Found

from coi_tui.literature.bibliography_entry import (
    RAW,
    Entry,
    arxiv_in,
    arxiv_note,
    doi_in,
    given_name_first,
)
from coi_tui.literature.ids import normalise_id
from coi_tui.literature.latex_text import plain_text
from coi_tui.literature.paper_limits import ABSTRACT_CHARS, AUTHORS, NAME_CHARS, TITLE_CHARS
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean_line

LONGEST_VALUE = 1_000_000
"""Characters of a value: ``@string`` names that double themselves would fill the memory."""
GROWTH = 20
"""How many times its length a file may become by its ``@string`` names; a sound file stays below
two."""
MOST_ENTRIES = 200_000
"""Entries of a file; 200,000 broken ones take some ten seconds."""
_START = re.compile(r"@\s*+\w*+\s*+[{(]")
_MARK = re.compile(r'(?<!\\)[{}"#]')
_NEXT_FIELD = re.compile(r"\s*+([A-Za-z][\w-]*+)\s*+=")
_KEY = re.compile(r"@\s*+[\w-]*+\s*+[{(]?\s*+([^\s,={}()\"]*+)")
_LOST = re.compile(r"@\s*+[\w-]++\s*+[{(]")
_SIGNS = re.compile(r"\\url\b|[{}\\\s]")


def read_bibtex(text: str) -> Iterator[Entry]:
    """Each entry in the order of the file, those that cannot be read with their problem.

    Raises UsageError for a file of too many entries, or whose names grow beyond all measure.
    """
    logging.getLogger("bibtexparser").setLevel(
        logging.CRITICAL
    )  # it warns of each broken entry, on the screen
    if sum(1 for _ in _START.finditer(text)) > MOST_ENTRIES:
        raise UsageError(
            f"This BibTeX file has more than {MOST_ENTRIES:,} entries, so it was not read.",
            "Split it.",
        )
    blocks = [_whole(block) for block in parse_string(text, parse_stack=[]).blocks]
    strings = _Strings(GROWTH * len(text) + LONGEST_VALUE)
    for block in blocks:
        if isinstance(block, String):
            for name, pieces in _fields(block.key, str(block.value)):
                strings.define(name, pieces)
    for block in blocks:
        if isinstance(block, Found):
            yield _entry(block, strings)
        elif isinstance(block, ParsingFailedBlock | ImplicitComment):
            yield from _broken(block)


def _whole(block: Block) -> Block:
    """The entry itself where the library only complains of a key or a field that was there
    before."""
    repeated = isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock)
    return (
        block.ignore_error_block if repeated and isinstance(block, ParsingFailedBlock) else None
    ) or block


def _line(block: Block) -> int:
    return (block.start_line or 0) + 1


def _broken(block: ParsingFailedBlock | ImplicitComment) -> Iterator[Entry]:
    """What could not be read, by its key and line. A broken comment loses nothing: reading goes on
    at the next entry."""
    raw = block.raw or ""
    if isinstance(block, ImplicitComment):
        for found in _LOST.finditer(raw):
            at = found.start()
            yield _problem(
                raw[at : at + NAME_CHARS],
                _line(block) + raw.count("\n", 0, at),
                "not written as an entry",
            )
    elif not raw.lower().startswith(("@comment", "@preamble")):
        reason = clean_line(getattr(block.error, "abort_reason", block.error))
        unclosed = "block start" in reason or "end of file" in reason
        why = (
            "a brace or a quotation mark is not closed"
            if unclosed
            else f"it cannot be read: {reason[:NAME_CHARS]}"
        )
        yield _problem(raw[:NAME_CHARS], _line(block), why)


def _problem(raw: str, line: int, why: str) -> Entry:
    found = _KEY.match(raw)
    return Entry(
        label=(found[1] if found else "") or "an entry without a key", line=line, problem=why
    )


class _Strings:
    """The names that ``@string`` gives; ``left`` characters may still come of them."""

    def __init__(self, left: int) -> None:
        self._known: dict[str, str] = {}
        self._left = left

    def define(self, name: str, pieces: Sequence[str]) -> None:
        self._known[name] = self.value(pieces)

    def value(self, pieces: Sequence[str]) -> str:
        """The text of a value. Raises UsageError where it, or all of them, grow beyond measure."""
        parts = [self._part(piece.strip()) for piece in pieces]
        length = sum(map(len, parts))
        self._left -= length
        if length > LONGEST_VALUE or self._left < 0:
            raise UsageError(
                "A value of this BibTeX file is longer than a million characters.",
                "Export the list again.",
            )
        return "".join(parts)

    def _part(self, piece: str) -> str:
        if len(piece) > 1 and (piece[0], piece[-1]) in (("{", "}"), ('"', '"')):
            return piece[1:-1]
        return self._known.get(piece.lower(), piece)


def _fields(name: str, value: str) -> Iterator[tuple[str, list[str]]]:
    """A field with the pieces of its value, which ``#`` joins; and the field behind it where the
    comma between the two is missing."""
    if (
        value.startswith("{") and value.find("}") == len(value) - 1
    ):  # the usual form needs no look at what is inside
        yield name.lower(), [value]
        return
    pieces, start, depth, quoted = list[str](), 0, 0, False
    for found in _MARK.finditer(value):
        mark = found[0]
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth > 0:
            continue
        if mark == "#" and not quoted:
            pieces.append(value[start : found.start()])
            start = found.end()
        quoted ^= mark == '"'
        if mark in '}"' and not quoted and (following := _NEXT_FIELD.match(value, found.end())):
            yield name.lower(), [*pieces, value[start : found.end()]]
            name, pieces, start = following[1], [], following.end()
    yield name.lower(), [*pieces, value[start:]]


class _Values:
    """The fields of an entry, each read when it is asked for."""

    def __init__(self, entry: Found, strings: _Strings) -> None:
        self._strings = strings
        self._pieces: dict[str, list[str]] = {}
        for field in entry.fields:
            for name, pieces in _fields(field.key, str(field.value)):
                self._pieces.setdefault(name, pieces)

    def raw(self, *names: str) -> str:
        """The first of the fields that says something, as it was written."""
        return next(
            (
                value
                for name in names
                if (value := self._strings.value(self._pieces.get(name, ())).strip())
            ),
            "",
        )

    def plain(self, most: int, *names: str) -> str:
        return plain_text(self.raw(*names)[: RAW * most])

    def sign(self, name: str) -> str:
        """An identifier or an address, in which LaTeX is only protection."""
        return _SIGNS.sub("", self.raw(name)[: RAW * TITLE_CHARS])


def _entry(found: Found, strings: _Strings) -> Entry:
    fields = _Values(found, strings)
    return Entry(
        label=found.key or "an entry without a key",
        line=_line(found),
        title=fields.plain(TITLE_CHARS, "title"),
        date=fields.plain(NAME_CHARS, "date", "year"),
        month=fields.plain(NAME_CHARS, "month"),
        authors=_authors(fields.raw("author")),
        venue=fields.plain(NAME_CHARS, "journal", "journaltitle", "booktitle"),
        abstract=fields.plain(ABSTRACT_CHARS, "abstract"),
        ids=[*_arxiv_ids(fields), doi_in(fields.sign("doi")), fields.sign("url")],
    )


def _arxiv_ids(fields: _Values) -> Iterator[str]:
    """Texts that may be the entry's arXiv id, the surest last. Its ``eprint`` may be of another
    archive."""
    yield arxiv_note(fields.raw("note")[:TITLE_CHARS])
    for name in ("howpublished", "volume", "number", "journal", "journaltitle"):
        yield arxiv_in(fields.raw(name)[:TITLE_CHARS])
    eprint = re.sub(r"^arxiv:", "", fields.sign("eprint"), flags=re.IGNORECASE)
    archive = fields.raw("archiveprefix", "eprinttype")[:NAME_CHARS].lower()
    if "arxiv" in archive or normalise_id(f"arXiv:{eprint}"):
        yield f"arXiv:{eprint}"


def _authors(value: str) -> list[str]:
    names = split_multiple_persons_names(value[: RAW * AUTHORS * NAME_CHARS])
    return [
        _name(name[: RAW * NAME_CHARS]) for name in names[: AUTHORS + 1] if name.lower() != "others"
    ]


def _name(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``, without LaTeX."""
    if "{" in name or "\\" in name or name.count(",") > 1:
        parts: Any = parse_single_name_into_parts(name, strict=False)
        name = parts.merge_first_name_first
    else:
        name = given_name_first(name)
    return plain_text(name)
