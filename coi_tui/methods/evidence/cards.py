"""Evidence from papers, as tasks put it into their prompts: of a chain, or of those that a method
read together; cards; and works named by their titles, looked up."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coi_tui.engine.freshness import Inputs
from coi_tui.literature.title_match import match_title, misremembered
from coi_tui.methods.base.reads import chain_cards, chain_papers, reading
from coi_tui.methods.base.reply_models import Card, LongCard
from coi_tui.methods.chain.slots import CANDIDATES, SUMMARY
from coi_tui.methods.services import Services
from coi_tui.model.address import NEWS, cell_ref, split_ref
from coi_tui.model.content import CandidateList, CardContent, NamedWork, NewsContent
from coi_tui.model.entries import Origin
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.papers import BY_TOPIC, Link, Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values, clean, clean_line, listed, sentence, sentences
from coi_tui.process import run_in_thread
from coi_tui.services.sources.types import Source

# What a plan for the idea of a branch may draw on: reads named papers, experiments and records.
chain_evidence = reading(chain_papers, chain_cards("experiment? evidence?", "experiments"))
"""The experiments of a chain's cards; without a chain there is none, and nothing is written."""


records_evidence = reading("records?={instance}/records#papers")
"""What was read of the papers that all ideas of an instance rest on."""


def short(paper: Paper) -> Fields:
    """Title and year, as prompts name a paper."""
    return {"title": paper.title, "year": paper.year}


def citable(paper: Paper) -> Fields:
    """The same with its id, for which a prompt shows the label by which it is cited."""
    return {"paper": paper.id, **short(paper)}


def chain_of(inputs: Inputs, name: str = "chain") -> list[Fields]:
    """The chain old to new: title, year and the card fields read under ``name``."""
    by_slot: dict[str, Fields] = {}
    for address, found in inputs.all("papers"):
        by_slot[split_ref(address)[0]] = citable(found)
    for reference, value in inputs.all(name):
        card, field = split_ref(reference)
        by_slot[card.removesuffix(f".{SUMMARY}")][field] = value
    if name != "experiments":
        return list(by_slot.values())
    rows = [*by_slot.values(), *records_of(inputs)]
    return [
        {**{key: row.get(key) for key in ("paper", "title", "year")}, "experiment": done}
        for row in rows
        if (done := row.get("experiment") or row.get("evidence"))
    ]


def records_of(inputs: Inputs) -> list[Fields]:
    """The papers that were read together, where a task reads them."""
    return [row for _, rows in inputs.all("records") for row in rows if not row.get("unread")]


def found_links(state: State) -> list[Link]:
    """Every link that a candidate list of the session, or a look for new papers, found, in any
    version."""
    found: dict[tuple[str, str], Link] = {}
    for version in state.versions.values():
        at = cell_ref(version.address)
        if at == NEWS:
            for new in state.content(version, NewsContent).entries:
                for cited, evidence in new.cites.items():
                    link = Link(citing=new.paper, cited=cited, kind="cites", evidence=evidence)
                    found[new.paper, cited] = link
        if at.kind != CANDIDATES or at.pos == 0:
            continue
        listed = state.content(version, CandidateList)
        for row in (row for row in listed.entries if listed.of and row.link != BY_TOPIC):
            citing, cited = (row.paper, listed.of) if at.pos > 0 else (listed.of, row.paper)
            found[citing, cited] = Link(
                citing=citing, cited=cited, kind=row.link, evidence=row.evidence
            )
    return list(found.values())


READ = 8_000
"""Characters of a paper's text that are shown (about 2,000 tokens): its beginning and end, and what
bears on the topic. The card says so."""
IN_PART = "Read in part: beginning, end, and what bears on the topic."
READING_PROMPT = "coi_read"
_MOVE = re.compile(
    r"\b(?:we|(?:this|the present|our) (?:paper|work|study|article|method|approach)|the authors)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(SUMMARY|LIMITATIONS|DATASETS|BASELINES|ENTITIES)\n", re.MULTILINE)
MOST_SENTENCES = 8
"""Sentences of a card that is made by rule, from the first on."""


def card_by_rule(values: Values) -> Fields:
    """COI-3: the abstract as a card, what comes before its own step and that step, with the lists
    of a summary in parts. For these with every model, for any text without one."""
    before, *labelled = _LABEL.split(clean(values["text"]))
    parts = dict(zip(labelled[::2], labelled[1::2], strict=True))
    lists = {
        label: [line.removeprefix("- ") for line in part.splitlines() if line.strip(" -")]
        for label, part in parts.items()
    }
    found = sentences(parts.get("SUMMARY", before))[:MOST_SENTENCES] or [
        clean_line(values["title"]) or "The text is empty."
    ]
    start = next((n for n, one in enumerate(found) if _MOVE.search(one)), min(1, len(found) - 1))
    tested = (("Data sets", "DATASETS"), ("Baselines", "BASELINES"))
    entities = (entity.partition(": ") for entity in lists.get("ENTITIES", ())[:12])
    return {
        "problem": " ".join(found[: start or 1]),
        "move": " ".join(found[start:]),
        "evidence": " ".join(f"{name}: {listed(lists[k])}." for name, k in tested if lists.get(k)),
        "use": "",
        "limits": " ".join(map(sentence, lists.get("LIMITATIONS", ()))),
        "method": "",
        "experiment": "",
        "entities": [{"name": name, "description": about} for name, _, about in entities],
        "references": [],
    }


@dataclass(frozen=True)
class Reading:
    """What was read of a paper: the card as it is stored, labelled with the text that it rests on,
    and how and by whom it was made."""

    content: Fields
    recipe: Values
    origin: Origin


async def read_paper(services: Services, topic: str, found: Paper) -> Reading:
    """One call of the reader model on the full text where it can be had, else on the abstract.
    Equal calls are made once.

    A summary that is structured already (the starter library's) is made into a card by rule,
    whatever the model.
    """
    from coi_tui.literature.excerpts import excerpt  # only where papers are read

    text = await services.text_to_read(found)
    if text.kind == "none" or not text.text.strip():
        raise CoiError(
            f"There is no text of “{found.title}” to read: {text.note or 'no full text and no abstract'}.",
            "Reject it, pin another paper, or write the card by hand.",
        )
    services.at(1)
    values = {
        "topic": topic,
        **short(found),
        "kind": text.kind,
        "text": await run_in_thread(excerpt, text.text, (topic, found.title), READ),
    }
    note, origin = text.note, services.origin
    card: Fields
    recipe: Values
    if text.kind == "summary":
        card, recipe, origin = card_by_rule(values), {"source": found.source}, "source"
    else:
        schema = LongCard if text.kind == "full text" else Card
        asked = await services.ask(READING_PROMPT, values, schema)
        card, recipe = asked.value.content(), asked.recipe
        if len(text.text) > READ or recipe.get("shortened"):
            note = f"{note} {IN_PART}".strip()
    labelled = CardContent(source=text.kind, note=note).model_dump()
    return Reading({**labelled, **card}, recipe, origin)


# -- works that a model or a text names by their titles

FOUND, OTHERWISE, NOT_FOUND, NOT_ASKED = "found", "found otherwise", "not found", "not asked"
TITLE_HITS = 5
"""Papers that a search with a title asks for, where no paper has that title."""


Named = tuple[NamedWork, Paper | None]
"""A work as it was named with what came of it, and the paper that it turned out to be."""


async def look_up(
    source: Source, named: Sequence[NamedWork], known: Sequence[Paper]
) -> list[Named]:
    """Every work, side by side: among the papers that are known first, then in the source, then in
    registries of works. A failed service is no answer."""
    return await asyncio.gather(*(_look_up(source, work, known) for work in named))


async def _look_up(source: Source, work: NamedWork, known: Sequence[Paper]) -> Named:
    title, given = work.title, (work.title, work.year, work.authors)

    def meant(papers: Sequence[Paper]) -> Paper | None:
        """One that agrees in all that is given, else one of just this title."""
        exact = match_title(title, papers, work.year, work.authors)
        return exact or match_title(title, papers, None)

    def answer(paper: Paper | None, status: str = NOT_FOUND, note: str = "") -> Named:
        if paper is not None:
            agrees = match_title(title, [paper], work.year, work.authors)
            status, note = FOUND if agrees else OTHERWISE, ""
        came = {"status": status, "note": note, "paper": paper.id if paper is not None else ""}
        return work.model_copy(update=came), paper

    if paper := match_title(title, known, work.year, work.authors):
        return answer(paper)
    try:
        paper = await source.match(*given) or await source.match(title, None)
        if paper is not None:
            return answer(paper)
        near = await source.search(title, TITLE_HITS)
    except ServiceError as error:
        return answer(None, NOT_ASKED, error.message)
    papers = [*known, *near.papers]
    if paper := meant(papers):
        return answer(paper)
    status = NOT_FOUND
    try:
        works = await source.registered(title)
        day = f" on {asked}" if (asked := works.asked_at or near.asked_at) else ""
        note = f"asked {works.source}{day}"
    except ServiceError as error:
        works, status, note = near, NOT_ASKED, error.message
    papers += works.papers
    paper = meant(works.papers) or misremembered(title, papers, work.year, work.authors)
    return answer(paper, status, note)


def outcome(papers: Mapping[str, Paper], work: NamedWork) -> str:
    """What asking for a title came to; of one found otherwise how the paper is described."""
    paper = papers.get(work.paper)
    other = (
        f"; the paper found is “{paper.title}” ({paper.short()})"
        if paper is not None and work.status == OTHERWISE
        else ""
    )
    return work.status + other + (f" ({work.note.rstrip('.')})" if work.note else "")


def named_line(papers: Mapping[str, Paper], work: NamedWork) -> str:
    """A work as it was named, with that."""
    by = ", ".join(filter(None, (*work.authors, str(work.year or ""))))
    return f"“{work.title}”{by and f' ({by})'}: {outcome(papers, work)}"
