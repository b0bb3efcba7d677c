"""The log of the stand-ins finds a request that was sent twice: tests that nothing is paid twice stand on it."""

from __future__ import annotations

import httpx

from benchmarks.standins import Settings, StandIns, repeated


async def test_the_same_content_has_the_same_hash() -> None:
    async with (
        StandIns(Settings()) as pair,
        httpx.AsyncClient(timeout=10, trust_env=False) as client,
    ):
        url = f"{pair.s2_url}/paper/search"
        for query in ("query=graph&limit=5", "limit=5&query=graph", "limit=6&query=graph"):
            await client.get(f"{url}?{query}")
        one, two, three = pair.log.of("s2", "search")
        assert one.hash == two.hash != three.hash
        assert (one.nth, two.nth) == (1, 2)
        assert repeated(pair.log.entries) == [two]
