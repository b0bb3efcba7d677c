"""Finds the reply schema a chat request asks for: in ``response_format``, else in the messages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_PLAN = "design baselines ablation metrics implementation feasibility references pseudocode"
SIGNATURES: dict[frozenset[str], str] = {
    frozenset(fields.split()): name
    for name, fields in {
        "Questions": "questions",
        "Relevance": "reasoning relevant",
        "Card": "background novelty contribution reasons limitation experiment entities references",
        "Trend": "text",
        "Direction": "text note",
        "IdeaDraft": "motivation novelty contributions method",
        "FinalIdea": "title origin difference challenges final",
        "NoveltyQueries": "queries",
        "NoveltyVerdicts": "verdicts summary",
        "Match": "reasoning novelty significance feasibility clarity effectiveness",
        "Experiment": _PLAN,
        "RefinedExperiment": f"{_PLAN} answers",
        "Review": "points",
        "Facts": "facts",
    }.items()
}
"""Known replies by their fields, for requests that call them otherwise (Rewrite and ReviewQuery share theirs)."""
NAMES = frozenset({*SIGNATURES.values(), "Rewrite", "ReviewQuery"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request wants: the rung it came by, the reply's name and its schema."""

    rung: str = "text"
    name: str = ""
    schema: dict[str, Any] | None = None


def message_texts(messages: Any) -> list[tuple[str, str]]:
    """Role and text of each message; text parts of a list are joined."""
    out = []
    for message in messages or ():
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "\n".join(part.get("text", "") for part in content)
        out.append((str(message.get("role", "")), str(content)))
    return out


def asked(body: dict[str, Any], texts: list[tuple[str, str]]) -> Asked:
    """The schema of a request, by whichever way it was given."""
    form = body.get("response_format") or {"type": "text"}
    rung = str(form.get("type", "text"))
    if rung == "json_schema":
        given = form.get("json_schema") or {}
        schema = given.get("schema") or {}
        return Asked(rung, reply_name(schema, str(given.get("name", ""))), schema)
    for role, text in sorted(texts, key=lambda pair: pair[0] != "system"):
        schema = find_schema(text) if role in ("system", "developer", "user") else None
        if schema is not None:
            return Asked(rung, reply_name(schema), schema)
    return Asked(rung)


def find_schema(text: str) -> dict[str, Any] | None:
    """The last JSON object in a text that has ``properties``."""
    decoder, found, at = json.JSONDecoder(), None, text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            found = value if isinstance(value, dict) and "properties" in value else found
        at = text.find("{", end)
    return found


def reply_name(schema: dict[str, Any], name: str = "") -> str:
    """The known name of a schema: as it is called, by its title, by its fields, else what it is called."""
    flat = {known.lower(): known for known in NAMES}
    for label in (name, str(schema.get("title", ""))):
        known = flat.get(label.replace("_", "").replace("-", "").lower().removeprefix("coi"))
        if known:
            return known
    return SIGNATURES.get(frozenset(schema.get("properties", {})), name or str(schema.get("title", "")))
