"""How the servers that people use differ, as one table. A server that is not in it is asked as any OpenAI-compatible one.

A profile is recognised by the base address or set by ``llm.profile``. It only says what is tried first: what a server refuses
is still found out and remembered (RequestShape).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

from coi_tui.config import LlmSettings
from coi_tui.llm.reply_formats import FORMATS, RequestShape
from coi_tui.llm.reply_schemas import ALL_LIMITS, ITEM_LIMITS, NO_LIMITS
from coi_tui.model.errors import UsageError
from coi_tui.network.addresses import on_this_machine

OPENAI_URL = "https://api.openai.com/v1"

# A version at the end, also Google's /v1beta/openai: such an address is complete.
_VERSIONED = re.compile(r"/v\d+[a-z0-9]*(?:/openai)?$", re.IGNORECASE)

AZURE_VERSION = "2024-10-21"
"""The ``api-version`` that is sent to Azure where neither the address nor the settings name one."""


@dataclass(frozen=True)
class Profile:
    """One kind of server. ``formats`` are the reply formats it takes, the first one tried first; ``context`` is the number of tokens that
    prompt and reply share where nobody changed it (None: it goes by the model); ``local``: it runs on own hardware, where calls cost time
    and no money. ``limits``: keywords for numbers of items and lengths that it takes in a strict schema. ``cuts_silently``: a prompt that
    is too long is shortened by the server without a word. ``one_at_a_time``: it serves one request after the other unless it tells of more
    slots, and may take long to begin. ``note`` is said by the doctor.
    """

    id: str
    name: str
    key_needed: bool = False
    formats: tuple[str, ...] = FORMATS
    tokens_names: tuple[str, ...] = ("max_tokens", "max_completion_tokens")
    stream_usage: bool = True
    key_header: Literal["authorization", "api-key"] = "authorization"
    headers: Mapping[str, str] = field(default_factory=dict)
    limits: frozenset[str] = NO_LIMITS
    context: int | None = None
    cuts_silently: bool = False
    local: bool = False
    one_at_a_time: bool = False
    note: str = ""

    def shape(self) -> RequestShape:
        """What is tried first for a model of which nothing is known yet."""
        return RequestShape(self.formats, self.tokens_names, limits=self.limits)


COMPATIBLE = Profile("compatible", "OpenAI-compatible server")
OPENAI = Profile(
    "openai",
    "OpenAI",
    key_needed=True,
    tokens_names=("max_completion_tokens", "max_tokens"),
    limits=ITEM_LIMITS,
)
AZURE = Profile(
    "azure",
    "Azure OpenAI",
    key_needed=True,
    key_header="api-key",
    note="the model's name is the deployment's",
)
OPENROUTER = Profile(
    "openrouter",
    "OpenRouter",
    key_needed=True,
    headers={"X-Title": "coi-tui"},
    note="model names are vendor/name",
)
OLLAMA = Profile(
    "ollama",
    "Ollama",
    local=True,
    one_at_a_time=True,
    limits=ALL_LIMITS,
    context=4096,
    cuts_silently=True,
    note="it cuts prompts to its context unless OLLAMA_CONTEXT_LENGTH is raised; say the same number as llm.context_tokens",
)
LM_STUDIO = Profile(
    "lmstudio",
    "LM Studio",
    local=True,
    one_at_a_time=True,
    formats=("json_schema", "text"),
    limits=ALL_LIMITS,
    note="it takes JSON by schema or plain text, no json_object",
)
LLAMA_CPP = Profile(
    "llamacpp",
    "llama.cpp",
    local=True,
    one_at_a_time=True,
    limits=ALL_LIMITS,
    note="slots share the context; it serves one model whatever the name",
)
VLLM = Profile(
    "vllm", "vLLM", local=True, limits=ITEM_LIMITS, note="the context is the model's own"
)

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
_PORTS = {11434: OLLAMA, 1234: LM_STUDIO}
_HOME_PORTS = {8080: LLAMA_CPP, 8000: VLLM}
"""Ports that many other programs use as well: they say something on own hardware only."""


@dataclass(frozen=True)
class Server:
    """Where calls go and how. ``deployment`` and ``api_version`` are Azure's; ``how`` says by what the profile was recognised."""

    profile: Profile
    base_url: str
    how: str
    deployment: str = ""
    api_version: str = ""

    @property
    def local(self) -> bool:
        """True where calls cost time on own hardware."""
        return self.profile.local or (self.profile is COMPATIBLE and on_this_machine(self.base_url))

    @property
    def tells_of_itself(self) -> bool:
        """Whether it may be asked for its kind: a server on own hardware. Services on the internet are known by their host."""
        host = (urlsplit(self.base_url).hostname or "").lower()
        return self.profile.local or (self.profile is COMPATIBLE and _own_network(host))

    @property
    def is_set(self) -> bool:
        """Whether a person said what kind it is."""
        return self.how == SET


def server_of(settings: LlmSettings) -> Server:
    """The server of the settings. Raises UsageError for an address that is none; nothing is asked over the network."""
    profile, how = _recognised(settings)
    if profile is AZURE:
        return _azure(settings, how)
    return Server(profile, base_address(settings.base_url), how)


def base_address(given: str) -> str:
    """``given`` with or without /v1 and trailing slash -> the address that routes are appended to; empty is OpenAI's.

    Raises UsageError for what is not an http(s) address.
    """
    address = given.strip().rstrip("/")
    if not address:
        return OPENAI_URL
    try:
        parts = urlsplit(address)
        sound = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not parts.query
            and not parts.fragment
        )
        _ = parts.port  # raises ValueError for a port that is no number
    except ValueError:
        sound = False
    if not sound:
        # The address itself stays out of the sentence: it may hold a password.
        raise UsageError(
            "The setting llm.base_url is not an http(s) address.",
            "Write it like this: http://localhost:11434/v1.",
        )
    return address if _VERSIONED.search(parts.path) else f"{address}/v1"


def _recognised(settings: LlmSettings) -> tuple[Profile, str]:
    if settings.profile:
        return PROFILES[settings.profile], SET
    given = settings.base_url.strip() or OPENAI_URL
    try:
        parts = urlsplit(given)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:  # base_address says what is wrong with it
        return COMPATIBLE, ""
    return _recognised_by_address(host, parts.path, port or 0)


def _recognised_by_address(host: str, path: str, port: int) -> tuple[Profile, str]:
    if by_host := next((profile for name, profile in _HOSTS if f".{host}".endswith(name)), None):
        return by_host, "recognised by its host"
    if "/openai/deployments/" in path:
        return AZURE, "recognised by its path"
    by_port = ({**_PORTS, **_HOME_PORTS} if _own_network(host) else _PORTS).get(port)
    return (
        (by_port, f"guessed by port {port}")
        if by_port
        else (COMPATIBLE, "not one of the known servers")
    )


def _own_network(host: str) -> bool:
    """This machine, or one of the same house: a private address, or a name without a dot."""
    if host in ("localhost", "::1") or host.endswith((".localhost", ".local", ".lan")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host


def _azure(settings: LlmSettings, how: str) -> Server:
    """Azure's address with what it names: the deployment and the ``api-version``. A base that ends in /openai/v1 needs neither."""
    try:
        parts = urlsplit(settings.base_url.strip())
        sound = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        sound = False
    if not sound:
        raise UsageError(
            "The setting llm.base_url is not an Azure address.",
            "Write it like this: https://NAME.openai.azure.com.",
        )
    query = parse_qs(parts.query)
    if set(query) - {"api-version"}:  # the address stays out of the sentence: it may hold a key
        raise UsageError(
            "The setting llm.base_url contains more than an address and api-version.",
            "Put the API key into OPENAI_API_KEY.",
        )
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.path.rstrip("/").endswith("/openai/v1"):
        return Server(AZURE, f"{origin}{parts.path.rstrip('/')}", how)
    before, _, after = parts.path.partition("/openai")
    _, _, rest = after.partition("/deployments/")
    version = settings.api_version or (query.get("api-version") or [AZURE_VERSION])[0]
    return Server(AZURE, origin + before.rstrip("/"), how, unquote(rest.partition("/")[0]), version)
