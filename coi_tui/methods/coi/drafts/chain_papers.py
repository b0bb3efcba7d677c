"""The papers of a chain as the drafting rules see them: methods, limitations that stay open, and papers that could answer them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.entities import Entity, entities_of
from coi_tui.methods.shared.drafts.limitation_kinds import OTHER, LimitationKind, kind_of
from coi_tui.methods.shared.drafts.prompt_values import Values, line_of, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    content_words,
    distinct,
    quote,
    sentences,
    share,
    terms,
    total_weight,
    without_full_stop,
    words,
)

_PROPOSES = r"\b(?:propos|introduc|present|develop|describ|offer|call|nam)(?:es?|ed|ing|s)\s+"
_ACRONYM = re.compile(_PROPOSES + r"[^.;]{3,90}?\(([A-Z][A-Za-z0-9+.-]{1,15})\)")
_NAMED = re.compile(_PROPOSES + r"(?:the\s+)?([A-Z][\w+-]*(?:\.\d+)?(?:[ ](?:[A-Z][\w+-]*(?:\.\d+)?|\d+(?:\.\d+)?))*)")
_PREFIX = re.compile(r"^([^:]{2,40}):\s")
_WORKS = re.compile(
    r"\b(?:method|approach|system|framework|model|algorithm|pipeline|procedure|analysis|study|it)\s+(?:\w+ly\s+)?works?\s+(?:by|in|as|"
    r"through|with)\s+(.+)",
    re.DOTALL | re.IGNORECASE,
)
_BY = re.compile(r"\b(?:by|through)\s+((?:\w+ly\s+)?\w+ing\b.+)", re.DOTALL)
_CLAUSE = re.compile(
    r"\s*(?:;|:\s|,?\s+so that\b|,\s+(?:which|where|while|whereas|because|with|but|yet|after which|then)\b|,\s+and\s+(?:then|the|a|an|"
    r"new|this|it)\b)"
)
_SILENT = re.compile(r"^Not stated in the \w+( \w+)?\.$")
ANSWERED = 0.3
"""From this share of a limitation's weighted words on, a later paper is taken to address it."""
_NO_NAMES = frozenset({"a", "an", "the", "this", "we", "it", "in", "on", "our", "to"})


@dataclass(frozen=True)
class ChainPaper:
    """One paper of a chain. Fields are empty where the card says that the text does not state them."""

    title: str
    year: str
    background: str
    novelty: str
    contribution: str
    limitation: str
    entities: tuple[Entity, ...] = ()

    @property
    def cite(self) -> str:
        return f"{quote(self.title)} ({self.year})" if self.year else quote(self.title)

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.title, self.background, self.novelty, self.contribution) if part)

    @property
    def limitations(self) -> list[str]:
        """The sentences of the limitation, each without its full stop."""
        return distinct(without_full_stop(s) for s in sentences(self.limitation))

    @property
    def name(self) -> str:
        """The name the paper gives to its method, or nothing."""
        prefix = _PREFIX.match(self.title)
        if prefix and len(words(prefix.group(1))) <= 3 and any(c.isupper() for c in prefix.group(1)):
            return prefix.group(1).strip()
        text = f"{self.novelty} {self.contribution}"
        found = [match for pattern in (_NAMED, _ACRONYM) if (match := pattern.search(text))]
        named = [match for match in found if match.group(1).casefold() not in _NO_NAMES]
        return min(named, key=lambda match: match.start()).group(1) if named else ""

    @property
    def label(self) -> str:
        """What to call the paper's method in running text."""
        return self.name or f"the method of {quote(self.title, 14)}"

    @property
    def mechanism(self) -> str:
        """How the paper's method works, as a phrase that can follow ``by``; else its main entity; else nothing."""
        for pattern, text in ((_WORKS, self.contribution), (_BY, self.contribution), (_BY, self.novelty)):
            for sentence in sentences(text):
                if found := pattern.search(sentence):
                    return _phrase(found.group(1))
        return self.entities[0].with_description if self.entities else ""

    @property
    def how(self) -> str:
        """The mechanism in brackets with a space before it, or nothing; without the name where it begins with that."""
        rest = self.mechanism.removeprefix(f"{self.name} (")
        return f" ({rest}" if rest != self.mechanism else f" ({rest})" if rest else ""

    @property
    def short(self) -> str:
        """The name, else the title up to its colon, at most eight words."""
        return self.name or quote(self.title.partition(":")[0], 8)


def _phrase(text: str) -> str:
    """A clause cut where the sentence turns to something else, at most 30 words; a bracket left open is dropped."""
    kept = ""
    for piece in re.split(f"({_CLAUSE.pattern})", text):
        if len(words(kept)) >= 6 and _CLAUSE.fullmatch(piece):
            break
        kept += piece
    return _closed(_at_most(without_full_stop(kept), 30))


def _at_most(text: str, most: int) -> str:
    """The text cut at its last comma before word ``most``; the comma before the last part left becomes ``and``."""
    if len(text.split()) <= most:
        return text
    kept, comma, _ = " ".join(text.split()[:most]).rpartition(", ")
    if not comma:
        return clip(text, most + 4)
    head, comma, tail = kept.rpartition(", ")
    return kept if not comma or re.match(r"(?:and|or|such|for|then)\b", tail) else f"{head} and {tail}"


def _closed(text: str) -> str:
    """The text without a bracket that is opened and never closed."""
    return without_full_stop(text[: text.rfind("(")]) if text.count("(") > text.count(")") else text


def paper_of(values: Values, entities: Sequence[Entity] = ()) -> ChainPaper:
    """A paper from a card or a short card; ``entities`` of the whole chain are given to the papers that mention them."""
    fields = {key: _said(text_of(values, key)) for key in ("background", "novelty", "contribution", "limitation")}
    title = line_of(values, "title").replace('"', "'") or "an untitled paper"
    own = tuple(entities_of(values)) or tuple(
        e for e in entities if _mentions(f"{title} {fields['novelty']} {fields['contribution']}", e.name)
    )
    return ChainPaper(title=title, year=line_of(values, "year"), entities=own, **fields)


def chain_of(values: Values) -> list[ChainPaper]:
    """The papers of a chain, old to new, each with the entities of the chain that it mentions."""
    shared = entities_of(values)
    return [paper_of(item, shared) for item in mappings(values, "chain")]


def _said(text: str) -> str:
    return "" if _SILENT.match(text.strip()) or not words(text) else text


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def answered_by(limitation: str, newer: ChainPaper) -> float:
    """How far a later paper addresses a limitation: the share of its weighted words that the later paper uses (0 to 1).

    Distinctive words count only: a limitation that shares nothing but common words with the later paper is not answered by it.
    """
    mine, theirs = set(terms(limitation)), set(terms(newer.text))
    return share(limitation, newer.text) if total_weight(mine & theirs) > 2 else 0.0


def topic_phrase(topic: str, most: int = 8) -> str:
    """The topic as a short phrase."""
    return without_full_stop(topic) if 0 < len(words(topic)) <= most else " ".join(content_words(topic)[:most])


@dataclass(frozen=True)
class Gap:
    """A limitation with the paper that states it. ``place`` is the paper's place in the chain, from 0."""

    paper: ChainPaper
    place: int
    limitation: str
    answered: float

    @property
    def open(self) -> bool:
        return self.answered < ANSWERED

    @property
    def kind(self) -> LimitationKind:
        return kind_of(self.limitation)


@dataclass(frozen=True)
class IdeaPlan:
    """What an idea is made of: the gap in its own paper, a mechanism to add, and a second one as a check (or None)."""

    gap: Gap
    lender: ChainPaper | None
    check: ChainPaper | None


def gaps_of(chain: Sequence[ChainPaper], topic: str) -> list[Gap]:
    """All limitations: the open ones first, of these the newest papers', then those of a known kind, then those nearest to the topic."""
    found = [
        Gap(paper, place, limitation, max((answered_by(limitation, later) for later in chain[place + 1 :]), default=0.0))
        for place, paper in enumerate(chain)
        for limitation in paper.limitations
    ]
    return sorted(
        found,
        key=lambda gap: (
            not gap.open,
            -gap.place,
            gap.kind is OTHER,
            -round(share(gap.limitation, topic), 3),
            gap.limitation,
        ),
    )


def plans_of(chain: Sequence[ChainPaper], gaps: Sequence[Gap], direction: str) -> list[IdeaPlan]:
    """Combinations for the gaps, best first: a gap that the direction quotes, then the order of the gaps.

    The lending paper is the newest other one; a check comes from an older one. Further combinations follow for
    redrafts. A chain of one paper gives plans without a lender.
    """
    wanted = sorted(gaps, key=lambda gap: -_named_in(direction, gap))
    plans: list[IdeaPlan] = []
    for turn in range(3):
        for gap in wanted[:6]:
            others = [paper for place, paper in reversed(list(enumerate(chain))) if place != gap.place]
            lenders = [others[(turn + i) % len(others)] for i in range(len(others))]
            plan = IdeaPlan(gap, lenders[0] if lenders else None, lenders[-1] if len(lenders) > 1 else None)
            if plan not in plans:
                plans.append(plan)
    return plans


def _named_in(direction: str, gap: Gap) -> float:
    """How clearly the direction names a gap: most where it quotes it, the earlier the more; else by the share of its terms."""
    place = direction.find(gap.limitation)
    return 2.0 - place / (len(direction) + 1) if place >= 0 else round(share(gap.limitation, direction), 2)
