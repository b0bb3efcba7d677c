"""The drafts of the request's parts, of the scores of pairs, of outlines, and of a plan."""

from __future__ import annotations

import re

from coi_tui.methods.imitate.passages import lines_of
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings, number, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, content_words, jaccard, quote, shared_words, without_full_stop

TO_WRITE = "To write:"
"""Begins every text that only holds a place."""
_BETWEEN = re.compile(r"\s+(?:for|in|on|of|to)\s+", re.IGNORECASE)
STEPS = (
    ("Introduction", "which problem the application has, and what the algorithm could do about it"),
    ("Earlier work", "what is done on either side, and where it stops"),
    ("Method", "how the algorithm is carried over, step by step"),
    ("Setting", "the data, the task and what is measured"),
    ("Experiments", "what is compared with what, and what would refute the method"),
    ("Limits", "where the method should fail, and how that would show"),
    ("Cost", "what the method takes, and what it saves"),
    ("Ablations", "which parts are left out one by one"),
    ("Wider use", "where else the method may serve"),
    ("Conclusion", "what would be known after the experiments"),
)
"""The usual moves of a paper, in the order in which they can be written."""
LAST = len(STEPS) - 1


def draft_split(values: Values) -> Draft:
    """The words before and after the first preposition that joins two parts; without one the whole on either side."""
    lines = text_of(values, "request").strip().splitlines()
    said = (without_full_stop(lines[0]).strip() if lines else "") or "the request"
    parts = _BETWEEN.split(said, maxsplit=1)
    before, after = (parts[0], parts[1]) if len(parts) > 1 and all(content_words(part) for part in parts) else (said, said)
    before, after = before.strip() or said, after.strip() or said
    return {
        "algorithm": clip(before, 40), "application": clip(after, 40), "constraints": [],
        "algorithm_query": clip(before, 10), "application_query": clip(after, 10),
    }  # fmt: skip


def draft_pairs(values: Values) -> Draft:
    """A score by the share of words that title and abstract have in common; what that is worth a rule cannot know."""
    texts = {line_of(paper, "id"): f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}"
             for side in ("algorithm_papers", "application_papers") for paper in mappings(values, side)}  # fmt: skip
    rows = []
    for label in strings(values, "pairs"):
        one, other = (texts.get(name, "") for name in label.partition("-")[::2])
        shared = ", ".join(shared_words(one, other, 4))
        reason = f"By rule: both say {shared}." if shared else "By rule: they share no telling word."
        rows.append({"id": label, "reason": reason, "score": 1 + min(9, round(20 * jaccard(one, other)))})
    return {"pairs": rows or [{"id": "A1-B1", "reason": "By rule.", "score": 1}]}


def draft_outline(values: Values) -> Draft:
    """A part for each of the first sentences of the text: what a paper says in order, not how its sections are named."""
    said = [one for one in lines_of(text_of(values, "text")) if len(one.split()) > 4][:8] or [line_of(values, "title") or "the paper"]
    rows = ((str(n), clip(without_full_stop(one), 6).strip() or "a part", quote(one, 30)) for n, one in enumerate(said, start=1))
    return {"parts": [{"number": n, "title": title, "summary": summary} for n, title, summary in rows]}


def draft_plan(values: Values) -> Draft:
    """The usual moves of a paper, the conclusion last; each beside a part of one of the outlines, in turn."""
    count = number(values, "count", 1, len(STEPS), 6)
    parts = [mappings(outline, "parts") for outline in mappings(values, "outlines")]
    request = mapping(values, "request")
    about = f"{clip(line_of(request, 'algorithm'), 12)} for {clip(line_of(request, 'application'), 12)}"
    rows = []
    for n, (title, what) in enumerate((*STEPS[: count - 1], STEPS[LAST])):
        side = parts[n % len(parts)] if parts else []
        like = line_of(side[min(n // 2, len(side) - 1)], "id") if side else ""
        rows.append({"title": title, "purpose": f"{TO_WRITE} {what} ({about}).", "like": like})
    return {"steps": rows}
