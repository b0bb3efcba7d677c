"""Reading a model's reply: from raw text to a checked object, or one sentence saying why not.

Before it is checked a reply is put right without filling in anything: blank items of lists go,
over-long lists are cut, and items of a list marked EACH_BY_ITSELF are left out where they cannot be
read. What repeats the prompt's own example (``"string"``, ``"one sentence"``, a field's name) is no
answer at all, and a refusal is none.

Nothing of a reply ever gets into a cause: not a value, not a key, not through a chained exception.
"""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from coi_tui.model.text import Fields, Values, clean, clean_tree, count, sentence
from coi_tui.services.http.answers import no_constant
from coi_tui.services.llm.chat import REFUSED, TOOL_CALLED

T = TypeVar("T", bound=BaseModel)

EACH_BY_ITSELF = "each by itself"
"""Marks a list whose items are read one by one: one that cannot be read does not cost the
others."""
MOST_ITEMS = 200
"""No list of an answer has more items, where its prompt states no number."""
MOST_FAULTS = 3

Hints = frozenset[str]
"""Texts that a prompt shows as an example of its reply, normalised."""


@dataclass(frozen=True)
class ParsedReply(Generic[T]):
    """A reply that was read. ``notes``: what was left out of it."""

    value: T
    notes: tuple[str, ...] = ()


@dataclass(eq=False)
class Unreadable(Exception):
    """The reply cannot be used. ``cause`` is one sentence of ours, free of any part of the
    reply."""

    cause: str


_ENDINGS = {
    "length": "The reply was cut off at the length limit.",
    "content_filter": "The reply was stopped by the server's content filter.",
    REFUSED: "The model refused to answer.",
}


def read_reply(
    text: str, finish_reason: str, schema: type[T], hints: Hints | None = None
) -> ParsedReply[T]:
    """The object of type ``schema`` in a model's raw reply. Raises Unreadable, and nothing else.

    Thinking, code fences and prose around the one JSON object are cut; a cut-off reply is never
    completed. ``hints`` are the texts of the example that the prompt shows: a reply that repeats
    them is none. None: examples and refusals are not looked for (nobody was shown any).
    """
    if finish_reason in _ENDINGS:
        raise Unreadable(_ENDINGS[finish_reason])
    if not text.strip():
        raise Unreadable(
            "The reply calls a tool instead of answering, and none was offered."
            if finish_reason == TOOL_CALLED
            else "The reply is empty."
        )
    tidy = _Tidying(hints)
    try:
        found = _the_object(text)
        tree = tidy.tree({clean(key): clean_tree(inner) for key, inner in found.items()}, schema)
        cause = tidy.fault
        if not cause:
            return ParsedReply(schema.model_validate(tree), tuple(tidy.notes))
    except RecursionError:
        cause = "The reply's JSON is nested too deeply."
    except ValidationError as error:
        cause = _mismatch(error, schema)
    # raised here and not in an except block: there the old exception would stay chained
    raise Unreadable(cause)


def is_answer(text: str) -> bool:
    """Whether a text ends with the one whole object that a reply is to be."""
    try:
        _the_object(text)
    except (Unreadable, RecursionError):
        return False
    return text.rstrip(" \r\n`").endswith("}")


def reask_message(cause: str) -> str:
    """The sentence that is sent with the one re-ask."""
    return (
        f"That answer could not be used. {sentence(cause)} "
        "Answer again with exactly one complete JSON object that matches the asked schema, and nothing else."
    )


# -- the one object


def _unique(pairs: list[tuple[str, Any]]) -> Fields:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=no_constant, strict=False)
_OBJECT = re.compile(r'\{(?=\s*["}])')
"""Where a JSON object begins; other braces are prose."""
_STARTS = re.compile(r'\s*(?:```[\w-]*\s*)?\{\s*["}]')
"""A reply that is nothing but an object: what it says of think tags is text of the answer."""
_NAME = r"\s*(?:\w+:)?(?:think(?:ing)?|thoughts?|reasoning)\s*[>\]\u25b7]"
_THOUGHT = re.compile(
    rf".*(?:[<\[\u25c1]\s*/{_NAME}|<\|end_(?:of_thought|thinking)\|>|<channel\|>"
    r"|<\|channel\|>\s*(?!analysis)\w[^{]{0,99}?<\|message\|>)|\s*analysis.*assistant\s*final",
    re.IGNORECASE | re.DOTALL,
)
"""All up to the last mark that ends thinking: tags of many names, the channels of gpt-oss (also where
a server swallowed their signs)."""
_THINK = re.compile(
    rf"[<\[\u25c1]{_NAME}|<\|(?:begin_of_thought|start_thinking)\|>|<\|channel\|?>\s*(?:analysis|thought)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*(?:```[\w-]*\s*)?\[")


def _the_object(text: str) -> Fields:
    """The one object after all thinking. Raises Unreadable for none, several, a list, a damaged one,
    and where thinking never ends."""
    if not _STARTS.match(text) and (thought := _THOUGHT.match(text)):
        text = text[thought.end() :]
    first = _OBJECT.search(text)
    before = text[: first.start()] if first else text
    if _THINK.search(before):
        raise Unreadable("The reply ends within its thinking and holds no answer.")
    if first is None:
        raise Unreadable(
            "The model refused to answer, in words instead of JSON."
            if declines(text)
            else "The reply holds no JSON object."
        )
    value, end = None, 0
    with contextlib.suppress(ValueError):
        value, end = _DECODER.raw_decode(text, first.start())
    if not isinstance(value, dict):
        raise Unreadable("The reply's JSON object is damaged or incomplete.")
    if _THOUGHT.match(text, end):  # the object was a draft
        return _the_object(text[end:])
    if _OBJECT.search(text, end):
        raise Unreadable("The reply holds more than one JSON object.")
    if before.rstrip().endswith("[") or _LIST.match(text):
        raise Unreadable("The reply is a list and not one JSON object.")
    return value


# -- whether it fits

_FAULTS = {
    "missing": "is missing",
    "string_too_short": "is empty or too short",
    "string_too_long": "is too long",
    "too_short": "has too few items",
    "too_long": "has too many items",
    "literal_error": "is none of the allowed values",
    "enum": "is none of the allowed values",
    "extra_forbidden": "holds something that is not asked for",
}


def _mismatch(error: ValidationError, schema: type[BaseModel]) -> str:
    """Which fields are at fault, in a sentence. Keys that are not the schema's own come from the
    reply and are left out."""
    whole = schema.model_json_schema()
    shapes = [whole, *whole.get("$defs", {}).values()]
    names = {name for shape in shapes for name in shape.get("properties", {})}
    faults: dict[str, None] = {}
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        parts = [f"[{p}]" if isinstance(p, int) else f".{p}" * (p in names) for p in one["loc"]]
        kind = one["type"]
        wrong = kind.endswith(("_type", "_parsing"))
        what = "is of the wrong kind" if wrong else _FAULTS.get(kind, f"is not allowed ({kind})")
        faults[f"{''.join(parts).lstrip('.') or 'the object'} {what}"] = None
    return f"The reply does not match the schema: {'; '.join([*faults][:MOST_FAULTS])}."


# -- what is put right

_EDGES = " \t\r\n.:;,-_#*…\"'`<>[](){}"
_EXAMPLE = re.compile(r'[:\[]\s*"([^"]{2,600})"')
_FIELD = re.compile(r"^( *)- (\w+): (.{2,600})$", re.MULTILINE)
_PLACEHOLDER = re.compile(
    r"<[^<>\n]{1,120}>|\{\{?[^{}\n]{1,120}\}\}?|\[(?!P\d+\])[^\[\]\n]{1,120}\]"
    r"|str(?:ing)?|text|int(?:eger)?|number|float|bool(?:ean)?|array|list|object|value|placeholder"
    r"|todo|tbd|your (?:answer|text)(?: here)?|insert text here|lorem ipsum"
)
_ECHOED = "The reply repeats the prompt's own example in {} instead of answering."


@lru_cache(maxsize=64)
def hints_of(prompt: str) -> Hints:
    """What a prompt says of the fields of its answer. Single words may be answers as well and are
    left out."""
    examples = (*_EXAMPLE.findall(prompt), *fields_of(prompt).values())
    return frozenset(text for found in examples if " " in (text := _plain(found)))


def fields_of(prompt: str) -> dict[str, str]:
    """What each field of the answer is to hold: the lines ``- name: what`` after the task, a field
    of items as ``claims.refuted_if``."""
    found: dict[str, str] = {}
    path: list[str] = []
    for indent, name, what in _FIELD.findall(prompt.partition("Task: ")[2]):
        path = [*path[: len(indent) // 2], name]
        found[".".join(path)] = what
    return found


class _Tidying:
    """Puts a reply's data right before it is checked. ``notes`` say what was left out, ``fault``
    why the whole cannot be used (empty where it can)."""

    def __init__(self, hints: Hints | None) -> None:
        self._hints = hints
        self.notes: list[str] = []
        self.fault = ""

    def tree(self, tree: Values, schema: type[BaseModel]) -> Fields:
        """``tree`` as it may be checked against ``schema``."""
        out = dict(tree)
        for name, info in schema.model_fields.items():
            value, kind = out.get(name), info.annotation
            if isinstance(value, list) and get_origin(kind) is list:
                out[name] = self._list(name, info, value)
            elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, BaseModel):
                out[name] = self.tree(value, kind)
            elif isinstance(value, str) and (kind is str or str in get_args(kind)):  # no choice
                if self._is_hint(value, name) and info.default == "":
                    out[name] = ""
                    self.notes.append(
                        f"{name} repeated the prompt's example and was taken as empty"
                    )
                elif self._is_hint(value, name):
                    self._fail(_ECHOED.format(name))
                elif info.is_required():
                    self._refused([value], name)
        return out

    def _list(self, name: str, info: FieldInfo, items: list[Any]) -> list[Any]:
        model = _item_model(info)
        filled = [item for item in items if not _blank(item)]
        if model is not None and not filled:  # nothing but empty objects was not meant as empty
            return items
        self._left_out(len(items) - len(filled), name, "blank")
        own = [item for item in filled if not (isinstance(item, str) and self._is_hint(item, name))]
        self._left_out(len(filled) - len(own), name, "only the prompt's example")
        if filled and not own:
            self._fail(_ECHOED.format(name))
        self._refused([item for item in own if isinstance(item, str)], name)
        if model is not None:
            own = self._items(name, info, own, model)
        most = _limit(info)
        if len(own) > most:
            self.notes.append(
                f"{name} was cut from {len(own)} items to the {most} that were asked for"
            )
        return own[:most]

    def _items(
        self, name: str, info: FieldInfo, items: list[Any], model: type[BaseModel]
    ) -> list[Any]:
        """The objects of a list put right, those that cannot be read left out where each stands by
        itself."""
        each = items if EACH_BY_ITSELF in info.metadata else []
        read = [tree for item in each if (tree := self._item(item, model)) is not None]
        if read or (each and not info.is_required()):
            self._left_out(len(items) - len(read), name, "unreadable")
            return read
        # where none can be read, the check of the whole says what is wrong
        return [self.tree(item, model) if isinstance(item, dict) else item for item in items]

    def _item(self, item: Any, model: type[BaseModel]) -> Fields | None:
        """An item put right by itself; None where it cannot be read."""
        alone = _Tidying(self._hints)
        tree = alone.tree(item, model) if isinstance(item, dict) else {}
        try:
            model.model_validate(tree)
        except ValidationError:
            return None
        self.notes += alone.notes
        return None if alone.fault else tree

    def _fail(self, why: str) -> None:
        self.fault = self.fault or why

    def _refused(self, texts: list[str], name: str) -> None:
        if self._hints is not None and texts and all(map(declines, texts)):
            self._fail(f"The model refuses to answer in {name}.")

    def _left_out(self, number: int, name: str, why: str) -> None:
        if number:
            self.notes.append(f"{count(number, 'item')} of {name} left out: {why}")

    def _is_hint(self, text: str, name: str) -> bool:
        """Whether a text only repeats what the prompt says of the field, or names what it holds."""
        if self._hints is None or not text.strip():
            return False
        plain = _plain(text)
        known = plain in ("", name.replace("_", " ")) or plain in self._hints
        return known or any(map(_PLACEHOLDER.fullmatch, (plain, text.strip())))


def _blank(item: Any) -> bool:
    """Whether nothing is in it: an empty text, null, or an object of such."""
    if isinstance(item, dict):
        return all(map(_blank, item.values()))
    return item is None or item == [] or (isinstance(item, str) and not item.strip())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_EDGES)


def _limit(info: FieldInfo) -> int:
    """How many items a list may have."""
    limits = (getattr(mark, "max_length", None) for mark in info.metadata)
    return next((limit for limit in limits if limit is not None), MOST_ITEMS)


def _item_model(info: FieldInfo) -> type[BaseModel] | None:
    """The model of a list's items, where they are objects."""
    item = next(iter(get_args(info.annotation)), None)
    item = get_args(item)[0] if get_origin(item) is Annotated else item
    return item if isinstance(item, type) and issubclass(item, BaseModel) else None


# -- refusals

MOST_CHARS = 600
"""A longer text is an answer."""
_SORRY = (
    r"(?:sorry|(?:my )?apologies|(?:i'm|i am|im) (?:\w+ )?sorry|i apologi[sz]e|i (?:\w+ )?regret)"
    r"(?: for [\w' ]{1,40}?)?(?: that)?(?: but| however)?"
)
_NOT = r"(?:can't|cant|can not|cannot|unable to|not able to|won't|will not|(?:must|have to|need to) decline to)"
_CANNOT = rf"i(?:'m| am|m)? {_NOT}"
_REQUEST = r"(?:(?:this|that|your|such|the) (?:\w+ )?(?:request|prompt|task)|that)"
_HELP = (
    r"(?:help(?! but)|assist|comply|engage|fulfil+"
    rf"|(?:answer|complete|continue|proceed|process|respond|support|do)(?: to| with)? {_REQUEST})\b"
)
_AI = r"as an? (?:ai|artificial intelligence|large language|language)\b[\w' ]{0,60}? i (?:can't|cant|cannot|am|don't|do not|won't|must)\b"
_REFUSAL = re.compile(
    rf"(?:unfortunately )?(?:{_SORRY} {_CANNOT}\b|(?:{_SORRY} )?{_AI}|{_CANNOT} {_HELP})"
    r"|(?:(?:(?:the|this|your) )?(?:request|answer|response|content) (?:(?:was|is|has been) )?"
    r"(?:refused|declined|denied|blocked|withheld)|refus(?:al|ed))$"
)
_BETWEEN_WORDS = re.compile(r"[^\w']+")


def declines(text: str) -> bool:
    """Whether a text begins as a refusal, or says nothing but that there is one."""
    if len(text) > MOST_CHARS:
        return False
    words = _BETWEEN_WORDS.sub(" ", text.replace("’", "'").casefold()).strip()
    return _REFUSAL.match(words) is not None
