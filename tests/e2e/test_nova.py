"""Nova from the command line: offline with the starter library, and against the stand-ins."""

from __future__ import annotations

import json

from .conftest import Run


def test_offline_from_the_topic_to_seeds_of_the_first_round(offline: Run) -> None:
    ran = offline(
        "run",
        "dense passage retrieval",
        "--method",
        "nova",
        "--name",
        "dense",
        "--offline",
        "--yes",
        "--until",
        "round-1",
    )
    assert ran.code == 0, ran.err
    seed = offline("show", "dense", "N1/seed2.1").out
    assert "To write:" in seed
    assert "drafted without a language model" in seed
    assert "N1/found2" in offline("why", "dense", "N1/seed2.1").out
    assert offline("decide", "dense", "N1/seed1", "reject", "--reason", "dull", "--yes").code == 0
    rows = [row["address"] for row in json.loads(offline("show", "dense", "--json").out)["rows"]]
    assert "N1/seed1" in rows
    assert "N1/plan1" not in rows
    assert {"N1/seed2", "N1/plan2", "N1/found2", "N1/seed2.1"} <= set(rows)
