"""The references as BibTeX (COI-16)."""

from __future__ import annotations

import re
from itertools import accumulate

from coi_tui.model.text import clean_line
from coi_tui.present.references import Name, Reference, references
from coi_tui.present.snapshot import SessionSnapshot

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\`{}",
} | {c: f"\\{c}" for c in "%&_#${}"}
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=<)(?=<)|(?<=>)(?=>)|(?<=,)(?=,)|(?<=')(?=')")
"""Between two characters that the fonts join to another: a dash, or quotation marks."""


def escape_tex(text: object) -> str:
    """A text for LaTeX on one line: its ten special characters and the backtick escaped, and no two
    characters joined to one."""
    return _LIGATURE.sub("{}", "".join(_TEX.get(c, c) for c in clean_line(text)))


def balanced(text: str) -> str:
    """An escaped text for a field of BibTeX, which counts braces with no regard to the backslash
    before them."""
    depths = list(accumulate((c == "{") - (c == "}") for c in text))
    if min(depths, default=0) >= 0 and depths[-1:] in ([], [0]):
        return text
    return text.replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def bibtex(snapshot: SessionSnapshot) -> str:
    """One entry a paper, in order of date, with keys of their own (``wei2022chain``)."""
    return (
        "\n".join(map(entry, references(snapshot)))
        or "% No paper is in a chain or in a novelty report yet.\n"
    )


def entry(ref: Reference) -> str:
    """A paper as an entry of a .bib file."""
    fields = {
        "title": "{" + escape_tex(ref.title) + "}",
        "author": " and ".join(map(_author, ref.authors)),
    }
    fields["year"] = str(ref.date[0]) if ref.date else ""
    fields[{"article": "journal", "inproceedings": "booktitle"}.get(ref.kind, "howpublished")] = (
        escape_tex(ref.venue)
    )
    fields["doi"] = escape_tex(ref.doi)
    if ref.arxiv:
        fields |= {"eprint": escape_tex(ref.arxiv), "archiveprefix": "arXiv"}
    fields["url"] = ref.url
    lines = [f"  {name} = {{{balanced(value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{ref.kind}{{{ref.key},", *lines, "}", ""])


def _author(name: Name) -> str:
    """A name as it is read, ``Jason Wei``; that of a group is kept together, and with a suffix the
    family name is first."""
    family = escape_tex(name.family)
    if not name.given:
        return f"{{{family}}}" if " " in family or "," in family else family
    if name.suffix or " " in name.family:
        return ", ".join(
            escape_tex(part)
            for part in (f"{name.particle} {name.family}".strip(), name.suffix, name.given)
            if part
        )
    return escape_tex(f"{name.given} {name.particle} {name.family}")  # blanks are joined
