"""What is put right in a reply before it is checked, without filling in anything: blank items of
lists go, over-long lists are cut, and items that stand by themselves are left out where they cannot
be read.

What repeats the prompt's own example (``"string"``, ``"one sentence"``, a field's name) is no answer at all, and a refusal is none. No text is longer, and no list has more
items, than any answer needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from coi_tui.model.text import count


class _EachByItself:
    """Marks a list whose items are read one by one: one that cannot be read does not cost the
    others."""


EACH_BY_ITSELF = _EachByItself()

MOST_ITEMS = 200
"""No list of an answer has more items, where its prompt states no number."""

Hints = frozenset[str]
"""Texts that a prompt shows as an example of its reply, normalised."""

_HINT_WORDS = frozenset(
    (
        "string",
        "str",
        "text",
        "integer",
        "int",
        "number",
        "float",
        "boolean",
        "bool",
        "array",
        "list",
        "object",
        "value",
        "placeholder",
        "todo",
        "tbd",
        "your answer",
        "your answer here",
        "your text here",
        "insert text here",
        "lorem ipsum",
    )
)
_BRACKETED = re.compile(r"<[^<>\n]{1,120}>|\{\{?[^{}\n]{1,120}\}\}?|\[[^\[\]\n]{1,120}\]")
_EXAMPLE = re.compile(r'[:\[]\s*"([^"]{2,600})"')
_FIELD = re.compile(r"^( *)- (\w+): (.{2,600})$", re.MULTILINE)
_EDGES = " \t\r\n.:;,-_#*…\"'`<>[](){}"


ECHOED = "The reply repeats the prompt's own example in {} instead of answering."
Accepts = Callable[[object, type[BaseModel]], bool]
"""Whether an item fits its model."""


@lru_cache(maxsize=64)
def hints_of(prompt: str) -> Hints:
    """What a prompt says of the fields of its answer. Single words may be answers as well and are
    left out."""
    said = (*_EXAMPLE.findall(prompt), *fields_of(prompt).values())
    return frozenset(text for found in said if " " in (text := _plain(found)))


def fields_of(prompt: str) -> dict[str, str]:
    """What each field of the answer is to hold: the lines ``- name: what`` after the task, a field
    of items as ``claims.refuted_if``."""
    found: dict[str, str] = {}
    path: list[str] = []
    for indent, name, what in _FIELD.findall(prompt.partition("Task: ")[2]):
        path = [*path[: len(indent) // 2], name]
        found[".".join(path)] = what
    return found


class Tidying:
    """Puts a reply's data right before it is checked. ``notes`` say what was left out, ``fault``
    why the whole cannot be used (empty where it can).

    ``hints`` None: examples are not looked for (nobody was shown any).
    """

    def __init__(self, hints: Hints | None, accepts: Accepts) -> None:
        self._hints, self._accepts = hints, accepts
        self.notes: list[str] = []
        self.fault = ""

    def tree(self, tree: Mapping[str, Any], schema: type[BaseModel]) -> dict[str, Any]:
        """``tree`` as it may be checked against ``schema``."""
        out = dict(tree)
        for name, info in schema.model_fields.items():
            value, kind = out.get(name), info.annotation
            if isinstance(value, list) and get_origin(kind) is list:
                out[name] = self._list(name, info, value)
            elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, BaseModel):
                out[name] = self.tree(value, kind)
            elif isinstance(value, str) and _free_text(info):
                if self._is_hint(value, name) and info.default == "":
                    out[name] = ""
                    self.notes.append(
                        f"{name} repeated the prompt's example and was taken as empty"
                    )
                elif self._is_hint(value, name):
                    self._fail(ECHOED.format(name))
                elif self._hints is not None and info.is_required() and declines(value):
                    self._fail(f"The model refuses to answer in {name}.")
        return out

    def _list(self, name: str, info: FieldInfo, items: list[Any]) -> list[Any]:
        model = _item_model(info)
        said = [item for item in items if not _blank(item)]
        if model is not None and not said:  # nothing but empty objects was not meant as empty
            return items
        self._left_out(len(items) - len(said), name, "blank")
        own = [item for item in said if not self._is_example(item, name, model)]
        self._left_out(len(said) - len(own), name, "only the prompt's example")
        texts = [item for item in own if isinstance(item, str)]
        if said and not own:
            self._fail(ECHOED.format(name))
        elif self._hints is not None and texts and all(map(declines, texts)):
            self._fail(f"The model refuses to answer in {name}.")
        if model is not None and EACH_BY_ITSELF in info.metadata:
            read, fault = [], ""
            for item in own:
                one = Tidying(self._hints, self._accepts)
                tree = one.tree(item, model) if isinstance(item, dict) else {}
                fault = fault or one.fault
                if not one.fault and self._accepts(tree, model):
                    read.append(tree)
                    self.notes += one.notes
            if (
                own and not read
            ):  # without a fault of ours the check of the whole says what is wrong
                self._fail(fault)
                return items
            self._left_out(len(own) - len(read), name, "unreadable")
            own = read
        limits = (getattr(mark, "max_length", None) for mark in info.metadata)
        most = next((limit for limit in limits if limit is not None), MOST_ITEMS)
        if len(own) > most:
            self.notes.append(
                f"{name} was cut from {len(own)} items to the {most} that were asked for"
            )
        return own[:most]

    def _fail(self, why: str) -> None:
        self.fault = self.fault or why

    def _left_out(self, number: int, name: str, why: str) -> None:
        if number:
            self.notes.append(f"{count(number, 'item')} of {name} left out: {why}")

    def _is_example(self, item: Any, name: str, model: type[BaseModel] | None) -> bool:
        """An item of which every text is the example's: its choices say nothing then."""
        if isinstance(item, str):
            return self._is_hint(item, name)
        if not isinstance(item, dict) or model is None:
            return False
        fields = [key for key, info in model.model_fields.items() if _free_text(info)]
        texts = [(item[key], key) for key in fields if isinstance(item.get(key), str)]
        return bool(texts) and all(self._is_hint(*text) for text in texts)

    def _is_hint(self, text: str, name: str) -> bool:
        """Whether a text only repeats what the prompt says of the field, or names what it holds."""
        if self._hints is None or not text.strip():
            return False
        plain = _plain(text)
        known = plain in self._hints or plain in _HINT_WORDS or plain == name.replace("_", " ")
        return not plain or known or bool(_BRACKETED.fullmatch(text.strip()))


def _blank(item: Any) -> bool:
    """Nothing at all is said: an empty text, null, or an object of such."""
    if isinstance(item, dict):
        return all(_blank(inner) for inner in item.values())
    return item is None or item in ([], {}) or (isinstance(item, str) and not item.strip())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_EDGES)


def _free_text(info: FieldInfo) -> bool:
    """A field for any text, rather than a choice, a number or a list."""
    return info.annotation is str or str in get_args(info.annotation)


def _item_model(info: FieldInfo) -> type[BaseModel] | None:
    """The model of a list's items, where they are objects."""
    item = next(iter(get_args(info.annotation)), None)
    item = get_args(item)[0] if get_origin(item) is Annotated else item
    return item if isinstance(item, type) and issubclass(item, BaseModel) else None


MOST_CHARS = 600
"""A longer text has said something."""

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
_BEGINS = re.compile(
    rf"(?:unfortunately )?(?:{_SORRY} {_CANNOT}\b|(?:{_SORRY} )?{_AI}|{_CANNOT} {_HELP})"
)
_WHOLE = re.compile(
    r"(?:(?:the|this|your) )?(?:request|answer|response|content) (?:(?:was|is|has been) )?(?:refused|declined|denied|blocked|withheld)"
    r"|refus(?:al|ed)"
)
_BETWEEN_WORDS = re.compile(r"[^\w']+")


def declines(text: str) -> bool:
    """Whether a text begins as a refusal, or says nothing but that there is one."""
    if len(text) > MOST_CHARS:
        return False
    said = _BETWEEN_WORDS.sub(" ", text.replace("’", "'").casefold()).strip()
    return bool(_BEGINS.match(said) or _WHOLE.fullmatch(said))
