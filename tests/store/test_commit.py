"""Writing and reading a session file."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.model.entries import Decision, Failure, JobEvent, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Citations, Paper
from coi_tui.store.session_file import Draft, SessionFile

from .making import META, call, decision, new_session, version


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SessionFile]:
    with new_session(tmp_path) as made:
        yield made


def test_commit_and_load(file: SessionFile) -> None:
    paper = Paper(id="arXiv:1", title="One", year=2022, authors=("A B",))
    entries: list[Decision | Version] = [
        decision(1, value={"paper": "arXiv:1", "é": [1, 2.5, None]}),
        version(2, "ein Text – ✓"),
    ]
    assert file.commit(entries=entries, papers=[paper]) == []
    loaded = file.load()
    assert loaded.entries == entries
    assert loaded.papers == {"arXiv:1": paper}
    assert {k: loaded.meta[k] for k in META} == META
    assert loaded.meta["created"]


def test_everything_is_one_transaction(file: SessionFile) -> None:
    paper = Paper(id="p", title="P")
    with pytest.raises(StoreError, match="next number is 1"):
        file.commit(
            entries=[version(2)],
            papers=[paper],
            calls=[call("k")],
            failures=[Failure(address="1", step="s", cause="c")],
            job_events=[JobEvent(job=1, state="planned")],
        )
    assert file.load().entries == []
    assert file.load().papers == {}
    assert (file.calls(), file.failures(), file.job_events()) == ([], [], [])
    file.commit(entries=[version(1)])
    assert file.verify() == []


def test_calls_have_one_row_a_key(file: SessionFile) -> None:
    assert file.commit(calls=[call("a"), call("b"), call("a")]) == [1, 2, 1]
    assert file.commit(calls=[call("b", reply={"text": "another"}), call("c")]) == [2, 3]
    found = file.find_call("b")
    assert found is not None
    assert (found.id, found.reply) == (2, {"text": "reply to b"})
    assert file.call(3) == call("c").model_copy(update={"id": 3})
    assert file.find_call("z") is None
    assert file.call(9) is None
    assert [c.reply for c in file.calls()] == [{}, {}, {}]
    whole = [c.reply["text"] for c in file.calls(replies=True)]
    assert whole == [f"reply to {key}" for key in "abc"]


def test_failures_jobs(file: SessionFile) -> None:
    failures = [Failure(address="1/idea", step="idea", cause="Empty.", keys=("k",))]
    events = [JobEvent(job=1, state="planned", detail={"goal": "1"}), JobEvent(job=1, state="done")]
    assert file.next_job() == 1
    file.commit(failures=failures, job_events=events)
    assert (file.failures(), file.job_events(), file.next_job()) == (failures, events, 2)


def test_drafts_and_ui_and_meta(file: SessionFile) -> None:
    file.save_draft("1/idea", "half a sen", 3, {"1/dir#text": "ab", "1/0": None})
    file.save_draft("1/idea", "half a sentence", 3, {"1/dir#text": "ab"})
    file.save_draft("1/exp", "x", None, {})
    file.drop_draft("1/exp")
    file.drop_draft("never there")
    assert file.drafts() == {"1/idea": Draft("1/idea", "half a sentence", 3, {"1/dir#text": "ab"})}
    file.set_ui("cursor", "1/0")
    file.set_ui("folds", {"1": True, "list": [1, None]})
    file.set_ui("cursor", "1/+1")
    assert file.ui() == {"cursor": "1/+1", "folds": {"1": True, "list": [1, None]}}
    file.set_meta("topic", "others")
    assert file.load().meta["topic"] == "others"


@pytest.mark.parametrize("bad", [float("nan"), "\ud800", object()])
def test_what_json_cannot_hold_is_refused(file: SessionFile, bad: object) -> None:
    with pytest.raises(StoreError, match="cannot be stored as JSON"):
        file.commit(calls=[call("k")], entries=[decision(1, value={"x": bad})])
    assert file.calls() == []
    file.commit(entries=[decision(1)])


def test_append_only_tables_are_protected(file: SessionFile) -> None:
    file.commit(
        entries=[version(1), version(2)],
        calls=[call("k")],
        papers=[Paper(id="p", title="P")],
        failures=[Failure(address="1", step="s", cause="c")],
        job_events=[JobEvent(job=1, state="done")],
    )
    file.close()
    raw = sqlite3.connect(file.path)
    tables = ("log", "calls", "failures", "job_events")
    tries = [
        *(f"UPDATE {table} SET json = '{{}}'" for table in tables),
        *(f"DELETE FROM {table}" for table in (*tables, "papers")),
        "INSERT INTO log VALUES (9, '{}')",
        "INSERT INTO log VALUES (2, '{}')",
        "INSERT INTO calls VALUES (2, 'k', '{}', '{}')",
        "INSERT INTO ui VALUES ('x', x'00')",  # strict tables
    ]
    for sql in tries:
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(sql)
    raw.close()
    with SessionFile(file.path) as again:
        assert again.verify() == []


def test_full_disk_writes_nothing_and_leaves_the_file_usable(file: SessionFile) -> None:
    file.commit(entries=[version(1)], calls=[call("a")])
    pages = file._call(lambda: file._conn.execute("PRAGMA page_count").fetchone()[0])
    file._call(lambda: file._conn.execute(f"PRAGMA max_page_count = {pages + 2}").fetchone())
    with pytest.raises(StoreError, match="disk is full"):
        file.commit(entries=[version(2, "x" * 100_000)], calls=[call("b")])
    assert len(file.load().entries) == 1
    assert len(file.calls()) == 1
    file.commit(entries=[version(2)])
    file._call(lambda: file._conn.execute("PRAGMA max_page_count = 1000000").fetchone())
    file.commit(entries=[version(3, "x" * 100_000)], calls=[call("b")])
    assert file.verify() == []
    assert [e.seq for e in file.load().entries] == [1, 2, 3]


async def test_run_leaves_the_loop_free_and_keeps_order(file: SessionFile) -> None:
    gate = threading.Event()
    held = asyncio.create_task(file.run(gate.wait, 10))
    writes = [
        asyncio.create_task(file.run(file.commit, entries=[version(n)])) for n in range(1, 21)
    ]
    for _ in range(5):
        await asyncio.sleep(0.001)
    assert not any(task.done() for task in writes)
    gate.set()
    await asyncio.gather(held, *writes)
    assert [e.seq for e in (await file.run(file.load)).entries] == list(range(1, 21))


async def test_a_cancelled_wait_does_not_lose_the_write(file: SessionFile) -> None:
    gate = threading.Event()
    held = asyncio.create_task(file.run(gate.wait, 10))
    paid = asyncio.create_task(file.run(file.commit, calls=[call("paid")]))
    await asyncio.sleep(0.01)
    paid.cancel()
    with pytest.raises(asyncio.CancelledError):
        await paid
    gate.set()
    await held
    assert await file.run(file.find_call, "paid") is not None


def test_papers_are_filled_never_overwritten(file: SessionFile) -> None:
    file.commit(papers=[Paper(id="p", title="P", year=2022, abstract="theirs")])
    more = Paper(id="p", title="Q", year=2021, venue="V", abstract="other", ids={"arXiv": "3"})
    file.commit(papers=[more.model_copy(update={"citations": Citations(count=3)})])
    known = file.load().papers["p"]
    assert (known.title, known.year, known.abstract, known.venue) == ("P", 2022, "theirs", "V")
    assert (known.ids, known.citations.count) == ({"arXiv": "3"}, 3)
