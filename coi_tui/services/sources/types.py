"""What a source of papers is, the values it answers with, and the ``Fetch`` through which
it reaches the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from pydantic import Field, JsonValue

from coi_tui.literature.title_match import match_title, show_title
from coi_tui.model.papers import Frozen, Link, Paper, PaperText
from coi_tui.services.http.addresses import without_user
from coi_tui.services.pdf.full_text import PdfText as PdfText

Direction = Literal["citing", "cited"]
"""``citing``: papers that cite the one asked about; ``cited``: papers that it cites."""

STARTER_LIBRARY = "starter library"
"""The name of the papers that come with the app."""

Today = Callable[[], str]
"""Gives the ISO date on which an answer was read. It is passed in, so that replaying recorded
answers gives the same session."""

MATCH_ROWS = 10
"""Papers among which a title is looked for."""

UNAVAILABLE = ("unreachable", "limited", "server", "offline")
"""Kinds of errors of a service that cannot be asked just now; any other says something about the
request itself."""


class SourceAnswer(Frozen):
    """Whatever a source answers. ``source`` names the service that did, ``asked_at`` is the ISO
    date of the oldest answer that it was made from (None: nothing was asked)."""

    note: str = ""
    asked_at: str | None = None
    source: str = ""


class SearchResult(SourceAnswer):
    """The answer to one search. ``total`` is the source's own count (an estimate).

    ``lacking``: one sentence by which a small source says that it holds too little on the query to
    build on; empty where it holds enough, or cannot tell.
    """

    query: str
    total: int | None = None
    papers: tuple[Paper, ...] = ()
    lacking: str = ""


class CitationList(SourceAnswer):
    """The papers on one side of a paper, with the link to each.

    ``rows_read`` counts the rows that were read, ``total`` the rows there are (None: unknown).
    ``withheld``: the publisher keeps the list back, which is not the same as an empty list.
    """

    paper: str
    direction: Direction
    papers: tuple[Paper, ...] = ()
    links: tuple[Link, ...] = ()
    total: int | None = None
    rows_read: int = 0
    withheld: bool = False


class ReferenceLists(SourceAnswer):
    """What each of several papers cites: the ids of the cited papers by the id of the citing one.

    ``papers`` are the cited papers as far as the source described them here, often without an
    abstract; an id may have no such record. A paper whose list is not known is not among ``lists``.
    """

    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    papers: tuple[Paper, ...] = ()


class Author(Frozen):
    """A name on a paper. ``id`` is the service's id of the person (``S2:1741101``).

    Where the source has none it is ``name:`` and the name without case and accents: two people of
    one name are then one.
    """

    id: str
    name: str


class AuthoredPaper(Frozen):
    """A paper as the record of one of its authors lists it."""

    title: str
    year: int | None = None
    authors: tuple[Author, ...] = ()


class Person(Frozen):
    """An author with a bounded list of their papers, by the rule of the source. What a source does
    not say is None or empty.

    ``citations`` and ``paper_count`` are the source's own counts, of all papers that it knows, not
    of those listed here.
    """

    id: str
    name: str
    affiliation: str = ""
    citations: int | None = None
    paper_count: int | None = None
    papers: tuple[AuthoredPaper, ...] = ()


class People(SourceAnswer):
    """The authors of several papers.

    ``authors``: the authors of each paper, by the id under which the paper was asked about; one of
    which nobody is known is not among them.
    ``people``: the authors themselves, those of most of the papers first.
    """

    authors: dict[str, tuple[Author, ...]] = Field(default_factory=dict)
    people: tuple[Person, ...] = ()


class Source:
    """A place that papers come from. One overrides ``search``, ``papers``, and of the rest what it
    knows. Every method raises ServiceError when the place cannot be asked."""

    name = ""
    """The name that is shown with what came from here."""
    since = ""
    """The day (ISO) from which papers were published that searches, and lists of papers that cite
    one, are asked for; empty for any. Whoever cannot ask for that gives those before it too."""

    def published_since(self, day: str) -> Self:
        """The same source, asked for what was published from a day on."""
        new = copy(self)
        new.since = day
        return new

    async def search(self, query: str, limit: int) -> SearchResult:
        """At most ``limit`` papers for ``query``, best first."""
        return SearchResult(query=query, source=self.name, note=f"{self.name} is not searched")

    async def match(
        self, title: str, year: int | None, authors: Sequence[str] = ()
    ) -> Paper | None:
        """The one paper of that title, if year or author agree: the ranking of a service alone is
        not trusted."""
        words = show_title(title)
        return match_title(words, await self._titled(words) if words else (), year, authors)

    async def _titled(self, title: str) -> Sequence[Paper]:
        """The papers among which a title is looked for."""
        return (await self.search(title, MATCH_ROWS)).papers

    async def registered(self, title: str) -> SearchResult:
        """Works of about this title in registries that are searched for nothing else; ``source``
        names whoever was asked for the title, here and before."""
        return SearchResult(query=title, source=self.name)

    async def noticed(self, papers: Sequence[Paper]) -> list[Paper]:
        """Those of ``papers`` that a registry has notices of, with these."""
        return []

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """The papers of ``ids`` in that order, None where the source does not know one."""
        return [None] * len(ids)

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers that cite ``paper``, reading no more than ``limit`` rows."""
        return await self._list(paper, "citing", limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """Papers that ``paper`` cites, reading no more than ``limit`` rows."""
        return await self._list(paper, "cited", limit)

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        """One of the two, for sources that make both alike."""
        return self._no_list(paper, direction, "has no lists of citations")

    def _no_list(
        self, paper: Paper, direction: Direction, why: str, *, withheld: bool = False
    ) -> CitationList:
        note = f"{self.name} {why}"
        return CitationList(paper=paper.id, direction=direction, note=note, withheld=withheld)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, in as few requests as the source allows."""
        return ReferenceLists(note=f"{self.name} has no lists of citations")

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The authors of ``papers``: at most ``most``, the authors of most of the papers first,
        with ``each`` papers a person."""
        return People(note=f"{self.name} knows no authors")

    async def text(self, paper: Paper) -> PaperText:
        """What can be read of ``paper``, labelled (COI-3)."""
        return PaperText(paper=paper.id, kind="none", note=f"{self.name} has no texts")


@dataclass(frozen=True)
class SourceSpec:
    """What a source of papers declares: settings, keys, the order of asking, what is disclosed,
    routing, pace and `coi doctor` go by it.

    ``name`` is that of its section in the settings; ``NAME_API_KEY`` and ``COI_NAME_URL`` are its
    key and address in the environment. ``make`` is called with a ``Fetch``, the address and
    ``today``.
    ``ids``: the schemes of identifiers that it knows, its own first. ``probe``: an id that it
    surely knows, asked for to see whether it answers; without one it is searched. ``searches``: it finds papers by words; others are only asked for ids.
    ``price``: of requests, in words.
    ``pace_s``: the least seconds between calls by its own rule, with a key and without one.
    ``parse`` turns a body into data where it is not JSON; ``plain_404``: an unknown paper is
    answered without data. ``problem``: why it cannot be loaded.
    """

    name: str
    title: str
    make: Callable[..., Source]
    url: str = ""
    ids: tuple[str, ...] = ()
    probe: str = ""
    searches: bool = True
    key_header: str = ""
    key_parameter: str = ""
    without_key: str = ""
    pace_s: tuple[float, float] = (0.0, 0.0)
    sends: str = "search words, titles and paper ids"
    sends_for_people: str = ""
    price: str = "free"
    plain_404: bool = False
    parse: Callable[[bytes], Any] | None = None
    problem: str = ""


class HttpRequest(Frozen):
    """One HTTP request as it is recorded: without headers, so that no key can be in it. ``fresh``: no
    stored answer will do."""

    method: Literal["GET", "POST"] = "GET"
    url: str
    params: tuple[tuple[str, str], ...] = ()
    body: JsonValue = None
    fresh: bool = False

    def key(self) -> dict[str, JsonValue]:
        """What distinguishes this request from others, as JSON; the same on every machine, without
        the password of a proxy."""
        params: list[JsonValue] = [[name, value] for name, value in self.params]
        return {
            "method": self.method,
            "url": without_user(self.url),
            "params": params,
            "body": self.body,
        }


class HttpAnswer(Frozen):
    """A final answer: status 200 or 404, and its JSON.

    ``answered`` is the day (ISO) on which the service gave it; empty for one given just now.
    """

    status: int
    # not JsonValue, for which pydantic calls Python at each value: lists of references hold a
    # hundred thousand
    payload: Any = None
    answered: str = ""


class Fetch(Protocol):
    """The only way a client may reach the network. While a task runs, one that records and replays
    is in front of it."""

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The final answer (200 or 404) to ``request``; every other ending raises ServiceError."""
        ...

    async def pdf_text(self, url: str) -> PdfText:
        """The text of the PDF at ``url``; no PDF there is a PdfText of kind ``none``, no answer a
        ServiceError."""
        ...
