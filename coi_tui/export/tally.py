"""Numbers about a session's making: calls, money, prompts, models, hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.export.subject import Subject
from coi_tui.model.entries import Decision


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
