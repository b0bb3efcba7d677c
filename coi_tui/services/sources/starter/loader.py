"""Loads the starter library's files, ``papers/*.jsonl`` and ``links/*.jsonl`` (one of each a
lineage)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from coi_tui.literature.ids import normalise_id, paper_url
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Citations, Entity, Frozen, Link, Paper
from coi_tui.model.text import clean_line
from coi_tui.services.sources.types import STARTER_LIBRARY

NAME = STARTER_LIBRARY


class PaperRow(Frozen):
    """One line of a papers file."""

    id: str = Field(pattern=r"^(arXiv|DOI|title):\S+$")
    lineage: str
    title: str = Field(min_length=1)
    year: int = Field(ge=1900, le=2100)
    month: int | None = Field(default=None, ge=1, le=12)
    authors: tuple[str, ...]
    venue: str | None
    ids: Mapping[str, str | None]
    citations: Citations
    summary: str = Field(min_length=1)
    limitations: tuple[str, ...]
    datasets: tuple[str, ...]
    baselines: tuple[str, ...]
    entities: tuple[Entity, ...]

    def to_paper(self) -> Paper:
        """The paper this line describes; its summary is marked as one."""
        ids = dict(
            known
            for scheme, value in self.ids.items()
            if value and (known := normalise_id(f"{scheme}:{value}"))
        )
        return Paper(
            id=canonical_id(self.id),
            ids=ids,
            title=clean_line(self.title),
            year=self.year,
            published=f"{self.year:04d}-{self.month:02d}" if self.month else f"{self.year:04d}",
            authors=tuple(clean_line(author) for author in self.authors),
            venue=self.venue,
            abstract=clean_line(self.summary),
            abstract_kind="summary",
            citations=self.citations,
            url=paper_url(ids),
            source=NAME,
            limitations=tuple(clean_line(text) for text in self.limitations),
            datasets=self.datasets,
            baselines=self.baselines,
            entities=self.entities,
        )


class LinkRow(Frozen):
    """One line of a links file. ``checked`` links were found in ``source`` by a script; the others
    are the project's own knowledge."""

    citing: str
    cited: str
    evidence: Literal["checked", "unconfirmed"]
    source: str | None
    intents: tuple[str, ...] = ()
    note: str | None = None

    def to_link(self) -> Link:
        """The link, with the kind and the words that its evidence allows."""
        citing, cited = canonical_id(self.citing), canonical_id(self.cited)
        if self.evidence == "checked":
            return Link(
                citing=citing,
                cited=cited,
                kind="cites",
                evidence=f"{NAME}: checked in its reference list",
            )
        evidence = f"{NAME}: from the project's own knowledge, not checked in a source"
        return Link(citing=citing, cited=cited, kind="cites, unconfirmed", evidence=evidence)


def canonical_id(paper_id: str) -> str:
    """The one spelling of a paper's id, so that the library and a service name a paper alike (DOIs
    may differ in case)."""
    found = normalise_id(paper_id)
    return ":".join(found) if found else paper_id


@dataclass(frozen=True)
class StarterLibrary:
    """Papers by id and links, in file order. ``lineage`` names the lineage of a paper by its id."""

    papers: Mapping[str, Paper]
    lineage: Mapping[str, str]
    links: tuple[Link, ...]


def shipped() -> Traversable:
    """The folder with the files that come with the app."""
    return files("coi_tui.services.sources.starter")


def load(folder: Traversable | None = None) -> StarterLibrary:
    """The library in ``folder`` (the shipped one when None).

    A line that cannot be read, an id that comes twice and a link to a paper that is not there raise
    StoreError with file and line.
    """
    home = shipped() if folder is None else folder
    papers: dict[str, Paper] = {}
    lineage: dict[str, str] = {}
    links: dict[tuple[str, str], Link] = {}
    for where, row in _rows(home, "papers", PaperRow):
        paper = row.to_paper()
        if paper.id in papers:
            raise _bad(where, f"the paper {paper.id} is there twice")
        papers[paper.id], lineage[paper.id] = paper, row.lineage
    for where, link_row in _rows(home, "links", LinkRow):
        link = link_row.to_link()
        missing = [end for end in (link.citing, link.cited) if end not in papers]
        if missing:
            raise _bad(where, f"no paper {missing[0]} in the library")
        if (link.citing, link.cited) in links:
            raise _bad(where, "this link is there twice")
        links[link.citing, link.cited] = link
    return StarterLibrary(_with_counts(papers, links), lineage, tuple(links.values()))


@cache
def bundled_library() -> StarterLibrary:
    """The shipped library, read once. Raises StoreError for broken files."""
    return load()


def _with_counts(
    papers: Mapping[str, Paper], links: Mapping[tuple[str, str], Link]
) -> dict[str, Paper]:
    """Each paper with the number of library papers that cite it and that it cites, by checked
    links: a chain walks on no others."""
    checked = [pair for pair, link in links.items() if link.kind == "cites"]
    citing, cited = Counter(b for _, b in checked), Counter(a for a, _ in checked)
    return {
        key: paper.model_copy(update={"known_links": (citing[key], cited[key])})
        for key, paper in papers.items()
    }


RowT = TypeVar("RowT", bound=Frozen)


def _rows(home: Traversable, kind: str, row_type: type[RowT]) -> Iterator[tuple[str, RowT]]:
    """Every line of ``kind`` with its ``file:line``, files in the order of their names."""
    folder = home.joinpath(kind)
    for name in sorted(item.name for item in folder.iterdir() if item.name.endswith(".jsonl")):
        text = folder.joinpath(name).read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.split("\n"), start=1):
            where = f"{kind}/{name}:{number}"
            try:
                if line.strip():
                    yield where, row_type.model_validate_json(line)
            except ValidationError as error:
                first = error.errors(include_input=False, include_url=False)[0]
                at = ".".join(str(part) for part in first["loc"])
                raise _bad(where, f"{at}: {first['msg']}" if at else first["msg"]) from None


def _bad(where: str, why: str) -> StoreError:
    return StoreError(
        f"The starter library has a bad line at {where}: {clean_line(why)}.",
        "Install the app again.",
    )
