"""Imitate-and-Evolve from the command line: offline with the starter library."""

from __future__ import annotations

import json

from .conftest import Run

TO_WRITE = "To write: Name the first work on either side."


def test_offline_from_the_topic_to_a_manuscript_that_says_what_is_to_be_written(
    offline: Run,
) -> None:
    assert offline("config", "set", "imitate.steps", "3").code == 0
    topic = "retrieval augmented generation for question answering"
    method = ("--method", "imitate", "--name", "rag", "--offline", "--yes", "--until", "ideas")
    ran = offline("run", topic, *method)
    assert ran.code == 0, ran.err
    section = offline("show", "rag", "E1/1/section2").out
    assert "To write:" in section
    assert "drafted without a language model" in section
    assert "E1/1/step2" in offline("why", "rag", "E1/1/section2").out
    assert "E1/1/step1" in offline("export", "rag", "--appendix").out, (
        "its weak evidence is warned of"
    )
    point = "- 2: Name the first work on either side.\n"
    assert offline("edit", "rag", "E1/1/referee", "--file", "-", stdin=point).code == 0
    assert offline("resume", "rag", "--yes", "--until", "revision").code == 0
    assert TO_WRITE in offline("show", "rag", "E1/1/revised2").out
    assert TO_WRITE in offline("export", "rag", "--format", "tex").out
    rows = [row["address"] for row in json.loads(offline("show", "rag", "--json").out)["rows"]]
    parts = ("pair", "outline1", "outline2", "plan", "later1.3", "section3", "answer1")
    assert {f"E1/1/{part}" for part in parts} <= {*rows}
