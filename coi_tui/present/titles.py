"""Works that the texts name, by title, by authors and year or by an identifier.

Those of the session go into the references; the others are listed as unverified.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from coi_tui.literature.citations import citations_in
from coi_tui.literature.title_match import normalise_title
from coi_tui.model.address import QUESTION, parse_address, ref
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import Bibliography, TitleIndex

_CURLY = re.compile(r"“([^“”]{8,300})”")
_STRAIGHT = re.compile(r'"([^"]{8,300})"(?P<year> \((?:19|20)\d\d\))?')


@dataclass
class NamedWork:
    """A work that texts name; ``paper`` is the one of the session that it means, or None."""

    kind: Literal["title", "citation"]
    text: str
    paper: str | None
    where: dict[str, None]
    """The addresses, in the order met."""


def named_works(
    texts: Sequence[tuple[str, str]],
    listed: Iterable[tuple[str, str]],
    bibliography: Bibliography,
    known: frozenset[str],
) -> list[NamedWork]:
    """What is named in some texts, and in lists of titles, each with its address: each work once,
    titles first."""
    works = dict[tuple[str, str], NamedWork]()
    titles = [
        (title, at) for at, text in texts for title in named_in(text, bibliography.titles, known)
    ]
    for title, address in [*titles, *listed]:
        work = NamedWork("title", title, bibliography.titles.find(title), {})
        works.setdefault(("title", normalise_title(title)), work).where[address] = None
    for address, text in texts:
        for cited in citations_in(text):
            work = NamedWork("citation", cited.text, bibliography.cited.find(cited), {})
            works.setdefault(("citation", cited.text), work).where[address] = None
    return list(works.values())


def named_in(text: object, index: TitleIndex, known: frozenset[str] = frozenset()) -> list[str]:
    """Titles that a text names, in the order met.

    “Curly” quotations of three words and more; "straight" ones when a year follows, when a paper of
    the session has the title, or when they are written like a title. ``known`` are normalised texts
    that are quoted but name no paper: the topic, the questions.
    """
    line = index.without_inner_quotes(clean_line(text))
    # a straight mark inside curly ones opens nothing
    straight = _CURLY.sub(lambda m: " " * len(m[0]), line)
    quoted = [*_CURLY.finditer(line), *_STRAIGHT.finditer(straight)]
    quoted.sort(key=lambda m: m.start())
    names = dict.fromkeys(_trimmed(m[1]) for m in quoted if _means_a_paper(m, index))
    return [name for name in names if normalise_title(name) not in known]


def _means_a_paper(quoted: re.Match[str], index: TitleIndex) -> bool:
    if index.find(quoted[1]) is not None:
        return True
    if quoted[0].startswith("“"):
        return len(quoted[1].split()) > 2
    return bool(quoted["year"]) or _like_a_title(quoted[1])


def _trimmed(title: str) -> str:
    """Without the punctuation of the sentence around it; the dots of a cut stay."""
    name = title.strip(" ,;")
    return name if name.endswith(("...", "…")) else name.rstrip(" .,;")


def _like_a_title(text: str) -> bool:
    """Four words or more, nearly every long one with a capital, and no sentence."""
    long = [w for w in re.findall(r"[^\W\d_]+", text) if len(w) > 3]
    return (
        len(text.split()) > 3
        and len(long) > 2
        and sum(w[0].isupper() for w in long) >= 0.8 * len(long)
        and not text.rstrip().endswith(".")
    )


def own_words(state: State) -> frozenset[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of
    its own ideas."""
    found = {
        normalise_title(str(state.value(ref(address, "text")) or ""))
        for address in state.cells
        if address == "topic" or parse_address(address).part == QUESTION
    }
    found |= {
        normalise_title(str(state.value(ref(address, "title")) or ""))
        for address in state.cells
        if address.endswith("/idea")
    }
    return frozenset(found - {""})


def unverified_in(
    texts: Iterable[str], papers: Mapping[str, Paper], known: frozenset[str] = frozenset()
) -> list[str]:
    """What some texts name and no paper of these is: titles in quotation marks, and citations as
    they stand. The papers are indexed only for a text that names something."""
    named = [("", text) for text in texts]
    if not any("“" in text or '"' in text or any(citations_in(text)) for _, text in named):
        return []
    works = named_works(named, (), Bibliography(papers), known)
    return [f"“{w.text}”" if w.kind == "title" else w.text for w in works if w.paper is None]
