"""The file of imported papers: a line each, read as a whole, and added to at the cost of what is new.

A paper that learnt something gets a new line at the end, which counts instead of the one before it. The file is written anew only where a
paper goes. Its index (``PaperIndex``) lies beside it and is made again whenever it does not belong to the file as it is.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.private_files import make_folder, write_whole
from coi_tui.store.lock import FileLock
from coi_tui.store.paper_index import PaperIndex, Place
from coi_tui.store.whole_append import append_whole, counted, take_back

BUSY_S = 30.0


@dataclass(frozen=True)
class Added:
    """What became of papers that were added: those that are new, and the record of each by the id under which it came."""

    new: tuple[Paper, ...]
    became: dict[str, Paper]
    gone: frozenset[str] = frozenset()
    """Papers that turned out to be the same as an earlier one."""


def read_papers(file: Path) -> list[Paper]:
    """The papers in the order they came; none where no file is. Raises StoreError for a file that cannot be read."""
    found: dict[str, Paper] = {}
    for paper, _, _ in _lines(file):
        found[paper.id] = paper
    return list(found.values())


FileState = tuple[int, int, int, int]
"""What tells one state of the file from another: which file it is, its size and time, and how much of it counts."""


def state_of(file: Path) -> FileState | None:
    """The state that the file is in; None where there is none. Raises StoreError for a file that cannot be read."""
    try:
        with file.open("rb") as lines:
            now = os.fstat(lines.fileno())
            return now.st_ino, now.st_size, now.st_mtime_ns, counted(file, lines)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(file, error) from None


def _lines(file: Path) -> Iterator[tuple[Paper, int, int]]:
    """Each line with where it begins and how long it is. A last line that was cut off before it was whole does not count."""
    try:
        with file.open("rb") as lines:
            end, start = counted(file, lines), 0
            lines.seek(0)
            for line in lines:
                if start >= end:
                    return
                if line.strip():
                    try:
                        yield Paper.model_validate_json(line), start, len(line)
                    except ValidationError:
                        if line.endswith(b"\n"):
                            raise
                        return
                start += len(line)
    except FileNotFoundError:
        return
    except ValidationError:
        raise StoreError(
            f"A line of {file} is not a paper.", "Remove that line, or rename the file."
        ) from None
    except OSError as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: OSError) -> StoreError:
    return StoreError(f"{file} cannot be read ({type(error).__name__}).", "Restore or rename it.")


def add_papers(file: Path, papers: Sequence[Paper]) -> Added:
    """Add papers; what is known already is filled in where it lacked something. Raises StoreError; then nothing has changed."""
    from coi_tui.literature.deduplication import merge_into

    with _opened(file) as held:
        first = held.index.next_number()
        came, again = dict(enumerate(papers, start=first)), held.index.changed()
        all_new = len(again) == held.index.count()  # nothing was compared yet
        groups = merge_into(None if all_new else held, {n: held.record(n) for n in again} | came)
        gone = [n for _, members in groups for n in members[1:] if n < first]
        changed = {
            m[0]: merged for merged, m in groups if m[0] >= first or held.record(m[0]) != merged
        }
        learnt = {members[0] for merged, members in groups if len(members) > 1}
        done = Added(
            tuple(merged for merged, members in groups if members[0] >= first),
            {came[n].id: merged for merged, members in groups for n in members if n in came},
            frozenset(held.index.place(n).paper for n in gone),
        )
        held.index.compared()
        held.write(changed, gone, learnt & changed.keys())
        return done


def remove_paper(file: Path, name: str) -> Paper | None:
    """Take one out by its id; None where it is not there. Raises StoreError; then nothing has changed."""
    with _opened(file) as held:
        number = held.index.named(name)
        if number is None:
            return None
        paper = held.record(number)
        held.write({}, [number], ())
        return paper


@contextmanager
def _opened(file: Path) -> Iterator[HeldPapers]:
    """The file with an index that belongs to it, for one process at a time. Raises StoreError where it cannot be read or written."""
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        make_folder(file.parent)
        if not lock.acquire(BUSY_S):
            raise StoreError(
                f"{file.name} is being changed by another program, so nothing was changed.",
                "Try again in a moment.",
            )
        take_back(file)
        held = HeldPapers(file, _index_of(file))
        try:
            yield held
        finally:
            held.close()
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise StoreError(
            f"{file} could not be written ({why}), so nothing was changed.",
            "Check the folder and the disk.",
        ) from None
    finally:
        lock.release()


def _index_of(file: Path) -> PaperIndex:
    """The index of the file as it is: the one that is there, or a new one."""
    path = file.with_name(f"{file.stem}.index")
    try:
        index = PaperIndex(path)
        try:
            if index.is_of(file):
                return index
        except BaseException:
            index.close()
            raise
    except sqlite3.DatabaseError:  # damaged: it holds nothing that the file does not
        path.unlink(missing_ok=True)
        index = PaperIndex(path)
    try:
        _fill(index, file)
    except BaseException:
        index.close()
        raise
    return index


def _fill(index: PaperIndex, file: Path) -> None:
    """Make the index of a file anew; its papers are compared with each other when the next one comes."""
    found: dict[str, tuple[Place, Paper]] = {}
    for paper, start, length in _lines(file):
        number = found[paper.id][0].number if paper.id in found else len(found)
        found[paper.id] = Place(number, paper.id, start, length, changed=True), paper
    index.empty()
    index.put([place for place, _ in found.values()])
    _add_keys(index, {place.number: paper for place, paper in found.values()})
    index.commit(file)


def _add_keys(index: PaperIndex, papers: Mapping[int, Paper]) -> None:
    from coi_tui.literature.identity_keys import features

    keys: list[tuple[str, int]] = []
    near: list[tuple[str, str]] = []
    for number, paper in papers.items():
        what = features(paper)
        keys += [(key, number) for key in what.kept()]
        near += [(key, what.title) for key in what.near]
    index.add_keys(keys, near)


class HeldPapers:
    """The papers in the file, found by the index and read one by one."""

    def __init__(self, file: Path, index: PaperIndex) -> None:
        self.index = index
        self._file = file
        self._lines = file.open("rb") if file.exists() else None
        self._read: dict[int, Paper] = {}

    def close(self) -> None:
        self.index.close()
        if self._lines is not None:
            self._lines.close()

    def under(self, keys: Iterable[str]) -> list[int]:
        return self.index.under(keys)

    def titles_near(self, keys: Iterable[str]) -> list[str]:
        return self.index.titles_near(keys)

    def record(self, number: int) -> Paper:
        if number not in self._read:
            self._read[number] = Paper.model_validate_json(self._line(self.index.place(number)))
        return self._read[number]

    def _line(self, place: Place) -> bytes:
        assert self._lines is not None
        self._lines.seek(place.start)
        return self._lines.read(place.length).rstrip(b"\n") + b"\n"

    def write(
        self, papers: Mapping[int, Paper], gone: Sequence[int], learnt: Collection[int]
    ) -> None:
        """Write papers by their numbers, new ones and such as changed, and take others out: in the file, then in the index.

        ``learnt``: those that are no longer what was compared with the others.
        """
        from coi_tui.literature.identity_keys import features

        first = self.index.next_number()
        for number in (n for n in (*gone, *papers) if n < first):
            self.index.drop_keys(number, features(self.record(number)).kept())
        for number in gone:
            self.index.drop(number)
        lines = {
            n: (papers[n].id, f"{papers[n].model_dump_json(exclude_defaults=True)}\n".encode())
            for n in sorted(papers)
        }
        if gone:
            held = {place.number: place for place in self.index.places()}
            lines = {
                n: lines.get(n) or (held[n].paper, self._line(held[n]))
                for n in sorted({*held, *lines})
            }
            write_whole(self._file, b"".join(line for _, line in lines.values()))
            start = 0
            learnt = {*learnt, *(n for n, place in held.items() if place.changed)}
        elif lines:
            start = append_whole(
                self._file, self.index.end(), b"".join(line for _, line in lines.values())
            )
        places = []
        for number, (name, line) in lines.items():
            places.append(Place(number, name, start, len(line), number in learnt))
            start += len(line)
        self.index.put(places)
        _add_keys(self.index, papers)
        self.index.commit(self._file)
