"""The draft of an experiment (COI-14): from the data sets, baselines and metrics of the chain and the modules of the idea."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.shared.drafts.entities import Entity, baselines_in, datasets_in, entities_of, metrics_in, modules_in
from coi_tui.methods.shared.drafts.limitation_kinds import LimitationKind, kind_in
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, strings, text_of
from coi_tui.methods.shared.drafts.text_tools import capital, distinct, listed, quote, share, with_full_stop


@dataclass(frozen=True)
class Material:
    """What a plan is made of. ``sources`` are the papers' experiments, new to old."""

    title: str
    kind: LimitationKind
    modules: list[tuple[str, str]]
    datasets: list[str]
    baselines: list[str]
    metrics: list[str]
    entities: list[Entity]
    sources: list[Values]


def draft_experiment(values: Values) -> Draft:
    """COI-14: a plan in eight named parts. What the chain does not name is marked as still to be chosen, never invented."""
    m = _material(values)
    return {
        "design": _design(m),
        "baselines": _baselines(m),
        "ablation": _ablation(m),
        "metrics": _metrics(m),
        "implementation": _implementation(m),
        "feasibility": _feasibility(m),
        "references": distinct(line_of(source, "title") for source in m.sources)[:12],
        "pseudocode": _pseudocode(m),
    }


def _material(values: Values) -> Material:
    idea = mapping(values, "idea")
    sources = list(reversed(mappings(values, "experiments")))
    texts = [text_of(source, "experiment") for source in sources]
    about = f"{line_of(idea, 'title')} {line_of(idea, 'motivation')} {line_of(idea, 'method')}"
    datasets = distinct([*strings(values, "datasets"), *datasets_in(texts)])
    named = [name for name in datasets if name.casefold() in about.casefold()]
    return Material(
        title=line_of(idea, "title") or "the idea",
        kind=kind_in(text_of(idea, "motivation")),
        modules=modules_in(text_of(idea, "method"), strings(idea, "contributions")),
        datasets=distinct([*named, *datasets])[:4],
        baselines=[b for b in distinct([*strings(values, "baselines"), *baselines_in(texts)]) if not b.casefold().startswith("ablat")][:5],
        metrics=metrics_in(texts)[:4],
        entities=sorted(
            (e for e in entities_of(values) if e.description != "data set"),
            key=lambda e: -round(share(e.with_description, about), 2),
        )[:4],
        sources=sources,
    )


def _design(m: Material) -> str:
    data = (
        f"Take {listed(m.datasets)} with their usual splits"
        if m.datasets
        else ("Choose at least two public data sets for the task; the chain names none")
    )
    parts = listed([f"{name} ({what})" for name, what in m.modules if what != "diagnosis"]) or "the changed part"
    steps = [
        f"Data. {data}. Keep a held-out part for every choice that is made along the way.",
        "Base. Run the base method without any change, and compare with the numbers of its paper before going on.",
        f"Diagnosis. Collect {m.kind.diagnosis}. Purpose: to see whether the gap is there, and on how many items.",
        f"Change. Add {parts}, one after the other, with the same data and the same budget as the base.",
        f"Main comparison. Run all systems on all data sets. Purpose: to learn whether {quote(m.title)} changes {m.kind.measure}.",
        "Analysis. Report the cases marked by the diagnosis apart from all others. Purpose: to see whether a change comes from where it "
        "should come from.",
    ]
    return "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))


def _baselines(m: Material) -> str:
    newest = cite(m.sources[0]) if m.sources else ""
    lines = [f"- {name}{_seen_in(name, m.sources)}." for name in m.baselines]
    if newest:
        lines.append(f"- The method of {newest}, unchanged: it shows what the new parts add to the latest work of the chain.")
    lines.append("- The base method given the same extra budget as the full system: it shows that a gain is not a matter of spending more.")
    lead = "" if m.baselines else ("The chain names no baselines beyond its own papers; further ones are to be chosen.\n")
    return lead + "\n".join(lines)


def _seen_in(name: str, sources: Sequence[Values]) -> str:
    """Which paper's experiment names a baseline: the newest one that does."""
    source = next((s for s in sources if name.casefold() in text_of(s, "experiment").casefold()), None)
    return f", as compared with in {cite(source)}" if source is not None else ", as handed over with the request"


_OFF = {
    "diagnosis": "as many cases are marked at random; this shows whether it matters which cases are changed",
    "answer": "the marked cases go through the base; this is the main test of the idea",
    "check": "every change is kept; this shows what the check prevents and what it costs",
}


def _ablation(m: Material) -> str:
    lines = [f"- Without {name} ({what}): {_OFF.get(what, 'everything else stays the same')}." for name, what in m.modules]
    lines.append("- Without the restriction to marked cases: the changed parts act on every item.")
    return "Each part is switched off by itself, with the same data and settings.\n" + "\n".join(lines)


def _metrics(m: Material) -> str:
    usual = (
        (f"{capital(listed(m.metrics))}, as in the papers of the chain, so that results can be set beside theirs.")
        if m.metrics
        else ("The measure that each data set prescribes; the chain's experiment notes name none.")
    )
    return f"{usual} For the gap itself: {m.kind.measure}. Every number is given with its spread over three seeds."


def _implementation(m: Material) -> str:
    tools = (f"Terms that have to be built or reused: {listed([e.with_description for e in m.entities], 'and')}. ") if m.entities else ""
    return with_full_stop(
        f"Start from the published code of the base method where there is any, and else rebuild it from the paper. {tools}All systems "
        f"share one underlying model, one set of prompts or training settings, and one decoding setting; settings are tuned on held-out "
        f"data only. Every call and output is logged, so that cases can be read afterwards"
    )


def _feasibility(m: Material) -> str:
    points = [
        f"{capital(m.kind.challenge)}. Answer: {m.kind.answer}.",
        "The base method may not reach its reported numbers. Answer: report the difference, and compare with the rebuilt one only.",
        "The gap may be rare in the chosen data. Answer: count it in the diagnosis first, and change the data before building anything.",
    ]
    return "\n".join(f"- {point}" for point in points)


def _pseudocode(m: Material) -> str:
    names = [name.replace(" ", "_") for name, _ in m.modules] or ["change"]
    first = m.datasets[0] if m.datasets else "data"
    inner = [f"        out = {name}(item, out)" for name in _acting(names)]
    return "\n".join(
        [
            f"for item in {first}:",
            "    out = base(item)",
            "    if marked(item, out):    # found by the diagnosis",
            *inner,
            "    record(item, out)",
            "compare(recorded, baselines)",
        ]
    )


def _acting(names: Sequence[str]) -> list[str]:
    """The modules that change an output: all but the first, which marks the cases."""
    return list(names[1:] or names)
