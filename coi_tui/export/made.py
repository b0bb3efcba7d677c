"""How it was made: services, prompts, spending, searches, decisions, hands (COI-16; issue 2, proposal in Markdown)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.config import CoiSettings
from coi_tui.export.chain import searches_rows
from coi_tui.export.escape import clipped, code, count, inline, listed, moment, sentence, table
from coi_tui.export.sheet import Sheet, name_of
from coi_tui.export.subject import Subject
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision, Version

_KINDS = (("chat", "language model"), ("embed", "embedding"), ("http", "search and record"), ("text", "full text"))


@dataclass(frozen=True)
class Spending:
    """Sums over calls. ``unpriced`` calls have no known price and are in no sum of money."""

    by_kind: Mapping[str, int]
    prompt_tokens: int
    completion_tokens: int
    usd: float
    unpriced: int


def spending(subject: Subject) -> Spending:
    chats = [c for c in subject.calls if c.kind in ("chat", "embed")]
    priced = [c.cost_usd for c in chats if c.cost_usd is not None]
    return Spending(
        dict(Counter(c.kind for c in subject.calls)), sum(c.prompt_tokens for c in chats), sum(c.completion_tokens for c in chats),
        round(sum(priced), 6), len(chats) - len(priced),
    )  # fmt: skip


def drafted(subject: Subject) -> list[str]:
    """Addresses of texts in use that the built-in drafter wrote."""
    return [address for address, version in subject.in_use().items() if version.origin == "drafter"]


def written(subject: Subject) -> list[str]:
    """Addresses of texts in use that a person wrote or edited."""
    return [a for a, v in subject.in_use().items() if v.by_person]


def human_share(subject: Subject) -> float:
    """Share of the characters of questions and generated texts in use that stand in texts a person wrote or edited."""
    sizes = {a: _size(v.content) for a, v in subject.in_use().items() if v.origin != "source" and a != "topic"}
    total = sum(sizes.values())
    return sum(n for a, n in sizes.items() if a in set(written(subject))) / total if total else 0.0


def _size(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return sum(map(_size, values))


def prompts(subject: Subject) -> list[tuple[str, str, str, bool, int]]:
    """Name, version, hash, whether a person's own copy, and calls, for every prompt used."""
    calls = Counter(c.prompt for c in subject.calls if c.prompt)
    found: dict[tuple[str, str, str], bool] = {}
    for recipe in _recipes(subject):
        key = (str(recipe["prompt"]), str(recipe.get("version") or ""), str(recipe.get("hash") or ""))
        if key[1] or key[2]:
            found[key] = found.get(key, False) or bool(recipe.get("overridden"))
    for call in subject.calls:
        if call.prompt:
            asked = call.request
            found.setdefault((call.prompt, str(asked.get("version") or ""), str(asked.get("prompt_hash") or "")), False)
    return [(*key, own, calls[key[0]]) for key, own in sorted(found.items())]


def _recipes(subject: Subject) -> Iterator[Mapping[str, Any]]:
    for version in subject.state.versions.values():
        for recipe in (version.recipe, *(v for v in version.recipe.values() if isinstance(v, Mapping))):
            if recipe.get("prompt"):
                yield recipe


def models(subject: Subject) -> list[tuple[str, str, int]]:
    """Model asked, model that served, calls; from the calls, else from the recipes of the versions."""
    pairs = Counter((c.model_asked, c.model_served) for c in subject.calls if c.kind in ("chat", "embed"))
    if not pairs:
        pairs = Counter((str(r.get("model") or ""), str(r.get("served") or "")) for r in _recipes(subject))
    return [(asked, served, n) for (asked, served), n in sorted(pairs.items()) if asked or served]


def people(subject: Subject) -> list[Decision]:
    """Decisions by people, notes left out: they are private."""
    return [d for d in subject.decisions if d.actor == "you" and d.action not in ("note", "undo", "redo") and not d.creation]


# -- in words -----------------------------------------------------------------------------------------------------


def made_part(sheet: Sheet) -> str:
    subject = sheet.subject
    sections = (
        ("Texts", _texts(subject)), ("Models", _models(subject)), ("Prompts", _prompts(subject)), ("Calls and cost", _calls(subject)),
        ("Searches for anchors", _searches(sheet)), ("Decisions by people", _decisions(subject)), ("Bounds", _bounds(subject)),
        ("Limits", limits(sheet)),
    )  # fmt: skip
    return "\n\n".join(f"### {head}\n\n{body}" for head, body in sections)


def _texts(subject: Subject) -> str:
    uses = subject.in_use()
    words = {"model": "by a language model", "drafter": "by the built-in drafter, without a language model", "scripted": "by a scripted model",
             "source": "from a source of papers", "person": "by a person", "merged": "by a person, merged with a generated text"}  # fmt: skip
    origins = Counter(v.origin for v in uses.values())
    rows = [f"- {count(n, 'text')} in use {'was' if n == 1 else 'were'} made {words[origin]}." for origin, n in sorted(origins.items())]
    own = [name_of(a) for a in written(subject)]
    rows.append(f"- Written or edited by a person: {listed(own) if own else 'none'}."
                f" That is {human_share(subject):.0%} of the characters of these texts, the topic left out.")  # fmt: skip
    kept = {a: len(c.versions) for a, c in sorted(subject.state.cells.items()) if len(c.versions) > 1}
    more = f"; more than one for {', '.join(f'{a} ({n})' for a, n in kept.items())}" if kept else ""
    rows.append(f"- {count(len(subject.state.versions), 'version')} of {count(len(subject.state.cells), 'text')} are kept in the session{more}.")
    stay = [a for a, word in subject.fresh.items() if word == "kept"]
    rows += [f"- Kept by the researcher although an input has changed: {', '.join(stay)}."] if stay else []
    return "\n".join(rows)


def _models(subject: Subject) -> str:
    rows = []
    for asked, served, n in models(subject):
        same = "" if served == asked else f", served as {code(served)}" if served else ", name as served not told"
        rows.append(f"- {code(asked) or 'no name'}{same}: {count(n, 'call')}.")
    if drafted(subject):
        rows.append("- The built-in drafter is no language model: it puts sentences together by rule from the records of the papers.")
    return "\n".join(rows) or "No model has been called."


def _prompts(subject: Subject) -> str:
    rows = [(code(name), inline(version), code(digest[:12]), "own copy" if own else "built in", str(n)) for name, version, digest, own, n in prompts(subject)]
    return table(("Prompt", "Version", "Hash", "From", "Calls"), rows) if rows else "No prompt has been used."


def _calls(subject: Subject) -> str:
    spent = spending(subject)
    if not subject.calls:
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


def _searches(sheet: Sheet) -> str:
    rows = searches_rows(sheet)
    return table(("For", "Query", "Source", "Date", "Hits"), rows) if rows else "None on record."


def _decisions(subject: Subject) -> str:
    """Counts, then each with its reason; what was taken back is said to be."""
    own, undone = people(subject), subject.undone
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


def _bounds(subject: Subject) -> str:
    said = [f"{name.replace('_', ' ')} {subject.bound(name):,}" for name in CoiSettings.model_fields]
    return f"Every loop of the method is bounded: {', '.join(said)}."


def limits(sheet: Sheet) -> str:
    """What the reader must not conclude from this document."""
    rows = [
        "A novelty search compares abstracts of the papers that a few queries found. What it did not find may still exist.",
        "Where a text says that something is new, the claim is the text's own.",
        "Likeness, Elo and Bradley-Terry order candidates and ideas; they do not measure quality.",
    ]
    cards = [sheet.state.in_use(f"{s.address}.card") for b in sheet.subject.shown for s in sheet.state.filled(b)]
    partial = Counter(str(c.content.get("source")) for c in cards if c and c.content.get("source") != "full text")
    if partial:
        rows.append(f"Not read in full: {listed([f'{count(n, f"card", "cards")} from the {inline(kind)} only' for kind, n in sorted(partial.items())])}.")
    unconfirmed = sum(s.why.get("link") == "cites, unconfirmed" for b in sheet.subject.shown for s in sheet.state.filled(b))
    if unconfirmed:
        rows.append(f"{count(unconfirmed, 'citation link')} of the chain {'is' if unconfirmed == 1 else 'are'} unconfirmed.")
    return "\n".join(f"- {row}" for row in rows)


def parts_of(addresses: list[str]) -> str:
    """Kinds of parts in words, each once: ``cards, trends and the idea``."""
    words = {"Q": "questions", "card": "cards", "trend": "trends", "dir": "directions", "idea": "ideas", "nov": "novelty verdicts",
             "exp": "experiment plan", "review": "review", "match": "matches", "rel": "relevance verdicts"}  # fmt: skip
    return listed(list(dict.fromkeys(words.get(parse_address(a).part, parse_address(a).part) for a in addresses)))


def is_machine(version: Version) -> bool:
    return not version.by_person and version.origin != "source"
