"""Kinds of limitation, and what each suggests to do next: goal, approach, diagnosis, measure. A small table of rules of thumb."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class LimitationKind:
    """``goal``, ``approach``, ``diagnosis`` and the rest are phrases for running text; ``tag`` ends a title (empty: the topic does)."""

    name: str
    cues: str
    goal: str
    approach: str
    diagnosis: str
    measure: str
    challenge: str
    answer: str
    tag: str


KINDS = (
    LimitationKind(
        name="evaluation",
        cues=r"evaluat|metric|reward|measur|judge|benchmark|check|exact match|score|proxy",
        goal="measure what the present evaluation does not see",
        approach="score the missing property directly, and let that score steer the system while it works",
        diagnosis="cases in which the usual score and a careful human reading disagree",
        measure="agreement of the direct score with human reading, beside the usual score",
        challenge="a new score can be gamed as well as the old one",
        answer="keep a part of the human-read cases out of all tuning and report the agreement on them",
        tag="with a Direct Check of the Missing Property",
    ),
    LimitationKind(
        name="reliability",
        cues=r"error|hallucinat|nois|wrong|bias|unfaithful|exploit|incorrect|mislead|hack|brittle|unstable|robust|"
        r"reliab|mistake|fail|risk|unsafe|safety|misuse|circumvent|loops|derail",
        goal="make errors rarer, and visible where they happen",
        approach="check intermediate results before later steps build on them",
        diagnosis="cases sorted by the first step that goes wrong",
        measure="the rate of undetected errors at each step, beside the quality of the end result",
        challenge="a check can share the blind spots of what it checks",
        answer="draw the check from another source of evidence than the step it checks, and count the errors that both miss",
        tag="with Checked Intermediate Steps",
    ),
    LimitationKind(
        name="cost",
        cues=r"cost|expens|slow|latency|memory|comput|heav|overhead|inference|parameters|many (?:\w+ )?(?:calls|"
        r"samples|passes|steps)|sequential|\blong",
        goal="lower what the method costs without giving up quality",
        approach="spend the costly step only where it changes the result",
        diagnosis="cases sorted by whether the costly step changes the outcome",
        measure="model calls, tokens and wall time per item at equal quality",
        challenge="it must be decided cheaply when the costly step can be skipped",
        answer="begin with one threshold tuned on held-out items, and report the whole curve of cost against quality",
        tag="at Lower Cost",
    ),
    LimitationKind(
        name="supervision",
        cues=r"label|annotat|human|expert|demonstrat|manual|hand-?written|hand-?made|supervis|crowd",
        goal="depend less on supervision made by people",
        approach="replace a part of that supervision by a signal that the system can compute, and keep people for the unsure cases",
        diagnosis="cases in which the computed signal and the human judgement disagree",
        measure="quality as a function of the number of human judgements",
        challenge="a signal of the system's own can confirm its own errors",
        answer="hold out a human-judged set that no step may train on, and report the agreement on it",
        tag="with Less Human Supervision",
    ),
    LimitationKind(
        name="scope",
        cues=r"\bonly\b|single|fixed|limit|restrict|english|short|small|domain|generali|carry over|transfer|"
        r"other tasks|unseen|not tested|\bone\b|large",
        goal="make the method hold outside the setting in which it was tested",
        approach="let the part that is tied to the old setting adapt to the new one, and leave the rest as it is",
        diagnosis="cases just outside the tested setting, sorted by their distance from it",
        measure="the change in quality from the tested setting to each new one",
        challenge="gains in a new setting may come from extra training rather than from the mechanism",
        answer="give every compared system the same extra data and the same number of training steps",
        tag="beyond the Tested Setting",
    ),
    LimitationKind(
        name="choices",
        cues=r"depend|relies|rely|sensitiv|hyperparameter|threshold|prompt|implementation detail|quality of|choice|"
        r"chosen|tuned|(?<!-)\btuning|needs?\b|requires?|assum",
        goal="take away the dependence on something that is set by hand or taken for granted",
        approach="measure that dependence first, then learn or adapt what is set by hand",
        diagnosis="runs that differ only in the choice in question",
        measure="the spread of results over reasonable choices, beside the best result",
        challenge="a learned choice brings choices of its own",
        answer="fix all of them on one data set and carry them over unchanged to the others",
        tag="without Hand-Set Choices",
    ),
    LimitationKind(
        name="quality",
        cues=r"weak|worse|behind|below|lag|lower|\bgap\b|\bfalls?\b|trail|difficult|\bfar\b|poor|inferior|drop|"
        r"degrad|struggl|not competitive",
        goal="raise quality in the cases in which the method still falls behind",
        approach="find the step at which these cases are lost, and give that step more to go on",
        diagnosis="cases in which the method falls behind, sorted by the step that loses them",
        measure="quality on these cases and on all others, reported apart",
        challenge="better results on hard cases can be paid for with easy ones",
        answer="report both groups side by side and keep the easy ones as a condition that must hold",
        tag="for the Cases Still Lost",
    ),
)
OTHER = LimitationKind(
    name="gap",
    cues="",
    goal="close this gap",
    approach="change the one part from which the gap comes, and leave the rest as it is",
    diagnosis="cases in which the gap shows, and as many in which it does not",
    measure="the difference in quality between those two groups of cases",
    challenge="the gap may have more than one cause",
    answer="change one part at a time and report each change by itself",
    tag="",
)


def kind_of(limitation: str) -> LimitationKind:
    """The kind whose cues occur most often in a limitation; on a tie the earlier in the table; ``OTHER`` where none occurs."""
    counts = [len(re.findall(kind.cues, limitation, re.IGNORECASE)) for kind in KINDS]
    return KINDS[counts.index(max(counts))] if any(counts) else OTHER


def kind_in(text: str) -> LimitationKind:
    """The kind whose goal a drafted text states word for word, else the kind of the text itself."""
    return next((kind for kind in (*KINDS, OTHER) if kind.goal in text), kind_of(text))


def untagged(title: str) -> str:
    """A drafted title without the tag of its kind: the part that names things."""
    return next((title.removesuffix(kind.tag).strip() for kind in KINDS if title.endswith(kind.tag)), title)
