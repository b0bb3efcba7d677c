"""Requests and replies, the settings of roles, and the protocol that all models keep."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.model.text import digest
from coi_tui.services.llm.chat import (
    ChatReply,
    model_name,
    resolved,
)
from tests.llm.server import request


@pytest.mark.parametrize(
    "change",
    [
        {"role": "reader"},
        {"prompt": "x"},
        {"version": "2"},
        {"prompt_hash": "x"},
        {"system": "x"},
        {"user": "x"},
        {"schema": {}},
        {"temperature": 0.1},
        {"max_tokens": 1},
        {"sample": 1},
        {"reask": ("a", "b")},
    ],
)
def test_the_key_tells_contents_apart(change: dict[str, Any]) -> None:
    assert digest(request().key()) != digest(request(**change).key())


def test_the_key_leaves_out_what_is_not_content() -> None:
    assert digest(request().key()) == digest(request(values={"other": 1}).key())
    with pytest.raises(dataclasses.FrozenInstanceError):
        request().user = "x"  # type: ignore[misc]


def test_a_reply_goes_through_json() -> None:
    reply = ChatReply("t", "a", "s", 1, 2, True, "stop", "text")
    assert ChatReply.from_json({**json.loads(json.dumps(reply.to_json())), "later": 1}) == reply
    with pytest.raises(TypeError):
        ChatReply.from_json({"text": "t"})


def test_roles() -> None:
    settings = LlmSettings(
        main=RoleSettings(model="m"), reader=RoleSettings(temperature=0.1, max_tokens=5)
    )
    assert [model_name(settings, role) for role in ("main", "reader", "embedding")] == [
        "m",
        "m",
        "",
    ]
    changed = resolved(request(role="reader"), settings)
    assert (changed.temperature, changed.max_tokens) == (0.1, 5)
    assert resolved(changed, settings) == changed
    assert resolved(request(), settings) == request()
