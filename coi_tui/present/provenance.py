"""How a proposal was made: texts, models, prompts, calls and cost, searches, decisions by people,
limits (COI-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coi_tui.model.address import Branch
from coi_tui.model.calls import Call
from coi_tui.model.document import Block, Bullets, Paragraph, Section, plain_table
from coi_tui.model.entries import Decision
from coi_tui.model.money import amount
from coi_tui.model.text import clipped, count, listed, moment, sentence
from coi_tui.present.snapshot import ExportContext, SessionSnapshot, name_of

ORIGINS = {
    "model": "written by a language model",
    "drafter": "written by the built-in drafter, without a language model",
    "scripted": "written by a scripted model",
    "recorded": "written by a language model beforehand and recorded",
    "source": "taken from a source of papers",
    "person": "written by a person",
    "merged": "written by a person and merged with a generated text",
}
_KINDS = (
    ("chat", "text generation"),
    ("embed", "embedding"),
    ("http", "search or record"),
    ("text", "full text"),
)


# -- statistics: also for the JSON export


@dataclass(frozen=True)
class Spending:
    """Sums over calls. ``unpriced`` calls have no known price and are in no sum of money."""

    calls: Mapping[str, int]
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    usd: float
    unpriced: int


def spending(snapshot: SessionSnapshot) -> Spending:
    chats = _asked(snapshot)
    priced = [c.cost_usd for c in chats if c.cost_usd is not None]
    return Spending(
        dict(Counter(c.kind for c in snapshot.calls if not c.local)),
        sum(c.prompt_tokens for c in chats),
        sum(c.completion_tokens for c in chats),
        sum(c.cached_tokens for c in chats),
        round(sum(priced), 6),
        len(chats) - len(priced),
    )


def _asked(snapshot: SessionSnapshot) -> list[Call]:
    """The calls of models."""
    return [c for c in snapshot.calls if c.kind in ("chat", "embed")]


def drafted(snapshot: SessionSnapshot) -> list[str]:
    """Addresses of texts in use that the built-in drafter wrote."""
    return [address for address, version in snapshot.in_use.items() if version.origin == "drafter"]


RECORDED = (
    "The texts are recorded answers of a language model, some of them condensed or written for the example; the papers are those of the "
    "starter library, and no network was used."
)


def recorded(snapshot: SessionSnapshot) -> bool:
    """Whether a text in use is a recorded reply."""
    return any(version.origin == "recorded" for version in snapshot.in_use.values())


def written(snapshot: SessionSnapshot) -> list[str]:
    """Addresses of texts in use that a person wrote or edited."""
    return [a for a, v in snapshot.in_use.items() if v.by_person]


@dataclass(frozen=True)
class PromptUse:
    """A prompt that was used. ``own_copy``: a person's own copy, not the built-in one."""

    name: str
    version: str
    hash: str
    own_copy: bool
    calls: int


def prompts(snapshot: SessionSnapshot) -> list[PromptUse]:
    """Every prompt that was sent."""
    own_copies = {
        str(recipe.get("hash"))
        for version in snapshot.state.versions.values()
        for recipe in (version.recipe, *version.recipe.values())
        if isinstance(recipe, Mapping) and recipe.get("overridden")
    }
    uses = Counter(
        (c.prompt, str(c.request.get("version")), str(c.request.get("prompt_hash")))
        for c in snapshot.calls
        if c.prompt and c.request.get("prompt_hash")
    )
    return [
        PromptUse(name, version, digest, digest in own_copies, n)
        for (name, version, digest), n in sorted(uses.items())
    ]


def models(snapshot: SessionSnapshot) -> list[tuple[str, str, int]]:
    """Model asked, model that served, calls."""
    pairs = Counter((c.model_asked, c.model_served) for c in _asked(snapshot))
    return [(asked, served, n) for (asked, served), n in sorted(pairs.items())]


def people(snapshot: SessionSnapshot) -> list[Decision]:
    """Decisions by people, notes left out: they are private."""
    return [
        d
        for d in snapshot.decisions
        if d.actor == "you" and d.action not in ("note", "undo", "redo") and not d.creation
    ]


# -- the section


def how_made(context: ExportContext, branch: Branch = 0) -> Iterator[Section]:
    snapshot, method = context.snapshot, context.snapshot.document
    yield Section("Texts", (Bullets(tuple(_texts(snapshot))),))
    yield Section("Models", (Bullets(tuple(_models(snapshot)) or ("No model has been called.",)),))
    yield Section("Prompts", (_prompts(snapshot),))
    yield Section("Calls and cost", (Bullets(tuple(_calls(snapshot))),))
    yield from method.provenance
    yield Section("Decisions by people", tuple(_decisions(snapshot)))
    yield Section("Bounds", (Paragraph(_bounds(snapshot)),))
    yield Section("Limits", (Bullets((*LIMITS, *method.limits)),))


def _texts(snapshot: SessionSnapshot) -> Iterator[str]:
    origins = Counter(v.origin for v in snapshot.in_use.values())
    yield from (
        f"{count(n, 'text')} in use {'was' if n == 1 else 'were'} {ORIGINS[origin]}."
        for origin, n in sorted(origins.items())
    )
    own = [name_of(snapshot, address) for address in written(snapshot)]
    yield f"Written or edited by a person: {listed(own) if own else 'none'}."
    state = snapshot.state
    yield f"{count(len(state.versions), 'version')} of {count(len(state.cells), 'text')} are kept in the session."
    if kept := [address for address, status in snapshot.fresh.items() if status == "kept"]:
        yield f"Kept by the researcher although an input has changed: {', '.join(kept)}."


def _models(snapshot: SessionSnapshot) -> Iterator[str]:
    for asked, served, n in models(snapshot):
        same = (
            ""
            if served == asked
            else f", served as {served}"
            if served
            else ", served name not reported"
        )
        yield f"{asked or 'no name'}{same}: {count(n, 'call')}."
    if drafted(snapshot):
        yield "The built-in drafter is not a language model: it puts sentences together by rule from the records of the papers."
    if recorded(snapshot):
        yield RECORDED


def _prompts(snapshot: SessionSnapshot) -> Block:
    rows = [
        (p.name, p.version, p.hash[:12], "own copy" if p.own_copy else "built in", str(p.calls))
        for p in prompts(snapshot)
    ]
    return (
        plain_table(("Prompt", "Version", "Hash", "From", "Calls"), tuple(rows))
        if rows
        else Paragraph("No prompt has been used.")
    )


def _calls(snapshot: SessionSnapshot) -> Iterator[str]:
    if not snapshot.calls:
        yield "No call has been made."
        return
    spent = spending(snapshot)
    yield f"Calls on record: {', '.join(f'{word} {spent.calls[kind]}' for kind, word in _KINDS if spent.calls.get(kind))}."
    cached = f" ({spent.cached_tokens:,} of them cached)" if spent.cached_tokens else ""
    yield f"Tokens: {spent.prompt_tokens:,} sent{cached}, {spent.completion_tokens:,} received."
    yield f"Cost: {_cost(spent)}"


def _cost(spent: Spending) -> str:
    unknown = f"The price of {count(spent.unpriced, 'call')} is not known" if spent.unpriced else ""
    if spent.unpriced and not spent.usd:
        return f"unknown. {unknown}."
    return f"{amount(spent.usd)} US dollars.{f' {unknown} and not included.' if unknown else ''}"


def _decisions(snapshot: SessionSnapshot) -> Iterator[Block]:
    """Counts, then each with its reason; what was undone is said to be."""
    own, undone = people(snapshot), snapshot.undone
    if not own:
        yield Paragraph("None: no person has accepted, rejected or changed anything.")
        return
    counts = Counter(d.action for d in own)
    yield Paragraph(
        f"{count(len(own), 'decision')}: {', '.join(f'{word} {n}' for word, n in sorted(counts.items()))}."
    )
    yield Bullets(tuple(f"{_decision(d)}{' (undone)' if d.group in undone else ''}" for d in own))


def _decision(d: Decision) -> str:
    paper = f", {d.value['paper']}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {d.value['point']}" if d.value.get("point") else ""
    reason = f": {sentence(clipped(d.reason))}" if d.reason else "."
    return (
        f"{moment(d.time) if d.time else 'undated'}: {d.action} {d.address}{paper}{point}{reason}"
    )


def _bounds(snapshot: SessionSnapshot) -> str:
    said = []
    for instance, bounds in snapshot.bounds_by_method.items():
        told = listed([f"{name.replace('_', ' ')} {value:,}" for name, value in bounds.items()])
        said += [f"{snapshot.methods.instances[instance].name}: {told}."] if bounds else []
    if cut := str(snapshot.state.settings.get("known_until") or ""):
        said.append(
            f"This session knows no paper published after {cut}; a language model may know later work all the same."
        )
    return " ".join(["Every loop has a limit.", *said])


LIMITS = (
    "A novelty search compares abstracts of the papers that a few queries found. Work that it did not find may still exist.",
    "Where a text says that something is new, the claim is the text's own.",
    "Similarity, Elo and Bradley-Terry rank candidates and ideas; they do not measure quality.",
)
"""What the reader must not conclude from the document, whatever the method."""
