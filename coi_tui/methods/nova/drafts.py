"""The rule of Nova for what is searched with, where no language model is set. Its texts are
worksheets."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    content_words,
    distinct,
    line_of,
    mapping,
    text_of,
)
from coi_tui.services.llm import drafter
from coi_tui.services.llm.worksheet import TO_WRITE

SIDES = (
    ("Limits of", "limitations", "names what is open in what the seed builds on"),
    ("How to measure", "evaluation benchmark", "says by what the seed could be tested"),
    ("Data for", "data set", "says on what the seed could be tried"),
    ("Other means for", "method comparison", "shows other means to the same end"),
    ("Overview of", "survey", "names neighbouring work that the seed does not know"),
)
"""The sides from which a rule looks at a seed: how a line begins, the word that is added to the
search, and what it may bring."""
WORDS = 5
"""Words of a seed that a search of a rule consists of."""


def draft_plan(values: Values) -> Draft:
    """Lines by rule: the words of what the seed says or quotes of papers, else of the target, each
    time with one of five sides."""
    lines = text_of(mapping(values, "seed"), "text").splitlines()
    written = [line for line in lines if not line.startswith((TO_WRITE, "From the "))]
    own = " ".join(line.partition("”: ")[2] or line for line in written)
    found = [*content_words(own), *content_words(line_of(values, "target_title"))]
    words = " ".join(distinct(found)[:WORDS]) or "the topic"
    return {
        "lines": [
            {
                "thinking": "By rule.",
                "title": f"{begin} {words}",
                "keywords": added,
                "rationale": f"It {why}.",
            }
            for begin, added, why in islice(cycle(SIDES), values["count"])
        ]
    }


DRAFTS: Mapping[str, drafter.Draft] = {"nova_plan": draft_plan}
"""The rule for each prompt that has one, by the prompt's name."""
