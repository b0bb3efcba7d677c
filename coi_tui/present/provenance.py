"""How a proposal was made: texts, models, prompts, calls and cost, decisions by people, limits
(COI-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from coi_tui.model.document import Bullets, Paragraph, Section, Table, TableRow
from coi_tui.model.entries import Decision
from coi_tui.model.money import ASKING, Money
from coi_tui.model.text import clipped, count, listed, moment, sentence
from coi_tui.present.snapshot import SessionSnapshot

ORIGINS = {
    "model": "written by a language model",
    "drafter": "written by the built-in drafter, without a language model",
    "scripted": "written by a scripted model",
    "recorded": "written by a language model beforehand and recorded",
    "source": "taken from a source of papers",
    "person": "written by a person",
    "merged": "written by a person and merged with a generated text",
}
RECORDED = (
    "The texts are recorded answers of a language model, some of them condensed or written for the example; the papers are those of the "
    "starter library, and no network was used."
)
LIMITS = (
    "A novelty search compares abstracts of the papers that a few queries found. Work that it did not find may still exist.",
    "Where a text says that something is new, the claim is the text's own.",
    "Similarity, Elo and Bradley-Terry rank candidates and ideas; they do not measure quality.",
)
"""What the reader must not conclude from the document, whatever the method."""


def origins(snapshot: SessionSnapshot) -> Counter[str]:
    """How many texts in use came from where."""
    return Counter(version.origin for version in snapshot.in_use.values())


def written(snapshot: SessionSnapshot) -> list[str]:
    """Addresses of texts in use that a person wrote or edited."""
    return [address for address, version in snapshot.in_use.items() if version.by_person]


def models(snapshot: SessionSnapshot) -> Counter[tuple[str, str]]:
    """How many calls, by the model asked and the model that served."""
    asked = (call for call in snapshot.calls if call.kind in ASKING)
    return Counter((call.model_asked, call.model_served) for call in asked)


def prompts(snapshot: SessionSnapshot) -> list[tuple[str, str, str, bool, int]]:
    """Every prompt that was sent: name, version, hash, whether it is a person's own copy, calls."""
    own_copies = {
        str(recipe.get("hash"))
        for version in snapshot.state.versions.values()
        for recipe in (version.recipe, *version.recipe.values())
        if isinstance(recipe, Mapping) and recipe.get("overridden")
    }
    uses = Counter(
        (call.prompt, str(call.request.get("version")), str(call.request.get("prompt_hash")))
        for call in snapshot.calls
        if call.prompt and call.request.get("prompt_hash")
    )
    return [(*use, use[2] in own_copies, n) for use, n in sorted(uses.items())]


def how_made(snapshot: SessionSnapshot, limits: Sequence[str]) -> Iterator[Section]:
    """``limits``: those that the methods add."""
    yield Section("Texts", (Bullets(tuple(_texts(snapshot))),))
    yield Section("Calls and cost", (Bullets(tuple(_calls(snapshot))),))
    head = ("Prompt", "Version", "Hash", "From", "Calls")
    rows = tuple(
        TableRow((name, version, digest[:12], "own copy" if own else "built in", str(n)))
        for name, version, digest, own, n in prompts(snapshot)
    )
    yield Section("Prompts", (Table(head, rows) if rows else Paragraph("None."),))
    own, undone = people(snapshot), snapshot.undone
    lines = tuple(f"{_decision(d)}{' (undone)' if d.group in undone else ''}" for d in own)
    yield Section("Decisions by people", (Bullets(lines) if lines else Paragraph("None."),))
    if cut := str(snapshot.state.settings.get("known_until") or ""):
        known = f"This session knows no paper published after {cut}; a language model may know later work all the same."
        limits = (known, *limits)
    yield Section("Limits", (Bullets((*LIMITS, *limits)),))


def people(snapshot: SessionSnapshot) -> list[Decision]:
    """Decisions by people, notes left out: they are private."""
    return [
        d
        for d in snapshot.decisions
        if d.actor == "you" and d.action not in ("note", "undo", "redo") and not d.creation
    ]


def _texts(snapshot: SessionSnapshot) -> Iterator[str]:
    for origin, n in sorted(origins(snapshot).items()):
        yield f"{count(n, 'text')} in use {'was' if n == 1 else 'were'} {ORIGINS[origin]}."
    if own := written(snapshot):
        yield f"Written or edited by a person: {listed([snapshot.name_of(at) for at in own])}."
    if kept := [address for address, status in snapshot.fresh.items() if status == "kept"]:
        yield f"Kept by the researcher although an input has changed: {', '.join(kept)}."


def _calls(snapshot: SessionSnapshot) -> Iterator[str]:
    for (asked, served), n in sorted(models(snapshot).items()):
        other = f", served as {served}" if served and served != asked else ""
        yield f"{asked or 'no name'}{other}: {count(n, 'call')}."
    kinds = Counter(call.kind for call in snapshot.calls if not call.local)
    requests = kinds["http"] + kinds["text"]
    yield f"{count(requests, 'request')} for papers: searches, records and full texts."
    sent = sum(call.prompt_tokens for call in snapshot.calls)
    received = sum(call.completion_tokens for call in snapshot.calls)
    cost = Money.of(snapshot.calls)
    unknown = f" The price of {count(cost.unpriced, 'call')} is not known." if cost.unpriced else ""
    yield f"Tokens: {sent:,} sent, {received:,} received. Cost: {cost}.{unknown}"
    if origins(snapshot)["recorded"]:
        yield RECORDED


def _decision(d: Decision) -> str:
    paper = f", {d.value['paper']}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {d.value['point']}" if d.value.get("point") else ""
    reason = f": {sentence(clipped(d.reason))}" if d.reason else "."
    when = moment(d.time) if d.time else "undated"
    return f"{when}: {d.action} {d.address}{paper}{point}{reason}"
