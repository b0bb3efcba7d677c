"""Reading lists of papers: BibTeX, which all reference managers export, here; the other formats in
``other_lists``. A bad entry is named, the others are taken.

bibtexparser finds the entries and says which are broken, pylatexenc reads the LaTeX in their
fields; both are loaded when a file is read.
"""

from __future__ import annotations

import functools
import logging
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.literature.ids import PAGES, normalise_id
from coi_tui.literature.list_entries import (
    ARXIV_ID,
    RAW,
    ListEntry,
    ParsedBibliography,
    files_in,
)
from coi_tui.literature.other_lists import other_entries
from coi_tui.literature.paper_records import ABSTRACT_CHARS, AUTHORS, NAME_CHARS, TITLE_CHARS
from coi_tui.model.text import clean, clean_line, listed

if TYPE_CHECKING:
    from bibtexparser.model import Block, Entry
    from pylatexenc.latex2text import LatexNodes2Text


def _label(block: Block) -> str:
    """The key of an entry that cannot be read, and its line."""
    key = _KEY.match((block.raw or "")[:NAME_CHARS])
    label = clean_line(key[1] if key else "") or "an entry without a key"
    return f"{label} (line {(block.start_line or 0) + 1})"


def _twice(entry: Entry) -> str:
    """The fields that an entry has more than once."""
    names = Counter(field.key.lower() for field in entry.fields)
    return listed([name for name in names if names[name] > 1])


def read_bibliography(text: str, name: str) -> ParsedBibliography:
    """Read a BibTeX file by its ending, another list by how it begins. Raises UsageError where it is
    none."""
    if name.lower().rpartition(".")[2] not in ("bib", "bibtex", "biblatex"):
        return ParsedBibliography.of(other_entries(clean(text), name))
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry

    for package in ("bibtexparser", "pylatexenc"):  # they would warn on the screen
        logging.getLogger(package).setLevel(logging.CRITICAL)
    found = ParsedBibliography()
    library = parse_string(clean(text), parse_stack=[])
    by_key = {entry.key.lower(): entry for entry in reversed(library.entries) if entry.key}
    strings = dict[str, str]()
    for string in library.strings:
        strings[string.key.lower()] = _joined(string.value, strings)

    def said(entry: Entry) -> dict[str, str]:
        """What its fields say, of those with one name the first."""
        return {f.key.lower(): _joined(f.value, strings) for f in reversed(entry.fields)}

    for block in library.blocks:
        # only a key or a field that was there before makes an entry fail that could be read
        entry = getattr(block, "ignore_error_block", None) or block
        if isinstance(entry, Entry):
            fields = said(entry)
            parent = by_key.get(fields.get("crossref", "").lower())
            why = found.add(_entry(entry.key, fields, said(parent) if parent else {}))
            again = _twice(entry)
            why = why or (again and f"its second {again}")
        else:
            why = _problem(entry)
        if why:
            found.left_out.append(f"{_label(block)}: {why}")
    return found


def _joined(value: str, strings: Mapping[str, str]) -> str:
    """The text of a value: the parts that ``#`` joins, the names among them replaced."""
    text, part = "", ""
    for piece in value[:MOST_VALUE].split("#"):
        part = f"{part}#{piece}".lstrip("# \t\n")
        bare = part.rstrip()
        if bare.count("{") == bare.count("}") and (bare[:1] != '"' or bare[1:].endswith('"')):
            plain = bare[1:-1] if bare.startswith(("{", '"')) else strings.get(bare.lower(), bare)
            text, part = f"{text}{plain}"[:MOST_VALUE], ""
    return text + part.removeprefix("{")  # one that was cut has no end


MOST_VALUE = RAW * ABSTRACT_CHARS
_LENT = ("year", "date", "booktitle", "journal", "journaltitle", "author")
"""Fields that a collection lends its parts."""
_ONLY_ARXIV = re.compile(
    rf"\W*arxiv\s*:\s*{ARXIV_ID}(?:\s*\[[\w.-]+\])?\W*", re.IGNORECASE | re.ASCII
)


_START = re.compile(r"@\s*+\w*+\s*+[{(]")
_KEY = re.compile(r"@\s*+[\w-]*+\s*+[{(]?\s*+([^\s,={}()\"]*+)")
_NAMED_SIGNS = {
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textasciigrave": "`",
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
}
_SIGNS = re.compile(rf"\\({'|'.join(_NAMED_SIGNS)})(?:\{{\}})?|\\url\b|[{{}}\\\s]")


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


def _entry(key: str, fields: Mapping[str, str], parent: dict[str, str]) -> ListEntry:
    """What an entry says, and its ``crossref`` with it."""
    from bibtexparser.middlewares.names import split_multiple_persons_names

    def raw(*names: str) -> str:
        """The first of the fields that says something, as it was written."""
        lent = (parent.get(name) for name in names if name in _LENT)
        return next(filter(None, (*map(fields.get, names), *lent)), "")

    def plain(most: int, *names: str) -> str:
        return clean(plain_text(raw(*names)[: RAW * most]))

    def sign(name: str) -> str:
        """An identifier or an address, in which LaTeX is only protection."""
        said = raw(name)[: RAW * TITLE_CHARS]
        return _SIGNS.sub(lambda found: _NAMED_SIGNS.get(found[1], ""), said)

    parent.setdefault("booktitle", parent.get("title", ""))
    # texts that may be an identifier, the surest last; an arXiv id in a note may be of another
    # paper, where the note says more, and an eprint may be of another archive
    note = raw("note")[:TITLE_CHARS]
    places = ("howpublished", "volume", "number", "journal", "journaltitle")
    texts = [note if _ONLY_ARXIV.fullmatch(note) else "", *map(raw, places)]
    signs = [f"{scheme}:{sign(scheme.lower())}" for scheme in PAGES]
    eprint = re.sub(r"^arxiv:", "", sign("eprint"), flags=re.IGNORECASE)
    archive = raw("archiveprefix", "eprinttype")[:NAME_CHARS].lower()
    if "arxiv" in archive or normalise_id(f"arXiv:{eprint}"):
        signs.append(f"arXiv:{eprint}")
    # accents first: bibtexparser takes their backslashes for parts of names
    names_said = plain_text(raw("author")[: RAW * AUTHORS * NAME_CHARS], braces=True)
    people = split_multiple_persons_names(names_said)
    return ListEntry(
        title=plain(TITLE_CHARS, "title"),
        date=plain(NAME_CHARS, "date", "year"),
        authors=[_name(name[: RAW * NAME_CHARS]) for name in people],
        venue=plain(NAME_CHARS, "journal", "journaltitle", "booktitle"),
        abstract=plain(ABSTRACT_CHARS, "abstract"),
        ids=[*signs, sign("url")],
        notes=[text[: RAW * TITLE_CHARS] for text in texts],
        dois=[sign("doi")],
        files=files_in(raw("file")),
        key=key,
    )


def _name(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``, without LaTeX; a suffix, as in ``King, Martin, Jr``, stays
    last."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    if parts := {found[1].lower(): found[2].strip('"{} ') for found in _NAMED_PART.finditer(name)}:
        return " ".join(filter(None, map(parts.get, ("given", "prefix", "family", "suffix"))))
    whole: Any = parse_single_name_into_parts(name, strict=False)
    return plain_text(whole.merge_first_name_first)


_NAMED_PART = re.compile(
    r"(?<![\w-])(given|prefix|family|suffix)\s*+=\s*+(\"[^\"]*+\"|\{[^{}]*+\}|[^,]*+)",
    re.IGNORECASE,
)
"""As biblatex and Better BibLaTeX write them: ``family=Dijk, given=Jan, prefix=van``."""
_BARE = re.compile(
    r"(?<!\\)(?:(?P<formula>\$\$[^$]++\$\$|\$(?!\s)(?:\\.|[^$\\])++(?<!\s)\$(?!\d)"
    r"|\$(?=[^$]*[\\^_])(?!\s)(?:\\.|[^$\\])++(?<!\s)\$)|[%&$])"
)
"""Signs that are meant as such, of sums of money, of shares, of ``R&D``, after the formulas."""
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
"""What replaces commands that pylatexenc drops, or answers with more than the text."""


def plain_text(value: str, braces: bool = False) -> str:
    """A value of a BibTeX field on one line: accents, letters and signs as characters, formulas as
    they read, no commands; of the braces only those around words, and only with ``braces``."""
    if _LATEX.search(value):
        try:
            # a grave accent over nothing is the sign itself
            signs = _BARE.sub(lambda sign: sign["formula"] or f"\\{sign[0]}", value)
            signs = signs.replace(r"\`{}", r"\textasciigrave{}")
            value = _decoder(braces).latex_to_text(signs)
        except Exception:  # noqa: BLE001  nested without end, or half of a command
            value = _COMMAND.sub("", value)
    return " ".join(value.split())


@functools.cache
def _decoder(braces: bool) -> LatexNodes2Text:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    known = get_default_latex_context_db()
    macros = [MacroTextSpec(name, simplify_repl=text) for name, text in _MACROS.items()]
    known.add_context_category("coi", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=known, math_mode="text", keep_braced_groups=braces)
