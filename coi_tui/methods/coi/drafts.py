"""What answers the prompts of the search for papers where no language model is set: parts of the
topic, other words for a search, and grades by shared words. No claim and no verdict on an idea
is made by rule."""

from __future__ import annotations

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    content_words,
    distinct,
    line_of,
    mapping,
    mappings,
    shared_words,
)
from coi_tui.methods.evidence.cards import card_by_rule
from coi_tui.model.text import listed
from coi_tui.services.llm.offline import without_hints

WORDS = 12
"""Words of a query, at most."""


def draft_questions(values: Values) -> Draft:
    """COI-1: the topic and the hunch."""
    asked = distinct(map(_query, (line_of(values, "topic"), line_of(values, "hunch"))))
    return {"questions": asked or ["open problems in research"]}


def _query(text: str) -> str:
    words = text.split()
    return " ".join(words if len(words) <= WORDS else content_words(text)[:WORDS])[:160]


def draft_rewrite(values: Values) -> Draft:
    """COI-2: fewer and fewer of the words of question and topic; one not tried yet."""
    words = content_words(f"{line_of(values, 'question')} {line_of(values, 'topic')}")[:WORDS]
    tried = {one.casefold() for one in values["failed"]}
    shorter = (" ".join(words[:size]) for size in range(len(words), 0, -1))
    return {"query": next((one for one in shorter if one.casefold() not in tried), "research")}


def draft_relevances(values: Values) -> Draft:
    """COI-2, COI-4, COI-5: a candidate for an anchor gets 1 where it shares a distinctive word with
    the topic: counting more of them found fewer papers that matter. Beside a neighbour the grade is
    the number of such words, at most 2; kinship follows from those shared with the neighbour, of
    which four are enough for the topic too."""
    topic, neighbour = line_of(values, "topic"), _text(mapping(values, "neighbour"))
    return {"verdicts": [_verdict(topic, neighbour, one) for one in mappings(values, "candidates")]}


def _verdict(topic: str, neighbour: str, candidate: Values) -> Draft:
    common, near = (shared_words(text, _text(candidate)) for text in (topic, neighbour))
    why = f"Title and abstract share with the topic: {listed(common) or 'no distinctive word'}."
    grade = min(2 if neighbour else 1, len(common)) or int(len(near) > 3)
    verdict = {"id": line_of(candidate, "id"), "reasoning": why, "topic": grade}
    if not neighbour:
        return verdict
    why += f" With its neighbour: {listed(near) or 'no distinctive word'}."
    kinship = min(3, (len(near) + 2) // 3)
    link = "same problem" if kinship > 1 else "only cites"
    return {**verdict, "reasoning": why, "kinship": kinship, "link": link}


def _text(paper: Values) -> str:
    return f"{line_of(paper, 'title')}. {line_of(paper, 'abstract')}" if paper else ""


def draft_rivals(values: Values) -> Draft:
    """The first words of the thought behind an idea; a rule remembers no works."""
    words = content_words(without_hints(line_of(values, "thought")))[:WORDS]
    return {"works": [], "phrases": [" ".join(words) or line_of(values, "topic") or "related work"]}


def draft_search_against(values: Values) -> Draft:
    """COI-12: the words of the idea's title."""
    words = content_words(without_hints(line_of(mapping(values, "idea"), "title")))[:WORDS]
    return {"queries": [{"angle": "own words", "query": " ".join(words) or "related work"}]}


DRAFTS = {
    "coi_questions": draft_questions,
    "coi_rewrite": draft_rewrite,
    "coi_relevances": draft_relevances,
    "coi_read": card_by_rule,
    "coi_rivals": draft_rivals,
    "coi_search_against": draft_search_against,
}
"""The rule for each prompt that has one, by the prompt's name."""
