"""``python -m benchmarks.offline``: which topics the starter library takes up, and whether drafts claim anything about papers.

*Outside* topics are titles from ``../shared/data`` that no lineage covers: no link to or from a paper of the library, and abstracts
that share little with its records. *Inside* topics are titles of papers that cite, or are cited by, papers of the library, by the links
of the data (those that a language model wrote are left out). Both are drawn by seed. A third list, *unlinked*, is drawn without looking
at abstracts; it holds topics that the library does cover, since few papers of the data have their links.

With ``--runs N`` so many topics are drawn from all inside ones that the library takes up, and run to the review by ``coi run --offline``.
Of directions, ideas and trends every sentence must come from a form of the drafter and every quotation from a paper; of plans every data
set, baseline and measure that the cards are said to name must stand in a record, and every reference must be a paper of the session.

Reads the data (see ``--data``) and copies nothing from it. Without that folder it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import math
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.coi_process import coi, environment, opened
from coi_tui.literature.ranking import stems
from coi_tui.literature.starter.index import StarterIndex, bundled, searchable
from coi_tui.literature.starter.loader import StarterLibrary
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.shared.drafts.worksheet import own_sentences

ROOT = Path(__file__).resolve().parents[1]
SETS = ("vis", "dev")
FAR = 0.10
"""An abstract is far from the library below this mean cosine (TF-IDF over the data set) to the three nearest records."""


@dataclass(frozen=True)
class Topics:
    """Titles by what the library holds on them."""

    outside: tuple[str, ...]
    unlinked: tuple[str, ...]
    inside: tuple[str, ...]
    all_inside: tuple[str, ...]
    """Every inside topic, in an order drawn by seed."""


def rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


class Nearness:
    """How near a text is to the library: TF-IDF cosine, weights from one data set, the mean of the three nearest records."""

    def __init__(self, library: StarterLibrary, texts: Sequence[str]) -> None:
        self._count = len(texts)
        self._in = Counter(word for text in texts for word in set(stems(text)))
        self._records: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, paper in enumerate(library.papers.values()):
            for word, weight in self._vector(searchable(paper)).items():
                self._records[word].append((number, weight))

    def _vector(self, text: str) -> dict[str, float]:
        counts = Counter(stems(text))
        weights = {
            w: (1 + math.log(n)) * (math.log((1 + self._count) / (1 + self._in[w])) + 1)
            for w, n in counts.items()
        }
        norm = math.sqrt(sum(x * x for x in weights.values())) or 1.0
        return {word: weight / norm for word, weight in weights.items()}

    def of(self, text: str) -> float:
        found: Counter[int] = Counter()
        for word, weight in self._vector(text).items():
            for number, other in self._records.get(word, ()):
                found[number] += weight * other  # type: ignore[assignment]
        return sum(value for _, value in found.most_common(3)) / 3


def draw(data: Path, library: StarterLibrary, seed: int, count: int) -> Topics:
    """``count`` topics of each kind; half of the outside ones from each data set."""
    rng, titles = random.Random(seed), {normalise_title(p.title) for p in library.papers.values()}
    outside: list[str] = []
    unlinked: list[str] = []
    inside: list[str] = []
    for name in SETS:
        papers = {row["paperId"]: row for row in rows(data / f"{name}_papers.jsonl.gz")}
        links = [
            (e["citing"], e["cited"])
            for e in rows(data / f"{name}_edges.jsonl.gz")
            if e.get("provenance") != ["sci-reasoning"]
        ]
        own = {key for key, row in papers.items() if normalise_title(row["title"]) in titles}
        linked = {b for a, b in links if a in own} | {a for a, b in links if b in own}
        inside += sorted(papers[key]["title"] for key in linked - own)
        free = sorted(key for key in set(papers) - own - linked if papers[key]["abstract"])
        rng.shuffle(free)
        unlinked += [papers[key]["title"] for key in free[: count // 2]]
        near = Nearness(
            library, [f"{row['title']}. {row['abstract'] or ''}" for row in papers.values()]
        )
        far = (
            papers[key]["title"]
            for key in free
            if near.of(f"{papers[key]['title']}. {papers[key]['abstract']}") < FAR
        )
        outside += [title for title, _ in zip(far, range(count // 2), strict=False)]
    rng.shuffle(inside)
    return Topics(tuple(outside), tuple(unlinked), tuple(inside[:count]), tuple(inside))


def gate(index: StarterIndex, topics: Sequence[str]) -> dict[str, Any]:
    """How many topics are taken up and refused, and which."""
    taken = [topic for topic in topics if not index.search(topic).lacking]
    return {
        "topics": len(topics),
        "taken up": len(taken),
        "refused": len(topics) - len(taken),
        "those taken up": taken,
    }


TEXTS = {
    "dir": ("text",),
    "idea": ("summary", "final", "problem", "mechanism", "evaluation", "setting"),
}


def unfounded(topic: str, home: Path) -> dict[str, Any]:
    """One run to the review: its exit code (1 where no chain is long enough), and what its texts say without a source."""
    ran = coi(environment(home), "run", topic, "--name", "inside", "--offline", "--yes")
    bad: list[str] = []
    with opened(home, "inside") as session:
        state = session.state
        papers = list(state.papers.values())
        record = (
            " ".join(" ".join(stems(f"{searchable(p)} {p.year}")) for p in papers)
            + " "
            + " ".join(stems(topic))
        )
        for address in state.cells:
            part = address.rpartition("/")[2]
            version = state.in_use(address)
            names = TEXTS.get(part, ("text",) if ".." in part else ())
            if version is not None and version.origin == "drafter":
                bad += _claims([version.content.get(name) for name in names], record)
            if version is not None and version.origin == "drafter" and part == "exp":
                bad += _plan_claims(version.content, record, {p.title for p in papers})
    return {"topic": topic, "code": ran.code, "sentences without a source": bad}


def _claims(texts: Sequence[Any], record: str) -> list[str]:
    plain = ["\n".join(text) if isinstance(text, list) else str(text or "") for text in texts]
    quoted = [part for text in plain for part in text.split('"')[1::2]]
    strange = [part for part in quoted if " ".join(stems(part.removesuffix(" ..."))) not in record]
    return [*own_sentences(plain, 50), *strange]


NAMED = re.compile(r"(?:Data|Measures) that the cards name: (.+?)\.(?:\s|$)")
BASELINE = re.compile(r"^- (.+?), (?:named in the card of|handed over)", re.MULTILINE)


def _plan_claims(plan: Mapping[str, Any], record: str, titles: Container[str]) -> list[str]:
    """Names that a plan says the cards hold and no record does, and references that are no papers of the session."""
    lists = [
        name
        for part in ("design", "metrics")
        for found in NAMED.findall(str(plan.get(part)))
        for name in re.split(r", | and ", found)
    ]
    named = [*lists, *BASELINE.findall(str(plan.get("baselines")))]
    strange = [f"the cards name {name}" for name in named if " ".join(stems(name)) not in record]
    return [
        *strange,
        *(
            f"a reference to {title}"
            for title in plan.get("references") or ()
            if title not in titles
        ),
    ]


def measure(data: Path, seeds: Sequence[int], count: int, runs: int) -> Mapping[str, Any]:
    library, index = bundled()
    found: dict[str, Any] = {}
    for seed in seeds:
        topics = draw(data, library, seed, count)
        found[f"seed {seed}"] = {
            kind: gate(index, getattr(topics, kind)) for kind in ("outside", "unlinked", "inside")
        }
        taken = (topic for topic in topics.all_inside if not index.search(topic).lacking)
        for topic in itertools.islice(taken, runs):
            with tempfile.TemporaryDirectory() as home:
                found[f"seed {seed}"].setdefault("runs", []).append(unfounded(topic, Path(home)))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="python -m benchmarks.offline", description=__doc__)
    p.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    p.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    p.add_argument("--topics", type=int, default=20)
    p.add_argument(
        "--runs", type=int, default=0, help="inside topics that are run through coi, a seed"
    )
    p.add_argument("--json", type=Path)
    args = p.parse_args(arguments)
    if not args.data.is_dir():
        print(f"{args.data} is not there; nothing was measured.")
        return 0
    found = measure(args.data, args.seeds, args.topics, args.runs)
    for seed, kinds in found.items():
        for kind in ("outside", "unlinked", "inside"):
            print(
                f"{seed}: {kind}: {kinds[kind]['refused']} of {kinds[kind]['topics']} refused, {kinds[kind]['taken up']} taken up"
            )
        made = kinds.get("runs", [])
        if made:
            without = sum(len(run["sentences without a source"]) for run in made)
            print(
                f"{seed}: {len(made)} inside topics run, {sum(r['code'] != 0 for r in made)} without a leading idea, "
                f"{without} sentences without a source"
            )
    if args.json:
        args.json.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
