"""``python -m benchmarks.pdf_folder [--seeds N]``: a folder of 48 PDFs imported against a source that answers as the real ones do.

The files (``benchmarks.pdf_files``) bear DOIs, stamps or only a title; titles are divided, in capitals, in other letters, wrong in the
metadata; some files comment on a paper, supplement it, cite it on page one or have nearly its title; some cannot be read. The source (a
stand-in over HTTP) answers a title with the paper of the most similar one, whatever it is, as Semantic Scholar does.

For each seed: taken by an id and the title; taken by title and authors (one key, or --accept-titles); asked; suggestions; refused with a
sentence; wrongly named. Exit 1 where a file was wrongly named, a refusal has no sentence, or a suggestion is below 0.8.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz import fuzz, process

from benchmarks.coi_process import table
from benchmarks.pdf_files import KINDS, Kind, Made, files_of, with_hard_titles
from benchmarks.standins.corpus import Corpus, SearchIndex, make_corpus
from benchmarks.standins.http_server import Response, StandIn, answer_json
from benchmarks.standins.request_log import RequestLog
from benchmarks.standins.semantic_scholar import S2Service, fields_of
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.literature.title_match import compact_title
from coi_tui.paths import Paths
from coi_tui.session.papers.pdf_confirmation import confirm_online
from coi_tui.session.papers.pdf_folder import PdfFolder, PdfRow

LEAST_SUGGESTED = 0.8


class NearestTitles(S2Service):
    """Answers a title with the paper of the most similar one."""

    def _match(self, params: dict[str, str]) -> Response:
        titles = {n: paper.title.casefold() for n, paper in enumerate(self.corpus.papers)}
        _, _, best = process.extractOne(
            params.get("query", "").casefold(), titles, scorer=fuzz.token_sort_ratio
        )
        row = self.rows.paper(self.corpus.papers[best], ["title", *fields_of(params.get("fields"))])
        return answer_json({"data": [{**row, "matchScore": 109.55}]})


@dataclass
class Found:
    """What became of the files of a seed."""

    by_id: int = 0
    by_title: int = 0
    asked: int = 0
    suggested: int = 0
    right_suggested: int = 0
    twins: int = 0
    refused: int = 0
    requests: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    asked_kinds: Counter[str] = field(default_factory=Counter)
    taken_kinds: Counter[str] = field(default_factory=Counter)


def wrongly_named(made: Made, row: PdfRow) -> str:
    """In words, what is wrong with the paper that the file was taken for; empty where nothing is."""
    paper = row.paper
    assert paper is not None
    if made.truth is not None:
        same = (
            paper.ids.get("DOI") == made.truth.doi
            or paper.ids.get("arXiv") == made.truth.arxiv
            or paper.ids.get("S2") == made.truth.paper_id
        )
        return "" if same else f"{made.kind}: “{made.title}” was taken for “{paper.title}”"
    return (
        ""
        if compact_title(paper.title) == compact_title(made.title) and not row.confirmed
        else f"{made.kind}: “{made.title}” was taken for “{paper.title}”"
    )


def judge(made: Sequence[Made], rows: Sequence[PdfRow]) -> Found:
    """Hold the rows against what the files are."""
    found = Found()
    for one, row in zip(made, rows, strict=True):
        found.by_id += row.state == "sure"
        found.by_title += row.state == "title"
        found.asked += row.state == "ask"
        found.twins += row.state == "twin"
        found.refused += row.state == "unread"
        if row.state in ("sure", "title"):
            found.taken_kinds[one.kind] += 1
            found.wrong += filter(None, [wrongly_named(one, row)])
        if row.state == "ask":
            found.asked_kinds[one.kind] += 1
            found.suggested += bool(row.near)
            found.right_suggested += one.truth is not None and any(
                offer.paper.title == one.truth.title for offer in row.near
            )
        if row.state in ("ask", "twin", "unread") and not row.why:
            found.faults.append(f"{one.name}: no sentence")
        if (row.state == "unread") == one.readable:
            found.faults.append(f"{one.name}: {row.why or 'was read'}")
        found.faults += [
            f"{one.name}: a suggestion of {offer.score:.2f}"
            for offer in row.near
            if offer.score < LEAST_SUGGESTED
        ]
    return found


async def imported(files: Sequence[Made], corpus: Corpus, folder: Path) -> tuple[list[PdfRow], int]:
    """The rows of a folder after the sources were asked, and how many requests that took."""
    place, paths = (
        folder / "pdfs",
        Paths(data=folder / "data", config=folder / "config", cache=folder / "cache"),
    )
    place.mkdir()
    for one in files:
        (place / one.name).write_bytes(one.data)
    log = RequestLog(None)
    async with StandIn(NearestTitles(SearchIndex(corpus)), log=log) as source:
        reached = SourceSettings(base_url=f"{source.url}/graph/v1", pace_s=0)
        settings = Settings(
            semantic_scholar=reached
        )  # with it on this machine no registry elsewhere is asked
        pdfs = PdfFolder(paths)
        await pdfs.look([place / one.name for one in files])
        if trouble := await confirm_online(pdfs, paths, settings, Keys(), lambda _done, _of: None):
            raise RuntimeError(trouble)
    return pdfs.rows, len(log.entries)


def run(seed: int, kinds: Sequence[tuple[Kind, int]] = KINDS) -> Found:
    """One folder from its files to what became of them."""
    corpus = with_hard_titles(make_corpus())
    files = files_of(seed, corpus, kinds)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        rows, requests = asyncio.run(imported(files, corpus, Path(folder)))
        found = judge(files, rows)
        found.seconds, found.requests = time.perf_counter() - began, requests
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pdf_folder", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seeds", type=int, default=3, help="folders (default 3)")
    parser.add_argument(
        "--show", action="store_true", help="which kinds of files were taken and asked about"
    )
    args = parser.parse_args()
    found = [run(seed) for seed in range(1, args.seeds + 1)]
    rows = [
        (
            n,
            f.by_id,
            f.by_title,
            f.asked,
            f.suggested,
            f.twins,
            f.refused,
            len(f.wrong),
            f.requests,
            f"{f.seconds:.1f}",
        )
        for n, f in enumerate(found, start=1)
    ]
    print(
        table(
            rows,
            (
                "seed",
                "taken by id",
                "by title and authors",
                "asked",
                "of these with a suggestion",
                "twice",
                "refused",
                "wrongly named",
                "requests",
                "s",
            ),
        )
    )
    if args.show:
        for word, counts in (
            ("taken", [f.taken_kinds for f in found]),
            ("asked", [f.asked_kinds for f in found]),
        ):
            print(
                f"{word}: {', '.join(f'{kind} {n}' for kind, n in sum(counts, Counter[str]()).most_common())}"
            )
    for line in [line for f in found for line in (*f.wrong, *f.faults)]:
        print(line)
    return 1 if any(f.wrong or f.faults for f in found) else 0


if __name__ == "__main__":
    sys.exit(main())
