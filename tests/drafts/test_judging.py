"""COI-12: novelty verdicts by overlap."""

from __future__ import annotations

from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.shared.claims import cells, closeness
from coi_tui.methods.shared.replies import ClaimVerdict
from coi_tui.model.papers import Paper
from tests.support.drafts import DRAFTS

Object = dict[str, object]
GOOD: Object = {
    "title": "LoopReader Meets BridgeNet",
    "motivation": 'Work has reached LoopReader. One gap is: "Every round costs a further model call". It matters because users wait.',
    "novelty": 'Unlike "LoopReader: Reading in Rounds", rounds are skipped instead of run.',
    "contributions": [
        "A study of rounds that bring nothing",
        "A way to skip rounds, measured in model calls",
        "A check by BridgeNet",
    ],
    "method": "Start from LoopReader and add BridgeNet.\n1. Measure rounds, because some bring nothing.\n"
    "2. Skip a round so that calls fall; compare with the base.",
    "final": "Challenges: a skipped round may be needed.",
}
POOR: Object = {
    "title": "Better search",
    "motivation": "Search is nice.",
    "novelty": "",
    "contributions": ["One"],
    "method": "Do it.",
    "final": "",
}

BRIEF: Object = {
    "title": GOOD["title"],
    "summary": "Start from LoopReader and add BridgeNet. Measure rounds, because some bring nothing. Skip a round so that calls fall.",
    "problem": "Every round costs a further model call",
    "mechanism": "A way to skip rounds, measured in model calls",
}

ideas = st.fixed_dictionaries(
    {key: st.text(max_size=120) for key in ("title", "motivation", "novelty", "method", "final")}
    | {"contributions": st.lists(st.text(max_size=60))}
)


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
    assert not any("said" in row for row in rows), "each passage stands in the paper"
    return closeness(rows, [claim["kind"] for claim in claims(idea)])


def test_the_same_words_are_a_close_match_and_other_words_are_not() -> None:
    same = ". ".join(map(str, BRIEF.values()))
    one: Object = {"id": "P1", "title": GOOD["title"], "year": 2024, "abstract": same}
    other: Object = {
        "id": "P2",
        "title": "Soil erosion",
        "year": 2024,
        "abstract": "Sediment in river deltas.",
    }
    near, far = verdicts(BRIEF, one, other)
    assert (near["id"], close(BRIEF, one, near)) == ("P1", "close match")
    assert "rounds" in near["reason"]
    assert (far["id"], close(BRIEF, other, far)) == ("P2", "not close")
    assert {row["judgement"] for row in far["claims"]} == {"no passage found"}


def test_some_shared_words_are_a_partial_match() -> None:
    paper: Object = {
        "id": "P1",
        "title": "Skipping rounds",
        "year": 2024,
        "abstract": "LoopReader rounds are skipped here. Legal dictionaries guide the translation of court documents.",
    }
    assert close(BRIEF, paper, verdicts(BRIEF, paper)[0]) == "partial"


def test_a_paper_on_other_things_is_not_on_the_topic() -> None:
    near: Object = {
        "id": "P1",
        "title": "LoopReader for rounds",
        "year": 2024,
        "abstract": "Rounds of LoopReader skip calls of BridgeNet.",
    }
    far: Object = {
        "id": "P2",
        "title": "Rounds of golf",
        "year": 2024,
        "abstract": "Sediment in river deltas.",
    }
    assert [bool(row["on_topic"]) for row in verdicts(BRIEF, near, far)] == [True, False]


def test_an_idea_that_is_its_text_alone_is_compared_by_it() -> None:
    text = "LoopReader skips rounds that bring nothing, measured in model calls. We propose BridgeNet as a check of synonyms."
    brought: Object = {"title": "Fewer rounds", "summary": text}
    paper: Object = {"id": "P1", "title": "LoopReader", "year": 2024, "abstract": text}
    assert close(brought, paper, verdicts(brought, paper)[0]) == "close match"


@given(
    st.fixed_dictionaries({name: st.text(max_size=120) for name in BRIEF}),
    st.integers(min_value=1, max_value=5),
)
@settings(deadline=None)
def test_novelty_queries_are_distinct_and_at_most_count(idea: Object, count: int) -> None:
    queries = [claim["queries"][0] for claim in claims(idea, count)]
    assert 1 <= len(queries) <= count
    assert len({query.casefold() for query in queries}) == len(queries)


def test_an_idea_is_cut_into_claims_of_its_kinds() -> None:
    found = {
        claim["kind"]: claim["text"] for claim in reversed(claims(BRIEF))
    }  # the first of each kind
    assert found["mechanism"] == "A way to skip rounds, measured in model calls"
    assert found["problem"] == "Every round costs a further model call"
    assert "because" in found["why it works"]


def test_the_gap_of_an_idea_is_searched_for() -> None:
    queries = [claim["queries"][0] for claim in claims(BRIEF, 3)]
    assert any("round" in query and "model" in query for query in queries)
