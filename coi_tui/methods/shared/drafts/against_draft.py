"""Drafts for the search against an idea (COI-12): queries by rule that try to find it done already,
each from its angle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coi_tui.llm.worksheet import without_hints
from coi_tui.methods.shared.drafts.prompt_values import (
    Draft,
    Values,
    line_of,
    mapping,
    mappings,
    number,
    strings,
)
from coi_tui.methods.shared.drafts.text_tools import (
    content_words,
    distinct,
    hyphen_parts,
    stem,
    term_weight,
    words,
)

QUERY_WORDS, OWN_WORDS = 9, 12
"""Most words of a query, and of one in the idea's own words."""
FEWEST_WORDS = 2
"""A query of fewer words would bring up anything."""

_OTHER = """
abstractive generative; adaptation transfer; aggregation fusion; alignment matching; anomaly outlier; assistant helper; attack adversary;
attention weighting; augmentation enrichment; bandit exploration; calibration confidence; caption description; causal counterfactual;
chatbot dialogue; citation reference; classification categorization; clustering grouping; collaborative cooperative; compression pruning;
consensus agreement; conversation dialogue; credit attribution; curriculum ordering; debate argumentation; decentralized distributed;
deduplication redundancy; denoising restoration; detection identification; diffusion score; distillation compression; diverse diversity;
document article; drift shift; embedding vector; ensemble committee; explanation interpretability; expert specialist; extraction mining;
fairness equity; federated distributed; finetuning adaptation; forgetting unlearning; grounding attribution;
hallucination faithfulness; hierarchical multilevel; imitation demonstration; inference deduction; instruction command; interactive dialog;
iterative repeated; judge evaluator; label annotation; latent hidden; memory cache; mixture ensemble; multilingual crosslingual;
navigation planning; outlier anomaly; paraphrase rewriting; peer reviewer; planning scheduling; preference ranking; privacy confidentiality;
probing diagnosis; prompt instruction; pruning sparsification; quantization discretization; query question; ranking ordering;
reasoning inference; recommendation personalization; refinement revision; regularization penalty; reinforcement trial; rerank reorder;
retrieval search; review critique; rewriting paraphrase; robot manipulator; sampling selection; search retrieval; segmentation partition;
sentiment opinion; simulation emulation; speech voice; spurious shortcut; student learner; summarization condensation; surrogate proxy;
teacher mentor; tool plugin; translation transfer; tree hierarchy; tuning calibration; uncertainty confidence; verification checking;
vision visual; voting consensus
"""
_ROWS = (row.split() for row in _OTHER.replace("\n", " ").split(";"))
OTHER = {stem(row[0]): row[1] for row in _ROWS}
"""Another word for a word, by its stem."""


def draft_search_against(values: Values) -> Draft:
    """COI-12: at most ``count`` queries, all different and none of those searched already: own
    words and another angle by turns."""
    count = number(values, "count", 1, 12, 6)
    seen = {_key(query) for query in strings(values, "searched")}
    found: list[Draft] = []
    for angle, query in _by_turns(values):
        if query and len(found) < count and _key(query) not in seen:
            seen.add(_key(query))
            found.append({"angle": angle, "query": query})
    return {"queries": found or [{"angle": "own words", "query": _title(values) or "related work"}]}


def _by_turns(values: Values) -> Iterator[tuple[str, str]]:
    """Angles and queries: every other one is in the idea's own words, which find the most
    (``benchmarks/search_against.py``)."""
    own = _own(values)
    for query in _other(values):
        yield "own words", next(own, "")
        yield "other words", query
    yield from (("own words", query) for query in own)


def _own(values: Values) -> Iterator[str]:
    """The telling words of the idea that no search had yet, in the order of the text: what stands
    together may be one work's.

    The parts that say most at once come first.
    """
    had = {key for query in strings(values, "searched") for key in _key(query)}
    said = _whole(values)
    new = [word for word in _telling(said) if stem(word) not in had]
    used = Counter(stem(part) for word in words(said) for part in hyphen_parts(word))
    parts = [new[start : start + OWN_WORDS] for start in range(0, len(new), OWN_WORDS)]
    for part in sorted(
        parts, key=lambda part: -sum(used[stem(word)] for word in part)
    ):  # equals stay in the order of the text
        if len(part) >= FEWEST_WORDS:
            yield " ".join(part)


def _other(values: Values) -> Iterator[str]:
    """What the idea says, in words that others have for it: first title and mechanism, then each
    further claim."""
    claims = mappings(values, "claims")
    mechanism = (line_of(c, "text") for c in claims if line_of(c, "kind") == "mechanism")
    for said in (f"{_title(values)} {next(mechanism, '')}", *(line_of(c, "text") for c in claims)):
        telling = _telling(said)
        other = [OTHER.get(stem(word), word) for word in telling]
        changed = [word for word in other if word not in telling]
        query = distinct([*changed, *other])[:QUERY_WORDS]
        if changed and len(query) > FEWEST_WORDS:
            yield " ".join(query)


def _title(values: Values) -> str:
    return without_hints(line_of(mapping(values, "idea"), "title"))


def _whole(values: Values) -> str:
    """All that the idea says."""
    claims = (line_of(claim, "text") for claim in mappings(values, "claims"))
    return "\n".join(
        [_title(values), without_hints(line_of(mapping(values, "idea"), "summary")), *claims]
    )


def _telling(text: str) -> list[str]:
    """The words of a text that narrow down a search."""
    return [
        word for word in content_words(text) if term_weight(stem(word)) >= 1 and not word.isdigit()
    ]


def _key(query: str) -> frozenset[str]:
    """The words of a query, whatever their order."""
    return frozenset(stem(word) for word in words(query))
