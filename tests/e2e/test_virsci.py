"""VirSci from the command line: offline with the starter library, and against the stand-ins."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run


def test_offline_from_the_topic_to_an_idea_with_words_of_the_person(
    offline: Run, tmp_path: Path
) -> None:
    said = tmp_path / "said.txt"
    said.write_text("What of passages that nobody asked for?")
    run = ("--method", "virsci", "--name", "dense", "--offline", "--yes")
    ran = offline("run", "dense passage retrieval", *run, "--until", "topic-1")
    assert ran.code == 0, ran.err
    assert "To write:" in offline("show", "dense", "V1/said1.2").out
    assert offline("edit", "dense", "V1/mine1", "--file", str(said)).code == 0
    assert "passages that nobody asked for" in offline("show", "dense", "V1/mine1").out
    assert (
        offline(
            "decide", "dense", "V1/said1.1", "reject", "--reason", "beside the point", "--yes"
        ).code
        == 0
    )
    assert "V1/said1.1" in offline("why", "dense", "V1/sum1").out
    ran = offline("resume", "dense", "--yes", "--offline", "--until", "ideas")
    assert ran.code == 0, ran.err
    idea = offline("show", "dense", "V1/1/idea").out
    assert "drafted without a language model" in idea
    rows = {
        row["address"]: row for row in json.loads(offline("show", "dense", "--json").out)["rows"]
    }
    assert {"V1/people", "V1/team", "V1/poll", "V1/measures", "V1/1/idea"} <= set(rows)
    assert "a proxy" in json.dumps(rows["V1/measures"])
