"""The novelty benchmark over a small invented corpus: an idea's paper is found, and one far hit
concludes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.held_out.corpus import PaperSet
from benchmarks.novelty import (
    Cut,
    Measurement,
    figures,
    ideas_of,
    measure,
    table,
)
from tests.support.standins.corpus import make_corpus

SENTENCES = "The first model learns graphs. A second task is solved by images. Finally, results are shown on large corpora of old maps."


@pytest.fixture(scope="module")
def invented() -> PaperSet:
    rows = [
        {
            "paperId": p.paper_id,
            "title": p.title,
            "abstract": p.abstract,
            "year": p.year,
            "venue": p.venue,
            "authors": list(p.authors),
        }
        for p in make_corpus().papers
    ]
    return PaperSet("dev", rows, [])


def test_a_known_idea_is_found_and_one_far_hit_is_inconclusive(invented: PaperSet) -> None:
    outcomes = asyncio.run(measure(invented, ideas_of(invented, 5, 7)))
    found = figures(outcomes)
    assert (found["ideas"], found["found"]) == (5, 1.0)
    assert found["one far hit left: it was found"] == found["one far hit left: INCONCLUSIVE"] == 1.0
    assert found["searches of a check, most"] <= 5
    assert found["original called a close match"] >= 0.8
    assert {o.far_why.partition(";")[2] for o in outcomes} == {" 5 are needed."}
    assert "| found | 1.000 |" in table({7: found})


def test_what_is_taken_out_is_not_found(invented: PaperSet, tmp_path: Path) -> None:
    (idea,) = ideas_of(invented, 1, 3)
    measurement = Measurement(invented, tmp_path)
    far = measurement.far_hit(idea)
    assert far != idea.original
    assert measurement.whole.ranking.bm25(idea.text)[far] > 0
    report, _ = asyncio.run(
        measurement.check(idea, Cut(invented, measurement.all & ~measurement.only(idea.original)))
    )
    numbers = {measurement.number(row.paper) for row in report.papers}
    assert numbers
    assert None not in numbers
    assert idea.original not in numbers
