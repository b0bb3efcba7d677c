"""A researcher's own list of papers: BibTeX, CSL-JSON and RIS, read into the same records. A bad entry is told, the others are taken."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.literature.ids import normalise_id, paper_key
from coi_tui.literature.title_match import normalise_title
from coi_tui.model.errors import UsageError
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line

LIBRARY_NAME = "my library"
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_ENTRY = re.compile(r"@\s*(\w+)\s*[{(]")
_PAIR = re.compile(r"\s*([\w.:+-]+)\s*=\s*", re.ASCII)
_ACCENT = re.compile(r"\\([`'^\"~=.uvHckr])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))")
_MARKS = dict(zip("`'^\"~=.uvHckr", "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a", strict=True))
_LETTERS = {r"\ss": "ß", r"\ae": "æ", r"\AE": "Æ", r"\oe": "œ", r"\OE": "Œ", r"\aa": "å", r"\AA": "Å", r"\o": "ø", r"\O": "Ø", r"\l": "ł",
            r"\L": "Ł", r"\i": "ı", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_",
            "---": "—", "--": "–", "~": " "}  # fmt: skip
_MONTHS = {name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}  # noqa: SIM905


@dataclass
class Bibliography:
    """The papers of a file in its order, and a sentence for each entry that could not be taken."""

    papers: list[Paper] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_bibliography(text: str, name: str) -> Bibliography:
    """Read a file by its ending (.bib, .json, .ris). Raises UsageError for another ending and for JSON that is none."""
    ending = name.lower().rpartition(".")[2]
    readers = {"bib": _bibtex, "bibtex": _bibtex, "json": _csl, "ris": _ris}
    if ending not in readers:
        raise UsageError(f"{name} is no list of papers that can be read.", "Take a BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) file.")
    found = Bibliography()
    for label, fields in readers[ending](clean(text)):
        paper = _paper(fields)
        if paper is None:
            found.left_out.append(f"{label}: no title")
        else:
            found.papers.append(paper)
    return found


def _paper(fields: Mapping[str, Any]) -> Paper | None:
    title = clean_line(str(fields.get("title") or ""))
    if not normalise_title(title):
        return None
    ids = {scheme: value for text in fields["ids"] if text and (pair := normalise_id(text)) for scheme, value in [pair]}
    year = _YEAR.search(str(fields.get("date") or ""))
    return Paper(
        id=paper_key(ids) if ids else f"title:{digest([normalise_title(title), year[1] if year else ''])[:16]}", ids=ids, title=title,
        year=int(year[1]) if year else None, published=_published(str(fields.get("date") or ""), fields.get("month")),
        authors=tuple(a for a in map(clean_line, fields.get("authors") or ()) if a),
        venue=clean_line(str(fields.get("venue") or "")) or None,
        abstract=clean(str(fields.get("abstract") or "")).strip() or None, source=LIBRARY_NAME,
    )  # fmt: skip


def _published(date: str, month: Any) -> str | None:
    """ISO date as precise as it is given."""
    exact = re.search(r"\b((?:19|20)\d\d)[-/](\d{1,2})(?:[-/](\d{1,2}))?\b", date)
    if exact and 1 <= int(exact[2]) <= 12:
        day = f"-{int(exact[3]):02d}" if exact[3] and 1 <= int(exact[3]) <= 31 else ""
        return f"{exact[1]}-{int(exact[2]):02d}{day}"
    year = _YEAR.search(date)
    said = str(month or "").strip().lower()
    number = int(said) if said.isdigit() else _MONTHS.get(said[:3], 0)
    if year is None:
        return None
    return f"{year[1]}-{number:02d}" if 1 <= number <= 12 else year[1]


# -- BibTeX -------------------------------------------------------------------------------------------------------


def _bibtex(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    strings: dict[str, str] = dict.fromkeys(_MONTHS, "")
    strings.update({name: name for name in _MONTHS})
    for found in _ENTRY.finditer(text):
        kind, end = found[1].lower(), _closing(text, found.end() - 1)
        body = text[found.end() : end]
        if kind in ("comment", "preamble"):
            continue
        if kind == "string":
            strings.update(_pairs(body, strings))
            continue
        key, _, rest = body.partition(",")
        if "=" in key or "{" in key:
            continue
        raw = {name: _plain(value) for name, value in _pairs(rest, strings)}
        if not raw:
            continue
        eprint = raw.get("eprint", "")
        arxiv = eprint if "arxiv" in raw.get("archiveprefix", raw.get("eprinttype", "")).lower() or normalise_id(f"arXiv:{eprint}") else ""
        yield key.strip(), {
            "title": raw.get("title"), "date": raw.get("date") or raw.get("year"), "month": raw.get("month"),
            "authors": [_turned(a) for a in re.split(r"\s+and\s+", raw.get("author", "")) if a.strip() and a.strip() != "others"],
            "venue": raw.get("journal") or raw.get("journaltitle") or raw.get("booktitle"), "abstract": raw.get("abstract"),
            "ids": [raw.get("doi") and f"doi:{raw['doi']}", arxiv and f"arXiv:{arxiv}", raw.get("url")],
        }  # fmt: skip


def _closing(text: str, at: int) -> int:
    """Where the brace or bracket that opens at ``at`` is closed; the end of the text where it never is."""
    depth, opening = 0, text[at]
    closing = "}" if opening == "{" else ")"
    for n in range(at, len(text)):
        if text[n] in "{" + opening and text[n - 1 : n] != "\\":
            depth += 1
        elif text[n] in "}" + closing and text[n - 1 : n] != "\\":
            depth -= 1
            if depth == 0:
                return n
    return len(text)


def _pairs(body: str, strings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """``name = value`` pairs; a value is in braces, in quotes, a number or a name, joined by ``#``."""
    at = 0
    while found := _PAIR.search(body, at):
        at, value = found.end(), ""
        while at < len(body):
            if body[at] == "{":
                end = _closing(body, at)
                value, at = value + body[at + 1 : end], end + 1
            elif body[at] == '"':
                end = _quoted(body, at)
                value, at = value + body[at + 1 : end], end + 1
            else:
                word = re.match(r"[\w.+:-]*", body[at:])
                said = word[0] if word else ""
                value, at = value + strings.get(said.lower(), said), at + max(1, len(said))
            joined = re.match(r"\s*#\s*", body[at:])
            if joined is None:
                break
            at += joined.end()
        yield found[1].lower(), value


def _quoted(body: str, at: int) -> int:
    """Where a quoted value ends: at a quote outside braces."""
    depth = 0
    for n in range(at + 1, len(body)):
        depth += {"{": 1, "}": -1}.get(body[n], 0)
        if body[n] == '"' and depth <= 0:
            return n
    return len(body)


def _plain(value: str) -> str:
    """LaTeX accents and letters as characters, braces taken off."""

    def accent(found: re.Match[str]) -> str:
        letter = (found[2] or found[3]).removeprefix("\\")
        return unicodedata.normalize("NFC", letter + _MARKS[found[1]])

    value = _ACCENT.sub(accent, value)
    for latex in sorted(_LETTERS, key=len, reverse=True):
        pattern = re.escape(latex) + (r"(?![A-Za-z])\s?" if latex[-1].isalpha() else "")
        value = re.sub(pattern, lambda _m, said=_LETTERS[latex]: said, value)  # type: ignore[misc]
    return " ".join(re.sub(r"[{}]|\\[a-zA-Z]+\s*", "", value).split())


def _turned(name: str) -> str:
    """``Bar, Ann`` as ``Ann Bar``."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name.strip()


# -- CSL-JSON and RIS ---------------------------------------------------------------------------------------------


def _csl(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise UsageError(f"This JSON cannot be read ({error}).", "Export the list again as CSL-JSON.") from None
    items = items.get("items", [items]) if isinstance(items, dict) else items
    for n, item in enumerate(items if isinstance(items, list) else [], start=1):
        if not isinstance(item, dict):
            yield f"item {n}", {"ids": []}
            continue
        issued = _dict(item.get("issued"))
        parts = _list(next(iter(_list(issued.get("date-parts"))), []))
        date = "-".join(f"{int(p):02d}" for p in parts if str(p).isdigit())
        people = [_dict(a) for a in _list(item.get("author"))]
        names = [a.get("literal") or f"{a.get('given') or ''} {a.get('family') or ''}" for a in people]
        doi, number = item.get("DOI"), item.get("number")
        yield str(item.get("id") or f"item {n}"), {
            "title": item.get("title"), "date": date or issued.get("raw") or issued.get("literal"), "authors": [str(a) for a in names],
            "venue": item.get("container-title") if isinstance(item.get("container-title"), str) else None,
            "abstract": item.get("abstract"),
            "ids": [doi and f"doi:{doi}", str(number) if str(number).lower().startswith("arxiv:") else "", str(item.get("URL") or "")],
        }  # fmt: skip


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _ris(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Entries of two-letter tags from TY to ER."""
    entry: dict[str, list[str]] = {}
    for line in [*text.splitlines(), "ER  - "]:
        found = re.match(r"^([A-Z][A-Z0-9])  ?-\s?(.*)$", line)
        if found is None:
            if entry:  # a long field goes on in the next line
                last = next(reversed(entry))
                entry[last][-1] += f" {line.strip()}"
            continue
        if found[1] != "ER":
            entry.setdefault(found[1], []).append(found[2].strip())
            continue
        if entry:
            yield _first(entry, "ID", "TI", "T1") or "an entry", {
                "title": _first(entry, "TI", "T1"), "date": _first(entry, "DA", "PY", "Y1"),
                "authors": list(map(_turned, _all(entry, "AU", "A1"))),
                "venue": _first(entry, "JO", "JF", "T2", "BT"), "abstract": _first(entry, "AB", "N2"),
                "ids": [f"doi:{d}" for d in _all(entry, "DO")] + _all(entry, "UR", "L1"),
            }  # fmt: skip
        entry = {}


def _all(entry: Mapping[str, list[str]], *tags: str) -> list[str]:
    return [value for tag in tags for value in entry.get(tag, []) if value]


def _first(entry: Mapping[str, list[str]], *tags: str) -> str:
    return next(iter(_all(entry, *tags)), "")
