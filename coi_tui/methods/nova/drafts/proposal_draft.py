"""The drafts of proposals: worksheets that quote the seed and name the papers beside it, with places to write."""

from __future__ import annotations

from coi_tui.methods.nova.drafts.seed_draft import TO_WRITE
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, quote, sentences, without_full_stop

MODULES = (
    ("Input", "what goes in, and how it is prepared"), ("Core", "what is done differently, and why that helps"),
    ("Check", "how a step shows by itself that it works"),
)  # fmt: skip
"""The parts that a rule gives every method; a person names them anew."""


def _named(values: Values, key: str) -> str:
    """The title or name of a seed or proposal, without the mark of a worksheet."""
    held = mapping(values, key)
    said = line_of(held, "title") or line_of(held, "name")
    return without_full_stop(said.replace("Worksheet:", "").strip())


def draft_initial(values: Values) -> Draft:
    """What the papers beside the seed say of themselves; problem, motivation and method are to be written."""
    about = clip(_named(values, "seed"), 12) or "the seed"
    papers = mappings(values, "papers")[:4]
    said = [f"{cite(paper)}: {quote(first, 25)}." for paper in papers if (first := next(iter(sentences(text_of(paper, "abstract"))), ""))]
    return {
        "name": clip(about, 5),
        "problem": f"{TO_WRITE} the problem that “{about}” solves",
        "existing": "\n".join(said) or f"{TO_WRITE} what is done about it now; no paper was found for this seed",
        "motivation": f"{TO_WRITE} why it would work",
        "method": f"{TO_WRITE} the method behind “{about}”",
        "experiment": f"{TO_WRITE} steps, baselines and metrics",
    }


def draft_modules(values: Values) -> Draft:
    return {"modules": [{"name": name, "role": f"{TO_WRITE} {role}"} for name, role in MODULES]}


def draft_module(values: Values) -> Draft:
    part = mapping(values, "module")
    role = line_of(part, "role").removeprefix(TO_WRITE).strip() or "what the module does"
    return {"text": f"{TO_WRITE} step by step, {role}"}


def draft_proposal(values: Values) -> Draft:
    """The first proposal as it stands, its modules in their order, and places to write for the rest."""
    proposal, name = mapping(values, "proposal"), _named(values, "proposal") or "the seed"
    apart = [f"To set apart from {cite(case)}." for case in mappings(values, "bad_cases")]
    steps = [f"{line_of(part, 'name')}: {line_of(part, 'description')}" for part in mappings(values, "modules")]
    return {
        "title": f"{'Another worksheet' if apart else 'Worksheet'}: {name}",
        "problem": text_of(proposal, "problem") or f"{TO_WRITE} the problem",
        "motivation": "\n".join([text_of(proposal, "motivation") or f"{TO_WRITE} why it would work", *apart]),
        "method": "\n".join(steps) or f"{TO_WRITE} the method",
        "experiment": [f"{TO_WRITE} the data sets and baselines", f"{TO_WRITE} what is measured, and what would refute the idea"],
        "final": f"{TO_WRITE} the proposal “{name}” in connected prose",
    }
