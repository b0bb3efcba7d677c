"""What a failed call of a language model means, in one sentence for a person, and whether trying again can help.

The server's own words are read to tell cases apart. They may echo a key or the prompt, so what is shown of them goes through ``own_words``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from coi_tui.model.errors import ContextError, ServiceError
from coi_tui.model.text import clean_line
from coi_tui.network.limits import check_parts

SERVICE = "language model"

PAID_RETRIES = 2
"""A call that may have been served, and paid for, is tried again at most this often."""


Trouble = Literal["", "timeout", "deadline", "connection", "body", "size", "compressed"]
"""``timeout``: nothing more came in time; ``deadline``: the whole took too long; ``body``: it cannot be read; ``size``: it is too large."""


@dataclass(frozen=True)
class Failure:
    """One failed attempt as the server told it. ``status`` 0 is no usable answer at all; ``words`` is everything said, lower case.

    ``headers`` are those of the answer with lower-case names; ``trouble`` names a failure without an error object.
    """

    status: int
    codes: frozenset[str] = frozenset()
    param: str = ""
    words: str = ""
    headers: Mapping[str, str] | None = None
    trouble: Trouble = ""
    in_body: bool = False
    said: str = ""
    """The server's own words as they came; see ``own_words``."""


@dataclass(frozen=True)
class Diagnosis:
    """A failure in our own words; ``kind`` as in ServiceError. ``more_attempts``: how often it may be tried again (None: as is set)."""

    kind: str
    message: str
    hint: str = ""
    more_attempts: int | None = 0


@dataclass(frozen=True)
class Target:
    """Where the call went, for the sentences: host and model, both from the settings, and the seconds that it might take in all."""

    host: str
    model: str
    seconds: float
    parallel: int = 0
    """Calls at once, where the server runs on own hardware and serves them one after the other; 0 elsewhere."""


def read_failure(status: int, headers: Mapping[str, str], content: bytes) -> Failure:
    """A failed answer. Any body will do: OpenAI's, a flat one, ``error`` as a text, HTML, nothing."""
    body = parse_json(content)
    known = {name.lower(): value for name, value in headers.items()}
    if isinstance(body, dict):
        return from_error(body.get("error") or body, status, known)
    said = content[:2000].decode("utf-8", "replace")
    return Failure(status, words=said.lower(), headers=known, said=said)


def from_error(
    error: object, status: int, headers: Mapping[str, str] | None = None, *, in_body: bool = False
) -> Failure:
    """An error object, or whatever stands in its target. An int code that is an HTTP status counts as the status when the
    error came within a body that said 200."""
    fields = error if isinstance(error, dict) else {"message": error}
    code = fields.get("code")
    if in_body:
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
    codes = frozenset(
        str(fields.get(name)).lower() for name in ("code", "type") if fields.get(name) is not None
    )
    param = fields.get("param")
    whole = json.dumps(fields, ensure_ascii=False, default=str)
    message = fields.get("message") or fields.get("detail")
    said = message if isinstance(message, str) else whole
    return Failure(
        status,
        codes,
        str(param).lower() if param else "",
        whole.lower(),
        headers,
        in_body=in_body,
        said=said[:2000],
    )


def parse_json(content: bytes) -> object:
    """The JSON of a body; None where it is none (``null`` is of no use here either)."""
    try:
        check_parts(content)
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


_CONTEXT = re.compile(
    r"maximum context length|maximum model length|context[ _]size|context[ _]length|context[ _]window"
    r"|prompt is too long|n_ctx|too many tokens"
)
_BEHIND = re.compile(
    r"connection error|connection refused|cannot connect to host|all connection attempts failed|name or service not known"
)
"""How a proxy says that the server behind it is away. Trying again at once is of no use: it has tried itself."""
_QUOTA = frozenset({"insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached"})
_QUOTA_WORDS = re.compile(r"exceeded your current quota|insufficient[ _]quota|credit balance")
_KEY_REFUSED = re.compile(
    r"no_db_connection|no connected db|invalid_api_key|token_not_found|authentication error"
    r"|(?:invalid|incorrect|missing)[ _](?:api|virtual|proxy)[ _]?(?:server[ _])?(?:key|token)"
)
"""How proxies refuse a key with another status than 401: LiteLLM without a database looks for it there, and says that it has none."""
_MODEL = re.compile(
    r"model_not_found|invalid model name|deploymentnotfound|model\b.*(?:not found|does not exist|not exist)|try pulling",
    re.DOTALL,
)
_FILTER = re.compile(r"content_filter|content management policy|moderation")
_FORMAT = re.compile(
    r"response_format|text\.format|json_schema|json_object|structured[ _]output|grammar|json schema"
)
_FORMAT_AS_SUCH = re.compile(r"response_format|json_schema|json_object")
_TOKENS_VALUE = re.compile(r"max_tokens|max_completion_tokens")
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown parameter|not permitted"
)


_KEYS = re.compile(
    r"(?:sk|pk|key|api|tok)[-_][\w*.-]{6,}|bearer\s+\S+|\b(?=\w*\d)(?=\w*[a-zA-Z])\w{24,}\b",
    re.IGNORECASE,
)
MOST_WORDS = 300
_ECHO = 24
"""Characters in a row that also stand in the prompt are an echo of it."""


def own_words(failure: Failure, key: str, sent: Sequence[str] = ()) -> str:
    """What the server said, on one line, cut, without control characters, keys and echoes of what was sent; empty where it said nothing."""
    said = clean_line(failure.said)[: 3 * MOST_WORDS]
    if len(key) >= 4:
        said = said.replace(key, "[key]")
    said = _KEYS.sub("[key]", said)
    prompt = " ".join(" ".join(sent).split())
    echoed = [at for at in range(len(said) - _ECHO + 1) if said[at : at + _ECHO] in prompt]
    for at in reversed(_spans(echoed)):
        said = f"{said[: at[0]]}[of the prompt]{said[at[1] :]}"
    return said if len(said) <= MOST_WORDS else f"{said[:MOST_WORDS].rstrip()} [...]"


def _spans(echoed: Sequence[int]) -> list[tuple[int, int]]:
    """Where echoes begin and end, from the places at which one was found."""
    spans: list[tuple[int, int]] = []
    for at in echoed:
        if spans and at <= spans[-1][1]:
            spans[-1] = (spans[-1][0], at + _ECHO)
        else:
            spans.append((at, at + _ECHO))
    return spans


def about_context(failure: Failure) -> bool:
    """Whether the prompt was longer than the model's context (OpenAI, llama.cpp and vLLM say it differently)."""
    return bool(
        failure.codes & {"context_length_exceeded", "exceed_context_size_error"}
        or _CONTEXT.search(failure.words)
    )


_LIMITS = (
    r"\"?n_ctx\"?\s*[:=]\s*(\d+)",
    r"(?:maximum )?context (?:length|window|size)\D{0,24}?([\d,]+)(?: tokens)?",
    r"([\d,]+) tokens? context",
)
_SIZES = (
    r"\"?n_prompt_tokens\"?\s*[:=]\s*(\d+)",
    r"\(([\d,]+) (?:in the messages|in your prompt|of text input|in the prompt)",
    r"messages resulted in ([\d,]+) tokens",
    r"prompt contains (?:at least )?([\d,]+)",
    r"requested (?:about )?([\d,]+) tokens",
)


def context_numbers(failure: Failure) -> tuple[int, int]:
    """The context in tokens and the size of the prompt, as far as a server names them; 0 for what it does not say."""
    return _number(_LIMITS, failure.words), _number(_SIZES, failure.words)


def _number(patterns: tuple[str, ...], words: str) -> int:
    for pattern in patterns:
        if found := re.search(pattern, words):
            return int(found[1].replace(",", "") or 0)
    return 0


def about_format(failure: Failure) -> bool:
    """Whether the server may have refused the reply format: it says so, or it gives a 400 that says nothing we know."""
    if (
        failure.status not in (400, 404, 415, 422, 500, 501)
        or about_context(failure)
        or _FILTER.search(failure.words)
    ):
        return False
    if "response_format" in failure.param or _FORMAT.search(failure.words):
        return True
    told = (_MODEL, _KEY_REFUSED, _TOKENS_VALUE)
    return failure.status in (400, 422) and not any(
        pattern.search(failure.words) for pattern in told
    )


def about_limits(failure: Failure, sent: frozenset[str]) -> bool:
    """Whether a refused schema may be taken without the keywords ``sent`` for numbers of items and lengths: the server names one of them,
    or it does not say that it is the format as such."""
    if not sent or not about_format(failure):
        return False
    return any(keyword.lower() in failure.words for keyword in sent) or not _FORMAT_AS_SUCH.search(
        failure.words
    )


def refuses_streaming(failure: Failure) -> bool:
    """Whether the server refused to stream, rather than the call."""
    return failure.status in (400, 404, 415, 422, 500, 501) and (
        "stream" in failure.words or "stream" in failure.param
    )


def refused_parameter(failure: Failure, sent: frozenset[str]) -> str:
    """The parameter among ``sent`` that the server does not know or not take at all; empty for none."""
    if failure.status not in (400, 422):
        return ""
    if not failure.codes & {
        "unsupported_parameter",
        "unsupported_value",
    } and not _UNSUPPORTED.search(failure.words):
        return ""
    if failure.param:
        name = failure.param.rpartition(".")[2]
        return name if name in sent else ""
    # A message about max_tokens usually names its successor as well, so the one that was sent decides.
    return next((name for name in sorted(sent) if re.search(rf"\b{name}\b", failure.words)), "")


def diagnose(failure: Failure, target: Target) -> Diagnosis:
    """What the failure means, and whether trying again can help."""
    if failure.trouble or not failure.status:
        return _no_answer(failure, target)
    if 300 <= failure.status < 400:
        text = f"The server at {target.host} redirects to another server (HTTP {failure.status}), and prompts are not sent there."
        return Diagnosis(
            "bad_request", text, "If you trust that server, set llm.base_url to its address."
        )
    if failure.status == 429:
        return _limited(failure, target)
    if failure.status in (400, 413, 422):
        return _bad_request(failure, target)
    if failure.status in (401, 402, 403, 404, 405, 501):
        return _refused(failure, target)
    if failure.status == 408:
        return Diagnosis(
            "unreachable",
            f"The language model at {target.host} took too long (HTTP 408).",
            _SLOW,
            PAID_RETRIES,
        )
    if failure.status >= 500 and _BEHIND.search(failure.words):
        text = f"The server at {target.host} answers, but cannot reach the model behind it (HTTP {failure.status})."
        return Diagnosis(
            "server",
            text,
            "Start that model's server, or check its address in the proxy's settings.",
            0,
        )
    if failure.status >= 500:
        text = f"The language model at {target.host} reported an internal error (HTTP {failure.status})."
        return Diagnosis(
            "server", text, "Try again later.", PAID_RETRIES if failure.in_body else None
        )
    return Diagnosis(
        "bad_request",
        f"The language model at {target.host} answered with HTTP {failure.status}.",
        _ADDRESS,
    )


_LONGER = "Choose a model with a longer context, or raise the context at the server (Ollama: OLLAMA_CONTEXT_LENGTH)."
_SLOW = "Raise llm.timeout_s in the settings, or choose a faster model."
_BUSY = "Raise llm.timeout_s, lower llm.parallel (now {parallel}) if other programs use the server too, or choose a faster model."
_ADDRESS = "Check llm.base_url in the settings."

_NO_ANSWER: Mapping[Trouble, tuple[str, str, str, int]] = {
    "": (
        "unreachable",
        "The connection to the language model at {host} failed or was lost.",
        "Check that the server is running and that llm.base_url is right.",
        PAID_RETRIES,
    ),
    "timeout": (
        "unreachable",
        "The language model at {host} did not answer in time.",
        _SLOW,
        PAID_RETRIES,
    ),
    "deadline": (
        "unreachable",
        "The language model at {host} did not finish its answer within {seconds:g} s.",
        _SLOW,
        0,
    ),
    "body": (
        "broken",
        "The server at {host} sent something that is neither a chat completion nor a list of vectors.",
        _ADDRESS,
        PAID_RETRIES,
    ),
    "size": (
        "broken",
        "The server at {host} sent an answer longer than this request allows, so it was not read to the end.",
        "The server may be broken, or not a language model: check llm.base_url in the settings.",
        0,
    ),
    "compressed": (
        "broken",
        "The server at {host} compressed its answer although it was asked not to.",
        "Switch compression off at the server or its proxy: it hides how large an answer is.",
        0,
    ),
}
"""What is said where no usable answer came: kind, sentence, hint, and how often it is tried again. The first is a lost connection."""


def _no_answer(failure: Failure, target: Target) -> Diagnosis:
    kind, text, hint, more_attempts = _NO_ANSWER.get(failure.trouble, _NO_ANSWER[""])
    if target.parallel and failure.trouble in (
        "timeout",
        "deadline",
    ):  # it may still be busy with this call: another one would only wait
        hint, more_attempts = _BUSY.format(parallel=target.parallel), 0
    return Diagnosis(
        kind, text.format(host=target.host, seconds=target.seconds), hint, more_attempts
    )


def _limited(failure: Failure, target: Target) -> Diagnosis:
    if failure.codes & _QUOTA or _QUOTA_WORDS.search(failure.words):
        return Diagnosis(
            "refused",
            f"The account at {target.host} has used up its quota.",
            "Add credit, or choose another server.",
        )
    text = f"The language model at {target.host} is limiting how often it may be called."
    return Diagnosis(
        "limited",
        text,
        "Wait a while, or lower llm.parallel in the settings.",
        PAID_RETRIES if failure.in_body else None,
    )


def _bad_request(failure: Failure, target: Target) -> Diagnosis:
    if about_context(failure):
        return Diagnosis(
            "bad_request",
            f"The prompt is longer than the context of {target.model} at {target.host}.",
            _LONGER,
        )
    if _FILTER.search(failure.words):
        return Diagnosis(
            "refused",
            f"The content filter at {target.host} blocked the request.",
            "Reword the topic.",
        )
    if _MODEL.search(failure.words):
        return _no_model(target)
    if _KEY_REFUSED.search(failure.words):
        return _no_key(target)
    if failure.param in ("max_tokens", "max_completion_tokens") or _TOKENS_VALUE.search(
        failure.words
    ):
        text = f"The model {target.model} at {target.host} does not accept the value of max_tokens."
        return Diagnosis("bad_request", text, "Lower max_tokens of the role in the settings.")
    text = f"The server at {target.host} rejected the request (HTTP {failure.status})."
    return Diagnosis(
        "bad_request", text, "Check the model's name and reply_format in the settings."
    )


def _refused(failure: Failure, target: Target) -> Diagnosis:
    match failure.status:
        case 401:
            return _no_key(target)
        case 402:
            return Diagnosis(
                "refused",
                f"The account at {target.host} has no credit left.",
                "Add credit, or choose another server.",
            )
        case 403:
            hint = "Check what the key may do, whether your region is served, and the topic: some servers moderate."
            return Diagnosis(
                "refused", f"The server at {target.host} refused the request (HTTP 403).", hint
            )
        case 404 if _MODEL.search(failure.words):
            return _no_model(target)
        case _:
            text = (
                f"The server at {target.host} does not offer this service (HTTP {failure.status})."
            )
            return Diagnosis("not_found", text, _ADDRESS)


def _no_key(target: Target) -> Diagnosis:
    return Diagnosis(
        "refused", f"The server at {target.host} rejected the API key.", "Check OPENAI_API_KEY."
    )


def _no_model(target: Target) -> Diagnosis:
    text = f"The server at {target.host} has no model named {target.model}."
    return Diagnosis("not_found", text, "coi doctor lists the models it has.")


def context_error(target: Target, limit: int, prompt_tokens: int) -> ContextError:
    """The prompt is too long, as an error from which the caller can see by how much."""
    message = f"The prompt is longer than the context of {target.model} at {target.host}."
    return ContextError(SERVICE, message, _LONGER, limit=limit, prompt_tokens=prompt_tokens)


def service_error(diagnosis: Diagnosis) -> ServiceError:
    """The diagnosis as the error a person sees."""
    return ServiceError(SERVICE, diagnosis.kind, diagnosis.message, diagnosis.hint)
