"""How the servers that people use differ, as one table, and by what each is recognised: its address,
then what it says of itself. A server that is not in the table is asked as any OpenAI-compatible one.

A profile says what is tried first; what a server refuses is still found out and remembered
(RequestShape).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from coi_tui.config import LlmSettings
from coi_tui.model.errors import UsageError
from coi_tui.services.http.addresses import on_this_machine
from coi_tui.services.llm.server_errors import parse_json

OPENAI_URL = "https://api.openai.com/v1"
# A version at the end, also Google's /v1beta/openai: such an address is complete.
_VERSIONED = re.compile(r"/v\d+[a-z0-9]*(?:/openai)?$", re.IGNORECASE)

FORMATS = ("json_schema", "json_object", "text")
WITH_LIMITS = "json_schema+"
"""By schema with the keywords for numbers of items, which not every strict mode takes."""
BEST_FIRST = (WITH_LIMITS, *FORMATS)


@dataclass(frozen=True)
class Profile:
    """One kind of server. ``formats`` are the reply formats it takes, the first one tried first;
    ``context`` is the number of tokens that prompt and reply share where nobody changed it (None:
    it goes by the model); ``local``: it runs on own hardware, where calls cost time and no money.
    ``newer_limit``: the limit of a reply is called ``max_completion_tokens`` first.
    ``cuts_silently``: a prompt that is too long is shortened by the server without a word.
    ``one_at_a_time``: it serves one request after the other unless it tells of more slots, and may
    take long to begin.
    """

    id: str
    name: str
    key_needed: bool = False
    formats: tuple[str, ...] = FORMATS
    newer_limit: bool = False
    context: int | None = None
    cuts_silently: bool = False
    local: bool = False
    one_at_a_time: bool = False


COMPATIBLE = Profile("compatible", "OpenAI-compatible server")
OPENAI = Profile("openai", "OpenAI", key_needed=True, formats=BEST_FIRST, newer_limit=True)
AZURE = Profile("azure", "Azure OpenAI", key_needed=True)
OPENROUTER = Profile("openrouter", "OpenRouter", key_needed=True)
OLLAMA = Profile(
    "ollama",
    "Ollama",
    local=True,
    one_at_a_time=True,
    formats=BEST_FIRST,
    context=4096,
    cuts_silently=True,
)
LM_STUDIO = Profile(
    "lmstudio",
    "LM Studio",
    local=True,
    one_at_a_time=True,
    formats=(WITH_LIMITS, "json_schema", "text"),
)
LLAMA_CPP = Profile(
    "llamacpp",
    "llama.cpp",
    local=True,
    one_at_a_time=True,
    formats=BEST_FIRST,
)
VLLM = Profile("vllm", "vLLM", local=True, formats=BEST_FIRST)

PROFILES: Mapping[str, Profile] = {
    p.id: p for p in (OPENAI, AZURE, OPENROUTER, OLLAMA, LM_STUDIO, LLAMA_CPP, VLLM, COMPATIBLE)
}
SET = "set by llm.profile"
_HOSTS = (
    (".api.openai.com", OPENAI),
    (".openrouter.ai", OPENROUTER),
    (".openai.azure.com", AZURE),
    (".cognitiveservices.azure.com", AZURE),
    (".services.ai.azure.com", AZURE),
)
"""How the names of hosts end, with a dot before them."""
_PORTS = {11434: OLLAMA, 1234: LM_STUDIO, 8080: LLAMA_CPP, 8000: VLLM}
"""Guesses for servers on own hardware, until they were asked."""
_OWNERS = {
    "llamacpp": LLAMA_CPP,
    "llama.cpp": LLAMA_CPP,
    "library": OLLAMA,
    "vllm": VLLM,
    "organization_owner": LM_STUDIO,
}
"""What the rows of a list of models name as the owner."""


@dataclass(frozen=True)
class Server:
    """Where calls go and how; ``how`` says by what the profile was recognised. ``context`` (tokens)
    is as the server named it, 0 where it did not."""

    profile: Profile
    base_url: str
    how: str
    context: int = 0

    @property
    def local(self) -> bool:
        """True where calls cost time on own hardware."""
        return self.profile.local or (self.profile is COMPATIBLE and on_this_machine(self.base_url))

    @property
    def tells_of_itself(self) -> bool:
        """Whether it may be asked for its kind: a server on own hardware. Services on the internet
        are known by their host."""
        return self.profile.local or (self.profile is COMPATIBLE and _own_network(self.base_url))

    def told(self, models: bytes) -> Server:
        """The server with what its list of models says (empty: no answer came). What a person set
        remains; a guess by the port gives way to a server that answers."""
        listed = parse_json(models)
        rows = listed.get("data") if isinstance(listed, dict) else None
        if not isinstance(rows, list):
            return self
        row = next((row for row in rows if isinstance(row, dict)), {})
        context = count(row, "max_model_len") or count(row.get("meta"), "n_ctx")
        server = replace(self, context=context)
        if self.how == SET:
            return server
        found = _OWNERS.get(str(row.get("owned_by", "")).lower())
        guess = COMPATIBLE if self.profile.local else self.profile
        how = "as it says itself" if found else "it does not say what it is"
        return replace(server, profile=found or guess, how=how)


def count(fields: object, name: str) -> int:
    """A number above 0 in a field of what a server sent; else 0."""
    value = fields.get(name) if isinstance(fields, dict) else 0
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def server_of(settings: LlmSettings) -> Server:
    """The server of the settings. Raises UsageError for an address that is none; nothing is asked
    over the network."""
    base_url = base_address(settings.base_url)
    if settings.profile:
        return Server(PROFILES[settings.profile], base_url, SET)
    parts = urlsplit(base_url)
    host = f".{parts.hostname}"
    if by_host := next((profile for name, profile in _HOSTS if host.endswith(name)), None):
        return Server(by_host, base_url, "recognised by its host")
    if _own_network(base_url) and (by_port := _PORTS.get(parts.port or 0)):
        return Server(by_port, base_url, f"guessed by port {parts.port}")
    return Server(COMPATIBLE, base_url, "not one of the known servers")


def base_address(given: str) -> str:
    """``given`` with or without /v1 and trailing slash -> the address that routes are appended to;
    empty is OpenAI's, and a bare Azure address gets its /openai/v1.

    Raises UsageError for what is not an http(s) address.
    """
    address = given.strip().rstrip("/")
    if not address:
        return OPENAI_URL
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        sound = sound and not parts.query and not parts.fragment
        _ = parts.port  # raises ValueError for a port that is no number
    except ValueError:
        sound = False
    if not sound:  # the address itself stays out of the sentence: it may hold a password
        raise UsageError(
            "The setting llm.base_url is not an http(s) address.",
            "Write it like this: http://localhost:11434/v1.",
        )
    if not parts.path and str(parts.hostname).endswith(".azure.com"):
        return f"{address}/openai/v1"
    return address if _VERSIONED.search(parts.path) else f"{address}/v1"


def _own_network(url: str) -> bool:
    """This machine, or one of the same house: a private address, or a name without a dot."""
    host = str(urlsplit(url).hostname)
    if host == "localhost" or host.endswith((".localhost", ".local", ".lan")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host
