"""What each model call of Chain of Ideas alone must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coi_tui.llm.reply_items import EACH_BY_ITSELF
from coi_tui.methods.shared.replies import Card as Card
from coi_tui.methods.shared.replies import EntityReply as EntityReply
from coi_tui.methods.shared.replies import Idea, Reasoned, Reply, Words


class Questions(Reasoned):
    """COI-1: search questions for a topic, the first broad, each of the rest on one aspect."""

    questions: list[Words] = Field(min_length=1, max_length=5)


class Rewrite(Reasoned):
    """COI-2: one search query that differs from all failed ones."""

    query: Words


class Relevance(Reply):
    """COI-4, COI-5: is the candidate of use for the topic? Anything but a plain true is not relevant."""

    reasoning: Words
    relevant: bool


class PaperRelevance(Reply):
    """The same for one of several candidates, by the label it was shown under."""

    id: Words
    reasoning: Words
    relevant: bool


class Relevances(Reply):
    """COI-4, COI-5: verdicts on several candidates, each by itself."""

    verdicts: Annotated[list[PaperRelevance], EACH_BY_ITSELF] = Field(min_length=1)


class Trend(Reasoned):
    """COI-8: what moved from the older paper to the newer one."""

    text: Words


class Direction(Reply):
    """COI-10: a note on how people reasoned their way along the chain and what was weighed, and then the future direction."""

    note: Words
    text: Words


class IdeaDraft(Reasoned):
    """COI-11, first call: candidates weighed (in the reasoning), and the one that was chosen."""

    title: Words
    text: Words


class _Attacked(Reasoned):
    faults: list[Words] = Field(max_length=6)


class FinalIdea(Idea, _Attacked):
    """COI-11, second call: what is wrong with the draft, and then the whole idea anew."""
