"""An invented literature: about 400 papers over twelve years, with citation links. Deterministic by
seed."""

import hashlib
import math
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tests.support.standins import invented_text

SIZE = 400
FIRST_YEAR = 2013
YEARS = 12
MAX_LAG = 3
"""Papers cite what is at most this many years older, so that a chain has room in both
directions."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One invented paper. ``references`` and ``citations`` are positions in the corpus."""

    number: int
    paper_id: str
    title: str
    abstract: str
    year: int
    date: str | None
    venue: str
    authors: tuple[str, ...]
    topic: str
    second_topic: str
    count: int = 0
    references: tuple[int, ...] = ()
    citations: tuple[int, ...] = ()

    @property
    def arxiv(self) -> str:
        """An id in arXiv's form that no real paper can have (the year 99)."""
        return f"99{self.number % 12 + 1:02d}.{self.number + 1:05d}"

    @property
    def corpus_id(self) -> int:
        return 990_000_001 + self.number

    @property
    def doi(self) -> str:
        return f"10.99999/standin.{self.number + 1:05d}"

    @property
    def terms(self) -> tuple[str, ...]:
        """The words of its topics, those of the first one twice."""
        return invented_text.TOPICS[self.topic] * 2 + invented_text.TOPICS[self.second_topic]


@dataclass(frozen=True)
class Corpus:
    """The papers and the look-ups over them."""

    papers: tuple[Paper, ...]
    by_id: dict[str, Paper] = field(default_factory=dict)
    by_title: dict[str, Paper] = field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, ...]:
        """Research topics that this literature covers well."""
        return tuple(invented_text.TOPICS)

    def find(self, ident: str) -> Paper | None:
        """A paper by any of the id forms."""
        return self.by_id.get(ident.strip().lower())

    def titled(self, title: str) -> Paper | None:
        """A paper by its title, case and punctuation aside."""
        return self.by_title.get(" ".join(invented_text.tokens(title)))

    def mentioned(self, text: str, near: int = 4000) -> Paper | None:
        """The paper whose title stands first in a text."""
        for part in (text[:near], text):
            found = [
                (at, -len(paper.title), paper)
                for paper in self.papers
                if (at := part.find(paper.title)) >= 0
            ]
            if found:
                return min(found, key=lambda hit: hit[:2])[2]
        return None

    def references(self, paper: Paper) -> list[Paper]:
        """What a paper cites, newest first."""
        return sorted((self.papers[n] for n in paper.references), key=lambda p: (-p.year, p.number))

    def citations(self, paper: Paper) -> list[Paper]:
        """What cites a paper, newest first."""
        return sorted((self.papers[n] for n in paper.citations), key=lambda p: (-p.year, p.number))


TOPIC_WORDS = {
    name: invented_text.tokens(" ".join([name, *terms]))
    for name, terms in invented_text.TOPICS.items()
}


UNKNOWN = 6
"""One name of so many has no id: the services do not know who it is."""


def number_of(name: str) -> int | None:
    """The number of an author, the same in every corpus; None for one whom the services do not
    know."""
    found = int.from_bytes(hashlib.sha256(f"author:{name}".encode()).digest()[:4], "big")
    return None if found % UNKNOWN == 0 else found


def topic_near(text: str, reach: int = 3000) -> str:
    """The topic that shares most words with the beginning of a text."""
    seen = set(invented_text.tokens(text[:reach]))
    return max(
        invented_text.TOPICS, key=lambda name: sum(word in seen for word in TOPIC_WORDS[name])
    )


@lru_cache(maxsize=4)
def make_corpus(seed: int = 7) -> Corpus:
    """Build the corpus of a seed."""
    rng = random.Random(f"corpus:{seed}:{SIZE}")
    papers = _bare_papers(rng, seed)
    links = [_cited_by(rng, paper, papers) for paper in papers]
    citing: list[list[int]] = [[] for _ in papers]
    for number, cited in enumerate(links):
        for target in cited:
            citing[target].append(number)
    finished = tuple(
        _linked(rng, paper, links[paper.number], citing[paper.number]) for paper in papers
    )
    return Corpus(
        finished,
        _id_table(finished),
        {" ".join(invented_text.tokens(p.title)): p for p in finished},
    )


def _bare_papers(rng: random.Random, seed: int) -> list[Paper]:
    """The papers without links, oldest first, topics in turn."""
    names, papers, used = list(invented_text.TOPICS), [], set[str]()
    for number in range(SIZE):
        topic, second = names[number % len(names)], rng.choice(names)
        terms = invented_text.TOPICS[topic] * 2 + invented_text.TOPICS[second]
        title = invented_text.title(rng, sorted(set(terms)))
        while " ".join(invented_text.tokens(title)) in used:
            title = invented_text.title(rng, sorted(set(terms)))
        used.add(" ".join(invented_text.tokens(title)))
        papers.append(_bare(rng, seed, number, title, topic, second))
    return papers


def _bare(rng: random.Random, seed: int, number: int, title: str, topic: str, second: str) -> Paper:
    year = FIRST_YEAR + number * YEARS // SIZE
    return Paper(
        number=number,
        paper_id=hashlib.sha1(f"standin:{seed}:{number}".encode()).hexdigest(),
        title=title,
        abstract=invented_text.prose_words(
            rng, invented_text.TOPICS[topic] * 2 + invented_text.TOPICS[second], 120, 180
        ),
        year=year,
        date=f"{year}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        if rng.random() < 0.9
        else None,
        venue=rng.choice(("", "Workshop on Stand-ins", "Journal of Invented Results", "arXiv.org")),
        authors=tuple(invented_text.person(rng) for _ in range(rng.randint(1, 5))),
        topic=topic,
        second_topic=second,
    )


def _cited_by(rng: random.Random, paper: Paper, papers: list[Paper]) -> tuple[int, ...]:
    """Five to fifteen strictly older papers, mostly of the same topics (none in the first year)."""
    older = [p for p in papers if paper.year - MAX_LAG <= p.year < paper.year]
    want = min(rng.randint(5, 15), len(older))
    keyed = sorted(older, key=lambda p: rng.random() ** (1 / _kinship(paper, p)), reverse=True)
    return tuple(sorted(p.number for p in keyed[:want]))


def _kinship(paper: Paper, other: Paper) -> float:
    """How likely a citation is: the weight of a draw without replacement."""
    if paper.topic == other.topic:
        return 8.0
    return 2.0 if paper.second_topic in (other.topic, other.second_topic) else 0.2


def _linked(rng: random.Random, paper: Paper, cited: tuple[int, ...], citing: list[int]) -> Paper:
    """The paper with its links and a count that is larger than the list and below the milestone of
    1,000."""
    count = (
        min(950, len(citing) * rng.randint(2, 25) + rng.randint(0, 5))
        if citing
        else rng.randint(0, 2)
    )
    return replace(paper, references=cited, citations=tuple(citing), count=count)


def _id_table(papers: tuple[Paper, ...]) -> dict[str, Paper]:
    """Every id form, lower case."""
    table: dict[str, Paper] = {}
    for paper in papers:
        forms = (
            paper.paper_id,
            f"corpusid:{paper.corpus_id}",
            f"arxiv:{paper.arxiv}",
            f"doi:{paper.doi}",
            paper.doi,
            f"url:https://arxiv.org/abs/{paper.arxiv}",
        )
        table.update(dict.fromkeys(forms, paper))
    return table


class SearchIndex:
    """Ranks papers by the words they share with a query: rare words and title words weigh more."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        counts = [Counter(invented_text.tokens(paper.abstract)) for paper in corpus.papers]
        spread = Counter(word for count in counts for word in count)
        self.postings: dict[str, list[tuple[int, float]]] = {}
        for paper, count in zip(corpus.papers, counts, strict=True):
            in_title = set(invented_text.tokens(paper.title))
            for word in sorted(in_title | set(count)):
                rarity = math.log(1 + len(counts) / (1 + spread[word]))
                weight = rarity * ((3.0 if word in in_title else 0.0) + min(count[word], 4) / 4)
                self.postings.setdefault(word, []).append((paper.number, weight * _central(paper)))

    def search(self, query: str) -> list[Paper]:
        """All papers that share a word, best first; a hyphenated word finds nothing, as in the real
        service."""
        if any("-" in word.strip("-") for word in query.split()):
            return []
        scores: dict[int, float] = {}
        for word in dict.fromkeys(invented_text.tokens(query)):
            for number, weight in self.postings.get(word, ()):
                scores[number] = scores.get(number, 0.0) + weight
        return [self.corpus.papers[n] for n in sorted(scores, key=lambda n: (-scores[n], n))]


def _central(paper: Paper) -> float:
    """Papers of the middle years rank higher: from them two links lead forward and two backward,
    whatever is chosen."""
    return 1.0 if MAX_LAG < paper.year - FIRST_YEAR < YEARS - 1 - MAX_LAG else 0.03


@lru_cache(maxsize=4)
def make_index(seed: int = 7) -> SearchIndex:
    """The search index over the corpus of a seed."""
    return SearchIndex(make_corpus(seed))
