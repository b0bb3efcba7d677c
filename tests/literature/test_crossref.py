"""Crossref: records by DOI, works by title, and titles that are looked up there last."""

from typing import Any

import pytest

from coi_tui.methods.evidence.cards import look_up, named_line
from coi_tui.model.content import NamedWork
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.services.sources.crossref import SOURCE, Crossref, to_paper
from coi_tui.services.sources.source_fallback import SourcesInOrder

from .helpers import TODAY, ScriptedFetch, Shelf, paper

WORK: dict[str, Any] = {  # the shape of recorded answers
    "DOI": "10.1371/JOURNAL.pone.0033693",
    "title": ["Gated Minds"],
    "subtitle": ["How <i>gates</i> weigh evidence"],
    "author": [{"given": "Ada", "family": "Bar", "sequence": "first"}, {"name": "The Group"}],
    "issued": {"date-parts": [[2012, 3, 21]]},
    "container-title": ["PLoS ONE"],
    "abstract": "<jats:p>Gates weigh.</jats:p>",
    "is-referenced-by-count": 7,
    "type": "journal-article",
}
TITLE = "Gated Minds: How gates weigh evidence"


def works(*items: object) -> dict[str, Any]:
    return {"status": "ok", "message": {"total-results": len(items), "items": list(items)}}


def registry(*items: object, fails: Exception | None = None) -> tuple[Crossref, ScriptedFetch]:
    fetch = ScriptedFetch(("/works", fails or works(*items)))
    return Crossref(fetch, SOURCE.url, today=lambda: TODAY), fetch


def works_named(*pairs: tuple[str, int]) -> list[NamedWork]:
    return [NamedWork(title=title, year=year) for title, year in pairs]


DOWN = ServiceError("Shelf", "unreachable", "Shelf is down.")


def test_a_work_becomes_a_paper() -> None:
    got = to_paper(WORK, TODAY)
    assert got is not None
    assert (got.id, got.title) == ("DOI:10.1371/journal.pone.0033693", TITLE)
    assert (got.year, got.published, got.venue) == (2012, "2012-03-21", "PLoS ONE")
    assert (got.authors, got.abstract) == (("Ada Bar", "The Group"), "Gates weigh.")
    assert (got.citations.count, got.citations.read) == (7, TODAY)


@pytest.mark.parametrize(
    "issued",
    [
        None,
        {},
        {"date-parts": None},
        {"date-parts": []},
        {"date-parts": [None]},
        {"date-parts": [[None]]},
    ],
)
def test_parts_of_a_work_may_be_missing_or_odd(issued: object) -> None:
    odd = {"title": ["Bare", "second"], "subtitle": [""], "author": [None, {}], "issued": issued}
    got = to_paper({"DOI": "10.1000/x", **odd, "container-title": None}, TODAY)
    assert got is not None
    assert (got.title, got.year, got.authors, got.abstract) == ("Bare", None, (), None)
    assert to_paper({**WORK, "title": []}, TODAY) is None
    assert to_paper({**WORK, "DOI": None}, TODAY) is None
    assert to_paper("text", TODAY) is None


OWN, NOTICE = "10.1371/journal.pone.0033693", "10.1371/notice"


def update(kind: str, doi: object, *date: int, source: str = "publisher") -> dict[str, Any]:
    """An entry as the service lists it."""
    return {"DOI": doi, "type": kind, "source": source, "updated": {"date-parts": [list(date)]}}


@pytest.mark.parametrize(
    ("fields", "notices", "retracted"),
    [
        ({}, (), False),
        (
            {
                "updated-by": [
                    update("correction", NOTICE, 2013, 2, 1),
                    update("retraction", "10.1371/gone", 2014),
                    update("retraction", "10.1371/gone", 2015, source="retraction-watch"),
                ]
            },
            (f"correction 2013-02-01 DOI:{NOTICE}", "retraction 2014 DOI:10.1371/gone"),
            True,
        ),
        (
            {"updated-by": [update("expression_of_concern", NOTICE)]},
            (f"expression of concern DOI:{NOTICE}",),
            False,
        ),
        (
            {"update-to": [update("retraction", "10.1371/x", 2014)]},
            ("a notice of retraction 2014 DOI:10.1371/x",),
            False,
        ),
        (
            {"update-to": [update("withdrawal", OWN.upper(), 2014)]},
            (f"withdrawal 2014 DOI:{OWN}",),
            True,
        ),
        ({"updated-by": [None, {}, "x", {"DOI": NOTICE}, update("", NOTICE, 2014)]}, (), False),
        ({"updated-by": [update("retraction", None)]}, ("retraction",), True),
        ({"updated-by": {"type": "retraction"}, "update-to": None}, (), False),
        ({"title": ["RETRACTED ARTICLE: Gated Minds"]}, ("retracted, as its title says",), True),
        ({"title": ["[Retracted] Gated Minds"]}, ("retracted, as its title says",), True),
    ],
)
def test_notices_stand_beside_a_paper_whose_title_is_its_own(
    fields: dict[str, Any], notices: tuple[str, ...], retracted: bool
) -> None:
    got = to_paper({**WORK, **fields}, TODAY)
    assert got is not None
    assert (got.title, got.notices, got.retracted) == (TITLE, notices, retracted)


@pytest.mark.parametrize("title", ["Retracted papers: a study", "Withdrawn", "Retraction of claws"])
def test_a_title_about_retractions_is_a_title(title: str) -> None:
    got = to_paper({**WORK, "title": [title], "subtitle": []}, TODAY)
    assert got is not None
    assert (got.title, got.notices) == (title, ())


async def test_notices_are_asked_of_registries_by_doi_once_each() -> None:
    gone = {**WORK, "updated-by": [update("retraction", NOTICE, 2014)]}
    fetch = ScriptedFetch(
        ("0033693", {"message": gone}), ("/fine", {"message": {**WORK, "DOI": "10.1371/fine"}})
    )
    source = SourcesInOrder(
        [Shelf("Shelf")], None, "", [Crossref(fetch, SOURCE.url, today=lambda: TODAY)]
    )
    papers = [
        Paper(id="arXiv:2401.00001", ids={"DOI": OWN}, title="One"),
        Paper(id="DOI:10.1371/fine", title="Two"),
        Paper(id="arXiv:2401.00002", title="Three"),
    ]
    (found,) = await source.noticed([*papers, papers[0]])
    assert (found.id, found.title, found.retracted) == (papers[0].id, "One", True)
    assert len(fetch.asked) == 2
    assert fill_missing(papers[0], found).retracted
    corrected = papers[0].model_copy(update={"notices": ("correction 2013",)})
    assert fill_missing(corrected, found).notices == ("correction 2013", *found.notices)


async def test_a_title_that_the_source_lacks_is_asked_for_once() -> None:
    crossref, fetch = registry(WORK)
    source = SourcesInOrder(
        [Shelf("Shelf", paper("a", "Kettles that forget", year=2020))], None, "", [crossref]
    )
    named = works_named(
        ("Kettles that forget", 2020), (TITLE, 2012), (TITLE, 1999), ("Moonlit Tensors", 2019)
    )
    found = await look_up(source, named, [])
    assert [one.status for one, _ in found] == ["found", "found", "found otherwise", "not found"]
    assert [paper and paper.year for _, paper in found] == [2020, 2012, 2012, None]
    asked = [dict(r.params)["query.bibliographic"] for r in fetch.asked]
    assert asked == [one.title for one in named[1:]]
    assert all(name in found[3][0].note for name in ("Shelf", "Crossref", TODAY))


@pytest.mark.parametrize(
    ("authors", "status"),
    [
        ((), "found"),
        (("A. Bár",), "found"),
        (("Bar, Ada", "Foo, B."), "found"),
        (("Bar Ada",), "found"),
        (("Bar et al.",), "found"),
        (("Foo et al.",), "found otherwise"),
        (("Bo Foo", "Cy Dee"), "found otherwise"),
        (("Zed Bar",), "found otherwise"),
    ],
)
async def test_other_authors_than_the_record_has_make_it_found_otherwise(
    authors: tuple[str, ...], status: str
) -> None:
    crossref, _ = registry(WORK)
    for source in (
        SourcesInOrder([Shelf("Shelf")], None, "", [crossref]),
        Shelf("Shelf", paper("a", TITLE, year=2012, authors=("Ada Bar", "The Group"))),
    ):
        work = NamedWork(title=TITLE, year=2012, authors=list(authors))
        ((found, meant),) = await look_up(source, [work], [])
        assert meant is not None
        assert (found.status, found.paper, found.note) == (status, meant.id, "")
        line = named_line({meant.id: meant}, found)
        assert ("Bar et al. 2012" in line) == (status == "found otherwise")
        assert all(name in line for name in authors)


async def test_no_answer_is_no_class() -> None:
    down = ServiceError("Crossref", "offline", "This session works offline.")
    crossref, _ = registry(fails=down)
    shelf = Shelf("Shelf", paper("a", "Kettles that forget much", year=2020))
    source = SourcesInOrder([shelf], None, "", [crossref])
    named = works_named(("Kettles that much forget", 2020), ("Moonlit Tensors", 2019))
    (other, _), (none, _) = await look_up(source, named, [])
    assert other.status == "found otherwise"
    assert (none.status, none.note) == ("not asked", down.message)
    ((none, _),) = await look_up(SourcesInOrder([Shelf("Shelf", error=DOWN)]), named[1:], [])
    assert none.status == "not asked"
