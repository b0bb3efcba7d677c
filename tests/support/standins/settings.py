"""All switches of the stand-ins, as frozen dataclasses that travel as JSON to a server in its own
process."""

from dataclasses import dataclass, field

NOVELTY_MARKER = "precedent"
"""The word every novelty query of the chat stand-in begins with, by which its searches can be told."""


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
QUICK = Latency(chat=0.02, search=0.005, embeddings=0.005, pdf=0.005, other=0.005)


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
    down: bool = False
    """Every request gets a 500."""
    at_most: int = 1_000
    """Faults of the same request, after which it is answered."""


@dataclass(frozen=True)
class ChatOptions:
    """How the model server behaves."""

    formats: tuple[str, ...] = ("json_schema", "json_object")
    """The response formats the server takes; another one gets a 400."""
    piece: int = 200
    """Characters of an event of a stream."""
    pause: float = 0.0
    """Seconds between the events of a stream; 0 sends them all at once."""
    length: float = 1.0
    """How long texts are, as a multiple of the table's lengths."""
    batches: bool = True
    """Whether there are /v1/batches."""
    looks: int = 2
    """How often a client sees a batch at work before it has ended."""
    expires_after: int = -1
    """The first batch expires after so many answers; -1: none expires."""


@dataclass(frozen=True)
class S2Options:
    """How the literature server behaves."""

    pdf_share: float = 0.0
    """Share of papers with an open PDF, served by this server under /pdf/."""


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
