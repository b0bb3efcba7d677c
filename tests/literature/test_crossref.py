from __future__ import annotations

from typing import Any

import pytest

from coi_tui.literature.crossref import Crossref, abstract_of, to_paper
from coi_tui.literature.types import HttpAnswer
from coi_tui.model.errors import ServiceError

from .helpers import TODAY, ScriptedFetch

GONE = HttpAnswer(status=404)


def item(**more: Any) -> dict[str, Any]:
    return {
        "DOI": "10.1000/Widgets.1",
        "title": ["Sparse &amp; <i>soft</i> widgets"],
        "container-title": ["J. Inv."],
        "subtitle": [],
        "author": [
            {"given": "Ann", "family": "Foo", "sequence": "first"},
            {"name": "The Widget Group"},
            {"family": "Bar"},
        ],
        "issued": {"date-parts": [[2023, 5, 1]]},
        "is-referenced-by-count": 7,
        "abstract": "<jats:title>Abstract</jats:title><jats:p>Widgets &amp; <jats:italic>more</jats:italic>.</jats:p>",
    } | more


def client(answer: Any) -> Crossref:
    return Crossref(ScriptedFetch(lambda _: answer), "https://cr.example.org/", today=lambda: TODAY)


def test_a_full_work() -> None:
    got = to_paper(item(), TODAY)
    assert got is not None
    assert (got.id, got.title, got.venue, got.year, got.published) == (
        "DOI:10.1000/widgets.1",
        "Sparse & soft widgets",
        "J. Inv.",
        2023,
        "2023-05-01",
    )
    assert got.authors == ("Ann Foo", "The Widget Group", "Bar")
    assert (got.abstract, got.citations.count, got.citations.source) == (
        "Widgets & more.",
        7,
        "Crossref",
    )


@pytest.mark.parametrize(
    "field",
    [
        "title",
        "container-title",
        "subtitle",
        "author",
        "issued",
        "is-referenced-by-count",
        "abstract",
    ],
)
def test_any_field_may_be_null_empty_or_odd(field: str) -> None:
    odd: list[Any] = [
        None,
        [],
        {},
        "",
        5,
        [None],
        [[None]],
        {"date-parts": [[None]]},
        {"date-parts": []},
        {"date-parts": None},
        [{}],
    ]
    for value in odd:
        assert to_paper(item(**{field: value}), TODAY) is not None
    missing = item()
    del missing[field]
    assert to_paper(missing, TODAY) is not None


@pytest.mark.parametrize(
    ("parts", "when"),
    [
        ([[2023, 5]], "2023-05"),
        ([[2023, 13, 1]], "2023"),
        ([[None]], None),
        ([[0]], None),
        ([["2023", "4"]], "2023-04"),
    ],
)
def test_dates_are_as_precise_as_they_are(parts: Any, when: str | None) -> None:
    got = to_paper(item(issued={"date-parts": parts}), TODAY)
    assert got is not None
    assert got.published == when


def test_what_has_no_doi_is_no_paper_and_what_is_no_text_no_abstract() -> None:
    assert [to_paper(bad, TODAY) for bad in (None, item(DOI=None), item(DOI="x"))] == [
        None,
        None,
        None,
    ]
    assert [abstract_of(bad) for bad in (None, 5, "", "<jats:p/>")] == [None] * 4


async def test_a_doi_is_asked_for_in_any_form() -> None:
    fetch = ScriptedFetch(lambda _: {"status": "ok", "message": item()})
    crossref = Crossref(fetch, "https://cr.example.org", today=lambda: TODAY)
    for form in ("10.1000/widgets.1", "doi:10.1000/Widgets.1", "https://doi.org/10.1000/widgets.1"):
        assert (await crossref.paper(form)) is not None
    assert {request.url for request in fetch.asked} == {
        "https://cr.example.org/works/10.1000/widgets.1"
    }
    assert await crossref.paper("10.48550/arXiv.2401.00001") is None  # DataCite's
    assert len(fetch.asked) == 3


async def test_unknown_and_broken() -> None:
    assert await client(GONE).paper("10.1000/none") is None
    broken: list[Any] = [{}, [], {"message": []}]
    for bad in broken:
        with pytest.raises(ServiceError):
            await client(bad).paper("10.1000/x")
