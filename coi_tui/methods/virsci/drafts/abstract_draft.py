"""The drafts of vote, abstract, revision and self-review: word overlap where it can tell something, places to write elsewhere."""

from __future__ import annotations

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, jaccard, listed, shared_words, without_full_stop
from coi_tui.methods.virsci.contents import MARKS, SECTIONS
from coi_tui.methods.virsci.drafts.talk_draft import PLAIN, TO_WRITE


def draft_vote(values: Values) -> Draft:
    """For the idea whose words overlap least with those of the papers beside it; of equals the first label."""
    scored = []
    for one in mappings(values, "ideas"):
        text = f"{line_of(one, 'title')} {text_of(one, 'idea')}"
        near = [jaccard(text, f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}") for paper in mappings(one, "papers")]
        scored.append((round(max(near, default=0.0), 6), line_of(one, "id") or "A"))
    overlap, label = min(scored, default=(0.0, "A"))
    return {"reason": f"By rule: it shares least words with a paper beside it ({overlap:.2f} of 1).", "choice": label}


def draft_abstract(values: Values) -> Draft:
    """The idea under the five headings, with what each is to say."""
    idea = mapping(values, "idea")
    title = without_full_stop(line_of(idea, "title")) or "Worksheet"
    core = clip(text_of(idea, "idea").removeprefix(TO_WRITE).strip(), 60)
    return {
        "title": title,
        "introduction": f"{TO_WRITE} the question behind this worksheet: {core}",
        "objective": f"{TO_WRITE} what the study would show.",
        "methods": text_of(idea, "experiment") or f"{TO_WRITE} how the idea is tested.",
        "results": f"{TO_WRITE} what is expected; nothing was carried out.",
        "conclusion": f"{TO_WRITE} what would follow from it.",
    }


def draft_revise(values: Values) -> Draft:
    """The abstract as it is: rules cannot better it. With a review, the papers that it has to differ from are named."""
    before, review = mapping(values, "abstract"), mappings(values, "review")
    kept: Draft = {name: text_of(before, name) or f"{TO_WRITE} this part." for name in ("title", *SECTIONS)}
    close = listed([f"“{clip(line_of(one, 'title'), 12)}”" for one in review])
    if close:
        kept["objective"] = f"{kept['objective']} {TO_WRITE} how this differs from {close}."
    changes = f"By rule only this was added: it has to differ from {close}." if close else "None: rules do not revise a text."
    return {"scores": dict.fromkeys(MARKS, PLAIN), "changes": changes, **kept, "enough": True}


def draft_overlap(values: Values) -> Draft:
    """Common words, counted: little of what makes two works the same can be told by that."""
    text = f"{line_of(values, 'title')} {text_of(values, 'text')}"
    rows = []
    for paper in mappings(values, "papers"):
        other = f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}"
        shared = shared_words(text, other, 4)
        reason = f"By rule, from common words: {', '.join(shared)}." if shared else "By rule: no word in common."
        rows.append({"id": line_of(paper, "id") or "P1", "reason": reason, "score": round(100 * jaccard(text, other))})
    return {"scores": rows or [{"id": "P1", "reason": "No paper was given.", "score": 0}]}
