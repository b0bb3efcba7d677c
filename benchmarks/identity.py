"""``python -m benchmarks.identity``: precision and recall of matching by title and of merging records, on 10,000 pairs.

The pairs are made by seed from real papers: half of them are one paper written in two ways, half are two papers with similar records.
Reads ``../shared/data/dev_papers.jsonl.gz`` and copies nothing from it. Without that file it says so and exits with 0.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.coi_process import table
from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.title_match import match_title, normalise_title
from coi_tui.model.papers import Paper

GREEK = dict(
    zip(
        ["alpha", "beta", "gamma", "delta", "epsilon", "lambda", "mu", "sigma"],
        "αβγδελμσ",
        strict=True,
    )
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = ("revisited", "revisiting", "part II", "II")


@dataclass(frozen=True)
class Pair:
    """Two records, whether they are one paper, and how the second was made."""

    kind: str
    same: bool
    one: Paper
    other: Paper


Change = Callable[[random.Random, str], str | None]


def case(rng: random.Random, title: str) -> str:
    return rng.choice((title.upper(), title.lower(), title.title()))


def punctuation(rng: random.Random, title: str) -> str | None:
    """Hyphens, colons, commas and quotes written differently or left out."""
    swaps = [
        ("-", " "),
        ("-", "‐"),
        (": ", " - "),
        (": ", ". "),
        (",", ""),
        ("'", "’"),
        ("?", ""),
        (" and ", " & "),
    ]
    fit = [(old, new) for old, new in swaps if old in title]
    for old, new in rng.sample(fit, min(len(fit), 2)):
        title = title.replace(old, new)
    return title + rng.choice((".", "", " .", "*"))


def subtitle(rng: random.Random, title: str) -> str | None:
    """The part before the first colon, if it has a letter and something follows."""
    head, colon, rest = title.partition(": ")
    return head if colon and rest.strip() and re.search(r"\w", head) else None


def typing(rng: random.Random, title: str) -> str | None:
    """Two typing errors: a letter left out, doubled, replaced, or swapped with the next."""
    for _ in range(2):
        places = [
            i for i in range(1, len(title) - 1) if title[i].isalpha() and title[i + 1].isalpha()
        ]
        if not places:
            return None
        i = rng.choice(places)
        letter, after = title[i], title[i + 1]
        new = rng.choice(
            (after, letter + letter + after, rng.choice(LETTERS) + after, after + letter)
        )
        title = title[:i] + new + title[i + 2 :]
    return title


def greek(rng: random.Random, title: str) -> str | None:
    """Greek letters and LaTeX spelled out, or the names of letters written as such."""
    formless = re.sub(r"\\(?:math(?:cal|bb|rm|bf|sf)|text(?:it|tt|bf|sc|rm)?)\b", "", title)
    plain = re.sub(r"\\(?:var)?([a-zA-Z]+)", r"\1", formless).replace("$", "")
    plain = re.sub(r"[{}^_]", "", plain)
    for name, letter in GREEK.items():
        plain = plain.replace(letter, name)
    if plain != title:
        return plain
    found = [name for name in GREEK if re.search(rf"\b{name}\b", title, re.IGNORECASE)]
    if not found:
        return None
    name = rng.choice(found)
    new = rng.choice((GREEK[name], f"$\\{name}$"))
    return re.sub(rf"\b{name}\b", lambda _: new, title, flags=re.IGNORECASE)


def unchanged(rng: random.Random, title: str) -> str:
    return title


TITLES: dict[str, Change] = {
    "case": case,
    "punctuation": punctuation,
    "subtitle dropped": subtitle,
    "two typing errors": typing,
    "Greek and LaTeX": greek,
    "year off by one": unchanged,
    "authors as initials": unchanged,
}
DUPLICATE = "twice in the set"
OTHERS = ("closest other title", "other year", "other author", "part II, revisited")


def initials(authors: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """``J. M. Wei`` or, the whole list alike, ``Wei, J. M.``"""
    turned = rng.random() < 0.5
    short = []
    for name in authors:
        words = name.split()
        if (
            len(words) < 2 or "et al" in name or (len(words[-1]) <= 2 and words[-1].isupper())
        ):  # Liang C
            short.append(name)
            continue
        given = " ".join(f"{w[0]}." for w in words[:-1])
        short.append(f"{words[-1]}, {given}" if turned else f"{given} {words[-1]}")
    return tuple(short)


def as_record(paper: Paper, number: int, rng: random.Random, **change: object) -> Paper:
    """The paper as a second service has it: under an id of its own, its year and authors sometimes written differently."""
    update: dict[str, object] = {"id": f"OpenAlex:W{number}", "ids": {"OpenAlex": f"W{number}"}}
    if "authors" not in change and rng.random() < 0.3:
        update["authors"] = initials(paper.authors, rng)
    if "year" not in change and paper.year is not None and rng.random() < 0.3:
        update["year"] = paper.year + rng.choice((-1, 1))
    return paper.model_copy(update=update | change)


def same_pairs(papers: Sequence[Paper], each: int, rng: random.Random) -> list[Pair]:
    """``each`` pairs of every kind of change."""
    pairs: list[Pair] = []
    for kind, change in TITLES.items():
        fit = [p for p in papers if _applies(change, p.title)]
        for _ in range(each if fit else 0):
            paper = rng.choice(fit)
            more = _other_fields(kind, paper, rng)
            title = change(rng, paper.title) or paper.title
            pairs.append(
                Pair(kind, True, paper, as_record(paper, len(pairs), rng, title=title, **more))
            )
    return pairs


def _applies(change: Change, title: str) -> bool:
    """Whether a change makes another title of this one; some leave every title as it is, or change letter case only."""
    changed = change(random.Random(0), title)
    return bool(changed) and (changed != title or change in (unchanged, case))


def _other_fields(kind: str, paper: Paper, rng: random.Random) -> dict[str, object]:
    """What else a kind of change writes differently."""
    if kind == "year off by one" and paper.year is not None:
        return {"year": paper.year + rng.choice((-1, 1))}
    return {"authors": initials(paper.authors, rng)} if kind == "authors as initials" else {}


def other_pairs(papers: Sequence[Paper], each: int, rng: random.Random) -> list[Pair]:
    """``each`` pairs of every kind of near-miss."""
    pairs = [
        _near(kind, papers, len(TITLES) * each + n, rng) for kind in OTHERS[1:] for n in range(each)
    ]
    return [*_closest(papers, each, rng), *(pair for pair in pairs if pair)]


def _near(kind: str, papers: Sequence[Paper], number: int, rng: random.Random) -> Pair | None:
    paper = rng.choice(papers)
    while paper.year is None or not paper.authors:
        paper = rng.choice(papers)
    if kind == "other year":
        return Pair(
            kind,
            False,
            paper,
            as_record(
                paper, number, rng, year=paper.year + rng.choice((-1, 1)) * rng.randint(2, 9)
            ),
        )
    if kind == "other author":
        stranger = rng.choice(papers)
        while not stranger.authors or set(stranger.authors) & set(paper.authors):
            stranger = rng.choice(papers)
        return Pair(kind, False, paper, as_record(paper, number, rng, authors=stranger.authors))
    mark = rng.choice(MARKS)
    title = (
        f"{mark.title()} {paper.title}"
        if mark == "revisiting"
        else f"{paper.title}{rng.choice((': ', ', ', ' '))}{mark}"
    )
    return Pair(kind, False, paper, as_record(paper, number, rng, title=title))


def duplicate(one: Paper, other: Paper) -> bool:
    """Whether the set itself seems to hold one paper twice: by the same first author, at most a year apart, and one title the other's
    beginning or at most three letters different. Such a pair is counted apart and left to a person to judge.
    """
    from rapidfuzz.distance import OSA

    author = _first_surname(one)
    if (
        not author
        or author != _first_surname(other)
        or one.year is None
        or other.year is None
        or abs(one.year - other.year) > 1
    ):
        return False
    a, b = (normalise_title(p.title).replace(" ", "") for p in (one, other))
    return a.startswith(b) or b.startswith(a) or OSA.distance(a, b) <= 3


def _first_surname(paper: Paper) -> str:
    words = (
        re.findall(r"\w+", re.sub(r"\bet al\b.*", "", paper.authors[0])) if paper.authors else []
    )
    return words[-1] if words else ""


def _closest(papers: Sequence[Paper], each: int, rng: random.Random) -> list[Pair]:
    """Papers with the closest other title of the set."""
    import numpy as np
    from rapidfuzz import fuzz, process

    normal = [normalise_title(p.title) for p in papers]
    chosen = rng.sample(range(len(papers)), min(each + each // 8, len(papers)))
    pairs = []
    for start in range(0, len(chosen), 100):
        part = chosen[start : start + 100]
        scores = process.cdist(
            [normal[i] for i in part], normal, scorer=fuzz.ratio, dtype=np.float32, workers=2
        )
        for i, line in zip(part, scores, strict=True):
            line[np.flatnonzero(line > 99.9)] = -1  # itself, and second records of the same title
            other = papers[int(line.argmax())]
            kind = DUPLICATE if duplicate(papers[i], other) else OTHERS[0]
            record = other.model_copy(update={"id": f"OpenAlex:W{9_000_000 + i}", "ids": {}})
            pairs.append(Pair(kind, False, papers[i], record))
    near = [pair for pair in pairs if pair.kind != DUPLICATE]
    return [*near[:each], *(pair for pair in pairs if pair.kind == DUPLICATE)]


DATA = Path("../shared/data/dev_papers.jsonl.gz")
PRECISION, RECALL = 0.999, 0.97


def matched(pair: Pair) -> bool:
    return (
        match_title(pair.other.title, [pair.one], pair.other.year, pair.other.authors).paper
        is not None
    )


def merged(pair: Pair) -> bool:
    return len(merge_papers([pair.one, pair.other])) == 1


WAYS = {"match_title": matched, "merge": merged}


def figures(results: Sequence[tuple[Pair, bool]]) -> tuple[float, float]:
    """Precision and recall of answers to "is this one paper?"."""
    right = sum(pair.same and yes for pair, yes in results)
    return right / max(1, sum(yes for _, yes in results)), right / max(
        1, sum(pair.same for pair, _ in results)
    )


def load(file: Path) -> list[Paper]:
    papers = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            ids = {"S2": row["paperId"]}
            papers.append(
                Paper(
                    id=f"S2:{row['paperId']}",
                    ids=ids,
                    title=row["title"],
                    year=row["year"],
                    authors=names(row["authors"]),
                )
            )
    return papers


def names(authors: Sequence[str]) -> tuple[str, ...]:
    """One name each: some entries of the set hold a whole list in one text."""
    found: list[str] = []
    for text in authors:
        parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
        found += parts if all(" " in part or part == "et al" for part in parts) else [text]
    return tuple(found)


def make(papers: Sequence[Paper], pairs: int, seed: int) -> list[Pair]:
    """Half of them one paper, half of them two."""
    rng = random.Random(seed)
    same = same_pairs(papers, -(-pairs // 2 // len(TITLES)) + 1, rng)
    others = other_pairs(papers, pairs // 2 // len(OTHERS), rng)
    near = sum(pair.kind != DUPLICATE for pair in others)
    return [*rng.sample(same, min(len(same), pairs - near)), *others]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.identity", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N wrong answers of every kind"
    )
    args = parser.parse_args()
    if not DATA.exists():
        print(f"{DATA} is missing: nothing to measure")
        return
    made = make(load(DATA), args.pairs, args.seed)
    pairs = [pair for pair in made if pair.kind != DUPLICATE]
    twice = [pair for pair in made if pair.kind == DUPLICATE]
    print(
        f"left out: {len(twice)} papers that the set seems to hold twice under other spellings (--show prints them)"
    )
    for pair in twice if args.show else ():
        show(pair, "  ", 2)
    for name, way in WAYS.items():
        print(f"\n== {name}: {len(pairs)} pairs, seed {args.seed} ==")
        report([(pair, way(pair)) for pair in pairs], args.show)
        print(f"of the {len(twice)} left out, {sum(way(pair) for pair in twice)} are taken for one")


def report(results: Sequence[tuple[Pair, bool]], most_shown: int) -> None:
    """Print a row for each kind of pair, the first wrong answers of each, and precision and recall."""
    rows = []
    for kind in dict.fromkeys(pair.kind for pair, _ in results):
        answers = [(pair, yes) for pair, yes in results if pair.kind == kind]
        wrong = [pair for pair, yes in answers if yes != pair.same]
        rows.append(
            (kind, "one paper" if answers[0][0].same else "two papers", len(answers), len(wrong))
        )
        for pair in wrong[:most_shown]:
            show(pair, f"  {kind}: ", 4)
    print(table(rows, ("kind", "truth", "pairs", "wrong")))
    precision, recall = figures(results)
    verdict = "met" if precision >= PRECISION and recall >= RECALL else "MISSED"
    print(
        f"precision {precision:.4f} (at least {PRECISION}), recall {recall:.4f} (at least {RECALL}): {verdict}"
    )


def show(pair: Pair, lead: str, authors: int) -> None:
    """Print both records of a pair."""
    for paper in (pair.one, pair.other):
        print(f"{lead}{paper.title} | {paper.year} | {', '.join(paper.authors[:authors])}")


if __name__ == "__main__":
    main()
