"""The one question that the check of services may ask each model, and what that may cost. Nothing here asks by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coi_tui.config import Keys, LlmSettings, Settings
from coi_tui.model.money import UNKNOWN, dollars

if TYPE_CHECKING:
    from coi_tui.llm.types import ChatRequest

Role = Literal["main", "reader"]
TOKENS_OUT = 200
"""Longest answer, in tokens; enough for a word, and for a model that reasons a little first."""


@dataclass(frozen=True)
class Asked:
    """One model that would be asked. ``tokens`` in and out at most; ``usd`` in dollars at most, None where no price is known."""

    role: Role
    model: str
    tokens: tuple[int, int]
    usd: float | None


@dataclass(frozen=True)
class Asking:
    """What would be asked at once. ``server`` is its host; ``local``: it runs on this machine (and may still be charged, as a proxy is)."""

    server: str
    local: bool
    models: tuple[Asked, ...]

    @property
    def price(self) -> str:
        """The price of all of it in a few words."""
        unknown = [m.model for m in self.models if m.usd is None]
        if unknown:
            return f"{UNKNOWN}: no price is known for {', '.join(unknown)}{'; the server is on this machine' if self.local else ''}"
        return f"at most {dollars(sum(m.usd or 0.0 for m in self.models))}"

    def told(self) -> str:
        """Each call with its price, and what it is good for."""
        calls = [
            f"{m.role:7} {m.model}: {m.tokens[0]} tokens in, at most {m.tokens[1]} out, {self._of(m)}"
            for m in self.models
        ]
        go = "One call goes" if len(calls) == 1 else f"{len(calls)} calls go"
        return "\n".join(
            [
                f"{go} to {self.server}: a made-up sentence, nothing of a session.",
                *calls,
                f"In all: {self.price}.",
                "It shows whether the key is taken and which reply format each model knows. No session's budget counts it.",
            ]
        )

    def _of(self, asked: Asked) -> str:
        return f"at most {dollars(asked.usd)}" if asked.usd is not None else UNKNOWN


def roles_asked(llm: LlmSettings) -> tuple[Role, ...]:
    """The roles that have a model of their own."""
    return (
        ("main", "reader") if llm.reader.model and llm.reader.model != llm.main.model else ("main",)
    )


def question(role: Role) -> ChatRequest:
    """A call of about a hundred tokens whose answer shows the reply format."""
    from coi_tui.llm.types import ChatRequest

    schema = {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
        "additionalProperties": False,
    }
    return ChatRequest(
        role=role,
        prompt="doctor",
        version="1",
        prompt_hash="",
        system="Answer in JSON.",
        schema_name="Probe",
        schema=schema,
        user='Answer with the JSON object {"word": "ready"} and nothing else.',
        temperature=0.0,
        max_tokens=TOKENS_OUT,
        values={},
    )


def asking_of(settings: Settings, keys: Keys) -> Asking | None:
    """What asking would be and cost by the settings, without a call; None where no model is set up."""
    from coi_tui.llm.prices import estimate_tokens, upper_usd
    from coi_tui.llm.server_profiles import server_of
    from coi_tui.llm.types import model_name, resolved
    from coi_tui.network.addresses import on_this_machine, shown_host
    from coi_tui.session.runs.service_setup import setup_of

    if not setup_of(settings, keys, False).online_model:
        return None
    llm, url = settings.llm, server_of(settings.llm).base_url
    models = []
    for role in roles_asked(llm):
        request, model = resolved(question(role), llm), model_name(llm, role)
        usd = upper_usd(model, request.prompt_chars(), request.max_tokens, llm.prices, base_url=url)
        models.append(
            Asked(role, model, (estimate_tokens(request.prompt_chars()), request.max_tokens), usd)
        )
    return Asking(shown_host(url), on_this_machine(url), tuple(models))
