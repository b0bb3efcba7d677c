"""VirSci from the command line: offline with the starter library."""

from __future__ import annotations

import json

from .conftest import Run


def test_offline_from_the_topic_to_an_idea_with_words_of_the_person(offline: Run) -> None:
    run = ("--method", "virsci", "--name", "dense", "--offline", "--yes")
    ran = offline("run", "dense passage retrieval", *run, "--until", "topic-1")
    assert ran.code == 0, ran.err
    assert "To write:" in offline("show", "dense", "V1/said1.2").out
    own = "What of passages that nobody asked for?"
    assert offline("edit", "dense", "V1/mine1", "--file", "-", stdin=own).code == 0
    assert own in offline("show", "dense", "V1/mine1").out
    reject = ("V1/said1.1", "reject", "--reason", "beside the point", "--yes")
    assert offline("decide", "dense", *reject).code == 0
    assert "V1/said1.1" in offline("why", "dense", "V1/sum1").out
    ran = offline("resume", "dense", "--yes", "--offline", "--until", "ideas")
    assert ran.code == 0, ran.err
    assert "drafted without a language model" in offline("show", "dense", "V1/1/idea").out
    rows = json.loads(offline("show", "dense", "--json").out)["rows"]
    assert {"V1/people", "V1/team", "V1/poll", "V1/measures"} <= {row["address"] for row in rows}
