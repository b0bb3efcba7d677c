"""The draft of an experiment (COI-14): a worksheet with what the cards name, by paper, and the questions that a plan must answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.entities import baselines_in, datasets_in, metrics_in, modules_in
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import distinct, listed, quote
from coi_tui.methods.shared.drafts.worksheet import carried

_OF_AN_IDEA = ("motivation", "novelty", "contributions", "method", "origin", "difference", "challenges", "final")


@dataclass(frozen=True)
class Material:
    """What a plan is made of. ``own``: what a person wrote in the idea; ``sources``: the papers' experiments, new to old."""

    title: str
    own: list[str]
    modules: list[tuple[str, str]]
    datasets: list[str]
    baselines: list[str]
    metrics: list[str]
    sources: list[Values]


def draft_experiment(values: Values) -> Draft:
    """COI-14: a plan in named parts. What the cards do not name is marked as still to be chosen, never invented."""
    m = _material(values)
    return {
        "design": _design(m),
        "baselines": _baselines(m),
        "ablation": "\n".join(f"- Without {name} ({what}): to write." for name, what in m.modules) or "To write: what is switched off.",
        "metrics": f"Measures that the cards name: {listed(m.metrics)}." if m.metrics else "To choose: a measure; the cards name none.",
        "implementation": "To write: the model, the data and the settings that all compared systems share.",
        "feasibility": "To write: the likeliest difficulty, and what would be done about it.",
        "references": distinct(line_of(source, "title") for source in m.sources)[:12],
        "pseudocode": "",
    }


def _material(values: Values) -> Material:
    idea = mapping(values, "idea")
    sources = list(reversed(mappings(values, "experiments")))
    texts = [text_of(source, "experiment") for source in sources]
    title = line_of(idea, "title")
    return Material(
        title=title or "the idea",
        own=carried("the idea", [text_of(idea, part) for part in _OF_AN_IDEA]),
        modules=modules_in(text_of(idea, "method"), strings(idea, "contributions")),
        datasets=distinct([*strings(values, "datasets"), *datasets_in(texts)])[:4],
        baselines=[b for b in distinct([*strings(values, "baselines"), *baselines_in(texts)]) if not b.casefold().startswith("ablat")][:5],
        metrics=metrics_in(texts)[:4],
        sources=sources,
    )


def _design(m: Material) -> str:
    data = f"Data that the cards name: {listed(m.datasets)}." if m.datasets else "To choose: data sets; the chain names none."
    steps = [
        data,
        f"To write: what would be seen if {quote(m.title)} were wrong.",
        "To write: the steps, from the data to that comparison.",
    ]
    return "\n".join([*m.own, *(f"{n}. {step}" for n, step in enumerate(steps, 1))])


def _baselines(m: Material) -> str:
    lines = [f"- {name}{_seen_in(name, m.sources)}." for name in m.baselines]
    lines += [f"- The method of {cite(m.sources[0])}, unchanged."] if m.sources else []
    return "\n".join(lines) or "To choose: baselines; the cards name none."


def _seen_in(name: str, sources: Sequence[Values]) -> str:
    """Which paper's card names a baseline: the newest one that does."""
    source = next((s for s in sources if name.casefold() in text_of(s, "experiment").casefold()), None)
    return f", named in the card of {cite(source)}" if source is not None else ", handed over with the request"
