"""Each method from the command line: offline with the starter library, where its texts say what is
to be written, and SciPIP against the stand-ins."""

import json
import re

import pytest

from .conftest import TOPIC, Run

OFFLINE = {
    "nova": ("round-1", "N1/seed2.1", "N1/found2"),
    "scipip": ("ideas", "S1/1/idea", "S1/records"),
    "virsci": ("topic-1", "V1/said1.2", "V1/said1.1"),
    "imitate": ("ideas", "E1/1/section2", "E1/1/step2"),
}
"""A stage, a text that it makes, and what this rests on."""


@pytest.mark.parametrize("method", OFFLINE)
def test_offline_a_method_drafts_texts_that_say_what_is_to_be_written(
    method: str, offline: Run
) -> None:
    until, address, source = OFFLINE[method]
    how = ("--method", method, "--offline", "--yes", "--until", until)
    ran = offline("run", "dense passage retrieval", "--name", "s", *how)
    assert ran.code == 0, ran.err
    shown = offline("show", "s", address).out
    assert re.search("To write:|Worksheet", shown)
    assert "drafted without a language model" in shown
    assert source in offline("why", "s", address).out
    assert re.search(r"^### A\.\d+ ", offline("export", "s", "--appendix").out, re.MULTILINE)


@pytest.mark.parametrize("mode", ["A", "C"])
def test_online_against_the_stand_ins(online: Run, mode: str) -> None:
    assert online("config", "set", "scipip.mode", mode).code == 0
    ran = online("run", TOPIC, "--method", "scipip", "--name", "s", "--yes", "--until", "novelty")
    assert ran.code == 0, ran.out + ran.err
    assert "S1/2/nov" in ran.err
    again = json.loads(online("resume", "s", "--yes", "--until", "novelty", "--json").out)
    assert (again["state"], again["made"]) == ("done", [])
