"""The drafts of search plans, by gaps in what the seed says, and of new seeds: worksheets beside the papers that were found."""

from __future__ import annotations

from coi_tui.methods.nova.drafts.seed_draft import TO_WRITE
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, number, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, content_words, distinct, quotations, quote, sentences, without_full_stop

SIDES = (
    ("Limits of", "limitations", "names what is open in what the seed builds on"),
    ("How to measure", "evaluation benchmark", "says by what the seed could be tested"),
    ("Data for", "data set", "says on what the seed could be tried"),
    ("Other means for", "method comparison", "shows other means to the same end"),
    ("Overview of", "survey", "names neighbouring work that the seed does not know"),
)
"""The sides from which a rule looks at a seed: how a line begins, the word that is added to the search, and what it may bring."""
WORDS = 5
"""Words of a seed that a search of a rule consists of."""


def draft_plan(values: Values) -> Draft:
    """Lines by rule: the words of the gap that the seed quotes, else those of the target, each time with a word for one of five sides."""
    seed, count = mapping(values, "seed"), number(values, "count", 1, 8, 5)
    gap = content_words(" ".join(quotations(text_of(seed, "text"))))
    about = distinct([*gap, *content_words(line_of(values, "target_title")), *content_words(text_of(seed, "text"))])[:WORDS]
    words = " ".join(about) or "the topic"
    thinking = f"By rule, from the words of {'the gap that the seed quotes' if gap else 'the target'}."
    rows = [(f"{begin} {words}", added, f"It {why}.") for begin, added, why in (SIDES * 2)[:count]]
    return {"lines": [{"thinking": thinking, "title": title, "keywords": added, "rationale": why} for title, added, why in rows]}


def draft_new_seeds(values: Values) -> Draft:
    """A worksheet for each of the first papers found: the seed beside what the paper says. Rules make no idea of the two."""
    seed, papers, count = mapping(values, "seed"), mappings(values, "papers"), number(values, "count", 1, 5, 3)
    about = clip(without_full_stop(line_of(seed, "title").replace("Worksheet:", "").strip()), 12) or "the seed"
    rows = []
    for n in range(count):
        paper = papers[n] if n < len(papers) else None
        said = without_full_stop(next(iter(sentences(text_of(paper, "abstract"))), "")) if paper else ""
        beside = f"Beside it: {cite(paper)}{f', which says {quote(said, 25)}' if said else ''}." if paper else "No further paper was found."
        rows.append({
            "thinking": "By rule: a paper of the search plan set beside the seed.", "papers": [line_of(paper, "id")] if paper else [],
            "title": f"Worksheet: {about}, with {cite(paper) if paper else f'no paper ({n + 1})'}",
            "text": f"{TO_WRITE} an idea to replace the seed ({about}). {beside}",
        })  # fmt: skip
    return {"ideas": rows}
