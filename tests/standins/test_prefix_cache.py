"""The stand-in's cache of the beginnings of prompts: from 1,024 tokens on, in steps of 128, and only of prompts that were answered."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.standins.prefix_cache import PrefixCache


def body(user: str, *, schema: str = "", model: str = "m") -> dict[str, Any]:
    form = {"response_format": {"type": "json_schema", "json_schema": {"name": schema}}} if schema else {}
    return {"model": model, "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": user}], **form}


def cached(first: dict[str, Any], second: dict[str, Any], kind: str = "messages") -> int:
    cache = PrefixCache(kind)
    assert cache.cached(cache.prompt(first)) == 0
    cache.keep(cache.prompt(first))
    return cache.cached(cache.prompt(second))


@pytest.mark.parametrize(("shared", "tokens"), [(4000, 0), (4096, 1024), (4500, 1024), (4700, 1152), (40_000, 9984)])
def test_what_is_shared_counts_from_1024_tokens_on_in_whole_steps(shared: int, tokens: int) -> None:
    assert cached(body("a" * shared + "b" * 900), body("a" * shared + "c" * 900)) == tokens


def test_another_model_or_beginning_shares_nothing() -> None:
    assert cached(body("a" * 9000), body("a" * 9000, model="other")) == 0
    assert cached(body("a" * 9000), body("b" + "a" * 9000)) == 0


def test_another_schema_parts_prompts_only_where_it_stands_first() -> None:
    one, other = body("a" * 9000, schema="One"), body("a" * 9000, schema="Other")
    assert cached(one, other) > 2000
    assert cached(one, other, "schema") == 0
    assert cached(one, one, "schema") > 2000
