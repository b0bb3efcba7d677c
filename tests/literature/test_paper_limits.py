"""Every way that a paper comes in cuts it to sane lengths and drops years that cannot be."""

from collections.abc import Callable

import pytest

from coi_tui.literature.bibliography_files import read_bibliography
from coi_tui.literature.paper_records import (
    ABSTRACT_CHARS,
    ADDRESS_CHARS,
    AUTHORS,
    NAME_CHARS,
    TITLE_CHARS,
    bounded,
)
from coi_tui.model.papers import Paper
from coi_tui.services.sources.paper_source import service_record

TODAY = "2026-11-20"
WORDS = "a word or two " * 1_000
NAMES = [f"Given {n} {'Family' * 100}" for n in range(400)]


def _service(year: int) -> Paper | None:
    """As all services give papers."""
    return service_record(
        "The service",
        {"DOI": "10.1/x"},
        TODAY,
        title=WORDS,
        abstract=WORDS,
        year=year,
        published=f"{year}-01-02",
        authors=NAMES,
        venue=WORDS,
        open_pdf="https://example.org/" + "x" * 5_000,
    )


def _bibtex(year: int) -> Paper | None:
    text = f"@article{{k, title={{{WORDS}}}, abstract={{{WORDS}}}, author={{{' and '.join(NAMES)}}}, year={{{year}}}, journal={{{WORDS}}}}}"
    return read_bibliography(text, "a.bib").papers[0]


WAYS = [_service, _bibtex]


@pytest.mark.parametrize("way", WAYS)
def test_texts_are_cut_to_sane_lengths(way: Callable[[int], Paper | None]) -> None:
    paper = way(2024)
    assert paper is not None
    assert paper.year == 2024
    assert 100 < len(paper.title) <= TITLE_CHARS + 1
    assert len(paper.abstract or "") <= ABSTRACT_CHARS + 1
    assert len(paper.authors) <= AUTHORS
    assert all(len(name) <= NAME_CHARS + 1 for name in paper.authors)
    assert len(paper.venue or "") <= NAME_CHARS + 1
    assert len(paper.open_pdf or "") <= ADDRESS_CHARS


@pytest.mark.parametrize("year", [1599, 2099, 9999, 999])
@pytest.mark.parametrize("way", WAYS)
def test_a_year_that_cannot_be_is_unknown(way: Callable[[int], Paper | None], year: int) -> None:
    paper = way(year)
    assert paper is not None
    assert (paper.year, paper.published) == (None, None)


def test_next_year_and_1600_are_years() -> None:
    for year in (1600, 1687, 2026, 2027):
        assert bounded(Paper(id="x", title="t", year=year, published=str(year)), TODAY).year == year
    assert bounded(Paper(id="x", title="t", year=2028), TODAY).year is None
    assert bounded(Paper(id="x", title="t", year=9999, published="2024-05"), TODAY).year == 2024


def test_an_ordinary_paper_stays_as_it_is() -> None:
    paper = Paper(
        id="x",
        title="A title",
        abstract="An abstract.",
        year=2024,
        authors=("A. Bar",),
        venue="V",
        open_pdf="https://a.org/b.pdf",
    )
    assert bounded(paper, TODAY) is paper
    assert bounded(paper.model_copy(update={"title": "x" * 600}), TODAY).title == "x" * 500 + "…"
