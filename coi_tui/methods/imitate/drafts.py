"""The rules of Imitate-and-Evolve where no language model is set: the request's parts, scores of pairs, the parts of a paper, lines that
bear on a step, a section with what is to be changed. Its texts are worksheets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.llm.worksheet import TO_WRITE
from coi_tui.methods.imitate.passages import lines_of
from coi_tui.methods.shared.drafts.prompt_values import (
    Draft,
    Values,
    line_of,
    mapping,
    mappings,
    strings,
    text_of,
)
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    content_words,
    jaccard,
    quote,
    share,
    shared_words,
    without_full_stop,
)

SENTENCE = 5
"""Words from which on a line is more than a heading or a name."""
LINES = 4
"""Lines that a rule takes as evidence, one of each paper."""
_BETWEEN = re.compile(r"\s+(?:for|in|on|of|to)\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+) (.+)$", re.MULTILINE)


def draft_split(values: Values) -> Draft:
    """The words before and after the first preposition that joins two parts; without one the whole on either side."""
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


def draft_pairs(values: Values) -> Draft:
    """A score by the share of words that title and abstract have in common; what that is worth a rule cannot know."""
    texts = {
        line_of(paper, "id"): f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}"
        for side in ("algorithm_papers", "application_papers")
        for paper in mappings(values, side)
    }
    rows = []
    for label in strings(values, "pairs"):
        one, other = (texts.get(name, "") for name in label.partition("-")[::2])
        shared = ", ".join(shared_words(one, other, 4))
        reason = (
            f"By rule: both say {shared}." if shared else "By rule: they share no telling word."
        )
        rows.append(
            {"id": label, "reason": reason, "score": 1 + min(9, round(20 * jaccard(one, other)))}
        )
    return {"pairs": rows or [{"id": "A1-B1", "reason": "By rule.", "score": 1}]}


def draft_outline(values: Values) -> Draft:
    """A part for each of the first sentences of the text: what a paper says in order, not how its sections are named."""
    said = [one for one in lines_of(text_of(values, "text")) if len(one.split()) > 4][:8] or [
        line_of(values, "title") or "the paper"
    ]
    rows = (
        (str(n), clip(without_full_stop(one), 6).strip() or "a part", quote(one, 30))
        for n, one in enumerate(said, start=1)
    )
    return {
        "parts": [{"number": n, "title": title, "summary": summary} for n, title, summary in rows]
    }


def draft_evidence(values: Values) -> Draft:
    """Of each paper the sentence that shares most words with request and step, the best first; none that a section quotes already."""
    request, step = mapping(values, "request"), mapping(values, "step")
    about = " ".join(
        [
            line_of(request, "algorithm"),
            line_of(request, "application"),
            line_of(step, "title"),
            text_of(step, "purpose"),
        ]
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


def draft_point(values: Values) -> Draft:
    """A point that a person wrote is taken as it stands."""
    return {"change": text_of(values, "point") or "See the point.", "rebuttal": ""}


def draft_revise(values: Values) -> Draft:
    """The section as it is, with a line for each change that is to be made."""
    todo = [
        f"{TO_WRITE}{text_of(one, 'change') or text_of(one, 'point')}"
        for one in mappings(values, "points")
    ]
    return {
        "text": "\n\n".join([text_of(mapping(values, "section"), "text"), *todo]).strip()
        or f"{TO_WRITE}the section."
    }


DRAFTS: Mapping[str, drafter.Draft] = {
    "imitate_split": draft_split,
    "imitate_pairs": draft_pairs,
    "imitate_outline": draft_outline,
    "imitate_evidence": draft_evidence,
    "imitate_point": draft_point,
    "imitate_revise": draft_revise,
}
"""The rule for each prompt that has one, by the prompt's name."""
