"""The literature server: shapes and nulls as in the reference, and a corpus dense enough for three chains."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pypdfium2  # type: ignore[import-untyped]
import pytest

from benchmarks.standins import Paper, S2Options, Settings, StandIns, make_corpus, make_index, novelty_rule

FIELDS = "title,abstract,year,authors.name,externalIds,citationCount,publicationDate,openAccessPdf"


async def get(client: httpx.AsyncClient, pair: StandIns, path: str, **params: Any) -> Any:
    answer = await client.get(f"{pair.s2_url}{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_corpus_is_the_same_for_a_seed_and_in_time_order() -> None:
    corpus = make_corpus()
    assert make_corpus.__wrapped__(7, 400).papers == corpus.papers
    assert make_corpus(8).papers[0].title != corpus.papers[0].title
    assert len(corpus.papers) == 400
    assert len({paper.title for paper in corpus.papers}) == 400
    assert len({paper.year for paper in corpus.papers}) == 12
    for paper in corpus.papers:
        assert re.fullmatch("[0-9a-f]{40}", paper.paper_id)
        assert 120 <= len(paper.abstract.split()) <= 180
        assert all(corpus.papers[n].year < paper.year for n in paper.references)
        assert paper.year == 2013 or 5 <= len(paper.references) <= 15
        assert paper.count <= 1000


@pytest.mark.parametrize("topic", make_corpus().topics)
def test_every_anchor_leads_two_links_both_ways(topic: str) -> None:
    corpus, hits = make_corpus(), make_index().search(topic)
    assert len(hits) >= 30
    for paper in hits[:8]:
        assert _least_reach(paper, lambda p: corpus.references(p)) >= 2
        assert _least_reach(paper, lambda p: corpus.citations(p)) >= 2
        assert min(len(paper.references), len(paper.citations)) >= 3


def _least_reach(paper: Paper, step: Any) -> int:
    """How many links there are at least, whatever is chosen (counted up to two)."""
    first = step(paper)
    return 0 if not first else 1 + min(min(1, len(step(other))) for other in first)


async def test_search(client: httpx.AsyncClient, pair: StandIns) -> None:
    one = await get(client, pair, "/paper/search", query="reward margin preference", fields=FIELDS, limit=6)
    two = await get(client, pair, "/paper/search", query="graph pooling", fields="title", limit=6)
    assert one["next"] == 6
    assert one["offset"] == 0
    assert one["total"] > 6
    assert set(one["data"][0]) == {"paperId", *(f.partition(".")[0] for f in FIELDS.split(","))}
    assert {p["paperId"] for p in one["data"]}.isdisjoint(p["paperId"] for p in two["data"])
    last = await get(client, pair, "/paper/search", query="graph pooling", offset=two["total"] - 1)
    assert "next" not in last
    assert set(last["data"][0]) == {"paperId", "title"}
    for nothing in ("zyxw vut", "graph-pooling"):
        assert await get(client, pair, "/paper/search", query=nothing) == {"total": 0, "offset": 0}
    years = await get(client, pair, "/paper/search", query="graph", year="2016-2018", fields="year")
    assert {p["year"] for p in years["data"]} == {2016, 2017, 2018}


async def test_match_paper_batch_and_ids(client: httpx.AsyncClient, pair: StandIns) -> None:
    paper = pair.corpus.papers[100]
    hit = await get(client, pair, "/paper/search/match", query=paper.title.upper())
    assert hit["data"][0]["paperId"] == paper.paper_id
    assert hit["data"][0]["matchScore"] > 0
    ids = [f"ARXIV:{paper.arxiv}", f"CorpusId:{paper.corpus_id}", "0" * 40, f"DOI:{paper.doi}", paper.paper_id]
    answer = await client.post(f"{pair.s2_url}/paper/batch", params={"fields": "abstract"}, json={"ids": ids})
    assert [row and row["paperId"] for row in answer.json()] == [paper.paper_id] * 2 + [None] + [paper.paper_id] * 2
    assert answer.json()[0] == {"paperId": paper.paper_id, "abstract": paper.abstract}
    for ident in (paper.paper_id, paper.doi, f"DOI:{paper.doi}"):
        assert (await get(client, pair, f"/paper/{ident}"))["title"] == paper.title
    whole = await get(client, pair, f"/paper/{paper.paper_id}", fields="references.title,citations")
    assert len(whole["references"]) == len(paper.references)
    assert set(whole["citations"][0]) == {"paperId", "title"}


@pytest.mark.parametrize(
    ("path", "params", "status", "error"),
    [
        ("/paper/0", {}, 404, "Paper with id 0 not found"),
        ("/paper/search/match", {"query": "no such title"}, 404, "Title match not found"),
        ("/paper/search", {"query": "x", "fields": "nonsense"}, 400, "Unrecognized or unsupported fields: [nonsense]"),
        ("/paper/search", {"query": "x", "limit": "101"}, 400, "Unacceptable query params"),
        ("/paper/search", {"query": "x", "limit": "100", "offset": "950"}, 400, "Unacceptable query params"),
        ("/nothing", {}, 404, "Not Found"),
    ],
)
async def test_errors(client: httpx.AsyncClient, pair: StandIns, path: str, params: dict[str, str], status: int, error: str) -> None:
    answer = await client.get(f"{pair.s2_url}{path}", params=params)
    assert answer.status_code == status
    assert answer.json()["error"].startswith(error)


async def test_lists_have_the_nulls_of_the_real_ones(client: httpx.AsyncClient, pair: StandIns) -> None:
    rows = []
    for paper in pair.corpus.papers[120:280]:
        citations = await get(client, pair, f"/paper/{paper.paper_id}/citations", fields="title,year,abstract")
        references = await get(client, pair, f"/paper/{paper.paper_id}/references", fields="title,year,abstract,authors")
        assert references["citingPaperInfo"]["paperId"] == paper.paper_id
        assert set(citations["data"][0]) == {"citingPaper"}
        years = [row["citingPaper"]["year"] for row in citations["data"] if row["citingPaper"]["year"]]
        assert years == sorted(years, reverse=True)
        real = [row["citedPaper"] for row in references["data"] if row["citedPaper"]["paperId"]]
        assert {row["paperId"] for row in real} == {pair.corpus.papers[n].paper_id for n in paper.references}
        rows += [row["citingPaper"] for row in citations["data"]] + [row["citedPaper"] for row in references["data"]]
    unmatched = [row for row in rows if row["paperId"] is None]
    real = [row for row in rows if row["paperId"]]
    assert len(unmatched) > 50
    assert all(row["title"] and row["authors"] == [] and row["year"] is None for row in unmatched)
    assert sum(row["abstract"] is None for row in real) / len(real) == pytest.approx(0.23, abs=0.03)
    assert 0 < sum(row["year"] is None for row in real) / len(real) < 0.06


async def test_link_fields_and_pages(client: httpx.AsyncClient, pair: StandIns) -> None:
    ident = pair.corpus.papers[150].paper_id
    path = f"/paper/{ident}/references"
    page = await get(client, pair, path, fields="contexts,intents,isInfluential,title", limit=2)
    assert set(page["data"][0]) == {"contexts", "intents", "isInfluential", "citedPaper"}
    assert page["next"] == 2
    rest = await get(client, pair, path, offset=2, limit=1000)
    assert "next" not in rest


async def test_rules_elision_and_pdf(client: httpx.AsyncClient) -> None:
    options = S2Options(rules=(novelty_rule("empty"),), elided=1.0, pdf_share=1.0)
    async with StandIns(Settings(s2=options)) as pair:
        paper = pair.corpus.papers[60]
        assert "data" not in await get(client, pair, "/paper/search", query="precedent graph pooling")
        assert "data" in await get(client, pair, "/paper/search", query="graph pooling")
        assert (await get(client, pair, f"/paper/{paper.paper_id}/references"))["data"] is None
        link = (await get(client, pair, f"/paper/{paper.paper_id}", fields="openAccessPdf"))["openAccessPdf"]["url"]
        answer = await client.get(link)
        assert pair.log.entries[-1].kind == "pdf"
        document = pypdfium2.PdfDocument(answer.content)
        texts = [page.get_textpage().get_text_range() for page in document]
        assert paper.title.split()[0] in texts[0]
        assert len("".join(texts)) > 10_000
        document.close()
    async with StandIns(Settings(s2=S2Options(rules=(novelty_rule("fail"),)))) as pair:
        answer = await client.get(f"{pair.s2_url}/paper/search", params={"query": "precedent graph"})
        assert answer.status_code == 500
