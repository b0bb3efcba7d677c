"""COI-2, COI-4, COI-5: papers for a place of a chain, and the verdicts on the first of
them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.literature.citation_ranking import (
    ANCHOR_WEIGHTS,
    best_first,
    fused,
    influence,
    tied_ranks,
)
from coi_tui.literature.ranking import matches_fully
from coi_tui.methods.base.labelled import Labelled, ask_about_each
from coi_tui.methods.base.reads import (
    REJECTED_PAPERS,
    TOPIC,
    criteria,
    held_elsewhere,
    paper,
    preferences,
    rules,
)
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.coi.growth import Place, best_of, bounds_of
from coi_tui.methods.coi.kinds import (
    Kinships,
    PaperKinship,
    PaperRelevance,
    Relevances,
    Rewrite,
)
from coi_tui.methods.coi.tasks import CITED, CITING, CardTask
from coi_tui.methods.evidence.papers import read_paper, short
from coi_tui.methods.evidence.reading_list import (
    HITS,
    LINKS_READ,
    LIST_READ,
    ReadingLinks,
    entry,
    placed_by,
    search_record,
)
from coi_tui.methods.ideas.rivals import bearing_on
from coi_tui.model.address import CANDIDATES, SUMMARY, parse_address, ref, split_ref
from coi_tui.model.content import CandidateList, Verdict
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, order_key, strictly_older
from coi_tui.model.state import State
from coi_tui.model.text import clean_line, count, digest

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services
    from coi_tui.services.sources.types import SearchResult

# -- verdicts

TOGETHER = 3
"""Candidates judged in one call: more make long prompts, in which weak models lose track."""
LONGEST_ABSTRACT = 60
"""Words of an abstract that a verdict is shown."""
UNREAD = "The verdict could not be read; not taken."


async def graded(
    services: Services,
    about: Mapping[str, Any],
    papers: Sequence[Paper],
    known: Mapping[str, Mapping[str, Any]],
) -> tuple[dict[str, Verdict], Mapping[str, Any]]:
    """The verdicts on several papers by their ids, and the recipe: one call, and one more for those
    that it leaves out; a paper without a verdict then is passed over.

    ``about``: topic, criteria and the reasons for rejecting others; with a ``neighbour`` kinship
    with that is graded too. ``known``: what else is shown of a paper. Raises ReplyError where no
    verdict can be read.
    """
    neighbour = about["neighbour"]
    near = [str(about["topic"]), *([neighbour["abstract"]] if neighbour else [])]
    shown = {
        p.id: {
            "abstract": bearing_on(p.abstract or "", near, LONGEST_ABSTRACT),
            **known.get(p.id, {}),
        }
        for p in papers
    }
    ask = (services, "coi_relevances", about, "candidates", papers)
    found: Labelled[PaperKinship] | Labelled[PaperRelevance]
    if neighbour:
        found = await ask_about_each(*ask, Kinships, PaperKinship, shown)
    else:
        found = await ask_about_each(*ask, Relevances, PaperRelevance, shown)
    verdicts = {
        paper_id: Verdict(paper=paper_id, **reply.model_dump(exclude={"id"}))
        for paper_id, reply in found.verdicts.items()
    }
    unread = {p.id: Verdict(paper=p.id, unread=True, reasoning=UNREAD) for p in papers}
    return {**unread, **verdicts}, found.recipe


class RelevanceTask(MethodTask):
    """Judges the first candidates together, at most ``TOGETHER`` in a call and ``judge_limit`` in
    all, until one fits; the best is taken.

    Each paper is judged once for a place: the verdicts of an earlier run count on while topic,
    criteria and neighbour are the same. The paper taken is read ahead, while the verdicts of other
    places are still to come.
    """

    name, prompts = "relevance", ("coi_relevances",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The list of candidates with the verdicts of before, and the papers in other slots."""
        place = str(parse_address(address).slot)
        cands = f"{place}.{CANDIDATES}"
        return (
            TOPIC,
            *criteria(state),
            REJECTED_PAPERS,
            Read("entries", ref(cands, "entries"), optional=True),
            Read("listed", ref(cands, "of")),
            Read("verdicts", ref(address, "verdicts"), optional=True, parent=True),
            Read("about", ref(address, "about"), optional=True, parent=True),
            *held_elsewhere(state, place),
        )

    def cost(self, state: State, address: str) -> Cost:
        limit = bounds_of(state).judge_limit
        most, first = 2 * -(-limit // TOGETHER), min(limit, TOGETHER)
        prompt, reply = 800 + 250 * first, 60 * first
        return Cost("main", (1, most), (prompt, most * prompt), (reply, most * reply))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, at, papers = self.services(ctx), parse_address(inputs.address), ctx.state.papers
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(at.branch)
        rows = CandidateList.from_held({"entries": inputs.one("entries") or []}).entries
        free = [row.paper for row in rows if row.eligible and row.paper not in barred]
        free = free[: bounds_of(ctx.state).judge_limit]
        tip = papers[str(inputs.one("listed"))]
        about = _about(inputs, tip, at.pos)
        key = digest([about["topic"], about["criteria"], tip.id])
        before = (inputs.one("verdicts") or []) if inputs.one("about") == key else []
        verdicts = {one.paper: one for one in map(Verdict.from_held, before) if not one.unread}
        waiting = [paper_id for paper_id in free if paper_id not in verdicts]
        citing = {row.paper: {"citing": row.citing} for row in rows}
        recipe: Mapping[str, Any] = {}
        for n in range(0, len(waiting), TOGETHER):
            if best_of(verdicts[p] for p in free if p in verdicts):
                break
            services.at(n // TOGETHER)
            judged = [papers[p] for p in waiting[n : n + TOGETHER]]
            made, recipe = await graded(services, about, judged, citing)
            verdicts |= made
        chosen = best_of(verdicts[p] for p in free if p in verdicts)
        if chosen is not None:
            self._prepare(ctx, inputs, papers[chosen])
        content = {
            "verdicts": [verdicts[row.paper].model_dump() for row in rows if row.paper in verdicts],
            "chosen": chosen,
            "about": key,
            "turned_down": about["turned_down"],
        }
        return result(inputs, content, services.origin if recipe else "source", recipe)

    def _prepare(self, ctx: Context, inputs: Inputs, found: Paper) -> None:
        """Start reading the paper taken, and fetch what is chosen next to it; the steps find the
        replies stored."""
        card, address = CardTask(self._tools), f"{parse_address(inputs.address).slot}.{SUMMARY}"
        services = self.services(ctx.for_cell(address, card.name))
        ctx.ahead(read_paper(services, str(inputs.one("topic")), found))
        card.list_ahead(ctx, address, found)


def _about(inputs: Inputs, tip: Paper, pos: int) -> dict[str, Any]:
    """What a verdict is made with: topic and preferences, the paper at the chain's end with its
    text, the titles of all, and on which side it is to grow."""
    topic, own = str(inputs.one("topic")), f"{parse_address(inputs.address).branch}/"
    chain = [p for name, p in inputs.all("held") if split_ref(name)[0].startswith(own)]
    return {
        "topic": topic,
        **preferences(inputs),
        "neighbour": {
            **short(tip),
            "abstract": bearing_on(tip.abstract or "", [topic], LONGEST_ABSTRACT),
        },
        "side": "newer" if pos > 0 else "older",
        "line": [short(p) for p in sorted(chain, key=order_key)] if len(chain) > 1 else [],
    }


# -- the anchor

SPARE = 2
"""Relevant papers looked for beyond one for each branch, so that rejecting an anchor brings the
next at once."""
FROM_READING = 30
"""Papers of the reading list that may be an anchor whatever the question found: many of what the
search found cite them."""


class AnchorCandidates(MethodTask):
    """Searches the question, adds the first papers of the reading list, and has the best of them
    judged against the topic (COI-2).

    Other words are taken, at most ``anchor_tries`` times, while nothing readable, free and relevant
    is found. A paper that was not judged relevant is never proposed. Which papers chains hold is
    looked at (an anchor is in no chain yet) but is no input for freshness.
    """

    name, prompts = "anchor candidates", ("coi_rewrite", "coi_relevances")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The question, and what must not be taken: papers of other branches, what was tried."""
        branch = parse_address(address).branch
        others = [s for b in state.branches_of("") if b != branch for s in state.filled(b)]
        return (
            TOPIC,
            *criteria(state),
            Read("question", ref(f"Q{branch}", "text")),
            Read("tries", ref(address, "tries"), optional=True, parent=True),
            Read("entries", ref(address, "entries"), optional=True, parent=True),
            REJECTED_PAPERS,
            *(paper("taken", s.branch, s.pos, optional=True, parent=True) for s in others),
            LIST_READ,
            LINKS_READ,
        )

    def cost(self, state: State, address: str) -> Cost:
        tries = bounds_of(state).anchor_tries
        # rewritings, and two groups judged a search, each once more for the papers that its answer
        # leaves out
        most = tries - 1 + 4 * tries
        return Cost("main", (1, most), (1_600, 1_600 * most), (300, 300 * most), (1, tries))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        nothing = await services.lacking(str(inputs.one("topic")))
        search = AnchorSearch(services, inputs, ctx.state)
        if nothing is not None:
            # the starter library holds too little, so neither question nor other words are searched
            note, prompt = nothing.lacking, ""
            search.tries = [{**search_record(nothing), "hits": 0, "total": 0, "note": note}]
        else:
            await search.run()
            tries = count(len(search.tries), "search", "searches")
            note = "" if search.found else f"No paper was found in {tries}."
            prompt = "coi_rewrite" if len(search.tries) > 1 else "coi_relevances"
        content = {
            "entries": search.rows(),
            "tries": search.tries,
            "ranked": search.how,
            "note": note,
        }
        recipe = {"source": search.tries[-1]["source"], "prompt": prompt}
        return result(inputs, content, "source", recipe, search.found.values())


class AnchorSearch:
    """The searches for one anchor: the papers found, the tries so far, and the verdicts on the
    first papers."""

    def __init__(self, services: Services, inputs: Inputs, state: State) -> None:
        self._services, self._bounds = services, bounds_of(state)
        self._topic, self._question = str(inputs.one("topic")), str(inputs.one("question"))
        self._criteria, self._preferences = rules(inputs), preferences(inputs)
        branch = parse_address(inputs.address).branch
        self._taken = {p.id for _, p in inputs.all("taken")} | state.rejected(branch)
        # the searches of before count on where somebody took or rejected what they found
        again = bool(self._taken)
        self.tries: list[dict[str, Any]] = list(inputs.one("tries") or []) if again else []
        before = CandidateList.from_held({"entries": inputs.one("entries") or []}).entries
        listed = [row for row in before if again and row.paper in state.papers]
        self._taken |= {s.paper for s in state.filled(branch) if s.pos and s.paper}
        self._reading = ReadingLinks(inputs)
        first = self._reading.best[:FROM_READING]
        self.found = {
            p: state.papers[p]
            for p in (*first, *(row.paper for row in listed))
            if p in state.papers
        }
        self._verdicts = {
            row.paper: Verdict(paper=row.paper, topic=row.topic, reasoning=row.reasoning)
            for row in listed
            if row.reasoning
        }
        self.how = ""
        self._ranked: list[tuple[float, Paper]] = []
        self._signals: dict[str, dict[str, int]] = {}

    async def run(self) -> None:
        """Search, judge the best papers, and take other words again, until a paper may be the
        anchor or the tries are used up.

        Where the list of the searches before has a paper that is free, nothing more is searched.
        """
        if self.tries and await self._succeeds(0):
            return
        for n in range(self._bounds.anchor_tries):
            words = await self._rewrite() if self.tries else self._question
            self._services.at(2 * n)
            answer = await self._search(words)
            self.tries.append(search_record(answer))
            self.found = {p.id: p for p in answer.papers} | self.found
            if await self._succeeds(2 * n + 1) or len(self.tries) >= self._bounds.anchor_tries:
                return

    async def _rewrite(self) -> str:
        failed = [tried["query"] for tried in self.tries]
        values = {"topic": self._topic, "question": self._question, "failed": failed}
        return (await self._services.ask("coi_rewrite", values, Rewrite)).value.query

    async def _search(self, words: str) -> SearchResult:
        """The first papers that the source finds. The topic itself was searched for the reading
        list: the same request is sent once."""
        source, most = self._services.source(), self._bounds.anchor_hits + 2 * self._bounds.branches
        if clean_line(words) != clean_line(self._topic):
            return await source.search(words, most)
        found = await source.search(self._topic, max(HITS, most))
        return found.model_copy(update={"query": words, "papers": found.papers[:most]})

    async def _succeeds(self, stage: int) -> bool:
        """Rank what was found and judge the best; True when a free paper among it may be the
        anchor."""
        await self._rank()
        self._services.at(stage)
        await self._judge_best()
        return any(map(self._fits, self._free()))

    async def _rank(self) -> None:
        """All papers found so far in one order: the place in the reading list, and similarity to
        topic and question.

        Papers that others found cite go first: from those a chain can go on. So does one that
        matches the topic fully.
        """
        query = f"{self._topic}\n{self._question}"
        similar = await self._services.similarity(query, list(self.found.values()))
        self.how = similar.how
        self._signals = similar.rankings() | self._reading.rankings(similar.words)
        order = best_first(similar.words, fused(self._signals, ANCHOR_WEIGHTS))
        papers = sorted(
            (self.found[paper_id] for paper_id in order),
            key=lambda p: (
                bool(left_out(p, self._criteria)),
                not (p.can_grow or matches_fully(self._topic, p)),
                p.id not in self._reading.cited_by,
            ),
        )
        self._ranked = [(similar.words[p.id], p) for p in papers]

    async def _judge_best(self) -> None:
        """Verdicts on the best papers, in one call, until more fit than there are branches: others
        may take the first ones."""
        wanted, most = self._bounds.branches + SPARE, self._bounds.judge_limit
        about = {"topic": self._topic, **self._preferences}
        about |= {"neighbour": None, "side": "", "line": []}
        unfit = {paper_id for paper_id, verdict in self._verdicts.items() if not verdict.topic}
        cited_by = {p: {"cited_by": number} for p, number in self._reading.cited_by.items()}
        for until in sorted({min(wanted, most), most}):
            # those that a search before found unfit take nobody's place
            free = [p for p in self._free() if p.id not in unfit][:until]
            if sum(map(self._fits, free)) >= wanted:
                return
            if unjudged := [p for p in free if p.id not in self._verdicts]:
                judged, _ = await graded(self._services, about, unjudged, cited_by)
                self._verdicts |= judged

    def _free(self) -> list[Paper]:
        """Papers that may become the anchor, best first: they can be read, no other branch has
        them, no criterion leaves them out."""
        return [
            p
            for _, p in self._ranked
            if p.abstract and p.id not in self._taken and not left_out(p, self._criteria)
        ]

    def _fits(self, p: Paper) -> bool:
        return p.id in self._verdicts and self._verdicts[p.id].topic > 0

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the list, best first."""
        rows = []
        for rank, (score, p) in enumerate(self._ranked, start=1):
            more: dict[str, Any] = {"rank": rank, "fits": self._fits(p)}
            more["ranks"] = placed_by(self._signals, p.id)
            if verdict := self._verdicts.get(p.id):
                more |= {"topic": verdict.topic, "reasoning": verdict.reasoning}
            rows.append(entry(p, score, self._criteria, **more))
        return rows


# -- a successor or predecessor

COMPARED = 49
"""Papers of a list compared by vectors and by their references too, those first whose words are the
most similar: a list may have hundreds, and a run dozens. With the neighbour they are one request
for lists of references.
"""


class NeighbourCandidates(MethodTask):
    """Forward: papers that cite the head. Backward: papers that the tail cites, those that its card
    names first.

    Those that share two references with it come first. Ranked by similarity to the topic, by the
    reading list and by how often a candidate is cited together with anchor and tip. (The paper,
    arXiv 2410.13185, section 3.1, ranks by topic and the anchor's abstract, which drowns the
    topic.) A candidate that would break the order in time is not listed (COI-7); one without an
    abstract is listed but cannot be judged.
    """

    name = "candidates"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The ends of the chain. A predecessor also goes by the card of the chain's tail, a
        required input: its extracted titles, which may be none, go first (COI-5)."""
        at = parse_address(address)
        inner = Place(at.branch, at.pos).tip_pos
        card = f"{Place(at.branch, at.pos).tip}.{SUMMARY}"
        of_card = (
            Read("card", ref(card, "problem")),
            Read("named", ref(card, "references"), optional=True),
        )
        return (
            TOPIC,
            *criteria(state),
            paper("anchor", at.branch, 0),
            paper("tip", at.branch, inner),
            LIST_READ,
            LINKS_READ,
            *(of_card if at.pos < 0 else ()),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(2, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, forward = self.services(ctx), parse_address(inputs.address).pos > 0
        tip, anchor, asked = inputs.one("tip"), inputs.one("anchor"), rules(inputs)
        source = services.source(stage=0)
        listed = await (source.citations(tip, CITING) if forward else source.references(tip, CITED))
        fitting = {
            p.id: p
            for p in listed.papers
            if p.id not in (tip.id, anchor.id)
            and (strictly_older(tip, p) if forward else strictly_older(p, tip))
        }
        services.at(1)
        similar = await services.similarity(
            str(inputs.one("topic")), list(fitting.values()), COMPARED
        )
        scores = similar.words
        links = {end: link for link in listed.links for end in (link.citing, link.cited)}
        influences = tied_ranks({p: influence(links[p]) for p in scores if p in links})
        signals = similar.rankings() | ReadingLinks(inputs).rankings(scores, {anchor.id, tip.id})
        signals |= {"influence": influences} if influences else {}
        akin = await _akin(services, tip, fitting.values(), scores)
        order = sorted(best_first(scores, fused(signals)), key=lambda p: p not in akin)
        titles: list[str] = [] if forward else list(inputs.one("named") or [])
        named = _named_papers(titles, [fitting[p] for p in order])
        rows = []
        for paper_id in order:
            link = links.get(paper_id)
            more: dict[str, Any] = {"by": "named by the card" if paper_id in named else "likeness"}
            more |= (
                {"link": "cites", "evidence": ""}
                if link is None
                else {
                    "link": link.kind,
                    "evidence": link.evidence,
                    "citing": list(link.contexts),
                }
            )
            more["ranks"] = placed_by(signals, paper_id)
            rows.append(entry(fitting[paper_id], scores[paper_id], asked, **more))
        # papers that the card names go first, readable ones before those without an abstract,
        # papers by a link that nobody checked after all others
        rows.sort(
            key=lambda row: (
                row["link"] == "cites, unconfirmed",
                not row["readable"],
                named.index(row["paper"]) if row["paper"] in named else len(named),
            )
        )
        # what the criteria leave out takes no other paper's place
        inside, outside = (
            [row for row in rows if ("left_out" in row) is out] for out in (False, True)
        )
        most = bounds_of(ctx.state).candidates
        entries = [
            {**row, "rank": n} for n, row in enumerate([*inside[:most], *outside[:most]], start=1)
        ]
        content = {
            "entries": entries,
            "ranked": similar.how,
            "source": listed.source or source.name,
            "of": tip.id,
            "withheld": listed.withheld,
            "total": listed.total,
            "looked_at": listed.rows_read,
            "note": listed.note,
            "date": listed.asked_at or "",
            "left_out": len(outside),
        }
        papers = [fitting[row["paper"]] for row in entries]
        return result(inputs, content, "source", {"source": content["source"]}, papers)


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


def _named_papers(titles: Iterable[str], papers: list[Paper]) -> list[str]:
    """The papers that a card names by their titles, in its order, each once."""
    from coi_tui.literature.title_match import match_title

    hits = (match_title(title, papers, None).paper for title in titles)
    return list(dict.fromkeys(hit.id for hit in hits if hit is not None))
