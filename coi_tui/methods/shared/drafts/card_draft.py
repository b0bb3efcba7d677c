"""A card by rule (COI-3): sentences of the text by their role. For a summary in parts with every model, for any text without one."""

from __future__ import annotations

import re
from typing import Literal

from coi_tui.methods.shared.drafts.paper_sections import (
    PaperSections,
    reference_titles,
    split_sections,
)
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, listed, sentences, with_full_stop, words

Role = Literal["problem", "move", "method", "limits", "evidence"]


def _cues(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_STRONG: dict[Role, list[re.Pattern[str]]] = {
    "problem": _cues(
        r"\b(earlier|prior|previous|existing|conventional|traditional)\b.*\b(work|method|approach|model|system|stud|attempt|retriev|"
        r"learn|research)",
        r"^(earlier|until|traditionally|so far|despite)\b",
        r"\b(remains?|is|are) (an? )?(hard|difficult|costly|open|challeng|expensive)",
        r"\b(problem|challenge|bottleneck|obstacle|shortcoming)s?\b",
    ),
    "move": _cues(
        r"\b(this|the present|our) (paper|work|study|article)\b.*\b(propos|introduc|present|develop|describ|offer|argu|shows?|asks?|"
        r"brings?|stud|examin|extend|builds?|turn)",
        r"\b(we|the authors) (\w+ )?(propos|introduc|present|develop|describ|offer)",
        r"\b(unlike|in contrast|for the first time|the first to|instead of|rather than|differs? from)\b",
        r"\b(building|builds) on\b",
    ),
    "method": _cues(
        r"\b(works?|proceeds?|operates?|done|achieved) (by|in|as|through|with)\b",
        r"\b(the|our|this) (method|approach|framework|algorithm|system|model|pipeline|procedure) (\w+ )?(consists?|combines?|uses?|"
        r"trains?|learns?|first|takes?|has|adds?|runs?)",
        r"\b(consists? of|composed of|made of|in (two|three|four) (stages|steps|phases))\b",
    ),
    "limits": _cues(
        r"\b(limitations?|future work|drawbacks?|weakness(es)?|shortcomings? of (our|the|this))\b",
        r"\b(our|the|this) (method|approach|study|model|work|system|framework|analysis)\b.*\b(cannot|does not|do not|fails?|is limited|"
        r"only|still)\b",
        r"\b(remains? (to be|open|unclear|unsolved)|not (yet )?(tested|covered|clear|known)|is left to|leave .* to future)\b",
        r"\bis limited (to|by)\b",
    ),
    "evidence": _cues(
        r"\b(experiments?|evaluations?|results?|tests?|benchmarks?|ablations?)\b.*\b(show|shows|demonstrate|reach|indicate|confirm|"
        r"cover|compare|suggest|reveal|on)\b",
        r"\b(evaluated?|tested|measured|compared?) (\w+ )?(on|with|against|to|over|across)\b",
        r"\b(outperform|state[- ]of[- ]the[- ]art|surpass|beats?|higher than|gains? over|baselines?)",
        r"\b(accuracy|F1|BLEU|ROUGE|exact match|perplexity|recall|win rate|pass@\d+|percent|%)",
    ),
}
_WEAK: dict[Role, list[re.Pattern[str]]] = {
    "problem": _cues(
        r"\b(however|yet|but|lack|suffer|struggle|often|many|most|usually|typically|hard to)\b"
    ),
    "move": _cues(r"\b(new|first|novel|propos|introduc)"),
    "method": _cues(
        r"\b(by|through|via) (\w+ly )?\w+ing\b",
        r"\b(train|fine-tun|encod|retriev|generat|sampl|optimi[sz])",
    ),
    "limits": _cues(r"\b(cannot|only|costly|expensive|depends? on|requires?|however)\b"),
    "evidence": _cues(r"\b(show|improv|data ?sets?|benchmark|score|gain)"),
}


def score(sentence: str, role: Role) -> float:
    """How much a sentence looks like this role: 2 for each strong cue, 0.5 for each weak one."""
    strong = sum(1 for cue in _STRONG[role] if cue.search(sentence))
    weak = sum(1 for cue in _WEAK[role] if cue.search(sentence))
    return 2.0 * strong + 0.5 * weak


def role_of(sentence: str, index: int, count: int) -> Role | None:
    """The main role of the sentence at ``index`` of ``count``, or None where no cue is found.

    The place counts a little: a problem comes first and a result last. Limits are looked for separately, because such a sentence mostly
    has another main role as well.
    """
    place: dict[Role, float] = {
        "problem": 1.5 if index == 0 else 0.0,
        "evidence": 0.5 if index >= count - 2 else 0.0,
    }
    roles: tuple[Role, ...] = ("move", "method", "evidence", "problem")
    best = max(roles, key=lambda role: score(sentence, role) + place.get(role, 0.0))
    return best if score(sentence, best) + place.get(best, 0.0) >= 1 else None


def draft_read(values: Values) -> Draft:
    """COI-3: a card by rule. What the text does not say is empty, but for problem and move, which begin the text and go on with it."""
    topic, title = line_of(values, "topic"), line_of(values, "title")
    text = text_of(values, "text")
    source = split_sections(text)
    found, full = (
        _by_role(source),
        bool(source.references) or line_of(values, "kind") == "full text",
    )
    begin, rest = (
        next(filter(None, (*_readable(_head(source)), title)), "The text is empty."),
        _readable(_head(source))[1:],
    )
    used = _joined(found["problem"][:2]) or begin
    tested = " ".join([_joined(found["evidence"][: 4 if full else 2]), *_lists(source)]).strip()
    named = [
        {"name": clip(name, 12), "description": description}
        for name, description in source.entities
    ]
    return {
        "problem": used,
        "move": _joined((found["move"] + ([] if full else found["method"]))[:4])
        or _joined(rest[:2])
        or used,
        "evidence": tested,
        "use": "",
        "limits": _joined(list(source.limitations[:4]) or found["limits"][:3]),
        "method": _joined(found["method"][:4]) if full else "",
        "experiment": tested if full else "",
        "entities": named[:12],
        "references": reference_titles(source, topic, title),
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


def _by_role(source: PaperSections) -> dict[Role, list[str]]:
    head = _readable(_head(source))
    found: dict[Role, list[str]] = {
        role: [] for role in ("problem", "move", "method", "limits", "evidence")
    }
    for index, sentence in enumerate(head):
        role = role_of(sentence, index, len(head))
        if role is not None:
            found[role].append(sentence)
    own = _section(source, "limitation", "future", "conclusion", "discussion")
    found["limits"] = _best(_readable(own), "limits", 2) or _best(
        [s for s in head if s not in found["problem"]], "limits", 2
    )
    tests = _readable(_section(source, "experiment", "evaluation", "result"))
    found["evidence"] = _best(tests, "evidence", 2) or found["evidence"]
    return found


def _head(source: PaperSections) -> str:
    """Where a paper says what it is about: abstract and introduction where there are headings, else the whole text."""
    return _section(source, "abstract", "introduction")[:12000] or source.main[:12000]


def _section(source: PaperSections, *names: str) -> str:
    return "\n\n".join(text for name, text in source.sections.items() if name.startswith(names))


def _best(found: list[str], role: Role, least: float) -> list[str]:
    """The four sentences with the best scores for ``role``, of those that reach ``least``, in the order of the text."""
    good = sorted((s for s in found if score(s, role) >= least), key=lambda s: -score(s, role))[:4]
    return [sentence for sentence in found if sentence in good]


def _lists(source: PaperSections) -> list[str]:
    """Data sets and baselines that the text lists."""
    lists = (("Data sets", source.datasets), ("Baselines", source.baselines))
    return [f"{name}: {listed(items)}." for name, items in lists if items]
