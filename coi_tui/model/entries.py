"""What a session file stores: decisions and versions of the log, calls to services, failures and
events of jobs. Added, never changed or deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Frozen
from coi_tui.model.text import clean_line, digest

YOU, COI = "you", "coi"
"""The person whose session it is, and the program by itself."""
Actor = Annotated[str, Field(pattern=r"^(you|coi|(reader|agent):[^\W_][\w .-]{0,39})$")]
"""Or a second reader, or another program: ``reader:Ana``, ``agent:editor``. What they say stands beside;
only a person's own decision puts it into use."""
Origin = Literal[
    "model", "drafter", "scripted", "recorded", "person", "merged", "source", "reviewed"
]
"""``reviewed``: a text of the session that a second reader is shown, whoever wrote it."""
Action = str
"""What a decision does: an action of the kernel (``FOLDS`` of ``model/fold.py``) or of a component."""

Content = Mapping[str, Any]
"""A cell's content: JSON values by field name."""


class Decision(Frozen):
    """One entry of the decision log.

    ``value`` holds everything the decision caused (papers placed and detached, the link evidence
    used), so that the fold never asks anything else. ``group`` names the bulk act it belongs to;
    ``undoes`` the group that an undo or redo is about.
    ``creation`` marks what made the session; it is not undoable.
    """

    kind: Literal["decision"] = "decision"
    seq: int = 0
    time: str = ""
    actor: Actor
    action: Action
    address: str
    value: Content = Field(default_factory=dict)
    before: Content = Field(default_factory=dict)
    reason: str = ""
    group: str = ""
    undoes: str = ""
    creation: bool = False
    event: str = ""
    """Of another's log: which file and which entry it came from, in an order that can be sorted."""


class Version(Frozen):
    """One text that a cell has had: content, what it was made from, and how.

    ``inputs`` maps a reference (``1/0.card#limitation``) to the meaning hash it had; None = that
    input was absent.
    ``sources`` maps the same references to the log entry that supplied them (``v12`` a version,
    ``d7`` a decision).
    ``meanings`` maps each field to its meaning hash: its own content's, or the parent's when saved
    as wording only.
    ``recipe`` names prompt, version, hash, model asked and served, parameters, sample. ``beside``
    (``alternative_because`` in code) is empty, or the reason why the result is only an alternative
    to the version in use.
    """

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    kind: Literal["version"] = "version"
    seq: int = 0
    time: str = ""
    actor: Actor
    address: str
    content: Content
    meanings: Mapping[str, str]
    origin: Origin
    parents: tuple[int, ...] = ()
    inputs: Mapping[str, str | None] = Field(default_factory=dict)
    sources: Mapping[str, str] = Field(default_factory=dict)
    recipe: Content = Field(default_factory=dict)
    calls: tuple[int, ...] = ()
    cost_usd: float | None = None
    alternative_because: str = Field("", validation_alias="beside", serialization_alias="beside")
    wording_only: bool = False
    event: str = ""
    """As of a decision."""

    @property
    def by_person(self) -> bool:
        """Whether the person whose session it is wrote it."""
        return self.origin in ("person", "merged") and self.actor == YOU

    @property
    def by_other(self) -> bool:
        """Whether a second reader, or another program, wrote it."""
        return is_other(self.actor)


Entry = Annotated[Decision | Version, Field(discriminator="kind")]


def is_other(actor: str) -> bool:
    """Whether it is neither the session's own person nor the program."""
    return actor not in (YOU, COI)


def named(actor: str) -> str:
    """What an actor is called: ``Ana`` for ``reader:Ana``."""
    return actor.partition(":")[2] or actor


def other_actor(kind: Literal["reader", "agent"], name: str) -> str:
    """The actor of somebody else's name. Raises UsageError for what is no name."""
    actor = f"{kind}:{clean_line(name)}"
    try:
        return TypeAdapter(Actor).validate_python(actor)
    except ValidationError:
        raise UsageError(
            f"{name[:40]!r} is no name of a {kind}.", "Use letters, digits and blanks, at most 40."
        ) from None


def meanings_of(content: Content) -> dict[str, str]:
    """The meaning hash of each field that says something; empty fields (None, empty text or list)
    have none."""
    return {
        name: digest(value) for name, value in content.items() if value not in (None, "", [], {})
    }


# -- calls to services: what was asked, what came back, what it cost

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
    payload). ``stage`` numbers the calls of one task that had to wait for each other (0 first).
    ``cached_tokens`` of the prompt's the server had cached from an earlier one, as it says.
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
    request: Content = Field(default_factory=dict)
    reply: Content = Field(default_factory=dict)
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
    """A task that failed, with its cause in one sentence (never any text of a reply). ``response``: a
    service's own words, cut and cleaned. ``after``: the last entry of the log when it failed."""

    address: str
    step: str
    cause: str
    response: str = ""
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
    detail: Content = Field(default_factory=dict)


def pdf_request(pdf: str, by: str) -> dict[str, str]:
    """What the text of the researcher's own PDF is found by: the hash of its bytes, and
    ``attached`` or ``library``."""
    return {"own_pdf": pdf, "by": by}


def pdf_key(pdf: str, by: str) -> str:
    """The content key of that text's call: the same in every session."""
    return digest({"kind": "text", **pdf_request(pdf, by)})
