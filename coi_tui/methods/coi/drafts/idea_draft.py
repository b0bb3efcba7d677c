"""The two drafts of an idea (COI-11): an open limitation, a mechanism to answer it, a second one to check it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coi_tui.methods.coi.drafts.chain_papers import IdeaPlan, chain_of, gaps_of, plans_of, topic_phrase
from coi_tui.methods.shared.drafts.limitation_kinds import LimitationKind, kind_in, kind_of
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    capital,
    clip,
    listed,
    one_line,
    quote,
    sentences,
    share,
    with_full_stop,
    without_full_stop,
    words,
)

_START = re.compile(r"Start from (.+?) and add (.+?)(?:, with (.+?) as a check)?\.(?:\s|$)")


def draft_idea(values: Values) -> Draft:
    """COI-11, first call: motivation, novelty, contributions and method. Bad cases move it to another combination and are named."""
    chain, topic, direction = chain_of(values), line_of(values, "topic"), text_of(values, "direction")
    bad = mappings(values, "bad_cases")
    plans = plans_of(chain, gaps_of(chain, topic), direction)
    if not plans:
        return _without_gap(topic, direction, [paper.cite for paper in chain], bad)
    plan = _away_from(plans, bad)
    kind = plan.gap.kind
    return {
        "motivation": _motivation(plan, kind, topic, direction),
        "novelty": " ".join([_novelty(plan), *_apart(bad, _difference(plan))]),
        "contributions": _contributions(plan, kind),
        "method": _method(plan, kind),
    }


def _away_from(plans: Sequence[IdeaPlan], bad: Sequence[Values]) -> IdeaPlan:
    """The best plan; with bad cases one further down the list, of those the one least like the bad cases."""
    if not bad:
        return plans[0]
    rest = plans[min(len(bad), len(plans) - 1) :]
    taken = " ".join(f"{line_of(case, 'title')} {line_of(case, 'reason')}" for case in bad)
    return min(rest, key=lambda plan: (round(share(_parts(plan), taken), 2), rest.index(plan)))


def _parts(plan: IdeaPlan) -> str:
    return " ".join([plan.gap.limitation, *(f"{paper.title} {paper.mechanism}" for paper in (plan.lender, plan.check) if paper)])


def _motivation(plan: IdeaPlan, kind: LimitationKind, topic: str, direction: str) -> str:
    paper = plan.gap.paper
    subject = f"Work on {topic_phrase(topic)}" if topic_phrase(topic) else "The chain"
    reached = f"{subject} has reached {paper.name} in {paper.cite}." if paper.name else (f"{subject} has reached {paper.cite}.")
    before = (f" Its starting point: {with_full_stop(clip(sentences(paper.background)[0], 45))}") if sentences(paper.background) else ""
    how = f" How it works: {with_full_stop(paper.mechanism)}" if paper.mechanism else ""
    then = f" The problem tackled here is to {kind.goal}, for the setting of this paper first."
    follows = " This follows the direction chosen for the chain." if direction else ""
    return f"{reached}{before}{how} One gap that this paper names is: {quote(plan.gap.limitation)}.{then}{follows}"


def _difference(plan: IdeaPlan) -> str:
    if plan.lender is None:
        return f"the change to {plan.gap.paper.label} that answers {quote(plan.gap.limitation, 20)}"
    return f"the use of {plan.lender.label} inside {plan.gap.paper.label}, aimed at {quote(plan.gap.limitation, 20)}"


def _novelty(plan: IdeaPlan) -> str:
    base = plan.gap.paper
    parts = [f"{base.cite} leaves the named gap as it is; here it is the thing to change."]
    if plan.lender is not None:
        parts.append(f"{plan.lender.cite} has another aim; here its mechanism{plan.lender.how} is put to work on this gap.")
    if plan.check is not None:
        parts.append(f"{plan.check.cite} is used as well, as a check on the added part.")
    parts.append("Whether this combination has been tried before is for the novelty check to find out.")
    return " ".join(parts)


def _apart(bad: Sequence[Values], difference: str) -> list[str]:
    """One sentence for each bad case: what sets this draft apart from it."""
    return [
        f"Unlike {cite(case)}, which came too close to an earlier draft{_because(case)}, this draft turns on {difference}." for case in bad
    ]


def _because(case: Values) -> str:
    reason = without_full_stop(line_of(case, "reason"))
    return f" ({clip(reason, 30)})" if reason else ""


def _contributions(plan: IdeaPlan, kind: LimitationKind) -> list[str]:
    base, lender, check = plan.gap.paper, plan.lender, plan.check
    found = [f"A way to make the gap visible: {kind.diagnosis}, collected for {base.label}."]
    if lender is not None:
        found.append(f"A way to {kind.approach}, built by adding {lender.label}{lender.how} to {base.label}.")
    else:
        found.append(f"A way to {kind.approach}, built into {base.label}.")
    if check is not None:
        found.append(f"A check on the added part that draws on {check.label}, so that a gain can be told apart from a side effect.")
    found.append(f"A study of when the change helps and when it does not, measured by {kind.measure}.")
    return found


def _method(plan: IdeaPlan, kind: LimitationKind) -> str:
    """The core in one sentence (the second call reads it from there), then numbered modules with their function."""
    base, lender, check = plan.gap.paper, plan.lender, plan.check
    added = lender.label if lender else "a module that answers the gap"
    core = f"Start from {base.label} and add {added}{f', with {check.label} as a check' if check else ''}."
    steps = [
        f"Base. Rebuild {base.label}{base.how} and confirm that it behaves as reported before anything is changed.",
        f"Module 1 (diagnosis). Collect {kind.diagnosis}. Function: it shows where {quote(plan.gap.limitation, 25)} bites, and gives "
        f"the set on which the next module is judged.",
        _module_two(plan, kind),
    ]
    if check is not None:
        steps.append(
            f"Module 3 (check). Bring in the step of {check.cite}{check.how} as a second view on what module 2 gives. Function: a change "
            f"is kept only where both agree; elsewhere the base has the last word."
        )
    steps.append(
        "Switch. Let the added modules act on the cases that the diagnosis marks, and leave all others to the base, so that benefit and "
        "cost can be read off case by case."
    )
    why = (
        f"Why this should solve the problem: the gap lies in one place of {base.label}, and the added part acts at that place only. If "
        f"the marked cases do not change, the assumption is wrong, and the diagnosis will show it."
    )
    return "\n".join([core, *(f"{n}. {step}" for n, step in enumerate(steps, 1)), why])


def _module_two(plan: IdeaPlan, kind: LimitationKind) -> str:
    if plan.lender is None:
        return f"Module 2 (answer). {capital(kind.approach)}. Function: it acts where the diagnosis finds the gap."
    return (
        f"Module 2 (answer). Take over the core step of {plan.lender.cite}{plan.lender.how}, and fit it to {plan.gap.paper.label}. "
        f"Function: {kind.approach}."
    )


def _without_gap(topic: str, direction: str, titles: list[str], bad: Sequence[Values]) -> Draft:
    """A draft for a chain whose cards name no limitation: begins with finding one."""
    phrase = topic_phrase(topic) or "the topic"
    ground = f" The papers to start from are {listed(titles)}." if titles else ""
    given = f" The direction to follow begins: {quote(direction, 30)}." if direction else ""
    return {
        "motivation": f"Work on {phrase} is under way, but the cards at hand name no limitation to start "
        f"from.{ground}{given} The problem tackled here is to find the most frequent cause of failure "
        "and to answer it.",
        "novelty": " ".join(
            [
                "The draft does not assume a gap; it measures one first, and changes one part in answer to it.",
                *_apart(bad, f"a measured cause of failure in {phrase}"),
            ]
        ),
        "contributions": [
            f"A set of failure cases for {phrase}, sorted by cause.",
            "A change to one part of a present method that answers the most frequent cause.",
            "A comparison on these cases and on a usual benchmark, with the change switched on and off.",
        ],
        "method": f"Start from a present method for {phrase} and add a module that answers the most frequent cause "
        "of failure.\n"
        "1. Module 1 (diagnosis). Run the method on known data and sort its failures by cause. Function: it shows "
        "what to change.\n"
        "2. Module 2 (answer). Change the one part from which the most frequent cause comes. Function: it acts on "
        "that cause only.\n"
        "3. Switch. Compare with the change on and off, on the failure cases and on all others.",
    }


def draft_final_idea(values: Values) -> Draft:
    """COI-11, second call: title, origin, difference, challenges and the whole idea in connected prose. Keeps the draft's words."""
    draft, topic, bad = mapping(values, "draft"), line_of(values, "topic"), mappings(values, "bad_cases")
    motivation, novelty, method = (text_of(draft, key) for key in ("motivation", "novelty", "method"))
    contributions = strings(draft, "contributions")
    kind = kind_in(motivation) if motivation else kind_of(line_of(values, "direction"))
    return {
        "title": _title(topic, method, kind, bad),
        "origin": _origin(mappings(values, "titles"), line_of(values, "direction")),
        "difference": " ".join(
            [
                one_line(novelty) or "The draft does not say yet how it differs from named methods.",
                *_named_apart(bad, novelty),
            ]
        ),
        "challenges": _challenges(kind, contributions),
        "final": _final(motivation, method, contributions, topic),
    }


def _title(topic: str, method: str, kind: LimitationKind, bad: Sequence[Values]) -> str:
    """Names of the joined parts where the draft has them, else the topic; never a bad case's title, no full stop at the end."""
    found = _START.search(method)
    phrase = topic_phrase(topic, 10)
    pair = [_title_part(part) for part in found.groups()[:2]] if found else []
    subject = " Meets ".join(pair) if pair and all(pair) else phrase or "A Research Idea"
    title = without_full_stop(
        f"{capital(subject)} {kind.tag}" if kind.tag else f"{capital(subject)}: {capital(phrase) or 'Closing a Named Gap'}"
    )
    taken = {line_of(case, "title").casefold() for case in bad}
    return f"Another Way: {title}" if title.casefold() in taken else title


def _title_part(label: str) -> str:
    """The name of a method, or its paper's title up to the colon; nothing for a part without a name."""
    if found := re.match(r'the method of "([^"]+)"', label):
        return without_full_stop(found.group(1).partition(":")[0]) if len(words(found.group(1).partition(":")[0])) <= 6 else ""
    return "" if label.startswith(("a ", "an ", "the ")) else without_full_stop(label)


def _origin(titles: Sequence[Values], direction: str) -> str:
    papers = [cite(paper) for paper in titles]
    lead = (
        (f"The idea comes from reading {listed(papers)} as one line of work, old to new.")
        if papers
        else "The idea comes from the topic alone; no paper of a chain was given."
    )
    step = next((s for s in sentences(direction) if s.startswith("A next step")), "") or next(iter(sentences(direction)), "")
    return f"{lead} The direction behind it: {with_full_stop(clip(step, 70))}" if step else lead


def _named_apart(bad: Sequence[Values], novelty: str) -> list[str]:
    """Sentences for the bad cases that the draft's own novelty does not name yet."""
    missing = [case for case in bad if line_of(case, "title") and line_of(case, "title").replace('"', "'") not in novelty]
    return _apart(missing, "the combination described here, and on the cases in which the named gap shows")


def _challenges(kind: LimitationKind, contributions: Sequence[str]) -> str:
    added = (
        "The added parts may help for a reason other than the one given; each is therefore switched off by itself, and all compared "
        "systems get the same data and the same budget."
    )
    many = (
        (" With several changes at once it is easy to lose sight of causes; the modules are added one after the other.")
        if len(contributions) > 3
        else ""
    )
    return f"{capital(kind.challenge)}: {kind.answer}. {added}{many}"


def _final(motivation: str, method: str, contributions: Sequence[str], topic: str) -> str:
    """Motivation, method and what is claimed, in paragraphs."""
    lead = one_line(motivation) or (f"The idea concerns {topic_phrase(topic) or 'the topic'}; its motivation is still to be written.")
    claims = (
        (f"The work sets out to contribute: {'; '.join(without_full_stop(c[:1].lower() + c[1:]) for c in contributions)}.")
        if contributions
        else ""
    )
    steps = " ".join(re.sub(r"^\d+[.)]\s+", "", line) for line in method.split("\n")) or ("The method is still to be written.")
    return "\n\n".join(part for part in (lead, steps, claims) if part)
