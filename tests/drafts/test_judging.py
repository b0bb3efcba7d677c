"""COI-12: novelty verdicts by overlap."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.base.replies import ClaimVerdict
from coi_tui.methods.ideas.claims import cells, closeness
from coi_tui.model.papers import Paper
from tests.support.drafts import DRAFTS

Object = dict[str, object]
BRIEF: Object = {
    "title": "LoopReader Meets BridgeNet",
    "summary": "Start from LoopReader and add BridgeNet. Measure rounds, because some bring nothing. Skip a round so that calls fall.",
    "problem": "Every round costs a further model call",
    "mechanism": "A way to skip rounds, measured in model calls",
}


def claims(idea: Object, count: int = 4) -> list[dict[str, Any]]:
    return cast(
        "list[dict[str, Any]]",
        DRAFTS["coi_novelty_queries"]({"idea": idea, "count": count})["claims"],
    )


def verdicts(idea: Object, *papers: Object) -> list[dict[str, Any]]:
    values = {"idea": idea, "claims": claims(idea), "papers": list(papers)}
    return cast("list[dict[str, Any]]", DRAFTS["coi_novelty_verdicts"](values)["verdicts"])


def close(idea: Object, paper: Object, said: dict[str, Any]) -> str:
    """The verdict that follows from what a draft says of a paper."""
    held = Paper(id="DOI:1/x", title=str(paper["title"]), abstract=str(paper["abstract"]))
    rows = cells([ClaimVerdict(**row) for row in said["claims"]], len(said["claims"]), held)
    assert not any(row.said for row in rows), "each passage stands in the paper"
    return closeness(rows, [claim["kind"] for claim in claims(idea)])


def test_how_close_a_paper_is_goes_by_shared_words() -> None:
    same = ". ".join(map(str, BRIEF.values()))
    one: Object = {"id": "P1", "title": BRIEF["title"], "year": 2024, "abstract": same}
    other: Object = {
        "id": "P2",
        "title": "Soil erosion",
        "year": 2024,
        "abstract": "Sediment in river deltas.",
    }
    some: Object = {
        "id": "P3",
        "title": "Skipping rounds",
        "year": 2024,
        "abstract": "LoopReader rounds are skipped here. Legal dictionaries guide the translation of court documents.",
    }
    near, far, part = verdicts(BRIEF, one, other, some)
    assert close(BRIEF, some, part) == "partial"
    assert [bool(row["on_topic"]) for row in (near, far, part)] == [True, False, True]
    assert (near["id"], close(BRIEF, one, near)) == ("P1", "close match")
    assert "rounds" in near["reason"]
    assert (far["id"], close(BRIEF, other, far)) == ("P2", "not close")
    assert {row["judgement"] for row in far["claims"]} == {"no passage found"}


@given(
    st.fixed_dictionaries({name: st.text(max_size=120) for name in BRIEF}),
    st.integers(min_value=1, max_value=5),
)
@settings(deadline=None)
def test_novelty_queries_are_distinct_and_at_most_count(idea: Object, count: int) -> None:
    queries = [claim["queries"][0] for claim in claims(idea, count)]
    assert 1 <= len(queries) <= count
    assert len({query.casefold() for query in queries}) == len(queries)
