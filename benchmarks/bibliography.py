"""``python -m benchmarks.bibliography [--folder FOLDER]``: lists of papers read by the program, and by the libraries alone.

Writes files of the shapes that reference managers make or that broke a reader: accents and formulas, names from ``@string``, unclosed braces,
missing commas, repeated keys, RIS records without an end, CSL-JSON with tags. ``--folder`` reads every list in a folder instead, such
as the test files of reference managers. The library's own reading of BibTeX is bibtexparser with its LaTeX decoding and names, of RIS rispy
("entries alone": bibtexparser that leaves the LaTeX as it is; its titles cannot be compared).

For each kind: entries that the library finds, papers taken, entries left out and named, titles that differ, and the time in proportion to the
library's. Exit 1 where an entry is neither taken nor named, or where reading BibTeX, or all kinds together, takes more than twice the libraries'
time; RIS and JSON are split in so little time (0.01 ms a record) that what follows, the making of papers with their ids and titles (0.06 to 0.1
ms), is nearly all of it.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from operator import add
from pathlib import Path

import bibtexparser.middlewares as m
import rispy
from bibtexparser.entrypoint import parse_string
from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ParsingFailedBlock,
)

from benchmarks.coi_process import table
from coi_tui.literature.bibliography_files import Bibliography, read_bibliography
from coi_tui.literature.title_match import compact_title
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

MOST_RATIO = 2.0
ENDINGS = {
    "bib": "BibTeX",
    "bibtex": "BibTeX",
    "biblatex": "BibTeX",
    "ris": "RIS",
    "json": "CSL-JSON",
}


@dataclass
class Reading:
    """What a library makes of a file: the title of each entry that it reads (empty: none), and how many it gives up."""

    titles: list[str]
    failed: int = 0


def by_bibtexparser(text: str) -> Reading:
    stack = [
        m.ResolveStringReferencesMiddleware(),
        m.RemoveEnclosingMiddleware(),
        m.NormalizeFieldKeys(),
        m.SeparateCoAuthors(),
        m.LatexDecodingMiddleware(keep_math_mode=False),
    ]
    blocks = parse_string(text, parse_stack=stack).blocks
    titles, failed = list[str](), 0
    for block in blocks:
        if (
            isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock)
            and block.ignore_error_block is not None
        ):
            block = block.ignore_error_block
        if isinstance(block, Entry):
            title = (
                block.fields_dict.get("title")
                or block.fields_dict.get("Title")
                or block.fields_dict.get("TITLE")
            )
            titles.append(str(title.value) if title else "")
        elif isinstance(block, ParsingFailedBlock) and not (block.raw or "").lower().startswith(
            ("@comment", "@preamble", "@string")
        ):
            failed += 1
    return Reading(titles, failed)


def by_rispy(text: str) -> Reading:
    return Reading([str(r.get("title") or r.get("primary_title") or "") for r in rispy.loads(text)])


def by_json(text: str) -> Reading:
    items = json.loads(text)
    items = items.get("items", [items]) if isinstance(items, dict) else items
    return Reading(
        [str(item.get("title") or "") if isinstance(item, dict) else "" for item in items]
    )


LIBRARIES: dict[str, Callable[[str], Reading]] = {
    "BibTeX": by_bibtexparser,
    "RIS": by_rispy,
    "CSL-JSON": by_json,
}


@dataclass
class Sum:
    """What was found in all files of a kind."""

    files: int = 0
    entries: int = 0
    taken: int = 0
    named: int = 0
    other_titles: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    ours_s: float = 0.0
    library_s: float = 0.0
    split_s: float = 0.0

    def __add__(self, other: Sum) -> Sum:
        return Sum(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def ratio(self) -> float:
        return self.ours_s / self.library_s if self.library_s else 0.0


def compare(name: str, text: str, total: Sum, kind: str) -> None:
    """Read one file both ways and add what was found."""
    total.files += 1
    text = clean(text)
    try:
        began = time.process_time()
        other = LIBRARIES[kind](text)
        library_s = time.process_time() - began
        if kind == "BibTeX":
            began = time.process_time()
            parse_string(text)
            total.split_s += time.process_time() - began
    except (ValueError, KeyError, RecursionError) as error:
        other, library_s = Reading([]), 0.0
        total.refused.append(f"{name}: the library fails with {type(error).__name__}")
    try:
        began = time.process_time()
        found = read_bibliography(text, name)
        ours_s = time.process_time() - began
    except UsageError as error:
        total.refused.append(f"{name}: {error}")
        return
    total.entries += len(other.titles) + other.failed
    total.taken, total.named = total.taken + len(found.papers), total.named + len(found.left_out)
    total.ours_s, total.library_s = total.ours_s + ours_s, total.library_s + library_s
    missing = len(other.titles) + other.failed - len(found.papers) - len(found.left_out)
    if missing > 0:
        total.unnamed.append(f"{name}: {missing} of {len(other.titles) + other.failed}")
    total.other_titles += [f"{name}: {title!r}" for title in differing(other.titles, found)]


def differing(titles: Sequence[str], found: Bibliography) -> Iterator[str]:
    """Titles of the library's reading that no paper has: compared by letters and digits, as far as a title is kept."""
    ours = {compact_title(paper.title)[:300] for paper in found.papers}
    for title in titles:
        wanted = compact_title(title)[:300]
        if wanted and wanted not in ours:
            yield title[:120]


# Files of the shapes that were seen

WORDS = (
    "gates",
    "evidence",
    "memory",
    "chains",
    "retrieval",
    "sparse",
    "graphs",
    "learning",
    "maps",
    "light",
    "proofs",
    "rivers",
)


def words(n: int, count: int) -> str:
    return " ".join(WORDS[(n * 7 + k * (n % 5 + 1)) % len(WORDS)] for k in range(count))


def bibtex_of_all_shapes(entries: int) -> Iterator[str]:
    yield '@string{jir = "Journal of Invented Results"}\n@comment{made by a script}\n@preamble{"\\newcommand{\\x}{y}"}\n'
    shapes = (
        "title = {{{{On}} {w} {n}: {{\\'E}}tudes of $\\rho$ and \\chi{{}}}}, author = {{Bar, Ann and M{{\\\"u}}ller, Bo and others}}, journal = jir # {{ B}}, year = 2020",
        'title = "About {w} {n} -- a {{S}}tudy", author = "van der Berg, Maarten", year = "2021", month = mar, doi = {{doi:10.1234/x.{n}}}',
        "title={{Towards {w} {n}}}, journal={{arXiv preprint arXiv:2005.{n:05d}}}, year={{2020}}, author={{C. Baz}}",
        "title = {{{w} {n} at 50% of R\\&D \\url{{https://example.org/a_b}}}} year = 1999, author = {{{{The Consortium}}}}",
        "booktitle = {{Of no title {n}}}",
        "title = {{Never closed {n}, author = {{Foo, Bo}}, year = 2011",
    )
    abstract = words(3, 150)
    for n in range(entries):
        shape = shapes[-1] if n % 50 == 49 else shapes[-2] if n % 50 == 48 else shapes[n % 4]
        key = f"key{n // 2 if n % 20 == 1 else n}"
        end = (
            "\n"
            if n % 50 == 49
            else f",\n  abstract = {{{abstract}}}, keywords = {{{words(n, 6)}}}\n}}\n\n"
        )
        yield f"@article{{{key},\n  {shape.format(w=words(n, 6), n=n)}{end}"


def ris_of_all_shapes(entries: int, *, broken: bool = False) -> Iterator[str]:
    """``broken``: some records have no end, some tags one blank, which rispy alone does not read."""
    for n in range(entries):
        space = " " if broken and n % 7 == 0 else "  "
        lines = [
            "TY  - JOUR",
            f"{'TI' if n % 2 else 'T1'}{space}- {words(n, 6)} {n}",
            f"AU  - Bar{n}, Ann",
            "PY  - 2020///",
            f"AB  - {words(n, 60)}",
            words(n, 60),
        ]
        yield "\n".join([*lines, *(["ER  - "] if not broken or n % 11 else [])]) + "\n\n"


def csl_of_all_shapes(entries: int) -> str:
    return json.dumps(
        [
            {
                "id": f"k{n}",
                **({} if n % 50 == 49 else {"title": f"<i>{words(n, 3)}</i> of R&amp;D {n}"}),
                "author": [{"family": f"Bar{n}", "given": "Ann"}],
                "issued": {"date-parts": [[2020, 3]]},
                "DOI": f"https://doi.org/10.1234/y.{n}",
                "abstract": words(n, 120),
            }
            for n in range(entries)
        ]
    )


def made(folder: Path, entries: int) -> None:
    (folder / "shapes.bib").write_text("".join(bibtex_of_all_shapes(entries)), encoding="utf-8")
    (folder / "shapes.ris").write_text("".join(ris_of_all_shapes(entries)), encoding="utf-8")
    (folder / "broken.ris").write_text(
        "".join(ris_of_all_shapes(entries, broken=True)), encoding="utf-8"
    )
    (folder / "shapes.json").write_text(csl_of_all_shapes(entries), encoding="utf-8")


def text_of(file: Path) -> str:
    data = file.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bibliography", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--folder", type=Path, help="read the lists in this folder and below instead"
    )
    parser.add_argument(
        "--entries", type=int, default=2_000, help="of each file that is made (default 2000)"
    )
    parser.add_argument(
        "--show",
        type=int,
        default=20,
        metavar="N",
        help="name so many of the titles that differ (default 20)",
    )
    args = parser.parse_args()
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    for ending in ("a.bib", "a.ris"):  # what is loaded at the first use does not count
        read_bibliography("@a{k, title={\\'e}}\nTY  - JOUR\nTI  - T\nER  - \n", ending)
    by_bibtexparser("@a{k, title={\\'e}}")
    sums = {kind: Sum() for kind in LIBRARIES}
    with tempfile.TemporaryDirectory() as made_here:
        folder = args.folder or Path(made_here)
        if args.folder is None:
            made(folder, args.entries)
        for file in sorted(folder.rglob("*")):
            kind = ENDINGS.get(file.suffix.lower().removeprefix("."))
            if (
                kind
                and file.is_file()
                and (kind != "CSL-JSON" or re.match(r'\s*\[?\s*\{\s*"(?:id|type)"', text_of(file)))
            ):
                compare(file.name, text_of(file), sums[kind], kind)
    head = (
        "kind",
        "files",
        "entries",
        "taken",
        "left out, named",
        "titles differ",
        "s",
        "library s",
        "ratio",
        "entries alone s",
    )
    rows = []
    whole = reduce(add, sums.values())
    for kind, found in (*sums.items(), ("all", whole)):
        times = (found.ours_s, found.library_s, found.ratio, found.split_s)
        counts = (found.files, found.entries, found.taken, found.named, len(found.other_titles))
        rows.append((kind, *counts, *(f"{figure:.2f}" for figure in times)))
    print(table(rows, head))
    for kind, found in sums.items():
        for what, lines in (
            ("neither taken nor named", found.unnamed),
            ("refused", found.refused),
            ("title differs", found.other_titles[: args.show]),
        ):
            for line in lines:
                print(f"{kind}, {what}: {line}")
    return (
        1
        if any(s.unnamed for s in sums.values())
        or max(sums["BibTeX"].ratio, whole.ratio) > MOST_RATIO
        else 0
    )


if __name__ == "__main__":
    sys.exit(main())
