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
    """Where a seed or proposal begins, such as a theory, without the mark of a worksheet and without the papers that its title names.

    A title that named the target would be found in the target, and a worksheet claims nothing yet.
    """
    held = mapping(values, key)
    said = (line_of(held, "title") or line_of(held, "name")).replace("Worksheet:", "").partition(",")[0]
    return without_full_stop(said.strip())


def draft_initial(values: Values) -> Draft:
    """What the papers beside the seed say of themselves; problem, motivation and method are to be written."""
    about, seed = _named(values, "seed") or "the seed", line_of(mapping(values, "seed"), "title").replace("Worksheet:", "").strip()
    papers = [(cite(paper), next(iter(sentences(text_of(paper, "abstract"))), "")) for paper in mappings(values, "papers")[:4]]
    said = [f"{name} says {quote(without_full_stop(first), 25)}." for name, first in papers if first]
    return {
        "name": clip(about, 10),
        "problem": f"{TO_WRITE} the problem that this seed solves: {seed or about}",
        "existing": "\n".join(said) or f"{TO_WRITE} what is done about it now; no paper was found for this seed",
        "motivation": f"{TO_WRITE} why it would work",
        "method": f"{TO_WRITE} the method",
        "experiment": f"{TO_WRITE} steps, baselines and metrics",
    }


def draft_modules(values: Values) -> Draft:
    return {"modules": [{"name": name, "role": role} for name, role in MODULES]}


def draft_module(values: Values) -> Draft:
    return {"text": f"{TO_WRITE} {line_of(mapping(values, 'module'), 'role') or 'what the module does'}"}
