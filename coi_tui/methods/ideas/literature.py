"""The literature follows the idea: where a person edits a facet, one row says which papers of its
evidence are no longer among the nearest to it and which of the session's now are. A refresh of that
row searches for others; no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Cost, Result
from coi_tui.engine.freshness import Inputs, Read, meanings_now
from coi_tui.literature.ranking import WordTable, best_first
from coi_tui.methods.base.cell_table import OF_LIST, row, stored, table, title_of
from coi_tui.methods.base.reads import FACETS, TOPIC, idea
from coi_tui.methods.base.settings import bounds_of
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.novelty import UNJUDGED
from coi_tui.methods.ideas.rivals import collect, failed_by_name, search_once, whole_idea
from coi_tui.model.address import Branch, CellRef, cell_at, cell_ref, ref, split_ref
from coi_tui.model.content import IdeaContent, LiteratureContent, PlacedPaper
from coi_tui.model.document import Block, Paragraph, bulleted
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count, listed

LEAST = 8
"""So many papers count as near at least, where the evidence has fewer."""
GONE, NOW, FOUND = "no longer near", "near now", "found"


def moved(
    papers: Sequence[Paper], evidence: Collection[str], was: str, now: str, near: int
) -> tuple[list[str], list[str]]:
    """The papers of the evidence that an idea leaves behind, and others that it comes to: of each
    text the ``near`` most similar papers count, by their words."""
    table, ids = WordTable(papers), [paper.id for paper in papers]

    def nearest(text: str) -> list[str]:
        scores = dict(zip(ids, table.similarities(text).tolist(), strict=True))
        return [p for p in best_first(ids, scores)[:near] if scores[p] > 0]

    return _left_and_come(nearest(was), nearest(now), evidence)


def _left_and_come(
    before: Sequence[str], after: Sequence[str], evidence: Collection[str]
) -> tuple[list[str], list[str]]:
    gone = [p for p in before if p in evidence and p not in after]
    return gone, [p for p in after if p not in evidence and p not in before]


def _evidence(state: State, branch: Branch) -> list[str]:
    """The papers that the idea of a branch was made from or compared with, whichever method made
    it: those of every cell behind it."""
    seen, todo, found = (
        set[str](),
        [cell_at(branch, "idea"), cell_at(branch, "nov")],
        dict[str, None](),
    )
    while todo:
        if (cell := todo.pop()) in seen:
            continue
        seen.add(cell)
        if cell_ref(cell).kind == "slot":
            found[Chains.of(state).slot(cell).paper or ""] = None
        elif (version := state.in_use(cell)) is not None:
            todo += (split_ref(name)[0] for name in version.inputs)
            lists = (rows for rows in version.content.values() if isinstance(rows, list))
            every = (row for rows in lists for row in rows if isinstance(row, Mapping))
            found |= {str(r.get("paper")): None for r in every if r.get("verdict") != UNJUDGED}
    return [paper.id for paper in known(state, found) if paper.abstract]


def _facets(state: State, branch: Branch) -> dict[str, str]:
    content = stored(state, cell_at(branch, "idea"), IdeaContent)
    return {name: getattr(content, name) for name in FACETS}


def _changed(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return [name for name in FACETS if now[name] != was.get(name, "")]


def _to_search(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What changed, or all where the same is searched for again."""
    return _changed(was, now) or [name for name in FACETS if now[name]]


def before_edit(state: State, edited: Version) -> Version | None:
    """The literature of an idea as it is before a person's edit of a facet, with which it is stale;
    None for any other edit, and where it is there already."""
    at = cell_ref(edited.address)
    address, was = cell_at(at.branch, LITERATURE), state.in_use(edited.address)
    if at.kind != "idea" or was is None or state.in_use(address) is not None:
        return None
    if all(edited.meanings.get(name) == was.meanings.get(name) for name in FACETS):
        return None
    facets, papers = _facets(state, at.branch), _evidence(state, at.branch)
    content = LiteratureContent(facets=facets, papers=papers).model_dump()
    return Version(
        actor="coi",
        address=address,
        content=content,
        meanings=meanings_of(content),
        origin="source",
        inputs=meanings_now(state, LiteratureTask().reads(state, address)),
    )


class LiteratureTask(MethodTask):
    """A search for each facet that changed; what the session has and what is found is ordered by
    its similarity to the idea as it was and as it is."""

    name = "literature"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        own = (Read("before", ref(address, part), True, True) for part in ("facets", "papers"))
        return (
            TOPIC._replace(parent=True),
            *idea("idea", cell_ref(address).branch, FACETS),
            *own,
        )

    def cost(self, state: State, address: str) -> Cost:
        literature = stored(state, address, LiteratureContent)
        facets = _facets(state, cell_ref(address).branch)
        searches = len(_to_search(literature.facets, facets))
        return Cost(searches=(searches, 2 * searches))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, state = self.services(ctx), ctx.state
        now, stored = inputs.fields("idea"), inputs.fields("before")
        literature = LiteratureContent.from_stored(stored)
        source, hits, topic = services.source(), bounds_of(state).novelty_hits, inputs.one("topic")
        searches = await asyncio.gather(
            *(
                search_once(source, whole_idea({"title": now[name], "final": topic}), hits)
                for name in _to_search(literature.facets, now)
            )
        )
        errors = [search.error for search in searches if search.error is not None]
        if errors and len(errors) == len(searches):
            raise errors[0]
        found, _ = collect(searches)
        every = {p.id: p for p in (*state.papers.values(), *found.values()) if p.abstract}
        services.at(1)
        texts = ("\n".join(facets.values()) for facets in (literature.facets, now))
        alike = [await services.similarity(text, list(every.values())) for text in texts]
        orders = [
            [p for p in one.nearest(len(every)) if one.words[p] or one.vectors.get(p)]
            for one in alike
        ]
        near = max(LEAST, len(literature.papers))
        new = found.keys() - state.papers.keys()
        was, known_now = ([p for p in order if p not in new][:near] for order in orders)
        gone, come = _left_and_come(was, known_now, literature.papers)
        come += [p for p in orders[1][:near] if p in new]
        works = [PlacedPaper(paper=p, standing=GONE) for p in gone]
        works += [PlacedPaper(paper=p, standing=FOUND if p in new else NOW) for p in come]
        rows = [search.row for search in searches]
        content = LiteratureContent(
            facets=now,
            papers=[*(p for p in literature.papers if p not in gone), *come],
            works=works,
            searches=rows,
            ranked=" ".join(filter(None, (alike[1].how, failed_by_name(rows)))),
        )
        return result(inputs, content.model_dump(), "source", papers=[every[p] for p in come])


def _document(state: State, address: str) -> Iterator[Block]:
    """What an edit moved, by the words of papers and idea until it was searched for."""
    literature = stored(state, address, LiteratureContent)
    now = _facets(state, cell_ref(address).branch)
    works, how = literature.works, literature.ranked
    changed = _changed(literature.facets, now)
    if not (changed or literature.searches):
        return
    if changed:
        papers = [paper for paper in state.papers.values() if paper.abstract]
        near = max(LEAST, len(literature.papers))
        before, after = ("\n".join(facets.values()) for facets in (literature.facets, now))
        gone, come = moved(papers, literature.papers, before, after, near)
        works = [PlacedPaper(paper=p, standing=GONE) for p in gone]
        works += [PlacedPaper(paper=p, standing=NOW) for p in come]
        how = f"Counted: the {near} of {len(papers)} papers whose words are most like the idea's."
        yield Paragraph(
            f"The {listed(changed)} of the idea changed. Of its evidence "
            f"{count(len(gone), 'paper is', 'papers are')} no longer near it, and "
            f"{count(len(come), 'other of the session is', 'others of the session are')}. "
            "A refresh (r) searches for more."
        )
    years = {paper.id: paper.year for paper in state.papers.values()}
    rows = (
        row(
            w.paper,
            w.standing,
            years.get(w.paper) or "????",
            title_of(state, w.paper),
            paper=w.paper,
        )
        for w in works
    )
    yield from table("|year|title", rows)
    if searches := [
        f"“{s.query}” in {s.source}: {count(s.hits, 'hit')}" for s in literature.searches
    ]:
        yield bulleted("Searched", searches)
    yield Paragraph(how)


LITERATURE = "lit"
"""The cell of a branch with the papers near its idea, which follow an edit of it."""


def _moved(state: State, at: CellRef) -> bool:
    """Whether an edit is in force that moved anything."""
    version = state.in_use(at)
    searched = version is not None and version.content.get("searches")
    return version is None or bool(searched) or not state.matches(version)


KIND = CellKind(
    LITERATURE,
    cell_at(1, LITERATURE),
    "Literature of the idea",
    LiteratureContent,
    LiteratureTask.name,
    decisions=OF_LIST,
    label="literature",
    caption=lambda content: f"{count(len(content.papers), 'paper')} near the idea",
    document=_document,
    has_verdict=False,
    optional=True,
    is_active=_moved,
)
