import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from coi_tui.engine.journal import Journal
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from tests.support.folding import fold
from tests.support.logs import decision, version
from tests.support.state_dump import dump
from tests.support.toy import MemoryFile


class SlowFile(MemoryFile):
    """A file whose commits, asked for without waiting, take a while; like the real one it does them
    in the order asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Callable[[], Any]] = []
        self.full = False

    def commit(self, **kwargs: Any) -> list[int]:
        if self.full:
            raise StoreError("The disk is full.")
        for entry in kwargs.get("entries", ()):
            if entry.seq != len(self.entries) + 1:
                raise StoreError(
                    f"Entry {entry.seq} cannot be added: the next number is {len(self.entries) + 1}."
                )
            self.entries.append(entry)
        return []

    async def run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        done = asyncio.get_running_loop().create_future()

        def work() -> None:
            try:
                done.set_result(method(*args, **kwargs))
            except StoreError as error:
                done.set_exception(error)

        self.waiting.append(work)
        return await asyncio.shield(done)

    def catch_up(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


class Ordered(SlowFile):
    """A commit that is waited for comes after those asked for before it."""

    def commit(self, **kwargs: Any) -> list[int]:
        self.catch_up()
        return super().commit(**kwargs)


def journal(file: MemoryFile) -> Journal:
    return Journal(file, [], {}, (), lambda: "now")


async def test_a_persons_decision_while_a_result_is_being_committed_keeps_the_numbers_whole() -> (
    None
):
    file = Ordered()
    j = journal(file)
    committing = asyncio.create_task(j.commit(lambda _s, _n: [version("1/dir", "machine")]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(file.waiting) == 1
    number = j.next_seq
    written = j.write([decision("note", "topic", {"text": "n"})])
    assert [e.seq for e in written] == [number] == [2]
    committed = await committing
    assert [e.seq for e in committed] == [1]
    assert [e.seq for e in j.entries] == [1, 2] == [e.seq for e in file.entries]
    assert dump(j.state) == dump(fold(file.entries))
    assert j.state.value("1/dir#text") == "machine"


async def test_a_cancelled_landing_still_lands_and_the_next_one_waits_for_it() -> None:
    file = Ordered()
    j = journal(file)
    first = asyncio.create_task(j.commit(lambda _s, _n: [version("1/dir", "first")]))
    await asyncio.sleep(0.001)
    first.cancel()
    await asyncio.sleep(0)
    second = asyncio.create_task(j.commit(lambda _s, _n: [version("1/dir", "second")]))
    for _ in range(4):
        await asyncio.sleep(0.001)
        file.catch_up()
    await second
    assert first.cancelled()
    assert [e.seq for e in j.entries] == [1, 2] == [e.seq for e in file.entries]


async def test_what_cannot_be_committed_is_not_seen() -> None:
    file = SlowFile()
    j = journal(file)
    file.full = True
    with pytest.raises(StoreError, match="full"):
        j.write([decision("note", "topic", {"text": "n"})])
    committing = asyncio.create_task(j.commit(lambda _s, _n: [version("1/dir", "machine")]))
    await asyncio.sleep(0.001)
    file.catch_up()
    with pytest.raises(StoreError, match="full"):
        await committing
    assert j.entries == []
    assert j.state.notes == {}
    file.full = False
    assert j.write([decision("note", "topic", {"text": "n"})])[0].seq == 1


def test_what_was_rehearsed_and_is_then_written_is_the_state_of_the_rehearsal() -> None:
    j = journal(MemoryFile())
    noted = decision("note", "topic", {"text": "n"})
    trial = j.rehearsal()
    trial.write([noted])
    assert j.state.notes == {}
    j.write([noted])
    assert j.state is trial.state
    assert j.state.notes == {"topic": "n"}


def test_a_version_has_the_time_of_its_commit_and_not_of_a_rehearsal() -> None:
    times = iter(("early", "late"))
    j = Journal(MemoryFile(), [], {}, (), lambda: next(times))
    j.rehearsal().write([version("1/dir", "mine")])
    j.write([version("1/dir", "mine")])
    assert [one.time for one in j.state.versions.values()] == ["late"]


@pytest.mark.parametrize("between", [True, False])
def test_what_differs_from_the_rehearsal_is_not_taken_from_it(between: bool) -> None:
    j = journal(MemoryFile())
    trial = j.rehearsal()
    trial.write([decision("note", "topic", {"text": "n"})])
    if between:
        j.write([decision("note", "1/idea", {"text": "m"})])
    j.write([decision("note", "topic", {"text": "n" if between else "other"})])
    assert dump(j.state) == dump(fold(j.entries))


def test_a_paper_learns_in_memory_what_it_learns_in_the_file() -> None:
    """The record of a cited paper often has no abstract, that of a later search has one: it is
    judged, so it must be there to be read."""
    log = journal(MemoryFile())
    bare = Paper(id="p", title="P", year=2022)
    log.write([decision("note", "1/0", {"text": "a"})], [bare])
    log.write(
        [decision("note", "1/0", {"text": "b"})],
        [Paper(id="p", title="Q", year=2022, abstract="What it is about.")],
    )
    known = log.state.papers["p"]
    assert (known.title, known.abstract) == ("P", "What it is about.")
