"""Which sentences about earlier work stand on a passage of the session's papers (pure, without a model).

A sentence is held against every sentence of the titles, abstracts and cards of the papers, or of the one paper that it names. What counts
is how much of it, by the weight of its words, the best passage says too; rare words weigh more. ``benchmarks.support`` measures it and
found the floors.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from coi_tui.engine.declarations import CellKind
from coi_tui.export.bibliography import Bibliography, TitleIndex, normalise
from coi_tui.export.earlier_work import EarlierWork, sentence_spans, systems
from coi_tui.export.quoted_titles import named_in
from coi_tui.literature.citations import CitedPapers, citations_in
from coi_tui.literature.ranking import stems
from coi_tui.model.address import QUESTION, RECORDS, parse_address, ref
from coi_tui.model.content import CardContent, ReadPapers
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count

Status = Literal["supported", "unsupported", "unverified"]
WORDS: Mapping[Status, str] = {"supported": "supported", "unsupported": "UNSUPPORTED", "unverified": "UNVERIFIED"}
"""How each is told; unverified are the works that a sentence names."""

FLOOR = 0.43
"""The least share of a sentence's weight that its passage must say."""
FLOOR_NAMED = 0.34
"""The same where the sentence names the paper."""
FEW = 4
"""A sentence of fewer telling words says no more of a paper that it names than that it is there: it stands on the paper's title."""
_QUOTED = re.compile(r"“([^“”]+)”|\"([^\"]+)\"")
QUOTED_WORDS = 3
"""Words from which on a quotation that stands in a passage word for word is support enough."""

_CARD = ("problem", "move", "evidence", "limits", "method", "experiment")
_ABOUT = frozenset(
    stems("""
    earlier existing prior previous past recent current traditional conventional work works method methods approach approaches study studies
    paper papers research literature author authors show shows shown find finds found report reports reported propose proposes proposed
    introduce introduces introduced demonstrate demonstrates demonstrated argue argues claim claims says states named names field card
    base beside gap answer comparison researchers according known
    """)
)
"""Stems of the words that make a sentence one about earlier work: they say nothing of what the work says."""


class Passage(NamedTuple):
    """A sentence of what is known of a paper. ``where``: title, abstract or card."""

    paper: str
    where: str
    text: str
    words: frozenset[str]


@dataclass(frozen=True)
class Checked:
    """A sentence about earlier work: where it stands in its text, by which rule it is one, and the passage that supports it.

    Without a passage that reaches the floor it is unsupported; unverified where the only works that it names are unknown.
    """

    text: str
    start: int
    end: int
    why: str
    status: Status
    paper: str = ""
    passage: str = ""
    where: str = ""
    score: float = 0.0


@dataclass(frozen=True)
class _Naming:
    """What a sentence names: ``papers`` of the session; ``names_works``: a title or citation stands in it, ``only_titles``: no citation.

    ``bare`` is the sentence without these names.
    """

    papers: tuple[str, ...]
    names_works: bool
    only_titles: bool
    bare: str


def _with(checked: Checked, passage: Passage | None) -> Checked:
    """The same with the passage that supports it."""
    return checked if passage is None else replace(checked, paper=passage.paper, passage=passage.text, where=passage.where)


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a text, each with its stems."""
    return tuple((said, frozenset(stems(said))) for start, end in sentence_spans(text) for said in [text[start:end]])


class Evidence:
    """What the papers of a session say, ready to hold sentences against."""

    def __init__(
        self, papers: Mapping[str, Paper], cards: Mapping[str, Sequence[CardContent]] | None = None, own: frozenset[str] = frozenset(),
        known: Bibliography | None = None,
    ) -> None:  # fmt: skip
        """``own``: normalised texts that may be quoted and name no paper: topic, questions, titles of the session's ideas.

        ``known``: the same papers by titles and citations, where somebody has them already.
        """
        self.papers, self._own = papers, own
        self._kept: dict[str, tuple[Checked, ...]] = {}
        self._titles = known.titles if known is not None else TitleIndex(papers)
        self._cited = known.cited if known is not None else CitedPapers(papers)
        self._systems = systems(papers)
        self._rules = EarlierWork(self._systems)
        self._passages: dict[str, list[Passage]] = {}
        self._holding: dict[str, list[int]] = {}
        self._every: list[Passage] = []
        papers_with: Counter[str] = Counter()
        for paper_id in sorted(papers):
            found = _passages(papers[paper_id], (cards or {}).get(paper_id, ()))
            self._passages[paper_id] = found
            papers_with.update(frozenset().union(*(passage.words for passage in found)))
            for number, passage in enumerate(found, start=len(self._every)):
                self._every.append(passage)
                for word in passage.words:
                    self._holding.setdefault(word, []).append(number)
        self._unseen = math.log(1 + len(papers)) + 1
        self._weights = {word: math.log((1 + len(papers)) / (1 + n)) + 1 for word, n in papers_with.items()}

    def check(self, text: str) -> tuple[Checked, ...]:
        """The sentences of a text that are about earlier work, in order. What was checked once is kept."""
        if text not in self._kept:
            spans = ((text[start:end], start, end) for start, end in sentence_spans(text))
            self._kept[text] = tuple(found for span in spans if (found := self._checked(*span)) is not None)
        return self._kept[text]

    def _checked(self, said: str, start: int, end: int) -> Checked | None:
        naming = self._naming(said)
        why = self._rules.why(said, names_paper=naming.names_works)
        if not why:
            return None
        if naming.names_works and not naming.papers:
            passage = self._quoted(said, ()) if naming.only_titles else None  # words of a paper in quotation marks rather than a title
            status: Status = "supported" if passage is not None else "unverified"
            return _with(Checked(said, start, end, why, status, score=float(passage is not None)), passage)
        bare, floor = naming.bare, FLOOR_NAMED if naming.papers else FLOOR
        passage = self._quoted(bare, naming.papers)
        score, passage = (1.0, passage) if passage is not None else self.best(bare, naming.papers)
        if passage is None or score < floor:
            return Checked(said, start, end, why, "unsupported", score=score)
        return _with(Checked(said, start, end, why, "supported", score=score), passage)

    def _naming(self, said: str) -> _Naming:
        """Which works a sentence names: by title or citation, else the systems of papers."""
        titles = named_in(said, self._titles, self._own) if "“" in said or '"' in said else []
        cited = citations_in(said)
        found = [*map(self._titles.find, titles), *map(self._cited.find, cited)]
        papers = [paper for paper in found if paper is not None]
        systems_here = [] if papers else self._rules.systems_in(said)
        papers += [paper for name in systems_here for paper in self._systems[name]]
        bare = _without(said, [*titles, *(one.text for one in cited), *systems_here])
        return _Naming(tuple(dict.fromkeys(papers)), bool(found), bool(titles) and not cited, bare)

    def passages(self, papers: Iterable[str]) -> list[Passage]:
        """Everything that these papers are known to say."""
        return [passage for paper in papers for passage in self._passages[paper]]

    def best(self, said: str, named: Sequence[str] = ()) -> tuple[float, Passage | None]:
        """The passage that says most of a sentence, and how much of it (0 to 1): of the ``named`` papers, or of all.

        Of several named papers each may say its part: what their best passages say together counts.
        """
        words = frozenset(stems(said)) - _ABOUT
        if named and len(words) < FEW:
            return 1.0, next(iter(self.passages(named)), None)
        total = self._weight_of(words)
        if not total:
            return 0.0, None
        pools = [self._most(words, self._passages[paper]) for paper in named] if named else [self._most_of_all(words)]
        best = [found for found in pools if found is not None]
        said_by = frozenset().union(*(passage.words & words for passage in best))
        return self._weight_of(said_by) / total, self._most(words, best)

    def _most(self, words: frozenset[str], pool: Iterable[Passage]) -> Passage | None:
        """The passage that says most of some words; of equal ones that of an abstract."""
        scored = ((round(self._weight_of(words & passage.words), 9), passage.where == "abstract", passage) for passage in pool)
        return max(scored, key=lambda one: one[:2], default=(0.0, False, None))[2]

    def _most_of_all(self, words: frozenset[str]) -> Passage | None:
        """The same over every passage: the weights are summed from the words' lists, in the order in which ``_weight_of`` sums them."""
        scores: dict[int, float] = {}
        for word in sorted(words):
            weight = self._weight(word)
            for number in self._holding.get(word, ()):
                scores[number] = scores.get(number, 0) + weight
        scored = ((round(score, 9), self._every[number].where == "abstract", number) for number, score in scores.items())
        best = max(scored, key=lambda one: one[:2], default=None)
        return self._every[best[2]] if best is not None else None

    def _quoted(self, said: str, named: Sequence[str]) -> Passage | None:
        """The passage that holds the longest quotation of a sentence word for word."""
        quotes = [normalise(one or other) for one, other in _QUOTED.findall(said)]
        longest = max((quote for quote in quotes if len(quote.split()) >= QUOTED_WORDS), key=len, default="")
        if not longest:
            return None
        where = self.passages(named) if named else self._candidates(frozenset(stems(longest)))
        return next((passage for passage in where if f" {longest} " in f" {normalise(passage.text)} "), None)

    def _weight_of(self, words: Iterable[str]) -> float:
        return sum(self._weight(word) for word in sorted(words))

    def _weight(self, word: str) -> float:
        return self._weights.get(word, self._unseen)

    def _candidates(self, words: frozenset[str]) -> Iterable[Passage]:
        """Passages that hold one of the words, in a settled order."""
        return map(self._every.__getitem__, dict.fromkeys(n for word in sorted(words) for n in self._holding.get(word, ())))


def _passages(paper: Paper, cards: Sequence[CardContent]) -> list[Passage]:
    """What a paper is known to say, sentence by sentence, each once."""
    texts = [("title", paper.title), ("abstract", paper.abstract or "")]
    texts += [("card", getattr(card, name)) for card in cards for name in _CARD]
    found = {(where, said): words for where, text in texts for said, words in _sentences(text) or ((text, frozenset()),) if said}
    return [Passage(paper.id, where, said, words) for (where, said), words in found.items()]


def _without(said: str, names: Iterable[str]) -> str:
    """A sentence without the titles and citations in it: that a paper is named says nothing of what it says."""
    for name in names:
        said = said.replace(name, " ")
    return re.sub(r"\b(?:19|20)\d\d\b", " ", said)


NO_PROSE = ("title", "references", "pseudocode")
"""Fields whose text states nothing."""


def is_checked(kind: CellKind | None, address: str) -> bool:
    """Whether the text at an address is held against the papers: one of a branch that argues, no summary, list or question."""
    if kind is None or kind.content is None or not kind.editable or kind.role in ("summary", "question"):
        return False
    return bool(parse_address(address).branch) and any(field.form != "pairs" for field in kind.fields)


def checked_texts(state: State, kind: CellKind, address: str) -> list[str]:
    """The texts in use at an address that are held against the papers; an item of a list is one."""
    version = state.in_use(address)
    content = state.content(version, kind.content) if version is not None and kind.content is not None else None
    values = [getattr(content, field.name) for field in kind.fields if field.name not in NO_PROSE] if content is not None else []
    return [str(text) for value in values for text in (value if isinstance(value, list) else [value]) if text]


def own_words(state: State) -> frozenset[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of its own ideas."""
    found = set()
    for address in state.cells:
        if address == "topic" or parse_address(address).part == QUESTION:
            found.add(normalise(str(state.value(ref(address, "text")) or "")))
        elif address.endswith("/idea"):
            found.add(normalise(str(state.value(ref(address, "title")) or "")))
    return frozenset(found - {""})


def cards_of(state: State) -> dict[str, tuple[str, int]]:
    """The cards in use, those of papers read together among them: their papers and versions by their addresses (with the paper's id)."""
    found = {}
    for address in state.cells:
        paper = state.slot(address.removesuffix(".card")).paper if address.endswith(".card") else None
        version = state.in_use(address) if paper or address.endswith(f"/{RECORDS}") else None
        if version is not None and paper:
            found[address] = (paper, version.seq)
        elif version is not None:
            read = (row.paper for row in state.content(version, ReadPapers).papers if not row.unread)
            found |= {f"{address} {paper_id}": (paper_id, version.seq) for paper_id in read}
    return found


def evidence_of(state: State, known: Bibliography | None = None) -> Evidence:
    """What the papers of a session say: titles, abstracts, and the cards in use. ``known``: the session's papers, where they are known."""
    cards: dict[str, list[CardContent]] = {}
    for address, (paper, seq) in cards_of(state).items():
        version = state.versions[seq]
        together = state.content(version, ReadPapers).papers if " " in address else ()
        card = next((row for row in together if row.paper == paper), None) or state.content(version, CardContent)
        cards.setdefault(paper, []).append(card)
    return Evidence(state.papers, cards, own_words(state), known)


def counted(checked: Sequence[Checked]) -> str:
    """``7 sentences about earlier work: 4 supported, 2 UNSUPPORTED, 1 UNVERIFIED``; empty where there are none."""
    if not checked:
        return ""
    number = Counter(one.status for one in checked)
    told = [f"{number[status]} {word}" for status, word in WORDS.items() if number[status]]
    return f"{count(len(checked), 'sentence')} about earlier work: {', '.join(told)}"
