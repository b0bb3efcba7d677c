"""SCI-1 to SCI-13: background and brainstorm; papers by meaning, by entities and by co-citation, in
one order, clustered; papers read, problem or inspirations, first ideas, filter, improvement, and the
ideas worked out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.reads import HUNCH, TOPIC, criteria, reading
from coi_tui.methods.base.reply_models import SourcedIdea
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    one_call,
    papers_of,
    result,
    values_of,
)
from coi_tui.methods.evidence.cards import READING_PROMPT, citable, read_paper, records_of
from coi_tui.methods.evidence.reading_list import LIST_READ, ReadingListTask, listed_papers
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.scipip import ScipipSettings, retrieval
from coi_tui.methods.scipip.kinds import (
    Background,
    Brainstorm,
    Entities,
    Filtered,
    FirstIdeas,
    Improved,
    Inspirations,
    PaperEntity,
    Problem,
)
from coi_tui.methods.scipip.retrieval import PER_TEXT, RetrievalTask, is_entity, joined, texts_of
from coi_tui.model.address import READING
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.text import Fields
from coi_tui.services.llm.chat import Choices

BY_MEANING = 55
"""Papers by meaning."""
ENTITY_PAPERS = 8
"""Nearest papers of which entities are taken."""
MOST_FROM_BRAINSTORM = 10
"""Entities taken of the brainstorm at most (SCI-3)."""
KEPT = 6
"""Ideas that the filter keeps at most; five or six are asked for (SCI-10)."""
CUES = 20
"""Entities shown as cue words at most."""
FIELDS = ("problem", "move", "method", "evidence", "use", "limits")
"""What prompts are shown of a paper that was read."""
BACKGROUND = "background={instance}/background#text"
RECORDS = "records={instance}/records#papers"
thought = reading(
    "thought={instance}/background#text", "thought={instance}/improved#ideas.{number}"
)
"""What the idea of a branch will be made from."""


# -- papers by meaning


class NearestTask(MethodTask):
    """SCI-2: the papers nearest to the background, of those that its searches find, here and in the
    sources, and of the reading list."""

    name = "scipip nearest"

    reads = staticmethod(
        reading(BACKGROUND, "queries={instance}/background#queries", criteria, LIST_READ)
    )

    size = Cost(searches=(1, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, text = self.services(ctx), inputs.one("background")
        queries = dict.fromkeys(map(str, inputs.one("queries") or [text[:200]]))
        listed = listed_papers(ctx.state, inputs)
        found = await search_each(services, inputs, queries, retrieval.HITS, listed, here=True)
        if not found.papers:
            raise found.nothing(
                "No paper was found for this background.",
                "Edit the background or its queries, then run again.",
            )
        services.at(1)
        similar = await services.similarity(text, found.papers.values())
        scores, order = similar.vectors or similar.words, similar.nearest(BY_MEANING)
        content = {
            "papers": [{"paper": p, "score": round(float(scores.get(p, 0.0)), 5)} for p in order],
            "ranked": similar.how,
            "tries": found.tries,
        }
        kept = [found.papers[p] for p in order]
        return result(inputs, content, "source", {"source": found.source}, kept)


# -- entities


def _texts_read(ctx: Context, inputs: Inputs) -> dict[str, tuple[str, str]]:
    """The texts of which entities are taken, by label, each after what it is called."""
    near = papers_of(ctx.state, inputs.one("papers"))[:ENTITY_PAPERS]
    directions = "\n".join(line for _, lines in inputs.all("directions") for line in lines)
    texts = {"T1": ("background", inputs.one("background"))}
    texts |= {"T2": ("brainstorm", directions)} if directions else {}
    return texts | {f"P{n}": text for n, text in enumerate(texts_of(near).items(), 1)}


def _texts(ctx: Context, inputs: Inputs) -> Values:
    texts = _texts_read(ctx, inputs)
    return {"texts": [{"id": label, "text": text} for label, (_, text) in texts.items()]}


def _entities(ctx: Context, inputs: Inputs, reply: Entities) -> Values:
    """SCI-3: the entities by text, no more of each than allowed, synonyms joined. Names that are no
    entities are left out."""
    texts, taken = _texts_read(ctx, inputs), Counter[str]()
    found = []
    for one in reply.entities:
        of = texts.get(one.text, texts["T1"])[0]
        most = MOST_FROM_BRAINSTORM if of == "brainstorm" else PER_TEXT
        if is_entity(one.name) and taken[of] < most:
            taken[of] += 1
            found.append(PaperEntity(name=one.name, description="; ".join(one.also), of=(of,)))
    if not found:
        raise CoiError(
            "No entity of two to five words was found in the background.",
            "Edit the background, then run again.",
        )
    return {"entities": [one.model_dump(mode="json") for one in joined(found)]}


def _entity_reads(state: State, address: str) -> Reads:
    """The background, the abstracts of the nearest papers, and in mode C the brainstorm."""
    steered = state.bounds(ScipipSettings, address).mode == "C"
    return reading(
        BACKGROUND,
        *(["directions={instance}/brainstorm#directions"] if steered else ()),
        "papers={instance}/nearest#papers",
    )(state, address)


# -- papers read


class RecordsTask(MethodTask):
    """SCI-1: a card of each paper picked, by the call that Chain of Ideas reads papers with, so
    that none is paid for twice.

    All readings run side by side and all are waited for. A paper that cannot be read stays in the
    list with the reason.
    """

    name, prompts = "scipip records", (READING_PROMPT,)

    reads = staticmethod(
        reading(TOPIC, "papers={instance}/retrieved#papers", "off?={instance}/retrieved#off")
    )

    def cost(self, state: State, address: str) -> Cost:
        most = state.bounds(ScipipSettings, address).picked
        return one_call((600, 41_000), (200, 1_200), "reader").times(1, most)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, off = self.services(ctx), inputs.one("off") or []
        papers = [p for p in papers_of(ctx.state, inputs.one("papers")) if p.id not in off]
        topic = inputs.one("topic")
        ends = await asyncio.gather(
            *(read_paper(services, topic, paper) for paper in papers), return_exceptions=True
        )
        rows: list[Fields] = []
        recipe: Values = {}
        for paper, end in zip(papers, ends, strict=True):
            row = citable(paper)
            if not isinstance(end, BaseException):
                rows.append({**row, **end.content})
                recipe = recipe or end.recipe
            elif type(end) is CoiError:
                rows.append({**row, "unread": str(end)})
            else:  # a service, a reply, the budget: the task fails, and what was read is stored
                raise end
        if all(row.get("unread") for row in rows):
            raise CoiError(
                "None of the papers used can be read.",
                "Use others in the table of papers, then run again.",
            )
        return result(inputs, {"papers": rows}, services.origin, recipe)


def _papers(inputs: Inputs) -> list[Fields]:
    """The papers that were read, as prompts show them."""
    return [
        {
            **{name: row.get(name) for name in ("paper", "title", "year")},
            **{name: row.get(name, "") for name in FIELDS},
        }
        for row in records_of(inputs)
    ]


def _with_papers(ctx: Context, inputs: Inputs) -> Fields:
    return {**values_of(ctx, inputs), "papers": _papers(inputs)}


def _to_inspire(ctx: Context, inputs: Inputs) -> Values:
    papers = [{**paper, "id": f"P{n}"} for n, paper in enumerate(_papers(inputs), 1)]
    return {"background": inputs.one("background"), "papers": papers}


def _inspired(ctx: Context, inputs: Inputs, reply: Inspirations) -> Values:
    """A row for each paper; one that suggests nothing is stored as such."""
    found = {one.id: one.inspiration for one in reply.papers}
    rows = [
        {"name": row["title"], "description": found.get(f"P{n}", "")}
        for n, row in enumerate(_papers(inputs), 1)
    ]
    if not any(row["description"] for row in rows):
        raise CoiError(
            "No paper suggested anything for this background.",
            "Use the direct path, or other papers.",
        )
    return {"papers": rows}


# -- first ideas


def _first_reads(state: State, address: str) -> Reads:
    """By the path of the instance: problem and papers, or what papers suggest."""
    if state.bounds(ScipipSettings, address).path == "inspiration":
        return reading(BACKGROUND, "inspired={instance}/inspired#papers")(state, address)
    return reading(
        BACKGROUND,
        "problem={instance}/problem#text",
        "reasons?={instance}/problem#reasons",
        RECORDS,
        "cues?={instance}/retrieved#entities",
    )(state, address)


def _first_values(ctx: Context, inputs: Inputs) -> Values:
    absent = {"problem": "", "reasons": [], "cues": [], "inspired": []}
    values = {**absent, **_with_papers(ctx, inputs)}
    inspirations = [row for row in values["inspired"] if row["description"]]
    return {**values, "cues": values["cues"][:CUES], "inspirations": inspirations}


# -- filter and improvement


def candidates(inputs: Inputs) -> dict[str, str]:
    """The ideas that were read and in modes B and C the brainstorm, each text once under a label,
    without those that are off: I1 of papers, B1 of the brainstorm."""
    found: dict[str, str] = {}
    off = inputs.first("off") or []
    for letter, name in (("I", "ideas"), ("B", "directions")):
        for n, one in enumerate(inputs.first(name) or [], 1):
            text = one["name"] if isinstance(one, Mapping) else one
            if str(n) not in off:
                found.setdefault(text.strip(), f"{letter}{n}")
    return {label: text for text, label in found.items()}


def _merged(state: State, address: str) -> Reads:
    """First ideas, and in modes B and C the brainstorm."""
    brainstorm = ["directions={instance}/brainstorm#directions"]
    with_it = brainstorm if state.bounds(ScipipSettings, address).mode != "A" else []
    return reading("ideas={instance}/first#ideas", *with_it)(state, address)


def _to_judge(ctx: Context, inputs: Inputs) -> Fields:
    texts = candidates(inputs)
    if not texts:
        raise CoiError("There is no idea to go on from.", "Write one, then run again.")
    return {
        "background": inputs.one("background"),
        "ideas": [{"id": label, "text": text} for label, text in texts.items()],
    }


def partition(reply: Filtered, texts: Mapping[str, str]) -> Fields:
    """The ideas with their own texts, those that stay first, and why each stays or goes. An idea
    without a verdict goes, which is noted."""
    verdicts = {one.id: one for one in reply.judged if one.id in texts}
    kept = [label for label, one in verdicts.items() if one.keep][:KEPT]
    order = [*kept, *(label for label in texts if label not in kept)]
    reasons = {label: one.reason for label, one in verdicts.items()}
    none = "the model gave no verdict on it"
    return {
        "judged": [{"name": texts[one], "description": reasons.get(one, none)} for one in order],
        "off": [str(n) for n in range(len(kept) + 1, len(order) + 1)],
    }


def _improved(ctx: Context, inputs: Inputs, reply: Improved) -> Values:
    texts = candidates(inputs)
    ideas = reply.ideas[: ctx.state.bounds(ScipipSettings, inputs.address).branches]
    return {
        "ideas": [{"name": one.title, "description": one.text} for one in ideas],
        "sources": [
            [texts[label] for label in dict.fromkeys(one.sources) if label in texts]
            for one in ideas
        ],
    }


# -- the ideas


def _idea(ctx: Context, inputs: Inputs, reply: SourcedIdea) -> Values:
    """With what it was made of as its origin."""
    sources = inputs.one("sources") or []
    origin = "\n".join(["Made from:", *(f"- {text}" for text in sources)]) if sources else ""
    return {**reply.content(), "origin": origin}


TASKS: Values = {
    READING: ReadingListTask,
    "nearest": NearestTask,
    "entities": TextTask(
        "scipip entities",
        "scipip_entities",
        Entities,
        _entity_reads,
        one_call((800, 4_000), (150, 900), "reader"),
        _texts,
        _entities,
        choices=lambda values: Choices(
            "entities", "text", [text["id"] for text in values["texts"]], exactly=False
        ),
    ),
    "retrieved": RetrievalTask,
    "records": RecordsTask,
    "rivals": lambda tools: RivalsTask(tools, thought),
    "background": TextTask(
        "scipip background",
        "scipip_background",
        Background,
        reading(TOPIC, HUNCH),
        one_call((350, 900), (120, 400)),
    ),
    "brainstorm": TextTask(
        "scipip brainstorm",
        "scipip_brainstorm",
        Brainstorm,
        reading(BACKGROUND),
        one_call((350, 900), (150, 500)),
    ),
    "problem": TextTask(
        "scipip problem",
        "scipip_problem",
        Problem,
        reading(BACKGROUND, RECORDS),
        one_call((1_500, 9_000), (150, 600)),
        _with_papers,
    ),
    "inspired": TextTask(
        "scipip inspirations",
        "scipip_inspiration",
        Inspirations,
        reading(BACKGROUND, RECORDS),
        one_call((1_500, 9_000), (300, 2_000)),
        _to_inspire,
        _inspired,
        choices=lambda values: Choices("papers", "id", [one["id"] for one in values["papers"]]),
    ),
    "first": TextTask(
        "scipip first ideas",
        "scipip_ideas",
        FirstIdeas,
        _first_reads,
        one_call((1_700, 10_000), (500, 1_800)),
        _first_values,
    ),
    "filtered": TextTask(
        "scipip filter",
        "scipip_filter",
        Filtered,
        reading(BACKGROUND, _merged),
        one_call((900, 3_000), (300, 1_000)),
        lambda ctx, inputs: {**_to_judge(ctx, inputs), "keep": min(KEPT, len(candidates(inputs)))},
        lambda ctx, inputs, reply: partition(reply, candidates(inputs)),
        check=lambda ctx, inputs, reply: (
            None
            if any(one.keep and one.id in candidates(inputs) for one in reply.judged)
            else "no idea is kept under a label that the task shows"
        ),
        choices=lambda values: Choices("judged", "id", [one["id"] for one in values["ideas"]]),
    ),
    "improved": TextTask(
        "scipip improve",
        "scipip_improve",
        Improved,
        reading(BACKGROUND, "ideas={instance}/filtered#judged", "off?={instance}/filtered#off"),
        one_call((800, 2_500), (500, 1_800)),
        lambda ctx, inputs: {
            **_to_judge(ctx, inputs),
            "count": ctx.state.bounds(ScipipSettings, inputs.address).branches,
        },
        _improved,
    ),
    "idea": TextTask(
        "scipip idea",
        "scipip_detail",
        SourcedIdea,
        reading(
            BACKGROUND,
            "idea={instance}/improved#ideas.{number}",
            "sources?={instance}/improved#sources.{number}",
            RECORDS,
            "rivals?={branch}/rivals#works",
            "bad_cases?={branch}/bad#cases",
        ),
        one_call((1_800, 10_000), (600, 2_500)),
        lambda ctx, inputs: {
            **_with_papers(ctx, inputs),
            "idea": "\n\n".join(inputs.one("idea").values()),
        },
        _idea,
    ),
}
