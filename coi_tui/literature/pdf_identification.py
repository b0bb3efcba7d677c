"""Which paper a researcher's own PDF is: by the DOI or arXiv id on its first pages, else by its title. Never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.ids import Id, known_ids, normalise_id, paper_key, with_id
from coi_tui.literature.paper_limits import bounded
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
LEAST_SCORE = 0.5
"""Papers whose titles are less similar than this are not proposed."""
MOST_CANDIDATES = 3
_UNSURE = "the ids on its first pages may be of papers it cites, and no known paper has its title"


@dataclass(frozen=True)
class Candidate:
    """A paper that the PDF may be, with the similarity of the titles, 0 to 1."""

    paper: Paper
    score: float


@dataclass(frozen=True)
class Identification:
    """``paper`` where it is certain, with ``how`` in words; else None, with ``why`` not, and the candidates, the most similar first."""

    paper: Paper | None
    how: str = ""
    why: str = ""
    candidates: tuple[Candidate, ...] = ()
    title: str = ""


def titles_of(pdf: ExtractedPdf) -> list[str]:
    """What may be the title: as its metadata say, then the largest text of page one."""
    given = dict.fromkeys(clean_line(t) for t in (pdf.metadata.get("Title", ""), *pdf.largest[:2]))
    return [t for t in given if LEAST_WORDS <= len(t.split()) <= MOST_WORDS and not _NO_TITLE.match(t)]


def ids_of(pdf: ExtractedPdf) -> tuple[list[Id], list[Id]]:
    """Identifiers that are its own (from its metadata, or a preprint's stamp on page one), and others that are on its first pages."""
    own = [pair for text in pdf.metadata.values() for pair in _ids_in(text)]
    own += [pair for found in _STAMP.finditer(_first_page(pdf)) if found[2] and (pair := normalise_id(found[1]))]
    others = [pair for page in pdf.pages for pair in _ids_in(_before_references(page))]
    return list(dict.fromkeys(own)), [pair for pair in dict.fromkeys(others) if pair not in own]


def identify_pdf(pdf: ExtractedPdf, known: Sequence[Paper]) -> Identification:
    """The paper that a PDF is, among those known or as it describes itself. Where several fit, or none, the researcher must say."""
    titles = titles_of(pdf)
    own, others = ids_of(pdf)
    by_own_ids = [_by_id(pdf, pair, known, titles, certain=True) for pair in own]
    if decided := _one_paper(by_own_ids, titles):
        return decided
    if by_own_ids:
        return by_own_ids[0]
    by_other_ids = [_by_id(pdf, pair, known, titles, certain=False) for pair in others]
    if decided := _one_paper(by_other_ids, titles):
        return decided
    if by_other_ids and not titles:
        return by_other_ids[0]
    by_title = _by_title(titles, pdf, known)
    return by_title if by_title.paper is not None or not others else replace(by_title, why=_UNSURE)


def paper_named(named: str, pdf: ExtractedPdf, known: Sequence[Paper]) -> Paper:
    """The paper that the researcher names by an id or a title: a known one, else one made of that id or title."""
    pair = normalise_id(named)
    titles = titles_of(pdf)
    if pair is not None:
        return with_id(known, pair) or _new_paper(titles[0] if titles else clean_line(named), [pair])
    wanted = normalise_title(named)
    same = [p for p in known if normalise_title(p.title) == wanted or p.id == clean_line(named)]
    return same[0] if len(same) == 1 else _new_paper(clean_line(named), [])


def shows_paper(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether the first pages look like this paper's: they show its title or one of its ids."""
    own, others = ids_of(pdf)
    ids = set(known_ids(paper).items())
    return _shows_title(pdf, paper.title) or bool(ids & {*own, *others}) or _best_score(titles_of(pdf), paper) >= THRESHOLD


# By identifier


def _one_paper(found: Sequence[Identification], titles: Sequence[str]) -> Identification | None:
    """The identification on which all agree that name a paper; undecided where they name several; None where none names one."""
    named = {one.paper.id: one for one in found if one.paper is not None}
    if len(named) <= 1:
        return next(iter(named.values()), None)
    candidates = tuple(Candidate(one.paper, _best_score(titles, one.paper)) for one in named.values() if one.paper is not None)
    return _undecided("it names several papers", titles, candidates)


def _by_id(pdf: ExtractedPdf, pair: Id, known: Sequence[Paper], titles: Sequence[str], *, certain: bool) -> Identification:
    """What one identifier says; ``certain``: it is the PDF's own, and not perhaps that of a paper it cites."""
    paper, name = with_id(known, pair), f"{pair[0]} {pair[1]}"
    if paper is not None:
        return _by_id_of_known(pdf, paper, name, titles)
    if not titles or not (certain or _only_id_on_first_page(pdf, pair)):
        return _undecided(f"it names {name}, which may be a paper it cites", titles)
    same = _by_title(titles, pdf, known).paper
    if same is not None and known_ids(same).get(pair[0]) is None:  # the same paper, known so far by another of its ids
        return Identification(same.model_copy(update={"ids": {**known_ids(same), pair[0]: pair[1]}}), f"by {name} and its title")
    return Identification(_new_paper(titles[0], [pair]), f"by {name}; the title is the PDF's own")


def _by_id_of_known(pdf: ExtractedPdf, paper: Paper, name: str, titles: Sequence[str]) -> Identification:
    """A known paper's identifier must agree with the title, since a first page may name papers that it cites."""
    if _shows_title(pdf, paper.title) or _best_score(titles, paper) >= THRESHOLD:
        return Identification(paper, f"by {name}")
    why = f"it names {name}, but its first page does not show that paper's title"
    return _undecided(why, titles, (Candidate(paper, _best_score(titles, paper)),))


def _only_id_on_first_page(pdf: ExtractedPdf, pair: Id) -> bool:
    page = _first_page(pdf)
    return pair in _ids_in(page) and len(set(_ids_in(_before_references(page)))) == 1


def _ids_in(text: str) -> list[Id]:
    found = [normalise_id(m[0]) for m in _DOI.finditer(text)] + [normalise_id(m[1]) for m in _STAMP.finditer(text)]
    return [pair for pair in found if pair is not None]


def _first_page(pdf: ExtractedPdf) -> str:
    return pdf.pages[0] if pdf.pages else ""


def _before_references(page: str) -> str:
    found = _REFERENCES.search(page)
    return page[: found.start()] if found else page


# By title


def _by_title(titles: Sequence[str], pdf: ExtractedPdf, known: Sequence[Paper]) -> Identification:
    if not titles:
        return Identification(None, why="neither an id nor a title was found in it")
    authors = tuple(a.strip() for a in re.split(r";|,| and ", pdf.metadata.get("Author", "")) if a.strip())
    for title in titles:
        found = match_title(title, known, None, authors)
        if found.paper is not None:
            return Identification(found.paper, f"by its title ({found.score:.2f})", title=title)
    return _undecided("no id stands on its first pages, and no known paper has its title", titles, _similar(titles, known))


def _similar(titles: Sequence[str], known: Sequence[Paper]) -> tuple[Candidate, ...]:
    """The known papers with the most similar titles, each title once."""
    different = {compact_title(p.title): p for p in reversed(known)}.values()
    scored = sorted((Candidate(p, _best_score(titles, p)) for p in different), key=lambda c: (-c.score, c.paper.id))
    return tuple(c for c in scored[:MOST_CANDIDATES] if c.score >= LEAST_SCORE)


def _undecided(why: str, titles: Sequence[str], candidates: tuple[Candidate, ...] = ()) -> Identification:
    return Identification(None, why=why, candidates=candidates, title=titles[0] if titles else "")


def _best_score(titles: Sequence[str], paper: Paper) -> float:
    return max((title_similarity(t, paper.title).score for t in titles), default=0.0)


def _shows_title(pdf: ExtractedPdf, title: str) -> bool:
    """Whether the title stands on the first page."""
    wanted = compact_title(title)
    return bool(wanted) and wanted in compact_title(_first_page(pdf)[:6000])


def _new_paper(title: str, ids: Sequence[Id]) -> Paper:
    """A paper known by its PDF alone. No abstract is taken from the PDF: abstracts go into many prompts, its text into one."""
    given = dict(ids)
    key = paper_key(given) if given else f"title:{digest([normalise_title(title), ''])[:16]}"
    return bounded(Paper(id=key, ids=given, title=title, year=_year(given.get("arXiv", "")), source=LIBRARY_NAME))


def _year(arxiv: str) -> int | None:
    """The year of a new-style arXiv id."""
    return 2000 + int(arxiv[:2]) if re.match(r"\d{4}\.\d", arxiv) else None
