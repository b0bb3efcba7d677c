"""How old a list of papers is, told in one line."""

from __future__ import annotations

from typing import Any

import pytest

from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.fold import fold
from coi_tui.session.queries.candidates import with_age

NOW = "2026-11-21T09:00:00Z"
LISTED = {"entries": [], "ranked": "ranked locally", "source": "OpenAlex", "of": "arXiv:1"}


def a_try(date: str, source: str = "OpenAlex") -> dict[str, Any]:
    return {"query": "q", "source": source, "date": date, "hits": 3, "note": ""}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({**LISTED, "date": "2026-11-18"}, "answered 3 d ago (OpenAlex, 2026-11-18)"),
        ({**LISTED, "date": "2026-11-21"}, "answered today (OpenAlex, 2026-11-21)"),
        (LISTED, ""),
        (
            {"entries": [], "tries": [a_try("2026-11-11"), a_try("2026-11-20", "starter library")]},
            "answered 10 d ago (OpenAlex, 2026-11-11)",
        ),
        ({"entries": [], "tries": [a_try("2026-11-21", "starter library")]}, ""),
    ],
)
def test_the_oldest_answer_of_a_service_dates_a_list(content: dict[str, Any], said: str) -> None:
    version = Version(
        seq=1,
        actor="coi",
        address="1/+1.cands",
        content=content,
        meanings=meanings_of(content),
        origin="source",
    )
    parts = with_age(
        (("", "title"), ("RANKED", "by words"), ("NOTE", "x")), fold([version]), "1/+1", NOW
    )
    assert [p for p in parts if p[0] == "LIST"] == ([("LIST", said)] if said else [])
    assert not said or parts[2][0] == "LIST"
