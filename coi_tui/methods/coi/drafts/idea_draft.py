"""The two drafts of an idea (COI-11): a worksheet with a dated gap, a base and a paper to set beside it, to be written over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coi_tui.methods.coi.drafts.chain_papers import ChainPaper, IdeaPlan, chain_of, gaps_of, plans_of, topic_phrase
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import capital, clip, listed, quote, share, without_full_stop
from coi_tui.methods.shared.drafts.worksheet import carried, closed, excerpt, own_sentences

_GAP = re.compile(r'Gap to begin with: .*? names "([^"]+)"')


def draft_idea(values: Values) -> Draft:
    """COI-11, first call: what a person wrote above, a gap, and places to write over. Bad cases move it to another pair and are named."""
    chain, topic, direction = chain_of(values), line_of(values, "topic"), text_of(values, "direction")
    own = [*carried("the direction", [direction]), *carried("a trend", strings(values, "trends"))]
    bad, phrase = mappings(values, "bad_cases"), topic_phrase(topic) or "the topic"
    plans = plans_of(chain, gaps_of(chain, topic), direction)
    if not plans:
        return _without_gap(phrase, own, chain, bad)
    plan = _away_from(plans, bad)
    gap = quote(plan.gap.limitation)
    papers = [paper.cite for paper in (plan.gap.paper, plan.lender, plan.check) if paper]
    return {
        "motivation": "\n".join(
            [
                *own,
                closed(f"Gap to begin with: {plan.gap.paper.cite} names {gap}"),
                f"To write: why the gap of {plan.gap.paper.cite} matters for {phrase}.",
            ]
        ),
        "novelty": "\n".join([f"To write: what sets the idea apart from {listed(papers)}.", *_apart(bad, gap)]),
        "contributions": _contributions(plan, phrase),
        "method": _method(plan),
    }


def _away_from(plans: Sequence[IdeaPlan], bad: Sequence[Values]) -> IdeaPlan:
    """The best plan; with bad cases one further down the list, of those the one least like the bad cases."""
    if not bad:
        return plans[0]
    rest = plans[min(len(bad), len(plans) - 1) :]
    taken = " ".join(f"{line_of(case, 'title')} {line_of(case, 'reason')}" for case in bad)
    return min(rest, key=lambda plan: (round(share(_parts(plan), taken), 2), rest.index(plan)))


def _parts(plan: IdeaPlan) -> str:
    return " ".join([plan.gap.limitation, *(f"{paper.title} {paper.contribution}" for paper in (plan.lender, plan.check) if paper)])


def _apart(bad: Sequence[Values], gap: str) -> list[str]:
    """One sentence for each bad case: that it came too close, and what this draft begins with instead."""
    return [f"Unlike {cite(case)}, which came too close to an earlier draft{_because(case)}, this one begins with {gap}." for case in bad]


def _because(case: Values) -> str:
    reason = without_full_stop(line_of(case, "reason")).replace('"', "'")
    return f" ({clip(reason, 30)})" if reason else ""


def _contributions(plan: IdeaPlan, phrase: str) -> list[str]:
    beside = plan.lender or plan.gap.paper
    return [
        f"An answer to {quote(plan.gap.limitation)}, named by {plan.gap.paper.cite}.",
        f"A comparison with {beside.cite}.",
        f"To write: a claim beyond {plan.gap.paper.cite} that an experiment on {phrase} could refute.",
    ]


def _says(paper: ChainPaper) -> str:
    said = excerpt(paper.contribution or paper.novelty)
    return f", whose card says {said}" if said else ""


def _method(plan: IdeaPlan) -> str:
    """The papers to work from, then modules whose function is still to be written."""
    gap = quote(plan.gap.limitation, 25)
    papers = [("Base", plan.gap.paper), ("Beside it", plan.lender), ("Beside it", plan.check)]
    lines = [closed(f"{place}: {paper.cite}{_says(paper)}") for place, paper in papers if paper]
    lines += [
        f"Module 1 (diagnosis). To write: how cases are found that show {gap}.",
        f"Module 2 (answer). To write: what is changed in the base to answer {gap}.",
    ]
    return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))


def _without_gap(phrase: str, own: Sequence[str], chain: Sequence[ChainPaper], bad: Sequence[Values]) -> Draft:
    """A worksheet for a chain whose cards name no limitation: begins with finding one."""
    start = f" Start from {listed([paper.cite for paper in chain])}." if chain else ""
    return {
        "motivation": "\n".join([*own, "No card names a limitation to begin with.", f"To write: a gap in work on {phrase}.{start}"]),
        "novelty": "\n".join([f"To write: what sets the idea apart from present work on {phrase}.", *_apart(bad, "another gap")]),
        "contributions": [
            f"To write: failure cases of work on {phrase}.",
            f"To write: a change that answers them{f', other than in {len(bad)} earlier drafts' if bad else ''}.",
            "To write: a claim that an experiment could refute.",
        ],
        "method": f"1. Module 1 (diagnosis). To write: how failure cases for {phrase} are found.\n"
        "2. Module 2 (answer). To write: what is changed for them.",
    }


def draft_final_idea(values: Values) -> Draft:
    """COI-11, second call: title, origin, difference and challenges as places to write over; sentences that are not the drafter's stay."""
    draft, topic, bad = mapping(values, "draft"), line_of(values, "topic"), mappings(values, "bad_cases")
    motivation, novelty, method = (text_of(draft, key) for key in ("motivation", "novelty", "method"))
    gap = found.group(1) if (found := _GAP.search(motivation)) else ""
    whole = f"an answer to {quote(gap, 14)}" if gap else f"the idea on {topic_phrase(topic) or 'the topic'}"
    final = own_sentences([motivation, method, *strings(draft, "contributions")], 40)
    named = [f"To set apart from {cite(case)} as well{_because(case)}." for case in bad]
    return {
        "title": _title(topic, gap, bad),
        "origin": _origin(mappings(values, "chain")),
        "difference": "\n".join(own_sentences([novelty], 40) + named) or f"To write: the difference of {whole} from the nearest paper.",
        "challenges": f"To write: what could keep an answer to {quote(gap)} from working." if gap else "To write: what could go wrong.",
        "final": "\n".join([*final, f"To write: {whole} as a whole, from its motivation, its method and its contributions."]),
    }


def _title(topic: str, gap: str, bad: Sequence[Values]) -> str:
    """The gap, else the topic, under the name of what it is; never a bad case's title, no full stop at the end."""
    about = capital(clip(gap, 14)) or capital(topic_phrase(topic, 10)) or "an idea"
    title = f"Worksheet: {without_full_stop(about)}"
    return f"Another {title[0].lower()}{title[1:]}" if title.casefold() in {line_of(case, "title").casefold() for case in bad} else title


def _origin(chain: Sequence[Values]) -> str:
    papers = [cite(paper) for paper in chain]
    return (
        f"Worksheet on {listed(papers)}, read as one chain, old to new." if papers else "Worksheet on the topic alone; no chain was given."
    )
