"""The drafts of the discussion and of ideas. Rules hold no opinions: they set words side by side and say what is still to be written."""

from __future__ import annotations

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, listed, quote, sentences, shared_words, without_full_stop

TO_WRITE = "To write:"
"""Begins every text that only holds a place."""
PLAIN = 5
"""What a rule scores every worksheet with: it cannot tell one from another."""


def _about(values: Values, key: str) -> str:
    return clip(line_of(values, key), 20) or "the topic"


def _works_on(person: Values) -> str:
    """What a profile says that somebody works on."""
    said = line_of(person, "description").partition(";")[0].partition(" papers")[0]
    return clip(said.removeprefix("works on ").rpartition(",")[0] or said, 12) or "this field"


def draft_invite(values: Values) -> Draft:
    """Everybody joins: a rule knows no reason to refuse."""
    shared = shared_words(text_of(mapping(values, "invited"), "description"), text_of(mapping(values, "leader"), "description"), 3)
    common = f"Words that both profiles share: {listed(shared)}." if shared else "The two profiles share no word."
    return {"reason": f"By rule everybody who is asked joins. {common}", "answer": "join"}


def draft_topic(values: Values) -> Draft:
    """The member's own field beside the topic; what follows from that is to be written."""
    speaker, said = mapping(values, "speaker"), mappings(values, "said")
    before = f" {line_of(said[-1], 'name')} spoke before." if said else ""
    text = f"{TO_WRITE} a topic between “{_about(values, 'topic')}” and what {line_of(speaker, 'name') or 'this member'} works on"
    return {"text": f"{text} ({_works_on(speaker)}).{before}", "guest": None}


def draft_guest(values: Values) -> Draft:
    """The question, with the field from which it is to be answered."""
    guest = mapping(values, "guest")
    return {"text": f"{TO_WRITE} an answer to {quote(line_of(values, 'question'), 30)} from the field of {_works_on(guest)}."}


def draft_summary(values: Values) -> Draft:
    """Who spoke and how each began; more turns bring a rule nothing new."""
    lines = [f"{line_of(one, 'name') or 'Somebody'}: {clip(line_of(one, 'text').removeprefix(TO_WRITE).strip(), 22)}"
             for one in mappings(values, "said")]  # fmt: skip
    text = f"By rule, what was said in this turn. {' '.join(lines)}" if lines else "Nothing was said in this turn."
    return {"text": text, "why": "A further turn would repeat these worksheets.", "enough": True}


def draft_subject(values: Values) -> Draft:
    """The session's topic as it is: what of it the team should study is to be written."""
    return {"text": f"{_about(values, 'topic')}. {TO_WRITE} what of it this team should study."}


def draft_idea(values: Values) -> Draft:
    """A worksheet beside one paper that was found, another for each idea so far. It is no idea, and scored as none."""
    papers, before = mappings(values, "papers"), mappings(values, "ideas")
    paper = papers[len(before) % len(papers)] if papers else None
    said = next(iter(sentences(text_of(paper, "abstract"))), "") if paper else ""
    quoted = f", which says {quote(said, 25)}" if said else ""
    beside = f"Beside it: {cite(paper)}{quoted}." if paper else "No paper was found to set beside it."
    about = without_full_stop(clip(line_of(values, "subject").partition(TO_WRITE)[0], 10)) or "the topic"
    who = line_of(mapping(values, "speaker"), "name") or "a member"
    return {
        "title": f"Worksheet: {about}, {f'with {cite(paper)}' if paper else f'by {who}'}",
        "idea": f"{TO_WRITE} an idea of {who} on {about}. {beside}",
        "experiment": f"{TO_WRITE} how the idea is tested.", "clarity": PLAIN, "feasibility": PLAIN, "novelty": PLAIN,
    }  # fmt: skip
