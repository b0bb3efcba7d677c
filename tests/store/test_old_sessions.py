"""Session files of the version before (tests/data/sessions): they open, say the same, undo, resume and export as they did there."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.model.fold import undo_stacks
from coi_tui.paths import Paths
from coi_tui.session.session import Session
from coi_tui.store.summary import peek
from tests.support.desk import paths_in
from tests.support.facts import facts, in_use

FOLDER = Path(__file__).parents[1] / "data" / "sessions"
NAMES = sorted(path.name.removesuffix(".coi.db.gz") for path in FOLDER.glob("*.coi.db.gz"))


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return paths_in(tmp_path)


@pytest.fixture
def file(name: str, paths: Paths) -> Path:
    """A copy of the old file in the folder of sessions."""
    paths.sessions.mkdir(parents=True)
    file = paths.sessions / f"{name}.coi.db"
    file.write_bytes(gzip.decompress((FOLDER / f"{name}.coi.db.gz").read_bytes()))
    return file


@pytest.fixture
def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.expected.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def session(file: Path, name: str, paths: Paths) -> Iterator[Session]:
    with Session.open(name, paths=paths, settings=Settings(), keys=Keys(), clock=lambda: "2026-03-01T00:00:00Z") as session:
        yield session


def test_there_are_the_kinds_that_matter() -> None:
    assert NAMES == ["archived", "edited", "failed", "finished", "forked", "half-run"]


def test_it_opens_for_writing_and_is_sound(session: Session, expected: dict[str, Any]) -> None:
    assert session.read_only_reason == ""
    assert session.verify() == []
    assert {key: session.core.meta[key] for key in expected["meta"]} == expected["meta"]
    assert int(session.core.meta["format"]) == 4 > expected["format"]
    assert session.core.meta["id"].startswith("coi-session-")
    assert sorted(session.core.file.drafts()) == expected["drafts"]


def test_the_list_of_sessions_shows_it(file: Path, expected: dict[str, Any]) -> None:
    look = peek(file)
    assert look.state == "ok", look.reason
    assert (look.name, look.topic, look.archived) == (expected["meta"]["name"], expected["meta"]["topic"], expected["archived"])


def test_rows_texts_and_export_are_the_same(session: Session, expected: dict[str, Any]) -> None:
    found = facts(session)
    found["export"] = _known(found["export"], expected["facts"]["export"])  # others came since
    found["export"]["cautions"] = [kind for kind in found["export"]["cautions"] if kind != "Unsupported"]  # and this kind of warning
    for key, wanted in expected["facts"].items():
        assert found[key] == wanted, key


def _known(found: Any, before: Any) -> Any:
    """What is found without the fields that were not there before, at any depth."""
    if isinstance(found, dict) and isinstance(before, dict):
        return {name: _known(value, before[name]) for name, value in found.items() if name in before}
    if isinstance(found, list) and isinstance(before, list) and len(found) == len(before):
        return [_known(one, other) for one, other in zip(found, before, strict=True)]
    return found


def test_undo_redo_and_undo_of_everything_lead_to_the_same(session: Session, expected: dict[str, Any]) -> None:
    before = facts(session)
    session.undo_stack.undo()
    assert in_use(session) == expected["after_undo"]
    session.undo_stack.redo()
    assert facts(session)["cells"] == before["cells"]
    for _ in range(before["undo"]):
        session.undo_stack.undo()
    assert not undo_stacks(session.core.journal.entries)[0]
    assert in_use(session) == expected["after_all_undone"]
    assert session.verify() == []


def leader(made: list[str]) -> str:
    """The branch whose idea won and was planned: which one depends on the texts of the drafter, which have changed since."""
    return next((address.split("/")[0] for address in made if address.endswith("/exp")), "")


def planned(made: list[str]) -> list[str]:
    """What was made, with the plan and its review under no branch's name."""
    return sorted(re.sub(r"^\d+/(exp|review)$", r"leader/\1", address) for address in made)


def beyond_chains(addresses: Iterable[str]) -> set[str]:
    """What follows from a chain. The starter library's links were checked since, so a chain grows by other papers than it did."""
    return {a for a in addresses if re.search(r"/(dir|idea|nov|exp|review)$|^A/", a)}


def by_leader(statuses: dict[str, str], made: list[str]) -> dict[str, str]:
    """The same for the status of every cell."""
    won = leader(made)
    return {re.sub(rf"^{won}/(exp|review)$", r"leader/\1", address) if won else address: said for address, said in statuses.items()}


def test_it_resumes_offline_to_where_the_version_before_came(session: Session, expected: dict[str, Any]) -> None:
    wanted = expected["resumed"]
    if not session.core.offline:
        session.decisions.work_offline(True)
    outcome = asyncio.run(session.runs.run(session.planner.to_resume("review")))
    if wanted["state"] == "waiting":  # the version before planned no call for the plan of the idea that leads, and stopped at it
        assert (outcome.state, outcome.failed) == ("done", {})
        assert f"{leader(outcome.made)}/exp" in outcome.made
        assert session.verify() == []
        return
    assert outcome.state == wanted["state"]
    assert sorted(outcome.failed) == wanted["failed"]
    assert beyond_chains(planned(outcome.made)) == beyond_chains(planned(wanted["made"]))
    assert session.queries.stage_reached() == wanted["stage"]
    statuses = {address: status for address, (_, status) in in_use(session).items()}
    expected_statuses = {address: status for address, (_, status) in wanted["in_use"].items()}
    now, before = by_leader(statuses, outcome.made), by_leader(expected_statuses, wanted["made"])
    assert beyond_chains(now) == beyond_chains(before)
    # A text that was kept stays so where its chain does not grow.
    assert all(now[a] == before[a] or (now[a], before[a]) == ("kept", "stale") for a in beyond_chains(now))
    assert {status for a, status in now.items() if a not in before} <= {"fresh"}
    assert session.verify() == []


@pytest.mark.parametrize("kind", ["md", "bib", "svg"])
def test_each_format_is_exported(session: Session, kind: str) -> None:
    assert len(session.exports.text(kind)) > 200
