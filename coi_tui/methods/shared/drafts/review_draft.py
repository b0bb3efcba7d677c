"""Drafts for the review of an experiment plan (COI-15): fixed checks, what to look up, facts found, and the refined plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.entities import datasets_in, modules_in
from coi_tui.methods.shared.drafts.paper_sections import split_sections
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    content_words,
    distinct,
    quote,
    sentences,
    share,
    stem,
    term_weight,
    terms,
    total_weight,
    with_full_stop,
    without_full_stop,
    words,
)

PARTS = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility", "references", "pseudocode")


@dataclass(frozen=True)
class Check:
    """``fails(idea, plan)`` says whether ``point`` is to be raised. ``remedy`` is what a refinement adds to ``part`` for it.

    ``papers_help``: whether it is worth looking for papers that answer it.
    """

    part: str
    fails: Callable[[Values, Values], bool]
    papers_help: bool
    point: str
    remedy: str


def check_for(point: str) -> Check | None:
    """The check that raised a point, or None for a point that a person or a model wrote."""
    return next((check for check in CHECKS if check.point == point), None)


def _lacks(pattern: str, *parts: str) -> Callable[[Values, Values], bool]:
    """A check that fails where none of these parts of the plan holds the pattern."""
    cue = re.compile(pattern)
    return lambda idea, plan: not any(cue.search(text_of(plan, part)) for part in parts)


def _no_dataset(idea: Values, plan: Values) -> bool:
    """Nothing in the design could be the name of a data set; quoted titles do not count."""
    design = re.sub(r'"[^"]*"', " ", text_of(plan, "design"))
    return "the chain names none" in design or not re.search(
        r"\b[A-Z]{2,}\w*|\b[A-Z][a-z]+[-A-Z0-9]\w*|\b[Dd]ata ?sets?\b.*\b[A-Z]",
        design,
    )


def _few_datasets(idea: Values, plan: Values) -> bool:
    taken = re.search(r"\bData that the cards name: (.+?)\.(?:\s|$)", text_of(plan, "design"))
    named = re.split(r", | and ", taken.group(1)) if taken else datasets_in([text_of(plan, "design")])
    return len(named) == 1


def _untested_module(idea: Values, plan: Values) -> bool:
    modules = modules_in(text_of(idea, "method"), strings(idea, "contributions"))
    text = text_of(plan, "ablation").casefold()
    return bool(words(text)) and any(name not in text and what.casefold() not in text for name, what in modules)


_COUNTED = "items|cases|questions|examples|samples|instances|pairs|images|documents|tasks|problems"
_MEASURES = (
    r"(?i)accuracy|match|\bF1\b|BLEU|ROUGE|rate|score|recall|precision|perplexity|nDCG|MRR|FID|agreement|cost|latency|human|calls|quality"
)

CHECKS = (
    Check(
        part="design",
        fails=_no_dataset,
        papers_help=True,
        point="No data set is named, so nobody can start. Name at least two, with their splits.",
        remedy="Two public data sets of the task are chosen and named before any run; each is used with its usual splits.",
    ),
    Check(
        part="design",
        fails=_few_datasets,
        papers_help=True,
        point="Only one data set is used, so the result may hold for that one alone. Add one of another kind.",
        remedy="A second data set of another kind is added; the main comparison is run on both and reported for each.",
    ),
    Check(
        part="baselines",
        fails=_lacks(r"\b[A-Z][\w-]+", "baselines"),
        papers_help=True,
        point="No baseline is named. Name the strongest published method and the unchanged base method.",
        remedy="The unchanged base method and the strongest published method on the same data are both run.",
    ),
    Check(
        part="ablation",
        fails=_lacks(r"(?i)without|switch|remov|replac|ablat", "ablation"),
        papers_help=False,
        point="There is no ablation, so it stays unknown which part makes the difference. Switch off each part by itself.",
        remedy="Each added part is switched off by itself, all else unchanged.",
    ),
    Check(
        part="ablation",
        fails=_untested_module,
        papers_help=False,
        point="Not every module of the idea is switched off in the ablation. Add a run for each.",
        remedy="One run is added for each module of the idea that had none.",
    ),
    Check(
        part="metrics",
        fails=_lacks(_MEASURES, "metrics"),
        papers_help=True,
        point="No measure is named that the idea could fail on. Name one for each data set, and say which result would "
        "speak against the idea.",
        remedy="Each data set gets the measure that it prescribes; the idea counts as not supported where this measure "
        "does "
        "not change on the marked cases.",
    ),
    Check(
        part="design",
        fails=_lacks(rf"\b\d[\d,.]*k? (?:\w+ )?(?:{_COUNTED})|\b(?:hundred|thousand)s?\b", "design"),
        papers_help=True,
        point="The number of items in each data set is not given, so it is open whether the cases in question are "
        "frequent "
        "enough. State the sizes, and how many marked cases are wanted.",
        remedy="For each data set the number of items is written down; the diagnosis goes on until at least two hundred "
        "marked cases are found or the data is used up.",
    ),
    Check(
        part="metrics",
        fails=_lacks(r"(?i)bootstrap|significan|confidence|interval|p-value|t-test|permutation", "metrics", "design"),
        papers_help=False,
        point="There is no test whether a difference is more than chance. Add one, with the number of runs.",
        remedy="Differences are tested with a paired bootstrap over items, on three seeds, and given with a 95 percent interval.",
    ),
    Check(
        part="implementation",
        fails=_lacks(r"\bGPUs?\b|\bhours?\b|compute|hardware|upper bound|number of (?:runs|calls)", "implementation"),
        papers_help=False,
        point="Nothing is said about the compute that is needed. State models, hardware and an upper bound of runs or calls.",
        remedy="A table states model, hardware, number of runs and an upper bound of calls; a trial on one hundred items "
        "gives "
        "the estimate before the full run.",
    ),
    Check(
        part="feasibility",
        fails=_lacks(r"(?i)answer|fall back|otherwise|instead|risk|difficult|\bif\b", "feasibility"),
        papers_help=False,
        point="No difficulty is named with its answer. Name the likeliest one and what would be done.",
        remedy="The likeliest difficulty is that the base cannot be rebuilt as reported; then the rebuilt one is the "
        "reference, and the difference is stated.",
    ),
    Check(
        part="implementation",
        fails=_lacks(r"(?i)held-out|validation|tuned|development set|default settings", "implementation", "design"),
        papers_help=False,
        point="It is not said how settings are chosen for the compared systems. Give all the same data for tuning.",
        remedy="All compared systems are tuned on the same held-out data with the same number of trials.",
    ),
)


_CONCRETE = re.compile(r"\b\d{2,}|\bdata ?sets?\b|\bbenchmark|\bbaseline|\bexperiments?\b|\bablation", re.IGNORECASE)


def draft_review(values: Values) -> Draft:
    """COI-15: the points that the checks raise on the plan, at most eight, and what to look up for them. The idea itself is not judged.

    What was dismissed is not raised again, but the scores, from 1 to 10 by the share of the checks that hold, do not rise by that.
    """
    idea, plan, dismissed = mapping(values, "idea"), mapping(values, "experiment"), strings(values, "dismissed")
    raised = [check for check in CHECKS if check.fails(idea, plan)]
    points = [{"part": check.part, "point": check.point} for check in raised if check.point not in dismissed][:8]
    query = draft_review_query({"experiment": plan, "points": points})["query"]
    return {"points": points, "query": query, "scores": {name: _score(parts, raised) for name, parts in CRITERIA.items()}}


CRITERIA = {"decisive": ("metrics",), "sound": ("design", "baselines", "ablation"), "feasible": ("implementation", "feasibility")}
"""The parts of a plan whose checks count for a criterion."""


def _score(parts: Sequence[str], raised: Sequence[Check]) -> int:
    of_these, failed = (sum(check.part in parts for check in checks) for checks in (CHECKS, raised))
    return 10 - round(9 * failed / of_these)


def draft_review_query(values: Values) -> Draft:
    """COI-15: one phrase for the first point that papers can help with, or null."""
    plan = mapping(values, "experiment")
    for item in mappings(values, "points"):
        point, part = line_of(item, "point"), line_of(item, "part")
        check = check_for(point)
        if point and (check.papers_help if check else _papers_may_help(point)):
            return {"query": _phrase(plan, point, part, known=check is not None)}
    return {"query": None}


def _papers_may_help(point: str) -> bool:
    return bool(
        re.search(
            r"\b(data ?sets?|benchmarks?|baselines?|metrics?|measures?|protocol|published|prior|related|literature|compar)",
            point,
            re.IGNORECASE,
        )
    )


def _phrase(plan: Values, point: str, part: str, known: bool) -> str:
    """Names of the plan's data and of the idea that it tests, with what the point asks for, at most eight words."""
    named = datasets_in([text_of(plan, "design")]) or re.findall(
        r"\bData that the cards name: ([^,.]+?)(?:,| and |\.)", text_of(plan, "design")
    )
    quoted = [title.removeprefix("Worksheet: ") for title in re.findall(r"seen if \"([^\"]+)\"", text_of(plan, "design"))]
    subject = [w for w in content_words(" ".join([*named[:1], *quoted[:1]])) if term_weight(stem(w)) >= 1][:4]
    asked = _asked(part) if known else content_words(point)[:5]
    return " ".join([*subject, *(word for word in asked if word not in subject)][:8]) or "evaluation benchmark"


def _asked(part: str) -> list[str]:
    """What to search for where one of the fixed checks found this part lacking."""
    return ["benchmark", "evaluation"] if part == "design" else [part or "evaluation", "comparison"]


def draft_facts(values: Values) -> Draft:
    """COI-15: up to six sentences of the text that share distinctive words with the points, in the order of the text."""
    source = split_sections(text_of(values, "text"))
    wanted = " ".join(f"{line_of(item, 'part')} {line_of(item, 'point')}" for item in mappings(values, "points"))
    asked = set(terms(wanted))
    if not asked:
        return {"facts": []}
    ranked = []
    for index, sentence in enumerate(sentences(source.main[:60000])):
        gain = _gain(sentence, asked)
        if gain >= 1 and 5 <= len(words(sentence)) <= 60:
            ranked.append((-gain, index, with_full_stop(sentence)))
    best = sorted(sorted(ranked)[: 6 - bool(source.datasets) - bool(source.baselines)], key=lambda item: item[1])
    return {"facts": [sentence for _, _, sentence in best] + _lists(source.datasets, source.baselines)}


def _gain(sentence: str, asked: set[str]) -> float:
    """Weight of the words shared with the points; a number or a measure in the sentence adds to it."""
    common = set(terms(sentence)) & asked
    return total_weight(common) + 0.75 * bool(_CONCRETE.search(sentence)) if common else 0.0


def _lists(datasets: tuple[str, ...], baselines: tuple[str, ...]) -> list[str]:
    found = [("Data sets used", datasets), ("Compared with", baselines)]
    return [with_full_stop(f"{label}: {clip('; '.join(names), 40)}") for label, names in found if names]


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
        answers.append({"point": number, "part": part, "change": f"Added to {part}: {clip(added, 60)}"})
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
    """What is added for a point, and the titles of the facts in it. A point in a person's words becomes a condition to meet."""
    check = check_for(point)
    text = check.remedy if check else (f"To be met before the first run: {without_full_stop(point) or 'the point raised in review'}.")
    if check is not None and not check.papers_help:
        return text, []
    near = sorted(facts, key=lambda fact: (-round(share(point, fact[1]), 3), fact[0] in used))
    if not near or share(point, near[0][1]) < 0.08:
        return text, []
    title, fact = near[0]
    return f"{text} From {quote(title)}: {with_full_stop(fact)}", [title]
