"""COI-2, COI-4, COI-5: papers for a place of a chain, and the verdicts on the first of
them."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.ranking import (
    ANCHOR_WEIGHTS,
    best_first,
    fused,
    matches_fully,
    ranks,
    unlinked,
)
from coi_tui.literature.title_match import match_title
from coi_tui.methods.base.labelled import ABSTRACT_WORDS, BatchJudge, bearing_on
from coi_tui.methods.base.reads import TOPIC, criteria, of_parents, reading, rules
from coi_tui.methods.base.task import MethodTask, by_id, gather_all, known, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi.growth import Place, best_of, bounds_of
from coi_tui.methods.coi.kinds import Kinships, PaperRelevance, Relevances, Rewrite
from coi_tui.methods.evidence.cards import short
from coi_tui.methods.evidence.reading_list import (
    LINKS_READ,
    LIST_READ,
    ReadingLinks,
    entry,
    placed_by,
)
from coi_tui.methods.evidence.searches import failed_by_name, search_once, search_record, whole_idea
from coi_tui.methods.services import Services
from coi_tui.model.address import cell_ref, split_ref
from coi_tui.model.content import CandidateList, CandidateRow, CandidateVerdict
from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import BY_TOPIC, Link, Paper, order_key, strictly_older
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values, count, digest, first_sentences
from coi_tui.services.sources.types import STARTER_LIBRARY, CitationList

# -- verdicts

TOGETHER, GRADED_TOGETHER = 3, 12
"""Candidates judged in one call, for a place, where the first that fits ends it, and for an anchor."""
GROWING = 4
"""Papers from which a chain can go on that are judged for an anchor besides the best."""
UNREAD = "The verdict could not be read; not taken."
REJECTED_PAPERS = of_parents("turned_down?=X#reasons", once=True)
"""Why papers were rejected in this session. It reaches the verdicts to come; what was judged before
stays judged."""
MOST_REJECTED, LONGEST_REASON = 12, 300
"""Rejected papers that a verdict is shown, the newest, and characters of each reason."""


def preferences(inputs: Inputs) -> Fields:
    """What the researcher prefers, for a verdict: the criteria in words, and the newest reasons for
    rejecting a paper."""
    newest = [
        {"title": item["title"], "reason": first_sentences(item["reason"], LONGEST_REASON)}
        for item in (inputs.one("turned_down") or [])[-MOST_REJECTED:]
    ]
    return {"criteria": list(rules(inputs).lines()), "turned_down": newest}


KINSHIP, RELEVANCE = (
    BatchJudge[PaperRelevance]("coi_relevances", schema, "candidates")
    for schema in (Kinships, Relevances)
)


async def graded(
    services: Services, about: Values, papers: Sequence[Paper], shown: Mapping[str, Values]
) -> tuple[dict[str, CandidateVerdict], Values]:
    """The verdicts on several papers by their ids, and the recipe: one call, and one more for those
    that it leaves out; a paper without a verdict then is passed over.

    ``about``: topic, criteria and the reasons for rejecting others; with a ``neighbour`` kinship
    with that is graded too. ``shown``: what else is shown of a paper. Raises ReplyError where no
    verdict can be read.
    """
    neighbour = about["neighbour"]
    near = [str(about["topic"]), *([neighbour["abstract"]] if neighbour else [])]
    judge = KINSHIP if neighbour else RELEVANCE
    found, recipe = await judge.ask(services, about, papers, near, shown)
    unread = {p.id: CandidateVerdict(paper=p.id, unread=True, reasoning=UNREAD) for p in papers}
    verdicts = {
        paper_id: CandidateVerdict(paper=paper_id, **reply.model_dump(exclude={"id"}))
        for paper_id, reply in found.items()
    }
    return {**unread, **verdicts}, recipe


class RelevanceTask(MethodTask):
    """Judges the first candidates together, at most ``TOGETHER`` in a call and ``judge_limit`` in
    all, until one fits; the best is taken.

    Each paper is judged once for a place: earlier verdicts count while topic, criteria and
    neighbour are the same.
    """

    name, prompts = "relevance", ("coi_relevances",)

    def reads(self, state: State, address: str) -> Reads:
        """The list of candidates with the verdicts of before, and the papers in other slots, which
        are not taken twice: that is checked when a result is committed."""
        slots, place = Chains.of(state).slots.items(), cell_ref(address).slot
        elsewhere = sorted(f"elsewhere?={at}#paper" for at, s in slots if s.paper and at != place)
        return reading(
            TOPIC,
            criteria,
            REJECTED_PAPERS,
            "entries?={slot}.cands#entries",
            "listed={slot}.cands#of",
            of_parents("verdicts?={cell}#verdicts", "about?={cell}#about"),
            of_parents(*elsewhere),
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        limit = bounds_of(state).judge_limit
        most, first = 2 * -(-limit // TOGETHER), min(limit, TOGETHER)
        prompt, reply = 800 + 250 * first, 60 * first
        return Cost("main", (1, most), (prompt, most * prompt), (reply, most * reply))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, papers = self.services(ctx), ctx.state.papers
        rows = CandidateList.from_stored({"entries": inputs.one("entries") or []}).entries
        free = _free(ctx.state, inputs, rows)
        tip = papers[inputs.one("listed")]
        about = _about(inputs, tip, inputs.at.pos)
        key = digest([about["topic"], about["criteria"], tip.id])
        verdicts = _earlier(inputs) if inputs.one("about") == key else {}
        waiting = [paper_id for paper_id in free if paper_id not in verdicts]
        citing = {row.paper: {"citing": row.citing} for row in rows}
        recipe: Values = {}
        while not (chosen := best_of(verdicts[p] for p in free if p in verdicts)) and waiting:
            judged, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
            made, recipe = await graded(services, about, [papers[p] for p in judged], citing)
            services.at()
            verdicts |= made
        content = {
            "verdicts": [verdicts[row.paper].model_dump() for row in rows if row.paper in verdicts],
            "chosen": chosen,
            "about": key,
            "turned_down": about["turned_down"],
        }
        return result(inputs, content, services.origin if recipe else "source", recipe)


def _free(state: State, inputs: Inputs, rows: Iterable[CandidateRow]) -> list[str]:
    """The papers that may be taken, as many as are judged at most."""
    barred = {p.id for _, p in inputs.all("elsewhere")}
    barred |= Chains.of(state).rejected(inputs.at.branch)
    free = [row.paper for row in rows if row.eligible and row.paper not in barred]
    return free[: bounds_of(state).judge_limit]


def _earlier(inputs: Inputs) -> dict[str, CandidateVerdict]:
    """The verdicts that were read before, by paper."""
    every = map(CandidateVerdict.from_stored, inputs.one("verdicts") or [])
    return {one.paper: one for one in every if not one.unread}


def _about(inputs: Inputs, tip: Paper, pos: int) -> Fields:
    """What a verdict is made with: topic and preferences, the paper at the chain's end with its
    text, the titles of all, and on which side it is to grow."""
    topic, own = inputs.one("topic"), f"{inputs.at.branch}/"
    chain = [p for name, p in inputs.all("elsewhere") if split_ref(name)[0].startswith(own)]
    return {
        "topic": topic,
        **preferences(inputs),
        "neighbour": {
            **short(tip),
            "abstract": bearing_on(tip.abstract or "", [topic], ABSTRACT_WORDS),
        },
        "side": "newer" if pos > 0 else "older",
        "line": [short(p) for p in sorted(chain, key=order_key) if p.id != tip.id],
    }


# -- the anchor

ANCHOR_HITS = 6
"""Papers that a search for an anchor asks for, and two more a branch."""
FROM_READING = 30
"""Papers of the reading list that may be an anchor whatever the question found: many of what the
search found cite them."""
ANCHOR_ORDER = (
    "by the grade for the topic; of one grade those first from which a chain can go on, then by fit: "
    "similarity to topic and question, the place in the reading list, and how many of the papers found "
    "cite them; what nobody judged comes after what fits"
)


class AnchorCandidates(MethodTask):
    """Searches the question, adds the first papers of the reading list, and has the best of them
    judged against the topic (COI-2).

    Other words are taken, at most ``anchor_tries`` times, while nothing readable, free and relevant
    is found. A paper that was not judged relevant is never proposed. Which papers chains have is
    looked at (an anchor is in no chain yet) but is no input for freshness.
    """

    name, prompts = "anchor candidates", ("coi_rewrite", "coi_relevances")

    def reads(self, state: State, address: str) -> Reads:
        """The question, and the papers of other branches, which must not be taken."""
        branch = cell_ref(address).branch
        others = (
            f"taken?={s.address}#paper"
            for b in state.branches_of("")
            if b != branch
            for s in Chains.of(state).filled(b)
        )
        return reading(
            TOPIC,
            criteria,
            "question=Q{branch}#text",
            REJECTED_PAPERS,
            of_parents(*others),
            LIST_READ,
            LINKS_READ,
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        bounds = bounds_of(state)
        tries = bounds.anchor_tries
        groups = math.ceil((bounds.judge_limit + GROWING) / GRADED_TOGETHER)
        # rewritings, and the groups judged a search, each once more for the papers that its answer
        # leaves out
        most = tries - 1 + 2 * groups * tries
        return Cost("main", (1, most), (1_600, 1_600 * most), (300, 300 * most), (1, tries))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, topic = self.services(ctx), inputs.one("topic")
        question = inputs.one("question")
        source, bounds = services.source(), bounds_of(ctx.state)
        search = AnchorSearch(services, inputs, ctx.state)
        if source.name == STARTER_LIBRARY:
            asked = dict.fromkeys((topic, question))
            nothing, *others = [await source.search(words, 1) for words in asked]
            note = nothing.lacking if all(one.lacking for one in others) else ""
            if note:  # the starter library has too little, so no other words are searched
                tried = {**search_record(nothing), "hits": 0, "total": 0, "note": note}
                content = {"entries": [], "tries": [tried], "note": note}
                return result(inputs, content, "source", {"source": nothing.source})
        tries: list[Fields] = []
        words = question
        for n in range(bounds.anchor_tries):
            if n:
                failed = [tried["query"] for tried in tries]
                values = {"topic": topic, "question": question, "failed": failed}
                words = (await services.ask("coi_rewrite", values, Rewrite)).value.query
                services.at()
            answer = await source.search(words, ANCHOR_HITS + 2 * bounds.branches)
            tries.append(search_record(answer))
            services.at()
            if await search.succeeds(answer.papers):
                break
        made = f"No paper was found in {count(len(tries), 'search', 'searches')}."
        content = {
            "entries": search.rows(),
            "tries": tries,
            "ranked": search.how,
            "order": ANCHOR_ORDER,
            "note": "" if search.found else made,
        }
        prompt = "coi_rewrite" if len(tries) > 1 else "coi_relevances"
        recipe = {"source": tries[-1]["source"], "prompt": prompt}
        return result(inputs, content, "source", recipe, search.found.values())


class AnchorSearch:
    """The papers found for one anchor, in their order, with the verdicts on those that fit best."""

    def __init__(self, services: Services, inputs: Inputs, state: State) -> None:
        self._services, self._bounds = services, bounds_of(state)
        self._topic, self._criteria = inputs.one("topic"), rules(inputs)
        self._query = f"{self._topic}\n{inputs.one('question')}"
        about: Fields = {"topic": self._topic, "neighbour": None, "side": "", "line": []}
        self._about = about | preferences(inputs)
        branch = inputs.at.branch
        self._taken = {p.id for _, p in inputs.all("taken")} | Chains.of(state).rejected(branch)
        self._taken |= {s.paper for s in Chains.of(state).filled(branch) if s.pos and s.paper}
        self._reading = ReadingLinks(inputs)
        self.found = by_id(known(state, self._reading.best[:FROM_READING]))
        self.how = ""
        self._verdicts: dict[str, CandidateVerdict] = {}
        self._ranked: list[tuple[float, Paper]] = []
        self._signals: dict[str, dict[str, int]] = {}

    async def succeeds(self, papers: Iterable[Paper]) -> bool:
        """Rank what was found with these papers as well, and have those graded that fit best, at
        most ``judge_limit`` and ``GROWING`` more from which a chain can go on; True
        when a free paper may be the anchor.

        All papers are in one order, by similarity to topic and question, by their place in the
        reading list and by how many of the papers found cite them.
        """
        self.found = by_id(papers) | self.found
        often = await self._rank()
        free = [
            p
            for _, p in self._ranked
            if p.abstract and p.id not in self._taken and not left_out(p, self._criteria)
        ]
        unjudged = [p for p in free if p.id not in self._verdicts]
        cited_by = {p: {"cited_by": number} for p, number in often.items()}
        groups = to_judge(unjudged, self._bounds.judge_limit)
        calls = (graded(self._services, self._about, group, cited_by) for group in groups)
        for made, _ in await gather_all(calls):
            self._verdicts |= made
        return any(self._grade(p) > 0 for p in free)

    async def _rank(self) -> dict[str, int]:
        """Put all that was found in order; how many of the papers found cite each."""
        similar = await self._services.similarity(self._query, self.found.values())
        self.how = similar.how
        often = {p: n for p, n in self._reading.cited_by.items() if p in similar.words}
        self._signals = similar.rankings() | self._reading.rankings(similar.words)
        self._signals |= {"citations": ranks(often)} if often else {}
        bare = unlinked(self.found.values(), self._reading.linked)
        order = best_first(similar.words, fused(self._signals, ANCHOR_WEIGHTS, bare))
        self._ranked = [(similar.words[p], self.found[p]) for p in order]
        return often

    def _grade(self, p: Paper) -> float:
        """The grade for the topic. Papers that nobody judged come after those that fit and before
        those that do not."""
        verdict = self._verdicts.get(p.id)
        return 0 if verdict is None or verdict.unread else verdict.topic or -1

    def rows(self) -> list[Fields]:
        """The rows of the list, best first."""
        rows = []
        ordered = sorted(
            self._ranked,
            key=lambda pair: (
                bool(left_out(pair[1], self._criteria)),
                -self._grade(pair[1]),
                not (pair[1].can_grow or matches_fully(self._topic, pair[1])),
            ),
        )
        for rank, (score, p) in enumerate(ordered, 1):
            more: Fields = {"ranks": placed_by(self._signals, p.id)}
            if verdict := self._verdicts.get(p.id):
                more |= verdict.model_dump(include={"topic", "reasoning", "unread"})
            rows.append(entry(p, score, self._criteria, rank=rank, fits=self._grade(p) > 0, **more))
        return rows


def to_judge(papers: Sequence[Paper], limit: int) -> list[Sequence[Paper]]:
    """The first of some papers and a few more from which a chain can go on, in groups of one
    call."""
    first = [*papers[:limit]]
    first += [p for p in [p for p in papers if p.can_grow][:GROWING] if p not in first]
    return [first[n : n + GRADED_TOGETHER] for n in range(0, len(first), GRADED_TOGETHER)]


# -- a successor or predecessor

COMPARED = 49
"""Papers of a list compared by vectors and by their references too, those first whose words are the
most similar: a list may have hundreds, and a run dozens. With the neighbour they are one request
for lists of references.
"""


LISTED = 20
"""Papers that are listed for a place, at most, and as many that the criteria leave out."""
PLACE_ORDER = (
    "what the card names, then what shares two references with the neighbour, then the rest; each by "
    "fit to topic and question (title, abstract and citing sentences), the place in the reading list "
    "and how often it is cited together with anchor and neighbour"
)
CITING, CITED = 100, 500
"""Rows of a citation list and of a reference list that are looked at; the list says so when it is
longer.

References must be seen whole to find the titles that a card names (COI-5)."""


@dataclass(eq=False)
class NeighbourCandidates(MethodTask):
    """Forward: papers that cite the head. Backward: papers that the tail cites, those that its card
    names first.

    Those that share two references with it come first. Ranked by similarity to the topic, by the
    reading list and by how often a candidate is cited together with anchor and tip. (The paper,
    arXiv 2410.13185, section 3.1, ranks by topic and the anchor's abstract, which drowns the
    topic.) A candidate that would break the order in time is not listed (COI-7); one without an
    abstract is listed but cannot be judged. Where the list is not available, papers of the reading
    list and of a search for tip and topic stand in for it, marked as such.

    ``ahead``: asks services what the list takes while the card is still read, and makes nothing.
    """

    ahead: bool = False
    name, size = "candidates", Cost(searches=(2, 4))

    def reads(self, state: State, address: str) -> Reads:
        """The ends of the chain. A predecessor also goes by the card of the chain's tail, a
        required input: its extracted titles, which may be none, go first (COI-5)."""
        at = cell_ref(address)
        tip = Place(at.branch, at.pos).tip
        of_card = f"card={tip}.card#problem", f"named?={tip}.card#references"
        return reading(
            TOPIC,
            criteria,
            of_parents("question?=Q{branch}#text"),
            "anchor={branch}/0#paper",
            f"tip={tip}#paper",
            LIST_READ,
            LINKS_READ,
            *(of_card if at.pos < 0 and not self.ahead else ()),
        )(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, tip, anchor = self.services(ctx), inputs.one("tip"), inputs.one("anchor")
        side = await _beside(services, inputs)
        services.at(1)
        similar = await services.similarity(
            f"{inputs.one('topic')}\n{inputs.one('question') or ''}",
            [_with_sentences(p, side.link(p.id)) for p in side.papers.values()],
            COMPARED,
        )
        scores = similar.words
        signals = similar.rankings() | ReadingLinks(inputs).rankings(scores, {anchor.id, tip.id})
        akin = await _akin(services, tip, side.papers.values(), scores)
        if self.ahead:
            return Result(())
        best = [p for p in best_first(scores, fused(signals)) if scores[p] or not side.unlisted]
        by_card = inputs.one("named") if inputs.at.pos < 0 else []
        order, named = side.ordered(sorted(best, key=lambda p: p not in akin), by_card or [])
        rows = [
            {**side.row(p, scores[p], rules(inputs), named), "ranks": placed_by(signals, p)}
            for p in order
        ]
        entries = _numbered(rows)
        content = {
            "entries": entries,
            "ranked": similar.how,
            "order": PLACE_ORDER,
            "source": side.listed.source or services.source().name,
            "of": tip.id,
            "withheld": side.listed.withheld,
            "total": side.listed.total,
            "looked_at": side.listed.rows_read,
            "note": side.note,
            "date": side.listed.asked_at or "",
            "left_out": sum("left_out" in row for row in rows),
        }
        papers = [side.papers[row["paper"]] for row in entries]
        return result(inputs, content, "source", {"source": content["source"]}, papers)


def _numbered(rows: Sequence[Fields]) -> list[Fields]:
    """The rows that are listed, with their ranks; what the criteria leave out takes no other
    paper's place."""
    outside = [row for row in rows if "left_out" in row]
    first = [row for row in rows if "left_out" not in row][:LISTED] + outside[:LISTED]
    return [{**row, "rank": n} for n, row in enumerate(first, 1)]


@dataclass(frozen=True)
class Beside:
    """The papers that may stand next to the end of a chain, by id: those of the source's list, or
    what stands in for it where the list is not available, with the reason (``unlisted``)."""

    listed: CitationList
    papers: Mapping[str, Paper]
    unlisted: str
    note: str

    @cached_property
    def _links(self) -> dict[str, Link]:
        return {end: link for link in self.listed.links for end in (link.citing, link.cited)}

    def link(self, paper: str) -> Link:
        """By what a paper is linked with the end of the chain."""
        kind = BY_TOPIC if self.unlisted else "cites"
        return self._links.get(paper) or Link(
            citing="", cited="", kind=kind, evidence=self.unlisted
        )

    def row(self, paper: str, score: float, asked: Criteria, named: Container[str]) -> Fields:
        """The row of a paper, which the card of the end may have ``named``."""
        link = self.link(paper)
        return entry(
            self.papers[paper],
            score,
            asked,
            by="named by the card" if paper in named else "likeness",
            link=link.kind,
            evidence=link.evidence,
            citing=list(link.contexts),
        )

    def ordered(
        self, papers: Sequence[str], titles: Iterable[str]
    ) -> tuple[list[str], Collection[str]]:
        """The papers with those first that a card names by their titles, and which these are;
        readable ones before those without an abstract, papers by a link that nobody checked after
        all others."""
        every = [self.papers[p] for p in papers]
        hits = [hit.id for title in titles if (hit := match_title(title, every, None))]
        named = {paper: n for n, paper in enumerate(dict.fromkeys(hits))}

        def place(p: str) -> tuple[bool, bool, int]:
            unchecked = self.link(p).kind == "cites, unconfirmed"
            return unchecked, not self.papers[p].abstract, named.get(p, len(named))

        return sorted(papers, key=place), named


async def _beside(services: Services, inputs: Inputs) -> Beside:
    """Papers that keep the order in time, of the list of the source; where that is not available of
    the reading list and of a search for tip and topic."""
    tip, anchor, forward = inputs.one("tip"), inputs.one("anchor"), inputs.at.pos > 0
    source = services.source(stage=0)
    listed = await (source.citations(tip, CITING) if forward else source.references(tip, CITED))
    note, papers = listed.note, listed.papers
    if unlisted := _unlisted(tip, listed):
        words = whole_idea({"title": tip.title, "final": inputs.one("topic")})
        found = await search_once(source, words, LISTED)
        note = "; ".join(filter(None, (unlisted, note, failed_by_name([found.row]))))
        near = (*known(services.ctx.state, ReadingLinks(inputs).best), *found.papers)
        papers = tuple(p for p in near if p.abstract)
    in_time = {
        p.id: p
        for p in papers
        if (strictly_older(tip, p) if forward else strictly_older(p, tip))
        and p.id not in (tip.id, anchor.id)
    }
    return Beside(listed, in_time, unlisted, note)


def _with_sentences(paper: Paper, link: Link) -> Paper:
    """A paper with the sentences of a citation beside its abstract: they say what it is cited for,
    and a paper may have no abstract."""
    return paper.model_copy(update={"abstract": "\n".join([paper.abstract or "", *link.contexts])})


def _unlisted(tip: Paper, listed: CitationList) -> str:
    """What is known of an empty list, in a clause; empty where the source has a list, or says that
    there is nothing to list."""
    cited = tip.citations.count if listed.direction == "citing" else None
    if listed.rows_read or cited == 0 or tip.known_links is not None:
        return ""
    if listed.withheld:
        return "the publisher withholds the list"
    return f"cited by {cited}, list not available" if cited else "list of papers not available"


async def _akin(
    services: Services, tip: Paper, papers: Iterable[Paper], similarity: Mapping[str, float]
) -> set[str]:
    """Which of the most similar papers share at least two references with the tip: one request;
    none where it fails."""
    first = sorted(papers, key=lambda p: (-similarity.get(p.id, 0.0), p.id))[:COMPARED]
    try:
        lists = (await services.source().reference_lists([tip, *first])).lists if first else {}
    except ServiceError:
        return set()
    own = set(lists.get(tip.id, ()))
    return {p.id for p in first if len(own.intersection(lists.get(p.id, ()))) > 1}
