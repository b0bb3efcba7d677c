"""What the clients of scholarly services have in common: how a question becomes requests, values
that may be missing or odd, and the authors of papers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url, pdf_urls
from coi_tui.literature.paper_records import bounded, merge_papers, said_by_title, short_name
from coi_tui.literature.title_match import show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Link, Paper, PaperText
from coi_tui.model.text import Fields, clean, clean_line, fold_accents
from coi_tui.services.http.answers import whole_number
from coi_tui.services.sources.types import (
    Author,
    AuthoredPaper,
    CitationList,
    Direction,
    Fetch,
    HttpAnswer,
    HttpRequest,
    People,
    Person,
    SearchResult,
    Source,
    Today,
)

MAX_SEARCH = 100
"""Papers of a search."""
NO_ID = "has no id for this paper, so nothing was asked"
UNKNOWN = "does not know this paper"


class ServiceSource(Source):
    """A source over HTTP; every request goes through the ``Fetch`` it is given. The same answers
    and ``today`` give the same results. Raises ServiceError wherever it cannot tell.

    A service overrides ``_search`` and ``_records``, and of the rest what it knows.
    """

    forms: tuple[tuple[str, str], ...] = ()
    """How an identifier is written for the service, by its scheme: the service's own, then the
    others that it knows, the surest first."""

    def __init__(self, fetch: Fetch, base_url: str = "", *, today: Today) -> None:
        self._fetch, self._base, self._today = fetch, base_url.rstrip("/"), today

    async def search(self, query: str, limit: int) -> SearchResult:
        words = self._words(query)
        if not words:
            note = "no words to search for; nothing was asked"
            return SearchResult(query=query, source=self.name, note=note)
        most = max(1, min(limit, MAX_SEARCH))
        papers, total = await self._search(words, most)
        found = tuple(merge_papers(papers)[:most])
        note = f"searched as “{words}”; " if words != clean_line(query) else ""
        many = f"{len(found)} of about {total}" if total else f"{len(found)} found"
        return SearchResult(
            query=query,
            source=self.name,
            asked_at=self._today(),
            total=total,
            papers=found,
            note=note + (many if found or total else "nothing found"),
        )

    def _words(self, query: str) -> str:
        """A query as the service is sent it."""
        return clean_line(query)

    async def _search(self, words: str, most: int) -> tuple[Iterable[Paper], int | None]:
        """The papers found, best first, and how many there are (an estimate)."""
        raise NotImplementedError

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id of any kind, in order; None for unknown ids and for kinds that the service
        has no form for."""
        forms = [self._form(ids_from([paper_id])) for paper_id in ids]
        found = await self._records(list(dict.fromkeys(filter(None, forms))))
        return [found.get(form) for form in forms]

    async def _records(self, forms: Sequence[str]) -> Mapping[str, Paper | None]:
        """The papers by the forms of ids under which they were asked for."""
        raise NotImplementedError

    def _form(self, ids: Mapping[str, str]) -> str:
        """The best of some ids in the form that the service takes; empty where it knows none."""
        return next((f.format(ids[scheme]) for scheme, f in self.forms if scheme in ids), "")

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers``: nothing is asked."""
        day = self._today() if papers else None
        return people_by_name(papers, (), most, each, source=self.name, asked_at=day)

    async def text(self, paper: Paper) -> PaperText:
        """The open PDF's text; else the abstract, asked of the service once more by id if need
        be, since lists often lack one that the paper's own record has; else none. The note says
        what was tried (COI-3)."""
        tried: list[str] = []
        for url in pdf_urls(paper):
            try:
                pdf = await self._fetch.pdf_text(url)
            except ServiceError as error:
                tried.append(error.message)
                continue
            if pdf.kind == "full text":
                note = "; ".join(filter(None, [f"from {url}", pdf.note]))
                return PaperText(paper=paper.id, kind="full text", text=pdf.text, note=note)
            tried.append(pdf.note)
        tried = tried or ["no open PDF is known"]
        record: Paper | None = paper
        if not paper.abstract:
            scheme = self.forms[0][0]
            own = known_ids(paper).get(scheme)
            (record,) = await self.papers([f"{scheme}:{own}" if own else paper.id])
        if record is None or not record.abstract:
            why = f"{self.name} {UNKNOWN if record is None else 'has no abstract'}"
            return PaperText(paper=paper.id, kind="none", note="; ".join([*tried, why]))
        kind = record.abstract_kind
        note = f"{kind} only: {'; '.join(tried)}"
        return PaperText(paper=paper.id, kind=kind, text=record.abstract, note=note)

    def _listed(
        self,
        paper: Paper,
        direction: Direction,
        others: Iterable[Paper],
        uses: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
        **fields: Any,
    ) -> CitationList:
        """The list of ``others`` with a link to each. ``uses``: what the service says of a citation
        in words, and its sentences, by the other paper's id."""
        found, day = tuple(others), self._today()
        links = []
        for other in found:
            citing, cited = (other.id, paper.id) if direction == "citing" else (paper.id, other.id)
            words, contexts = (uses or {}).get(other.id, ("", ()))
            evidence = "; ".join(filter(None, (f"listed by {self.name}, read {day}", words)))
            link = Link(
                citing=citing, cited=cited, kind="cites", evidence=evidence, contexts=contexts
            )
            links.append(link)
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=found,
            links=tuple(links),
            asked_at=day,
            **fields,
        )

    # requests and answers

    async def _get(self, path: str, **params: str) -> HttpAnswer:
        url = f"{self._base}{path}"
        return await self._fetch.json(HttpRequest(url=url, params=tuple(params.items())))

    def _object(self, answer: HttpAnswer) -> Fields:
        """The JSON object of an answer. Raises ServiceError for any other answer."""
        if answer.status != 200 or not isinstance(answer.payload, dict):
            what = f"an answer (status {answer.status}) that is not the expected JSON object"
            raise self._broken(what)
        return answer.payload

    def _rows(self, rows: object) -> list[Any]:
        """The rows of a list. Raises ServiceError for anything else."""
        if not isinstance(rows, list):
            raise self._broken("something else than a list")
        return rows

    def _broken(self, what: str) -> ServiceError:
        """The error for an answer that is not in the documented form."""
        return ServiceError(self.name, "broken", f"{self.name} sent {what}.", "Try again later.")


_DATE = re.compile(r"(\d{4})(?:-\d{2}(?:-\d{2})?)?", re.ASCII)


def service_record(
    service: str,
    ids: dict[str, str],
    today: str,
    *,
    title: object,
    year: object = None,
    published: object,
    authors: Iterable[object],
    venue: object,
    abstract: object,
    citations: object = None,
    open_pdf: object = None,
    notices: Iterable[str] = (),
) -> Paper:
    """The paper of one record of a service: its values as they came, any of which may be missing or
    odd. ``published`` counts where it is a date of the year; ``today`` dates the citation count. A
    title that says that the paper was retracted becomes a notice and a title."""
    bare, told = said_by_title(show_title(title))
    date = _DATE.fullmatch(clean_line(published))
    number = whole_number(year) or (int(date[1]) if date else None)
    count = whole_number(citations)
    url = clean_line(open_pdf) if isinstance(open_pdf, str) else ""
    paper = Paper(
        id=paper_key(ids),
        ids=ids,
        title=bare or "(no title)",
        year=number,
        published=date[0] if date and int(date[1]) == number else None,
        authors=tuple(filter(None, map(clean_line, authors))),
        venue=clean_line(venue) or None,
        abstract=clean(abstract).strip() or None,
        citations=Citations()
        if count is None
        else Citations(count=count, source=service, read=today),
        # some records have blanks in an address
        open_pdf=url.replace(" ", "%20") if re.match(r"https?://[^\s/]", url) else None,
        url=paper_url(ids),
        source=service,
        notices=(*notices, *told),
    )
    return bounded(paper, today)


# values of answers


def ids_from(texts: Iterable[str]) -> dict[str, str]:
    """Identifiers by scheme; texts that are none are left out, and the first of a scheme counts."""
    ids: dict[str, str] = {}
    for found in filter(None, map(normalise_id, texts)):
        ids.setdefault(*found)
    return ids


def chunks(values: Sequence[str], most: int) -> list[Sequence[str]]:
    """The values in order, at most so many together."""
    return [values[start : start + most] for start in range(0, len(values), most)]


def list_note(rows_read: int, total: int | None, complete: bool, without_id: int = 0) -> str:
    """How much of a list was read, in words."""
    if complete:
        note = f"looked at all {rows_read}" if rows_read else "the list is empty"
    elif total:
        note = f"looked at {rows_read} of about {total}"
    else:
        note = f"looked at the first {rows_read}; there are more"
    return f"{note}; {without_id} without an id" if without_id else note


def without(paper: Paper, others: Iterable[Paper]) -> list[Paper]:
    """The others, each once, except records of the paper itself."""
    ids = known_ids(paper).items()
    return [
        other
        for other in merge_papers(others)
        if other.id != paper.id and not ids & known_ids(other).items()
    ]


# people: names are cleaned and cut to sane lengths here

MOST_AUTHORS = 50
"""Authors taken of one paper: collaborations in physics have thousands, and nobody has worked with
all of them."""
BY_NAME = "people distinguished by their names alone"


def authors_of(pairs: Iterable[tuple[object, str]]) -> tuple[Author, ...]:
    """Authors by their names and ids, each once. One without an id goes by name."""
    found: dict[str, Author] = {}
    for given, own in list(pairs)[:MOST_AUTHORS]:
        if name := short_name(given):
            own = own or f"name:{' '.join(fold_accents(name).split())}"
            found.setdefault(own, Author(id=own, name=name))
    return tuple(found.values())


def by_frequency(authors: Mapping[str, Sequence[Author]], most: int) -> list[Author]:
    """The authors of several papers, those of most papers first, then in the order in which they
    come; at most ``most``."""
    listed = [author for those in authors.values() for author in those]
    known = {author.id: author for author in reversed(listed)}
    counts = Counter(author.id for author in listed)
    return [known[own] for own, _ in counts.most_common(most)]


def newest_first(papers: Iterable[AuthoredPaper], each: int) -> tuple[AuthoredPaper, ...]:
    """At most ``each`` papers of a person, the newest first; each once."""
    known = {(paper.title, paper.year): paper for paper in papers}.values()
    newest = sorted(known, key=lambda paper: (-(paper.year or 0), paper.title))
    return tuple(newest[:each])


def people_by_name(
    papers: Sequence[Paper],
    others: Iterable[Paper],
    most: int,
    each: int,
    *,
    source: str,
    asked_at: str | None,
) -> People:
    """The authors of ``papers`` by their names, with what they wrote of these and of ``others``;
    no request."""
    every = {paper.id: paper for paper in (*others, *papers)}
    named = {own: authors_of((name, "") for name in paper.authors) for own, paper in every.items()}
    authors = {paper.id: named[paper.id] for paper in papers if named[paper.id]}
    chosen = by_frequency(authors, most)
    written = [
        AuthoredPaper(title=paper.title, year=paper.year, authors=named[own])
        for own, paper in every.items()
    ]
    people = tuple(
        Person(
            id=author.id,
            name=author.name,
            papers=newest_first(
                (paper for paper in written if author.id in {one.id for one in paper.authors}), each
            ),
        )
        for author in chosen
    )
    note = BY_NAME if people else "no authors are known of these papers"
    return People(authors=authors, people=people, note=note, asked_at=asked_at, source=source)
