"""BibTeX: bibtexparser finds the entries and says which are broken, pylatexenc reads the LaTeX in
their fields."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import Block, ImplicitComment, ParsingFailedBlock
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
from coi_tui.literature.paper_limits import ABSTRACT_CHARS, AUTHORS, NAME_CHARS, TITLE_CHARS
from coi_tui.model.text import clean_line

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

_START = re.compile(r"@\s*+\w*+\s*+[{(]")
_KEY = re.compile(r"@\s*+[\w-]*+\s*+[{(]?\s*+([^\s,={}()\"]*+)")
_SIGNS = re.compile(r"\\url\b|[{}\\\s]")


def read_bibtex(text: str) -> Iterator[Entry]:
    """Each entry in the order of the file, those that cannot be read with their
    problem."""
    for name in ("bibtexparser", "pylatexenc"):  # they would warn on the screen
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for block in parse_string(text).blocks:
        # only a key or a field that was there before makes an entry fail that could be read
        entry = getattr(block, "ignore_error_block", None) or block
        if isinstance(entry, Found):
            yield _entry(entry)
        else:
            yield from _problems(entry)


def _problems(block: Block) -> Iterator[Entry]:
    """What could not be read, by its key and line. A broken comment loses nothing: reading goes on
    at the next entry."""
    raw, why = block.raw or "", ""
    if isinstance(block, ImplicitComment) and _START.search(raw):
        why = "not written as an entry"
    elif isinstance(block, ParsingFailedBlock):
        reason = clean_line(getattr(block.error, "abort_reason", block.error))
        unclosed = "block start" in reason or "end of file" in reason
        why = (
            "a brace or a quotation mark is not closed"
            if unclosed
            else f"it cannot be read: {reason[:NAME_CHARS]}"
        )
    if why and not raw.lower().startswith(("@comment", "@preamble")):
        key = _KEY.match(raw[:NAME_CHARS])
        label = (key[1] if key else "") or "an entry without a key"
        yield Entry(label=label, line=_line(block), problem=why)


def _line(block: Block) -> int:
    return (block.start_line or 0) + 1


def _entry(found: Found) -> Entry:
    fields = {field.key.lower(): str(field.value).strip() for field in reversed(found.fields)}

    def raw(*names: str) -> str:
        """The first of the fields that says something, as it was written."""
        return next(filter(None, (fields.get(name) for name in names)), "")

    def plain(most: int, *names: str) -> str:
        return plain_text(raw(*names)[: RAW * most])

    def sign(name: str) -> str:
        """An identifier or an address, in which LaTeX is only protection."""
        return _SIGNS.sub("", raw(name)[: RAW * TITLE_CHARS])

    # texts that may be the arXiv id, the surest last; an eprint may be of another archive
    places = ("howpublished", "volume", "number", "journal", "journaltitle")
    ids = [arxiv_note(raw("note")), *(arxiv_in(raw(name)) for name in places)]
    eprint = re.sub(r"^arxiv:", "", sign("eprint"), flags=re.IGNORECASE)
    archive = raw("archiveprefix", "eprinttype")[:NAME_CHARS].lower()
    if "arxiv" in archive or normalise_id(f"arXiv:{eprint}"):
        ids.append(f"arXiv:{eprint}")
    names = split_multiple_persons_names(raw("author")[: RAW * AUTHORS * NAME_CHARS])
    return Entry(
        label=found.key or "an entry without a key",
        line=_line(found),
        title=plain(TITLE_CHARS, "title"),
        date=plain(NAME_CHARS, "date", "year"),
        month=plain(NAME_CHARS, "month"),
        authors=[_name(name[: RAW * NAME_CHARS]) for name in names if name.lower() != "others"],
        venue=plain(NAME_CHARS, "journal", "journaltitle", "booktitle"),
        abstract=plain(ABSTRACT_CHARS, "abstract"),
        ids=[*ids, doi_in(sign("doi")), sign("url")],
    )


def _name(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``, without LaTeX."""
    if "{" in name or "\\" in name or name.count(",") > 1:
        parts: Any = parse_single_name_into_parts(name, strict=False)
        name = parts.merge_first_name_first
    else:
        name = given_name_first(name)
    return plain_text(name)


# LaTeX

_BARE = re.compile(r"(?<!\\)([%&]|\$(?=\d[\d.,]*(?:\s|$)))")
"""Signs that are meant as such: of sums of money, of shares, of ``R&D``."""
_LATEX = re.compile(r"[\\${}~]|--|``|''")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*|[{}$\\]")
_MACROS = {
    "mbox": "%s",
    "url": "%s",
    "footnote": "",
    "today": "",
    "textasciicircum": "^",
    "textasciigrave": "`",
    "textbraceleft": "{",
    "textbraceright": "}",
}
"""What stands for commands that pylatexenc drops, or answers with more than the text."""


def plain_text(value: str) -> str:
    """A value of a BibTeX field on one line: accents, letters and signs as characters, formulas as
    they read, no braces or commands."""
    if _LATEX.search(value):
        try:
            # a grave accent over nothing stands for the sign itself
            signs = _BARE.sub(r"\\\1", value).replace(r"\`{}", r"\textasciigrave{}")
            value = _decoder().latex_to_text(signs)
        except Exception:  # noqa: BLE001  nested without end, or half of a command
            value = _COMMAND.sub("", value)
    return " ".join(value.split())


@functools.cache
def _decoder() -> LatexNodes2Text:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    known = get_default_latex_context_db()
    macros = [MacroTextSpec(name, simplify_repl=text) for name, text in _MACROS.items()]
    known.add_context_category("coi", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=known, math_mode="text")
