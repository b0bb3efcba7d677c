"""What a call of a language model is: request, reply, settings of a role, and two protocols. Cheap
to import: standard library only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from coi_tui.config import LlmSettings, RoleSettings
import re

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
    ``max_tokens`` are the prompt's own until ``roles.resolved``.
    """

    role: Role
    prompt: str
    version: str
    prompt_hash: str
    system: str
    user: str
    schema_name: str
    schema: dict[str, Any]
    temperature: float
    max_tokens: int
    values: Mapping[str, object]
    sample: int = 0
    reask: tuple[str, str] | None = None
    address: str = ""

    def key(self) -> dict[str, object]:
        """Everything that identifies the call's content, JSON-able; ``values``, ``address`` and
        ``schema_name`` are not content."""
        beside = ("values", "address", "schema_name")
        told = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in beside}
        return {**told, "reask": self.reask and list(self.reask)}

    def prompt_chars(self) -> int:
        """Characters that a server may be sent at most: texts, re-ask and the schema (it counts as
        prompt as well)."""
        schema = len(json.dumps(self.schema, separators=(",", ":"), ensure_ascii=False))
        return len(self.system) + len(self.user) + schema + sum(map(len, self.reask or ()))


@dataclass(frozen=True)
class ChatReply:
    """What came back. ``text`` is raw; ``seconds`` is the time of the attempt that succeeded,
    without waits before it.

    ``model_served`` is the name in the answer, empty where the server names none. ``reply_format``
    is the one used: json_schema, json_object or text ("draft", "scripted" and "recorded" for the
    stand-ins). ``thinking`` is what the model reasoned in a field of its own, kept as it came; it
    is never read as an answer. ``cut_at`` is not 0 where the server took in only the first so many
    tokens of the prompt without a word: such a reply answers another question. ``cached_tokens``
    are those of the prompt that the server had kept from an earlier one, and mostly charges less
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
    seconds: float
    thinking: str = ""
    cut_at: int = 0
    cached_tokens: int = 0

    @classmethod
    def free(cls, text: str, model: str, reply_format: str) -> ChatReply:
        """The reply of something that stands in for a model: no tokens, no time."""
        return cls(text, model, model, 0, 0, False, "stop", reply_format, 0.0)

    def to_json(self) -> dict[str, object]:
        """A flat dictionary that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ChatReply:
        """The reply that ``to_json`` wrote; raises KeyError where a field is missing, ignores
        unknown ones."""
        return cls(
            **{
                field.name: data[field.name]
                for field in fields(cls)
                if field.name in data or field.default is MISSING
            }
        )


@dataclass(frozen=True)
class EmbeddingReply:
    """Vectors in the order of the texts, each of length 1 (an all-zero vector stays zero)."""

    vectors: list[list[float]]
    model_asked: str
    model_served: str
    prompt_tokens: int
    seconds: float


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
    """The settings of ``main``, ``reader`` or ``embedding``; raises ValueError for any other
    role."""
    found = {"main": settings.main, "reader": settings.reader, "embedding": settings.embedding}.get(
        role
    )
    if found is None:
        raise ValueError(f"no such role: {role}")
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
    temperature = request.temperature if role.temperature is None else role.temperature
    max_tokens = request.max_tokens if role.max_tokens is None else role.max_tokens
    return replace(request, temperature=temperature, max_tokens=max_tokens)


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
