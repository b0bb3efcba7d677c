"""SciPIP from the command line: offline with the starter library, and against the stand-ins."""

from __future__ import annotations

import json
import re

import pytest

from .conftest import TOPIC, Run


def test_offline_from_the_topic_to_an_export(offline: Run) -> None:
    ran = offline(
        "run",
        "dense passage retrieval",
        "--method",
        "scipip",
        "--name",
        "dense",
        "--offline",
        "--yes",
        "--until",
        "ideas",
    )
    assert ran.code == 0, ran.err
    shown = json.loads(offline("show", "dense", "S1/1/idea", "--json").out)
    assert "Worksheet" in json.dumps(shown)
    assert "S1/records" in offline("why", "dense", "S1/1/idea").out
    assert "drafted without a language model" in offline("show", "dense", "S1/brainstorm").out
    said = offline("export", "dense", "--appendix").out
    assert re.search(r"^### A\.\d+ Papers read", said, re.MULTILINE)


@pytest.mark.parametrize("mode", ["A", "C"])
def test_online_against_the_stand_ins(online: Run, mode: str) -> None:
    assert online("config", "set", "scipip.mode", mode).code == 0
    ran = online(
        "run", TOPIC, "--method", "scipip", "--name", "made", "--yes", "--until", "novelty"
    )
    assert ran.code == 0, ran.out + ran.err
    retrieved = json.loads(online("show", "made", "S1/retrieved", "--json").out)
    assert "meaning" in json.dumps(retrieved)
    assert "S1/2/nov" in ran.out + ran.err
    again = json.loads(online("resume", "made", "--yes", "--until", "novelty", "--json").out)
    assert (again["state"], again["made"]) == ("done", [])
