"""COI-3: the call that reads a paper into a card, the same for every method, so that no paper is read and paid for twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.methods.shared.replies import Card
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper, PaperText

if TYPE_CHECKING:
    from coi_tui.methods.services import Asked, Services

LONGEST = 160_000
"""Characters of a paper's text that are sent at most (about 40,000 tokens); a longer one is cut and the card says so."""
ABSTRACT, FULL_TEXT, UNKNOWN = 750, 12_000, 2_000
"""Prompt tokens of a reading: of an abstract, of a text as long as most papers, and of a paper that is not known yet."""
REPLY = 600
"""Tokens of a summary."""
READING_PROMPT = "coi_read"


@dataclass(frozen=True)
class Reading:
    """What was read of a paper: the reply, the text it rests on, and whether that was cut for length."""

    asked: Asked[Card]
    text: PaperText
    cut: bool

    def content(self) -> dict[str, Any]:
        """The card as it is kept, labelled with the text that it was read from."""
        note = " ".join(part for part in (self.text.note, "The text was cut for length." if self.cut else "") if part)
        return {**self.asked.value.content(), "source": self.text.kind, "note": note}


async def read_paper(services: Services, topic: str, found: Paper) -> Reading:
    """One call of the reader model on the full text where it can be had, else on the abstract. Equal calls are made once."""
    text = await services.text_to_read(found)
    if text.kind == "none" or not text.text.strip():
        raise CoiError(
            f"There is no text of “{found.title}” to read: {text.note or 'no full text and no abstract'}.",
            "Reject it, pin another paper, or write the card by hand.",
        )
    services.at(1)
    values = {"topic": topic, "title": found.title, "year": found.year, "kind": text.kind, "text": text.text[:LONGEST]}
    asked = await services.ask(READING_PROMPT, values, Card)
    return Reading(asked, text, len(text.text) > LONGEST or bool(asked.recipe.get("shortened")))
