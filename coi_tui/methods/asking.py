"""A question to a model: its prompt, made shorter when it must be, and what is done about an answer that was cut off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from coi_tui.config import LlmSettings
from coi_tui.llm.types import ChatReply, ChatRequest, resolved, role_settings
from coi_tui.methods.fitting import note, shortened
from coi_tui.prompts.loader import Prompt

SHORTENED = 3
"""How often a prompt is made shorter before the step fails."""
LONGER = 2
"""How many times the limit a cut-off answer is asked again with."""

CONTINUE = "Your answer was cut off. Go on exactly where it stopped, repeat nothing, and write only the rest of the same JSON object."


@dataclass
class Question:
    """``values`` of the prompt; ``left_out`` says what they lack, ``limits`` what was changed about the answer's length."""

    prompt: Prompt
    values: Mapping[str, Any]
    schema: type[BaseModel]
    json_schema: dict[str, Any]
    settings: LlmSettings
    left_out: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    max_tokens: int | None = None
    reask: tuple[str, str] | None = None

    def request(self) -> ChatRequest:
        """The request as it is to be sent now. Raises CoiError for a prompt that cannot be filled in."""
        prompt = self.prompt
        system, user = prompt.render({name: self.values[name] for name in prompt.accepts})
        if self.left_out:
            user = f"{user}\n\n{note(self.left_out)}"
        request = resolved(
            ChatRequest(
                role=prompt.role, prompt=prompt.name, version=prompt.version, prompt_hash=prompt.hash, system=system, user=user,
                schema_name=self.schema.__name__, schema=self.json_schema, temperature=prompt.temperature,
                max_tokens=prompt.max_tokens, values=dict(self.values), reask=self.reask,
            ),
            self.settings,
        )  # fmt: skip
        return request if self.max_tokens is None else replace(request, max_tokens=self.max_tokens)

    def shorten(self, sent: ChatRequest, limit: int, prompt_tokens: int) -> bool:
        """Make the next request fit ``limit`` tokens (0: unknown), of which ``sent`` had ``prompt_tokens`` (0: unknown).

        False where nothing more may be left out.
        """
        chars, reply = sent.prompt_chars(), sent.max_tokens
        if limit and reply > limit // 2:
            self.max_tokens = reply = limit // 2
            self.limits = (*self.limits, f"the answer was limited to {reply:,} tokens, half of the model's context")
        lowered = reply != sent.max_tokens
        a_token = chars / prompt_tokens if prompt_tokens else 4.0
        room = int((limit - reply) * a_token * 0.95) if limit else chars * 6 // 10
        if chars <= room and lowered:
            return True
        found = shortened(self.values, max(chars - room, chars // 20))
        if found is None:
            return lowered
        self.values = found.values
        self.left_out = (*self.left_out, *found.left_out)
        return True

    def lengthen(self, sent: ChatRequest, reply: ChatReply) -> bool:
        """What to ask after an answer that was cut off: plain text is continued, JSON by schema is asked for again with a larger limit.

        False where a person set the limit: it is theirs, and the usual re-ask follows. True with ``reask`` set where it is a continuation.
        """
        if reply.reply_format == "text" and reply.text.strip():
            self.reask = (reply.text, CONTINUE)
            self.limits = (*self.limits, "the answer was cut off and continued by a second call")
            return True
        if role_settings(self.settings, sent.role).max_tokens is not None:
            return False
        self.max_tokens = sent.max_tokens * LONGER
        self.limits = (*self.limits, f"the answer was cut off at {sent.max_tokens:,} tokens and asked for again with {self.max_tokens:,}")
        return True

    def changes(self) -> tuple[str, ...]:
        """All that a version should tell of how its prompt and answer were changed."""
        return (*(f"left out of the prompt, which was too long for the model: {what}" for what in self.left_out), *self.limits)
