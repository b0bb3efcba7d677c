from typing import Any

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.services.sources.arxiv import SOURCE, Arxiv, parse_atom, to_paper

from .helpers import TODAY, ScriptedFetch

ENTRY = """<entry><id>http://arxiv.org/abs/{id}</id><title>{title}
   on two lines</title><summary>  Some &amp; $x^2$
  more.\n</summary><published>2024-01-02T00:00:00Z</published><updated>2024-02-01T00:00:00Z</updated>
  <author><name>A. Bar</name><arxiv:affiliation>X</arxiv:affiliation></author><author><name> </name></author>
  <arxiv:primary_category term="cs.CL"/><category term="cs.CL"/>
  <link rel="alternate" type="text/html" href="https://arxiv.org/abs/{id}"/>{more}</entry>"""
FULL = (
    '<link rel="related" title="pdf" type="application/pdf" href="https://arxiv.org/pdf/2401.00001"/><arxiv:doi>10.1000/A</arxiv:doi>'
    "<arxiv:comment>9 pages</arxiv:comment><arxiv:journal_ref>J. Inv. 1 (2025)</arxiv:journal_ref>"
)


def feed(*entries: str, total: int | None = None) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"'
        ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><id>x</id><title>arXiv Search Results</title>'
        f"<opensearch:totalResults>{len(entries) if total is None else total}</opensearch:totalResults>"
        f"<opensearch:startIndex>0</opensearch:startIndex>{''.join(entries)}</feed>"
    ).encode()


def entry(id: str = "2401.00001v2", title: str = "Invented", more: str = FULL) -> str:
    return ENTRY.format(id=id, title=title, more=more)


def client(*bodies: bytes) -> tuple[Arxiv, ScriptedFetch]:
    left = [parse_atom(body) for body in bodies]
    fetch = ScriptedFetch(lambda _: left.pop(0) if len(left) > 1 else left[0])
    return Arxiv(fetch, SOURCE.url, today=lambda: TODAY), fetch


def test_a_feed_becomes_data() -> None:
    parsed: Any = parse_atom(feed(entry(), total=214881))
    assert (parsed["total"], len(parsed["entries"])) == ("214881", 1)
    got = to_paper(parsed["entries"][0])
    assert got is not None
    assert (got.id, got.ids, got.title) == (
        "arXiv:2401.00001",
        {"arXiv": "2401.00001", "DOI": "10.1000/a"},
        "Invented on two lines",
    )
    assert (got.year, got.published, got.authors, got.venue) == (
        2024,
        "2024-01-02",
        ("A. Bar",),
        "J. Inv. 1 (2025)",
    )
    assert (got.abstract, got.open_pdf) == (
        "Some & $x^2$ more.",
        "https://arxiv.org/pdf/2401.00001",
    )


def test_what_may_be_missing() -> None:
    parsed: Any = parse_atom(feed(entry("hep-th/9901001v3", more="")))
    got = to_paper(parsed["entries"][0])
    assert got is not None
    assert (got.id, got.open_pdf, got.venue) == (
        "arXiv:hep-th/9901001",
        "https://arxiv.org/pdf/hep-th/9901001",
        None,
    )
    bare: Any = parse_atom(
        feed("<entry><id>http://arxiv.org/abs/2401.00002</id></entry>", "<entry/>")
    )
    assert [to_paper(e) for e in bare["entries"]] == [None, None]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<feed",
        b"<html><body>no</body></html>",
        b"{}",
        b'<!DOCTYPE x [<!ENTITY a "aaaa">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>',
        b'<?xml version="1.0" encoding="nonsense"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
        feed(entry())[:-40],
    ],
)
def test_what_is_no_feed_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):
        parse_atom(body)


async def test_papers_by_id_whatever_the_order_and_version() -> None:
    arxiv, fetch = client(feed(entry("2401.00002v1"), entry("cs/9901002v1")))
    got = await arxiv.papers(
        ["arXiv:cs/9901002", "DOI:10.1/x", "https://arxiv.org/abs/2401.00002v9", "arXiv:2401.00009"]
    )
    assert [p and p.id for p in got] == ["arXiv:cs/9901002", None, "arXiv:2401.00002", None]
    assert fetch.params()["id_list"] == "cs/9901002,2401.00002,2401.00009"


async def test_an_empty_page_that_should_be_full_is_no_answer() -> None:
    with pytest.raises(ServiceError, match="an empty page"):
        await client(feed(total=5))[0].papers(["arXiv:2401.00001"])
