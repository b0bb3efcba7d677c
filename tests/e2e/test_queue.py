"""Queued plans, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.coi_process import opened
from benchmarks.standins import StandInProcess
from tests.e2e.conftest import TOPIC, Run


def asked(services: StandInProcess) -> int:
    assert services.log_file is not None
    log = Path(services.log_file)
    return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0


def test_a_plan_waits_until_it_is_told_to_run(online: Run, services: StandInProcess, tmp_path: Path) -> None:
    before = asked(services)
    put_off = online("run", TOPIC, "--name", "later", "--branches", "1", "--until", "anchors", "--queue")
    assert put_off.code == 0, put_off.err
    assert "Queued: Run later to anchors. `coi queue run later 1` runs it" in put_off.out
    assert "1 plan queued" in online("ls").out
    listed = json.loads(online("queue", "list", "later", "--json").out)
    assert [(row["place"], row["title"], row["goal"]["until"]) for row in listed] == [(1, "Run later to anchors", "anchors")]
    assert "model calls" in listed[0]["today"]
    assert asked(services) == before  # nobody was asked by any of this
    unasked = online("queue", "run", "later")
    assert (unasked.code, "Plan: Run later to anchors" in unasked.err) == (3, True)
    assert asked(services) == before
    ran = online("queue", "run", "later", "--yes")
    assert ran.code == 0, ran.err
    assert asked(services) > before
    assert "No plans queued" in online("queue", "list", "later").out
    with opened(tmp_path, "later") as session:
        assert session.state.chain(1)


def test_offline_it_stays_and_is_taken_out_by_its_place(online: Run, tmp_path: Path) -> None:
    assert online("config", "set", "offline", "true").code == 0
    for until in ("anchors", "chains"):
        arguments = ["run", TOPIC, "--name", "later", "--until", until] if until == "anchors" else ["resume", "later", "--until", until]
        done = online(*arguments, "--queue")
        assert done.code == 0, done.err
    refused = online("queue", "run", "later", "2", "--yes")
    assert refused.code == 2
    assert "This session works offline, and the plan needs the network." in refused.err
    assert "works offline" in online("queue", "list", "later").out
    twice = online("resume", "later", "--until", "chains", "--queue")
    assert (twice.code, "already queued" in twice.err) == (2, True)
    gone = online("queue", "remove", "later", "1")
    assert "Removed: Run later to anchors. " in gone.out
    assert "1 plan queued" in gone.out
    none = online("queue", "remove", "later", "2")
    assert (none.code, "there is no number 2" in none.err) == (2, True)
    assert "put off a plan" not in online("undo", "later").err
    assert len(json.loads(online("queue", "list", "later", "--json").out)) == 2


def test_a_session_begun_offline_goes_online_when_told(online: Run, services: StandInProcess) -> None:
    assert online("run", TOPIC, "--name", "later", "--offline", "--until", "questions", "--queue").code == 0
    refused = online("queue", "run", "later", "--yes")
    assert refused.code == 2
    before = asked(services)
    resumed = online("resume", "later", "--online", "--until", "questions", "--yes")
    assert resumed.code == 0, resumed.err
    assert asked(services) > before


def test_what_cannot_be_queued_makes_no_session(offline: Run) -> None:
    refused = offline("run", TOPIC, "--name", "later", "--queue")
    assert (refused.code, refused.out) == (2, "")
    assert "The plan cannot be queued: no service that needs the network is set up." in refused.err
    assert "later" not in offline("ls").out
    assert offline("new", TOPIC, "--name", "later").code == 0
    assert offline("run", TOPIC, "--name", "later", "--queue").code == 2
    assert "later" in offline("ls").out, "one that was there before stays"


def test_undo_refuses_a_scope_without_its_decision(offline: Run) -> None:
    assert offline("run", TOPIC, "--name", "s", "--until", "anchors", "--yes").code == 0
    refused = offline("undo", "s", "--scope", "both")
    assert (refused.code, "Name it with --decision N." in refused.err) == (2, True)
