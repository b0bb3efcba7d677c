"""What stands in for a language model, without a network and at no cost: the drafter, which fills
replies by the rules of the methods or with worksheets, and a recorded model.

A worksheet says what to write, and quotes sentences of the inputs that bear on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from coi_tui.model.entries import Version
from coi_tui.model.errors import CoiError
from coi_tui.model.text import Fields, Values, clean, clipped
from coi_tui.process import run_in_thread
from coi_tui.services.llm.chat import ChatReply, ChatRequest, Kind
from coi_tui.services.llm.reply_reading import fields_of

Draft = Callable[[Mapping[str, object]], Mapping[str, object]]

DRAFTS: dict[str, Draft] = {}
"""Prompt name to the function that drafts its reply from the prompt's structured inputs; the
methods add theirs."""


class _StandIn:
    """A ChatModel of one name. Equal requests get equal replies; 0 tokens, 0 seconds."""

    kind: Kind
    name: str
    reply_format: str

    def model_for(self, role: str) -> str:
        return self.name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The reply as JSON text."""
        text = json.dumps(await self._reply(request), ensure_ascii=False)
        return ChatReply.free(text, self.name, self.reply_format)

    async def _reply(self, request: ChatRequest) -> Mapping[str, object]:
        raise NotImplementedError

    async def aclose(self) -> None:
        """Nothing is open."""


class Drafter(_StandIn):
    """Answers with the registered drafts; for a prompt without a rule of its own with a
    worksheet."""

    kind: Kind = "drafter"
    name = "drafter"
    reply_format = "draft"

    def __init__(self, drafts: Mapping[str, Draft] | None = None) -> None:
        self._drafts = DRAFTS if drafts is None else drafts

    async def _reply(self, request: ChatRequest) -> Mapping[str, object]:
        draft = self._drafts.get(request.prompt)
        return worksheet(request) if draft is None else await run_in_thread(draft, request.values)


class RecordedReplies(_StandIn):
    """Answers with the reply that was recorded for a prompt at an address; the wording of the
    prompt may have changed since.

    Where several were recorded there, a reply names what its prompt must be about: passages that
    must be in it in that order. The one that names most is taken. A prompt without a recorded reply
    is an error: nothing is made up.
    """

    kind: Kind = "recorded"
    name = "recorded language model"
    reply_format = "recorded"

    def __init__(self, file: Path) -> None:
        self._replies = recorded_replies(file)

    async def _reply(self, request: ChatRequest) -> Mapping[str, object]:
        here = [
            row
            for row in self._replies
            if (row["prompt"], row["address"]) == (request.prompt, request.address)
            and re.search(".*".join(map(re.escape, row["about"])), request.user, re.DOTALL)
        ]
        if not here:
            raise CoiError(
                f"No reply to the prompt {request.prompt} at {request.address} was recorded.",
                "Set up a language model to run this task.",
            )
        reply: Mapping[str, object] = max(here, key=lambda row: len(row["about"]))["reply"]
        return reply


@cache
def recorded_replies(file: Path) -> tuple[Fields, ...]:
    """The recorded replies: ``address``, ``prompt``, ``about`` and ``reply`` of each."""
    return tuple(json.loads(line) for line in file.read_text("utf-8").splitlines())


# -- worksheets

TO_WRITE, WORKSHEET = "To write: ", "Worksheet"
MOST_QUOTED, MOST_INPUTS = 5, 12
"""Sentences that a worksheet quotes, and inputs of which it quotes at least one; a list of items
quotes one an item."""
NEUTRAL = ("tie", "different", "only cites", "none")
"""Of choices a worksheet takes one of these, where it is offered: it judges nothing."""
MAIN = ("final", "text", "idea", "design")
"""The field that holds the quotations, where a reply has it; else the longest."""
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
_NOT_QUOTED = re.compile(
    "topic|hunch|title|name|year|angle|id|kind|where|aim|speaker|guest|team|outsiders|member|leader|invited|thinkers|line|like|source"
    "|existing|bad_cases|drafted|turned_down|failed|known|searched"
)
"""Inputs that are no text to go on from: names, labels, who speaks, what is to be avoided."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w{4,}")
_TITLE = re.compile(rf"^{WORKSHEET}(?: [\d.]+)?: ")
_QUOTED = re.compile(r'From (the [\w ]+|“[^“”\n]*”): "[^"\n]*"')
_ADDED = re.compile(
    rf"(?:(?:[-*•]|\d+[.)])\s+)?{TO_WRITE}.*?(?:\.(?=\s+[A-Z]|$)|$)|\b{WORKSHEET}(?: [\d.]+)?: "
    r'|\bFrom (?:the [\w ]+|“[^“”\n]*”): (?=")',
    re.MULTILINE,
)
_NUMBER = re.compile(r"(?:^|/)\d+(?=/)|\d[\d.]*$")


def worksheet(request: ChatRequest) -> Fields:
    """The reply to a prompt as a worksheet: every text says what is to be written, the main one
    quotes the inputs as well."""
    sheet = _Sheet(request)
    found = sheet.fields(request.schema)
    if main := _main(found):
        most = max(MOST_QUOTED, min(sheet.inputs, MOST_INPUTS))
        found[main] = "\n".join([found[main], *sheet.quotes[:most]])
    return found


class _Sheet:
    """What the fields of one worksheet have in common."""

    def __init__(self, request: ChatRequest) -> None:
        self.hints, self.values = fields_of(request.user), request.values
        self.defs = request.schema.get("$defs", {})
        self.number = "".join(_NUMBER.findall(request.address)[-1:]).strip("/")
        self.subject = _subject(request.values) or request.prompt.replace("_", " ")
        fields = request.schema.get("properties", {})
        asked = [field for name, field in fields.items() if name != "reasoning"]
        self.alone = len(asked) == 1 and asked[0].get("items", {}).get("type") == "string"
        self.quotes, self.inputs = quotations(
            request.values, self.subject, labelled="[P1]" in request.user
        )

    def fields(self, shape: Values, path: str = "", item: int | None = None) -> Fields:
        """The fields that an object must have, and its questions of yes or no.
        ``item``: its place in a list."""
        required = shape.get("required", ())
        return {
            name: self.value(field, f"{path}{name}", item)
            for name, field in shape.get("properties", {}).items()
            if name in required or field.get("type") == "boolean"
        }

    def resolved(self, field: Values) -> Values:
        """The field that is referred to. A text that may be absent is written, an object is not."""
        if "anyOf" in field:
            field = next((one for one in field["anyOf"] if one.get("type") == "string"), {})
        return self.defs[field["$ref"].rpartition("/")[2]] if "$ref" in field else field

    def value(self, field: Values, path: str, item: int | None) -> Any:
        """What a field holds: its hint, as many items as are asked for, the neutral choice, the
        middle of a range."""
        name, field = path.rpartition(".")[2], self.resolved(field)
        if choices := field.get("enum") or ([field["const"]] if "const" in field else []):
            neutral = (word for word in NEUTRAL if word in choices)
            return next(neutral, choices[(item or 0) % len(choices)])
        match field.get("type"):
            case "object":
                return self.fields(field, f"{path}.", item)
            case "array":
                return [self.item(field["items"], path, n) for n in range(self.many(field, path))]
            case "integer" | "number":
                return (field.get("minimum", 1) + field.get("maximum", 1)) // 2
            case "boolean":  # all stays, and is enough: it turns nothing down and changes nothing
                return name != "change"
            case None:
                return None
        return self.text(name, path, item)

    def text(self, name: str, path: str, item: int | None) -> str:
        """A title by its number, or what is to be written."""
        if name in ("title", "name"):
            place = "" if item is None else str(item + 1)
            number = ".".join(filter(None, (self.number, place)))
            return f"{WORKSHEET}{' ' * bool(number)}{number}: {self.subject}"
        hint = self.hints.get(path, name.replace("_", " ")).strip()
        return f"{TO_WRITE}{re.sub(r'[.!?] +', '; ', hint).rstrip('.')}."

    def many(self, field: Values, path: str) -> int:
        """How many items a list has: the fewest that it may, the number that the inputs ask for,
        one a quotation where it is the answer."""
        asked = self.values.get("count", min(len(self.quotes), MOST_QUOTED) if self.alone else 0)
        wanted = asked if isinstance(asked, int) and "." not in path else 0
        least, most = int(field.get("minItems", 0)), int(field.get("maxItems", wanted))
        return max(least, min(wanted, most))

    def item(self, field: Values, path: str, n: int) -> Any:
        """An item of a list; each quotes another sentence, so that no two are alike."""
        made = self.value(field, path, n)
        quote = self.quotes[n % len(self.quotes)] if self.quotes else ""
        if isinstance(made, str) and made.startswith(TO_WRITE):
            return f"{made} {quote}".strip()
        if isinstance(made, dict) and (main := _main(made)) and quote:
            made[main] = f"{made[main]}\n{quote}"
        return made


def _main(found: Values) -> str:
    """The text that quotations are added to; empty where none is to be written."""
    texts = [n for n, value in found.items() if str(value).startswith(TO_WRITE)]
    return max(texts, key=lambda name: (name in MAIN, len(found[name])), default="")


def _subject(values: Mapping[str, object]) -> str:
    """The words of a title: those of the text that the worksheet goes on from."""
    for value in filter(None, map(values.get, SUBJECTS)):
        if isinstance(value, Mapping):
            value = value.get("title") or value.get("name") or next(iter(value.values()), "")
        line = str(value or "").strip().partition("\n")[0]
        if line and not line.startswith(TO_WRITE):
            return clipped(_TITLE.sub("", line).rstrip("."), 12).removesuffix(" [...]")
    return ""


def quotations(values: Mapping[str, object], subject: str, labelled: bool) -> tuple[list[str], int]:
    """Sentences of the inputs with where they are: one of each input, then a second of each, those with
    most words of the topic first; and of how many inputs they are.

    ``subject`` itself is not quoted. ``labelled``: with the label of the paper, by which the text
    that is asked for cites it.
    """
    topic = set(_WORD.findall(subject.casefold()))
    about, of_input = dict[str, int](), dict[str, list[str]]()
    for source, label, text in _texts(values):
        for sentence in map(str.strip, _SENTENCE.split(_QUOTED.sub("", clean(text)))):
            written = not sentence.startswith((TO_WRITE, WORKSHEET))
            if written and len(sentence.split()) > 4 and sentence.rstrip(".") != subject:
                words = clipped(sentence, 40).replace('"', "'")
                mark = f" [{label}]" if labelled and label else ""
                line = f'From {source}: "{words}"{mark}'
                about[line] = -len(topic & set(_WORD.findall(line.casefold())))
                of_input.setdefault(source, []).append(line)
    ranked = (sorted(dict.fromkeys(lines), key=about.__getitem__) for lines in of_input.values())
    turns = (sorted(filter(None, turn), key=about.__getitem__) for turn in zip_longest(*ranked))
    return list(chain.from_iterable(turns)), len(of_input)


def _texts(values: Mapping[str, object], source: str = "") -> Iterator[tuple[str, str, str]]:
    """The texts among a prompt's inputs: where it is (a title in quotation marks for a paper, the
    number of one of several), the paper's label, and the text."""
    label = ""
    if source and not values.keys().isdisjoint(("year", "abstract")):
        title = re.sub("[“”]", "'", clipped(values.get("title") or "Untitled", 30))
        source, label = f"“{title}”", str(values.get("id") or "")
    for name, value in values.items():
        here = source or f"the {name.replace('_', ' ')}"
        if _NOT_QUOTED.fullmatch(name):
            continue
        if isinstance(value, str):
            yield here, label, value
        elif isinstance(value, Mapping):
            yield from _texts(value, here)
        elif isinstance(value, Sequence):
            for n, one in enumerate(value, start=1):
                place = here if source or len(value) < 2 else f"{here} {n}"
                yield from _texts(one if isinstance(one, Mapping) else {name: one}, place)


def is_worksheet(version: Version) -> bool:
    """Whether a text of the drafter has places where something is to be written."""
    return version.origin == "drafter" and TO_WRITE in str(version.content)


def without_hints(text: str) -> str:
    """A text without what a worksheet adds: hints of what to write, what is before a quotation, and
    the word that begins a title."""
    return _ADDED.sub("", text)
