"""Replies that are sound but for some items, as real servers send them, and replies that only repeat the prompt's example.

Drawn from a seed and the messages, so that a question that is asked again is a new draw.
"""

from __future__ import annotations

import hashlib
import random
import re
from typing import Any

from benchmarks.standins.chat_replies import Asked

VERDICT_SHARE, LIST_SHARE = 0.2, 0.1
"""One of five verdicts is bad, one of ten lists has a blank item, and one of ten is over-long."""
LONG = 15
ECHOES = ("example", "string", "same")
_CHOICES = ("verdict", "topic")


def damaged(data: Any, seed: int, texts: list[tuple[str, str]]) -> Any:
    """The reply with some of its items spoiled."""
    if not isinstance(data, dict):
        return data
    rng = random.Random(hashlib.sha256(repr((seed, texts)).encode()).hexdigest())
    return {
        name: _list(value, rng) if isinstance(value, list) else value
        for name, value in data.items()
    }


def _list(items: list[Any], rng: random.Random) -> list[Any]:
    if items and isinstance(items[0], dict) and "id" in items[0]:
        return [bad for item in items for bad in _verdict(item, rng)]
    draw = rng.random()
    if draw < LIST_SHARE:
        blank = dict.fromkeys(items[0], "") if items and isinstance(items[0], dict) else "  "
        place = rng.randrange(len(items) + 1)
        return [*items[:place], blank, *items[place:]]
    if draw < 2 * LIST_SHARE and items:
        return [_another(items[n % len(items)], n) for n in range(max(LONG, len(items)))]
    return items


def _verdict(item: dict[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    if rng.random() >= VERDICT_SHARE:
        return [item]
    match rng.choice(("unreadable", "missing", "other label")):
        case "unreadable":
            return [
                {key: "hard to say" if key in _CHOICES else value for key, value in item.items()}
            ]
        case "missing":
            return []
        case _:
            return [{**item, "id": f"P{rng.randrange(50, 99)}"}]


def _another(item: Any, n: int) -> Any:
    """A further item of a list that never ends."""
    return f"{item} {n}" if isinstance(item, str) and n else item


def echoed(style: str, asked: Asked, texts: list[tuple[str, str]]) -> Any:
    """A reply of the right form without an answer: ``example`` is what the prompt shows, ``string`` the word, ``same`` one sentence."""
    prompt = "\n".join(text for role, text in texts if role in ("system", "user"))
    labels = list(
        dict.fromkeys(
            re.findall(r"\bP\d+\b", "\n".join(text for role, text in texts if role == "user"))
        )
    ) or ["P1"]
    return _filled(asked.schema or {}, asked.schema or {}, "", style, prompt, labels)


def _filled(
    node: dict[str, Any],
    root: dict[str, Any],
    name: str,
    style: str,
    prompt: str,
    labels: list[str],
) -> Any:
    if "$ref" in node:
        node = root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in node:
        node = next(option for option in node["anyOf"] if option.get("type") != "null")
    if "enum" in node or "const" in node:
        return node["enum"][0] if "enum" in node else node["const"]
    match node.get("type"):
        case "object":
            return {
                key: _filled(inner, root, key, style, prompt, labels)
                for key, inner in node.get("properties", {}).items()
            }
        case "array":
            rows = [
                _filled(node["items"], root, name, style, prompt, labels)
                for _ in (labels if name == "verdicts" else range(3))
            ]
            return (
                [{**row, "id": label} for row, label in zip(rows, labels, strict=False)]
                if name == "verdicts"
                else rows
            )
        case "boolean":
            return True
        case "integer" | "number":
            return 1
    return _text(name, style, prompt)


def _text(name: str, style: str, prompt: str) -> str:
    if style == "same":
        return "This is a very interesting and promising line of research."
    shown = re.search(rf'"{name}"\s*:\s*\[?\s*"([^"]+)"', prompt) if style == "example" else None
    return shown.group(1) if shown else "# string"
