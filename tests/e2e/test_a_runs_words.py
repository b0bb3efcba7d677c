"""What a run says on the command line: what it usually takes and at most, what it is doing, and how
far it came."""

import json
import re

from .conftest import TOPIC, Run


def test_a_run_names_what_it_does_counts_and_ends_with_its_stage(online: Run) -> None:
    ran = online("run", TOPIC, "--name", "s", "--branches", "1", "--until", "trends", "--yes")
    assert ran.code == 0, ran.err
    total = next(line for line in ran.err.splitlines() if line.startswith("Total"))
    usual, most = (int(n) for n in re.findall(r"(\d+) calls", total))
    assert 1 < usual < most
    assert len(re.findall(r"\dk tokens", total)) == 2, "these models have no price"
    done = re.findall(r"^  \d\d:\d\d:\d\d  done +(\S+) +(.*?)(?:  \((.*)\))?$", ran.err, re.M)
    counts = [int(found[2].split()[0]) for found in done if found[2]]
    assert counts == sorted(counts)
    assert f"of about {usual}" in ran.err
    rows = {row["address"]: row for row in json.loads(online("show", "s", "--json").out)["rows"]}
    pairs = [(at, what) for at, what, _ in done if ".." in at]
    assert pairs
    for at, what in pairs:
        older, newer = at.split("/")[1].split("..")
        titles = (rows[f"1/{place}"]["title"].partition(":")[0] for place in (older, newer))
        shown = what.partition(": ")[2].split(" → ")
        assert all(title.startswith(part) for title, part in zip(titles, shown, strict=True))
    assert "stage trends" in ran.err
    again = online("resume", "s", "--until", "chains", "--yes")
    assert (again.code, "stage chains" in again.err) == (0, True), again.err
    selected = online("resume", "s", "--until", "selection", "--yes")
    assert (selected.code, "stage selection" in selected.err) == (0, True), selected.err
    data = json.loads(online("resume", "s", "--until", "ideas", "--yes", "--json").out)
    assert data["stage"] == "ideas"


def test_a_suite_ends_with_its_report(offline: Run) -> None:
    ran = offline("arena", "run", "--example", "--yes")
    assert ran.code == 0, ran.err
    assert ran.out
    assert ran.out == offline("arena", "report", "--example").out
