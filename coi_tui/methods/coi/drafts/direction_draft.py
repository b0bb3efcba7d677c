"""The draft of a future direction (COI-10): from the chain's open limitations and the way its authors went from paper to paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from coi_tui.methods.coi.drafts.chain_papers import (
    ANSWERED,
    ChainPaper,
    Gap,
    IdeaPlan,
    answered_by,
    chain_of,
    gaps_of,
    plans_of,
    topic_phrase,
)
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of
from coi_tui.methods.shared.drafts.text_tools import listed, quote, shared_words, with_full_stop

Mode = Literal["reflection", "analogy", "deep dive"]
_MEANS: dict[Mode, str] = {
    "reflection": "the later paper takes up a limitation that the earlier one states",
    "analogy": "the later paper brings in means that the earlier one does not have",
    "deep dive": "the later paper works further on parts that the earlier one has already",
}


def draft_direction(values: Values) -> Draft:
    """COI-10: an open problem with its paper, a way to solve it with means of the chain, a first check, and a note."""
    chain, topic, hunch = chain_of(values), line_of(values, "topic"), line_of(values, "hunch")
    gaps = gaps_of(chain, topic)
    parts = [
        _movement(chain, topic),
        _open_list(gaps),
        _step(chain, gaps, hunch, topic),
        _first_check(chain, gaps, hunch),
    ]
    return {"text": "\n\n".join(part for part in parts if part), "note": _note(chain)}


def _movement(chain: Sequence[ChainPaper], topic: str) -> str:
    about = f" on {topic_phrase(topic)}" if topic_phrase(topic) else ""
    if not chain:
        return with_full_stop(f"The chain{about} has no cards yet, so this direction rests on the topic alone")
    first, last = chain[0], chain[-1]
    if len(chain) == 1:
        return with_full_stop(
            f"The chain{about} holds one paper, {first.cite}; it works with {first.mechanism or 'a method that the card does not describe'}"
        )
    start = first.mechanism or "a method that the card does not describe"
    end = last.mechanism or "a method that the card does not describe"
    return (
        f"The chain{about} runs from {first.cite} to {last.cite}. "
        + with_full_stop(f"At its start stands {start}")
        + " "
        + with_full_stop(f"Its latest step is {end}")
    )


def _open_list(gaps: Sequence[Gap]) -> str:
    still = [gap for gap in gaps if gap.open][:4]
    if not still:
        return "No card of the chain names a limitation that stays open after the later papers." if gaps else ""
    lines = "\n".join(f"- {gap.paper.cite}: {with_full_stop(gap.limitation)}" for gap in still)
    return f"Limitations that no later paper of the chain speaks to, each belonging to its own paper:\n{lines}"


def _step(chain: Sequence[ChainPaper], gaps: Sequence[Gap], hunch: str, topic: str) -> str:
    if not gaps:
        phrase = topic_phrase(topic) or "the topic"
        return (
            f"A next step is to find out, on a small set of cases, where present methods for {phrase} go wrong, and to start from the "
            f"most frequent cause."
        )
    plan = plans_of(chain, gaps, hunch)[0]
    lead = (
        f"A next step is to start from {plan.gap.paper.label} and {plan.gap.kind.goal}, because {plan.gap.paper.cite} leaves this open: "
        f"{quote(plan.gap.limitation)}."
    )
    return " ".join([lead, with_full_stop(f"A way to try is to {plan.gap.kind.approach}"), _carry(plan), _about(hunch, plan)]).strip()


def _carry(plan: IdeaPlan) -> str:
    if plan.lender is None:
        return ""
    what = f": {plan.lender.mechanism}" if plan.lender.mechanism else ""
    return with_full_stop(f"What {plan.lender.cite} does could be carried over for this{what}")


def _about(hunch: str, plan: IdeaPlan) -> str:
    if not hunch:
        return ""
    common = shared_words(hunch, plan.gap.limitation, 3)
    link = f"; it meets this limitation in {listed(common)}" if common else ""
    return with_full_stop(f"The hunch to keep in view is {quote(hunch)}{link}")


def _first_check(chain: Sequence[ChainPaper], gaps: Sequence[Gap], hunch: str) -> str:
    if not gaps:
        return ""
    kind = plans_of(chain, gaps, hunch)[0].gap.kind
    return (
        f"First check, before anything is built: collect {kind.diagnosis}, and see whether there are enough of them to matter. The "
        f"measure to watch is {kind.measure}."
    )


def _note(chain: Sequence[ChainPaper]) -> str:
    steps = [(older, newer, _mode(older, newer)) for older, newer in pairwise(chain)]
    if not steps:
        return (
            "With fewer than two papers there is no step to learn from. The mode used here is reflection: start from what a method "
            "states as its limit."
        )
    parts = []
    for mode in _MEANS:
        pairs = [f"{older.short} to {newer.short}" for older, newer, found in steps if found == mode]
        if pairs:
            parts.append(with_full_stop(f"By {mode} ({_MEANS[mode]}): {'; '.join(pairs)}"))
    usual = Counter(mode for _, _, mode in steps).most_common(1)[0][0]
    return " ".join(["How the authors of the chain got from one paper to the next, as far as the cards tell.", *parts, _used(usual)])


def _used(usual: Mode) -> str:
    return (
        f"The most frequent move is {usual}. This direction imitates the chain: it begins with a stated limitation and answers it with "
        f"means from within the chain."
    )


def _mode(older: ChainPaper, newer: ChainPaper) -> Mode:
    """Reflection where a stated limitation is taken up; deep dive where much is shared; analogy otherwise."""
    if any(answered_by(limitation, newer) >= ANSWERED for limitation in older.limitations):
        return "reflection"
    common = shared_words(f"{older.novelty} {older.contribution}", f"{newer.novelty} {newer.contribution}", 8)
    return "deep dive" if len(common) >= 4 else "analogy"
