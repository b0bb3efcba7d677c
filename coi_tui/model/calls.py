"""Calls to services, as the session file keeps them: what was asked, what came back, what it
cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from coi_tui.model.papers import Frozen
from coi_tui.model.text import digest

CallKind = Literal["chat", "embed", "http", "text"]
JobState = Literal[
    "planned", "approved", "running", "waiting", "stopping", "stopped", "failed", "done"
]

LOCAL = "local"
"""Stands in the request of a call that asked nothing but this machine, with what was asked."""


class Call(Frozen):
    """One finished call. ``key`` is the content hash of what was asked: the same key is never sent
    twice.

    ``reply`` is the raw answer as JSON (chat: text, model served, usage ...; http: status and
    payload). ``stage`` numbers the calls of one step that had to wait for each other (0 first).
    ``cached_tokens`` of the prompt's the server had kept from an earlier one, as it says.
    ``cost_usd`` is None where no price is known. ``started`` is ISO (UTC),
    ``seconds`` the duration.
    """

    id: int = 0
    key: str
    kind: CallKind
    address: str = ""
    step: str = ""
    stage: int = 0
    prompt: str = ""
    model_asked: str = ""
    model_served: str = ""
    request: Mapping[str, Any] = Field(default_factory=dict)
    reply: Mapping[str, Any] = Field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    started: str = ""
    seconds: float = 0.0
    job: int = 0

    @property
    def local(self) -> bool:
        """Whether nothing but this machine was asked: imported papers, vectors
        computed here."""
        return LOCAL in self.request


class Failure(Frozen):
    """A step that failed, with its cause in one sentence (never any text of a reply). ``said``: a
    service's own words, cut and cleaned. ``after``: the last entry of the log when it failed."""

    address: str
    step: str
    cause: str
    said: str = ""
    kind: str = ""
    keys: tuple[str, ...] = ()
    time: str = ""
    job: int = 0
    after: int = 0


class JobEvent(Frozen):
    """A change of a job's state. The first event of a job carries its goal and what was
    approved."""

    job: int
    state: JobState
    time: str = ""
    detail: Mapping[str, Any] = Field(default_factory=dict)


def pdf_request(pdf: str, by: str) -> dict[str, str]:
    """What the text of the researcher's own PDF is found by: the hash of its bytes, and
    ``attached`` or ``library``."""
    return {"own_pdf": pdf, "by": by}


def pdf_key(pdf: str, by: str) -> str:
    """The content key of that text's call: the same in every session."""
    return digest({"kind": "text", **pdf_request(pdf, by)})
