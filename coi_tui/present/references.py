"""The papers that an export cites, as reference managers want them: one key, kind, split names and
identifiers for every format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.model.content import NoveltyReport
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import address_of, ids_of
from coi_tui.present.markdown import cited_papers
from coi_tui.present.snapshot import SessionSnapshot

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

_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)


@dataclass(frozen=True)
class Name:
    """A person's name in its parts; of a group, or of one word, all of it stands in ``family``."""

    family: str
    given: str = ""
    particle: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class Reference:
    """A paper with the key by which the proposal and every list of references name it.

    ``kind`` is ``article``, ``inproceedings`` or ``misc``; ``date`` has the year, and month and day
    where they are known.
    """

    key: str
    kind: str
    title: str
    authors: tuple[Name, ...]
    date: tuple[int, ...]
    venue: str
    doi: str
    arxiv: str
    url: str


def references(snapshot: SessionSnapshot) -> list[Reference]:
    """Papers of the chains, of the novelty reports in use, and all that the proposal can cite; each
    once, oldest first."""
    bibliography = cited_papers(snapshot)
    for paper_id in session_papers(snapshot):
        bibliography.number(paper_id)
    papers = sorted(bibliography.entries(), key=lambda p: (p.when, p.id))
    return [reference_of(bibliography.key(paper.id), paper) for paper in papers]


def session_papers(snapshot: SessionSnapshot) -> Iterator[str]:
    """Papers of every chain, then those of every novelty report in use."""
    state = snapshot.state
    for branch in state.branches:
        yield from (s.paper for s in state.filled(branch) if s.paper)
    for branch in state.branches:
        report = state.read(f"{branch}/nov", NoveltyReport)
        yield from (compared.paper for compared in report.papers) if report else ()


def reference_of(key: str, paper: Paper) -> Reference:
    """A paper under its key, as reference managers want it."""
    ids = ids_of(paper)
    return Reference(
        key,
        _kind(paper),
        clean_line(paper.title),
        tuple(map(split_name, paper.authors)),
        _date(paper),
        clean_line(paper.venue),
        clean_line(ids.get("DOI")),
        clean_line(ids.get("arXiv")),
        address_of(paper),
    )


def _kind(paper: Paper) -> str:
    """What the venue's name says plainly; else ``misc``."""
    venue = paper.venue or ""
    if "arxiv" in venue.casefold():
        return "misc"
    return (
        "inproceedings"
        if _MEETING.search(venue)
        else "article"
        if _JOURNAL.search(venue)
        else "misc"
    )


def _date(paper: Paper) -> tuple[int, ...]:
    """The year of the record, with month and day where they are of the same year."""
    found = _DATE.fullmatch(paper.published or "")
    parts = tuple(int(part) for part in found.groups() if part) if found else ()
    if paper.year is None or parts[:1] == (paper.year,):
        return parts
    return (paper.year,)


def split_name(name: str) -> Name:
    """``Maarten van der Berg`` in its parts: small words before the last one belong to the family
    name, ``Jr.`` is a suffix."""
    said = clean_line(name)
    before, comma, after = said.partition(",")
    if _GROUP.search(said) or not said.strip(", ") or "," in after:
        return Name(said)
    if comma:
        return Name(before.strip(), after.strip())
    words = said.split()
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    first = next((n for n, word in enumerate(words[:-1]) if n and word.islower()), len(words) - 1)
    return Name(words[-1], " ".join(words[:first]), " ".join(words[first:-1]), suffix)
