"""Titles that a text names in quotation marks, and names that papers give to what they make."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coi_tui.export.bibliography import TitleIndex, normalise
from coi_tui.model.address import QUESTION, parse_address, ref
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean_line

_CURLY = re.compile(r"“([^“”]{8,300})”")
_STRAIGHT = re.compile(r'"([^"]{8,300})"(?P<year> \((?:19|20)\d\d\))?')


def named_in(text: object, index: TitleIndex, known: frozenset[str] = frozenset()) -> list[str]:
    """Titles that a text names, in the order met.

    “Curly” quotations of three words and more; "straight" ones when a year follows, when a paper of
    the session has the title, or when they are written like a title. ``known`` are normalised texts
    that are quoted but name no paper: the topic, the questions.
    """
    said = index.without_inner_quotes(clean_line(text))
    straight = _CURLY.sub(
        lambda m: " " * len(m[0]), said
    )  # a straight mark inside curly ones opens nothing
    quoted = sorted(
        [*_CURLY.finditer(said), *_STRAIGHT.finditer(straight)], key=lambda m: m.start()
    )
    names = dict.fromkeys(_trimmed(m[1]) for m in quoted if _means_a_paper(m, index))
    return [name for name in names if normalise(name) not in known]


def _means_a_paper(quoted: re.Match[str], index: TitleIndex) -> bool:
    if quoted[0].startswith("“"):
        return len(quoted[1].split()) > 2 or index.find(quoted[1]) is not None
    return bool(quoted["year"]) or index.find(quoted[1]) is not None or _like_a_title(quoted[1])


def _trimmed(title: str) -> str:
    """Without the punctuation of the sentence around it; the dots of a cut stay."""
    said = title.strip(" ,;")
    return said if said.endswith(("...", "…")) else said.rstrip(" .,;")


def _like_a_title(text: str) -> bool:
    """Four words or more, nearly every long one with a capital, and no sentence."""
    long = [w for w in re.findall(r"[^\W\d_]+", text) if len(w) > 3]
    return (
        len(text.split()) > 3
        and len(long) > 2
        and sum(w[0].isupper() for w in long) >= 0.8 * len(long)
        and not text.rstrip().endswith(".")
    )


_BEFORE_COLON = re.compile(r"^([A-Z][\w+-]*(?: [A-Z0-9][\w+-]*){0,2}):\s")
_NAME = re.compile(r"\b[A-Z][\w-]*[A-Z0-9][\w+-]*\b|\b[a-z]+[A-Z]\w*\b")
_NO_SYSTEM = frozenset(
    (
        "AI",
        "LLM",
        "LLMs",
        "LM",
        "LMs",
        "ML",
        "NLP",
        "RL",
        "QA",
        "GPU",
        "GPUs",
        "CPU",
        "API",
        "AGI",
        "US",
        "UK",
        "3D",
        "2D",
    )
)


def systems(papers: Mapping[str, Paper]) -> dict[str, list[str]]:
    """Names that papers give to what they make, with the papers: what stands before the colon of a
    title, words with capitals within."""
    found: dict[str, list[str]] = {}
    for paper_id in sorted(papers):
        title = papers[paper_id].title
        for name in dict.fromkeys(
            [*(m[1] for m in _BEFORE_COLON.finditer(title)), *_NAME.findall(title)]
        ):
            if (len(name) > 2 or any(map(str.isdigit, name))) and name not in _NO_SYSTEM:
                found.setdefault(name, []).append(paper_id)
    return found


def own_words(state: State) -> frozenset[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of
    its own ideas."""
    found = set()
    for address in state.cells:
        if address == "topic" or parse_address(address).part == QUESTION:
            found.add(normalise(str(state.value(ref(address, "text")) or "")))
        elif address.endswith("/idea"):
            found.add(normalise(str(state.value(ref(address, "title")) or "")))
    return frozenset(found - {""})
