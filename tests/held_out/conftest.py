"""A tiny invented set of papers in the form of the files of ``../shared/data``."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.held_out.corpus import PaperSet


def paper(
    number: int, title: str, year: int | None, abstract: str | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "paperId": f"{number:040x}",
        "title": title,
        "abstract": abstract,
        "year": year,
        "authors": ["A. Author"],
        "venue": "",
        **more,
    }


def link(citing: int, cited: int, **more: Any) -> dict[str, Any]:
    return {"citing": f"{citing:040x}", "cited": f"{cited:040x}", **more}


PAPERS = [
    paper(
        0,
        "Held-out paper on graph drawing",
        2024,
        "Drawing graphs by force layouts.",
        keywords=["graph drawing; layouts", "forces"],
    ),
    paper(
        1,
        "Force layouts for graph drawing",
        2020,
        "Layouts by forces for large graphs.",
        externalIds={"DOI": "10.1/One"},
    ),
    paper(2, "Stress majorisation", 2018, "Graph layouts by majorisation of stress."),
    paper(3, "Edge bundling", 2019, "Bundling of edges in drawings."),
    paper(4, "Treemaps", 2001, "Treemaps of hierarchies."),
    paper(5, "Newer graph drawing", 2025, "Graph drawing layouts after the target."),
    paper(6, "Graph drawing of no known year", None, "Graph drawing layouts."),
    paper(7, "Colour maps", 2022, "Colour for fields."),
    paper(8, "Citing survey of layouts", 2023, "A survey of layouts."),
    paper(9, "Force directed placement", 1991, None, externalIds={"CorpusId": 77}),
    paper(10, "Twin of an outside id", 1992, None, externalIds={"CorpusId": 88}),
    paper(11, "Other twin of an outside id", 1993, None, externalIds={"CorpusId": 88}),
]
LINKS = [
    *(link(0, cited) for cited in (1, 2, 3, 4, 9, 5)),
    link(0, 7, provenance=["sci-reasoning"]),
    link(8, 1, contexts=["As in [1]."], intents=["methodology"], isInfluential=True),
    link(8, 2),
    link(8, 0),
    link(1, 9),
    link(1, 2),
    link(3, 2),
    link(5, 1),
    link(2, 2),
    link(1, 99),
]


@pytest.fixture(scope="session")
def papers() -> PaperSet:
    return PaperSet("dev", PAPERS, LINKS)
