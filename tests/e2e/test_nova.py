"""Nova from the command line: offline with the starter library, and against the stand-ins."""

from __future__ import annotations

import json

from .conftest import TOPIC, Run


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


def test_online_against_the_stand_ins_and_resumed_without_asking_again(online: Run) -> None:
    ran = online("run", TOPIC, "--method", "nova", "--name", "made", "--yes", "--until", "plans-1")
    assert ran.code == 0, ran.out + ran.err
    assert "N1/plan4" in ran.out + ran.err
    ran = online("resume", "made", "--yes", "--until", "round-1")
    assert ran.code == 0, ran.out + ran.err
    assert "N1/plan4" not in ran.out.partition("Done")[0].partition("Total")[2]
    seeds = [json.loads(online("show", "made", f"N1/seed4.{n}", "--json").out) for n in (1, 2, 3)]
    assert len({json.dumps(seed) for seed in seeds}) == 3
    again = json.loads(online("resume", "made", "--yes", "--until", "round-1", "--json").out)
    assert (again["state"], again["made"]) == ("done", [])
