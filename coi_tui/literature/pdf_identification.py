"""Which paper a researcher's own PDF is: by the DOI or arXiv id on its first pages, else by its title. Never guessed.

A paper is taken for sure only where its record, known here or given by a source, agrees with what page one bears: an identifier and the
title, or the title and the authors. Everything else is a question, with suggestions where a title is similar enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.ids import Id, known_ids, normalise_id, paper_key
from coi_tui.literature.known_papers import KnownPapers, best_score
from coi_tui.literature.paper_limits import bounded
from coi_tui.literature.pdf_first_page import (
    apart_of,
    bears_title,
    ids_of,
    page_shows,
    shows_people,
    titles_of,
)
from coi_tui.literature.title_match import THRESHOLD, normalise_title
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

LEAST_SCORE = 0.8
"""Papers whose titles are less similar than this are not suggested."""
MOST_CANDIDATES = 3
LEAST_WORDS = 3
"""A title of fewer words, such as "Introduction", says not enough for a paper to be told by it."""
ALONE_WORDS = 4
"""Words of a title that tell a paper whose record names no author."""
_NO_ID = "no id stands on its first pages, and no known paper has its title"
_OTHER_IDS = (
    "the ids on its first pages may be of papers it cites, and no known paper has its title"
)

By = Literal["id", "title", ""]


@dataclass(frozen=True)
class Candidate:
    """A paper that the PDF may be, with the similarity of the titles, 0 to 1."""

    paper: Paper
    score: float


@dataclass(frozen=True)
class Identification:
    """``paper`` where it is certain, ``by`` an id (with the title) or by its title (with the authors), with ``how`` in words.

    Else None, with ``why`` not, and the candidates, the most similar first.
    """

    paper: Paper | None
    how: str = ""
    why: str = ""
    candidates: tuple[Candidate, ...] = ()
    title: str = ""
    by: By = ""
    confirmed: bool = True
    """False for a paper that no record confirms: its identifier and title are the PDF's own."""


def identify_pdf(pdf: ExtractedPdf, known: KnownPapers, *, asked: bool = False) -> Identification:
    """The paper that a PDF is, among those known or as it describes itself. Where several fit, or none, the researcher must say.

    ``asked``: the sources were asked, and what they know is among ``known``: an id that is not is then no proof.
    """
    titles = titles_of(pdf)
    own, others = ids_of(pdf)
    found = _by_own_ids(pdf, own, known, titles, asked) or _by_other_ids(pdf, others, known, titles)
    if found is None:
        found = _by_title(pdf, known, titles, _OTHER_IDS if others else _NO_ID)
    if found.paper is None and not found.candidates:
        found = replace(found, candidates=_similar(titles, known))
    return _unless_apart(pdf, found)


def paper_named(named: str, pdf: ExtractedPdf, known: KnownPapers) -> Paper:
    """The paper that the researcher names by an id or a title: a known one, else one made of that id or title."""
    pair = normalise_id(named)
    titles = titles_of(pdf)
    if pair is not None:
        return known.with_id(pair) or _new_paper(titles[0] if titles else clean_line(named), [pair])
    same = known.named(named)
    return same[0] if len(same) == 1 else _new_paper(clean_line(named), [])


def paper_as_it_is(pdf: ExtractedPdf, title: str) -> Paper:
    """A paper known by its PDF alone: its own identifier where it bears just one, and a title."""
    own, _ = ids_of(pdf)
    return _new_paper(clean_line(title), own if len(own) == 1 else [])


def shows_paper(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether the first pages look like this paper's: they show its title or one of its ids."""
    own, others = ids_of(pdf)
    ids = set(known_ids(paper).items())
    return (
        page_shows(pdf, paper.title)
        or bool(ids & {*own, *others})
        or best_score(titles_of(pdf), paper) >= THRESHOLD
    )


# By identifier


def _by_own_ids(
    pdf: ExtractedPdf, own: Sequence[Id], known: KnownPapers, titles: Sequence[str], asked: bool
) -> Identification | None:
    """What its own identifiers say; None where it bears none."""
    if not own:
        return None
    named = _papers_of(own, known)
    if len(named) > 1:
        return _undecided("it names several papers", titles, [paper for _, paper in named])
    if not named:
        return _by_unknown_id(pdf, own[0], known, titles, asked)
    ((pair, paper),) = named
    if bears_title(pdf, paper.title):
        return Identification(paper, f"by {_said(pair)}", by="id")
    return _undecided(
        f"it names {_said(pair)}, but its first page does not show that paper's title",
        titles,
        [paper],
    )


def _by_unknown_id(
    pdf: ExtractedPdf, pair: Id, known: KnownPapers, titles: Sequence[str], asked: bool
) -> Identification:
    """An identifier of its own that no known paper has: the same paper may be known by another."""
    if not titles:
        return _undecided(f"it names {_said(pair)}, and no title was found in it", titles)
    same = _by_title(pdf, known, titles, "").paper
    if same is not None and known_ids(same).get(pair[0]) is None:
        both = same.model_copy(update={"ids": {**known_ids(same), pair[0]: pair[1]}})
        return Identification(both, f"by {_said(pair)} and its title", by="id")
    if asked:
        return _undecided(f"it names {_said(pair)}, which no source knows", titles)
    return Identification(
        _new_paper(titles[0], [pair]),
        f"by {_said(pair)}; the title is the PDF's own",
        by="id",
        confirmed=False,
    )


def _by_other_ids(
    pdf: ExtractedPdf, others: Sequence[Id], known: KnownPapers, titles: Sequence[str]
) -> Identification | None:
    """What the other identifiers on its first pages say, which may be of papers that it cites; None where the title has to tell."""
    borne = [(pair, paper) for pair, paper in _papers_of(others, known) if _bears(pdf, paper)]
    if len(borne) == 1:
        return Identification(borne[0][1], f"by {_said(borne[0][0])}", by="id")
    if len(borne) > 1:
        return _undecided("it names several papers", titles, [paper for _, paper in borne])
    if others and not titles:
        return _undecided(f"it names {_said(others[0])}, which may be a paper it cites", titles)
    return None


def _papers_of(pairs: Sequence[Id], known: KnownPapers) -> list[tuple[Id, Paper]]:
    """The known papers of some identifiers, each once with the identifier by which it is named last."""
    return list(
        {
            paper.id: (pair, paper) for pair in pairs if (paper := known.with_id(pair)) is not None
        }.values()
    )


def _bears(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether page one bears the title; where it is not the very same only with the authors."""
    shown = bears_title(pdf, paper.title)
    return shown == "whole" or (bool(shown) and bool(shows_people(pdf, paper)))


def _said(pair: Id) -> str:
    return f"{pair[0]} {pair[1]}"


# By title


def _by_title(
    pdf: ExtractedPdf, known: KnownPapers, titles: Sequence[str], none: str
) -> Identification:
    """The one known paper whose title and authors page one bears. ``none``: why not, where no title is like any of these."""
    if not titles:
        return Identification(None, why="neither an id nor a title was found in it")
    near = {
        paper.id: paper for title in titles for _, paper in known.near(title, THRESHOLD)
    }.values()
    borne = [paper for paper in near if bears_title(pdf, paper.title) == "whole"]
    whole = [paper for paper in borne if _enough(pdf, paper)]
    if len(whole) == 1:
        return Identification(
            whole[0],
            f"by its title ({best_score(titles, whole[0]):.2f})",
            title=titles[0],
            by="title",
        )
    if whole:
        return _undecided("several papers have its title", titles, whole)
    if borne:
        return _undecided(_why_not_enough(pdf, borne[0]), titles, borne)
    if near:
        return _undecided(
            "a known paper has nearly this title, but the first page does not bear it",
            titles,
            list(near),
        )
    return _undecided(none, titles)


def _enough(pdf: ExtractedPdf, paper: Paper) -> bool:
    """Whether a title that page one bears tells the paper."""
    words, people = len(normalise_title(paper.title).split()), shows_people(pdf, paper)
    return words >= LEAST_WORDS if people else people is None and words >= ALONE_WORDS


def _why_not_enough(pdf: ExtractedPdf, paper: Paper) -> str:
    if shows_people(pdf, paper) is False:
        return (
            "a paper of this title is known, but its first page does not name that paper's authors"
        )
    return "its title is too short to tell a paper by"


def _unless_apart(pdf: ExtractedPdf, found: Identification) -> Identification:
    """A question where the PDF says that it is supplementary material or an erratum, and the paper found is not one itself."""
    apart = apart_of(pdf)
    if not apart or (
        found.paper is not None
        and normalise_title(found.paper.title).startswith(normalise_title(apart))
    ):
        return found
    article = "" if apart.startswith("supp") else "an " if apart[0] in "aeiou" else "a "
    candidates = found.candidates if found.paper is None else (Candidate(found.paper, 1.0),)
    return replace(
        found,
        paper=None,
        how="",
        by="",
        why=f"it says that it is {article}{apart}, not the paper itself",
        candidates=candidates,
    )


def _similar(titles: Sequence[str], known: KnownPapers) -> tuple[Candidate, ...]:
    """The known papers with the most similar titles, each title once."""
    return _candidates(
        titles, [paper for title in titles for _, paper in known.near(title, LEAST_SCORE)]
    )


def _candidates(titles: Sequence[str], papers: Sequence[Paper]) -> tuple[Candidate, ...]:
    """Those that are similar enough to be suggested, each once, the most similar first."""
    scored = {p.id: Candidate(p, best_score(titles, p)) for p in papers}.values()
    return tuple(
        sorted((c for c in scored if c.score >= LEAST_SCORE), key=lambda c: (-c.score, c.paper.id))[
            :MOST_CANDIDATES
        ]
    )


def _undecided(why: str, titles: Sequence[str], papers: Sequence[Paper] = ()) -> Identification:
    """A question. ``papers``: those that it may be, where their titles are similar."""
    return Identification(
        None, why=why, candidates=_candidates(titles, papers), title=titles[0] if titles else ""
    )


def _new_paper(title: str, ids: Sequence[Id]) -> Paper:
    """A paper known by its PDF alone. No abstract is taken from the PDF: abstracts go into many prompts, its text into one."""
    given = dict(ids)
    key = paper_key(given) if given else f"title:{digest([normalise_title(title), ''])[:16]}"
    return bounded(
        Paper(
            id=key, ids=given, title=title, year=_year(given.get("arXiv", "")), source=LIBRARY_NAME
        )
    )


def _year(arxiv: str) -> int | None:
    """The year of a new-style arXiv id."""
    return 2000 + int(arxiv[:2]) if re.match(r"\d{4}\.\d", arxiv) else None
