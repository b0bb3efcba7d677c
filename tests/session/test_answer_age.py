"""How old a list of papers is, told where it is decided over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.fold import fold
from coi_tui.model.state import State
from coi_tui.session.queries.candidates import age_of, told_in, with_age
from tests.support.desk import Desk

NOW = "2026-11-21T09:00:00Z"


def state_with(address: str, content: dict[str, Any]) -> State:
    version = Version(
        seq=1,
        actor="coi",
        address=address,
        content=content,
        meanings=meanings_of(content),
        origin="source",
    )
    return fold([version])


def a_try(date: str, source: str = "OpenAlex", **more: Any) -> dict[str, Any]:
    return {"query": "q", "source": source, "date": date, "hits": 3, "note": "", **more}


LISTED = {"entries": [], "ranked": "ranked locally", "source": "OpenAlex", "of": "arXiv:1"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({**LISTED, "date": "2026-11-18", "kept": True}, "answered 3 d ago, from the library"),
        ({**LISTED, "date": "2026-11-21", "kept": False}, "answered today"),
        (LISTED, ""),
        (
            {"entries": [], "tries": [a_try("2026-11-11"), a_try("2026-11-20", kept=True)]},
            "answered 10 d ago, from the library",
        ),
        (
            {"entries": [], "tries": [a_try("2026-11-11"), a_try("2026-11-21", "starter library")]},
            "answered 10 d ago",
        ),
        ({"entries": [], "tries": [a_try("2026-11-21", "starter library")]}, ""),
        ({"entries": [], "tries": []}, ""),
        (
            {
                "entries": [],
                "tries": [a_try("2026-11-01", "kept, then starter library", kept=True)],
            },
            "answered 20 d ago, from the library",
        ),
    ],
)
def test_the_oldest_answer_of_a_list_counts(content: dict[str, Any], said: str) -> None:
    state = state_with("1/+1.cands", content)
    assert told_in(age_of(state, "1/+1.cands"), NOW) == said


def test_a_report_on_novelty_tells_the_age_of_its_searches() -> None:
    state = state_with(
        "1/nov",
        {
            "searches": [
                {**a_try("2026-11-14"), "outcome": "ok"},
                {**a_try(""), "outcome": "failed"},
            ]
        },
    )
    assert told_in(age_of(state, "1/nov"), NOW) == "answered 7 d ago"


def test_the_age_stands_after_how_the_list_was_ranked_and_names_source_and_day() -> None:
    state = state_with("1/+1.cands", {**LISTED, "date": "2026-11-18", "kept": True})
    parts = with_age(
        (("CANDIDATES", "none"), ("RANKED", "locally"), ("NOTE", "n")), state, "1/+1.cands", NOW
    )
    assert parts == (
        ("CANDIDATES", "none"),
        ("RANKED", "locally"),
        ("LIST", "answered 3 d ago, from the library (OpenAlex, 2026-11-18)"),
        ("NOTE", "n"),
    )


def test_why_tells_it_too(tmp_path: Path) -> None:
    session = Desk.new(tmp_path).session
    content = {**LISTED, "date": "2025-12-30", "kept": True}
    version = Version(
        actor="coi",
        address="1/+1.cands",
        content=content,
        meanings=meanings_of(content),
        origin="source",
    )
    session.core.journal.write([version])
    assert (
        session.queries.why("1/+1.cands")[1] == "Its list was answered 2 d ago, from the library."
    )
    assert not any("answered" in said for said in session.queries.why("topic"))


def test_a_slot_tells_the_age_of_its_list_and_a_text_none() -> None:
    state = state_with("1/+1.cands", {**LISTED, "date": "2026-11-18", "kept": True})
    assert with_age((("", "title"),), state, "1/+1", NOW)[-1][0] == "LIST"
    assert with_age((("", "title"),), state, "1/idea", NOW) == (("", "title"),)
