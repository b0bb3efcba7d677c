"""The draft of a card (COI-3): sentences of the text by their role, named entities, references."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from coi_tui.methods.shared.drafts.paper_sections import PaperSections, reference_titles, split_sections
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    STOP,
    clip,
    distinct,
    listed,
    sentences,
    share,
    terms,
    with_full_stop,
    without_full_stop,
    words,
)

Role = Literal["background", "novelty", "contribution", "reasons", "limitation", "experiment"]


def _cues(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_STRONG: dict[Role, list[re.Pattern[str]]] = {
    "background": _cues(
        r"\b(earlier|prior|previous|existing|conventional|traditional)\b.*\b(work|method|approach|model|system|stud|attempt|retriev|"
        r"learn|research)",
        r"^(earlier|until|traditionally|so far|despite)\b",
        r"\b(remains?|is|are) (an? )?(hard|difficult|costly|open|challeng|expensive)",
        r"\b(problem|challenge|bottleneck|obstacle|shortcoming)s?\b",
    ),
    "novelty": _cues(
        r"\b(this|the present|our) (paper|work|study|article)\b.*\b(propos|introduc|present|develop|describ|offer|argu|shows?|asks?|"
        r"brings?|stud|examin|extend|builds?|turn)",
        r"\b(we|the authors) (\w+ )?(propos|introduc|present|develop|describ|offer)",
        r"\b(unlike|in contrast|for the first time|the first to|instead of|rather than|differs? from)\b",
        r"\b(building|builds) on\b",
    ),
    "contribution": _cues(
        r"\b(works?|proceeds?|operates?|done|achieved) (by|in|as|through|with)\b",
        r"\b(the|our|this) (method|approach|framework|algorithm|system|model|pipeline|procedure) (\w+ )?(consists?|combines?|uses?|"
        r"trains?|learns?|first|takes?|has|adds?|runs?)",
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
        r"\b(our|the|this) (method|approach|study|model|work|system|framework|analysis)\b.*\b(cannot|does not|do not|fails?|is limited|"
        r"only|still)\b",
        r"\b(remains? (to be|open|unclear|unsolved)|not (yet )?(tested|covered|clear|known)|is left to|leave .* to future)\b",
        r"\bis limited (to|by)\b",
    ),
    "experiment": _cues(
        r"\b(experiments?|evaluations?|results?|tests?|benchmarks?|ablations?)\b.*\b(show|shows|demonstrate|reach|indicate|confirm|"
        r"cover|compare|suggest|reveal|on)\b",
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
        r"\b(train|fine-tun|encod|retriev|generat|sampl|optimi[sz])",
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
    """The main role of the sentence at ``index`` of ``count``, or None where no cue is found.

    The place counts a little: a problem comes first and a result last. Reasons and limitations are
    looked for separately, because such a sentence mostly has another main role as well.
    """
    place: dict[Role, float] = {
        "background": 1.5 if index == 0 else 0.0,
        "experiment": 0.5 if index >= count - 2 else 0.0,
    }
    roles: tuple[Role, ...] = ("novelty", "contribution", "experiment", "background")
    best = max(roles, key=lambda role: score(sentence, role) + place.get(role, 0.0))
    return best if score(sentence, best) + place.get(best, 0.0) >= 1 else None


_NAME = r"[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*|[A-Z][a-z]+-[A-Z0-9][A-Za-z0-9.-]*|[A-Z]{2,}[a-z0-9-]*"
_NAMES = re.compile(rf"\b(?:{_NAME})(?:\s(?:{_NAME}|\d+(?:\.\d+)?[BKM]?)\b)*")
_SPELT = re.compile(r"\b((?:[A-Za-z][\w-]{1,40}\s){1,6})\(([A-Z][A-Za-z0-9-]{1,11})\)")
_KINDS = ("full text", "abstract", "summary")


def draft_read(values: Values) -> Draft:
    """COI-3: a card by rules. A field without a fitting sentence says plainly that the text does not state it."""
    topic, title, kind = line_of(values, "topic"), line_of(values, "title"), line_of(values, "kind").casefold()
    source = split_sections(text_of(values, "text"))
    absent = f"Not stated in the {kind if kind in _KINDS else 'text'}."
    by_role = _by_role(source)
    new = by_role["novelty"]
    return {
        "background": _joined(by_role["background"][:3], absent),
        "novelty": _joined(new[:2], absent),
        "contribution": _joined(by_role["contribution"][:3] or new[:2], absent),
        "reasons": _joined(by_role["reasons"][:3], absent),
        "limitation": _joined(list(source.limitations[:4]) or by_role["limitation"][:3], absent),
        "experiment": _experiment(source, by_role["experiment"][:4], absent),
        "entities": _entities(source, topic),
        "references": reference_titles(source, topic, title),
    }


def _joined(found: list[str], absent: str) -> str:
    return " ".join(with_full_stop(sentence) for sentence in found) or absent


def _readable(text: str) -> list[str]:
    """The sentences that read as such: not headings, tables, formulas or scraps of a page."""
    return [s for s in sentences(text) if 5 <= len(words(s)) <= 70 and sum(c.isalpha() or c.isspace() for c in s) > 0.75 * len(s)]


def _by_role(source: PaperSections) -> dict[Role, list[str]]:
    head = _readable(_head(source))
    found: dict[Role, list[str]] = {role: [] for role in ("background", "novelty", "contribution", "reasons", "limitation", "experiment")}
    for index, sentence in enumerate(head):
        role = role_of(sentence, index, len(head))
        if role is not None:
            found[role].append(sentence)
    found["reasons"] = _best([s for s in head if s not in found["background"]], "reasons", 2)
    own = _section(source, "limitation", "future", "conclusion", "discussion")
    found["limitation"] = _best(_readable(own), "limitation", 2) or _best(
        [s for s in head if s not in found["background"]], "limitation", 2
    )
    tests = _readable(_section(source, "experiment", "evaluation", "result"))
    found["experiment"] = _best(tests, "experiment", 2) or found["experiment"]
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


def _experiment(source: PaperSections, found: list[str], absent: str) -> str:
    """What was tested, then data sets and baselines in fixed words, in which the draft of an experiment finds them."""
    extra = []
    if source.datasets:
        extra.append(f"Data sets: {listed(source.datasets)}.")
    if source.baselines:
        extra.append(f"Baselines: {listed(source.baselines)}.")
    return " ".join([*map(with_full_stop, found), *extra]) or absent


def _entities(source: PaperSections, topic: str) -> list[dict[str, str]]:
    """Named things: the text's own list and its data sets, else capitalised names, those first that are frequent and near the topic."""
    named = [{"name": clip(name, 12), "description": description} for name, description in source.entities]
    known = {item["name"].casefold() for item in named}
    named += [{"name": name, "description": "data set"} for name in source.datasets if name.casefold() not in known]
    return named[:12] if named else _capitalised(source.main, topic)


def _capitalised(text: str, topic: str) -> list[dict[str, str]]:
    spelt = {short: _expansion(long, short) for long, short in _SPELT.findall(text)}
    counts = Counter(name for name in _NAMES.findall(text) if len(name) > 1 and name.casefold() not in STOP and not name.isdigit())
    first = {name: text.find(name) for name in counts}
    order = sorted(
        counts,
        key=lambda n: (
            -(counts[n] + 2 * bool(spelt.get(n)) + 3 * share(topic, f"{n} {spelt.get(n, '')}")),
            first[n],
            n,
        ),
    )
    return [{"name": clip(name, 8), "description": spelt.get(name) or _apposition(text, name)} for name in _one_form(distinct(order))[:8]]


def _one_form(names: list[str]) -> list[str]:
    """Without a plural whose singular is named as well."""
    return [name for name in names if not (name.endswith("s") and name[:-1] in names)]


def _expansion(long: str, short: str) -> str:
    """The words before ``(ABC)`` that the letters stand for, or nothing where they do not fit."""
    tokens = long.split()
    letters = [c for c in short if c.isupper()]
    for start in range(len(tokens)):
        initials = [part[0].upper() for token in tokens[start:] for part in token.split("-") if part]
        if initials and initials[0] == letters[0] and set(letters) <= set(initials):
            return " ".join(tokens[start:])
    return ""


def _apposition(text: str, name: str) -> str:
    """``Name, a ... ,`` as a description, else the words of the first sentence that names it."""
    found = re.search(re.escape(name) + r", (?:an?|the|which|our) ([^,.;()]{5,100})[,.;]", text)
    if found:
        return without_full_stop(found.group(1))
    spoken = next((s for s in sentences(text) if name in s and len(terms(s)) > 2), "")
    return f"named in: {clip(without_full_stop(spoken), 18)}" if spoken else ""
