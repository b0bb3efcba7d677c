"""Which paper a title means: titles, years and authors compared, and how much of a difference makes
another paper.

A wrong match attaches the wrong paper to an idea, so a title alone is enough only where it is the
very same one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, fold_accents

THRESHOLD = 0.90
"""Least similarity of two titles that may mean one paper. A threshold of 0.55 attached wrong
papers."""

TYPING_ERRORS = 2
"""Letters that may differ in two spellings of one title."""

LEAST_LETTERS, SPELLED_ALIKE = 4, 80
"""Letters of a part of a title that is looked for, and the least similarity (0 to 100) of its words
to those of the title."""

REMEMBERED, SUBTITLE = 85, 55
"""Least similarity (0 to 100) of the words of a title given from memory, in whatever order, to those
of the paper that it may mean, and of its subtitle where the name before that is the same: of
subtitles of other papers one in a hundred is so similar."""

_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]*)?/?>")
_GREEK_NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
_TEX = re.compile(r"\\(?:(?:var)?([a-zA-Z]+)\s*|.)|[{}$]")


def show_title(raw: object) -> str:
    """A title fit to be shown: entities resolved, tags out, on one line, control sequences gone."""
    text = clean_line(raw)
    if "&" not in text and "<" not in text:
        return text
    for _ in range(2):  # some records are escaped twice
        text = html.unescape(text)
    return clean_line(_TAG.sub("", text))  # cleaned last: an entity can hold a control character


@lru_cache(maxsize=4096)
def normalise_title(title: str) -> str:
    """A title for comparing: case, accents, punctuation, entities, simple TeX and Greek letters
    made alike. Idempotent."""
    text = show_title(title)
    # of TeX the Greek letters stay; formatting, accents and braces go
    text = _TEX.sub(lambda m: f" {m[1]} " if m[1] in _GREEK.values() else "", text)
    text = fold_accents(text.replace("&", " and "))
    if not text.isascii():
        text = "".join(_GREEK.get(c, c) for c in text.replace("ς", "σ"))
    return " ".join(re.findall(r"[^\W_]+", text))


@dataclass(frozen=True)
class TitleSimilarity:
    """How similar two titles are, 0 to 1, and what makes them different titles (empty where they
    may be one).

    ``exact``: the same letters and digits; ``shortened``: compared without the subtitle that one of
    them lacks.
    """

    score: float
    difference: str
    exact: bool = False
    shortened: bool = False


_SEQUEL = re.compile(
    "part|revisit(?:ed|ing)?|reloaded|continued|sequel|again|vol(?:ume)?|chapter|addendum|erratum|"
    "corrigendum|correction|reply|comment|response|supplement|appendix|extended"
)
ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]
_PREFIXES = ["un", "non", "in", "im", "ir", "il", "de", "re"]
_SEPARATOR = re.compile(r"\s*:\s+|\s+[-–—]+\s+|\s*—\s*|[?!.]\s+")


def title_similarity(one: str, other: str) -> TitleSimilarity:
    """Compare two titles. Other numbers, a further word, a sequel or a negation make another title,
    however similar."""
    from rapidfuzz import fuzz

    a, b = normalise_title(one), normalise_title(other)
    if not a or not b:
        return TitleSimilarity(0.0, "a title is empty")
    score = round(fuzz.ratio(a, b) / 100, 4)
    if _letters(a) == _letters(b):
        return TitleSimilarity(score, "", exact=True)
    if _is_head(a, other, b) or _is_head(b, one, a):
        return TitleSimilarity(1.0, "", exact=True, shortened=True)
    if score < THRESHOLD:
        return TitleSimilarity(score, f"below {THRESHOLD:.2f}")
    return TitleSimilarity(score, _difference(a, b))


def heads(title: str) -> Iterator[tuple[str, str]]:
    """The letters of a title up to each place where a subtitle may begin, and what follows."""
    shown = show_title(title)
    for cut in _SEPARATOR.finditer(shown):
        yield compact_title(shown[: cut.start()]), shown[cut.end() :]


def _is_head(short: str, title: str, whole: str) -> bool:
    """Whether ``short`` is ``title`` without its subtitle, and that subtitle no mere "part II"."""
    if not _letters(whole).startswith(_letters(short)):
        return False
    rest = next((rest for head, rest in heads(title) if head == _letters(short)), "")
    words = normalise_title(rest).split()
    further = all(w in ROMAN or w.isdigit() or _SEQUEL.fullmatch(w) for w in words)
    return not further and not _SEQUEL.fullmatch(words[0])


def _numbers(normal: str) -> tuple[list[str], list[str]]:
    """The numbers in a title, and the Roman ones: titles with others are titles of other papers."""
    return re.findall(r"\d+", normal), [word for word in normal.split() if word in ROMAN]


def _difference(a: str, b: str) -> str:
    """What makes two similar titles two papers, or the empty text for typing errors."""
    from rapidfuzz.distance import OSA

    (digits, parts), (other_digits, other_parts) = _numbers(a), _numbers(b)
    if digits != other_digits:  # GPT-3 and GPT-4 differ by one letter
        return "the numbers in the titles differ"
    if parts != other_parts:
        return "they are different parts of a series"
    if OSA.distance(_letters(a), _letters(b), score_cutoff=TYPING_ERRORS) > TYPING_ERRORS:
        return "the words differ by more than typing errors"
    for words in zip(a.split(), b.split(), strict=False):
        short, long = sorted(words, key=len)
        if len(short) > 3 and any(long == prefix + short for prefix in _PREFIXES):
            return "one word is the other's opposite"
    return ""


def compact_title(title: str) -> str:
    """A title for looking up: only its letters and digits."""
    return _letters(normalise_title(title))


def _letters(normal: str) -> str:
    return normal.replace(" ", "")


def years_agree(one: int | None, other: int | None) -> bool | None:
    """Whether two years agree: a preprint and its venue version are often a year apart. None where
    one is unknown."""
    return None if one is None or other is None else abs(one - other) <= 1


def authors_agree(some: Sequence[str], others: Sequence[str]) -> bool | None:
    """Whether at least half of the shorter list of authors is in the other; None where one list is
    empty.

    Of ``Liu et al.`` only the first author is known, who must then be the first of the other list.
    """
    one, other = list(_people(some)), list(_people(others))
    if not one or not other:
        return None
    if any(_ET_AL.search(name) for name in (*some[-1:], *others[-1:])):
        return _one_person(one[0], other[0])
    shorter, longer = sorted((one, other), key=len)
    return 2 * sum(any(_one_person(a, b) for b in longer) for a in shorter) >= len(shorter)


_ET_AL = re.compile(r"\bet\.? al\b", re.IGNORECASE)


Name = tuple[str, str, frozenset[str]]
"""Surname, first initial (empty where unknown), and all words of a name."""


def _one_person(a: Name, b: Name) -> bool:
    """Also where one name has no more than words of the other: a surname of several, another
    order."""
    return a[2] <= b[2] or b[2] <= a[2] or (a[0], a[1]) == (b[0], b[1])


@lru_cache(maxsize=4096)
def surname(author: str) -> str:
    """The surname of one author, for comparing: ``wei`` of ``Jason Wei`` and of ``Wei, J.``; empty
    where there is none."""
    return next((name for name, *_ in _people([author])), "")


_NO_NAME = frozenset(["jr", "sr", "ii", "iii", "et", "al"])


def _people(authors: Iterable[str]) -> Iterator[Name]:
    """The names of authors: ``Wei, J.``, ``J. Wei``, ``Jason Wei`` and ``Wei J`` are one."""
    for author in authors:
        last, _, given = author.partition(",")
        family, rest = list(_name_words(last)), list(_name_words(given))
        if not rest:
            *rest, name = family or [""]
            wei_j = rest and len(name) <= 2 < len(rest[0]) and author.rstrip(" .")[-1:].isupper()
            family, rest = (rest, [name]) if wei_j else ([name], rest)
        if family and family[-1]:
            yield family[-1], rest[0][0] if rest else "", frozenset([*family, *rest])


@lru_cache(maxsize=4096)
def _name_words(text: str) -> tuple[str, ...]:
    folded = re.sub("[-'’]", "", fold_accents(text))
    return tuple(w for w in re.findall(r"[^\W\d_]+", folded) if w not in _NO_NAME)


def match_title(
    title: str, candidates: Iterable[Paper], year: int | None, authors: Sequence[str] = ()
) -> Paper | None:
    """The candidate that ``title`` means, or None: similarity of at least 0.90, differing by no more than
    typing errors, or by a subtitle left out, and year and authors in agreement as far as both sides
    know them; a title without its subtitle needs both.

    Where neither side knows a year or an author to compare, only the very same title counts. Whole
    titles go before shortened ones, then the most similar.
    """
    fits = list[tuple[bool, float, str, Paper]]()
    for paper in candidates:
        found = title_similarity(title, paper.title)
        years, people = years_agree(year, paper.year), authors_agree(authors, paper.authors)
        agree = False not in (years, people) and (not found.shortened or (years and people))
        if not found.difference and (found.exact if years is people is None else agree):
            fits.append((found.shortened, -found.score, paper.id, paper))
    return min(fits, key=lambda fit: fit[:3])[3] if fits else None


def near_titles(words: str, papers: Iterable[Paper]) -> list[Paper]:
    """The papers whose titles hold every one of these words, in any order, spelled alike or begun,
    the nearest first: a person chooses."""
    from rapidfuzz import fuzz

    wanted = normalise_title(words)
    if len(wanted) < LEAST_LETTERS:
        return []

    def has(word: str, title: list[str]) -> bool:
        return any(w.startswith(word) or fuzz.ratio(word, w) >= SPELLED_ALIKE for w in title)

    def distance(paper: Paper) -> tuple[int, int, str]:
        title = normalise_title(paper.title)
        begun = fuzz.ratio(wanted, title[: len(wanted)])
        return -round(fuzz.partial_ratio(wanted, title)), -round(begun), paper.id

    titles = ((paper, normalise_title(paper.title).split()) for paper in papers)
    near = (paper for paper, title in titles if all(has(word, title) for word in wanted.split()))
    return sorted(near, key=distance)


def misremembered(
    title: str, papers: Sequence[Paper], year: int | None, authors: Sequence[str] = ()
) -> Paper | None:
    """The paper that a title given from memory may mean, with the same numbers and a year that
    agrees: nearly the same words in any order, or the same name before a subtitle, where authors
    agree or the subtitles have words in common. None where none does."""
    from rapidfuzz import fuzz

    wanted, subtitles = normalise_title(title), dict(heads(title))

    def alike(paper: Paper) -> float:
        other, years = normalise_title(paper.title), years_agree(year, paper.year)
        if years is False or _numbers(wanted) != _numbers(other):
            return 0.0
        score, people = (
            fuzz.token_sort_ratio(wanted, other),
            authors_agree(authors, paper.authors),
        )
        named = years and any(
            people
            or (
                people is None
                and fuzz.token_sort_ratio(*map(normalise_title, (rest, subtitles[head])))
                >= SUBTITLE
            )
            for head, rest in heads(paper.title)
            if len(head) >= LEAST_LETTERS and head in subtitles
        )
        return score if named or score >= REMEMBERED else 0.0

    best = max(papers, key=alike, default=None)
    return best if best is not None and alike(best) else None
