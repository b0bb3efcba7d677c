"""Loads the starter library's files, ``papers/*.jsonl`` and ``links/*.jsonl`` (one of each a
lineage), and counts what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from coi_tui.literature.ids import normalise_id, paper_url
from coi_tui.literature.types import STARTER_LIBRARY
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Citations, Entity, Frozen, Link, Paper
from coi_tui.model.text import clean_line

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
    """Papers by id and links, in file order. ``lineage`` names the lineage of a paper by its id,
    ``link_lineage`` that of each link."""

    papers: Mapping[str, Paper]
    lineage: Mapping[str, str]
    links: tuple[Link, ...]
    link_lineage: tuple[str, ...]
    skipped: tuple[str, ...] = field(default=())


def shipped() -> Traversable:
    """The folder with the files that come with the app."""
    return files("coi_tui.literature.starter")


def load(folder: Traversable | None = None, *, skip_broken: bool = False) -> StarterLibrary:
    """The library in ``folder`` (the shipped one when None).

    A line that cannot be read, an id that comes twice and a link to a paper that is not there raise
    StoreError with file and line; with ``skip_broken`` such lines are left out and named in
    ``skipped``.
    """
    home = shipped() if folder is None else folder
    loader = _Loader(skip_broken)
    for where, row in loader.rows(home, "papers", PaperRow):
        loader.add_paper(where, row)
    for where, link in loader.rows(home, "links", LinkRow):
        loader.add_link(where, link)
    return StarterLibrary(
        papers=_with_counts(loader.papers, loader.links),
        lineage=loader.lineage,
        links=tuple(loader.links.values()),
        link_lineage=tuple(loader.link_lineage),
        skipped=tuple(loader.skipped),
    )


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


class _Loader:
    """The state of one ``load``."""

    def __init__(self, skip_broken: bool) -> None:
        self.skip_broken = skip_broken
        self.papers: dict[str, Paper] = {}
        self.lineage: dict[str, str] = {}
        self.links: dict[tuple[str, str], Link] = {}
        self.link_lineage: list[str] = []
        self.skipped: list[str] = []

    def rows(
        self, home: Traversable, kind: str, row_type: type[RowT]
    ) -> Iterator[tuple[str, RowT]]:
        """Every readable line of ``kind`` with its ``file:line``, files in the order of their
        names."""
        folder = home.joinpath(kind)
        names = (
            sorted(item.name for item in folder.iterdir() if item.name.endswith(".jsonl"))
            if folder.is_dir()
            else []
        )
        for name in names:
            text = folder.joinpath(name).read_bytes().decode("utf-8", errors="replace")
            for number, line in enumerate(text.split("\n"), start=1):
                if not line.strip():
                    continue
                where = f"{kind}/{name}:{number}"
                try:
                    row = row_type.model_validate_json(line)
                except ValidationError as error:
                    first = error.errors(include_input=False, include_url=False)[0]
                    at = ".".join(str(part) for part in first["loc"])
                    self.reject(where, f"{at}: {first['msg']}" if at else first["msg"])
                    continue
                yield where, row

    def add_paper(self, where: str, row: PaperRow) -> None:
        paper = row.to_paper()
        if paper.id in self.papers:
            self.reject(where, f"the paper {paper.id} is there twice")
            return
        self.papers[paper.id] = paper
        self.lineage[paper.id] = row.lineage

    def add_link(self, where: str, row: LinkRow) -> None:
        link = row.to_link()
        missing = [end for end in (link.citing, link.cited) if end not in self.papers]
        if missing:
            self.reject(where, f"no paper {missing[0]} in the library")
        elif (link.citing, link.cited) in self.links:
            self.reject(where, "this link is there twice")
        else:
            self.links[link.citing, link.cited] = link
            self.link_lineage.append(where.split("/")[1].split(".jsonl")[0])

    def reject(self, where: str, why: str) -> None:
        if not self.skip_broken:
            raise StoreError(
                f"The starter library has a bad line at {where}: {clean_line(why)}.",
                "Install the app again.",
            )
        self.skipped.append(f"{where}: {clean_line(why)}")


@dataclass(frozen=True)
class LineageStats:
    """Counts of one lineage; ``checked`` of its ``links`` were found in a source."""

    lineage: str
    papers: int
    links: int
    checked: int

    @property
    def share(self) -> float:
        """Checked links over all links, 0 where there are none."""
        return self.checked / self.links if self.links else 0.0


def lineage_stats(library: StarterLibrary | None = None) -> tuple[LineageStats, ...]:
    """One row a lineage, by name, then a row ``all``."""
    library = load() if library is None else library
    rows = [
        _row(library, name) for name in sorted({*library.lineage.values(), *library.link_lineage})
    ]
    total = LineageStats(
        "all", sum(r.papers for r in rows), sum(r.links for r in rows), sum(r.checked for r in rows)
    )
    return (*rows, total)


def _row(library: StarterLibrary, name: str) -> LineageStats:
    links = [
        link
        for link, lineage in zip(library.links, library.link_lineage, strict=True)
        if lineage == name
    ]
    papers = sum(lineage == name for lineage in library.lineage.values())
    return LineageStats(name, papers, len(links), sum(link.kind == "cites" for link in links))


def stats_table(rows: tuple[LineageStats, ...]) -> str:
    """The rows as text, a line each."""
    lines = [f"{'lineage':<20}{'papers':>8}{'links':>8}{'checked':>9}{'share':>8}"]
    lines += [
        f"{r.lineage:<20}{r.papers:>8}{r.links:>8}{r.checked:>9}{r.share:>8.0%}" for r in rows
    ]
    return "\n".join(lines) + "\n"
