"""Runs the command line of any checkout on a topic, without a language model, and reads the papers
that it proposes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benchmarks.held_out.corpus import Case, PaperSet
from benchmarks.held_out.service import HeldOutService, id_table
from benchmarks.held_out.vector_store import VectorStore
from tests.support.standins.http_server import StandIn

NOT_PASSED_ON = ("OPENAI_", "OPENALEX_", "SEMANTIC_SCHOLAR_", "COI_", "PYTEST_")
SESSION = "held-out"
FIRST, SIMILAR = 20, 100
"""The papers of a reading list that are looked at for those that are not among the most similar."""
TIME_LIMIT_S = 600
READS = """
import contextlib, io, json, sys
from coi_tui.__main__ import main
answers = []
for line in json.load(sys.stdin):
    sys.argv, out = ["coi", *line], io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main()
        code = 0
    except SystemExit as end:
        code = end.code
    answers.append([code, out.getvalue()])
json.dump(answers, sys.stdout)
"""
"""Several command lines through the entry point of ``coi``, one after the other: a process for each
would take most of the time."""


@dataclass(frozen=True)
class Tree:
    """A checkout under test: an interpreter with its dependencies, the code, and how it is run."""

    name: str
    python: str
    folder: Path
    until: str = "chains"
    settings: Path | None = None
    """A ``config.toml`` for every run."""
    vectors: Path | None = None
    """A folder with the files of the small model in ``model``: runs compare papers by sentence vectors too."""


@dataclass(frozen=True)
class Found:
    """What one run proposed, as positions in the set of papers."""

    chains: tuple[tuple[int, ...], ...] = ()
    """Each from the oldest place to the newest."""
    anchors: tuple[int, ...] = ()
    candidates: tuple[tuple[int, ...], ...] = ()
    """The candidate lists in the order in which they were made."""
    reading: tuple[int, ...] | None = None
    """The reading list; None where the checkout has none."""
    far: int = 0
    """Papers among the first of the reading list whose words are not among the most similar."""
    graded: tuple[bool, ...] = ()
    """Of the papers listed for anchors, whether somebody graded them."""
    outside: int = 0
    """Papers that the served cut does not hold: there should be none."""
    requests: int = 0
    seconds: float = 0.0
    code: int = 0
    said: str = ""
    """The end of the progress messages of a run that failed, or the command lines afterwards that
    did."""

    def ranked(self) -> list[int]:
        """Anchors, then the other papers of the chains, then the candidates, the first of every
        list before the second of any."""
        rounds = zip_longest(*self.candidates)
        rest = [number for chain in self.chains for number in chain]
        return list(
            dict.fromkeys(
                [
                    *self.anchors,
                    *rest,
                    *(number for line in rounds for number in line if number is not None),
                ]
            )
        )


def run_all(
    tree: Tree, papers: PaperSet, cases: Sequence[Case], jobs: int, told: Callable[[str], None]
) -> list[Found]:
    """A run on every case, ``jobs`` at a time, against one server; the server knows nothing but the
    cut of the case asked for."""
    started, ids = time.perf_counter(), id_table(papers)
    reading = ["reading"] if "reading" in _commands(tree) else ["papers", "reading"]
    with (
        _served(HeldOutService(papers, dict(enumerate(cases)))) as server,
        ThreadPoolExecutor(jobs) as pool,
    ):

        def one(number: int) -> Found:
            found = _run(tree, cases[number], ids, f"{server.url}/{number}/graph/v1", reading)
            return replace(
                found,
                requests=sum(
                    entry.note.get("case") == number for entry in list(server.log.entries)
                ),
            )

        results: list[Found] = []
        for found in pool.map(one, range(len(cases))):
            results.append(found)
            if len(results) % 10 == 0 or len(results) == len(cases):
                told(
                    f"{papers.name}, {tree.name}: {len(results)} of {len(cases)} targets, {time.perf_counter() - started:.0f} s"
                )
        return results


@contextmanager
def _served(service: HeldOutService) -> Iterator[StandIn]:
    """The server in a thread of its own."""
    loop, server = asyncio.new_event_loop(), StandIn(service)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(30)
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


def environment(tree: Tree, home: Path, url: str) -> dict[str, str]:
    """The checkout's code, a home of its own, the stand-in as the only source of papers, no key of
    anybody."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}
    return {
        **kept,
        "PYTHONPATH": str(tree.folder.resolve()),
        "COI_HOME": str(home),
        "COI_SEMANTIC_SCHOLAR_URL": url,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def _process(
    tree: Tree, home: Path, url: str, arguments: Sequence[str], stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tree.python, *arguments],
        env=environment(tree, home, url),
        cwd=home,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )


def _commands(tree: Tree) -> set[str]:
    """The first words of the help's lines: the names of commands are among them. Raises
    RuntimeError where the checkout does not run."""
    with tempfile.TemporaryDirectory() as home:
        done = _process(tree, Path(home), "http://127.0.0.1:9", ["-m", "coi_tui", "--help"])
    if done.returncode:
        raise RuntimeError(f"{tree.folder} does not run under {tree.python}: {done.stderr[-500:]}")
    return {line.split()[0] for line in done.stdout.splitlines() if line.strip()}


def _set_up(tree: Tree, home: Path) -> None:
    """The settings file of a run, where it has one."""
    text = tree.settings.read_text(encoding="utf-8") if tree.settings is not None else ""
    if tree.vectors is not None:
        text += f"\n[vectors]\nuse = true\nfolder = {json.dumps(str(tree.vectors.resolve() / 'model'))}\n"
    if text:
        (home / "config").mkdir(mode=0o700)
        (home / "config" / "config.toml").write_text(text, encoding="utf-8")


def _run(tree: Tree, case: Case, ids: Mapping[str, int], url: str, reading: Sequence[str]) -> Found:
    with tempfile.TemporaryDirectory(prefix="coi-held-out-") as folder:
        home, started = Path(folder), time.perf_counter()
        _set_up(tree, home)
        store = VectorStore(tree.vectors) if tree.vectors is not None else None
        if store is not None:
            store.hand_to(home)
        arguments = [
            "run",
            "--name",
            SESSION,
            "--until",
            tree.until,
            "--yes",
            "--json",
            "--",
            case.topic,
        ]
        try:
            done = _process(tree, home, url, ["-m", "coi_tui", *arguments])
        except subprocess.TimeoutExpired:
            return Found(code=-1, said=f"no end after {TIME_LIMIT_S} s")
        seconds = time.perf_counter() - started
        if store is not None:
            store.take_from(home)
        made = _parsed(done.stdout, {}).get("made") or []
        lists = [address for address in dict.fromkeys(map(str, made)) if address.endswith(".cands")]
        file = home / "export.json"
        lines = [
            ["export", SESSION, "--format", "json", "--out", str(file)],
            *(["show", SESSION, address, "--json"] for address in lists),
        ]
        lines.append([*reading, SESSION, "--json"])
        answers = _parsed(
            _process(tree, home, url, ["-c", READS], json.dumps(lines)).stdout,
            [[1, ""]] * len(lines),
        )
        texts = [text if code in (0, None) else "" for code, text in answers[1:]]
        exported = _parsed(file.read_text(encoding="utf-8"), {}) if file.exists() else {}
    listed = _parsed(texts.pop(), [])
    unread = [" ".join(line) for line, (code, _) in zip(lines, answers, strict=True) if code]
    code = done.returncode or int(bool(unread))
    said = done.stderr[-400:] if done.returncode else "; ".join(unread)
    return _found(
        case, ids, exported, [_parsed(text, {}) for text in texts], listed, (seconds, code, said)
    )


def _found(
    case: Case,
    ids: Mapping[str, int],
    exported: Any,
    shown: Sequence[Any],
    reading: Any,
    ended: tuple[float, int, str],
) -> Found:
    """What an export, candidate lists and a reading list say."""
    seen = _Seen(case, ids)
    chains, anchors = [], []
    for branch in (exported.get("branches") or {}).values():
        if branch.get("parked"):  # set aside for another question: nothing that the run proposes
            continue
        places = sorted(
            (int(place["address"].partition("/")[2]), place["paper"])
            for place in branch["chain"]
            if place["paper"]
        )
        numbers = [(at, seen.number(paper)) for at, paper in places]
        chains.append(tuple(number for _, number in numbers if number is not None))
        anchors += [number for at, number in numbers if at == 0 and number is not None]
    candidates = [
        seen.numbers(entry["paper"] for entry in (answer.get("content") or {}).get("entries") or ())
        for answer in shown
    ]
    read = None if reading is None else seen.numbers(papers_of(reading))
    first = (reading.get("entries") or [])[:FIRST] if isinstance(reading, Mapping) else []
    ranks = [entry["row"]["ranks"].get("similarity", SIMILAR + 1) for entry in first]
    lists = [answer for answer in shown if "/0.cands" in answer.get("address", "")]
    rows = [row for answer in lists for row in answer["content"].get("entries") or ()]
    seconds, code, said = ended
    return Found(
        tuple(chain for chain in chains if chain),
        tuple(anchors),
        tuple(candidates),
        read,
        sum(rank > SIMILAR for rank in ranks),
        tuple(bool(row.get("reasoning")) for row in rows),
        seen.outside,
        seconds=seconds,
        code=code,
        said=said,
    )


class _Seen:
    """Turns ids of papers into positions, and counts those that the cut does not hold."""

    def __init__(self, case: Case, ids: Mapping[str, int]) -> None:
        self.case, self.ids, self.outside = case, ids, 0

    def number(self, paper: str) -> int | None:
        number = self.ids.get(paper.removeprefix("S2:").lower())
        if number is not None and self.case.mask[number]:
            return number
        self.outside += 1
        return None

    def numbers(self, papers: Iterable[str]) -> tuple[int, ...]:
        return tuple(number for paper in papers if (number := self.number(paper)) is not None)


def papers_of(reading: Any) -> list[str]:
    """The ids of a reading list's papers in order: of the first list of objects that have ``paper``
    or ``id``, wherever it stands."""
    if isinstance(reading, Mapping):
        return next((found for value in reading.values() if (found := papers_of(value))), [])
    if not isinstance(reading, list):
        return []
    entries = [
        entry.get("paper") or entry.get("id") for entry in reading if isinstance(entry, Mapping)
    ]
    return [paper if isinstance(paper, str) else paper["id"] for paper in entries if paper]


def _parsed(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return otherwise
