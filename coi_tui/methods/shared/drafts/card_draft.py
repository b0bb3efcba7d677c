"""A card by rule (COI-3): what a text says before its own step, that step, and what shows that it
works. For a summary in parts with every model, for any text without one."""

from __future__ import annotations

import re

from coi_tui.methods.shared.drafts.paper_sections import PaperSections, split_sections
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, sentences, with_full_stop, words
from coi_tui.model.wording import listed

_MOVE = re.compile(
    r"\b(?:we|(?:this|the present|our) (?:paper|work|study|article)|the authors|our (?:method|approach))\b.*"
    r"\b(?:propos|introduc|present|develop|describ|offer|argu|show|ask|stud|examin|extend|buil|combin)"
    r"|\b(?:unlike|in contrast|instead of|rather than)\b",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"\b(?:experiments?|evaluat\w+|results?|benchmarks?|tested|outperforms?|accuracy|baselines?|percent)\b|%",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:limitations?|future work|cannot|is limited (?:to|by)|remains? (?:open|unclear|unsolved))\b",
    re.IGNORECASE,
)


def draft_read(values: Values) -> Draft:
    """COI-3: a card by rule. What the text does not say is empty, but for problem and move, which
    begin the text and go on with it."""
    source = split_sections(text_of(values, "text"))
    full = line_of(values, "kind") == "full text"
    head = _readable(_section(source, "abstract", "introduction")[:12_000] or source.main[:12_000])
    head = head or [line_of(values, "title") or "The text is empty."]
    start = next((n for n, said in enumerate(head) if _MOVE.search(said)), min(1, len(head) - 1))
    later = range(start + 1, len(head))
    end = next((n for n in later if _EVIDENCE.search(head[n])), len(head))
    tests = _readable(_section(source, "experiment", "evaluation", "result"))
    found = [said for said in tests if _EVIDENCE.search(said)] or head[end:]
    lists = (("Data sets", source.datasets), ("Baselines", source.baselines))
    named = [f"{name}: {listed(items)}." for name, items in lists if items]
    tested = " ".join(filter(None, [_joined(found[: 4 if full else 2]), *named]))
    own = _readable(_section(source, "limitation", "future", "conclusion", "discussion"))
    limits = source.limitations or [said for said in own or head[start:] if _LIMITS.search(said)]
    return {
        "problem": _joined(head[: max(1, start)][:2]),
        "move": _joined(head[start:end][:4]),
        "evidence": tested,
        "use": "",
        "limits": _joined(list(limits[:4])),
        "method": _joined(head[start + 1 : end][:4]) if full else "",
        "experiment": tested if full else "",
        "entities": [
            {"name": clip(name, 12), "description": description}
            for name, description in source.entities[:12]
        ],
        "references": [],
    }


def _joined(found: list[str]) -> str:
    return " ".join(map(with_full_stop, found))


def _readable(text: str) -> list[str]:
    """The sentences that read as such: not headings, tables, formulas or scraps of a page."""
    return [
        s
        for s in sentences(text)
        if 5 <= len(words(s)) <= 70 and sum(c.isalpha() or c.isspace() for c in s) > 0.75 * len(s)
    ]


def _section(source: PaperSections, *names: str) -> str:
    return "\n\n".join(text for name, text in source.sections.items() if name.startswith(names))
