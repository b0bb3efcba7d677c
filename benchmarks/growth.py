"""``python -m benchmarks.growth``: how the time of each operation grows with what is there, and
whether it stays usable at its largest.

Each operation runs at 1x, 3x and 10x of a size, the best of several repeats; the exponent is the
slope of log time over log size between the smallest and the largest (1 is linear; n log n shows as
up to 1.15 at these sizes). What takes less than ``FLOOR_MS`` at the largest size is called flat:
there the clock, not the growth, would be measured. Then the absolute sizes: a library of 20,000 and
100,000 papers, also of data made to be hard (one surname, one title, one year, and all three), a
session of 500 papers at rest under keys, an export of 3,000 papers, a decision at 9,000 cells. Exit
1 where a bound is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sessions import generated, home_paths
from coi_tui.config import Keys, Settings
from coi_tui.engine.freshness import FreshnessCache
from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.ranking import LocalPapers
from coi_tui.model.address import slot
from coi_tui.model.fold import fold
from coi_tui.model.papers import Paper
from coi_tui.services.sources.imported_library import ImportedLibrary
from coi_tui.session.environment import Environment
from coi_tui.session.papers.own_links import OwnLinks
from coi_tui.session.papers.own_papers import add_papers, import_papers, own_papers
from coi_tui.session.queries.rows import Marks, tree_rows
from coi_tui.session.session import Session
from coi_tui.store.library_file import LibraryFile
from coi_tui.store.summary import list_sessions
from tests.support.coi_process import table

EXPONENT = 1.25
"""The most that the slope may be: n log n (1.15 at these sizes), and a tenth for the noise of a
shared machine."""
FLOOR_MS = 20.0
FACTORS = (1, 3, 10)
WORDS = """sparse dense causal latent graph neural prompt chain reasoning retrieval idea novelty protein crystal quantum optical thermal
fluid soil climate ocean market policy memory speech vision robot plan search proof logic type code test energy carbon battery
enzyme cell tumour virus vaccine trial cohort survey school teacher student language grammar token embedding kernel spectral
matrix tensor field gauge boson lattice polymer glass alloy fatigue crack wave signal radar sonar image texture contour shadow
colour motion flow traffic bridge tunnel harvest pollen insect bird whale reef glacier volcano fault quake orbit comet planet star
galaxy dust""".split()  # noqa: SIM905
KINDS = ("ordinary", "one surname", "one title", "one year", "one of all three")


def papers_of(kind: str, count: int, first: int = 0) -> Iterator[Paper]:
    """Papers as a reference manager has them, numbered from ``first``; ``kind``: in what they are
    all the same."""
    for n in range(first, first + count):
        dice = random.Random(f"{kind}:{n}")
        names = [
            f"{dice.choice(WORDS).title()} {dice.choice(WORDS).title()}{dice.choice(WORDS)}"
            for _ in range(dice.randint(1, 5))
        ]
        same = kind == "one of all three"
        yield Paper(
            id=f"DOI:10.1000/{n}",
            ids={"DOI": f"10.1000/{n}"},
            title="A study of ideas"
            if same or kind == "one title"
            else " ".join(dice.choice(WORDS) for _ in range(dice.randint(5, 11))),
            year=2020 if same or kind == "one year" else dice.randint(1980, 2026),
            authors=("Ann Wei", *names)
            if kind == "one surname"
            else ("Ann Wei",)
            if same
            else tuple(names),
            abstract=" ".join(dice.choice(WORDS) for _ in range(120)),
            source="my library",
        )


def bibtex(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"@article{{k{n}, title = {{{p.title}}}, author = {{{' and '.join(p.authors)}}}, year = {p.year}, doi = {{{p.ids['DOI']}}},\n"
        f"  abstract = {{{p.abstract}}}}}"
        for n, p in enumerate(papers)
    )


# -- measuring


CLOCK = time.perf_counter


def best(work: Callable[[], object], repeats: int) -> float:
    """The least of the times, in milliseconds."""
    found = []
    for _ in range(repeats):
        gc.collect()
        began = CLOCK()
        work()
        found.append((CLOCK() - began) * 1000)
        if sum(found) > 20_000:
            break
    return min(found)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope between the smallest and the largest."""
    return math.log(max(times[-1], 1e-6) / max(times[0], 1e-6)) / math.log(sizes[-1] / sizes[0])


@dataclass
class Grown:
    """An operation and its times at rising sizes."""

    name: str
    sizes: Sequence[int]
    times: Sequence[float]

    @property
    def flat(self) -> bool:
        return self.times[-1] < FLOOR_MS

    @property
    def fine(self) -> bool:
        return self.flat or exponent(self.sizes, self.times) <= EXPONENT

    def row(self) -> tuple[str, ...]:
        slope = f"{exponent(self.sizes, self.times):.2f}{' (flat)' if self.flat else ''}"
        return (
            self.name,
            *(f"{n:,}: {t:.1f}" for n, t in zip(self.sizes, self.times, strict=True)),
            slope,
            "yes" if self.fine else "NO",
        )


@dataclass
class Bound:
    """One figure at an absolute size, in milliseconds; no ``limit``: only told."""

    name: str
    value: float
    limit: float | None = None

    @property
    def fine(self) -> bool:
        return self.limit is None or self.value <= self.limit

    def row(self) -> tuple[str, ...]:
        return (
            self.name,
            f"{self.value:.0f}",
            "" if self.limit is None else f"{self.limit:.0f}",
            "yes" if self.fine else "NO",
        )


Operations = dict[str, Callable[[], object]]


def grown(
    sizes: Sequence[int],
    operations: Callable[[int], AbstractContextManager[Operations]],
    repeats: int,
) -> list[Grown]:
    """The times of each operation at each size."""
    times: dict[str, list[float]] = {}
    for size in sizes:
        with operations(size) as works:
            for name, work in works.items():
                times.setdefault(name, []).append(best(work, repeats))
                print(
                    f"{size:>9,}  {times[name][-1]:10.1f} ms  {name}", file=sys.stderr, flush=True
                )
    return [Grown(name, sizes, found) for name, found in times.items()]


# -- the library


@contextmanager
def library(size: int, kind: str = "ordinary", batch: int = 100) -> Iterator[Operations]:
    """A library of imported papers, and what is done with it. Papers that are added are new each
    time."""
    with tempfile.TemporaryDirectory() as folder:
        paths, held = home_paths(Path(folder)), list(papers_of(kind, size))
        add_papers(paths, held)
        number = size

        def fresh(count: int) -> Path:
            nonlocal number
            file = Path(folder) / "more.bib"
            file.write_text(bibtex(list(papers_of(kind, count, number))), encoding="utf-8")
            number += count
            return file

        import_papers(paths, fresh(1))
        source = ImportedLibrary(
            LocalPapers(held), OwnLinks(paths, held).listed, today=lambda: "2026-03-01"
        )
        title = held[size // 2].title
        yield {
            "library: add 1 paper": lambda: import_papers(paths, fresh(1)),
            f"library: add {batch} papers": lambda: import_papers(paths, fresh(batch)),
            "library: add a known paper": lambda: import_papers(
                paths, _known(paths.data, held[size // 2])
            ),
            "library: open": lambda: own_papers(paths),
            "library: make ready to search": lambda: LocalPapers(held).nearest("graph", 1),
            "library: search": lambda: asyncio.run(
                source.search("latent graph of causal retrieval", 20)
            ),
            "library: find a title": lambda: asyncio.run(source.match(title, None)),
        }


def _known(folder: Path, paper: Paper) -> Path:
    file = folder / "known.bib"
    file.write_text(bibtex([paper]), encoding="utf-8")
    return file


@contextmanager
def shared_library(size: int) -> Iterator[Operations]:
    """The library that sessions share."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library.db"
        with LibraryFile(path) as file:
            file.remember_papers(papers_of("ordinary", size))
        more = iter(range(10**9))

        def add() -> None:
            with LibraryFile(path) as file:
                file.remember_papers(papers_of("ordinary", 20, size + 20 * next(more)))

        def read() -> None:
            with LibraryFile(path) as file:
                file.all_papers()

        yield {"shared library: open, add 20": add, "shared library: read all": read}


@contextmanager
def merging(size: int, kind: str = "ordinary") -> Iterator[Operations]:
    held = list(papers_of(kind, size))
    yield {f"merge from scratch, {kind}": lambda: merge_papers(held)}


# -- sessions


def open_session(home: Path, *, read_only: bool = False) -> Session:
    return Session.open(
        "big", Environment(home_paths(home), Settings(), Keys()), read_only=read_only
    )


def branches_of(papers: int) -> int:
    """Chains are of 20 papers, in large sessions of a hundred: 99 places on a side is the most that
    an address holds."""
    return max(5, papers // 100)


@contextmanager
def session(papers: int, exports: bool = True) -> Iterator[Operations]:
    """A session with chains of so many papers, two cells a paper."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        generated(home, branches=branches_of(papers), papers=papers, decisions=4 * papers)
        with open_session(home) as held:
            yield {
                "session: open": lambda: _reopened(home),
                "session: the tree's rows": lambda: _rows_anew(held),
                **decisions(held, papers),
                "session: what reads what": lambda: _cache(held).readers(held.state, "topic"),
                "session: coi why": lambda: held.why(f"{slot(3, 0)}.card"),
                "session: state from the log": lambda: fold(
                    held.journal.entries, held.journal.papers
                ),
                "session: verify": held.verify,
                "session: reading list": held.reading_list,
                **(
                    {
                        f"session: export {kind}": lambda kind=kind: held.exports.text(kind)  # type: ignore[misc]
                        for kind in EXPORTS
                    }
                    if exports
                    else {}
                ),
            }


PARTS = ("library", "sessions", "large", "session-large", "keys")
EXPORTS = ("md", "html", "bib", "json")


def _reopened(home: Path) -> None:
    open_session(home, read_only=True).close()


def _rows_anew(held: Session) -> None:
    """As when it is opened: nothing is known of the cells."""
    tree_rows(held.state, held.methods, _cache(held).of(held.state), Marks())


def _cache(held: Session) -> FreshnessCache:
    return FreshnessCache(held.methods.follow)


def decisions(held: Session, papers: int) -> Operations:
    """One decision of each kind with what a screen asks after it: the rows anew."""
    places = iter(
        [
            slot(b, pos)
            for pos in range(1, papers // branches_of(papers) // 2)
            for b in range(1, branches_of(papers) + 1)
        ]
    )
    texts = iter(range(10**9))

    def edit() -> None:
        address = f"{next(places)}.card"
        text = held.edits.text_of(address).replace("The chain", f"Chain {next(texts)} of work", 1)
        held.edits.save(address, text, opened=held.inputs_now(address))

    def then_rows(work: Callable[[], object]) -> Callable[[], object]:
        return lambda: (work(), held.rows())

    return {
        "session: accept": lambda: held.decide("accept", next(places)),
        "session: accept, rows drawn": then_rows(lambda: held.decide("accept", next(places))),
        "session: edit, rows drawn": then_rows(edit),
        "session: undo, rows drawn": then_rows(held.undo),
        "session: reject, rows drawn": then_rows(lambda: held.decide("reject", next(places))),
    }


@contextmanager
def many_sessions(count: int) -> Iterator[Operations]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        paths = home_paths(home)
        for n in range(count):
            Session.create(
                f"s{n}", "how ideas grow", Environment(paths, Settings(), Keys()), offline=True
            ).close()
        yield {"list of sessions": lambda: list_sessions(paths.sessions)}


# -- the app


async def keys_at_rest(home: Path, count: int) -> float:
    """The p95 in milliseconds from a key to a drawn screen, on the opened session."""
    from coi_tui.app import CoiApp

    app = CoiApp(home_paths(home), session="big")
    found = []
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(1.0)
        for n in range(count):
            began = time.perf_counter()
            await pilot.press("j" if n % 8 < 4 else "k")
            found.append((time.perf_counter() - began) * 1000)
    return sorted(found)[int(len(found) * 0.95) - 1]


# -- the table


def measured(args: argparse.Namespace) -> tuple[list[Grown], list[Bound]]:
    curves: list[Grown] = []
    bounds: list[Bound] = []
    only: Sequence[str] = args.only or PARTS
    if "library" in only:
        sizes = [2000 * f for f in FACTORS]
        curves += grown(sizes, library, args.repeats)
        curves += grown(sizes, shared_library, args.repeats)
        for kind in KINDS:
            curves += grown(
                [1000 * f for f in FACTORS],
                lambda size, kind=kind: merging(size, kind),  # type: ignore[misc]
                2,
            )
    if "sessions" in only:
        curves += grown([100 * f for f in FACTORS], session, args.repeats)
        curves += grown([10 * f for f in FACTORS], many_sessions, args.repeats)
    if "large" in only:
        for kind in KINDS:
            curves_of = grown([20_000], lambda size, kind=kind: library(size, kind), args.repeats)  # type: ignore[misc]
            bounds += [
                Bound(f"{c.name}, 20,000 papers, {kind}", c.times[0], LIMITS.get(c.name))
                for c in curves_of
            ]
        bounds += [
            Bound(f"{c.name}, 100,000 papers", c.times[0], LIMITS.get(c.name))
            for c in grown([100_000], library, 2)
        ]
    if "session-large" in only:
        bounds += [
            Bound(f"{c.name}, 3,000 papers", c.times[0], LIMITS_3000.get(c.name))
            for c in grown([3000], session, args.repeats)
        ]
        found = grown([4500], lambda size: session(size, exports=False), args.repeats)
        bounds += [
            Bound(f"{c.name}, 9,000 cells", c.times[0], LIMITS_9000.get(c.name)) for c in found
        ]
    if "keys" in only:
        with tempfile.TemporaryDirectory() as folder:
            generated(Path(folder), branches=5, papers=500, decisions=2000)
            bounds.append(
                Bound(
                    "app: key to drawn screen, p95, session of 500 papers",
                    asyncio.run(keys_at_rest(Path(folder), 60)),
                    100,
                )
            )
    return curves, bounds


LIMITS = {
    "library: add 1 paper": 100.0,
    "library: add a known paper": 100.0,
    "library: add 100 papers": 500.0,
    "library: search": 3000.0,
    "library: find a title": 3000.0,
}
LIMITS_3000 = {f"session: export {kind}": 1000.0 for kind in EXPORTS}
LIMITS_9000 = {
    "session: accept": 100.0,
    **{f"session: {kind}, rows drawn": 300.0 for kind in ("accept", "edit", "reject", "undo")},
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growth", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="the best of so many (default 3)"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="count processor time: for a machine that has other work (waits for disks are left out)",
    )
    args = parser.parse_args()
    if args.cpu:
        global CLOCK
        CLOCK = time.process_time
    curves, bounds = measured(args)
    if curves:
        print(table([c.row() for c in curves], ("ms at", "1x", "3x", "10x", "exponent", "held")))
    if bounds:
        print(table([b.row() for b in bounds], ("at its largest", "ms", "at most", "held")))
    broken = [c.name for c in curves if not c.fine] + [b.name for b in bounds if not b.fine]
    print(
        f"{len(curves) + len(bounds)} figures, {len(broken)} beyond their bound{': ' + '; '.join(broken) if broken else ''}"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
