"""The novelty check over an order of sources: its record names who answered, and neither nothing
nor a failure is called novel."""

from __future__ import annotations

import pytest

from coi_tui.literature.source_fallback import SourceFallback
from coi_tui.methods.shared.novelty import INCONCLUSIVE, Judged, report
from coi_tui.methods.shared.novelty_searches import search_once
from coi_tui.model.papers import Paper
from tests.literature.test_source_fallback import ONE, Shelf, lost

PAIR = "Semantic Scholar, then OpenAlex"


@pytest.mark.parametrize(
    ("first", "second", "outcome", "source"),
    [
        (Shelf("Semantic Scholar", ONE), Shelf("OpenAlex"), "ok", "Semantic Scholar"),
        (Shelf("Semantic Scholar"), Shelf("OpenAlex", ONE), "ok", "OpenAlex"),
        (Shelf("Semantic Scholar", error=lost("server")), Shelf("OpenAlex", ONE), "ok", "OpenAlex"),
        (Shelf("Semantic Scholar"), Shelf("OpenAlex"), "empty", PAIR),
        (Shelf("Semantic Scholar", error=lost("limited")), Shelf("OpenAlex"), "failed", PAIR),
        (
            Shelf("Semantic Scholar"),
            Shelf("OpenAlex", error=lost("unreachable", "OpenAlex")),
            "failed",
            PAIR,
        ),
        (Shelf("Semantic Scholar", error=lost("refused")), Shelf("OpenAlex", ONE), "failed", PAIR),
    ],
)
async def test_the_record_of_a_search(
    first: Shelf, second: Shelf, outcome: str, source: str
) -> None:
    asked = SourceFallback([first, second])
    search = await search_once(asked.search("words", 5), "words", asked.name, 1)
    assert (search.row["outcome"], search.row["source"]) == (outcome, source)
    papers: tuple[Paper, ...] = search.found.papers if search.found else ()
    assert bool(papers) == (outcome == "ok")
    assert (search.error is not None) == (outcome == "failed")
    judged = [{"paper": "p", "verdict": "not close", "on_topic": True}]
    found = report(
        judged,
        [search.row, {"query": "other", "outcome": "ok", "hits": 1}],
        Judged(judged, {}, 0, 0),
        1,
    )
    assert found["verdict"] == (
        INCONCLUSIVE if outcome == "failed" else "not close"
    )  # as with one source
    if outcome != "ok":
        assert report([], [search.row], Judged([], {}, 0, 0), 1)["verdict"] == INCONCLUSIVE
