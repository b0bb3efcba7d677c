"""The draft of a plan against a person's means: figures of both, by unit. What has no figure is left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings
from coi_tui.methods.shared.drafts.text_tools import quote, stem, without_full_stop

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000}
_VALUES = {**{word: n for n, word in enumerate(_NUMBERS, start=1)}, **_TENS}
_UNITS = {
    "compute": {"GPU": "gpu gpus a100 a100s h100 h100s v100 v100s", "GPU hour": "gpu-hours gpu-hour", "CPU": "cpu cpus cores nodes"},
    "people": {
        "person": "person people annotator annotators judge judges rater raters participant participants student students researcher "
        "researchers expert experts assessor assessors evaluator evaluators reviewer reviewers"
    },
    "weeks": {"day": "day days", "week": "week weeks", "month": "month months", "year": "year years"},
    "data": {
        word: f"{word} {word}s" for word in
        ("example", "paper", "document", "question", "image", "sample", "sentence", "dialogue", "topic", "task", "record", "spec")
    },
}  # fmt: skip
_UNIT_OF = {word: (kind, unit) for kind, units in _UNITS.items() for unit, words in units.items() for word in words.split()}
_IN_WEEKS = {"day": 1 / 7, "week": 1.0, "month": 52 / 12, "year": 52.0}
_CUES = {
    "compute": re.compile(r"\b(?:train\w*|fine-?tun\w*|pre-?train\w*|gpus?|inference|language model|run\w* on|comput\w+)\b", re.IGNORECASE),
    "people": re.compile(r"\b(?:annotat\w+|human|judges?|raters?|participants?|interview\w*|by hand|experts?|user study)\b", re.IGNORECASE),
    "data": re.compile(r"\b(?:collect\w*|data ?sets?|corpus|corpora|benchmark\w*|crawl\w*|licen[cs]\w+)\b", re.IGNORECASE),
    "weeks": re.compile(r"\b(?:weeks?|months?|deadline)\b", re.IGNORECASE),
}
_NONE = re.compile(r"^\s*(?:none|no|nothing|0)\b", re.IGNORECASE)
_UNIT_WORDS = "|".join(sorted(_UNIT_OF, key=len, reverse=True))
_FIGURE = re.compile(
    rf"\b(\d[\d,]*(?:\.\d+)?|{'|'.join(_VALUES)})[ -]+(?:[\w-]+[ ]+){{0,2}}?(gpu[ -]hours?|{_UNIT_WORDS})\b", re.IGNORECASE
)
SAMPLE = 100
"""Items of the smallest test: few enough to be read by hand."""


@dataclass(frozen=True)
class Figure:
    """So much of a unit of one kind of means; weeks in weeks."""

    kind: str
    unit: str
    amount: float

    def __str__(self) -> str:
        return f"{self.amount:g} {self.unit if self.amount == 1 else _plural(self.unit)}"


def _plural(unit: str) -> str:
    return "people" if unit == "person" else f"{unit}s"


def figures(text: str) -> list[Figure]:
    """The figures of a text that have a unit."""
    return list(_figures(text))


def _figures(text: str) -> Iterator[Figure]:
    for found in _FIGURE.finditer(text):
        said, word = found[1].lower().replace(",", ""), found[2].lower().replace(" ", "-")
        kind, unit = _UNIT_OF[word]
        amount = float(_VALUES[said]) if said in _VALUES else float(said)
        if kind == "weeks":
            yield Figure(kind, "week", round(amount * _IN_WEEKS[unit], 1))
        else:
            yield Figure(kind, unit, amount)


def draft_means_check(values: Values) -> Draft:
    """Each step by its figures and cue words, and a smallest test made of the plan's own baseline and metric."""
    means = {kind: line_of(mapping(values, "means"), kind) for kind in _UNITS}
    steps = mappings(values, "steps")
    judged = [_judged(_number(step, n), line_of(step, "text"), means) for n, step in enumerate(steps, start=1)]
    return {"steps": judged or [_judged(1, "", means)], "decisive": _decisive(values, steps)}


def _number(step: Values, n: int) -> int:
    held = step.get("step")
    return held if isinstance(held, int) and held >= 1 else n


def _judged(n: int, text: str, means: dict[str, str]) -> Draft:
    """The worst of what its figures say; without a figure that can be compared, whether a cue names a need."""
    told = [_compared(need, means[need.kind]) for need in figures(text)]
    row: Draft = next((t for word in ("short", "cannot tell", "enough") for t in told if t["judgement"] == word), _by_cue(text, means))
    return {"step": n, **row}


def _compared(need: Figure, said: str) -> Draft:
    row: Draft = {"of": need.kind, "short": "", "by": ""}
    have = [figure.amount for figure in figures(said) if figure.unit == need.unit]
    if _NONE.match(said):
        have = [0.0]
    if not said or not have:
        told = f"what you said of your {need.kind} has no figure for that" if said else f"you have not said your {need.kind}"
        return {**row, "reason": f"The step names {need}; {told}.", "judgement": "cannot tell"}
    most = Figure(need.kind, need.unit, max(have))
    reason = f"The step names {need}; you have {most}."
    if most.amount >= need.amount:
        return {**row, "reason": reason, "judgement": "enough"}
    missing = Figure(need.kind, need.unit, round(need.amount - most.amount, 1))
    return {**row, "reason": reason, "judgement": "short", "short": _plural(need.unit), "by": str(missing)}


def _by_cue(text: str, means: dict[str, str]) -> Draft:
    """A step without figures that can be compared: short where there is none of what it names, else open."""
    kinds = [kind for kind, cue in _CUES.items() if cue.search(text)]
    row: Draft = {
        "of": "",
        "short": "",
        "by": "",
        "judgement": "needs nothing",
        "reason": "The step names nothing that these rules know as a need.",
    }
    if none := next((kind for kind in kinds if _NONE.match(means[kind])), ""):
        return {**row, "of": none, "judgement": "short", "short": none, "reason": f"The step takes {none}, and you have none."}
    if kinds:
        return {**row, "of": kinds[0], "judgement": "cannot tell", "reason": f"The step takes {kinds[0]}, but gives no figure."}
    return row


def _decisive(values: Values, steps: list[Values]) -> Draft:
    """The mechanism beside one baseline on a sample: what the plan says of both, quoted."""
    first = {part: _first(steps, part) for part in ("baselines", "metrics")}
    beside = f"the plan's first baseline ({quote(first['baselines'], 20)})" if first["baselines"] else "the simplest baseline"
    measure = f"the plan's first measure ({quote(first['metrics'], 20)})" if first["metrics"] else "one measure, chosen before"
    title = quote(line_of(mapping(values, "idea"), "title") or "the idea", 20)
    return {
        "test": f"Run the core of {title} and {beside} on the same {SAMPLE} items of one data set; compare them by {measure}.",
        "wrong_if": "the core does no better than the baseline on these items, or does better for another reason than the idea gives.",
        "needs": f"one run of each on {SAMPLE} items, and reading by hand every item on which they differ",
        "judgement": "cannot tell",
    }


def _first(steps: list[Values], part: str) -> str:
    """The first step of a part that says more than that it is still to be written."""
    texts = (without_full_stop(line_of(step, "text").lstrip("-*• 0123456789.")) for step in steps if line_of(step, "part") == part)
    return next((text for text in texts if text and stem(text.split()[0]) not in (stem("To"),)), "")
