"""What is new since the person looked: who cites the papers of the session's chains, and what its
questions and the queries of its novelty reports find now; in the order of the reading list, each with
what it has to do with what the person has. And the row of a look, with the keys that take a paper
further. No model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.engine.verb import Target, Verb, VerbArgs
from coi_tui.literature.paper_records import merged_records
from coi_tui.literature.ranking import NEAREST, best_first, content_words, fused, ranks
from coi_tui.methods.base.cell_table import OF_LIST, stored
from coi_tui.methods.base.reads import TOPIC, criteria, of_parents, rules
from coi_tui.methods.base.task import MethodTask, by_id, known, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.reading_list import with_references
from coi_tui.methods.evidence.searches import Searched, failed_by_name, search_once
from coi_tui.methods.ideas.kinds import paper_change
from coi_tui.methods.services import Services
from coi_tui.model.address import NEWS, READING, Branch, as_branch, cell_at, question_of, ref, slot
from coi_tui.model.content import IdeaContent, NewPaper, NewsContent, NoveltyReport, NoveltySearch
from coi_tui.model.criteria import left_out
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    RowChange,
    RowKey,
    Table,
    TableRow,
    bulleted,
)
from coi_tui.model.entries import Decision
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import Component, State
from coi_tui.model.text import clipped, count, listed, sentences
from coi_tui.process import run_in_thread
from coi_tui.services.sources.types import STARTER_LIBRARY, Source

SHOWN = 10
FOLLOWED = 12
"""Papers whose citing papers are looked at, and queries, at most."""
CITING, HITS = 100, 20
"""Papers that are asked for of each list and of each search."""
RANKED = 100
"""New papers whose references are asked for, those first whose words fit best: two requests."""
BACKED = 2
"""A paper that cites so many of the session's is in its field whatever its words."""
LATE = timedelta(days=365)
"""A paper may come into an index so long after it was published."""
LEAST_WORDS, LEAST_SHARE = 3, 0.3
"""Words, and the share of a claim's words, that a sentence has in common with a claim it touches."""
MOST_SAID = 3
"""Sentences of one sort about a paper, at most."""
OFFLINE = "Only the starter library and your imported papers were looked through."


class Seen(Component):
    """Up to where a person has seen what is new: the last look that they have seen (the number of its
    version, 0 for none), the day up to which everything was looked for, and the papers that were
    found until then."""

    version, until = 0, ""
    found: frozenset[str] = frozenset()

    def see(self, d: Decision) -> str | None:
        """What a look found is not new any more. The day moves on only where everything was looked
        for."""
        look = self.state.versions.get(int(d.value["version"]))
        if look is None or look.address != d.address:
            return "that look is not there"
        news = self.state.content(look, NewsContent)
        self.version, self.found = look.seq, self.found | {*news.found}
        self.until = news.until if news.complete else self.until
        return None

    def steered(self) -> object:
        return self.version, self.until, self.found

    folds = MappingProxyType({"seen": see})


# -- what the session has


class Followed(NamedTuple):
    """A paper whose citing papers are looked at, or a query. ``what``: what it is in the session;
    ``place``: the place after the paper's own in its chain."""

    what: str
    paper: Paper | None = None
    query: str = ""
    place: str = ""


def followed(state: State) -> list[Followed]:
    """The newest paper of each chain, the anchors, then the others; the session's questions (its
    topic where there are none), then the queries of its novelty reports, of each the first first."""
    chains, branches = Chains.of(state), [b for b in state.branches if b not in state.parked]
    places = sorted(
        ((b, pos) for b in branches for pos in chains.chain(b)),
        key=lambda at: (at[1] != chains.chain(at[0])[-1], at[1] != 0, -at[1]),
    )
    papers = [
        Followed(
            f"{slot(b, pos)} of your chain" if pos else f"your anchor {slot(b, 0)}",
            chains.paper_in(slot(b, pos)),
            place=slot(b, pos + 1),
        )
        for b, pos in places
    ]
    asked = [
        Followed(f"your question {question_of(b)}", query=str(text))
        for b in branches
        if (text := state.value(ref(question_of(b), "text")))
    ] or [Followed("your topic", query=str(state.value("topic#text")))]
    searches = [(b, stored(state, cell_at(b, "nov"), NoveltyReport).searches) for b in branches]
    asked += [
        Followed(f"a query of {b}/nov", query=one.query)
        for n in range(FOLLOWED)
        for b, those in searches
        for one in those[n : n + 1]
    ]
    return papers[:FOLLOWED] + [*{one.query: one for one in asked}.values()][:FOLLOWED]


def held(state: State) -> set[str]:
    """The papers that the session has anywhere but among its news: in chains and lists, in reports,
    on the shelf."""
    found = {*state.held_papers().values(), *(one.paper for one in Chains.of(state).shelf)}
    for version in (state.in_use(address) for address in state.cells if address != NEWS):
        rows = version.content.values() if version is not None else ()
        for row in chain.from_iterable(one for one in rows if isinstance(one, list)):
            found.add(str(row.get("paper") if isinstance(row, dict) else row))
    return state.papers.keys() & found


def touched(state: State, paper: Paper) -> Iterator[tuple[Branch, str]]:
    """The ideas whose claims a paper touches, each with the claim and the words in common."""
    every = [(one, content_words(one)) for one in (paper.title, *sentences(paper.abstract or ""))]
    for b in state.ideas():
        for n, claim in enumerate(stored(state, cell_at(b, "nov"), NoveltyReport).claims, 1):
            roots = content_words(claim.text)
            one, words = max(every, key=lambda pair: len(roots.keys() & pair[1].keys()))
            common = [words[root] for root in roots if root in words]
            if len(common) >= max(LEAST_WORDS, LEAST_SHARE * len(roots)):
                both = f"both say {listed(common)}"
                yield b, f"touches claim {n} of {b}/idea ({both}): “{clipped(one)}”"


def since(state: State) -> str:
    """The day from which a paper counts as new: that of the last look that the person has seen, else
    that on which the session began."""
    first = state.cell("topic").versions[0]
    return Seen.of(state).until or state.versions[first].time[:10]


def is_new(paper: Paper, day: str) -> bool:
    """Whether a paper was published on a day or later, as far as its date is known. One with a year
    alone counts as of its middle."""
    when = paper.when + "-07" * (len(paper.when) == 4)
    return bool(when) and when >= day[: len(when)]


# -- the look


Answer = tuple[Searched, Mapping[str, Link]]


async def ask(source: Source, one: Followed) -> Answer:
    """The papers that a query finds, or that cite a paper, with the links by their ids; and its
    outcome."""
    if one.paper is None:
        return await search_once(source, one.query, HITS, 1), {}
    row = NoveltySearch(query=f"papers that cite {one.paper.short()}", source=source.name)
    try:
        found = await source.citations(one.paper, CITING)
    except ServiceError as error:
        failed = {"outcome": "failed", "note": error.message}
        return Searched(row.model_copy(update=failed), error=error), {}
    links = {link.citing: link for link in found.links if link.kind == "cites"}
    answer = {"date": found.asked_at or "", "hits": len(links), "source": found.source}
    papers = tuple(p for p in found.papers if p.id in links)
    return Searched(row.model_copy(update=answer), papers), links


async def _unseen(
    state: State, answers: Sequence[Answer], day: str, before: str
) -> tuple[list[Paper], list[str]]:
    """The papers that are new since a day and that the person has not seen; and the ids of all that
    were found. A list of citing papers is read whole, so that what it did not name at the look
    before is there since: such a paper may be older, but not than ``before``."""
    seen = Seen.of(state)
    mine = known(state, held(state) | seen.found)
    found = [paper for answer, _ in answers for paper in answer.papers]
    merged = await run_in_thread(merged_records, [*mine, *found], compared=len(mine))
    fresh = [p for p, records in merged if min(records) >= len(mine) and p.id not in seen.found]
    late = {p for _, links in answers for p in links if seen.version}
    new = [p for p in fresh if is_new(p, before if p.id in late else day)]
    return new, sorted({paper.id for paper in found})


class NewsTask(MethodTask):
    """Each look asks everything anew; one that was cut off goes on with the answers of the same day.
    It fails where nobody could be asked."""

    name = "new papers"

    def reads(self, state: State, address: str) -> Reads:
        """A look is of its day: nothing of this makes it stale."""
        questions = (f"followed?={question_of(b)}#text" for b in state.branches)
        papers = (f"followed?={at}#paper" for at in state.held_papers())
        return of_parents(TOPIC, criteria, *questions, *papers, once=True)(state, address)

    def cost(self, state: State, address: str) -> Cost:
        asked = len(followed(state))
        return Cost(searches=(asked, 2 * asked + 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        state, today = ctx.state, ctx.recorder.journal.clock()[:10]
        # what was answered to an earlier look, or on another day, is asked again
        ctx.again = ctx.again * 10**8 + int(today.replace("-", ""))
        services, asked, day = self.services(ctx), followed(state), since(state)
        before = (date.fromisoformat(day) - LATE).isoformat()
        source = services.source().published_since(before)
        answers = await asyncio.gather(*(ask(source, one) for one in asked))
        rows = [answer.row for answer, _ in answers]
        errors = [answer.error for answer, _ in answers if answer.error is not None]
        if len(errors) == len(answers):
            raise errors[0]
        new, found = await _unseen(state, answers, day, before)
        rule = rules(inputs)
        wanted = {p.id: p for p in new if not left_out(p, rule)}
        services.at(1)
        order, cited = await _ranked(services, source, state, wanted)
        asks = list(zip(asked, answers, strict=True))
        entries = [_entry(state, wanted[p], cited[p], asks) for p in order[:SHOWN]]
        notes = [OFFLINE] if STARTER_LIBRARY in source.name else []
        if cut := state.settings.get("known_until"):
            notes.append(f"This session knows nothing that was published after {cut}.")
        content = NewsContent(
            entries=entries,
            since=day,
            until=min([row.date for row in rows if row.date] or [today]),
            more=len(order) - len(entries),
            off_field=len(wanted) - len(order),
            left_out=len(new) - len(wanted),
            searches=rows,
            found=found,
            complete=not errors,
            note=" ".join(filter(None, (*notes, failed_by_name(rows)))),
        )
        return result(
            inputs, content.model_dump(), "source", papers=map(wanted.__getitem__, order[:SHOWN])
        )


def _entry(
    state: State, paper: Paper, cited: Sequence[str], asks: Sequence[tuple[Followed, Answer]]
) -> NewPaper:
    """A new paper with what it has to do with what the person has: what it cites and says of it, the
    claims that it touches, else what found it. ``cited``: what it cites of the session's papers."""
    links = [(one, links[paper.id]) for one, (_, links) in asks if paper.id in links]
    claims = list(touched(state, paper))
    said = [
        # what it cites, with what it says of that where it is known
        f"cites {one.what}" + "".join(f"; says of it: “{text}”" for text in link.contexts[:1])
        for one, link in links[:MOST_SAID]
    ]
    said += (one for _, one in claims[:MOST_SAID])
    cites = {link.cited: link.evidence for _, link in links}
    if others := [state.papers[p].title for p in cited if p not in cites]:
        more = count(len(others), "other paper" if cites else "paper")
        said.append(f"cites {more} that you have, such as “{others[0]}”")
    return NewPaper(
        paper=paper.id,
        says=said or [_found_by(paper, asks)],
        cites=cites,
        place=next((one.place for one, _ in links), ""),
        idea=next((str(branch) for branch, _ in claims), ""),
    )


def _found_by(paper: Paper, asks: Sequence[tuple[Followed, Answer]]) -> str:
    """What found a paper that cites nothing and touches no claim."""
    return f"found by {listed([one.what for one, (hits, _) in asks if paper.id in {hit.id for hit in hits.papers}])}"


async def _ranked(
    services: Services, source: Source, state: State, new: Mapping[str, Paper]
) -> tuple[list[str], Mapping[str, Sequence[str]]]:
    """The new papers that are in the field, the best first, by the rule of the reading list: by fit
    to topic and ideas (questions where there are none), and by what they cite of the session's
    papers, each counted by its own fit. And what each cites of these, what fits best first.

    In the field is what is among the hundred papers that fit best, the session's own with them, or
    cites at least two of these.
    """
    ideas = [stored(state, cell_at(b, "idea"), IdeaContent).final for b in state.ideas()]
    texts = ideas or [one.query for one in followed(state)]
    mine = by_id(known(state, held(state)))
    similar = await services.similarity(
        "\n".join((str(state.value("topic#text")), *texts)), [*{**mine, **new}.values()]
    )
    near = [p for p in similar.nearest(len(similar.words)) if p in new]
    lists = (await with_references(services, [new[p] for p in near[:RANKED]], source, 0)).lists
    cited = {p: best_first(mine.keys() & lists.get(p, ()), similar.words) for p in near}
    backing = {p: sum(map(similar.words.__getitem__, cited[p])) for p in near}
    scores = (("similarity", similar.words), ("sentence vectors", similar.vectors))
    signals = {
        signal: ranks({p: by[p] for p in by.keys() & new.keys()})
        for signal, by in (*scores, ("citations", backing))
    }
    field = similar.fitting(NEAREST) | {p for p in near if len(cited[p]) >= BACKED}
    return best_first(field.intersection(near), fused(signals)), cited


# -- the row


class News(NamedTuple):
    """The last look: its papers with what is said of each, and its line. ``seen``: the person has
    seen it."""

    content: NewsContent
    papers: Sequence[tuple[NewPaper, Paper]] = ()
    seen: bool = False
    line: str = "nobody has looked yet"


def news_of(state: State) -> News:
    """The look in use."""
    version, content = state.in_use(NEWS), stored(state, NEWS, NewsContent)
    if version is None:
        return News(content)
    seen = version.seq <= Seen.of(state).version
    papers = [(e, state.papers[e.paper]) for e in content.entries if e.paper in state.papers]
    line = f"{count(len(papers) + content.more, 'new paper')} since {content.since}"
    if seen or not papers:
        what = "seen" if seen else f"nothing new since {content.since}"
        line = f"{what}, as of {content.until}"
    line += "" if content.complete else "; not everything could be looked for"
    return News(content, papers, seen, line)


def _document(state: State, address: str) -> Iterator[Block]:
    """The papers, the best first, with what each has to do with what there is; then what was only
    counted, and what was looked for."""
    content, papers, _, line = news_of(state)
    rows = (
        TableRow((str(n), p.when or "????", p.title), p.id, (Bullets(tuple(e.says)),), p.id)
        for n, (e, p) in enumerate(papers, 1)
    )
    yield Paragraph(f"{line[:1].upper()}{line[1:]}.")
    if papers:
        yield Table(("", "date", "title"), tuple(rows))
    parts = (
        (content.more, "that rank lower"),
        (content.off_field, "not in the field"),
        (content.left_out, "left out by your criteria"),
    )
    if counted := ", ".join(f"{number} {what}" for number, what in parts if number):
        yield Paragraph(f"Counted only: {counted}.")
    if content.note:
        yield Paragraph(content.note)
    yield bulleted(
        "Looked for",
        (
            f"“{s.query}”: {s.note if s.outcome == 'failed' else count(s.hits, 'hit')}"
            for s in content.searches
        ),
    )


def _change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Take a paper to the reading list, to the place after the paper that it cites, or to the novelty
    report, which is stale then: of the idea that it touches, else of your idea or the first one."""
    entry = next((e for e in stored(state, NEWS, NewsContent).entries if e.paper == row), None)
    if entry is None:
        return None
    title = f"“{state.papers[row].title}”"
    if key == "pin" and (change := paper_change(state, READING, row, key)) is not None:
        return replace(change, word="to reading list")
    if key == "accept" and entry.place:
        done = f"{title} is at {entry.place}."
        return RowChange(entry.place, {}, f"to {entry.place}", done, places=True)
    return _to_report(state, entry, title) if key == "tick" else None


def _to_report(state: State, entry: NewPaper, title: str) -> RowChange | None:
    """The novelty report is to compare the paper as well; None where none is, or where it is to."""
    branches = (as_branch(entry.idea or "0"), state.pick or 0, *state.branches)
    branch = next((b for b in branches if b and state.in_use(cell_at(b, "nov"))), 0)
    if not branch:
        return None
    listed, report = cell_at(branch, "compare"), cell_at(branch, "nov")
    there = state.value(ref(listed, "papers")) or []
    done = f"{report} is stale: it has not compared {title} with the idea."
    change = RowChange(listed, {"papers": [*there, entry.paper]}, f"to {report}", done)
    return None if entry.paper in there else change


KIND = CellKind(
    NEWS,
    NEWS,
    "New papers",
    NewsContent,
    NewsTask.name,
    decisions=OF_LIST | {"seen"},
    label=NEWS,
    document=_document,
    row_change=_change,
    has_verdict=False,
)


def _may_see(t: Target) -> str:
    if t.address != NEWS or t.version is None:
        return "only a look for new papers is marked as seen"
    return "you have seen it" if news_of(t.state).seen else ""


def _see(t: Target, _: VerbArgs) -> list[Decision]:
    assert t.version is not None
    return [t.entry("seen", {"version": t.version.seq})]


SEEN = Verb(
    "seen",
    _may_see,
    _see,
    done="Seen: what it found is not new any more. u takes it back.",
    quiet=lambda _: True,
)
