"""Fixed checks on an experiment plan (COI-15): what is missing, how to ask for it, and what a refinement adds for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from coi_tui.methods.coi.drafts.names import datasets_in, modules_in
from coi_tui.methods.coi.drafts.text import words
from coi_tui.methods.coi.drafts.values import Values, strings, text_of

PARTS = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility", "references", "pseudocode")


@dataclass(frozen=True)
class Check:
    """``fails(idea, plan)`` says whether ``point`` is to be raised. ``mend`` is what a refinement adds to ``part`` for it.

    ``reads`` tells that papers can help to answer it.
    """

    part: str
    fails: Callable[[Values, Values], bool]
    reads: bool
    point: str
    mend: str


def check_for(point: str) -> Check | None:
    """The check that raised a point, or None for a point that a person or a model wrote."""
    return next((check for check in CHECKS if check.point == point), None)


def _lacks(pattern: str, *parts: str) -> Callable[[Values, Values], bool]:
    """A check that fails where none of these parts of the plan holds the pattern."""
    cue = re.compile(pattern)
    return lambda idea, plan: not any(cue.search(text_of(plan, part)) for part in parts)


def _no_dataset(idea: Values, plan: Values) -> bool:
    """No name that could be a data set's stands in the design; quoted titles do not count."""
    design = re.sub(r'"[^"]*"', " ", text_of(plan, "design"))
    return "the chain names none" in design or not re.search(
        r"\b[A-Z]{2,}\w*|\b[A-Z][a-z]+[-A-Z0-9]\w*|"
        r"\b[Dd]ata ?sets?\b.*\b[A-Z]",
        design,
    )


def _few_datasets(idea: Values, plan: Values) -> bool:
    taken = re.search(r"\bTake (.+?) with their usual splits", text_of(plan, "design"))
    named = re.split(r", | and ", taken.group(1)) if taken else datasets_in([text_of(plan, "design")])
    return len(named) == 1


def _untested_module(idea: Values, plan: Values) -> bool:
    modules = modules_in(text_of(idea, "method"), strings(idea, "contributions"))
    text = text_of(plan, "ablation").casefold()
    return bool(words(text)) and any(name not in text and what.casefold() not in text for name, what in modules)


_COUNTED = "items|cases|questions|examples|samples|instances|pairs|images|documents|tasks|problems"
_MEASURES = (
    r"(?i)accuracy|match|\bF1\b|BLEU|ROUGE|rate|score|recall|precision|perplexity|nDCG|MRR|FID|agreement|cost|latency|"
    r"human|calls|quality"
)

CHECKS = (
    Check(
        part="design",
        fails=_no_dataset,
        reads=True,
        point="No data set is named, so nobody can start. Name at least two, with their splits.",
        mend="Two public data sets of the task are chosen and named before any run; each is used with its usual splits.",
    ),
    Check(
        part="design",
        fails=_few_datasets,
        reads=True,
        point="Only one data set is used, so the result may hold for that one alone. Add one of another kind.",
        mend="A second data set of another kind is added; the main comparison is run on both and reported for each.",
    ),
    Check(
        part="baselines",
        fails=_lacks(r"\b[A-Z][\w-]+", "baselines"),
        reads=True,
        point="No baseline is named. Name the strongest published method and the unchanged base method.",
        mend="The unchanged base method and the strongest published method on the same data are both run.",
    ),
    Check(
        part="ablation",
        fails=_lacks(r"(?i)without|switch|remov|replac|ablat", "ablation"),
        reads=False,
        point="There is no ablation, so it stays unknown which part makes the difference. Switch off each part by itself.",
        mend="Each added part is switched off by itself, all else unchanged.",
    ),
    Check(
        part="ablation",
        fails=_untested_module,
        reads=False,
        point="Not every module of the idea is switched off in the ablation. Add a run for each.",
        mend="One run is added for each module of the idea that had none.",
    ),
    Check(
        part="metrics",
        fails=_lacks(_MEASURES, "metrics"),
        reads=True,
        point="No measure is named that the idea could fail on. Name one for each data set, and say which result would "
        "speak against the idea.",
        mend="Each data set gets the measure that it prescribes; the idea counts as not supported where this measure "
        "does "
        "not change on the marked cases.",
    ),
    Check(
        part="design",
        fails=_lacks(rf"\b\d[\d,.]*k? (?:\w+ )?(?:{_COUNTED})|\b(?:hundred|thousand)s?\b", "design"),
        reads=True,
        point="The number of items in each data set is not given, so it is open whether the cases in question are "
        "frequent "
        "enough. State the sizes, and how many marked cases are wanted.",
        mend="For each data set the number of items is written down; the diagnosis goes on until at least two hundred "
        "marked cases are found or the data is used up.",
    ),
    Check(
        part="metrics",
        fails=_lacks(r"(?i)bootstrap|significan|confidence|interval|p-value|t-test|permutation", "metrics", "design"),
        reads=False,
        point="There is no test whether a difference is more than chance. Add one, with the number of runs.",
        mend="Differences are tested with a paired bootstrap over items, on three seeds, and given with a 95 percent interval.",
    ),
    Check(
        part="implementation",
        fails=_lacks(r"\bGPUs?\b|\bhours?\b|compute|hardware|upper bound|number of (?:runs|calls)", "implementation"),
        reads=False,
        point="Nothing is said about the compute that is needed. State models, hardware and an upper bound of runs or calls.",
        mend="A table states model, hardware, number of runs and an upper bound of calls; a trial on one hundred items "
        "gives "
        "the estimate before the full run.",
    ),
    Check(
        part="feasibility",
        fails=_lacks(r"(?i)answer|fall back|otherwise|instead|risk|difficult|\bif\b", "feasibility"),
        reads=False,
        point="No difficulty is named with its answer. Name the likeliest one and what would be done.",
        mend="The likeliest difficulty is that the base cannot be rebuilt as reported; then the rebuilt one is the "
        "reference, and the difference is stated.",
    ),
    Check(
        part="implementation",
        fails=_lacks(r"(?i)held-out|validation|tuned|development set|default settings", "implementation", "design"),
        reads=False,
        point="It is not said how settings are chosen for the compared systems. Give all the same data for tuning.",
        mend="All compared systems are tuned on the same held-out data with the same number of trials.",
    ),
)
