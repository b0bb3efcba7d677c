"""Which paper a PDF of the researcher's own is: by the DOI or arXiv id on its first pages, else by its title. Never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.ids import Id, known_ids, normalise_id, paper_key, with_id
from coi_tui.literature.title_match import THRESHOLD, compact_title, match_title, normalise_title, title_similarity
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_STAMP = re.compile(r"arXiv:\s?((?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)\s*(\[[\w.-]+\])?", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}(?:\.\d+)*/[^\s\"<>]+", re.IGNORECASE)
_REFERENCES = re.compile(r"^\s*(?:\d+\.?\s+)?(?:references|bibliography)\s*$", re.IGNORECASE | re.MULTILINE)
_NO_TITLE = re.compile(r"^(?:untitled|title|microsoft word\b.*|.*\.(?:docx?|tex|dvi|pdf|indd|qxd))$", re.IGNORECASE)
LEAST_WORDS, MOST_WORDS = 2, 40
"""Fewer or more words than these are no title."""
NEAR = 0.5
"""Titles less like than this are not offered as what may be meant."""
OFFERED = 3
_UNSURE = "the ids on its first pages may be of papers it cites, and no known paper has its title"


@dataclass(frozen=True)
class Candidate:
    """A paper that may be meant, with the likeness of the titles, 0 to 1."""

    paper: Paper
    score: float


@dataclass(frozen=True)
class Identification:
    """``paper`` where it is sure, with ``how`` in words; else None, with ``why`` not, and what may be meant, the likeliest first."""

    paper: Paper | None
    how: str = ""
    why: str = ""
    near: tuple[Candidate, ...] = ()
    title: str = ""


def titles_of(looked: ExtractedPdf) -> list[str]:
    """What may be the title: as the file says, then the largest letters of page one."""
    said = [looked.said.get("Title", ""), *looked.largest[:2]]
    shown = dict.fromkeys(clean_line(t) for t in said)
    return [t for t in shown if LEAST_WORDS <= len(t.split()) <= MOST_WORDS and not _NO_TITLE.match(t)]


def ids_of(looked: ExtractedPdf) -> tuple[list[Id], list[Id]]:
    """Identifiers that the file says are its own (its properties, a preprint's stamp on page one), and those that merely stand there."""
    first = looked.pages[0] if looked.pages else ""
    pages = [_before_references(page) for page in looked.pages]
    own = [i for text in looked.said.values() for i in _ids(text)]
    own += [i for m in _STAMP.finditer(first) if m[2] and (i := normalise_id(m[1]))]
    there = [i for page in pages for i in _ids(page)]
    own = list(dict.fromkeys(own))
    return own, [i for i in dict.fromkeys(there) if i not in own]


def identify_pdf(looked: ExtractedPdf, known: Sequence[Paper]) -> Identification:
    """The paper that a PDF is, among those known or as it describes itself; several that fit, or none, are asked about."""
    titles = titles_of(looked)
    own, there = ids_of(looked)
    for ids, sure in ((own, True), (there, False)):
        found = [_of_ids(looked, pair, known, titles, sure) for pair in ids]
        taken = {i.paper.id: i for i in found if i.paper is not None}
        if len(taken) == 1:
            return next(iter(taken.values()))
        if len(taken) > 1:
            near = tuple(Candidate(i.paper, _likest(titles, i.paper)) for i in taken.values() if i.paper is not None)
            return Identification(None, why="it names several papers", near=near, title=titles[0] if titles else "")
        if found and (sure or not titles):
            return found[0]
    by_title = _of_title(titles, looked, known)
    return by_title if by_title.paper is not None or not there else replace(by_title, why=_UNSURE)


def paper_named(said: str, looked: ExtractedPdf, known: Sequence[Paper]) -> Paper:
    """The paper that the researcher names by an id or a title: a known one, else one made of that id or title."""
    pair = normalise_id(said)
    titles = titles_of(looked)
    if pair is not None:
        return with_id(known, pair) or _made(titles[0] if titles else clean_line(said), [pair])
    wanted = normalise_title(said)
    same = [p for p in known if normalise_title(p.title) == wanted or p.id == clean_line(said)]
    return same[0] if len(same) == 1 else _made(clean_line(said), [])


def _ids(text: str) -> list[Id]:
    found = [normalise_id(m[0]) for m in _DOI.finditer(text)] + [normalise_id(m[1]) for m in _STAMP.finditer(text)]
    return [i for i in found if i is not None]


def _before_references(page: str) -> str:
    found = _REFERENCES.search(page)
    return page[: found.start()] if found else page


def _of_ids(looked: ExtractedPdf, pair: Id, known: Sequence[Paper], titles: Sequence[str], sure: bool) -> Identification:
    """What one identifier says. That of a known paper must agree with the page: a first page may cite others."""
    paper, name = with_id(known, pair), f"{pair[0]} {pair[1]}"
    if paper is not None:
        if _shows(looked, paper.title) or any(title_similarity(t, paper.title).score >= THRESHOLD for t in titles):
            return Identification(paper, f"by {name}")
        why = f"it names {name}, but its first page does not show that paper's title"
        return Identification(None, why=why, near=(Candidate(paper, _likest(titles, paper)),), title=titles[0] if titles else "")
    on_first = bool(looked.pages) and pair in _ids(looked.pages[0])
    if not titles or not (sure or (on_first and len(set(_ids(_before_references(looked.pages[0])))) == 1)):
        return Identification(None, why=f"it names {name}, which may be a paper it cites", title=titles[0] if titles else "")
    same = _of_title(titles, looked, known).paper
    if same is not None and known_ids(same).get(pair[0]) is None:  # the same paper, known so far by another of its ids
        return Identification(same.model_copy(update={"ids": {**known_ids(same), pair[0]: pair[1]}}), f"by {name} and its title")
    return Identification(_made(titles[0], [pair]), f"by {name}; the title is the PDF's own")


def _of_title(titles: Sequence[str], looked: ExtractedPdf, known: Sequence[Paper]) -> Identification:
    authors = tuple(a.strip() for a in re.split(r";|,| and ", looked.said.get("Author", "")) if a.strip())
    for title in titles:
        found = match_title(title, known, None, authors)
        if found.paper is not None:
            return Identification(found.paper, f"by its title ({found.score:.2f})", title=title)
    different = {compact_title(p.title): p for p in reversed(known)}.values() if titles else ()
    scored = sorted(((_likest(titles, p), p) for p in different), key=lambda s: (-s[0], s[1].id))[:OFFERED]
    near = tuple(Candidate(p, score) for score, p in scored if score >= NEAR)
    why = "no id stands on its first pages, and no known paper has its title" if titles else "neither an id nor a title was found in it"
    return Identification(None, why=why, near=near, title=titles[0] if titles else "")


def _likest(titles: Sequence[str], paper: Paper) -> float:
    return max((title_similarity(t, paper.title).score for t in titles), default=0.0)


def _shows(looked: ExtractedPdf, title: str) -> bool:
    """Whether the title stands on the first page."""
    wanted = compact_title(title)
    return bool(wanted) and bool(looked.pages) and wanted in compact_title(looked.pages[0][:6000])


def shows_paper(looked: ExtractedPdf, paper: Paper) -> bool:
    """Whether the first pages look like this paper's: they show its title or one of its ids."""
    own, there = ids_of(looked)
    mine = set(known_ids(paper).items())
    return _shows(looked, paper.title) or bool(mine & {*own, *there}) or _likest(titles_of(looked), paper) >= THRESHOLD


def _made(title: str, ids: Sequence[Id]) -> Paper:
    """A paper known by its PDF alone. No abstract is taken from it: abstracts go into many prompts, this text into one."""
    named = dict(ids)
    year = _year(named.get("arXiv", ""))
    key = paper_key(named) if named else f"title:{digest([normalise_title(title), ''])[:16]}"
    return Paper(id=key, ids=named, title=title, year=year, source=LIBRARY_NAME)


def _year(arxiv: str) -> int | None:
    """The year of a new-style arXiv id."""
    return 2000 + int(arxiv[:2]) if re.match(r"\d{4}\.\d", arxiv) else None
