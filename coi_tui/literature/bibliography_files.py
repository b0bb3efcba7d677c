"""Reading BibTeX, which all reference managers export. A bad entry is named, the others are taken.

bibtexparser finds the entries and says which are broken, pylatexenc reads the LaTeX in their
fields; both are loaded when a file is read.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.literature.ids import normalise_id, paper_key
from coi_tui.literature.paper_records import (
    ABSTRACT_CHARS,
    AUTHORS,
    NAME_CHARS,
    TITLE_CHARS,
    bounded,
)
from coi_tui.literature.title_match import normalise_title, show_title, surname
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line, digest

if TYPE_CHECKING:
    from bibtexparser.model import Block
    from bibtexparser.model import Entry as Found
    from pylatexenc.latex2text import LatexNodes2Text

LIBRARY_NAME = "my library"
"""The source that imported papers name."""


@dataclass
class Bibliography:
    """The papers of a file in its order, and a sentence for each entry that could not be taken."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_bibliography(text: str, name: str) -> Bibliography:
    """Read a BibTeX file. Raises UsageError where ``name`` has another ending."""
    if name.lower().rpartition(".")[2] not in ("bib", "bibtex", "biblatex"):
        raise UsageError(
            f"{name} is not a list of papers that can be read.",
            "Use a BibTeX (.bib) file: reference managers export them.",
        )
    found = Bibliography()
    for entry in _bibtex(clean(text)):
        if paper := entry.paper():
            found.papers.append(paper)
        else:
            where = f"{entry.label} (line {entry.line})"
            found.left_out.append(f"{clean_line(where)}: {entry.problem or 'no title'}")
    return found


# entries

RAW = 4
"""How many characters of a field are looked at for each one that may stay: commands, braces and
tags fall away."""
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b", re.ASCII)
_DATE = re.compile(r"\b((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?\b", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_ARXIV_ID = r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Za-z-]{2})?/\d{7})(?:v\d+)?"
_PREPRINT = r"(?:(?:preprint|e-?prints?)[^a-z0-9]{0,3}(?:arxiv[^a-z0-9]{0,3})?)?"
_ARXIV = re.compile(
    rf"(?<![a-z])(?:arxiv[^a-z0-9]{{0,3}}{_PREPRINT}|abs/)({_ARXIV_ID})(?!\d)",
    re.IGNORECASE | re.ASCII,
)
_ONLY_ARXIV = re.compile(
    rf"\W*arxiv\s*:\s*{_ARXIV_ID}(?:\s*\[[\w.-]+\])?\W*", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class Entry:
    """One entry of a file, as its fields were written. ``label`` and ``line`` name it to a person;
    ``ids`` are texts that may be an identifier, ``problem`` says why it could not be read."""

    label: str
    line: int
    title: str = ""
    date: str = ""
    authors: Sequence[str] = ()
    venue: str = ""
    abstract: str = ""
    ids: Sequence[str] = ()
    problem: str = ""

    def paper(self) -> Paper | None:
        """The paper it describes; None without a title, or where it could not be read."""
        title = show_title(self.title[: RAW * TITLE_CHARS])
        if self.problem or not normalise_title(title):
            return None
        ids = dict(filter(None, map(normalise_id, filter(None, self.ids))))
        year = found[1] if (found := _YEAR.search(self.date)) else ""
        exact = _DATE.search(self.date)
        authors = tuple(filter(None, map(clean_line, self.authors)))
        # without an identifier its first author belongs to it: many are called "Introduction"
        named = [normalise_title(title), year, *filter(None, map(surname, authors[:1]))]
        paper = Paper(
            id=paper_key(ids) if ids else f"title:{digest(named)[:16]}",
            ids=ids,
            title=title,
            year=int(year) if year else None,
            published="-".join(filter(None, exact.groups())) if exact else year or None,
            authors=authors,
            venue=show_title(self.venue) or None,
            abstract=clean(self.abstract[: RAW * ABSTRACT_CHARS]).strip() or None,
            source=LIBRARY_NAME,
        )
        return bounded(paper)


def given_name_first(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``; a suffix, as in ``King, Martin, Jr``, stays last."""
    last, _, first = name.partition(",")
    given, _, suffix = first.partition(",")
    return " ".join(filter(None, (given.strip(), last.strip(), suffix.strip())))


def doi_in(text: str) -> str:
    """A DOI of a field for it, bare, with a prefix or as an address; empty where there is none."""
    found = _DOI.search(text[: RAW * TITLE_CHARS])
    return f"doi:{found[0]}" if found else ""


def arxiv_in(text: str) -> str:
    """An arXiv id after that name, as in ``arXiv preprint arXiv:2005.14165``, or of
    ``abs/1706.03762``; empty where there is none."""
    found = _ARXIV.search(text[: RAW * TITLE_CHARS])
    return f"arXiv:{found[1]}" if found else ""


# BibTeX

_START = re.compile(r"@\s*+\w*+\s*+[{(]")
_KEY = re.compile(r"@\s*+[\w-]*+\s*+[{(]?\s*+([^\s,={}()\"]*+)")
_SIGNS = re.compile(r"\\url\b|[{}\\\s]")
_NO_KEY = "an entry without a key"


def _bibtex(text: str) -> Iterator[Entry]:
    """Each entry in the order of the file, those that cannot be read with their problem."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry as Found

    for name in ("bibtexparser", "pylatexenc"):  # they would warn on the screen
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for block in parse_string(text).blocks:
        # only a key or a field that was there before makes an entry fail that could be read
        entry = getattr(block, "ignore_error_block", None) or block
        if isinstance(entry, Found):
            yield _bibtex_entry(entry)
        elif why := _problem(entry):
            key = _KEY.match((block.raw or "")[:NAME_CHARS])
            yield Entry((key and key[1]) or _NO_KEY, (block.start_line or 0) + 1, problem=why)


def _problem(block: Block) -> str:
    """Why a block could not be read; empty where nothing is lost. After a broken comment reading
    goes on at the next entry."""
    from bibtexparser.model import ImplicitComment, ParsingFailedBlock

    raw = block.raw or ""
    if raw.lower().startswith(("@comment", "@preamble")):
        return ""
    if isinstance(block, ImplicitComment):
        return "not written as an entry" if _START.search(raw) else ""
    if not isinstance(block, ParsingFailedBlock):
        return ""
    reason = clean_line(getattr(block.error, "abort_reason", block.error))
    if "block start" in reason or "end of file" in reason:
        return "a brace or a quotation mark is not closed"
    return f"it cannot be read: {reason[:NAME_CHARS]}"


def _bibtex_entry(found: Found) -> Entry:
    from bibtexparser.middlewares.names import split_multiple_persons_names

    fields = {field.key.lower(): str(field.value).strip() for field in reversed(found.fields)}

    def raw(*names: str) -> str:
        """The first of the fields that says something, as it was written."""
        return next(filter(None, (fields.get(name) for name in names)), "")

    def plain(most: int, *names: str) -> str:
        return plain_text(raw(*names)[: RAW * most])

    def sign(name: str) -> str:
        """An identifier or an address, in which LaTeX is only protection."""
        return _SIGNS.sub("", raw(name)[: RAW * TITLE_CHARS])

    # texts that may be the arXiv id, the surest last; one in a note may be of another paper, where
    # the note says more, and an eprint may be of another archive
    note = raw("note")[:TITLE_CHARS]
    ids = [arxiv_in(note) if _ONLY_ARXIV.fullmatch(note) else ""]
    places = ("howpublished", "volume", "number", "journal", "journaltitle")
    ids += [arxiv_in(raw(name)) for name in places]
    eprint = re.sub(r"^arxiv:", "", sign("eprint"), flags=re.IGNORECASE)
    archive = raw("archiveprefix", "eprinttype")[:NAME_CHARS].lower()
    if "arxiv" in archive or normalise_id(f"arXiv:{eprint}"):
        ids.append(f"arXiv:{eprint}")
    names = split_multiple_persons_names(raw("author")[: RAW * AUTHORS * NAME_CHARS])
    return Entry(
        label=found.key or _NO_KEY,
        line=(found.start_line or 0) + 1,
        title=plain(TITLE_CHARS, "title"),
        date=plain(NAME_CHARS, "date", "year"),
        authors=[_name(name[: RAW * NAME_CHARS]) for name in names if name.lower() != "others"],
        venue=plain(NAME_CHARS, "journal", "journaltitle", "booktitle"),
        abstract=plain(ABSTRACT_CHARS, "abstract"),
        ids=[*ids, doi_in(sign("doi")), sign("url")],
    )


def _name(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``, without LaTeX."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    if "{" in name or "\\" in name or name.count(",") > 1:
        parts: Any = parse_single_name_into_parts(name, strict=False)
        return plain_text(parts.merge_first_name_first)
    return plain_text(given_name_first(name))


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
