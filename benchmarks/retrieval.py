"""``python -m benchmarks.retrieval``: the papers that ``coi`` proposes for the topics of held-out
papers, against simple ways to find them.

A target is taken out of a corpus with its links, and so is what is newer than its year. Its title
(and keywords) is the topic, and its own references are what should be found. ``coi`` runs through
its command line alone, without a language model, against a Semantic Scholar stand-in that serves
the rest of the corpus; the simple methods work on the same cut. ``--tree`` names the checkout under
test and
``--against`` another one, so that one script measures both::

    python -m benchmarks.retrieval --tree . --against ../base --targets 200 --json retrieval.json

``--topics`` asks about topics in words of our own instead (``held_out/topics.toml``): nothing is
known to be true there, so papers are counted that come up whatever the topic, and a judge by words
grades the anchors.

Reads ``../shared/data`` (see ``--data``) and copies nothing from it. Without that folder it says so
and exits with 0.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.held_out.baselines import BASELINES
from benchmarks.held_out.coi_runs import FIRST, SIMILAR, Found, Tree, run_all
from benchmarks.held_out.corpus import KINDS, Case, PaperSet, draw, load, own_topics, thin
from benchmarks.held_out.metrics import Interval, compare, compare_ratios, recall
from benchmarks.word_judge import grade
from coi_tui.services.llm.sentence_vectors import fetch, missing

ROOT = Path(__file__).resolve().parents[1]
DEPTHS = (5, 10, 20)
PLAIN = "TF-IDF to the topic alone"
Scores = dict[str, dict[int, list[float]]]
"""By method and depth: the share of each target's references that was found."""


def told(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def scores_of(cases: Sequence[Case], lists: Mapping[str, Sequence[Sequence[int]]]) -> Scores:
    return {
        name: {
            at: [recall(found, case.truth, at) for found, case in zip(each, cases, strict=True)]
            for at in DEPTHS
        }
        for name, each in lists.items()
    }


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def chain_figures(cases: Sequence[Case], found: Sequence[Found]) -> dict[str, Any]:
    """Counts over all runs of one checkout; lists have one entry a target."""
    pairs = [(case, chain) for case, one in zip(cases, found, strict=True) for chain in one.chains]
    links = [(case, older, newer) for case, chain in pairs for older, newer in pairwise(chain)]
    both = list(zip(cases, found, strict=True))
    return {
        "runs": len(found),
        "failed runs": sum(one.code != 0 for one in found),
        "papers outside the cut": sum(one.outside for one in found),
        "chains": len(pairs),
        "chains of one paper": sum(len(chain) == 1 for _, chain in pairs),
        "links": len(links),
        "true links": sum((newer, older) in case.papers.links for case, older, newer in links),
        "links by run": [sum(len(chain) - 1 for chain in one.chains) for one in found],
        "akin": [
            sum(_akin(case.papers, *pair) for chain in one.chains for pair in pairwise(chain))
            for case, one in both
        ],
        "links in year order": sum(
            bool(case.papers.years[older] <= case.papers.years[newer])
            for case, older, newer in links
        ),
        "runs with distinct anchors": sum(
            len(set(one.anchors)) == len(one.anchors) for one in found
        ),
        "anchors": [len(one.anchors) for one in found],
        "anchor hits": [sum(anchor in case.truth for anchor in one.anchors) for case, one in both],
        "chain papers": [len({n for chain in one.chains for n in chain}) for one in found],
        "chain hits": [
            len({n for chain in one.chains for n in chain} & case.truth) for case, one in both
        ],
        "one-paper chains": [sum(len(chain) == 1 for chain in one.chains) for one in found],
        "requests": [one.requests for one in found],
        "seconds": [one.seconds for one in found],
    }


def _akin(papers: PaperSet, older: int, newer: int) -> bool:
    """Whether two papers have at least two references in common."""
    return len({*map(int, papers.references[older])} & {*map(int, papers.references[newer])}) >= 2


def measure(
    papers: PaperSet, cases: Sequence[Case], trees: Sequence[Tree], jobs: int
) -> dict[str, Any]:
    """Everything about one corpus, ready for JSON."""
    told(
        f"{papers.name}: {len(cases)} targets of {len(list(papers.targets()))}; computing {len(BASELINES)} simple methods"
    )
    lists: dict[str, Sequence[Sequence[int]]] = {
        name: [method(case) for case in cases] for name, method in BASELINES.items()
    }
    runs = {tree.name: run_all(tree, papers, cases, jobs, told) for tree in trees}
    for name, found in runs.items():
        lists[f"{name}: anchors and chains, then candidates"] = [one.ranked() for one in found]
        if any(one.reading is not None for one in found):
            lists[f"{name}: reading list"] = [one.reading or () for one in found]
    scores = scores_of(cases, lists)
    best = {at: max(BASELINES, key=lambda name: mean(scores[name][at])) for at in DEPTHS}
    chains = {name: chain_figures(cases, found) for name, found in runs.items()}
    return {
        "corpus": papers.name,
        "targets": [papers.rows[case.target].id for case in cases],
        "best single baseline": best,
        "methods": {name: _method(scores, name, best) for name in scores},
        "chains": chains,
        "compared": _compared(chains),
        "failures": [
            {"tree": name, "target": n, "code": one.code, "said": one.said}
            for name, found in runs.items()
            for n, one in enumerate(found)
            if one.code
        ],
    }


def _method(scores: Scores, name: str, best: Mapping[int, str]) -> dict[str, Any]:
    return {
        f"R@{at}": {
            "mean": mean(each),
            "to TF-IDF": asdict(compare(each, scores[PLAIN][at])),
            "to the best single baseline": asdict(compare(each, scores[best[at]][at])),
            "by target": each,
        }
        for at, each in scores[name].items()
    }


def of_topics(papers: PaperSet, cases: Sequence[Case], found: Sequence[Found]) -> dict[str, str]:
    """What one checkout makes of topics of which nothing is known to be true, in words."""
    far = [one.far for one in found]
    often = Counter(n for one in found for n in (one.reading or ())[:FIRST])
    [(hub, times)] = often.most_common(1) or [(0, 0)]
    grades = [
        grade(case.topic, f"{papers.rows[n].title}. {papers.rows[n].abstract or ''}")
        for case, one in zip(cases, found, strict=True)
        for n in one.anchors
    ]
    graded = [row for one in found for row in one.graded]
    return {
        f"of the first {FIRST}, not among the {SIMILAR} most similar; most": f"{mean(far):.2f}; {max(far, default=0)}",
        f"most lists whose first {FIRST} hold one paper": f"{times}: {papers.rows[hub].title[:40]}",
        "anchors: grade by words, mean": f"{mean(grades):.2f}",
        "anchors graded 2 or 3 by words": _share(sum(g > 1 for g in grades), len(grades)),
        "anchors graded 0 by words": _share(grades.count(0), len(grades)),
        "papers listed for anchors that were judged": _share(sum(graded), len(graded)),
        "failed runs": str(sum(one.code != 0 for one in found)),
    }


QUOTIENTS = {
    "precision of anchors": ("anchor hits", "anchors"),
    "true hits in the chains, a run": ("chain hits", ""),
    "chains of one paper, a run": ("one-paper chains", ""),
    "neighbours with two references in common": ("akin", "links by run"),
}
"""What two checkouts are compared by: sums over the targets, the second empty where it is the
number of runs."""


def _compared(chains: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The first checkout against each further one."""
    (first, ours), *others = chains.items() or [("", {})]
    return {
        f"{first} : {name}": {
            label: asdict(compare_ratios(_pairs(ours, *keys), _pairs(theirs, *keys)))
            for label, keys in QUOTIENTS.items()
        }
        for name, theirs in others
    }


def _pairs(figures: Mapping[str, Any], top: str, bottom: str) -> list[tuple[float, float]]:
    return list(
        zip(figures[top], figures[bottom] if bottom else [1] * figures["runs"], strict=True)
    )


def markdown(result: Mapping[str, Any]) -> str:
    """The tables of one corpus."""
    best = result["best single baseline"]
    head = [
        "method",
        *(f"R@{at}" for at in DEPTHS),
        *(f"@{at} : TF-IDF" for at in DEPTHS),
        *(f"@{at} − {best[at]}" for at in DEPTHS),
    ]
    rows = [
        [
            name,
            *(f"{figures[f'R@{at}']['mean']:.3f}" for at in DEPTHS),
            *(_with_bounds(figures[f"R@{at}"]["to TF-IDF"]["ratio"], "{:.2f}") for at in DEPTHS),
            *(
                _with_bounds(
                    figures[f"R@{at}"]["to the best single baseline"]["difference"], "{:+.3f}"
                )
                for at in DEPTHS
            ),
        ]
        for name, figures in result["methods"].items()
    ]
    parts = [f"## {result['corpus']}: {len(result['targets'])} targets", table(head, rows)]
    names = list(result["chains"])
    parts.append(table(["chains", *names], _chain_rows(list(result["chains"].values()))))
    for title, compared in result["compared"].items():
        parts.append(
            table(
                [title, "ratio", "difference"],
                [
                    [
                        label,
                        _with_bounds(v["ratio"], "{:.2f}"),
                        _with_bounds(v["difference"], "{:+.3f}"),
                    ]
                    for label, v in compared.items()
                ],
            )
        )
    return "\n\n".join(part for part in parts if part)


def _chain_rows(each: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    rows: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "precision of anchors": lambda f: _share(sum(f["anchor hits"]), sum(f["anchors"])),
        "true hits in the chains": lambda f: (
            f"{sum(f['chain hits'])} of {sum(f['chain papers'])} papers"
        ),
        "true hits a run": lambda f: f"{mean(f['chain hits']):.2f}",
        "chains of one paper": lambda f: _share(f["chains of one paper"], f["chains"]),
        "neighbours with two references in common": lambda f: _share(sum(f["akin"]), f["links"]),
        "links true": lambda f: _share(f["true links"], f["links"]),
        "links in year order": lambda f: _share(f["links in year order"], f["links"]),
        "runs with distinct anchors": lambda f: _share(f["runs with distinct anchors"], f["runs"]),
        "papers outside the cut": lambda f: str(f["papers outside the cut"]),
        "requests a run, mean and most": lambda f: (
            f"{mean(f['requests']):.1f}, {max(f['requests'], default=0)}"
        ),
        "seconds a run": lambda f: f"{mean(f['seconds']):.1f}",
        "failed runs": lambda f: str(f["failed runs"]),
    }
    return [[label, *(cell(figures) for figures in each)] for label, cell in rows.items()]


def _share(top: int, bottom: int) -> str:
    return f"{top / bottom:.3f} ({top} of {bottom})" if bottom else "none"


def _with_bounds(interval: Mapping[str, float], form: str) -> str:
    value = Interval(**interval)
    return f"{form.format(value.value)} [{form.format(value.low)}, {form.format(value.high)}]"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if rows and len(head) > 1 else ""


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.retrieval",
        description=__doc__.partition("\n")[0].partition(": ")[2],
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=ROOT / "../shared/data",
        help="the folder of the paper sets (default ../shared/data)",
    )
    parser.add_argument(
        "--corpus", default="vis,dev", help="which sets, between commas (default vis,dev)"
    )
    parser.add_argument(
        "--targets", type=int, default=200, metavar="N", help="targets of each set (default 200)"
    )
    parser.add_argument(
        "--topics", action="store_true", help="topics in words of our own instead of targets"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="S",
        help="which targets; fewer of a seed are the first of more (default 1)",
    )
    parser.add_argument(
        "--links",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="the share of citations that is served, drawn by seed; all true ones still count (default 1)",
    )
    parser.add_argument(
        "--tree", type=Path, default=ROOT, help="the checkout under test (default: this one)"
    )
    parser.add_argument(
        "--against",
        type=Path,
        action="append",
        default=[],
        metavar="TREE",
        help="another checkout to compare with",
    )
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter that runs coi (default: this one)"
    )
    parser.add_argument(
        "--until",
        default="chains",
        metavar="STAGE",
        help="the last stage of every run (default chains)",
    )
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="a config.toml that coi runs with; --against runs without it",
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="FOLDER",
        help="compare by sentence vectors too, with a model that is fetched into FOLDER; --against runs without (`--against .`)",
    )
    parser.add_argument("--no-coi", action="store_true", help="the simple methods only")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    return parser.parse_args()


def trees_of(args: argparse.Namespace) -> list[Tree]:
    """The checkouts, the one under test first, under names that differ."""
    folders = [] if args.no_coi else [args.tree, *args.against]
    names = [folder.resolve().name for folder in folders]
    if args.vectors is not None and names:
        names[0] += " with vectors"
    if len(set(names)) < len(names):
        names = [str(folder) for folder in folders]
    trees = [
        Tree(name, args.python, folder, args.until)
        for name, folder in zip(names, folders, strict=True)
    ]
    return (
        [replace(trees[0], settings=args.settings, vectors=args.vectors), *trees[1:]]
        if trees
        else []
    )


def without_infinite(value: Any) -> Any:
    """JSON has no infinite numbers: they become null."""
    if isinstance(value, dict):
        return {str(key): without_infinite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_infinite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def main() -> None:
    args = arguments()
    names = [name.strip() for name in args.corpus.split(",") if name.strip()]
    if unknown := [name for name in names if name not in KINDS]:
        sys.exit(f"unknown corpus {', '.join(unknown)}: {', '.join(KINDS)}")
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return
    if args.vectors is not None and (lacking := missing(args.vectors / "model")):
        told(lacking)
        fetch(args.vectors / "model")
    results = []
    for name in names:
        papers = load(args.data, name)
        if args.topics:
            own = own_topics(papers)
            made = {
                tree.name: of_topics(papers, own, run_all(tree, papers, own, args.jobs, told))
                for tree in trees_of(args)
            }
            rows = [
                [label, *(one[label] for one in made.values())]
                for label in next(iter(made.values()))
            ]
            print(table([f"{name}: {len(own)} topics", *made], rows), end="\n\n", flush=True)
            continue
        cases = draw(papers, args.targets, args.seed)
        if args.links < 1:
            thin(papers, cases, args.links, args.seed)
        results.append(measure(papers, cases, trees_of(args), args.jobs))
        print(markdown(results[-1]), end="\n\n", flush=True)
        if args.json:
            text = json.dumps(
                without_infinite({"seed": args.seed, "results": results}), indent=1, allow_nan=False
            )
            args.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
