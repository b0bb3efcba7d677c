"""The literature follows the idea: where a person edits a facet, one row says which papers of its
evidence are no longer among the nearest to it and which of the session's now are. A refresh of that
row searches for others; no model is asked."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, meanings_now
from coi_tui.literature.ranking import WordTable, best_first
from coi_tui.methods.base.cell_table import row, stored, table, title_of
from coi_tui.methods.base.idea_settings import bounds_of
from coi_tui.methods.base.reads import FACETS, TOPIC, of_parents, reading
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.evidence.searches import collect, failed_by_name, search_all, whole_idea
from coi_tui.methods.ideas.kinds import kind
from coi_tui.methods.ideas.novelty import UNJUDGED
from coi_tui.methods.services import Services
from coi_tui.model.address import Branch, CellRef, cell_at, cell_ref, split_ref
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
    seen, found = set[str](), dict[str, None]()
    todo: list[str] = [cell_at(branch, "idea"), cell_at(branch, "nov")]
    while todo:
        if (cell := todo.pop()) in seen:
            continue
        seen.add(cell)
        if cell_ref(cell).kind == "slot":
            found[Chains.of(state).slot(cell).paper or ""] = None
        elif (version := state.in_use(cell)) is not None:
            todo += (split_ref(name)[0] for name in version.inputs)
            found |= dict.fromkeys(_papers_in(version))
    return [paper.id for paper in known(state, found) if paper.abstract]


def _papers_in(version: Version) -> Iterator[str]:
    """The papers of all rows of a version; of a novelty report those that were judged."""
    lists = (rows for rows in version.content.values() if isinstance(rows, list))
    every = (one for rows in lists for one in rows if isinstance(one, Mapping))
    return (str(one.get("paper")) for one in every if one.get("verdict") != UNJUDGED)


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
        inputs=meanings_now(state, LiteratureTask.reads(state, address)),
    )


class LiteratureTask(MethodTask):
    """A search for each facet that changed; what the session has and what is found is ordered by
    its similarity to the idea as it was and as it is."""

    name = "literature"

    reads = staticmethod(
        reading(
            of_parents(TOPIC),
            "idea?={branch}/idea#problem mechanism evaluation setting",
            of_parents("before?={cell}#facets papers"),
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        literature = stored(state, address, LiteratureContent)
        searches = len(_to_search(literature.facets, _facets(state, cell_ref(address).branch)))
        return Cost(searches=(searches, 2 * searches))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, now, topic = self.services(ctx), inputs.fields("idea"), inputs.one("topic")
        before = LiteratureContent.from_stored(inputs.fields("before"))
        asks = (
            (whole_idea({"title": now[name], "final": topic}), 0)
            for name in _to_search(before.facets, now)
        )
        hits, known = bounds_of(ctx.state).novelty_hits, ctx.state.papers
        searches = await search_all(services.source(), hits, asks)
        errors = [search.error for search in searches if search.error is not None]
        if errors and len(errors) == len(searches):
            raise errors[0]
        every = {p.id: p for p in (*known.values(), *collect(searches).values()) if p.abstract}
        services.at(1)
        was, _ = await _ordered(services, before.facets, every.values())
        order, how = await _ordered(services, now, every.values())
        gone, come = _by_orders(was, order, before.papers, known)
        rows = [search.row for search in searches]
        content = LiteratureContent(
            facets=now,
            papers=[*(p for p in before.papers if p not in gone), *come],
            works=_works(gone, come, known),
            searches=rows,
            ranked=" ".join(filter(None, (how, failed_by_name(rows)))),
        )
        return result(inputs, content.model_dump(), "source", papers=[every[p] for p in come])


async def _ordered(
    services: Services, facets: Mapping[str, str], papers: Collection[Paper]
) -> tuple[list[str], str]:
    """The papers that have anything in common with an idea, the nearest first, and how that was
    found."""
    alike = await services.similarity("\n".join(facets.values()), papers)
    nearest = alike.nearest(len(papers))
    return [p for p in nearest if alike.words[p] or alike.vectors.get(p)], alike.how


def _by_orders(
    was: Sequence[str], now: Sequence[str], evidence: Sequence[str], known: Container[str]
) -> tuple[list[str], list[str]]:
    """The same by two orders of papers, of which the search found those that are not ``known``."""
    near = max(LEAST, len(evidence))
    then, there = ([p for p in one if p in known][:near] for one in (was, now))
    gone, come = _left_and_come(then, there, evidence)
    return gone, come + [p for p in now[:near] if p not in known]


def _works(gone: Iterable[str], come: Iterable[str], known: Container[str]) -> list[PlacedPaper]:
    left = [PlacedPaper(paper=p, standing=GONE) for p in gone]
    return left + [PlacedPaper(paper=p, standing=NOW if p in known else FOUND) for p in come]


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
        works = _works(gone, come, state.papers)
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


KIND = kind(
    LITERATURE,
    "Literature of the idea",
    LiteratureContent,
    LiteratureTask.name,
    label="literature",
    caption=lambda content: f"{count(len(content.papers), 'paper')} near the idea",
    document=_document,
    optional=True,
    is_active=_moved,
)
