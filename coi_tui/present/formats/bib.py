"""The references as BibTeX (COI-16), which Zotero, EndNote and pandoc read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from coi_tui.model.content import NoveltyReport
from coi_tui.model.papers import Paper, order_key
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import address_of, ids_of
from coi_tui.present.formats import Format
from coi_tui.present.formats.md import render
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX, ProposalOptions, SessionSnapshot

_JOURNAL = re.compile(
    r"journal|transactions|letters|review|nature|science|tacl|jmlr|tmlr", re.IGNORECASE
)
_MEETING = re.compile(
    r"proceedings|conference|workshop|symposium|neurips|nips|icml|iclr|[en]*acl\b|emnlp|coling|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir|www\b|chi\b|uist",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\band\b|&|\b(?:team|group|consortium|collaboration|project|institute|university|laborator(?:y|ies))\b",
    re.IGNORECASE,
)
"""Words that the name of a group has, and that of a person has not."""
_SMALL = "a an and as at by for from in into is of on or the to via with what why how"
"""Words of a title that say nothing in a key."""
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
    """The papers of the chains and of the novelty reports in use, and all that the proposal
    cites."""
    proposal = Proposal(snapshot, WITH_APPENDIX)
    render(proposal)
    for paper_id in _session_papers(snapshot):
        proposal.bibliography.number(paper_id)
    return entries(proposal.bibliography.entries()) or (
        "% No paper is in a chain or in a novelty report yet.\n"
    )


def entries(papers: Iterable[Paper]) -> str:
    """One entry a paper, in order of date, with keys of their own (``wei2022chain``)."""
    found: dict[str, str] = {}
    for paper in sorted(papers, key=order_key):
        base = key = _key(paper)
        n = 1
        while key in found:
            n += 1
            key = f"{base}{n}"
        found[key] = entry(key, paper)
    return "\n".join(found.values())


def _session_papers(snapshot: SessionSnapshot) -> Iterator[str]:
    """Papers of every chain, then those of every novelty report in use."""
    state = snapshot.state
    for branch in state.branches:
        yield from (s.paper for s in state.filled(branch) if s.paper)
        report = state.read(f"{branch}/nov", NoveltyReport)
        yield from (compared.paper for compared in report.papers) if report else ()


def entry(key: str, paper: Paper) -> str:
    """A paper as an entry of a .bib file; its kind is what the venue's name says plainly."""
    venue, ids = clean_line(paper.venue), ids_of(paper)
    kind, field = "misc", "howpublished"
    if "arxiv" not in venue.casefold():
        if _MEETING.search(venue):
            kind, field = "inproceedings", "booktitle"
        elif _JOURNAL.search(venue):
            kind, field = "article", "journal"
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
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def escape_tex(text: object) -> str:
    """A text for LaTeX on one line: its ten special characters and the backtick escaped."""
    return "".join(_TEX.get(c, c) for c in clean_line(text))


def _author(name: str) -> str:
    """A name as BibTeX reads it, ``Maarten van der Berg``; that of a group is in braces."""
    text = escape_tex(name)
    return f"{{{text}}}" if _GROUP.search(text) or text.count(",") > 1 else text


def _key(paper: Paper) -> str:
    """Last name, year and first telling word of the title, in ASCII: ``wei2022chain``."""
    family = paper.authors[0].split(",")[0].split()[-1:] if paper.authors else []
    words = [
        w for w in map(_ascii, re.split(r"[\s\-:/]+", paper.title)) if w and w not in _SMALL.split()
    ]
    who = "".join(map(_ascii, family)) or "anon"
    return f"{who}{paper.year or 'nd'}{words[0] if words else 'paper'}"


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold())


FORMAT = Format("the references as BibTeX, for Zotero, EndNote and pandoc", bibtex)
