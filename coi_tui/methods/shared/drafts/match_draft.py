"""The draft of a match (COI-13): yes-or-no checks a criterion, the same for both ideas, so that order and length cannot count."""

from __future__ import annotations

import re
from collections.abc import Callable

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, mapping, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import block, jaccard, listed, quotations, sentences, share, words

TIE = 2
_ORDER = ("first", "second")


def _says(*keys: str, pattern: str) -> Callable[[Values], bool]:
    """A check: does any of these fields hold the pattern? Saying it twice, or at length, makes no difference."""
    cue = re.compile(pattern, re.IGNORECASE)
    return lambda idea: any(cue.search(text_of(idea, key)) for key in keys)


def _named(idea: Values) -> bool:
    return bool(re.search(r"[\"“][^\"”]{8,}[\"”]|\b[A-Z][a-z]*[A-Z0-9][\w-]*", block(f"{text_of(idea, 'novelty')}")))


_CHECKS: dict[str, list[tuple[str, Callable[[Values], bool]]]] = {
    "novelty": [
        ("names the works it departs from", _named),
        (
            "says what is different from them",
            _says(
                "novelty",
                pattern=r"\b(unlike|instead|rather than|differs?|"
                r"in contrast|here|none of|not)\b",
            ),
        ),
        (
            "joins parts of several works",
            _says(
                "method",
                "novelty",
                pattern=r"\b(combin|join|together|add|merge|unif|"
                r"takes? over|integrat)",
            ),
        ),
    ],
    "significance": [
        (
            "names a gap",
            _says(
                "motivation",
                pattern=r"\b(gap|limitation|problem|open|lack|fails?|cannot|bottleneck|"
                r"difficult)\b",
            ),
        ),
        (
            "says for what setting it matters",
            _says(
                "motivation",
                "final",
                pattern=r"\b(because|matters?|setting|"
                r"practice|users?|needed|enabl|"
                r"in order to|so that)\b",
            ),
        ),
        (
            "leaves something others can use",
            _says(
                "contributions",
                pattern=r"\b(data ?set|benchmark|set of|tool|"
                r"resource|study|analysis|measure|way to|"
                r"method|framework)\b",
            ),
        ),
    ],
    "feasibility": [
        (
            "starts from something that exists",
            _says(
                "method",
                "final",
                pattern=r"\b(start from|rebuild|existing|"
                r"pretrained|pre-trained|"
                r"off-the-shelf|public|open-source|"
                r"fine-tun|reuse)",
            ),
        ),
        (
            "goes step by step",
            _says(
                "method",
                "final",
                pattern=r"(^|\n)\s*(\d+[.)]|[-*])\s|\bfirst\b.*\bthen\b|"
                r"\bstep\b|\bstage\b|\bmodule\b",
            ),
        ),
        (
            "can be tested",
            _says(
                "method",
                "contributions",
                "final",
                pattern=r"\b(measur|compar|test|evaluat|"
                r"experiment|ablat|held-out|check)",
            ),
        ),
    ],
    "clarity": [
        ("has at least three contributions", lambda idea: len(strings(idea, "contributions")) >= 3),
        (
            "states its core in one place",
            _says(
                "method",
                pattern=r"\b(start from|core|the (main|key) (idea|step)|"
                r"we propose|works? by|consists? of)\b",
            ),
        ),
        (
            "tells what each part is for",
            _says(
                "method",
                "final",
                pattern=r"\b(function|in order to|so that|"
                r"which (lets|allows)|purpose|serves?|"
                r"to (find|reduce|select|train|check|filter|"
                r"learn))\b",
            ),
        ),
    ],
    "effectiveness": [
        (
            "gives a reason why it should work",
            _says(
                "method",
                "final",
                "motivation",
                pattern=r"\b(because|why|since|"
                r"therefore|so that|"
                r"thus|as a result)\b",
            ),
        ),
        (
            "names the difficulty it meets",
            _says(
                "final",
                "method",
                "motivation",
                pattern=r"\b(challenge|risk|"
                r"difficult|cost|trade-?off|"
                r"fall(s)? back|assumption|"
                r"hard)\b",
            ),
        ),
        (
            "compares against something named",
            _says(
                "contributions",
                "method",
                "final",
                "novelty",
                pattern=r"\b(baseline|compar|against|beside|"
                r"than the|base)\b",
            ),
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


# Where both pass as many checks: a ratio (so that more words do not raise it), how it is told, and the least difference that counts.
_RATIOS: dict[str, tuple[Callable[[Values], float], str, float]] = {
    "novelty": (_beyond, "its contributions go further beyond what its motivation describes", 0.04),
    "feasibility": (_concrete, "a larger part of its method's words are names and numbers", 0.03),
    "clarity": (lambda idea: -_sentence_length(idea), "its sentences are shorter on average", 3.0),
    "effectiveness": (_meets_gap, "its method speaks more of the gap that it names", 0.1),
}


def draft_match(values: Values) -> Draft:
    """COI-13: 0, 1 or 2 a criterion by the checks passed, then by a ratio; swapping the ideas swaps 0 and 1 and nothing else."""
    first, second = mapping(values, "first"), mapping(values, "second")
    reply: Draft = {}
    told = ["Judged by fixed checks that are the same for both ideas; order and length play no part."]
    for criterion in _CHECKS:
        choice, reason = _judge(criterion, first, second)
        reply[criterion] = choice
        told.append(f"{criterion.capitalize()}: {reason}")
    return {"reasoning": " ".join(told), **reply}


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
    ratio, told, least = _RATIOS[criterion]
    gain = ratio(first) - ratio(second)
    if abs(gain) <= least:
        return TIE, ""
    return (0 if gain > 0 else 1), told
