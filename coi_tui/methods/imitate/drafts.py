"""The rules of Imitate-and-Evolve where no language model is set: the request's parts, lines that
bear on a step, a section with what is to be changed. Its texts are worksheets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    clip,
    content_words,
    line_of,
    mapping,
    mappings,
    share,
    text_of,
    without_full_stop,
)
from coi_tui.services.llm import drafter
from coi_tui.services.llm.worksheet import TO_WRITE

SENTENCE = 5
"""Words from which on a line is more than a heading or a name."""
LINES = 4
"""Lines that a rule takes as evidence, one of each paper."""
_BETWEEN = re.compile(r"\s+(?:for|in|on|of|to)\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+) (.+)$", re.MULTILINE)


def draft_split(values: Values) -> Draft:
    """The words before and after the first preposition that joins two parts; without one the whole
    on either side."""
    lines = text_of(values, "request").strip().splitlines()
    said = (without_full_stop(lines[0]).strip() if lines else "") or "the request"
    parts = _BETWEEN.split(said, maxsplit=1)
    before, after = (
        (parts[0], parts[1])
        if len(parts) > 1 and all(content_words(part) for part in parts)
        else (said, said)
    )
    before, after = before.strip() or said, after.strip() or said
    return {
        "algorithm": clip(before, 40),
        "application": clip(after, 40),
        "constraints": [],
        "algorithm_query": clip(before, 10),
        "application_query": clip(after, 10),
    }


def draft_evidence(values: Values) -> Draft:
    """Of each paper the sentence that shares most words with request and step, the best first; none
    that a section quotes already."""
    request, step = mapping(values, "request"), mapping(values, "step")
    about = " ".join(
        text_of(of, name)
        for of, names in ((request, ("algorithm", "application")), (step, ("title", "purpose")))
        for name in names
    )
    written = " ".join(text_of(section, "abstract") for section in mappings(values, "sections"))
    found = []
    for n, paper in enumerate(mappings(values, "papers")):
        lines = [
            (line, int(at))
            for at, line in _NUMBERED.findall(text_of(paper, "abstract"))
            if len(line.split()) >= SENTENCE
        ]
        scored = [
            (share(line, about), -at)
            for line, at in lines
            if without_full_stop(line) not in written
        ]
        if scored:
            score, at = max(scored)
            found.append((-score, n, line_of(paper, "id"), -at))
    rows = [
        {"source": label, "shows": "By rule: most words in common.", "first": at, "last": at}
        for *_, label, at in sorted(found)
    ]
    return {"ranges": rows[:LINES]}


def draft_revise(values: Values) -> Draft:
    """The section as it is, with a line for each point that is to be carried out."""
    todo = [f"{TO_WRITE}{text_of(one, 'point')}" for one in mappings(values, "points")]
    return {
        "text": "\n\n".join([text_of(mapping(values, "section"), "text"), *todo]).strip()
        or f"{TO_WRITE}the section."
    }


DRAFTS: Mapping[str, drafter.Draft] = {
    "imitate_split": draft_split,
    "imitate_evidence": draft_evidence,
    "imitate_revise": draft_revise,
}
"""The rule for each prompt that has one, by the prompt's name."""
