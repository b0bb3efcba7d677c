"""The stand-in over a held-out cut answers as the service's contract says, and knows nothing outside the cut."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from benchmarks.held_out.corpus import Case, PaperSet
from benchmarks.held_out.service import HeldOutService
from benchmarks.standins.http_server import StandIn


@pytest.fixture
async def client(papers: PaperSet) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        StandIn(HeldOutService(papers, {3: Case(papers, 0)})) as server,
        httpx.AsyncClient(base_url=f"{server.url}/3/graph/v1", timeout=10, trust_env=False) as http,
    ):
        yield http


async def get(client: httpx.AsyncClient, path: str, **params: Any) -> Any:
    answer = await client.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def key(number: int) -> str:
    return f"{number:040x}"


def ids(rows: list[dict[str, Any]]) -> list[int]:
    return [int(row["paperId"], 16) for row in rows]


async def test_search_finds_papers_of_the_cut_only(client: httpx.AsyncClient) -> None:
    found = await get(
        client,
        "/paper/search",
        query="graph drawing layouts",
        fields="title,year,abstract,authors.name,citationCount",
    )
    assert set(ids(found["data"])) == {1, 2, 8}
    assert found["data"][0] == {
        "paperId": key(1),
        "title": "Force layouts for graph drawing",
        "year": 2020,
        "abstract": "Layouts by forces for large graphs.",
        "authors": [{"authorId": None, "name": "A. Author"}],
        "citationCount": 1,
    }
    assert found["total"] == 3
    assert "next" not in found


async def test_search_pages_and_filters(client: httpx.AsyncClient) -> None:
    first = await get(client, "/paper/search", query="graph layouts", limit=1)
    second = await get(
        client, "/paper/search", query="graph layouts", limit=1, offset=first["next"]
    )
    assert ids(first["data"]) != ids(second["data"])
    for span in (
        {"publicationDateOrYear": "2019-06:2021"},
        {"year": "2020-2020"},
        {"year": "2020"},
    ):
        assert ids((await get(client, "/paper/search", query="graph layouts", **span))["data"]) == [
            1
        ]
    assert ids(
        (
            await get(
                client,
                "/paper/search",
                query="graph layouts",
                publicationDateOrYear="2020-02:2023-01-01",
            )
        )["data"]
    ) == [8]
    assert ids(
        (await get(client, "/paper/search", query="graph layouts", minCitationCount=2))["data"]
    ) == [2]


async def test_search_without_a_hit_or_with_hyphenated_words_has_no_data(
    client: httpx.AsyncClient,
) -> None:
    for query in ("nothing", "graph-layouts"):
        assert await get(client, "/paper/search", query=query) == {"total": 0, "offset": 0}


async def test_citations_are_newest_first_and_take_dates(client: httpx.AsyncClient) -> None:
    found = await get(
        client, f"/paper/{key(2)}/citations", fields="title,year,contexts,intents,isInfluential"
    )
    assert ids([row["citingPaper"] for row in found["data"]]) == [8, 1, 3]
    dated = await get(
        client, f"/paper/{key(2)}/citations", fields="title", publicationDateOrYear="2019:2020"
    )
    assert ids([row["citingPaper"] for row in dated["data"]]) == [1, 3]
    assert "contexts" not in dated["data"][0]


async def test_references_give_contexts_and_pages(client: httpx.AsyncClient) -> None:
    found = await get(
        client,
        f"/paper/{key(8)}/references",
        fields="title,contexts,intents,isInfluential",
        limit=1,
    )
    assert found["next"] == 1
    assert found["data"] == [
        {
            "contexts": ["As in [1]."],
            "intents": ["methodology"],
            "isInfluential": True,
            "citedPaper": {"paperId": key(1), "title": "Force layouts for graph drawing"},
        }
    ]


async def test_batch_keeps_the_order_takes_every_kind_of_id_and_nests_references(
    client: httpx.AsyncClient,
) -> None:
    body = {"ids": ["CorpusId:77", key(0), "DOI:10.1/ONE", key(5)]}
    answer = await client.post(
        "/paper/batch", params={"fields": "title,references.title,references.year"}, json=body
    )
    rows = answer.json()
    assert [row and int(row["paperId"], 16) for row in rows] == [9, None, 1, None]
    assert [(int(row["paperId"], 16), row["year"]) for row in rows[2]["references"]] == [
        (2, 2018),
        (9, 1991),
    ]
    assert (await client.post("/paper/batch", json={"ids": ["x"] * 501})).status_code == 400


async def test_title_match_answers_with_the_paper_or_404(client: httpx.AsyncClient) -> None:
    found = await get(
        client, "/paper/search/match", query="Force layouts for graph drawing", fields="year"
    )
    assert ids(found["data"]) == [1]
    missing = await client.get(
        "/paper/search/match", params={"query": "Held-out paper on graph drawing"}
    )
    assert missing.status_code == 404
    assert missing.json() == {"error": "Title match not found"}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/paper/{key(0)}", 404),
        (f"/paper/{key(5)}/citations", 404),
        (f"/paper/{key(1)}?fields=nonsense", 400),
        ("/paper/search?query=graph&limit=101", 400),
        ("/paper/search", 400),
        ("/paper/search?query=a&year=soon", 400),
        (f"/paper/{key(1)}", 200),
        ("/nothing", 404),
    ],
)
async def test_what_is_outside_the_cut_or_the_contract_is_refused(
    client: httpx.AsyncClient, path: str, status: int
) -> None:
    assert (await client.get(path)).status_code == status


async def test_a_case_that_is_not_served_is_not_found(papers: PaperSet) -> None:
    async with (
        StandIn(HeldOutService(papers, {3: Case(papers, 0)})) as server,
        httpx.AsyncClient(trust_env=False) as http,
    ):
        assert (await http.get(f"{server.url}/4/graph/v1/paper/{key(1)}")).status_code == 404
