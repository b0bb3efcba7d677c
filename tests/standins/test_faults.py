"""Faults come at the stated share, are the same for the same seed, and every malformed style is of no use."""

from __future__ import annotations

from collections import Counter
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from benchmarks.standins import Faults, Settings, StandIns
from benchmarks.standins.fault_injection import STYLES, Fault, draw, spoil
from coi_tui.methods.coi import replies as coi
from coi_tui.methods.shared import replies as shared

from .conftest import ask, chat_body

MIXED = Faults(seed=3, p429=0.05, p500=0.05, truncated=0.05, malformed=0.1)


def test_shares_and_determinism() -> None:
    labels = [draw(MIXED, "chat", "Card", f"request {n}", 1) for n in range(8000)]
    count = Counter(fault.kind for fault in labels)
    for kind, share in (("429", 0.05), ("500", 0.05), ("truncated", 0.05), ("malformed", 0.1)):
        assert count[kind] / 8000 == pytest.approx(share, abs=0.01)
    styles = Counter(fault.style for fault in labels if fault.style)
    assert set(styles) == set(STYLES)
    assert min(styles.values()) > 100
    assert labels == [draw(MIXED, "chat", "Card", f"request {n}", 1) for n in range(8000)]
    assert labels != [draw(MIXED, "chat", "Card", f"request {n}", 2) for n in range(8000)]
    assert not any(draw(MIXED, "search", "", f"request {n}", 1).style for n in range(2000))


def test_limits_to_kinds_and_schemas() -> None:
    faults = Faults(p500=1.0, kinds=("chat",), schemas=("Card",))
    assert draw(faults, "chat", "Card", "x", 1).kind == "500"
    assert draw(faults, "chat", "Trend", "x", 1).kind == ""
    assert draw(faults, "search", "", "x", 1).kind == ""
    assert draw(Faults(down=True), "search", "", "x", 1).kind == "500"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("reply", [coi.Card, coi.Trend, coi.Relevance, shared.ReviewQuery, shared.Match, shared.Review])
async def test_malformed(client: httpx.AsyncClient, style: str, reply: type[shared.Reply]) -> None:
    faults = Faults(malformed=1.0, styles=(style,), nonce="N-91-x")
    async with StandIns(Settings(chat_faults=faults)) as pair:
        text = await ask(client, pair, chat_body(reply, "topic"))
        assert pair.log.entries[-1].fault == f"malformed:{style}"
    assert "N-91-x" in text
    for part in (text, text.rpartition("</think>")[2]):
        with pytest.raises(ValidationError):
            reply.model_validate_json(part)


def test_the_cut_always_removes_something() -> None:
    replies: list[dict[str, Any]] = [{"query": None}, {"text": "a"}, {"points": []}, {"verdicts": [{"id": "P1"}]}]
    for good in replies:
        text = spoil(good, Fault("malformed", "cut", "N-1"))
        assert "N-1" in text
        assert not text.endswith("}")


async def test_http_faults(client: httpx.AsyncClient) -> None:
    answers = {}
    for name, faults in {
        "429": Faults(p429=1.0, retry_after=0),
        "500": Faults(p500=1.0),
        "cut": Faults(truncated=1.0),
        "wire": Faults(truncated=1.0, cut_wire=True),
    }.items():
        async with StandIns(Settings(chat_faults=faults, s2_faults=faults)) as pair:
            for url in (f"{pair.chat_url}/models", f"{pair.s2_url}/paper/search?query=graph"):
                try:
                    answers[name] = await client.get(url)
                except httpx.RemoteProtocolError:
                    assert name == "wire"
                    continue
                assert answers[name].status_code == (int(name) if name.isdigit() else 200)
    assert answers["429"].headers["retry-after"] == "0"
    assert answers["429"].json()["code"] == "429"
    assert answers["500"].json() == {"message": "Internal Server Error"}
    with pytest.raises(ValueError):
        answers["cut"].json()
    assert "wire" not in answers


async def test_a_retry_is_drawn_anew(client: httpx.AsyncClient) -> None:
    async with StandIns(Settings(s2_faults=Faults(seed=1, p429=0.5))) as pair:
        url = f"{pair.s2_url}/paper/search?query=graph"
        codes = [(await client.get(url)).status_code for _ in range(30)]
    assert set(codes) == {200, 429}
