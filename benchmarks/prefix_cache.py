"""A cache of the beginnings of prompts, as services with automatic prompt caching describe theirs.

A prompt whose first 1,024 tokens or more equal those of an earlier one counts as cached up to where
the two part, in steps of 128 tokens. An earlier prompt is known once it has been answered: of
prompts that are under way together none helps another.
"""

from __future__ import annotations

import json
from typing import Any

from tests.support.standins.chat import ChatService
from tests.support.standins.corpus import Corpus
from tests.support.standins.settings import ChatOptions

LEAST, STEP = 1024, 128
CHARS_PER_TOKEN = 4
KINDS = ("messages", "schema")
"""Where a prompt begins: with its messages, or as OpenAI has it with the JSON schema of the
reply."""
_STEP_CHARS = STEP * CHARS_PER_TOKEN


class PrefixCache:
    """``kind``: "messages", or "schema" where the schema of the reply stands before them."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._known: set[int] = set()

    def prompt(self, body: dict[str, Any]) -> str:
        """The prompt as the model reads it from the first token on; two models share nothing."""
        schema = (
            (body.get("response_format") or {}).get("json_schema")
            if self._kind == "schema"
            else None
        )
        parts = [str(body.get("model")), *([json.dumps(schema, sort_keys=True)] if schema else [])]
        return "\n".join(
            [*parts, *(f"{m.get('role')}: {m.get('content')}" for m in body.get("messages") or ())]
        )

    def cached(self, prompt: str) -> int:
        """Tokens of this prompt that are kept."""
        tokens = 0
        for end, key in _beginnings(prompt):
            if key not in self._known:
                break
            tokens = end // CHARS_PER_TOKEN
        return tokens if tokens >= LEAST else 0

    def keep(self, prompt: str) -> None:
        """Remember a prompt that was answered."""
        self._known.update(key for _, key in _beginnings(prompt))


def _beginnings(prompt: str) -> list[tuple[int, int]]:
    """Each whole step of a prompt: where it ends, and a key for everything up to there."""
    return [(end, hash(prompt[:end])) for end in range(_STEP_CHARS, len(prompt) + 1, _STEP_CHARS)]


class CachingChat(ChatService):
    """The stand-in for a model server, with such caches."""

    def __init__(self, corpus: Corpus, options: ChatOptions | None = None) -> None:
        super().__init__(corpus, options)
        self._caches = {kind: PrefixCache(kind) for kind in KINDS}

    def cached(self, body: dict[str, Any]) -> dict[str, int]:
        return {kind: cache.cached(cache.prompt(body)) for kind, cache in self._caches.items()}

    def answered(self, body: dict[str, Any]) -> None:
        for cache in self._caches.values():
            cache.keep(cache.prompt(body))
