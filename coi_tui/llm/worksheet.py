"""A worksheet in place of a text, where no language model is set: what to write, and sentences of the inputs that bear on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coi_tui.llm.reply_items import fields_of
from coi_tui.llm.types import ChatRequest
from coi_tui.model.wording import clipped

TO_WRITE = "To write: "
MOST_QUOTED = 5
NEUTRAL = ("tie", "different", "no passage found", "cannot tell", "none", "only cites")
"""Of choices a worksheet takes one of these, where it is offered: it judges nothing."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w{4,}")


def worksheet(request: ChatRequest) -> dict[str, Any]:
    """The reply to a prompt as a worksheet: each text says what is to be written, the last one of the reply quotes the inputs."""
    hints, shape = fields_of(request.user), request.schema
    found = {name: _value(name, field, shape, hints) for name, field in shape.get("properties", {}).items() if name != "reasoning"}
    texts = [name for name, value in found.items() if isinstance(value, str) and value.startswith(TO_WRITE)]
    main = max(texts, key=lambda name: (name in ("final", "text", "design"), len(found[name])), default="")
    if main:
        found[main] = "\n".join([found[main], *quotations(request.values)])
    return found


def _value(name: str, field: Mapping[str, Any], schema: Mapping[str, Any], hints: Mapping[str, str]) -> Any:
    """What stands in a field: its hint, one item for a list that may not be empty, the neutral choice, the middle of a range."""
    if "$ref" in field:
        field = schema["$defs"][field["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in field:
        field = next((one for one in field["anyOf"] if one.get("type") == "null"), field["anyOf"][0])
    if choices := field.get("enum"):
        return next((word for word in NEUTRAL if word in choices), choices[0])
    match field.get("type"):
        case "object":
            return {part: _value(part, inner, schema, hints) for part, inner in field.get("properties", {}).items()}
        case "array":
            return [_value(name, field["items"], schema, hints)] * field.get("minItems", 0)
        case "integer" | "number":
            return (field.get("minimum", 1) + field.get("maximum", 1)) // 2
        case "boolean":
            return False
        case "null":
            return None
    return f"{TO_WRITE}{hints.get(name, name.replace('_', ' ')).rstrip('.')}." if "default" not in field else ""


def quotations(values: Mapping[str, object]) -> list[str]:
    """Sentences of the inputs, quoted with where they stand: texts before papers, then by words of the topic."""
    topic = set(_WORD.findall(str(values.get("topic") or values.get("background") or "").casefold()))
    said = [
        (of_paper, -len(topic & set(_WORD.findall(sentence.casefold()))), n, f"From {source}: “{clipped(sentence, 40)}”")
        for n, (of_paper, source, text) in enumerate(_texts(values))
        for sentence in _SENTENCE.split(text)
        if len(sentence.split()) > 5 and not sentence.startswith((TO_WRITE, "From ", "- From "))
    ]
    return [line for *_, line in sorted(dict.fromkeys(said))[:MOST_QUOTED]]


def _texts(values: Mapping[str, object], source: str = "") -> Iterator[tuple[bool, str, str]]:
    """The texts among a prompt's inputs: whether a paper says it, where it stands, and the text."""
    title = values.get("title")
    for name, value in values.items():
        where = source or f"the {name.replace('_', ' ')}"
        if isinstance(value, str) and name not in ("topic", "hunch", "title", "angle", "id", "kind"):
            yield bool(source and title), f"“{title}”" if source and title else where, value
        elif isinstance(value, Mapping):
            yield from _texts(value, where)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for item in value:
                yield from _texts(item if isinstance(item, Mapping) else {name: item}, where)
