"""What a call of a language model is: request, schema and reply, settings of a role, tokens and
money, and two protocols. Cheap to import: standard library only.

A person's own prices win; then the price data bundled with genai-prices, whose updater (network) is
never started. An unknown model has no price: None, never 0.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Protocol

from coi_tui.config import LlmSettings, Price, RoleSettings
from coi_tui.model.text import Fields, Values
from coi_tui.services.http.addresses import on_this_machine

Role = Literal["main", "reader"]
Kind = Literal["model", "drafter", "scripted", "recorded"]
OnText = Callable[[str], None]
"""Gets the whole text so far, each time some more of it has come."""

REFUSED, TOOL_CALLED = "refusal", "tool_calls"
"""Why a reply ended that is none: the model declined in the field that servers have for it, or it
asked for a tool."""


@dataclass(frozen=True)
class ChatRequest:
    """One call: the rendered prompt and the shape its answer must have.

    ``schema`` is the JSON schema of the reply, ``values`` the structured inputs of the prompt (for
    the drafter only, never sent), ``address`` the row that the call is for (for a recorded model
    only, never sent), ``sample`` tells repeated calls with equal content apart, ``reask`` holds the
    previous raw reply and the sentence saying what was wrong with it. ``temperature`` and
    ``max_tokens`` are the prompt's own until ``roles.resolved``. ``model``: what is asked in place
    of the role's model.
    """

    role: Role
    prompt: str
    version: str
    prompt_hash: str
    system: str
    user: str
    schema_name: str
    schema: Fields
    temperature: float
    max_tokens: int
    values: Mapping[str, object]
    sample: int = 0
    reask: tuple[str, str] | None = None
    address: str = ""
    model: str = ""

    def key(self) -> dict[str, object]:
        """Everything that identifies the call's content, JSON-able; ``values``, ``address`` and
        ``schema_name`` are not content."""
        left_out = ("values", "address", "schema_name")
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in left_out}

    def prompt_chars(self) -> int:
        """Characters that a server may be sent at most: texts, re-ask and the schema (it counts as
        prompt as well)."""
        schema = len(json.dumps(self.schema, separators=(",", ":"), ensure_ascii=False))
        return len(self.system) + len(self.user) + schema + sum(map(len, self.reask or ()))


@dataclass(frozen=True)
class ChatReply:
    """What came back. ``text`` is raw.

    ``model_served`` is the name in the answer, empty where the server names none. ``reply_format``
    is the one used: json_schema, json_object or text ("draft", "scripted" and "recorded" for the
    stand-ins). ``thinking`` is what the model reasoned in a field of its own, stored as it came; it
    is never read as an answer. ``cut_at`` is not 0 where the server took in only the first so many
    tokens of the prompt without a word: such a reply answers another question. ``cached_tokens``
    are those of the prompt that the server had cached, and mostly charges less
    for.
    """

    text: str
    model_asked: str
    model_served: str
    prompt_tokens: int
    completion_tokens: int
    usage_estimated: bool
    finish_reason: str
    reply_format: str
    thinking: str = ""
    cut_at: int = 0
    cached_tokens: int = 0

    @classmethod
    def free(cls, text: str, model: str, reply_format: str) -> ChatReply:
        """The reply of something that stands in for a model: no tokens."""
        return cls(text, model, model, 0, 0, False, "stop", reply_format)

    @classmethod
    def from_json(cls, data: Values) -> ChatReply:
        """The reply of which this is ``asdict``; raises TypeError where a field is missing, ignores
        unknown ones."""
        return cls(**{f.name: data[f.name] for f in fields(cls) if f.name in data})


@dataclass(frozen=True)
class EmbeddingReply:
    """Vectors in the order of the texts, each of length 1 (an all-zero vector stays zero)."""

    vectors: list[list[float]]
    model_served: str
    prompt_tokens: int


class ChatModel(Protocol):
    """A language model, or something that stands in for one."""

    kind: Kind

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The reply to ``request``; raises CoiError (ServiceError for a service) when there is
        none."""
        ...

    def model_for(self, role: str) -> str:
        """The model's name for ``main`` or ``reader``."""
        ...

    async def aclose(self) -> None:
        """Close connections; the model is of no use afterwards."""
        ...


class EmbeddingModel(Protocol):
    """Turns texts into vectors."""

    async def embed(self, texts: Sequence[str]) -> EmbeddingReply:
        """One vector a text; raises ServiceError."""
        ...


def role_settings(settings: LlmSettings, role: str) -> RoleSettings:
    """The settings of ``main``, ``reader`` or ``embedding``."""
    found: RoleSettings = getattr(settings, role)
    return found


def model_name(settings: LlmSettings, role: str) -> str:
    """The model of a role. A reader without a name takes main's; an embedding model has no stand-in
    (a chat model has no such route), so there the name may be empty."""
    name = role_settings(settings, role).model
    return name if name or role == "embedding" else settings.main.model


def resolved(request: ChatRequest, settings: LlmSettings) -> ChatRequest:
    """``request`` with the temperature and the reply tokens that a person set for its role.
    Idempotent."""
    role = role_settings(settings, request.role)
    return replace(request, **role.model_dump(exclude={"model"}, exclude_none=True))


def join_surrogates(text: str) -> str:
    """``text`` with pairs of surrogates joined to their character and lone ones replaced by U+FFFD.

    JSON can spell surrogates out; UTF-8 and SQLite cannot hold them.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


REASONING_TOKENS = 6_000
"""Tokens added to the limit of a reply for a model that reasons by itself: most servers count its
reasoning as part of the reply."""

_NAMES = re.compile(
    r"^o[1-9](-|$)|^gpt-[56](?!.*chat)|^gpt-oss|^deepseek-(r\d|reasoner)|^qwq|^magistral|^grok-(3-mini|4)|^gemini-(2\.5|[3-9])|^phi-4-reasoning"
    r"|thinking|reasoner"
)


def reasons_itself(model: str) -> bool:
    """Whether a model of this name is known to reason by itself: ``o3``, ``openai/gpt-5-mini``,
    ``deepseek-r1:14b``.

    A name that says nothing, such as that of a deployment, is taken for a model that does not:
    asking it once too often does no harm.
    """
    return _NAMES.search(model.lower().rpartition("/")[2]) is not None


# -- the form of a reply as it is asked for

# What any strict schema may hold. Servers differ in the rest (minItems, minLength, pattern ...),
# and some refuse a schema that has it.
_STRICT_KEYWORDS = frozenset(
    {"type", "description", "enum", "const", "items", "properties", "anyOf", "$defs", "$ref"}
)
LIMITS = frozenset({"minItems", "maxItems", "minimum", "maximum"})
"""Keywords that servers with a grammar of their own can hold a model to."""


@dataclass(frozen=True)
class Choices:
    """What a field of the items of a list may hold in this call: the labels or the numbers that the
    prompt shows.

    ``exactly``: one item for each of them is asked for.
    """

    items: str
    field: str
    values: Sequence[str | int]
    exactly: bool = True


def with_choices(schema: Fields, choices: Choices) -> Fields:
    """``schema`` for one call; the one given is left as it is."""
    found = copy.deepcopy(schema)
    listed = found["properties"][choices.items]
    fields = found["$defs"][listed["items"]["$ref"].rsplit("/", 1)[-1]]["properties"]
    plain = fields[choices.field]
    known = {key: plain[key] for key in ("type", "description") if key in plain}
    fields[choices.field] = {**known, "enum": list(choices.values)}
    if choices.exactly:
        listed |= {"minItems": len(choices.values), "maxItems": len(choices.values)}
    return found


def strict_schema(schema: Fields, *, limits: bool = False) -> Fields:
    """``schema`` as OpenAI's strict mode wants it: all properties required, no others allowed,
    plain keywords only, and those of LIMITS where asked for."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # strict mode allows nothing beside a reference
    keywords = _STRICT_KEYWORDS | LIMITS if limits else _STRICT_KEYWORDS
    found = {key: value for key, value in schema.items() if key in keywords}
    for key in found.keys() & {"properties", "$defs"}:
        found[key] = {name: strict_schema(one, limits=limits) for name, one in found[key].items()}
    if "anyOf" in found:
        found["anyOf"] = [strict_schema(one, limits=limits) for one in found["anyOf"]]
    if "items" in found:
        found["items"] = strict_schema(found["items"], limits=limits)
    if found.get("type") == "object":
        properties = found.setdefault("properties", {})
        found |= {"required": list(properties), "additionalProperties": False}
    return found


def skeleton(schema: Fields, defs: Fields | None = None) -> Any:
    """A reply of this form with nothing in it: every field, one item in each list."""
    defs = schema.get("$defs", {}) if defs is None else defs
    if "$ref" in schema:
        schema = defs[schema["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in schema:
        return skeleton(schema["anyOf"][0], defs)
    if "properties" in schema:
        return {name: skeleton(one, defs) for name, one in schema["properties"].items()}
    if schema.get("type") == "array":
        return [skeleton(schema.get("items", {}), defs)]
    empty = {"integer": 0, "number": 0, "boolean": False, "object": {}}
    return empty.get(str(schema.get("type")), "")


# -- tokens and money

CHARS_PER_TOKEN = 4


def estimate_tokens(chars: int) -> int:
    """Characters / 4, rounded up: the estimate before a call, and after one whose server sends no
    usage."""
    return -(-max(0, chars) // CHARS_PER_TOKEN)


def price_usd(
    model: str,
    prompt_tokens: int,
    completion_tokens: int,
    prices: Mapping[str, Price],
    *,
    base_url: str = "",
    cached_tokens: int = 0,
) -> float | None:
    """US dollars of one call, or None where the price is not known.

    ``base_url``, when given, says whose prices hold: the same model name on a local server has no
    price. ``cached_tokens``: how many of the prompt's tokens the server had cached; they cost less
    where their price is known.
    """
    own = prices.get(model)
    if own is not None:
        cached = own.input if own.cached is None else own.cached
        fresh = prompt_tokens - cached_tokens
        spent = fresh * own.input + cached_tokens * cached + completion_tokens * own.output
        return spent / 1_000_000
    if base_url and on_this_machine(base_url):  # no list has prices for it
        return None
    from genai_prices import Usage, calc_price  # 50-120 ms, so only when a price is asked for

    usage = Usage(
        input_tokens=prompt_tokens, output_tokens=completion_tokens, cache_read_tokens=cached_tokens
    )
    try:
        return float(calc_price(usage, model, provider_api_url=base_url or None).total_price)
    except LookupError:
        return None


_NO_TEXT = re.compile(
    r"embed|whisper|transcri|tts|audio|realtime|live|image|dall-e|sora|moderation|rerank"
)
"""What the names of models that do not answer in text contain."""
MOST_OFFERED = 5


def offered(llm: LlmSettings, listed: Sequence[str]) -> str:
    """The models of a server whose names are nearest to those that are set, and the command that
    sets two of them; empty where none is listed."""
    from rapidfuzz import process

    texts = [name for name in listed if not _NO_TEXT.search(name.lower())]
    if not texts:
        return ""
    main, reader = (
        [found[0] for found in process.extract(name, texts, limit=MOST_OFFERED)]
        for name in (llm.main.model, llm.reader.model or llm.main.model)
    )
    apart = next((name for name in reader if name != main[0]), main[0])
    names = ", ".join(list(dict.fromkeys([main[0], apart, *main]))[:MOST_OFFERED])
    choice = f"coi config models {main[0]} {apart}"
    return f"It offers {names}. Take two of them for writing and reading, such as: {choice}."
