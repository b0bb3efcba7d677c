"""The draft of a refined experiment (COI-15): each review point answered by a changed part."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.methods.coi.drafts.checks import PARTS, check_for
from coi_tui.methods.coi.drafts.text import clip, distinct, full_stop, no_stop, quote, share
from coi_tui.methods.coi.drafts.values import Values, line_of, mapping, mappings, strings, text_of

Draft = dict[str, object]
_EMPTY = "Still to be written."


def draft_refine(values: Values) -> Draft:
    """COI-15: the plan in full, with what answers each point added to its part; ``answers`` says what was changed for which point."""
    plan, facts = mapping(values, "experiment"), _facts(values)
    parts = {part: text_of(plan, part) for part in PARTS if part != "references"}
    answers: list[dict[str, object]] = []
    used: list[str] = []
    for number, item in enumerate(mappings(values, "points"), 1):
        part = _part(line_of(item, "part"))
        added, titles = _answer(line_of(item, "point"), facts, used)
        used += titles
        parts[part] = f"{parts[part]}\n{added}".strip()
        answers.append({"point": number, "change": f"Added to {part}: {clip(added, 60)}"})
    references = distinct([*strings(plan, "references"), *(title for title, _ in facts if title in used)])[:12]
    required = {part: text or _EMPTY for part, text in parts.items() if part != "pseudocode"}
    return {**required, "references": references, "pseudocode": parts["pseudocode"], "answers": answers}


def _facts(values: Values) -> list[tuple[str, str]]:
    """(title, fact) for every fact that was found."""
    return [
        (line_of(source, "title") or "an untitled paper", fact) for source in mappings(values, "facts") for fact in strings(source, "facts")
    ]


def _part(name: str) -> str:
    """The part a point is about; a point about the references or about none is answered in the design."""
    low = name.casefold().strip()
    return low if low in PARTS and low not in ("references", "pseudocode") else "design"


def _answer(point: str, facts: Sequence[tuple[str, str]], used: Sequence[str]) -> tuple[str, list[str]]:
    """What is added for a point, and the titles of the facts in it. A point in free words is taken up as a condition to meet."""
    check = check_for(point)
    text = check.mend if check else (f"To be met before the first run: {no_stop(point) or 'the point raised in review'}.")
    if check is not None and not check.reads:
        return text, []
    near = sorted(facts, key=lambda fact: (-round(share(point, fact[1]), 3), fact[0] in used))
    if not near or share(point, near[0][1]) < 0.08:
        return text, []
    title, fact = near[0]
    return f"{text} From {quote(title)}: {full_stop(fact)}", [title]
