"""Titles: one spelling for comparing, matching a title to a paper, and merging records of one paper."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from coi_tui.literature.ids import known_ids
from coi_tui.literature.types import Matched
from coi_tui.literature.words import fold
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

THRESHOLD = 0.90
"""Least likeness of two titles that may mean one paper (methods.md, 6, rule 4: a gate of 0.55 attached wrong papers)."""

_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]*)?/?>")
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi"
    " omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
_TEX_ACCENT = re.compile(r"\\[`'^\"~=.](?:\{(\w)\}|(\w))|\\[cvuHkr]\{(\w)\}")
_TEX_COMMAND = re.compile(r"\\(?:text|math)?(?:bf|it|rm|sc|tt|sf|cal|bb|frak|emph|em|mathrm|operatorname|ensuremath)\b\s*")
_TEX_NAME = re.compile(r"\\([a-zA-Z]+)")


def show_title(raw: object) -> str:
    """A title fit to be shown: entities resolved, tags out, on one line, control sequences gone (reference, 8)."""
    text = clean_line(raw)
    for _ in range(2):  # some records are escaped twice
        text = html.unescape(text)
    return clean_line(_TAG.sub("", text))  # cleaned last: an entity can hold a control character


def normalise_title(title: str) -> str:
    """A title for comparing: case, accents, punctuation, entities, simple TeX and Greek letters made alike. Idempotent."""
    text = show_title(title).replace("$", "")
    text = _TEX_ACCENT.sub(lambda m: m[1] or m[2] or m[3], text)
    text = _TEX_NAME.sub(r" \1 ", _TEX_COMMAND.sub("", text))
    text = fold(text.replace("&", " and "))
    text = "".join(_GREEK.get(c, c) for c in text.replace("ς", "σ"))
    return " ".join(re.findall(r"[^\W_]+", text))


def match_title(title: str, candidates: Sequence[Paper], year: int | None, authors: Sequence[str] = ()) -> Matched:
    """The candidate that ``title`` means: likeness of at least 0.90, the same numbers, and year or author in agreement.

    Where neither side knows a year or an author to compare, only the very same title counts. ``score`` is that of the best candidate,
    also when it was not taken; ``note`` says why.
    """
    from rapidfuzz import fuzz

    wanted = normalise_title(title)
    if not wanted or not candidates:
        return Matched(note="no title to look for" if not wanted else "no papers to compare with")
    best: tuple[float, int, Paper, str] | None = None
    for paper in candidates:
        own = normalise_title(paper.title)
        score = round(fuzz.ratio(wanted, own) / 100, 4)
        against = _objection(score, wanted, own, paper, year, authors)
        rank = (score, 0 if against else 1, paper, against)
        if best is None or _better(rank, best):
            best = rank
    assert best is not None
    score, good, paper, against = best
    if good:
        return Matched(paper=paper, score=score, note=f"title likeness {score:.2f}")
    return Matched(score=score, note=f"closest title: “{paper.title}” ({score:.2f}); {against}")


def _better(new: tuple[float, int, Paper, str], old: tuple[float, int, Paper, str]) -> bool:
    """Taken before not taken, then the likeness, then the id, so that the order of candidates does not matter."""
    if (new[1], new[0]) != (old[1], old[0]):
        return (new[1], new[0]) > (old[1], old[0])
    return new[2].id < old[2].id


def _objection(score: float, wanted: str, own: str, paper: Paper, year: int | None, authors: Sequence[str]) -> str:
    """Why ``paper`` is not the one, or the empty text."""
    if score < THRESHOLD:
        return f"below {THRESHOLD:.2f}"
    if re.findall(r"\d+", wanted) != re.findall(r"\d+", own):  # GPT-3 and GPT-4 differ by one letter
        return "the numbers in the titles differ"
    years = year is not None and paper.year is not None
    people = bool(authors and paper.authors)
    if not years and not people:
        return "" if wanted == own else "neither year nor author is known for both"
    if years and year is not None and paper.year is not None and abs(year - paper.year) <= 1:
        return ""  # a preprint and its venue version are often a year apart
    if people and _surnames(authors) & _surnames(paper.authors):
        return ""
    return "neither year nor author agrees"


def _surnames(authors: Iterable[str]) -> set[str]:
    names = set()
    for author in authors:
        last = author.split(",")[0] if "," in author else author
        words = [w for w in re.findall(r"[^\W\d_]+", fold(last)) if w not in ("jr", "sr", "ii", "iii", "et", "al")]
        if words:
            names.add(words[-1])
    return names


def merge(papers: Iterable[Paper]) -> list[Paper]:
    """One record a paper: records that share an identifier, or title and year, become one (reference, 8).

    The first record of a paper keeps its id and place; what it does not know is filled from the later ones.
    """
    all_papers = list(papers)
    groups = _Groups(len(all_papers))
    by_id: dict[tuple[str, str], int] = {}
    for i, paper in enumerate(all_papers):
        for scheme, value in known_ids(paper).items():
            groups.join(by_id.setdefault((scheme, value), i), i)
        groups.join(by_id.setdefault(("", paper.id), i), i)
    by_title: dict[str, list[int]] = {}
    for i, paper in enumerate(all_papers):
        same = by_title.setdefault(normalise_title(paper.title), [])
        for j in same:
            if _same_work(all_papers[j], paper):
                groups.join(j, i)
        same.append(i)
    merged: dict[int, Paper] = {}
    for i, paper in enumerate(all_papers):
        root = groups.root(i)
        merged[root] = fill(merged[root], paper) if root in merged else paper
    return list(merged.values())


class _Groups:
    """Union-find whose root is the earliest member."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, i: int) -> int:
        while self._parent[i] != i:
            i = self._parent[i]
        return i

    def join(self, a: int, b: int) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        self._parent[second] = first


def _same_work(a: Paper, b: Paper) -> bool:
    """Whether two records of one title are one paper: the same year, or years a step apart or unknown and an author in common."""
    if not normalise_title(a.title):
        return False
    one, other = known_ids(a).get("arXiv"), known_ids(b).get("arXiv")
    if one and other and one != other:
        return False
    if a.year is not None and a.year == b.year:
        return True
    near = a.year is None or b.year is None or abs(a.year - b.year) <= 1
    return near and bool(_surnames(a.authors) & _surnames(b.authors))


def fill(first: Paper, other: Paper) -> Paper:
    """``first`` with what it does not know taken from ``other``; nothing that it knows is changed."""
    update: dict[str, object] = {"ids": {**known_ids(other), **known_ids(first)}}
    for name in ("year", "venue", "open_pdf", "url"):
        if getattr(first, name) is None:
            update[name] = getattr(other, name)
    for name in ("authors", "limitations", "datasets", "baselines", "entities"):
        if not getattr(first, name):
            update[name] = getattr(other, name)
    if first.abstract is None and other.abstract is not None:
        update |= {"abstract": other.abstract, "abstract_kind": other.abstract_kind}
    if first.citations.count is None:
        update["citations"] = other.citations
    year = first.year if first.year is not None else other.year
    if first.published is None and other.published and year is not None and other.published.startswith(f"{year:04d}"):
        update["published"] = other.published
    return first.model_copy(update=update)
