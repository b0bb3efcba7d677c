"""Reading the files of reference managers: BibTeX, CSL-JSON and RIS. A bad entry is reported, the others are taken."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.ids import normalise_id, paper_key
from coi_tui.literature.paper_limits import bounded
from coi_tui.literature.service_answers import as_dict, as_list
from coi_tui.literature.title_match import normalise_title
from coi_tui.model.errors import UsageError
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line
from coi_tui.network.limits import check_parts

LIBRARY_NAME = "my library"
"""The source that imported papers name."""
_YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b", re.ASCII)
_ENTRY = re.compile(r"@\s*(\w+)\s*[{(]")
_PAIR = re.compile(r"(?<![\w.:+-])([\w.:+-]++)\s*+=\s*+", re.ASCII)
_WORD, _JOINT = re.compile(r"[\w.+:-]*"), re.compile(r"\s*#\s*")
_BRACES = {"{": re.compile(r"(?<!\\)[{}]"), "(": re.compile(r"(?<!\\)[{}()]")}
_ACCENT = re.compile(r"\\([`'^\"~=.uvHckr])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))")
_MARKS = dict(zip("`'^\"~=.uvHckr", "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a", strict=True))
_LETTERS = {r"\ss": "ß", r"\ae": "æ", r"\AE": "Æ", r"\oe": "œ", r"\OE": "Œ", r"\aa": "å", r"\AA": "Å", r"\o": "ø", r"\O": "Ø", r"\l": "ł",
            r"\L": "Ł", r"\i": "ı", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_",
            "---": "—", "--": "–", "~": " "}  # fmt: skip
_LITERAL = re.compile(r"\\(?:(textbackslash|textasciitilde|textasciicircum)(?:\{\}|(?![A-Za-z])\s?)|([{}])|(`)\{\})")
_HELD = {"textbackslash": "\ue000", "textasciitilde": "\ue001", "textasciicircum": "\ue002", "{": "\ue003", "}": "\ue004",
         "`": "\ue005"}  # fmt: skip
"""Signs that mean something to LaTeX, held back as characters of private use while the rest is read."""
_RELEASED = str.maketrans(dict(zip("\ue000\ue001\ue002\ue003\ue004\ue005", "\\~^{}`", strict=True)))
_MONTHS = {name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}  # noqa: SIM905


MOST_FIELD = 100_000
"""Characters of a field of a RIS file that goes on from line to line; what comes after is left out."""
LONGEST_VALUE = 1_000_000
"""Characters of a value of a BibTeX file: ``@string`` names that double themselves would fill the memory."""
SCANS = 20
"""How often the length of a BibTeX file is looked through for closing braces; a sound file needs about one."""


@dataclass
class Bibliography:
    """The papers of a file in its order, and a sentence for each entry that could not be taken."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Entry:
    """One entry of a file, as its fields were written. ``label`` names it to a person; ``ids`` are texts that may hold an identifier."""

    label: str
    title: str = ""
    date: str = ""
    month: str = ""
    authors: Sequence[str] = ()
    venue: str = ""
    abstract: str = ""
    ids: Sequence[str] = ()

    def paper(self) -> Paper | None:
        """The paper it describes; None without a title."""
        title = clean_line(self.title)
        if not normalise_title(title):
            return None
        ids = dict(filter(None, map(normalise_id, self.ids)))
        year = found[1] if (found := _YEAR.search(self.date)) else ""
        paper = Paper(
            id=paper_key(ids) if ids else f"title:{digest([normalise_title(title), year])[:16]}",
            ids=ids,
            title=title,
            year=int(year) if year else None,
            published=_published(self.date, self.month),
            authors=tuple(filter(None, map(clean_line, self.authors))),
            venue=clean_line(self.venue) or None,
            abstract=clean(self.abstract).strip() or None,
            source=LIBRARY_NAME,
        )
        return bounded(paper)


def read_bibliography(text: str, name: str) -> Bibliography:
    """Read a file by its ending (.bib, .json, .ris). Raises UsageError for another ending, for broken JSON, and for a file that is
    made so that it could not be read in any time or memory."""
    ending = name.lower().rpartition(".")[2]
    readers = {"bib": _bibtex, "bibtex": _bibtex, "json": _csl, "ris": _ris}
    if ending not in readers:
        raise UsageError(f"{name} is not a list of papers that can be read.", "Use a BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) file.")
    found = Bibliography()
    for entry in readers[ending](clean(text)):
        paper = entry.paper()
        if paper is None:
            found.left_out.append(f"{entry.label}: no title")
        else:
            found.papers.append(paper)
    return found


def _published(date: str, month: str) -> str | None:
    """The ISO date, as precise as it is given."""
    exact = re.search(r"\b((?:19|20)\d\d)[-/](\d{1,2})(?:[-/](\d{1,2}))?\b", date, re.ASCII)
    if exact and 1 <= int(exact[2]) <= 12:
        day = f"-{int(exact[3]):02d}" if exact[3] and 1 <= int(exact[3]) <= 31 else ""
        return f"{exact[1]}-{int(exact[2]):02d}{day}"
    year = _YEAR.search(date)
    if year is None:
        return None
    name = month.strip().lower()
    number = int(name) if re.fullmatch(r"\d\d?", name, re.ASCII) else _MONTHS.get(name[:3], 0)
    return f"{year[1]}-{number:02d}" if 1 <= number <= 12 else year[1]


# BibTeX


def _bibtex(text: str) -> Iterator[_Entry]:
    strings: dict[str, str] = {name: name for name in _MONTHS}
    left = SCANS * len(text) + LONGEST_VALUE
    for found in _ENTRY.finditer(text):
        kind, end = found[1].lower(), _closing(text, found.end() - 1)
        left -= end - found.start()
        if left < 0:
            raise UsageError("The braces of this BibTeX file are never closed, so it was not read.", "Export the list again.")
        body = text[found.end() : end]
        if kind == "string":
            strings.update(_pairs(body, strings))
        elif kind not in ("comment", "preamble"):
            key, _, rest = body.partition(",")
            fields = {name: _plain(value) for name, value in _pairs(rest, strings)}
            if fields and "=" not in key and "{" not in key:
                yield _bibtex_entry(key.strip(), fields)


def _bibtex_entry(key: str, fields: Mapping[str, str]) -> _Entry:
    names = (name.strip() for name in re.split(r"\s+and\s+", fields.get("author", "")))
    return _Entry(
        label=key,
        title=fields.get("title", ""),
        date=fields.get("date") or fields.get("year", ""),
        month=fields.get("month", ""),
        authors=[_given_name_first(name) for name in names if name not in ("", "others")],
        venue=fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle", ""),
        abstract=fields.get("abstract", ""),
        ids=[f"doi:{fields.get('doi', '')}", _bibtex_arxiv(fields), fields.get("url", "")],
    )


def _bibtex_arxiv(fields: Mapping[str, str]) -> str:
    """The arXiv id of an entry with its prefix; empty where its ``eprint`` is of another archive."""
    eprint = fields.get("eprint", "")
    archive = fields.get("archiveprefix", fields.get("eprinttype", "")).lower()
    return f"arXiv:{eprint}" if "arxiv" in archive or normalise_id(f"arXiv:{eprint}") else ""


def _closing(text: str, at: int) -> int:
    """Where the brace or bracket that opens at ``at`` is closed; the end of the text where it never is."""
    depth = 1
    for found in _BRACES[text[at]].finditer(text, at + 1):
        depth += 1 if found[0] in "{(" else -1
        if depth == 0:
            return found.start()
    return len(text)


def _pairs(body: str, strings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """``name = value`` pairs; a value is in braces, in quotes, a number or a name, joined by ``#``."""
    at = 0
    while found := _PAIR.search(body, at):
        at, parts, length = found.end(), list[str](), 0
        while at < len(body):
            part, at = _value(body, at, strings)
            parts.append(part)
            length += len(part)
            if length > LONGEST_VALUE:
                raise UsageError("A value of this BibTeX file is longer than a million characters.", "Export the list again.")
            joined = _JOINT.match(body, at)
            if joined is None:
                break
            at = joined.end()
        yield found[1].lower(), "".join(parts)


def _value(body: str, at: int, strings: Mapping[str, str]) -> tuple[str, int]:
    """One part of a value, and where it ends."""
    if body[at] in '{"':
        end = _closing(body, at) if body[at] == "{" else _quoted(body, at)
        return body[at + 1 : end], end + 1
    found = _WORD.match(body, at)
    word = found[0] if found else ""
    return strings.get(word.lower(), word), at + max(1, len(word))


def _quoted(body: str, at: int) -> int:
    """Where a quoted value ends: at a quote outside braces."""
    depth = 0
    for n in range(at + 1, len(body)):
        depth += {"{": 1, "}": -1}.get(body[n], 0)
        if body[n] == '"' and depth <= 0:
            return n
    return len(body)


def _plain(value: str) -> str:
    """LaTeX accents, letters and signs as characters, braces removed."""

    def accent(found: re.Match[str]) -> str:
        letter = (found[2] or found[3]).removeprefix("\\")
        return unicodedata.normalize("NFC", letter + _MARKS[found[1]])

    value = _ACCENT.sub(accent, _LITERAL.sub(lambda found: _HELD[found[1] or found[2] or found[3]], value))
    for latex in sorted(_LETTERS, key=len, reverse=True):
        pattern = re.escape(latex) + (r"(?![A-Za-z])\s?" if latex[-1].isalpha() else "")
        value = re.sub(pattern, lambda _m, letter=_LETTERS[latex]: letter, value)  # type: ignore[misc]
    return " ".join(re.sub(r"[{}]|\\[a-zA-Z]+\s*", "", value).split()).translate(_RELEASED)


def _given_name_first(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name.strip()


# CSL-JSON


def _csl(text: str) -> Iterator[_Entry]:
    try:
        check_parts(text.encode("utf-8", "replace"))
        items = json.loads(text)
    except RecursionError:
        raise UsageError("This JSON is nested too deeply to be a list of papers.", "Export the list again as CSL-JSON.") from None
    except ValueError as error:
        raise UsageError(f"This JSON cannot be read ({error}).", "Export the list again as CSL-JSON.") from None
    items = items.get("items", [items]) if isinstance(items, dict) else items
    for n, item in enumerate(as_list(items), start=1):
        yield _csl_entry(item, f"item {n}") if isinstance(item, dict) else _Entry(f"item {n}")


def _csl_entry(item: Mapping[str, Any], label: str) -> _Entry:
    number = _said(item.get("number"))
    return _Entry(
        label=_said(item.get("id")) or label,
        title=_said(item.get("title")),
        date=_csl_date(as_dict(item.get("issued"))),
        authors=[_csl_name(as_dict(person)) for person in as_list(item.get("author"))],
        venue=_said(item.get("container-title")),
        abstract=_said(item.get("abstract")),
        ids=[f"doi:{_said(item.get('DOI'))}", number if number.lower().startswith("arxiv:") else "", _said(item.get("URL"))],
    )


def _csl_name(person: Mapping[str, Any]) -> str:
    return _said(person.get("literal")) or f"{_said(person.get('given'))} {_said(person.get('family'))}"


def _said(value: object) -> str:
    """A text or a number as text; empty for anything else, which may be nested without end."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) and value else ""


def _csl_date(issued: Mapping[str, Any]) -> str:
    parts = as_list(next(iter(as_list(issued.get("date-parts"))), []))
    date = "-".join(f"{int(part):02d}" for part in map(_said, parts) if re.fullmatch(r"\d{1,4}", part, re.ASCII))
    return date or _said(issued.get("raw")) or _said(issued.get("literal"))


# RIS


def _ris(text: str) -> Iterator[_Entry]:
    """Entries of two-letter tags from TY to ER."""
    fields: dict[str, list[str]] = {}
    for line in [*text.splitlines(), "ER  - "]:
        found = re.match(r"^([A-Z][A-Z0-9])  ?-\s?(.*)$", line)
        if found is None:
            last = fields[next(reversed(fields))] if fields else []
            if last and len(last[-1]) < MOST_FIELD:  # a long field goes on in the next line
                last[-1] += f" {line.strip()}"
        elif found[1] != "ER":
            fields.setdefault(found[1], []).append(found[2].strip())
        else:
            if fields:
                yield _ris_entry(fields)
            fields = {}


def _ris_entry(fields: Mapping[str, list[str]]) -> _Entry:
    return _Entry(
        label=_first(fields, "ID", "TI", "T1") or "an entry",
        title=_first(fields, "TI", "T1"),
        date=_first(fields, "DA", "PY", "Y1"),
        authors=[_given_name_first(name) for name in _all(fields, "AU", "A1")],
        venue=_first(fields, "JO", "JF", "T2", "BT"),
        abstract=_first(fields, "AB", "N2"),
        ids=[f"doi:{doi}" for doi in _all(fields, "DO")] + _all(fields, "UR", "L1"),
    )


def _all(fields: Mapping[str, list[str]], *tags: str) -> list[str]:
    return [value for tag in tags for value in fields.get(tag, []) if value]


def _first(fields: Mapping[str, list[str]], *tags: str) -> str:
    return next(iter(_all(fields, *tags)), "")
