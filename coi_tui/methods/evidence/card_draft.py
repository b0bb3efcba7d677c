"""A card by rule (COI-3): what a text says before its own step, that step, and what shows that it
works. For a summary in parts with every model, for any text without one."""

from __future__ import annotations

import re

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    clip,
    line_of,
    sentences,
    text_of,
    with_full_stop,
    words,
)
from coi_tui.model.text import listed

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
_LABEL = re.compile(r"^(SUMMARY|LIMITATIONS|DATASETS|BASELINES|ENTITIES)\n", re.MULTILINE)
_HEADING = re.compile(r"^\W*(?:(?:\d+\.?)+ )?[A-Z][A-Za-z &]{2,40}$", re.MULTILINE)
_REFERENCES = re.compile(r"^\W*(?:references|bibliography)\W*$", re.IGNORECASE | re.MULTILINE)


def draft_read(values: Values) -> Draft:
    """COI-3: a card by rule. What the text does not say is empty, but for problem and move, which
    begin the text and go on with it."""
    before, *labelled = _LABEL.split(text_of(values, "text"))
    parts = dict(zip(labelled[::2], labelled[1::2], strict=True))
    datasets, baselines, limitations, entities = (
        [line.removeprefix("- ") for line in parts.get(label, "").splitlines()]
        for label in ("DATASETS", "BASELINES", "LIMITATIONS", "ENTITIES")
    )
    full = line_of(values, "kind") == "full text"
    said = _readable(parts.get("SUMMARY", before)) or [
        line_of(values, "title") or "The text is empty."
    ]
    start = next((n for n, one in enumerate(said) if _MOVE.search(one)), min(1, len(said) - 1))
    later = range(start + 1, len(said))
    end = next((n for n in later if _EVIDENCE.search(said[n])), len(said))
    found = [one for one in said[end:] if _EVIDENCE.search(one)] if full else said[end:]
    lists = (("Data sets", datasets), ("Baselines", baselines))
    named = [f"{name}: {listed(items)}." for name, items in lists if items]
    tested = " ".join(filter(None, [_joined(found[: 4 if full else 2]), *named]))
    limits = limitations or [one for one in said[start:] if _LIMITS.search(one)]
    pairs = (entity.partition(": ") for entity in entities[:12])
    return {
        "problem": _joined(said[: max(1, start)][:2]),
        "move": _joined(said[start:end][:4]),
        "evidence": tested,
        "use": "",
        "limits": _joined(limits[:4]),
        "method": _joined(said[start + 1 : end][:4]) if full else "",
        "experiment": tested if full else "",
        "entities": [{"name": clip(name, 12), "description": told} for name, _, told in pairs],
        "references": [],
    }


def _joined(found: list[str]) -> str:
    return " ".join(map(with_full_stop, found))


def _readable(text: str) -> list[str]:
    """The sentences that read as such: not headings, tables, formulas or scraps of a page."""
    own = _HEADING.sub("\n", _REFERENCES.split(text)[0])
    return [
        s
        for s in sentences(own)
        if 5 <= len(words(s)) <= 70 and sum(c.isalpha() or c.isspace() for c in s) > 0.75 * len(s)
    ]
