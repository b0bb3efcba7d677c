"""What a failed call of a language model means, in one sentence for a person, and whether trying
again can help.

The server's own words go with the error, without keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.model.text import clean_line
from coi_tui.services.http.retry import Failed, asked_s

SERVICE = "language model"
PAID_RETRIES = 2
"""A call that may have been served, and paid for, is tried again at most this often."""
AS_SET = 1_000
"""Retries of what was surely not served: as often as the settings say."""


@dataclass(frozen=True)
class Failure:
    """One failed attempt as the server described it. ``status`` 0 is no usable answer at all; then
    ``trouble`` says what came instead (a key of RULES).

    ``words`` is the whole error in lower case, ``message`` the server's message as it came,
    ``in_body`` an error within an answer that began well.
    """

    status: int = 0
    trouble: str = ""
    param: str = ""
    words: str = ""
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    in_body: bool = False


def from_error(
    error: object, status: int, headers: Mapping[str, str] | None = None, *, in_body: bool = False
) -> Failure:
    """An error object, or whatever is in its place: a flat one, a text, HTML, nothing. An int
    code that is an HTTP status counts as the status where the error came in a body with status
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
        message=(message if isinstance(message, str) else whole if error else "")[:2000],
        headers=headers or {},
        in_body=in_body,
    )


def parse_json(content: bytes) -> object:
    """The JSON of a body; None where it is none (``null`` is of no use here either)."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


_CONTEXT = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum (?:context|model) length"
    r"|context[ _](?:size|length|window)|prompt is too long|n_ctx"
)
_LIMIT = re.compile(r"(?:n_ctx|context (?:length|window|size))\D{0,24}(\d[\d,]*)")
_QUOTA = re.compile(r"quota|credit[ _]balance|billing_hard_limit")
_MODEL = re.compile(
    r"model_not_found|invalid model name|model\b.*(?:not found|not exist)|try pulling", re.DOTALL
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
_CREDIT = "Add credit, or choose another server."

RULES = (
    Rule(
        {"connection"},
        None,
        "unreachable",
        "The connection to the language model at {host} failed or was lost.",
        "Check that the server is running and that llm.base_url is right.",
        PAID_RETRIES,
    ),
    Rule(  # it may still be busy with this call, so it is not sent again
        {"timeout", 408},
        None,
        "unreachable",
        "The language model at {host} did not answer in time.",
        "Raise llm.timeout_s or lower llm.parallel in the settings, or choose a faster model.",
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
        range(300, 400),
        None,
        "bad_request",
        "The server at {host} redirects elsewhere (HTTP {status}), and prompts are not sent on.",
        "If you trust the other address, set llm.base_url to it.",
    ),
    Rule({429}, _QUOTA, "refused", "The account at {host} has used up its quota.", _CREDIT),
    Rule(
        {429},
        None,
        "limited",
        "The language model at {host} is limiting how often it may be called.",
        "Wait a while, or lower llm.parallel in the settings.",
        AS_SET,
    ),
    Rule(
        {400, 404, 422},
        _MODEL,
        "not_found",
        "The server at {host} has no model named {model}.",
        "coi doctor lists the models it has.",
    ),
    Rule(
        {401},
        None,
        "refused",
        "The server at {host} rejected the API key.",
        "Check OPENAI_API_KEY.",
    ),
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


def diagnose(failure: Failure, host: str, model: str, key: str) -> Failed:
    """The failure with the error that a person sees, and how often it may be tried again. ``host``
    and ``model`` are from the settings; ``key`` is hidden in the server's own words."""
    error: ServiceError
    if about_context(failure):
        limit = _LIMIT.search(failure.words)
        error = context_error(host, model, int(limit[1].replace(",", "")) if limit else 0)
        again = 0
    else:
        case = failure.trouble or failure.status
        rule = next(
            rule
            for rule in RULES
            if case in rule.of and (rule.words is None or rule.words.search(failure.words))
        )
        again = min(rule.again, PAID_RETRIES) if failure.in_body else rule.again
        message = rule.message.format(host=host, model=model, status=failure.status)
        error = ServiceError(SERVICE, rule.kind, message, rule.hint)
    error.said = own_words(failure, key)
    return Failed(error, again=again > 0, most=again, wait_s=asked_s(failure.headers))


def context_error(host: str, model: str, limit: int) -> ContextError:
    """The prompt is too long for a context of ``limit`` tokens (0: unknown)."""
    return ContextError(
        SERVICE,
        f"The prompt is longer than the context of {model} at {host}.",
        "Choose a model with a longer context, or raise the context at the server (Ollama: OLLAMA_CONTEXT_LENGTH).",
        limit=limit,
    )


def about_context(failure: Failure) -> bool:
    """Whether the prompt was longer than the model's context (OpenAI, llama.cpp and vLLM word it
    differently)."""
    return bool(failure.status and _CONTEXT.search(failure.words))


def about_format(failure: Failure) -> bool:
    """Whether the server may have refused the reply format: it says so, or it gives a 400 that says
    nothing we know."""
    named = "response_format" in failure.param + failure.words
    unknown = failure.status in (400, 422) and not (failure.param or _MODEL.search(failure.words))
    return (named or unknown) and not about_context(failure)


def refused_parameter(failure: Failure, sent: Sequence[str]) -> str:
    """The parameter among ``sent`` that the server does not know or not take at all; empty for
    none."""
    if failure.status not in (400, 422) or not _UNSUPPORTED.search(failure.words):
        return ""
    # A message about max_tokens usually names its successor too, so the one that was sent decides.
    where = failure.param or failure.words
    return next((name for name in sorted(sent) if re.search(rf"\b{name}\b", where)), "")


_KEYS = re.compile(
    r"(?:sk|pk|key|api|tok)[-_][\w*.-]{6,}|bearer\s+\S+|\b(?=\w*\d)(?=\w*[a-zA-Z])\w{24,}\b",
    re.IGNORECASE,
)
MOST_WORDS = 300


def own_words(failure: Failure, key: str) -> str:
    """The server's message on one line, cut, without control characters and keys."""
    words = clean_line(failure.message)[: 3 * MOST_WORDS]
    if len(key) >= 4:
        words = words.replace(key, "[key]")
    words = _KEYS.sub("[key]", words)
    return words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS].rstrip()} [...]"
