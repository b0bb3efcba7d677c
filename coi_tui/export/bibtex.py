"""The session's papers as BibTeX: those of the chains and of the novelty reports in use (COI-16)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from coi_tui.export.bibliography import Bibliography, address_of, ids_of
from coi_tui.export.snapshot import SessionSnapshot
from coi_tui.model.content import NoveltyReport
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", **{c: f"\\{c}" for c in "%&_#${}"}}
_SMALL = frozenset((
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "of", "on", "or", "the", "to", "via", "with", "what", "why",
    "how",
))  # fmt: skip
"""Words of a title that say nothing in a key."""

_JOURNAL = re.compile(r"journal|transactions|letters|review|nature|science|tacl|jmlr|tmlr", re.IGNORECASE)
_MEETING = re.compile(
    r"proceedings|conference|workshop|symposium|neurips|nips|icml|iclr|[en]*acl\b|emnlp|coling|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir|www\b|chi\b|uist",
    re.IGNORECASE,
)


def bibtex(snapshot: SessionSnapshot) -> str:
    """One entry a paper, in order of date, with keys of their own (``wei2022chain``)."""
    bibliography = Bibliography(snapshot.state.papers)
    for paper_id in session_papers(snapshot):
        bibliography.number(paper_id)
    papers = sorted(bibliography.entries(), key=lambda p: (p.when, p.id))
    taken: set[str] = set()
    return "\n".join(_entry(_key(paper, taken), paper) for paper in papers) or "% No paper is in a chain or in a novelty report yet.\n"


def session_papers(snapshot: SessionSnapshot) -> Iterator[str]:
    """Papers of every chain, then those of every novelty report in use."""
    state = snapshot.state
    for branch in state.branches:
        yield from (s.paper for s in state.filled(branch) if s.paper)
    for branch in state.branches:
        report = state.read(f"{branch}/nov", NoveltyReport)
        yield from (compared.paper for compared in report.papers) if report else ()


def escape_tex(text: object) -> str:
    """A text for LaTeX: its ten special characters escaped, on one line."""
    return "".join(_TEX.get(c, c) for c in clean_line(text))


def _key(paper: Paper, taken: set[str]) -> str:
    """Last name, year and first telling word of the title, in ASCII; a letter more where that is taken."""
    who = _ascii(paper.authors[0].split(",")[0].split()[-1]) if paper.authors and paper.authors[0].strip(", ") else ""
    words = [w for w in map(_ascii, re.split(r"[\s\-:/]+", paper.title)) if w and w not in _SMALL]
    base = f"{who or 'anon'}{paper.year or 'nd'}{words[0] if words else 'paper'}"
    key, n = base, 1
    while key in taken:
        n += 1
        key = f"{base}{_letters(n)}"
    taken.add(key)
    return key


def _letters(n: int) -> str:
    """2 = b ... 26 = z, 27 = aa."""
    return (_letters((n - 1) // 26) if n > 26 else "") + chr(ord("a") + (n - 1) % 26)


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold())


def _entry(key: str, paper: Paper) -> str:
    ids, kind = ids_of(paper), _kind(paper)
    fields = {"title": "{" + escape_tex(paper.title) + "}", "author": " and ".join(map(_author, paper.authors))}
    fields["year"] = str(paper.year) if paper.year is not None else ""
    fields[{"article": "journal", "inproceedings": "booktitle"}.get(kind, "howpublished")] = escape_tex(paper.venue)
    fields["doi"] = escape_tex(ids.get("DOI"))
    if "arXiv" in ids:
        fields |= {"eprint": escape_tex(ids["arXiv"]), "archiveprefix": "arXiv"}
    fields["url"] = address_of(paper)
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _kind(paper: Paper) -> str:
    """What the venue's name says plainly; else ``misc``."""
    venue = paper.venue or ""
    if "arxiv" in venue.casefold():
        return "misc"
    return "inproceedings" if _MEETING.search(venue) else "article" if _JOURNAL.search(venue) else "misc"


def _author(name: str) -> str:
    """A name that holds the word ``and`` is kept together."""
    said = escape_tex(name)
    return f"{{{said}}}" if re.search(r"\band\b", said) else said
