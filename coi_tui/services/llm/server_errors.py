"""What a failed call of a language model means, in one sentence for a person, and whether trying
again can help.

The server's own words are read to tell cases apart. They may echo a key or the prompt, so what is
shown of them goes through ``own_words``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.model.text import clean_line
from coi_tui.services.http.limits import check_parts

SERVICE = "language model"
PAID_RETRIES = 2
"""A call that may have been served, and paid for, is tried again at most this often."""
AS_SET = 1_000
"""Retries of what was surely not served: as often as the settings say."""


@dataclass(frozen=True)
class Failure:
    """One failed attempt as the server told it. ``status`` 0 is no usable answer at all; then
    ``trouble`` says what came instead (a key of RULES).

    ``words`` is everything said, lower case, ``said`` the server's message as it came, ``in_body``
    an error within an answer that began well.
    """

    status: int = 0
    trouble: str = ""
    param: str = ""
    words: str = ""
    said: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    in_body: bool = False


def from_error(
    error: object, status: int, headers: Mapping[str, str] | None = None, *, in_body: bool = False
) -> Failure:
    """An error object, or whatever stands in its place: a flat one, a text, HTML, nothing. An int
    code that is an HTTP status counts as the status where the error came in a body that said
    200."""
    fields = error if isinstance(error, dict) else {"message": error}
    code = fields.get("code")
    if in_body:
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
    whole = json.dumps(fields, ensure_ascii=False, default=str)
    message = fields.get("message") or fields.get("detail")
    return Failure(
        status,
        param=str(fields.get("param") or "").lower(),
        words=whole.lower(),
        said=(message if isinstance(message, str) else whole if error else "")[:2000],
        headers=headers or {},
        in_body=in_body,
    )


def parse_json(content: bytes) -> object:
    """The JSON of a body; None where it is none (``null`` is of no use here either)."""
    try:
        check_parts(content)
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


_CONTEXT = re.compile(
    r"context_length_exceeded|exceed_context_size_error|maximum context length|maximum model length"
    r"|context[ _]size|context[ _]length|context[ _]window|prompt is too long|n_ctx|too many tokens"
)
_BEHIND = re.compile(
    r"connection error|connection refused|cannot connect to host|all connection attempts failed|name or service not known"
)
"""How a proxy says that the server behind it is away. Trying again at once is of no use: it has
tried itself."""
_QUOTA = re.compile(
    r"insufficient[ _]quota|credit[ _]balance|billing_hard_limit_reached|exceeded your current quota"
)
_KEY_REFUSED = re.compile(
    r"no_db_connection|no connected db|invalid_api_key|token_not_found|authentication error"
    r"|(?:invalid|incorrect|missing)[ _](?:api|virtual|proxy)[ _]?(?:server[ _])?(?:key|token)"
)
"""How proxies refuse a key with another status than 401: LiteLLM without a database looks for it
there, and says that it has none."""
_MODEL = re.compile(
    r"model_not_found|invalid model name|deploymentnotfound|model\b.*(?:not found|does not exist|not exist)|try pulling",
    re.DOTALL,
)
_FILTER = re.compile(r"content_filter|content management policy|moderation")
_TOKENS_VALUE = re.compile(r"max_tokens|max_completion_tokens")
_FORMAT = re.compile(
    r"response_format|text\.format|json_schema|json_object|structured[ _]output|grammar|json schema"
)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown parameter|not permitted"
)


class Rule(NamedTuple):
    """What a failure of one of these statuses (or with this ``trouble``) means where its words
    match. ``kind`` as in ServiceError; ``again``: how often it may be tried again."""

    of: Container[int | str]
    words: re.Pattern[str] | None
    kind: str
    message: str
    hint: str
    again: int = 0


_ADDRESS = "Check llm.base_url in the settings."
_SLOW = "Raise llm.timeout_s in the settings, or choose a faster model."
_BUSY = "Raise llm.timeout_s, lower llm.parallel (now {parallel}) if other programs use the server too, or choose a faster model."
_CREDIT = "Add credit, or choose another server."
_NO_KEY = ("refused", "The server at {host} rejected the API key.", "Check OPENAI_API_KEY.")

RULES = (
    Rule(
        {"connection"},
        None,
        "unreachable",
        "The connection to the language model at {host} failed or was lost.",
        "Check that the server is running and that llm.base_url is right.",
        PAID_RETRIES,
    ),
    Rule(
        {"timeout", 408},
        None,
        "unreachable",
        "The language model at {host} did not answer in time.",
        _SLOW,
        PAID_RETRIES,
    ),
    Rule(
        {"deadline"},
        None,
        "unreachable",
        "The language model at {host} did not finish its answer within {seconds:g} s.",
        _SLOW,
    ),
    Rule(
        {"body"},
        None,
        "broken",
        "The server at {host} sent something that is neither a chat completion nor a list of vectors.",
        _ADDRESS,
        PAID_RETRIES,
    ),
    Rule(
        {"size"},
        None,
        "broken",
        "The server at {host} sent an answer longer than this request allows, so it was not read to the end.",
        "The server may be broken, or not a language model: check llm.base_url in the settings.",
    ),
    Rule(
        {"compressed"},
        None,
        "broken",
        "The server at {host} compressed its answer although it was asked not to.",
        "Switch compression off at the server or its proxy: it hides how large an answer is.",
    ),
    Rule(
        range(300, 400),
        None,
        "bad_request",
        "The server at {host} redirects elsewhere (HTTP {status}), and prompts are not sent on.",
        "If you trust the other address, set llm.base_url to it.",
    ),
    Rule(
        {429},
        _QUOTA,
        "refused",
        "The account at {host} has used up its quota.",
        _CREDIT,
    ),
    Rule(
        {429},
        None,
        "limited",
        "The language model at {host} is limiting how often it may be called.",
        "Wait a while, or lower llm.parallel in the settings.",
        AS_SET,
    ),
    Rule(
        {400, 413, 422},
        _FILTER,
        "refused",
        "The content filter at {host} blocked the request.",
        "Reword the topic.",
    ),
    Rule(
        {400, 404, 413, 422},
        _MODEL,
        "not_found",
        "The server at {host} has no model named {model}.",
        "coi doctor lists the models it has.",
    ),
    Rule({401}, None, *_NO_KEY),
    Rule({400, 413, 422}, _KEY_REFUSED, *_NO_KEY),
    Rule({402}, None, "refused", "The account at {host} has no credit left.", _CREDIT),
    Rule(
        {403},
        None,
        "refused",
        "The server at {host} refused the request (HTTP 403).",
        "Check what the key may do, whether your region is served, and the topic: some servers moderate.",
    ),
    Rule(
        {404, 405, 501},
        None,
        "not_found",
        "The server at {host} does not offer this service (HTTP {status}).",
        _ADDRESS,
    ),
    Rule(
        range(500, 600),
        _BEHIND,
        "server",
        "The server at {host} answers, but cannot reach the model behind it (HTTP {status}).",
        "Start that model's server, or check its address in the proxy's settings.",
    ),
    Rule(
        range(500, 600),
        None,
        "server",
        "The language model at {host} reported an internal error (HTTP {status}).",
        "Try again later.",
        AS_SET,
    ),
    Rule(
        range(1_000),
        None,
        "bad_request",
        "The server at {host} rejected the request (HTTP {status}).",
        "Check the model's name and max_tokens in the settings.",
    ),
)
"""The first rule that fits holds."""


def diagnose(
    failure: Failure, host: str, model: str, seconds: float, parallel: int
) -> tuple[ServiceError, int]:
    """The failure as the error that a person sees, and how often it may be tried again.

    ``host`` and ``model`` are from the settings, ``seconds`` is what the call might take in all.
    ``parallel``: calls at once, where the server runs on own hardware and serves them one after
    the other; 0 elsewhere.
    """
    case = failure.trouble or failure.status
    rule = next(
        rule
        for rule in RULES
        if case in rule.of and (rule.words is None or rule.words.search(failure.words))
    )
    hint, again = rule.hint, min(rule.again, PAID_RETRIES) if failure.in_body else rule.again
    if parallel and case in ("timeout", "deadline"):  # it may still be busy with this call
        hint, again = _BUSY.format(parallel=parallel), 0
    said = rule.message.format(host=host, model=model, seconds=seconds, status=failure.status)
    return ServiceError(SERVICE, rule.kind, said, hint), again


def context_error(host: str, model: str, limit: int, prompt_tokens: int) -> ContextError:
    """The prompt is too long, as an error from which the caller can see by how much."""
    return ContextError(
        SERVICE,
        f"The prompt is longer than the context of {model} at {host}.",
        "Choose a model with a longer context, or raise the context at the server (Ollama: OLLAMA_CONTEXT_LENGTH).",
        limit=limit,
        prompt_tokens=prompt_tokens,
    )


def about_context(failure: Failure) -> bool:
    """Whether the prompt was longer than the model's context (OpenAI, llama.cpp and vLLM say it
    differently)."""
    return bool(failure.status and _CONTEXT.search(failure.words))


_LIMITS = (
    r"\"?n_ctx\"?\s*[:=]\s*(\d+)",
    r"context (?:length|window|size)\D{0,24}?(\d[\d,]*)",
    r"(\d[\d,]*) tokens? context",
)
_SIZES = (
    r"\"?n_prompt_tokens\"?\s*[:=]\s*(\d+)",
    r"\((\d[\d,]*) (?:in the messages|in your prompt|of text input|in the prompt)",
    r"(?:messages resulted in|prompt contains(?: at least)?|requested(?: about)?) (\d[\d,]*)",
)


def context_numbers(failure: Failure) -> tuple[int, int]:
    """The context in tokens and the size of the prompt, as far as a server names them; 0 for what
    it does not say."""
    return _number(_LIMITS, failure.words), _number(_SIZES, failure.words)


def _number(patterns: Sequence[str], words: str) -> int:
    found = next(filter(None, (re.search(pattern, words) for pattern in patterns)), None)
    return int(found[1].replace(",", "")) if found else 0


def about_format(failure: Failure) -> bool:
    """Whether the server may have refused the reply format: it says so, or it gives a 400 that says
    nothing we know."""
    if about_context(failure) or _FILTER.search(failure.words):
        return False
    if "response_format" in failure.param or _FORMAT.search(failure.words):
        return True
    told = (_MODEL, _KEY_REFUSED, _TOKENS_VALUE)
    return failure.status in (400, 422) and not any(p.search(failure.words) for p in told)


def refused_parameter(failure: Failure, sent: Sequence[str]) -> str:
    """The parameter among ``sent`` that the server does not know or not take at all; empty for
    none."""
    if failure.status not in (400, 422) or not _UNSUPPORTED.search(failure.words):
        return ""
    if failure.param:
        name = failure.param.rpartition(".")[2]
        return name if name in sent else ""
    # A message about max_tokens usually names its successor too, so the one that was sent decides.
    return next((name for name in sorted(sent) if re.search(rf"\b{name}\b", failure.words)), "")


_KEYS = re.compile(
    r"(?:sk|pk|key|api|tok)[-_][\w*.-]{6,}|bearer\s+\S+|\b(?=\w*\d)(?=\w*[a-zA-Z])\w{24,}\b",
    re.IGNORECASE,
)
MOST_WORDS = 300
_ECHO = 24
"""Characters in a row that also stand in the prompt are an echo of it."""


def own_words(failure: Failure, key: str, sent: Sequence[str] = ()) -> str:
    """What the server said, on one line, cut, without control characters and keys; empty where it
    said nothing, or repeats what was sent."""
    said = clean_line(failure.said)[: 3 * MOST_WORDS]
    prompt = " ".join(" ".join(sent).split())
    if any(said[at : at + _ECHO] in prompt for at in range(len(said) - _ECHO + 1)):
        return ""
    if len(key) >= 4:
        said = said.replace(key, "[key]")
    said = _KEYS.sub("[key]", said)
    return said if len(said) <= MOST_WORDS else f"{said[:MOST_WORDS].rstrip()} [...]"
