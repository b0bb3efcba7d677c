"""Servers of language models: how those that people use differ, as one table, by what each is
recognised, and what a failed call means, in one sentence for a person.

A server that is not in the table is asked as any OpenAI-compatible one. A profile says what is tried
first; what a server refuses is still found out and remembered (RequestShape). The server's own words
go with an error, without keys.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from coi_tui.config import LlmSettings, with_scheme
from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.model.text import clean_line
from coi_tui.services.http.addresses import ip_of
from coi_tui.services.http.answers import codes_of, dig, leaves, words_of
from coi_tui.services.http.retry import Failed, asked_s

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
    it goes by the model).
    ``newer_limit``: the limit of a reply is called ``max_completion_tokens`` first.
    ``cuts_silently``: a prompt that is too long is shortened by the server without a word.
    ``one_at_a_time``: it serves one request after the other unless it tells of more slots, and may
    take long to begin. It is recognised by ``hosts`` (a pattern); on own hardware by what the rows
    of its list of models name as the owner, ``owners`` (a pattern), and until then guessed by
    ``port``.
    """

    id: str
    name: str
    key_needed: bool = False
    formats: tuple[str, ...] = FORMATS
    newer_limit: bool = False
    context: int | None = None
    cuts_silently: bool = False
    one_at_a_time: bool = False
    hosts: str = "-"
    port: int = -1
    owners: str = "-"


_PROFILES = (
    Profile(
        "openai",
        "OpenAI",
        key_needed=True,
        formats=BEST_FIRST,
        newer_limit=True,
        hosts=r"(?:.*\.)?api\.openai\.com",
    ),
    Profile(
        "azure",
        "Azure OpenAI",
        key_needed=True,
        hosts=r".*\.(?:openai|cognitiveservices|services\.ai)\.azure\.com",
    ),
    Profile("openrouter", "OpenRouter", key_needed=True, hosts=r"(?:.*\.)?openrouter\.ai"),
    Profile(
        "ollama",
        "Ollama",
        one_at_a_time=True,
        formats=BEST_FIRST,
        context=4096,
        cuts_silently=True,
        port=11434,
        owners="library",
    ),
    Profile(
        "lmstudio",
        "LM Studio",
        one_at_a_time=True,
        formats=(WITH_LIMITS, "json_schema", "text"),
        port=1234,
        owners="organization_owner",
    ),
    Profile(
        "llamacpp",
        "llama.cpp",
        one_at_a_time=True,
        formats=BEST_FIRST,
        port=8080,
        owners=r"llama\.?cpp",
    ),
    Profile("vllm", "vLLM", formats=BEST_FIRST, port=8000, owners="vllm"),
    COMPATIBLE := Profile("compatible", "OpenAI-compatible server"),
)
PROFILES: Mapping[str, Profile] = {one.id: one for one in _PROFILES}
SET = "set by llm.profile"


@dataclass(frozen=True)
class Server:
    """Where calls go and how; ``how`` says by what the profile was recognised. ``bare``: the address
    as it was given, where a version was added to it; it is tried where there is nothing at the
    other."""

    profile: Profile
    base_url: str
    how: str
    bare: str = ""

    def as_listed(self, models: object) -> Server:
        """The server with what its list of models says. What a person set remains; a guess by the
        port gives way to a server that answers."""
        rows = dig(models, "data")
        if not isinstance(rows, list) or self.how == SET:
            return self
        owner = str(dig(next(iter(rows), None), "owned_by")).lower()
        found = next((one for one in _PROFILES if re.fullmatch(one.owners, owner)), None)
        how = "as it says itself" if found else "it does not say what it is"
        return replace(self, profile=found or COMPATIBLE, how=how)


def server_of(settings: LlmSettings) -> Server:
    """The server of the settings; nothing is asked over the network."""
    base_url, given = base_address(settings.base_url), settings.base_url.rstrip("/")
    parts = urlsplit(base_url)
    by_host = [one for one in _PROFILES if re.fullmatch(one.hosts, str(parts.hostname))]
    by_port = [one for one in _PROFILES if one.port == parts.port]
    if settings.profile:
        profile, how = PROFILES[settings.profile], SET
    elif by_host:
        profile, how = by_host[0], "recognised by its host"
    elif by_port and on_own_network(base_url):
        profile, how = by_port[0], f"guessed by port {parts.port}"
    else:
        profile, how = COMPATIBLE, "not one of the known servers"
    return Server(profile, base_url, how, given if f"{given}/v1" == base_url else "")


_ROUTE = re.compile(
    r"/(?:chat/completions|completions|responses|embeddings|models|messages|batches|files)$", re.I
)
_NATIVE = re.compile(r"/api/(?:chat|generate|tags|embed)$", re.IGNORECASE)
"""Routes of Ollama's own interface, which has the other one beside it."""


def base_address(given: str) -> str:
    """``given`` with or without a version, a route and trailing slashes -> the address that routes
    are appended to; empty is OpenAI's, and Azure's is its /openai/v1. Whether it is an address is
    checked where it is set (``coi_tui.config``)."""
    address = with_scheme(given).rstrip("/")
    if not address:
        return OPENAI_URL
    parts = urlsplit(address)
    host = str(parts.hostname)
    azure = host.endswith(".azure.com") and parts.path.startswith("/openai/deployments/")
    origin, path = f"{parts.scheme}://{parts.netloc}", _NATIVE.sub("", parts.path)
    if azure or (not path and host.endswith(".azure.com")):
        return f"{origin}/openai/v1"
    complete = _ROUTE.search(path) or _VERSIONED.search(path)
    return origin + (_ROUTE.sub("", path) if complete else f"{path}/v1")


def on_own_network(url: str) -> bool:
    """This machine, or one of the same house: a private address, or a name without a dot."""
    host = str(urlsplit(url).hostname)
    if host == "localhost" or host.endswith((".localhost", ".local", ".lan")):
        return True
    address = ip_of(host)
    return address.is_private if address else "." not in host


# -- what a failed call means

SERVICE = "language model"
PAID_RETRIES = 2
"""A call that may have been served, and paid for, is tried again at most this often."""
AS_SET = 1_000
"""Retries of what was surely not served: as often as the settings say."""


@dataclass(eq=False)
class ServerFailure(Exception):
    """One failed attempt as the server described it. ``status`` is a word of RULES where no usable
    answer came at all.

    ``codes`` are the codes, types and parameters of the error in lower case, ``param`` the last of
    these alone, ``message`` its sentences as they came, ``in_body`` an error within an answer that
    began well, ``sent`` what was asked, plain.
    """

    status: int | str
    codes: str = ""
    param: str = ""
    message: str = ""
    wait_s: float | None = None
    in_body: bool = False
    sent: str = ""

    @property
    def words(self) -> str:
        """All that is evidence, in lower case."""
        return f"{self.codes} {self.message.lower()}"

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether the server's words match, other than by the echo of what was sent: there they have
        the same neighbour."""
        for found in pattern.finditer(self.words):
            start, end = found.span()
            sides = (max(0, start - NEAR), end), (start, end + NEAR)
            if not any(plain(self.words[a:b]) in self.sent for a, b in sides):
                return True
        return False


NEAR = 15
"""So many characters before or after are compared as well."""


def plain(text: str) -> str:
    """A text without what quoting and escaping may change."""
    return re.sub(r"\\+[nrt]|\W", "", text.lower())


def from_error(
    error: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> ServerFailure:
    """An error object, or whatever is in its place: a flat one, a list, a text, HTML, nothing. One
    that came in a body with status 200 has its own status, where its code is one."""
    told, in_body = leaves(error), status == 200
    codes, words = codes_of(told), words_of(told)
    if in_body:
        own = re.search(r"\b[45]\d\d\b", codes)
        status = int(own[0]) if own else 502
    return ServerFailure(
        status,
        codes=codes.lower(),
        param=" ".join(text for name, text in told if name in ("param", "loc")).lower(),
        message=(words or codes)[:20_000],
        wait_s=asked_s(headers or {}, f"{codes} {words}"),
        in_body=in_body,
    )


_TOO_LONG = (
    "context_?length_?exceed|exceed_context_size|request_too_large|n_ctx|超长"
    "|(?:maximum|max) (?:allowed )?(?:context|model|prompt|input|sequence) (?:length|size)"
    r"|(?:exceed|longer|larger|greater|overflow|too (?:long|large|big|many)\b)[^.]{0,60}\bcontext"
    r"|\bcontext\b[^.]{0,60}(?:exceed|overflow|too (?:small|long|large)|(?:is|of) [\d,]+k? tokens)"
    r"|\b(?:prompt|inputs?|request|messages?|texts?|content)\W+(?:(?:is|are|was|were) )?too (?:long|large|big)"
    r"|too large to process|token (?:count|length)[^.]{0,40}exceed|token limit[^.]{0,12}(?:exceed|\d)"
    r"|exceed\w* (?:the )?(?:model )?(?:token limit|max(?:imum)? (?:length|prompt|number of input tokens))"
    r"|reduce (?:the|your) (?:length|prompt|input|number of tokens)|too many (?:input |prompt )?tokens"
    r"|range of input length|inputs\b[^.]{0,40}(?:must be <=|must have less)"
)
_CONTEXT = re.compile(_TOO_LONG)
"""As OpenAI, Anthropic, Google, Mistral, Groq, xAI, DashScope, Moonshot, Cohere and others say it, and
llama.cpp, vLLM, SGLang, TGI, Ollama and LM Studio."""
_LIMIT = re.compile(
    r"(?:n_ctx|(?:context|model|prompt|sequence) (?:length|window|size|limit)|token limit"
    r"|number of tokens allowed|must be|less than)\D{0,24}(\d[\d,]*+)(?! \+)"
    r"|> ?(\d[\d,]*)|\[\d+, ?(\d+)\]|with (\d+) max"
)
_QUOTA = re.compile(r"insufficient_quota")
FILTER = re.compile(
    r"content_?(?:filter|policy)|content (?:filter|management|policy)|responsibleai|data_inspection"
    r"|\bmoderation\b|\bflagged\b|prohibited_content"
)
MODEL = re.compile(
    r"model_not_found|invalid model name|model\b.*(?:not found|not exist)|try pulling", re.DOTALL
)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown parameter|not permitted"
)
ROLE = re.compile(
    r"\bsystem\b.{0,60}\b(?:role|messages?|prompts?|instructions?)\b|\broles?\b.{0,80}\bsystem\b"
    r"|roles? (?:must|should) alternate|messages?\W*\d+\W*role|developer instruction"
    r"|only .{0,4}user.{0,40}roles?\b|valid role|chat[ _]template"
)
STREAM = re.compile("stream|流式")
_FORMAT_FIELD = re.compile("response_format")
_FORMAT = re.compile(
    r"format(?!ion)|grammar|schema|vocabular|guided|structured|json|outlines|constrain"
)


class Rule(NamedTuple):
    """What a failure of one of these statuses means where its words match. ``kind`` as in
    ServiceError; ``again``: how often it may be tried again."""

    of: Container[int | str]
    kind: str
    message: str
    hint: str
    again: int = 0
    words: re.Pattern[str] | None = None


_ADDRESS = "Check llm.base_url in the settings."
_CREDIT = "Add credit, or choose another server."

RULES = (
    Rule(
        {"connection"},
        "unreachable",
        "The connection to the language model at {host} failed or was lost.",
        "Check that the server is running and that llm.base_url is right.",
        PAID_RETRIES,
    ),
    Rule(  # it may still be busy with this call, so it is not sent again
        {"timeout", 408},
        "unreachable",
        "The language model at {host} did not answer in time.",
        "Raise llm.timeout_s or lower llm.parallel in the settings, or choose a faster model.",
    ),
    Rule(
        {"body"},
        "broken",
        "The server at {host} sent something that is neither a chat completion nor a list of vectors.",
        _ADDRESS,
        PAID_RETRIES,
    ),
    Rule(
        {"size"},
        "broken",
        "The server at {host} sent too long an answer, which was not read to its end.",
        "Check llm.base_url, or lower max_tokens in the settings.",
    ),
    Rule(
        range(300, 400),
        "bad_request",
        "The server at {host} redirects elsewhere (HTTP {status}), and prompts are not sent on.",
        "If you trust the other address, set llm.base_url to it.",
    ),
    Rule({429}, "refused", "The account at {host} has used up its quota.", _CREDIT, words=_QUOTA),
    Rule(
        {429},
        "limited",
        "The language model at {host} is limiting how often it may be called.",
        "Wait a while, or lower llm.parallel in the settings.",
        AS_SET,
    ),
    Rule(
        {400, 404, 422},
        "not_found",
        "The server at {host} has no model named {model}.",
        "coi doctor lists the models it has.",
        words=MODEL,
    ),
    Rule(
        {401},
        "refused",
        "The server at {host} rejected the API key.",
        "Check OPENAI_API_KEY.",
    ),
    Rule({402}, "refused", "The account at {host} has no credit left.", _CREDIT),
    Rule(
        {400, 403, 422, 451, 502},
        "refused",
        "The content filter of the server at {host} stopped the request.",
        "Reword the topic, or choose another model.",
        words=FILTER,
    ),
    Rule(
        {403},
        "refused",
        "The server at {host} refused the request (HTTP 403).",
        "Check what the key may do, whether your region is served, and the topic: some servers moderate.",
    ),
    Rule(
        {404, 405, 501},
        "not_found",
        "The server at {host} does not offer this service (HTTP {status}).",
        _ADDRESS,
    ),
    Rule(
        range(500, 600),
        "server",
        "The language model at {host} reported an internal error (HTTP {status}).",
        "Try again later.",
        AS_SET,
    ),
    Rule(
        range(1_000),
        "bad_request",
        "The server at {host} rejected the request (HTTP {status}).",
        "See what the server says; the model's name and max_tokens are in the settings.",
    ),
)
"""The first rule that fits holds."""


def diagnose(failure: ServerFailure, host: str, model: str, key: str) -> Failed:
    """The failure with the error that a person sees, and how often it may be tried again. ``host``
    and ``model`` are from the settings; ``key`` is hidden in the server's own words."""
    error: ServiceError
    again = 0
    if about_context(failure):
        limit = _LIMIT.search(failure.words)
        number = next(filter(None, limit.groups())) if limit else "0"
        error = context_error(host, model, int(number.replace(",", "")))
    else:
        rule = next(
            rule
            for rule in RULES
            if failure.status in rule.of and (not rule.words or failure.says(rule.words))
        )
        again = min(rule.again, PAID_RETRIES) if failure.in_body else rule.again
        message = rule.message.format(host=host, model=model, status=failure.status)
        error = ServiceError(SERVICE, rule.kind, message, rule.hint)
    error.response = _own_words(failure, key)
    return Failed(error, again=again > 0, most=again, wait_s=failure.wait_s)


def context_error(host: str, model: str, limit: int) -> ContextError:
    """The prompt is too long for a context of ``limit`` tokens (0: unknown)."""
    return ContextError(
        SERVICE,
        f"The prompt is longer than the context of {model} at {host}.",
        "Choose a model with a longer context, or raise the context at the server (Ollama: OLLAMA_CONTEXT_LENGTH).",
        limit=limit,
    )


def about_context(failure: ServerFailure) -> bool:
    """Whether the prompt was longer than the model's context. A limit of pace may name tokens too."""
    if failure.status in (401, 402, 403, 429):
        return failure.status == 429 and "request too large" in failure.words
    return failure.status == 413 or failure.says(_CONTEXT)


def about_format(failure: ServerFailure) -> bool:
    """Whether the server may have refused the reply format: it says so, or it gives a 400 that says
    nothing we know."""
    if failure.status in (400, 422) and not (failure.param or failure.says(MODEL)):
        return True
    return failure.says(_FORMAT if failure.status in (500, 501, 503) else _FORMAT_FIELD)


def refused_parameter(failure: ServerFailure, sent: Sequence[str]) -> str:
    """The parameter among ``sent`` that the server does not know or not take at all; empty for
    none."""
    if failure.status not in (400, 422) or not failure.says(_UNSUPPORTED):
        return ""
    # A message about max_tokens usually names its successor too, so the one that was sent decides.
    where = failure.param or failure.words
    return next((name for name in sorted(sent) if re.search(rf"\b{name}\b", where)), "")


_KEYS = re.compile(
    r"(?:sk|pk|key|api|tok)[-_][\w*.-]{6,}|bearer\s+\S+|\b(?=\w*\d)(?=\w*[a-zA-Z])\w{24,}\b",
    re.IGNORECASE,
)
MOST_WORDS = 300


def _own_words(failure: ServerFailure, key: str) -> str:
    """The server's message on one line, cut, without control characters and keys."""
    words = clean_line(failure.message[: 3 * MOST_WORDS])
    if len(key) >= 4:
        words = words.replace(key, "[key]")
    words = _KEYS.sub("[key]", words)
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS].rstrip()} [...]"
