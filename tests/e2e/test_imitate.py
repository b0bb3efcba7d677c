"""Imitate-and-Evolve from the command line: offline with the starter library, and against the
stand-ins."""

from __future__ import annotations

import json

from .conftest import Run


def test_offline_from_the_topic_to_a_manuscript_that_says_what_is_to_be_written(
    offline: Run,
) -> None:
    ran = offline("config", "set", "imitate.steps", "3")
    assert ran.code == 0, ran.err
    topic = "retrieval augmented generation for question answering"
    ran = offline(
        "run",
        topic,
        "--method",
        "imitate",
        "--name",
        "rag",
        "--offline",
        "--yes",
        "--until",
        "ideas",
    )
    assert ran.code == 0, ran.err
    section = offline("show", "rag", "E1/1/section2").out
    assert "To write:" in section
    assert "drafted without a language model" in section
    assert "E1/1/step2" in offline("why", "rag", "E1/1/section2").out
    text = offline("export", "rag", "--appendix").out
    assert "E1/1/step1" in text, "its weak evidence is warned of"
    assert "To write: two sentences." in offline("show", "rag", "E1/1/referee").out
    assert (
        offline(
            "edit",
            "rag",
            "E1/1/referee",
            "--file",
            "-",
            stdin="- 2: Name the first work on either side.\n",
        ).code
        == 0
    )
    assert offline("resume", "rag", "--yes", "--until", "revision").code == 0
    assert (
        "To write: Name the first work on either side." in offline("show", "rag", "E1/1/revised2").out
    )
    tex = offline("export", "rag", "--format", "tex").out
    assert "Name the first work on either side." in tex
    assert offline("decide", "rag", "E1/1/step2", "accept").code == 0
    rows = [row["address"] for row in json.loads(offline("show", "rag", "--json").out)["rows"]]
    assert {
        "E1/pairs",
        "E1/1/pair",
        "E1/1/outline1",
        "E1/1/outline2",
        "E1/1/plan",
        "E1/1/later1.3",
        "E1/1/section3",
    } <= set(rows)
