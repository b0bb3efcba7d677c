import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.paper_records import checked_cut, known_by, latest_day
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Citations, Paper
from coi_tui.services.sources.source_fallback import SourcesInOrder
from tests.support.world import MemorySource, make_world

DATES = st.dates()


def test_a_date_means_its_last_day() -> None:
    assert latest_day("2023") == "2023-12-31"
    assert latest_day("2024-02") == "2024-02-31"
    assert latest_day("2024-02-03") == "2024-02-03"
    assert latest_day("2024-02-03T10:00:00Z") == "2024-02-03"
    assert latest_day(2023) == "2023-12-31"
    assert [latest_day(x) for x in ("", None, "soon", "2024-13", "2024-02-30", "0000")] == [
        None
    ] * 6


@given(DATES, DATES)
def test_a_paper_is_known_from_its_day_on(out: object, cut: object) -> None:
    assert known_by(Paper(id="x", title="t", published=str(out)), str(cut)) == (
        str(out) <= str(cut)
    )


@pytest.mark.parametrize("text", ["soon", "2024-13", "24", "2024-1-1"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        checked_cut(text)


@pytest.mark.parametrize("cut", ["2015", "2018-06", "2020-01-31"])
async def test_nothing_later_comes_out_of_a_source(cut: str) -> None:
    world = make_world(3)
    inner = MemorySource(world, finds=lambda _q: list(world.papers))
    source = SourcesInOrder([inner], cut=cut)
    limit = latest_day(cut) or ""

    def out(paper: Paper) -> str:
        return latest_day(paper.published) or ""

    found = await source.search("anything", 20)
    assert found.papers
    assert all(out(p) <= limit for p in found.papers)
    assert all(p.citations == Citations() for p in found.papers)
    seen_later = 0
    for paper in world.papers.values():
        for listed in (await source.citations(paper, 50), await source.references(paper, 50)):
            assert all(out(p) <= limit for p in listed.papers)
            ids = {p.id for p in listed.papers} | {paper.id}
            assert all(link.citing in ids and link.cited in ids for link in listed.links)
        seen_later += "left out" in (await source.citations(paper, 50)).note
    assert seen_later
    answers = dict(zip(world.papers, await source.papers(list(world.papers)), strict=True))
    assert all((answers[i] is not None) == (out(p) <= limit) for i, p in world.papers.items())
    late = next(p for p in world.papers.values() if out(p) > limit)
    assert await source.match(late.title, late.year) is None
