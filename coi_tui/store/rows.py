"""Values to rows and back: JSON, the hash chain, and what a known paper may still learn."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision, Entry, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper


@cache
def entry_adapter() -> TypeAdapter[Decision | Version]:
    """Reads a log row of either kind."""
    return TypeAdapter(Entry)


def to_json(value: object, what: str) -> str:
    """Strict JSON in the value's own order. Raises StoreError for what JSON or UTF-8 cannot hold (NaN, half characters, objects)."""
    try:
        plain = value.model_dump() if isinstance(value, BaseModel) else value
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except (TypeError, ValueError, PydanticSerializationError) as error:
        raise StoreError(f"{what} cannot be kept as JSON ({type(error).__name__}), so nothing was written.") from error
    return text


def link_hash(previous: str, *parts: str) -> str:
    """The chain hash of a row: of the row before it and of its own texts. Lengths keep the parts apart."""
    h = hashlib.sha256(previous.encode("ascii"))
    for part in parts:
        raw = part.encode("utf-8")
        h.update(f"\n{len(raw)}\n".encode("ascii"))
        h.update(raw)
    return h.hexdigest()


def first_fault(error: ValidationError) -> str:
    """Where and why a row does not fit its type, without any of its text."""
    fault = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in fault["loc"]) or "the row"
    return f"{where}: {fault['msg']}"


def entries_of(rows: Iterable[tuple[int, str]], name: str, hint: str) -> list[Decision | Version]:
    """Log rows as entries. Raises StoreError naming the first row that cannot be read."""
    read = entry_adapter().validate_json
    out: list[Decision | Version] = []
    seq = 0
    try:
        for seq, text in rows:  # noqa: B007 - the error names the row
            out.append(read(text))
    except ValidationError as error:
        raise StoreError(f"Entry {seq} of {name} cannot be read ({first_fault(error)}).", hint) from None
    return out


def papers_of(rows: Iterable[tuple[str, str]], name: str, hint: str) -> dict[str, Paper]:
    """Paper rows by id. Raises StoreError naming the first that cannot be read."""
    out: dict[str, Paper] = {}
    key = ""
    try:
        for key, text in rows:
            out[key] = Paper.model_validate_json(text)
    except ValidationError as error:
        raise StoreError(f"Paper {key} of {name} cannot be read ({first_fault(error)}).", hint) from None
    return out


def call_texts(call: Call) -> tuple[str, str]:
    """A call's row: everything but id and reply, and the reply by itself."""
    what = f"The call {call.key[:12]} ({call.kind})"
    plain: dict[str, Any] = call.model_dump(exclude={"id", "reply"})
    return to_json(plain, what), to_json(call.reply, f"The reply of {what[0].lower()}{what[1:]}")


@cache
def _object() -> TypeAdapter[dict[str, Any]]:
    return TypeAdapter(dict[str, Any])


def call_of(number: int, text: str, reply: str | None) -> Call:
    """A call from its row. Without its reply, that is empty. ValidationError for a row that is none."""
    read = _object().validate_json
    return Call.model_validate({**read(text), "id": number, "reply": read(reply) if reply is not None else {}})


_FILLED_ALONE = ("title", "year", "authors", "venue", "open_pdf", "url", "source", "limitations", "datasets", "baselines", "entities")


def fill_missing(old: Paper, new: Paper) -> Paper:
    """``old``, with what it does not say taken from ``new``. A value that is there is never replaced.

    An abstract comes with its kind, a citation count with its source and date, and a day only from a source that agrees on the year.
    """
    more: dict[str, Any] = {name: getattr(new, name) for name in _FILLED_ALONE if not getattr(old, name) and getattr(new, name)}
    if ids := {scheme: value for scheme, value in new.ids.items() if scheme not in old.ids}:
        more["ids"] = {**old.ids, **ids}
    if not old.abstract and new.abstract:
        more |= {"abstract": new.abstract, "abstract_kind": new.abstract_kind}
    if old.citations.count is None and new.citations.count is not None:
        more["citations"] = new.citations
    year = old.year if old.year is not None else new.year
    if not old.published and new.published and (year is None or new.published.startswith(f"{year:04d}")):
        more["published"] = new.published
    return old.model_copy(update=more) if more else old
