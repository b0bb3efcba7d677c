"""The pin command says what its look-up sends, beside its answer, before it asks."""

from __future__ import annotations

import json

from tests.e2e.conftest import TOPIC, Run

COT = "2201.11903"


def test_a_pin_says_what_leaves_on_stderr(offline: Run) -> None:
    assert (
        offline("run", TOPIC, "--name", "s", "--until", "anchors", "--yes", "--offline").code == 0
    )
    ran = offline("decide", "s", "1/0", "pin", COT, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["done"] == "pin 1/0"
    assert "Offline: looked up only on this machine; nothing leaves it." in ran.err


def test_a_service_on_this_machine_is_named_and_no_other(online: Run) -> None:
    assert online("run", TOPIC, "--name", "s", "--until", "anchors", "--yes").code == 0
    ran = online("decide", "s", "1/0", "pin", "2401.99999")
    assert ran.code == 2
    assert ran.err.index("is sent to Semantic Scholar") < ran.err.index("No paper was found")
    assert "arXiv gets" not in ran.err
