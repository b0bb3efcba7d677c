"""Evidence from the papers of a chain, or of those that a method read together, as steps put it
into their prompts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import chain_cards, chain_papers
from coi_tui.methods.base.replies import Card, LongCard
from coi_tui.model.address import (
    CANDIDATES,
    RECORDS,
    SUMMARY,
    Branch,
    instance_of,
    parse_address,
    ref,
    split_ref,
)
from coi_tui.model.content import CandidateList, CardContent
from coi_tui.model.entries import Origin
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line, listed, sentence, sentences

if TYPE_CHECKING:
    from coi_tui.methods.services import Services


Evidence = Callable[[State, Branch], tuple[Read, ...]]
"""What a plan for the idea of a branch may draw on, as reads named ``papers``, ``experiments`` and
``records``."""


def chain_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """The experiments of a chain's cards; without a chain there is none, and nothing is written."""
    return (
        *chain_papers(state, branch),
        *chain_cards(state, branch, ("experiment", "evidence"), "experiments"),
    )


def records_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """What was read of the papers that all ideas of an instance rest on."""
    return (Read("records", ref(f"{instance_of(branch)}/{RECORDS}", "papers"), optional=True),)


def no_evidence(state: State, branch: Branch) -> tuple[Read, ...]:
    """For methods whose ideas rest on no chain."""
    return ()


def short(paper: Paper) -> dict[str, Any]:
    """Title and year, as prompts name a paper."""
    return {"title": paper.title, "year": paper.year}


def chain_of(inputs: Inputs, name: str = "chain") -> list[dict[str, Any]]:
    """The chain old to new: title, year and the card fields read under ``name``."""
    by_slot: dict[str, dict[str, Any]] = {}
    for address, found in inputs.all("papers"):
        by_slot[split_ref(address)[0]] = short(found)
    for reference, value in inputs.all(name):
        card, field = split_ref(reference)
        by_slot[card.removesuffix(f".{SUMMARY}")][field] = value
    if name != "experiments":
        return list(by_slot.values())
    rows = [*by_slot.values(), *records_of(inputs)]
    return [
        {
            **{key: row.get(key) for key in ("title", "year")},
            "experiment": row.get("experiment") or row.get("evidence"),
        }
        for row in rows
    ]


def records_of(inputs: Inputs) -> list[dict[str, Any]]:
    """The papers that were read together, where a step reads them."""
    return [row for _, rows in inputs.all("records") for row in rows if not row.get("unread")]


def found_links(state: State) -> list[Link]:
    """Every link that a candidate list of the session found, in any version."""
    found: dict[tuple[str, str], Link] = {}
    for version in state.versions.values():
        at = parse_address(version.address)
        if at.part != CANDIDATES or at.pos == 0:
            continue
        listed = state.content(version, CandidateList)
        for row in listed.entries if listed.of else ():
            citing, cited = (row.paper, listed.of) if at.pos > 0 else (listed.of, row.paper)
            found[citing, cited] = Link(
                citing=citing, cited=cited, kind=row.link, evidence=row.evidence
            )
    return list(found.values())


LONGEST = 160_000
"""Characters of a paper's text that are sent at most (about 40,000 tokens); a longer one is cut and
the card says so."""
ABSTRACT, FULL_TEXT, UNKNOWN = 750, 12_000, 2_000
"""Prompt tokens of a reading: of an abstract, of a text as long as most papers, and of a paper that
is not known yet."""
REPLY = 600
"""Tokens of a summary."""
READING_PROMPT = "coi_read"
_MOVE = re.compile(
    r"\b(?:we|(?:this|the present|our) (?:paper|work|study|article|method|approach)|the authors)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(SUMMARY|LIMITATIONS|DATASETS|BASELINES|ENTITIES)\n", re.MULTILINE)
MOST_SENTENCES = 8
"""Sentences of a card that is made by rule, from the first on."""


def card_by_rule(values: Mapping[str, Any]) -> dict[str, Any]:
    """COI-3: the abstract as a card, what comes before its own step and that step, with the lists
    of a summary in parts. For these with every model, for any text without one."""
    before, *labelled = _LABEL.split(clean(values["text"]))
    parts = dict(zip(labelled[::2], labelled[1::2], strict=True))
    lists = {
        label: [line.removeprefix("- ") for line in part.splitlines() if line.strip(" -")]
        for label, part in parts.items()
    }
    said = sentences(parts.get("SUMMARY", before))[:MOST_SENTENCES] or [
        clean_line(values["title"]) or "The text is empty."
    ]
    start = next((n for n, one in enumerate(said) if _MOVE.search(one)), min(1, len(said) - 1))
    tested = (("Data sets", "DATASETS"), ("Baselines", "BASELINES"))
    entities = (entity.partition(": ") for entity in lists.get("ENTITIES", ())[:12])
    return {
        "problem": " ".join(said[: start or 1]),
        "move": " ".join(said[start:]),
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
    """What was read of a paper: the card as it is kept, labelled with the text that it rests on,
    and how and by whom it was made."""

    content: dict[str, Any]
    recipe: Mapping[str, Any]
    origin: Origin


async def read_paper(services: Services, topic: str, found: Paper) -> Reading:
    """One call of the reader model on the full text where it can be had, else on the abstract.
    Equal calls are made once.

    A summary that is structured already (the starter library's) is made into a card by rule,
    whatever the model.
    """
    text = await services.text_to_read(found)
    if text.kind == "none" or not text.text.strip():
        raise CoiError(
            f"There is no text of “{found.title}” to read: {text.note or 'no full text and no abstract'}.",
            "Reject it, pin another paper, or write the card by hand.",
        )
    services.at(1)
    values = {
        "topic": topic,
        "title": found.title,
        "year": found.year,
        "kind": text.kind,
        "text": text.text[:LONGEST],
    }
    if text.kind == "summary":
        return _reading(
            card_by_rule(values),
            text.kind,
            text.note,
            {"source": found.source},
            "source",
        )
    asked = await services.ask(
        READING_PROMPT, values, LongCard if text.kind == "full text" else Card
    )
    cut = len(text.text) > LONGEST or bool(asked.recipe.get("shortened"))
    note = " ".join(
        part for part in (text.note, "The text was cut for length." if cut else "") if part
    )
    return _reading(asked.value.content(), text.kind, note, asked.recipe, services.origin)


def _reading(
    card: dict[str, Any], source: str, note: str, recipe: Mapping[str, Any], origin: Origin
) -> Reading:
    return Reading({**CardContent(source=source, note=note).model_dump(), **card}, recipe, origin)
