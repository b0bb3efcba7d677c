"""The draft of a match (COI-13): yes-or-no checks for each criterion, the same for both ideas, so that order and length do not count."""

from __future__ import annotations

import re
from collections.abc import Callable

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, mapping, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import cleaned, jaccard, listed, quotations, sentences, share, words

TIE = 2
_ORDER = ("first", "second")


def _says(pattern: str, *keys: str) -> Callable[[Values], bool]:
    """A check: does any of these fields hold the pattern? Saying it twice, or at length, makes no difference."""
    cue = re.compile(pattern, re.IGNORECASE)
    return lambda idea: any(cue.search(text_of(idea, key)) for key in keys)


def _named(idea: Values) -> bool:
    return bool(re.search(r"[\"“][^\"”]{8,}[\"”]|\b[A-Z][a-z]*[A-Z0-9][\w-]*", cleaned(f"{text_of(idea, 'novelty')}")))


_CHECKS: dict[str, list[tuple[str, Callable[[Values], bool]]]] = {
    "novelty": [
        ("names the works it departs from", _named),
        ("says what is different from them", _says(r"\b(unlike|instead|rather than|differs?|in contrast|here|none of|not)\b", "novelty")),
        ("joins parts of several works", _says(r"\b(combin|join|together|add|merge|unif|takes? over|integrat)", "method", "novelty")),
    ],
    "significance": [
        ("names a gap", _says(r"\b(gap|limitation|problem|open|lack|fails?|cannot|bottleneck|difficult)\b", "motivation")),
        (
            "says for what setting it matters",
            _says(r"\b(because|matters?|setting|practice|users?|needed|enabl|in order to|so that)\b", "motivation", "final"),
        ),
        (
            "leaves something others can use",
            _says(r"\b(data ?set|benchmark|set of|tool|resource|study|analysis|measure|way to|method|framework)\b", "contributions"),
        ),
    ],
    "feasibility": [
        (
            "starts from something that exists",
            _says(
                r"\b(start from|rebuild|existing|pretrained|pre-trained|off-the-shelf|public|open-source|fine-tun|reuse)", "method", "final"
            ),
        ),
        ("goes step by step", _says(r"(^|\n)\s*(\d+[.)]|[-*])\s|\bfirst\b.*\bthen\b|\bstep\b|\bstage\b|\bmodule\b", "method", "final")),
        ("can be tested", _says(r"\b(measur|compar|test|evaluat|experiment|ablat|held-out|check)", "method", "contributions", "final")),
    ],
    "clarity": [
        ("has at least three contributions", lambda idea: len(strings(idea, "contributions")) >= 3),
        (
            "states its core in one place",
            _says(r"\b(start from|core|the (main|key) (idea|step)|we propose|works? by|consists? of)\b", "method"),
        ),
        (
            "tells what each part is for",
            _says(
                r"\b(function|in order to|so that|which (lets|allows)|purpose|serves?|to (find|reduce|select|train|check|filter|learn))\b",
                "method",
                "final",
            ),
        ),
    ],
    "effectiveness": [
        (
            "gives a reason why it should work",
            _says(r"\b(because|why|since|therefore|so that|thus|as a result)\b", "method", "final", "motivation"),
        ),
        (
            "names the difficulty it meets",
            _says(r"\b(challenge|risk|difficult|cost|trade-?off|fall(s)? back|assumption|hard)\b", "final", "method", "motivation"),
        ),
        (
            "compares against something named",
            _says(r"\b(baseline|compar|against|beside|than the|base)\b", "contributions", "method", "final", "novelty"),
        ),
    ],
}


def _beyond(idea: Values) -> float:
    return 1 - jaccard(text_of(idea, "contributions"), text_of(idea, "motivation"))


def _concrete(idea: Values) -> float:
    found = words(text_of(idea, "method"))
    named = [w for w in found if any(c.isdigit() for c in w[1:]) or any(c.isupper() for c in w[1:])]
    return len(named) / len(found) if found else 0.0


def _sentence_length(idea: Values) -> float:
    found = sentences(text_of(idea, "method"))
    return sum(len(words(sentence)) for sentence in found) / len(found) if found else 100.0


def _meets_gap(idea: Values) -> float:
    """The part of the gap's words that are in the method, outside quotation marks."""
    gap = quotations(text_of(idea, "motivation"))
    return share(gap[-1] if gap else text_of(idea, "motivation"), re.sub(r'"[^"]*"', " ", text_of(idea, "method")))


# Where both pass as many checks: a ratio (so that more words do not raise it), the reason given, and the least difference that counts.
_RATIOS: dict[str, tuple[Callable[[Values], float], str, float]] = {
    "novelty": (_beyond, "its contributions go further beyond what its motivation describes", 0.04),
    "feasibility": (_concrete, "a larger part of its method's words are names and numbers", 0.03),
    "clarity": (lambda idea: -_sentence_length(idea), "its sentences are shorter on average", 3.0),
    "effectiveness": (_meets_gap, "its method speaks more of the gap that it names", 0.1),
}


def draft_match(values: Values) -> Draft:
    """COI-13: 0, 1 or 2 for each criterion by the checks passed, then by a ratio; swapping the ideas swaps 0 and 1 and nothing else."""
    first, second = mapping(values, "first"), mapping(values, "second")
    reply: Draft = {}
    parts = ["Judged by fixed checks that are the same for both ideas; order and length play no part."]
    for criterion in _CHECKS:
        choice, reason = _judge(criterion, first, second)
        reply[criterion] = choice
        parts.append(f"{criterion.capitalize()}: {reason}")
    return {"reasoning": " ".join(parts), **reply}


def _judge(criterion: str, first: Values, second: Values) -> tuple[int, str]:
    """0, 1 or 2 (a tie), and why."""
    checks = _CHECKS[criterion]
    passed = [[name for name, check in checks if check(idea)] for idea in (first, second)]
    if len(passed[0]) != len(passed[1]):
        return _by_checks(passed, len(checks))
    both = f"both pass {len(passed[0])} of {len(checks)} checks"
    choice, reason = _by_ratio(criterion, first, second)
    if choice == TIE:
        return TIE, f"a tie, {both}."
    return choice, f"{both}; the {_ORDER[choice]} idea is ahead because {reason}."


def _by_checks(passed: list[list[str]], count: int) -> tuple[int, str]:
    """The idea that passes more checks, and which the other does not pass."""
    choice = 0 if len(passed[0]) > len(passed[1]) else 1
    more, less = passed[choice], passed[1 - choice]
    extra = listed([name for name in more if name not in less])
    return choice, f"the {_ORDER[choice]} idea passes {len(more)} of {count} checks against {len(less)}; unlike the other it {extra}."


def _by_ratio(criterion: str, first: Values, second: Values) -> tuple[int, str]:
    """The idea whose ratio is clearly the higher one, if the criterion has a ratio."""
    if criterion not in _RATIOS:
        return TIE, ""
    ratio, reason, least = _RATIOS[criterion]
    gain = ratio(first) - ratio(second)
    if abs(gain) <= least:
        return TIE, ""
    return (0 if gain > 0 else 1), reason
