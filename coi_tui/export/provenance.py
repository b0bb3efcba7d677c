"""How a proposal was made: models, prompts, calls and cost, searches, decisions by people, limits (COI-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.export.chain import searches_rows
from coi_tui.export.escape import clipped, code, count, inline, listed, moment, sentence, table
from coi_tui.export.snapshot import NUMBERS, ExportContext, SessionSnapshot, name_of
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision

_ORIGINS = {
    "model": "by a language model",
    "drafter": "by the built-in drafter, without a language model",
    "scripted": "by a scripted model",
    "source": "from a source of papers",
    "person": "by a person",
    "merged": "by a person, merged with a generated text",
}
_KINDS = (("chat", "language model"), ("embed", "embedding"), ("http", "search and record"), ("text", "full text"))


def made_part(context: ExportContext) -> str:
    snapshot = context.snapshot
    sections = (
        ("Texts", _texts(snapshot)), ("Models", _models(snapshot)), ("Prompts", _prompts(snapshot)), ("Calls and cost", _calls(snapshot)),
        ("Searches for anchors", _searches(context)), ("Decisions by people", _decisions(snapshot)), ("Bounds", _bounds(snapshot)),
        ("Limits", limits(context)),
    )  # fmt: skip
    return "\n\n".join(f"### {head}\n\n{body}" for head, body in sections)


def _texts(snapshot: SessionSnapshot) -> str:
    uses = snapshot.in_use()
    origins = Counter(v.origin for v in uses.values())
    rows = [f"- {count(n, 'text')} in use {'was' if n == 1 else 'were'} made {_ORIGINS[origin]}." for origin, n in sorted(origins.items())]
    own = [name_of(a) for a in written(snapshot)]
    rows.append(f"- Written or edited by a person: {listed(own) if own else 'none'}."
                f" That is {human_share(snapshot):.0%} of the characters of these texts, the topic left out.")  # fmt: skip
    kept = {a: len(c.versions) for a, c in sorted(snapshot.state.cells.items()) if len(c.versions) > 1}
    more = f"; more than one for {', '.join(f'{a} ({n})' for a, n in kept.items())}" if kept else ""
    rows.append(
        f"- {count(len(snapshot.state.versions), 'version')} of {count(len(snapshot.state.cells), 'text')} are kept in the session{more}."
    )
    stay = [a for a, word in snapshot.fresh.items() if word == "kept"]
    rows += [f"- Kept by the researcher although an input has changed: {', '.join(stay)}."] if stay else []
    return "\n".join(rows)


def _models(snapshot: SessionSnapshot) -> str:
    rows = []
    for asked, served, n in models(snapshot):
        same = "" if served == asked else f", served as {code(served)}" if served else ", name as served not told"
        rows.append(f"- {code(asked) or 'no name'}{same}: {count(n, 'call')}.")
    if drafted(snapshot):
        rows.append("- The built-in drafter is no language model: it puts sentences together by rule from the records of the papers.")
    return "\n".join(rows) or "No model has been called."


def _prompts(snapshot: SessionSnapshot) -> str:
    rows = [
        (code(name), inline(version), code(digest[:12]), "own copy" if own else "built in", str(n))
        for name, version, digest, own, n in prompts(snapshot)
    ]
    return table(("Prompt", "Version", "Hash", "From", "Calls"), rows) if rows else "No prompt has been used."


def _calls(snapshot: SessionSnapshot) -> str:
    spent = spending(snapshot)
    if not snapshot.calls:
        return "No call has been made."
    kinds = [f"{spent.by_kind[kind]} {word}" for kind, word in _KINDS if spent.by_kind.get(kind)]
    unknown = f" For {count(spent.unpriced, 'call')} no price is known; they are not in this sum." if spent.unpriced else ""
    all_unknown = spent.unpriced and not spent.usd
    cost = "Cost: not known." if all_unknown else f"Cost: {spent.usd:.4f} US dollars.{unknown}"
    return "\n".join([
        f"- Calls kept: {', '.join(kinds)}.",
        f"- Tokens: {spent.prompt_tokens:,} sent, {spent.completion_tokens:,} received.",
        f"- {cost}{unknown if all_unknown else ''}",
    ])  # fmt: skip


def _searches(context: ExportContext) -> str:
    rows = searches_rows(context)
    return table(("For", "Query", "Source", "Date", "Hits"), rows) if rows else "None on record."


def _decisions(snapshot: SessionSnapshot) -> str:
    """Counts, then each with its reason; what was taken back is said to be."""
    own, undone = people(snapshot), snapshot.undone
    if not own:
        return "None: no person has accepted, rejected or changed anything."
    counts = Counter(d.action for d in own)
    lead = ", ".join(f"{word} {n}" for word, n in sorted(counts.items()))
    rows = [f"- {moment(d.time) if d.time else 'undated'}: {_decision(d)}{' (taken back)' if d.group in undone else ''}" for d in own]
    return "\n\n".join([f"{count(len(own), 'decision')}: {lead}.", "\n".join(rows)])


def _decision(d: Decision) -> str:
    paper = f", {code(d.value['paper'])}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {inline(d.value['point'])}" if d.value.get("point") else ""
    reason = f": {sentence(inline(clipped(d.reason)))}" if d.reason else "."
    return f"{inline(d.action)} {inline(d.address)}{paper}{point}{reason}"


def _bounds(snapshot: SessionSnapshot) -> str:
    said = [f"{name.replace('_', ' ')} {snapshot.bound(name):,}" for name in NUMBERS]
    cut = str(snapshot.state.settings.get("known_until") or "")
    seen = f" This session knows no paper published after {inline(cut)}; a language model may know later work all the same." if cut else ""
    return f"Every loop of the method is bounded: {', '.join(said)}.{seen}"


def limits(context: ExportContext) -> str:
    """What the reader must not conclude from this document."""
    rows = [
        "A novelty search compares abstracts of the papers that a few queries found. What it did not find may still exist.",
        "Where a text says that something is new, the claim is the text's own.",
        "Likeness, Elo and Bradley-Terry order candidates and ideas; they do not measure quality.",
    ]
    cards = [context.state.in_use(f"{s.address}.card") for b in context.snapshot.shown for s in context.state.filled(b)]
    partial = Counter(str(c.content.get("source")) for c in cards if c and c.content.get("source") != "full text")
    if partial:
        which = [f"{count(n, 'card')} from the {inline(kind)} only" for kind, n in sorted(partial.items())]
        rows.append(f"Not read in full: {listed(which)}.")
    unconfirmed = sum(s.why.get("link") == "cites, unconfirmed" for b in context.snapshot.shown for s in context.state.filled(b))
    if unconfirmed:
        rows.append(f"{count(unconfirmed, 'citation link')} of the chain {'is' if unconfirmed == 1 else 'are'} unconfirmed.")
    return "\n".join(f"- {row}" for row in rows)


def parts_of(addresses: list[str]) -> str:
    """Kinds of parts in words, each once: ``cards, trends and the idea``."""
    words = {"Q": "questions", "card": "cards", "trend": "trends", "dir": "directions", "idea": "ideas", "nov": "novelty verdicts",
             "exp": "experiment plan", "review": "review", "match": "matches", "rel": "relevance verdicts"}  # fmt: skip
    return listed(list(dict.fromkeys(words.get(parse_address(a).part, parse_address(a).part) for a in addresses)))


@dataclass(frozen=True)
class Spending:
    """Sums over calls. ``unpriced`` calls have no known price and are in no sum of money."""

    by_kind: Mapping[str, int]
    prompt_tokens: int
    completion_tokens: int
    usd: float
    unpriced: int


def spending(snapshot: SessionSnapshot) -> Spending:
    chats = [c for c in snapshot.calls if c.kind in ("chat", "embed")]
    priced = [c.cost_usd for c in chats if c.cost_usd is not None]
    return Spending(
        dict(Counter(c.kind for c in snapshot.calls)), sum(c.prompt_tokens for c in chats), sum(c.completion_tokens for c in chats),
        round(sum(priced), 6), len(chats) - len(priced),
    )  # fmt: skip


def drafted(snapshot: SessionSnapshot) -> list[str]:
    """Addresses of texts in use that the built-in drafter wrote."""
    return [address for address, version in snapshot.in_use().items() if version.origin == "drafter"]


def written(snapshot: SessionSnapshot) -> list[str]:
    """Addresses of texts in use that a person wrote or edited."""
    return [a for a, v in snapshot.in_use().items() if v.by_person]


def human_share(snapshot: SessionSnapshot) -> float:
    """Share of the characters of questions and generated texts in use that stand in texts a person wrote or edited."""
    sizes = {a: _size(v.content) for a, v in snapshot.in_use().items() if v.origin != "source" and a != "topic"}
    total = sum(sizes.values())
    return sum(n for a, n in sizes.items() if a in set(written(snapshot))) / total if total else 0.0


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return sum(map(_size, values))


def prompts(snapshot: SessionSnapshot) -> list[tuple[str, str, str, bool, int]]:
    """Name, version, hash, whether a person's own copy, and calls, for every prompt used."""
    calls = Counter(c.prompt for c in snapshot.calls if c.prompt)
    found: dict[tuple[str, str, str], bool] = {}
    for recipe in _recipes(snapshot):
        key = (str(recipe["prompt"]), str(recipe.get("version") or ""), str(recipe.get("hash") or ""))
        if key[1] or key[2]:
            found[key] = found.get(key, False) or bool(recipe.get("overridden"))
    for call in snapshot.calls:
        if call.prompt:
            asked = call.request
            found.setdefault((call.prompt, str(asked.get("version") or ""), str(asked.get("prompt_hash") or "")), False)
    return [(*key, own, calls[key[0]]) for key, own in sorted(found.items())]


def _recipes(snapshot: SessionSnapshot) -> Iterator[Mapping[str, Any]]:
    for version in snapshot.state.versions.values():
        for recipe in (version.recipe, *(v for v in version.recipe.values() if isinstance(v, Mapping))):
            if recipe.get("prompt"):
                yield recipe


def models(snapshot: SessionSnapshot) -> list[tuple[str, str, int]]:
    """Model asked, model that served, calls; from the calls, else from the recipes of the versions."""
    pairs = Counter((c.model_asked, c.model_served) for c in snapshot.calls if c.kind in ("chat", "embed"))
    if not pairs:
        pairs = Counter((str(r.get("model") or ""), str(r.get("served") or "")) for r in _recipes(snapshot))
    return [(asked, served, n) for (asked, served), n in sorted(pairs.items()) if asked or served]


def people(snapshot: SessionSnapshot) -> list[Decision]:
    """Decisions by people, notes left out: they are private."""
    return [d for d in snapshot.decisions if d.actor == "you" and d.action not in ("note", "undo", "redo") and not d.creation]
