"""What a server on own hardware says of itself: its kind, the context of its model and how many requests it serves at once.

Read from ``/v1/models`` and from llama.cpp's ``/props``. The port is only a guess, for a server that cannot be asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.llm.server_errors import parse_json
from coi_tui.llm.server_profiles import COMPATIBLE, LLAMA_CPP, LM_STUDIO, OLLAMA, VLLM, Profile

_OWNERS = {
    "llamacpp": LLAMA_CPP,
    "llama.cpp": LLAMA_CPP,
    "library": OLLAMA,
    "vllm": VLLM,
    "organization_owner": LM_STUDIO,
}
"""What the rows of a list of models name as the owner."""


@dataclass(frozen=True)
class Discovered:
    """``profile`` None: it does not tell. ``context`` and ``slots`` are 0 where they are not told. ``answered``: it lists models at all."""

    profile: Profile | None = None
    context: int = 0
    slots: int = 0
    answered: bool = False

    def kind(self, guess: Profile) -> Profile:
        """The kind of server, where ``guess`` is what its address looks like: no guess by the port stands against a server that answers."""
        if self.profile is not None:
            return self.profile
        return COMPATIBLE if self.answered and guess.local else guess


def discovered(models: bytes, props: bytes) -> Discovered:
    """What the two answers say; empty for one that did not come."""
    listed, told = parse_json(models), parse_json(props)
    rows = listed.get("data") if isinstance(listed, dict) else None
    first: Mapping[str, Any] = (
        next((row for row in rows if isinstance(row, dict)), {}) if isinstance(rows, list) else {}
    )
    answered = isinstance(listed, dict) and "data" in listed
    if isinstance(told, dict) and ("total_slots" in told or "default_generation_settings" in told):
        usual = told.get("default_generation_settings")
        context = _number(usual.get("n_ctx")) if isinstance(usual, dict) else 0
        return Discovered(
            LLAMA_CPP,
            context or _number(told.get("n_ctx")),
            _number(told.get("total_slots")),
            answered,
        )
    meta = first.get("meta")
    context = _number(first.get("max_model_len")) or (
        _number(meta.get("n_ctx")) if isinstance(meta, dict) else 0
    )
    return Discovered(_OWNERS.get(str(first.get("owned_by", "")).lower()), context, 0, answered)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
