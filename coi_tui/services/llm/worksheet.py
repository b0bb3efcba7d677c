"""A worksheet in place of a text, where no language model is set: what to write, and sentences of
the inputs that bear on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coi_tui.model.text import clean, clipped
from coi_tui.services.llm.reply_items import fields_of
from coi_tui.services.llm.types import ChatRequest

TO_WRITE, WORKSHEET = "To write: ", "Worksheet"
MOST_QUOTED = 5
"""Sentences that a worksheet quotes; a list of items quotes one an item."""
NEUTRAL = ("tie", "different", "no passage found", "cannot tell", "none", "only cites")
"""Of choices a worksheet takes one of these, where it is offered: it judges nothing."""
MAIN = ("final", "text", "idea", "design")
"""The field that the quotations stand in, where a reply has it; else the longest."""
SUBJECTS = (
    "abstract",
    "idea",
    "proposal",
    "seed",
    "direction",
    "subject",
    "topic",
    "target",
    "request",
    "background",
)
"""The inputs that a title is made of, the most telling first."""
_UNSAID = re.compile(
    "topic|hunch|title|name|year|angle|id|kind|where|aim|speaker|guest|team|outsiders|member|leader|invited|thinkers|line|like|source"
    "|existing|bad_cases|drafted|turned_down|failed|known|searched"
)
"""Inputs that are no text to go on from: names, labels, who speaks, what is to be avoided."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w{4,}")
_TITLE = re.compile(rf"^{WORKSHEET}(?: ([\d.]+))?: ")
_QUOTED = re.compile(r'From (the [\w ]+|“[^“”\n]*”): "[^"\n]*"')
_ADDED = re.compile(
    rf"(?:(?:[-*•]|\d+[.)])\s+)?{TO_WRITE}.*?(?:\.(?=\s+[A-Z]|$)|$)|\b{WORKSHEET}(?: [\d.]+)?: "
    r'|\bFrom (?:the [\w ]+|“[^“”\n]*”): (?=")',
    re.MULTILINE,
)
_NUMBER = re.compile(r"(?:^|/)(\d+)(?=/)|(\d[\d.]*)$")


def worksheet(request: ChatRequest) -> dict[str, Any]:
    """The reply to a prompt as a worksheet: every text says what is to be written, the main one
    quotes the inputs as well."""
    sheet = _Sheet(request)
    found = sheet.fields(request.schema, "")
    if main := _main(found):
        found[main] = "\n".join([found[main], *sheet.quotes[:MOST_QUOTED]])
    return found


class _Sheet:
    """What the worksheets of one reply have in common."""

    def __init__(self, request: ChatRequest) -> None:
        self.hints, self.defs, self.values = (
            fields_of(request.user),
            request.schema.get("$defs", {}),
            request.values,
        )
        self.number, self.subject = _subject(request)
        asked = [
            field
            for name, field in request.schema.get("properties", {}).items()
            if name != "reasoning"
        ]
        self.alone = len(asked) == 1 and asked[0].get("items", {}).get("type") == "string"
        self.quotes = quotations(request.values, self.subject, labelled="[P1]" in request.user)

    def fields(
        self, shape: Mapping[str, Any], path: str, item: int | None = None
    ) -> dict[str, Any]:
        """The fields that an object must have, and what it asks to be said with yes or no.
        ``item``: its place in a list."""
        required = shape.get("required", ())
        return {
            name: self.value(field, f"{path}{name}", item)
            for name, field in shape.get("properties", {}).items()
            if name in required or field.get("type") == "boolean"
        }

    def value(self, field: Mapping[str, Any], path: str, item: int | None) -> Any:
        """What stands in a field: its hint, as many items as are asked for, the neutral choice, the
        middle of a range."""
        name = path.rpartition(".")[2]
        if "anyOf" in field:  # a text that may be absent is written, an object is not
            field = next(
                (one for one in field["anyOf"] if one.get("type") == "string"), {"type": "null"}
            )
        if "$ref" in field:
            field = self.defs[field["$ref"].rpartition("/")[2]]
        if choices := field.get("enum") or ([field["const"]] if "const" in field else []):
            return next(
                (word for word in NEUTRAL if word in choices), choices[(item or 0) % len(choices)]
            )
        match field.get("type"):
            case "object":
                return self.fields(field, f"{path}.", item)
            case "array":
                return [self.item(field["items"], path, n) for n in range(self.many(field, path))]
            case "integer" | "number":
                return (field.get("minimum", 1) + field.get("maximum", 1)) // 2
            case "boolean":
                return (
                    name != "change"
                )  # all is kept, and enough: it turns nothing down and changes nothing
            case "null":
                return None
        if name in ("title", "name"):
            number = ".".join(
                filter(None, (self.number, str(item + 1) if item is not None else ""))
            )
            return f"{WORKSHEET}{f' {number}' if number else ''}: {self.subject}"
        return f"{TO_WRITE}{_one_sentence(self.hints.get(path, name.replace('_', ' ')))}."

    def many(self, field: Mapping[str, Any], path: str) -> int:
        """How many items a list has: the fewest that it may, the number that the inputs ask for,
        one a quotation where it is the answer."""
        asked = self.values.get("count", min(len(self.quotes), MOST_QUOTED) if self.alone else 0)
        wanted = asked if isinstance(asked, int) and "." not in path else 0
        least, most = int(field.get("minItems", 0)), int(field.get("maxItems", wanted))
        return max(least, min(wanted, most))

    def item(self, field: Mapping[str, Any], path: str, n: int) -> Any:
        """An item of a list; each quotes another sentence, so that they can be told apart."""
        made, quote = (
            self.value(field, path, n),
            self.quotes[n % len(self.quotes)] if self.quotes else "",
        )
        if isinstance(made, str) and made.startswith(TO_WRITE):
            return f"{made} {quote}".strip()
        if isinstance(made, dict) and (main := _main(made)) and quote:
            made[main] = f"{made[main]}\n{quote}"
        return made


def _main(found: Mapping[str, Any]) -> str:
    """The text that quotations are added to; empty where none is to be written."""
    texts = [
        name
        for name, value in found.items()
        if isinstance(value, str) and value.startswith(TO_WRITE)
    ]
    return max(texts, key=lambda name: (name in MAIN, len(found[name])), default="")


def _subject(request: ChatRequest) -> tuple[str, str]:
    """The number and the words of a title: those of the worksheet that it goes on from, else the
    row's number and the topic."""
    row = ["".join(found) for found in _NUMBER.findall(request.address)]
    number = row[-1] if row else ""
    for value in filter(None, map(request.values.get, SUBJECTS)):
        if isinstance(value, Mapping):
            value = value.get("title") or value.get("name") or next(iter(value.values()), "")
        line = str(value or "").strip().partition("\n")[0]
        if inherited := _TITLE.match(line):
            return number.rpartition(".")[0] or inherited[1] or number, line[inherited.end() :]
        if line and not line.startswith(TO_WRITE):
            return number, clipped(line.rstrip("."), 12).removesuffix(" [...]")
    return number, request.prompt.replace("_", " ")


def quotations(
    values: Mapping[str, object], subject: str = "", labelled: bool = False
) -> list[str]:
    """Sentences of the inputs with where they are, those with most words of the topic first.

    ``subject`` itself is not quoted. ``labelled``: with the label of the paper, by which the text
    that is asked for cites it.
    """
    topic = set(_WORD.findall(subject.casefold()))
    found: list[str] = []
    for source, label, text in _texts(values):
        for sentence in map(str.strip, _SENTENCE.split(_QUOTED.sub("", clean(text)))):
            written = not sentence.startswith((TO_WRITE, WORKSHEET))
            if written and len(sentence.split()) > 4 and sentence.rstrip(".") != subject:
                words = clipped(sentence, 40).replace('"', "'")
                mark = f" [{label}]" if labelled and label else ""
                found.append(f'From {source}: "{words}"{mark}')
    return sorted(
        dict.fromkeys(found), key=lambda line: -len(topic & set(_WORD.findall(line.casefold())))
    )


def _texts(values: Mapping[str, object], source: str = "") -> Iterator[tuple[str, str, str]]:
    """The texts among a prompt's inputs: where it stands (a title in quotation marks for a paper),
    the paper's label, and the text."""
    paper = bool(source) and ("year" in values or "abstract" in values)
    where = (
        f"“{re.sub('[“”]', chr(39), clipped(values.get('title') or 'Untitled', 30))}”"
        if paper
        else source
    )
    for name, value in values.items():
        here = where or f"the {name.replace('_', ' ')}"
        if _UNSAID.fullmatch(name):
            continue
        if isinstance(value, str):
            yield here, str(values.get("id") or "") if paper else "", value
        elif isinstance(value, Mapping):
            yield from _texts(value, here)
        elif isinstance(value, Sequence):
            for one in value:
                yield from _texts(one if isinstance(one, Mapping) else {name: one}, here)


def without_hints(text: str) -> str:
    """A text without what a worksheet adds: hints of what to write, what is before a quotation, and
    the word that begins a title."""
    return _ADDED.sub("", text)


def _one_sentence(hint: str) -> str:
    return re.sub(r"[.!?]\s+", "; ", hint.strip()).rstrip(".")
