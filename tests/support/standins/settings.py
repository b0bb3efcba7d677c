"""All switches of the stand-ins, as frozen dataclasses that travel as JSON to a server in its own
process."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

NOVELTY_MARKER = "precedent"
"""The word every novelty query of the chat stand-in begins with, by which a search rule can tell
it."""


@dataclass(frozen=True)
class Latency:
    """Seconds from the arrival of a whole request to its answer, by kind of path."""

    chat: float = 0.0
    search: float = 0.0
    embeddings: float = 0.0
    pdf: float = 0.0
    other: float = 0.0

    def of(self, kind: str) -> float:
        return float(getattr(self, kind))


BENCH = Latency(chat=1.0, search=0.1, embeddings=0.1, pdf=0.1, other=0.1)
SLOW = Latency(chat=1.0, search=1.0, embeddings=0.3, pdf=2.5, other=0.1)


@dataclass(frozen=True)
class Faults:
    """Shares of requests that go wrong, drawn anew for each arrival from (seed, content hash, nth
    arrival)."""

    seed: int = 0
    p429: float = 0.0
    p500: float = 0.0
    truncated: float = 0.0
    malformed: float = 0.0
    """Chat only: a good HTTP answer whose text is of no use, in one of five styles."""
    nonce: str = "NONCE-7f3a"
    """Stands somewhere in every malformed reply."""
    styles: tuple[str, ...] = ("prose", "cut", "types", "fields", "empty")
    down: bool = False
    """Every request gets a 500."""
    schemas: tuple[str, ...] = ()
    """Only chat requests for these reply schemas; empty: all."""


@dataclass(frozen=True)
class ChatOptions:
    """How the model server behaves."""

    verdict: str = "not close"
    """The verdict on every paper of a novelty check; "close match" for ever is the hard case."""
    formats: tuple[str, ...] = ("json_schema", "json_object")
    """The response formats the server takes; another one gets a 400."""
    piece: int = 200
    """Characters of an event of a stream."""
    pause: float = 0.0
    """Seconds between the events of a stream; 0 sends them all at once."""
    cache: str = ""
    """How the server keeps the beginnings of prompts: "" not at all; "messages"; "schema" as OpenAI
    does, where the JSON schema of the reply stands before the messages, so that only prompts for
    the same reply can share a beginning."""
    length: float = 1.0
    """How long texts are, as a multiple of the table's lengths."""


@dataclass(frozen=True)
class SearchRule:
    """What happens to searches whose query contains a text (case aside): "empty" or "fail" (500)."""

    contains: str
    act: str


@dataclass(frozen=True)
class S2Options:
    """How the literature server behaves."""

    pdf_share: float = 0.0
    """Share of papers with an open PDF, served by this server under /pdf/."""
    rules: tuple[SearchRule, ...] = ()


def novelty_rule(act: str) -> SearchRule:
    """A rule for the searches of the novelty check only ("empty" or "fail")."""
    return SearchRule(NOVELTY_MARKER, act)


@dataclass(frozen=True)
class Hold:
    """Answers are held back from the request numbered ``after`` + 1 on, as long as a file exists.
    No file: nothing is held."""

    file: str = ""
    after: int = 0


@dataclass(frozen=True)
class Settings:
    """Everything about a pair of stand-ins."""

    chat: ChatOptions = field(default_factory=ChatOptions)
    s2: S2Options = field(default_factory=S2Options)
    chat_faults: Faults = field(default_factory=Faults)
    s2_faults: Faults = field(default_factory=Faults)
    latency: Latency = field(default_factory=Latency)
    hold: Hold = field(default_factory=Hold)
    corpus_seed: int = 7
    corpus_size: int = 400

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Settings:
        """The settings again; what is left out keeps its default."""
        kinds: dict[str, Any] = {
            "chat": ChatOptions,
            "s2": S2Options,
            "chat_faults": Faults,
            "s2_faults": Faults,
            "latency": Latency,
            "hold": Hold,
        }
        values = {
            key: _build(kinds[key], value) if key in kinds else value for key, value in data.items()
        }
        return cls(**values)


def _build(kind: Any, data: dict[str, Any]) -> Any:
    values = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    if kind is S2Options and "rules" in values:
        values["rules"] = tuple(SearchRule(**rule) for rule in values["rules"])
    return kind(**values)
