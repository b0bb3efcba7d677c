"""``python scripts/check_links.py [--data DIR] [--write]``: find the evidence of every link of the
starter library.

A link counts as checked where a reference list that is at hand holds it:

* the citation links of the data sets (``*_papers`` and ``*_edges``; links whose only origin is a
language model are left out),
* the recorded answers of Semantic Scholar,
* the reference lists of the papers behind the methods (their texts), and
* ``reference_lists.jsonl`` beside this script: lists that a person read, each with the place where
it can be read again.

Papers are matched by arXiv id or DOI, else by normalised title with a year that differs by one at
most. Only ids are kept, no sentence of anybody. With ``--write`` the files get the evidence that
was found, links between papers of the library that a list holds are added, and no link cites a
newer paper. Without it the script only reports, and fails where a link is called checked and no
list holds it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from coi_tui.literature.ids import normalise_id  # noqa: E402  the folder above is not installed
from coi_tui.literature.title_match import normalise_title  # noqa: E402

STARTER = ROOT / "coi_tui" / "services" / "sources" / "starter"
LISTS = Path(__file__).with_name("reference_lists.jsonl")
MODEL_WRITTEN = ["sci-reasoning"]
"""The origin of links that a language model wrote; they are no evidence."""
METHOD_PAPERS = {
    "papers/000": "arXiv:2410.13185",
    "papers/001": "arXiv:2410.23166",
    "papers/002": "arXiv:2410.14255",
    "papers/003": "arXiv:2410.09403",
}
"""The texts behind the methods; the beginning of a file's name, and the paper that it is."""

Pair = tuple[str, str]


def letters(title: str) -> str:
    """The letters and digits of a title without a remark in brackets at its end; hyphens and spaces
    get lost in reference lists."""
    return normalise_title(re.sub(r"\s*\([^()]*\)\s*$", "", title)).replace(" ", "")


def canonical_id(paper_id: str) -> str:
    """The one spelling of a paper's id."""
    found = normalise_id(paper_id)
    return ":".join(found) if found else paper_id


class Known:
    """The papers of the library, found by id or by title and year."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows = {canonical_id(row["id"]): row for row in rows}
        self._by_id: dict[tuple[str, str], str] = {}
        self._by_title: dict[str, str] = {}
        for paper_id, row in self.rows.items():
            self._by_title[letters(row["title"])] = paper_id
            for scheme, value in row["ids"].items():
                if value and (found := normalise_id(f"{scheme}:{value}")):
                    self._by_id[found] = paper_id

    def find(
        self, title: str | None, year: int | None, ids: Mapping[str, Any] | None
    ) -> str | None:
        """The library's id of a paper of a data set; None where it has none."""
        for scheme in ("ArXiv", "DOI"):
            value = (ids or {}).get(scheme)
            if (
                value
                and (named := normalise_id(f"{'arXiv' if scheme == 'ArXiv' else scheme}:{value}"))
                and named in self._by_id
            ):
                return self._by_id[named]
        found = self._by_title.get(letters(title or ""))
        return (
            found if found and (year is None or abs(self.rows[found]["year"] - year) <= 1) else None
        )

    def when(self, paper_id: str) -> str:
        """The date of a paper as far as it is known, to compare at the coarser of two
        precisions."""
        return str(self.rows[paper_id]["published"])

    def in_order(self, pair: Pair) -> bool:
        """Whether the cited paper is not newer than the citing one."""
        citing, cited = self.when(pair[0]), self.when(pair[1])
        n = min(len(citing), len(cited))
        return cited[:n] <= citing[:n]


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of lines, packed or not."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        yield from (json.loads(line) for line in file if line.strip())


def in_data_set(data: Path, name: str, known: Known) -> Iterator[tuple[Pair, str]]:
    """Links of one data set between papers of the library."""
    papers, edges = data / f"{name}_papers.jsonl.gz", data / f"{name}_edges.jsonl.gz"
    if not (papers.exists() and edges.exists()):
        return
    ids = {
        row["paperId"]: found
        for row in json_lines(papers)
        if (found := known.find(row["title"], row["year"], row.get("externalIds")))
    }
    for edge in json_lines(edges):
        if (
            edge["citing"] in ids
            and edge["cited"] in ids
            and edge.get("provenance") != MODEL_WRITTEN
        ):
            yield (ids[edge["citing"]], ids[edge["cited"]]), f"{name}_edges"


def in_recorded_answers(data: Path, known: Known) -> Iterator[tuple[Pair, str]]:
    """Links of the papers whose reference lists Semantic Scholar once answered with."""
    path = data / "recorded_answers_semanticscholar.tar.gz"
    if not path.exists():
        return
    with tarfile.open(path) as archive:
        for member in (m for m in archive.getmembers() if m.name.endswith("/Paper.json")):
            file = archive.extractfile(member)
            record = json.load(file) if file else {}
            here = known.find(record.get("title"), record.get("year"), record.get("externalIds"))
            for other in record.get("references") or []:
                there = known.find(other.get("title"), other.get("year"), other.get("externalIds"))
                if here and there:
                    yield (here, there), "a recorded answer of Semantic Scholar"


def in_texts(folder: Path, known: Known, links: Iterable[Pair]) -> Iterator[tuple[Pair, str]]:
    """Of ``links``, those whose cited title stands in the citing paper's own text."""
    texts = {}
    for source, paper_id in METHOD_PAPERS.items():
        for path in folder.glob(f"{source.rpartition('/')[2]}_*.txt"):
            unnumbered = re.sub(
                r"\s*(?:\n|\\n)(?:- )?(?:\d{3} )?", " ", path.read_text("utf-8", errors="replace")
            )
            texts[paper_id] = (source, letters(unnumbered))
    for citing, cited in links:
        if citing in texts and letters(known.rows[cited]["title"]) in texts[citing][1]:
            yield (citing, cited), texts[citing][0]


def in_lists_read(known: Known) -> Iterator[tuple[Pair, str]]:
    """Links of the reference lists that were read by a person."""
    for row in json_lines(LISTS):
        for cited in row["cited"]:
            pair = (canonical_id(row["citing"]), canonical_id(cited))
            if pair[0] in known.rows and pair[1] in known.rows:
                yield pair, row["source"]


def evidence(data: Path, known: Known, links: Iterable[Pair]) -> dict[Pair, str]:
    """The first place that holds each link."""
    found: dict[Pair, str] = {}
    places = [in_data_set(data, name, known) for name in ("vis", "dev", "tiny_llm")]
    places += [
        in_recorded_answers(data, known),
        in_texts(data.parent / "papers", known, links),
        in_lists_read(known),
    ]
    for place in places:
        for pair, source in place:
            if pair[0] != pair[1]:
                found.setdefault(pair, source)
    return found


def with_evidence(row: dict[str, Any], source: str | None) -> dict[str, Any]:
    """A line of a links file as the evidence says; what an earlier check found stays where its
    place is not at hand."""
    if source is None or row["evidence"] == "checked":
        return row
    return {**row, "evidence": "checked", "source": source, "note": None}


def new_row(known: Known, pair: Pair, source: str) -> dict[str, Any]:
    """A line for a link that the library lacks, with the ids spelt as its papers files spell
    them."""
    citing, cited = (known.rows[end]["id"] for end in pair)
    return {
        "citing": citing,
        "cited": cited,
        "evidence": "checked",
        "source": source,
        "intents": [],
        "note": None,
    }


def write(files: Mapping[Path, list[dict[str, Any]]]) -> None:
    """The links files, a line a link."""
    for path, rows in files.items():
        path.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT.parent / "shared" / "data",
        help="the folder of the data sets",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the evidence and the links that were found into the files",
    )
    args = parser.parse_args()
    known = Known(
        row for path in sorted((STARTER / "papers").glob("*.jsonl")) for row in json_lines(path)
    )
    lineages = {row["lineage"] for row in known.rows.values()}
    files: dict[Path, list[dict[str, Any]]] = {
        STARTER / "links" / f"{name}.jsonl": [] for name in sorted(lineages)
    }
    files |= {path: list(json_lines(path)) for path in sorted((STARTER / "links").glob("*.jsonl"))}
    listed = {
        (canonical_id(row["citing"]), canonical_id(row["cited"])): row
        for rows in files.values()
        for row in rows
    }
    found = evidence(args.data, known, listed)

    for path, rows in files.items():
        files[path] = [
            with_evidence(row, found.get((canonical_id(row["citing"]), canonical_id(row["cited"]))))
            for row in rows
        ]
    more: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(found):
        if pair not in listed and known.in_order(pair):
            more[known.rows[pair[0]]["lineage"]].append(pair)
    for lineage, pairs in more.items():
        files[STARTER / "links" / f"{lineage}.jsonl"] += [
            new_row(known, pair, found[pair]) for pair in pairs
        ]
    unsupported = [
        pair
        for pair, row in listed.items()
        if row["evidence"] == "checked" and not row.get("note") and pair not in found
    ]
    report(files, listed, more, unsupported)
    if args.write:
        write(files)
    return 1 if unsupported else 0


def report(
    files: Mapping[Path, list[dict[str, Any]]],
    listed: Mapping[Pair, Any],
    more: Mapping[str, list[Pair]],
    bad: list[Pair],
) -> None:
    """How many links each lineage has, how many are checked, and what is called checked without a
    list that holds it."""
    say(f"{'lineage':<20}{'links':>8}{'checked':>9}{'share':>8}{'added':>8}")
    for path, rows in files.items():
        checked = sum(row["evidence"] == "checked" for row in rows)
        say(
            f"{path.stem:<20}{len(rows):>8}{checked:>9}{checked / max(1, len(rows)):>8.0%}{len(more.get(path.stem, ())):>8}"
        )
    all_rows = [row for rows in files.values() for row in rows]
    before, after = (
        Counter(row["evidence"] for row in rows)["checked"] for rows in (listed.values(), all_rows)
    )
    say(f"checked before {before} of {len(listed)}, now {after} of {len(all_rows)}")
    kinds = Counter(place(row["source"]) for row in all_rows if row["source"])
    say("evidence: " + ", ".join(f"{source} {n}" for source, n in kinds.most_common()))
    for pair in bad:
        say(f"called checked, but no list at hand holds it: {pair[0]} -> {pair[1]}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def place(source: str) -> str:
    """A kind of evidence in a few words."""
    return "reference lists read" if source.startswith("its reference list") else source


if __name__ == "__main__":
    raise SystemExit(main())
