from typing import Any

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Paper
from coi_tui.services.sources.semantic_scholar import FIELDS, LINK_FIELDS, SemanticScholar, to_paper
from coi_tui.services.sources.types import HttpAnswer, HttpRequest, PdfText

from .helpers import TODAY, ScriptedFetch, paper, row, sha

BASE = "https://s2.example.org/graph/v1"
HEAD = Paper(
    id="arXiv:2401.00900", ids={"S2": sha(900)}, title="The head", citations=Citations(count=500)
)
NOT_FOUND = HttpAnswer(status=404, payload={"error": "Paper with id 0 not found"})


def client(fetch: ScriptedFetch) -> SemanticScholar:
    return SemanticScholar(fetch, BASE + "/", today=lambda: TODAY)


def citing(*rows: Any, **more: Any) -> dict[str, Any]:
    return {"offset": 0, "data": [{"citingPaper": r} for r in rows]} | more


# Searching


async def test_search_sends_blanks_for_hyphens_and_only_the_used_fields() -> None:
    fetch = ScriptedFetch(
        ("/paper/search", {"total": 812, "offset": 0, "next": 2, "data": [row(1), row(2)]})
    )
    found = await client(fetch).search("chain-of-thought co‑training", 2)
    assert fetch.params() == {
        "query": "chain of thought co training",
        "fields": FIELDS,
        "limit": "2",
    }
    assert fetch.asked[0].url == f"{BASE}/paper/search"
    assert [p.id for p in found.papers] == ["arXiv:2401.00001", "arXiv:2401.00002"]
    assert (found.total, found.asked_at, found.query) == (
        812,
        TODAY,
        "chain-of-thought co‑training",
    )
    assert "searched as “chain of thought co training”" in found.note


def test_every_field_of_a_full_row_arrives() -> None:
    pdf = {"url": "https://x.org/a.pdf", "status": "GOLD"}
    ids = {"ArXiv": "2401.00001", "DOI": "10.1000/X", "CorpusId": 7, "PubMed": 12, "MAG": "3"}
    assert to_paper(row(1, openAccessPdf=pdf, externalIds=ids), TODAY) == Paper(
        id="arXiv:2401.00001",
        ids={
            "arXiv": "2401.00001",
            "DOI": "10.1000/x",
            "CorpusId": "7",
            "PMID": "12",
            "S2": sha(1),
        },
        title="Invented paper number 1",
        abstract="Abstract 1.",
        year=2024,
        published="2024-01-09",
        venue="ACL",
        authors=("A. Bar",),
        citations=Citations(count=3, source="Semantic Scholar", read=TODAY),
        open_pdf="https://x.org/a.pdf",
        url="https://arxiv.org/abs/2401.00001",
        source="Semantic Scholar",
    )


# What really comes back (reference)


def test_null_fields_stay_unknown() -> None:
    nulls = dict.fromkeys(row(1).keys() - {"paperId", "title"})
    assert to_paper(row(1, **{**nulls, "authors": [], "venue": ""}), TODAY) == Paper(
        id=f"S2:{sha(1)}",
        ids={"S2": sha(1)},
        title="Invented paper number 1",
        source="Semantic Scholar",
        url=f"https://www.semanticscholar.org/paper/{sha(1)}",
    )


AUTHORS = [{"authorId": None, "name": "A. Bar"}, {"name": None}, None, {"authorId": "1"}]


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"openAccessPdf": {"url": "", "status": "CLOSED"}}, "open_pdf", None),
        ({"openAccessPdf": {"url": "http://x.org/a b.pdf"}}, "open_pdf", "http://x.org/a%20b.pdf"),
        ({"authors": AUTHORS}, "authors", ("A. Bar",)),
        ({"year": None, "publicationDate": "2019-07-01"}, "year", 2019),
        ({"year": 2019, "publicationDate": None}, "published", None),
        ({"year": 2019, "publicationDate": "2020-07-01"}, "published", None),
        ({"publicationDate": "July 2019"}, "published", None),
        ({"year": "2019"}, "year", 2019),
        ({"year": 10**30, "publicationDate": None}, "year", None),
        ({"citationCount": -1}, "citations", Citations()),
        ({"citationCount": 10**30}, "citations", Citations()),
        ({"title": None}, "title", "(no title)"),
        ({"title": "Caf&eacute; &lt;i&gt;x&lt;/i&gt;\n&amp; y"}, "title", "Café x & y"),
        ({"title": "a\x1b[31mb\u202ec"}, "title", "abc"),
        ({"abstract": " a\x1b]0;x\x07b\r\nc "}, "abstract", "ab\nc"),
        (
            {"externalIds": {"CorpusId": 5, "DOI": "nonsense", "ArXiv": None}},
            "ids",
            {"CorpusId": "5", "S2": sha(1)},
        ),
    ],
)
def test_odd_values(fields: dict[str, Any], name: str, value: object) -> None:
    assert getattr(to_paper(row(1, **fields), TODAY), name) == value


# Matching


async def test_a_match_is_checked_not_believed() -> None:
    fetch = ScriptedFetch(("/paper/search/match", {"data": [row(1, matchScore=109.5)]}))
    found = await client(fetch).match("Invented Paper: Number 1", 2024)
    assert found is not None
    assert await client(fetch).match("Quite another title altogether", 2024) is None
    assert await client(fetch).match("Invented paper number 1", 1999, ["Z. Else"]) is None


# Batches


async def test_papers_come_in_order_with_none_for_the_unknown() -> None:
    fetch = ScriptedFetch(("/paper/batch", [row(1), None, row(2)]))
    got = await client(fetch).papers(
        ["arXiv:2401.00001", "title:a-slug", "10.1000/none", sha(2), "arXiv:2401.00001v2"]
    )
    assert [p.id if p else None for p in got] == [
        "arXiv:2401.00001",
        None,
        None,
        "arXiv:2401.00002",
        "arXiv:2401.00001",
    ]
    assert fetch.asked[0].body == {"ids": ["ARXIV:2401.00001", "DOI:10.1000/none", sha(2)]}
    assert fetch.params() == {"fields": FIELDS}
    assert fetch.asked[0].method == "POST"


@pytest.mark.parametrize("payload", [[], [None, None], {"data": []}])
async def test_a_batch_of_the_wrong_length_is_an_error(payload: Any) -> None:
    with pytest.raises(ServiceError) as error:
        await client(ScriptedFetch(("/paper/batch", payload))).papers([sha(1)])
    assert error.value.kind == "broken"


# Lists


async def test_citations_are_linked_and_bare_abstracts_asked_for_in_one_batch() -> None:
    fetch = ScriptedFetch(
        ("/citations", citing(row(1), row(2, abstract=None), row(3, abstract=None))),
        ("/paper/batch", [row(2, abstract="From the batch 2."), None]),
    )
    got = await client(fetch).citations(HEAD, 100)
    assert [(p.id, p.abstract) for p in got.papers] == [
        ("arXiv:2401.00001", "Abstract 1."),
        ("arXiv:2401.00002", "From the batch 2."),
        ("arXiv:2401.00003", None),
    ]
    assert (got.links[0].citing, got.links[0].cited, got.links[0].kind) == (
        "arXiv:2401.00001",
        HEAD.id,
        "cites",
    )
    assert got.links[0].evidence == f"listed by Semantic Scholar, read {TODAY}"
    assert fetch.asked[0].url == f"{BASE}/paper/{sha(900)}/citations"
    assert fetch.params(0) == {"fields": LINK_FIELDS, "limit": "100"}
    assert fetch.asked[1].body == {"ids": [sha(2), sha(3)]}
    assert (len(fetch.asked), got.total, got.rows_read, got.withheld, got.note) == (
        2,
        3,
        3,
        False,
        "looked at all 3",
    )


async def test_rows_without_an_id_become_unresolved_titles() -> None:
    bare: dict[str, Any] = {
        "paperId": None,
        "externalIds": None,
        "title": "London Math. Soc",
        "year": None,
        "authors": [],
    }
    rows = [row(1), bare, bare, {"paperId": None, "title": None}, None]
    listed = {"offset": 0, "data": [{"citedPaper": r} for r in rows]}
    got = await client(ScriptedFetch(("/references", listed))).references(HEAD, 9)
    assert got.rows_read == 5
    assert [p.id for p in got.papers] == ["arXiv:2401.00001"]
    assert got.note == "looked at all 5; 4 without an id"


@pytest.mark.parametrize(
    ("answer", "total", "withheld"),
    [({"offset": 0, "data": []}, 0, False), (NOT_FOUND, None, False), ({"data": None}, None, True)],
)
async def test_an_empty_list_a_withheld_one_and_an_unknown_paper_are_three_answers(
    answer: Any, total: int | None, withheld: bool
) -> None:
    got = await client(ScriptedFetch(("/references", answer))).references(HEAD, 9)
    assert (got.papers, got.total, got.withheld) == ((), total, withheld)


async def test_the_paper_itself_and_doubles_are_not_in_its_own_list() -> None:
    venue = row(2, externalIds={"DOI": "10.1000/x"}, title=row(1)["title"], abstract=None)
    got = await client(ScriptedFetch(("/citations", citing(row(900), row(1), venue)))).citations(
        HEAD, 9
    )
    assert [p.id for p in got.papers] == ["arXiv:2401.00001"]
    assert len(got.links) == 1


# Text


PDF = "https://x.org/a.pdf"


async def test_arxiv_is_tried_after_the_open_pdf_and_only_once() -> None:
    fetch = ScriptedFetch()
    fetch.pdfs["https://arxiv.org/pdf/2401.00001"] = PdfText(kind="full text", text="All")
    assert (await client(fetch).text(paper("arXiv:2401.00001", open_pdf=PDF))).kind == "full text"
    assert fetch.pdf_asked == [PDF, "https://arxiv.org/pdf/2401.00001"]
    fetch.pdf_asked.clear()
    await client(fetch).text(
        paper("arXiv:2401.00001", open_pdf="http://arxiv.org/pdf/2401.00001v2")
    )
    assert len(fetch.pdf_asked) == 1


async def test_without_a_pdf_the_abstract_is_labelled() -> None:
    fetch = ScriptedFetch()
    fetch.pdfs[PDF] = ServiceError("S", "unreachable", "x.org cannot be reached.")
    got = await client(fetch).text(paper("DOI:10.1000/x", open_pdf=PDF, abstract="Short"))
    assert (got.kind, got.text) == ("abstract", "Short")
    assert got.note == "abstract only: x.org cannot be reached."
    got = await client(fetch).text(paper("DOI:10.1000/x", abstract="Ours", abstract_kind="summary"))
    assert (got.kind, got.note) == ("summary", "summary only: no open PDF is known")


# Many citing papers, and what several papers cite


async def test_the_citing_papers_of_an_old_paper_are_read_by_spans_of_time() -> None:
    old = HEAD.model_copy(update={"year": 2011, "citations": Citations(count=2066)})
    by_span = {
        "2011:2013": citing(row(1, year=2013)),
        "2014:2017": citing(row(2)),
        "2018:": citing(row(3), row(2)),
    }
    fetch = ScriptedFetch(lambda request: by_span[dict(request.params)["publicationDateOrYear"]])
    got = await client(fetch).citations(old, 100)
    assert [p.id for p in got.papers] == [
        "arXiv:2401.00001",
        "arXiv:2401.00002",
        "arXiv:2401.00003",
    ]
    assert (got.rows_read, got.total) == (4, 2066)
    assert {link.cited for link in got.links} == {old.id}


async def test_a_source_asked_from_a_day_on_asks_searches_and_citing_papers_so() -> None:
    old = HEAD.model_copy(update={"year": 2011, "citations": Citations(count=2066)})
    fetch = ScriptedFetch(
        ("/paper/search", {"total": 1, "data": [row(1)]}), ("/citations", citing(row(2)))
    )
    plain = client(fetch)
    source = plain.published_since("2025-11-01")
    await source.search("words", 5)
    await source.citations(old, 100)
    assert [dict(r.params)["publicationDateOrYear"] for r in fetch.asked[:2]] == ["2025-11-01:"] * 2
    await plain.search("words", 5)
    assert "publicationDateOrYear" not in dict(fetch.asked[-1].params)


async def test_what_several_papers_cite_comes_in_one_request_and_unknown_ones_have_no_list() -> (
    None
):
    def answer(request: HttpRequest) -> Any:
        assert dict(request.params)["fields"].startswith("references.")
        listed = {
            "paperId": sha(1),
            "references": [
                row(5, abstract=None),
                row(6),
                {"paperId": None, "title": "No id"},
                row(5),
            ],
        }
        return [listed, None, {"paperId": sha(3), "references": None}]

    fetch = ScriptedFetch(answer)
    papers = [paper(f"S2:{sha(n)}") for n in (1, 2, 3)]
    got = await client(fetch).reference_lists(papers)
    assert got.lists == {papers[0].id: ("arXiv:2401.00005", "arXiv:2401.00006")}
    assert [p.id for p in got.papers] == ["arXiv:2401.00005", "arXiv:2401.00006"]
    assert len(fetch.asked) == 1
    assert fetch.asked[0].url.endswith("/paper/batch")


async def test_what_a_citation_is_for_comes_with_the_list_and_is_quoted_short() -> None:
    long = "We build\x1b[31m on “the” head " + "and on " * 40
    rows = [
        {
            "contexts": [long, long, 7],
            "intents": ["methodology", "unheard of", "result"],
            "citingPaper": row(1),
        },
        {"contexts": [], "intents": [], "citingPaper": row(2)},
        {"contexts": None, "intents": None, "citingPaper": row(3)},
        {"contexts": ["As shown before."], "citingPaper": row(4)},
    ]
    fetch = ScriptedFetch(("/citations", {"offset": 0, "data": rows}))
    got = await client(fetch).citations(HEAD, 10)
    assert len(fetch.asked) == 1
    one, two, three, four = got.links
    assert len(one.contexts) == 1
    listed = f"listed by Semantic Scholar, read {TODAY}"
    assert one.evidence.startswith(
        f"{listed}; cited as method and result: “We build on ‘the’ head and on"
    )
    assert one.evidence.endswith("[...]”")
    assert "\x1b" not in one.evidence
    assert len(one.evidence) < 450
    assert two.evidence == three.evidence == listed
    assert two.contexts == ()
    assert four.evidence == f"{listed}; cited in: “As shown before.”"
