"""The draft of a future direction (COI-10): a worksheet of the chain's open limitations, to be written over."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from coi_tui.methods.coi.drafts.chain_papers import ANSWERED, ChainPaper, Gap, answered_by, chain_of, gaps_of, plans_of, topic_phrase
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, strings
from coi_tui.methods.shared.drafts.text_tools import listed, quote, shared_words
from coi_tui.methods.shared.drafts.worksheet import carried, closed

Mode = Literal["reflection", "analogy", "deep dive"]
_MEANS: dict[Mode, str] = {
    "reflection": "the later card shares words with a limitation that the earlier one states",
    "deep dive": "both cards share several words on what is new",
    "analogy": "the cards share few words",
}


def draft_direction(values: Values) -> Draft:
    """COI-10: the chain, what a person wrote in its trends, its gaps by paper and year, and open questions; and a note."""
    chain, topic, hunch = chain_of(values), line_of(values, "topic"), line_of(values, "hunch")
    gaps = gaps_of(chain, topic)
    own = carried("a trend", strings(values, "trends"))
    parts = [_chain(chain), "\n".join(f"- {line}" for line in own), _gaps(gaps), _questions(chain, gaps, " ".join([hunch, *own]), topic)]
    parts += [f"Open question: what of this serves the hunch {quote(hunch)}?"] if hunch else []
    return {"text": "\n\n".join(part for part in parts if part), "note": _note(chain)}


def _chain(chain: Sequence[ChainPaper]) -> str:
    if not chain:
        return "The chain has no cards yet."
    if len(chain) == 1:
        return f"The chain holds one paper, {chain[0].cite}."
    return f"The chain runs from {chain[0].cite} to {chain[-1].cite}."


def _gaps(gaps: Sequence[Gap]) -> str:
    still = [gap for gap in gaps if gap.open][:4]
    if not still:
        return "No card names a limitation that stays open." if gaps else "No card names a limitation."
    lines = "\n".join(f"- {closed(f'{gap.paper.cite}: {quote(gap.limitation)}')}" for gap in still)
    return f"Gaps that no later card of the chain shares words with, each by its own paper:\n{lines}"


def _questions(chain: Sequence[ChainPaper], gaps: Sequence[Gap], wanted: str, topic: str) -> str:
    phrase = topic_phrase(topic) or "the topic"
    if not gaps:
        return f"To write: where present work on {phrase} falls short, and how a direction would answer it."
    plan = plans_of(chain, gaps, wanted)[0]
    lines = [f"Open question: what would answer {quote(plan.gap.limitation)}, which {plan.gap.paper.cite} names?"]
    if plan.lender is not None:
        lines.append(f"Open question: does {plan.lender.cite} offer a means for it?")
    lines.append(f"To write: a direction for {phrase} from {plan.gap.paper.cite} on, in your own words.")
    return "\n".join(lines)


def _note(chain: Sequence[ChainPaper]) -> str:
    steps = [(older, newer, _mode(older, newer)) for older, newer in pairwise(chain)]
    if not steps:
        return "With fewer than two papers there is no step to learn from."
    parts = []
    for mode, means in _MEANS.items():
        if pairs := [f"{older.short} to {newer.short}" for older, newer, found in steps if found == mode]:
            parts.append(closed(f"By {mode} ({means}): {listed(pairs)}"))
    return " ".join(["How the cards follow each other, by their words alone.", *parts])


def _mode(older: ChainPaper, newer: ChainPaper) -> Mode:
    """Reflection where words of a stated limitation return; deep dive where much is shared; analogy otherwise."""
    if any(answered_by(limitation, newer) >= ANSWERED for limitation in older.limitations):
        return "reflection"
    common = shared_words(f"{older.novelty} {older.contribution}", f"{newer.novelty} {newer.contribution}", 8)
    return "deep dive" if len(common) >= 4 else "analogy"
