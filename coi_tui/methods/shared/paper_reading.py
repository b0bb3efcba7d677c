"""COI-3: the call that reads a paper into a card, the same for every method, so that no paper is
read and paid for twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.methods.shared.replies import Card, LongCard
from coi_tui.model.content import CardContent
from coi_tui.model.entries import Origin
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper

if TYPE_CHECKING:
    from coi_tui.methods.services import Services

LONGEST = 160_000
"""Characters of a paper's text that are sent at most (about 40,000 tokens); a longer one is cut and
the card says so."""
ABSTRACT, FULL_TEXT, UNKNOWN = 750, 12_000, 2_000
"""Prompt tokens of a reading: of an abstract, of a text as long as most papers, and of a paper that
is not known yet."""
REPLY = 600
"""Tokens of a summary."""
READING_PROMPT = "coi_read"


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
        from coi_tui.methods.shared.drafts.card_draft import draft_read  # measured: 130 ms

        return _reading(
            dict(await beside(draft_read, values)),
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
