"""The sentences of a worksheet: which the drafter wrote by its forms, and which are a person's own words, to be carried on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from coi_tui.methods.shared.drafts.text_tools import distinct, quote, sentences, without_full_stop

_QUOTED = re.compile(r'"([^"]*)"')
_LIST_SIGN = re.compile(r"(?:^|\n)[ \t]*(?:[-*•]|\d+[.)])[ \t]+")
_MARK = "\ue000"
"""Stands for a quotation while sentences are told apart, so that a full stop in a title ends none."""
_CITE = rf"{_MARK}(?: \(\d+\))?"
_FORMS = re.compile(
    "|".join(
        (
            rf"{_CITE} comes after {_CITE}\.",
            rf"The (?:older|newer) card says(?: how it works)?: {_MARK}\.?",
            r"The (?:older|newer) card does not say how it works\.",
            rf"A limitation that the older card names, {_MARK}, .*",
            r"The older card names no limitation\.",
            rf"The newer card leaves open: {_MARK}\.?",
            r"(?:Worksheet|To write|To choose|Open question|Gaps)\b.*",
            rf"{_CITE}: {_MARK}\.?",
            rf"The chain runs from {_CITE} to {_CITE}\.",
            rf"The chain holds one paper, {_CITE}\.",
            r"The chain has no cards yet\.",
            rf"(?:From a trend|From the direction|From the idea): {_MARK}\.?",
            rf"Gap to begin with: {_CITE} names {_MARK}\.?",
            rf"(?:Base|Beside it): .*{_CITE}.*",
            rf"(?:Unlike|To set apart from|To compare with) {_CITE}.*",
            rf"An answer to {_MARK}.*",
            rf"A comparison with {_CITE}.*",
            r"Module \d+ \([a-z]+\)\.?",
            r"No card names a limitation.*",
        )
    ),
    re.DOTALL,
)


def own_sentences(texts: Iterable[str], most: int = 8) -> list[str]:
    """The sentences of texts that no form of the drafter gave: those that a person, or a language model, wrote."""
    found: list[str] = []
    for text in texts:
        plain = _LIST_SIGN.sub("\n\n", text)
        quoted = _QUOTED.findall(plain)
        for sentence in sentences(_QUOTED.sub(_MARK, plain)):
            held = sentence.count(_MARK)
            inside, quoted = quoted[:held], quoted[held:]
            if not _FORMS.fullmatch(sentence):
                for part in inside:
                    sentence = sentence.replace(_MARK, f"'{part}'", 1)
                found.append(sentence)
    return distinct(found)[:most]


def carried(source: str, texts: Iterable[str]) -> list[str]:
    """One line for each own sentence of the texts above, quoted, with where it comes from."""
    return [
        closed(f"From {source}: {quote(without_full_stop(sentence), 80)}")
        for sentence in own_sentences(texts, 20)
    ]


def excerpt(text: str, most: int = 40) -> str:
    """The first sentence of a card's field between quotation marks, or nothing where the card has none."""
    first = next(iter(sentences(text)), "")
    return quote(without_full_stop(first), most) if first else ""


def closed(text: str) -> str:
    """The text with a full stop of its own, also after a quotation that ends with one, so that the next sentence is told apart."""
    return f"{text}."
