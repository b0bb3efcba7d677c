"""The references as BibTeX (COI-16), which Zotero, EndNote and pandoc read."""

from __future__ import annotations

import re

from coi_tui.model.papers import Paper, order_key
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import address_of, ids_of
from coi_tui.present.formats import Format
from coi_tui.present.formats.md import render
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot

_JOURNAL = re.compile(
    r"journal|transactions|letters|review|nature|science|tacl|jmlr|tmlr", re.IGNORECASE
)
_MEETING = re.compile(
    r"proceedings|conference|workshop|symposium|neurips|nips|icml|iclr|[en]*acl\b|emnlp|coling|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir|www\b|chi\b|uist",
    re.IGNORECASE,
)
GROUP = re.compile(
    r"\band\b|&|\b(?:team|group|consortium|collaboration|project|institute|university|laborator(?:y|ies))\b",
    re.IGNORECASE,
)
"""Words that the name of a group has, and that of a person has not."""
_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\`{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
} | {c: f"\\{c}" for c in "%&_#$"}
"""BibTeX counts braces with no regard to a backslash before them: they are written as commands."""


def bibtex(snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> str:
    """The papers that the proposal cites, and with its appendix those of that."""
    proposal = Proposal(snapshot, options)
    render(proposal)
    cited = proposal.bibliography
    found = [entry(cited.keys[p.id], p) for p in sorted(cited.entries(), key=order_key)]
    return "\n".join(found) or "% The proposal cites no paper yet.\n"


def kind_of(paper: Paper) -> tuple[str, ...]:
    """The kind of a paper, which is what the venue's name says plainly: in BibTeX with the field of
    the venue, in RIS and in CSL."""
    venue = clean_line(paper.venue)
    if "arxiv" not in venue.casefold():
        if _MEETING.search(venue):
            return "inproceedings", "booktitle", "CONF", "paper-conference"
        if _JOURNAL.search(venue):
            return "article", "journal", "JOUR", "article-journal"
    return "misc", "howpublished", "GEN", "article"


def entry(key: str, paper: Paper, whole: bool = False) -> str:
    """A paper as an entry of a .bib file; ``whole``: with its abstract and all that it is known
    by, for a list that is read again."""
    venue, ids, (kind, field, *_) = clean_line(paper.venue), ids_of(paper), kind_of(paper)
    if whole:
        field = field.replace("howpublished", "journal")
    fields = {
        "title": "{" + escape_tex(paper.title) + "}",
        "author": " and ".join(map(_author, paper.authors)),
        "year": str(paper.year or ""),
        field: escape_tex(venue),
        "doi": escape_tex(ids.get("DOI")),
        "eprint": escape_tex(ids.get("arXiv")),
        "archiveprefix": "arXiv" if ids.get("arXiv") else "",
        "url": address_of(paper),
        "note": escape_tex("; ".join(paper.notices)),
    }
    if whole:
        more = {"date": paper.published, "abstract": paper.abstract, **ids}
        fields |= {
            name.lower(): escape_tex(more[name]) for name in more if name not in ("DOI", "arXiv")
        }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def escape_tex(text: object) -> str:
    """A text for LaTeX on one line: its ten special characters and the backtick escaped."""
    return "".join(_TEX.get(c, c) for c in clean_line(text))


def _author(name: str) -> str:
    """A name as BibTeX reads it, ``Maarten van der Berg``; that of a group is in braces."""
    text = escape_tex(name)
    return f"{{{text}}}" if GROUP.search(text) or text.count(",") > 1 else text


FORMAT = Format("the references as BibTeX, for Zotero, EndNote and pandoc", bibtex)
