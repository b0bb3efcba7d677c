"""Which sentences of a text state a fact about earlier work: a table of rules, each a name and the words that it goes by.

A sentence that names a paper does; so does one that says what others did, found or failed at. What a text plans, asks or leaves to be
written does not. The rules err towards taking a sentence: one too many is a line to glance at, one too few is a claim that nobody checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from coi_tui.model.papers import Paper

_WORK = (
    r"(?:work|works|methods?|approach(?:es)?|stud(?:y|ies)|papers?|research|models?|systems?|techniques?|literature|efforts?|solutions?"
    r"|frameworks?|results?|findings?|attempts?|pipelines?|agents?|algorithms?|benchmarks?|evaluations?)"
)
_SAY = (
    r"(?:shows?|showed|finds?|found|reports?|reported|proposes?|proposed|introduces?|introduced|demonstrates?|demonstrated|argues?|argued"
    r"|observes?|observed|claims?|claimed|concludes?|concluded|suggests?|suggested|names?|named|says?|said|states?|stated|reveals?|revealed)"
)
_DONE = (
    r"(?:shown|proposed|found|reported|observed|demonstrated|used|studied|applied|introduced|explored|developed|established|investigated"
    r"|argued|claimed|measured|adopted|built|trained|extended|improved)"
)
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|cannot|does|do|did|\w+[^s\W]s|\w+ed|show|find|found|fail|lack|need|use|leave|left|made)"
)  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """``name`` says why a sentence counts; the sentence must hold ``words``."""

    name: str
    words: re.Pattern[str]


def _rule(name: str, words: str) -> Rule:
    return Rule(name, re.compile(words, re.IGNORECASE))


RULES = (
    _rule(
        "earlier work",
        rf"\b(?:earlier|existing|prior|previous|past|recent|current|traditional|conventional|classical|published|other|most|many|several"
        rf"|state-of-the-art)\s+(?:[\w-]+\s+){{0,3}}?{_WORK}\b",
    ),
    _rule(
        "earlier work",
        r"\b(?:the|this|that|each|one|both|two|these|those|another)\s+(?:(?:first|second|last|later|older|newer|next|earlier|original"
        r"|same)\s+)?(?:papers?|work|stud(?:y|ies)|authors?)\b",
    ),
    _rule("earlier work", r"\bthe (?:first|last|later|older|newer|next|earlier) cards?\b"),
    _rule(
        "the chain", r"\b(?:the|this) chain (?:of papers )?(?:shows?|leads?|moves?|began|begins|ends?|turns?)\b"
    ),
    _rule("has been done", rf"\b(?:has|have|had)\s+(?:\w+\s+)?been\s+(?:\w+\s+)?{_DONE}\b"),
    _rule("was done by others", rf"\b(?:was|were)\s+(?:\w+\s+)?{_DONE}\s+(?:by|in)\b"),
    _rule("others say", rf"\b(?:authors|researchers|others|they|stud(?:y|ies)|papers?|works?|literature|experiments|evaluations?)\s+"
                        rf"(?:(?:has|have|had)\s+)?(?:\w+ly\s+)?(?:{_SAY}|{_DONE})\b"),
    _rule("others say", r"\b(?:according to|well[- ]known|known to|widely (?:used|known|adopted)|the literature|in the literature)\b"),
    _rule("the field", r"\b(?:the|this) field\s+(?:has|moves?|moved|shifts?|shifted|turns?|turned|went|began|still|lacks?)\b"),
    _rule(
        "a result of others",
        r"\b(?:reach|achiev|improv|report|outperform|gain|dropp|scor|rais|reduc|solv|surpass|attain|exceed)(?:e?s|ed)\b"
        r"[^.]{0,60}?\b\d+(?:\.\d+)?\s?(?:%|percent|points?|x\b|times\b)",
    ),
)  # fmt: skip
"""What a sentence about earlier work says, in any case of letters."""

_OWN = (
    r"(?:we|i|this idea|this plan|this proposal|this experiment|our \w+|the proposed \w+|the experiment|the plan|the idea)"
)  # fmt: skip
NO_STATEMENT = (_rule("to be written", r"^\W*(?:to write|todo|to do|write here|worksheet on)\b"), _rule("a question", r"\?\W*$"))
"""What states nothing, also where it names a paper."""
EXCEPT = (
    _rule(
        "intended", rf"^\W*(?:\w+,?\s+)?{_OWN}\s+(?:will|would|shall|should|could|may|might|can|plans?|aims?|intends?|hopes?|expects?)\b"
    ),
    _rule("intended", r"\b(?:we|i) (?:will|would|shall|plan to|aim to|intend to|hope to|expect|hypothesi[sz]e|propose to)\b"),
    _rule(
        "an instruction",
        r"^\W*(?:\d+[.)]\s*)?(?:compare|evaluate|use|measure|run|report|test|train|collect|implement|select|include|apply|take|choose|add"
        r"|start|begin|repeat|check|split|sample|build|plot|compute|record|remove|replace|vary|fix|keep|ask|let|prompt|score|annotate)\b",
    ),
)
"""What no such sentence is, unless it names a paper."""

_QUOTATION = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_BREAK = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\W_a-z])")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|cf|al|vs|etc|Figs?|Eqs?|Secs?|Tab|No|Dr|Prof|approx|resp|St)|\b[A-Z]|^\W*\d+)\.$")
_NAME = re.compile(r"\b[A-Z][\w-]*[A-Z0-9][\w+-]*\b|\b[a-z]+[A-Z]\w*\b")
_BEFORE_COLON = re.compile(r"^([A-Z][\w+-]*(?: [A-Z0-9][\w+-]*){0,2}):\s")
_NO_SYSTEM = frozenset(
    ("AI", "LLM", "LLMs", "LM", "LMs", "ML", "NLP", "RL", "QA", "GPU", "GPUs", "CPU", "API", "AGI", "US", "UK", "3D", "2D")
)
"""Short names of fields and things, which name no system."""


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends. A line ends a sentence; a full stop within a quotation ends none."""
    start = 0
    for line in text.split("\n"):
        masked = _QUOTATION.sub(lambda m: re.sub("[.!?]", ",", m[0][:-2]) + m[0][-2:], line)
        begin = 0
        for found in _BREAK.finditer(masked):
            if not _ABBREVIATED.search(masked[begin : found.start()]):
                yield from _trimmed(text, start + begin, start + found.end())
                begin = found.end()
        yield from _trimmed(text, start + begin, start + len(line))
        start += len(line) + 1


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without blanks and the sign of a list; nothing where no word is left."""
    said = text[begin:end]
    lead = re.match(r"\s*(?:[-*+•]\s+|#+\s+\w+\s*$|\d{1,3}[.)]\s+)?", said)
    first = begin + (lead.end() if lead else 0)
    last = begin + len(said.rstrip())
    if re.search(r"[^\W\d_]", text[first:last]):
        yield first, last


def systems(papers: Mapping[str, Paper]) -> dict[str, list[str]]:
    """Names that papers give to what they make, with the papers: what stands before the colon of a title, words with capitals within."""
    found: dict[str, list[str]] = {}
    for paper_id in sorted(papers):
        title = papers[paper_id].title
        for name in dict.fromkeys([*(m[1] for m in _BEFORE_COLON.finditer(title)), *_NAME.findall(title)]):
            if (len(name) > 2 or any(map(str.isdigit, name))) and name not in _NO_SYSTEM:
                found.setdefault(name, []).append(paper_id)
    return found


class EarlierWork:
    """The rules for one session: its papers' systems count as names of earlier work where something is said of them."""

    def __init__(self, names: Iterable[str]) -> None:
        told = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
        self._name = re.compile(rf"(?<![\w-])(?:{told})(?![\w-])") if told else None
        self._systems = re.compile(rf"(?<![\w-])(?:{told})(?:'s)?(?:\s*[(\[][^)\]]*[)\]])?,?\s+(?:\w+ly\s+)?{_VERB}\b") if told else None

    def systems_in(self, sentence: str) -> list[str]:
        """The names of systems that a sentence holds, each once."""
        return list(dict.fromkeys(self._name.findall(sentence))) if self._name is not None else []

    def why(self, sentence: str, *, names_paper: bool) -> str:
        """The name of the first rule by which a sentence is about earlier work; empty where none holds."""
        if any(rule.words.search(sentence) for rule in NO_STATEMENT):
            return ""
        if names_paper:
            return "names a paper"
        if any(rule.words.search(sentence) for rule in EXCEPT):
            return ""
        if self._systems is not None and self._systems.search(sentence):
            return "names a system"
        return next((rule.name for rule in RULES if rule.words.search(sentence)), "")
