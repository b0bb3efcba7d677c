"""A rehearsed call makes the SDK's tables and reaches no network."""

from __future__ import annotations

import socket

import pytest

from coi_tui.llm.rehearsal import rehearse


def test_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a rehearsal looked for a host")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    rehearse()
