"""Which role a sentence of a paper plays, by cue words."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["background", "novelty", "contribution", "reasons", "limitation", "experiment"]


def _cues(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_STRONG: dict[Role, list[re.Pattern[str]]] = {
    "background": _cues(
        r"\b(earlier|prior|previous|existing|conventional|traditional)\b.*\b(work|method|approach|model|system|stud|"
        r"attempt|retriev|learn|research)",
        r"^(earlier|until|traditionally|so far|despite)\b",
        r"\b(remains?|is|are) (an? )?(hard|difficult|costly|open|challeng|expensive)",
        r"\b(problem|challenge|bottleneck|obstacle|shortcoming)s?\b",
    ),
    "novelty": _cues(
        r"\b(this|the present|our) (paper|work|study|article)\b.*\b(propos|introduc|present|develop|describ|offer|"
        r"argu|shows?|asks?|brings?|stud|examin|extend|builds?|turn)",
        r"\b(we|the authors) (\w+ )?(propos|introduc|present|develop|describ|offer)",
        r"\b(unlike|in contrast|for the first time|the first to|instead of|rather than|differs? from)\b",
        r"\b(building|builds) on\b",
    ),
    "contribution": _cues(
        r"\b(works?|proceeds?|operates?|done|achieved) (by|in|as|through|with)\b",
        r"\b(the|our|this) (method|approach|framework|algorithm|system|model|pipeline|procedure) (\w+ )?(consists?|"
        r"combines?|uses?|trains?|learns?|first|takes?|has|adds?|runs?)",
        r"\b(consists? of|composed of|made of|in (two|three|four) (stages|steps|phases))\b",
    ),
    "reasons": _cues(
        r"\b(because|so that|therefore|thus|hence|thereby|as a result)\b",
        r"\bwhich (lets|allows|makes|means|helps|keeps|avoids|gives|removes|reduces)\b",
        r"\b(ablations?|analysis|analyses) (\w+ )?(show|confirm|suggest|indicate|reveal)",
        r"\b(needs no|without (any |extra )?(need|train|label|fine-tun))",
    ),
    "limitation": _cues(
        r"\b(limitations?|future work|drawbacks?|weakness(es)?|shortcomings? of (our|the|this))\b",
        r"\b(our|the|this) (method|approach|study|model|work|system|framework|analysis)\b.*\b(cannot|does not|do not|"
        r"fails?|is limited|only|still)\b",
        r"\b(remains? (to be|open|unclear|unsolved)|not (yet )?(tested|covered|clear|known)|is left to|"
        r"leave .* to future)\b",
        r"\bis limited (to|by)\b",
    ),
    "experiment": _cues(
        r"\b(experiments?|evaluations?|results?|tests?|benchmarks?|ablations?)\b.*\b(show|shows|demonstrate|reach|"
        r"indicate|confirm|cover|compare|suggest|reveal|on)\b",
        r"\b(evaluated?|tested|measured|compared?) (\w+ )?(on|with|against|to|over|across)\b",
        r"\b(outperform|state[- ]of[- ]the[- ]art|surpass|beats?|higher than|gains? over|baselines?)",
        r"\b(accuracy|F1|BLEU|ROUGE|exact match|perplexity|recall|win rate|pass@\d+|percent|%)",
    ),
}
_WEAK: dict[Role, list[re.Pattern[str]]] = {
    "background": _cues(r"\b(however|yet|but|lack|suffer|struggle|often|many|most|usually|typically|hard to)\b"),
    "novelty": _cues(r"\b(new|first|novel|propos|introduc)"),
    "contribution": _cues(
        r"\b(by|through|via) (\w+ly )?\w+ing\b",
        r"\b(train|fine-tun|encod|retriev|generat|sampl|"
        r"optimi[sz])",
    ),
    "reasons": _cues(r"\b(enabl|lets?|avoid|helps?|since|reduc|keeps?)\b"),
    "limitation": _cues(r"\b(cannot|only|costly|expensive|depends? on|requires?|however)\b"),
    "experiment": _cues(r"\b(show|improv|data ?sets?|benchmark|score|gain)"),
}


def score(sentence: str, role: Role) -> float:
    """How much a sentence looks like this role: 2 for each strong cue, 0.5 for each weak one."""
    strong = sum(1 for cue in _STRONG[role] if cue.search(sentence))
    weak = sum(1 for cue in _WEAK[role] if cue.search(sentence))
    return 2.0 * strong + 0.5 * weak


def role_of(sentence: str, index: int, count: int) -> Role | None:
    """The main role of the sentence at ``index`` of ``count``, or None where no cue speaks.

    The place counts a little: a problem stands first and a result last. Reasons and limitations are
    looked for apart, because such a sentence mostly has another main role as well.
    """
    place: dict[Role, float] = {
        "background": 1.5 if index == 0 else 0.0,
        "experiment": 0.5 if index >= count - 2 else 0.0,
    }
    roles: tuple[Role, ...] = ("novelty", "contribution", "experiment", "background")
    best = max(roles, key=lambda role: score(sentence, role) + place.get(role, 0.0))
    return best if score(sentence, best) + place.get(best, 0.0) >= 1 else None
