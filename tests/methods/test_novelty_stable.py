"""COI-12: a check after an edit compares again what was compared before, and says what could not be
read."""

from pathlib import Path

import pytest

from coi_tui.methods.evidence.searches import RANKED
from coi_tui.methods.ideas.novelty import Near, compared
from coi_tui.model.content import NoveltyReport
from coi_tui.model.papers import NOT_OWN, Paper
from coi_tui.present.candidate_list import paper_blocks
from tests.support.desk import ONE, Desk
from tests.support.world import MemorySource, World

ALONE = ONE.model_copy(
    update={"length": 1, "forward": 0, "backward": 0, "novelty_hits": 4, "novelty_queries": 1}
)
LONG = "We show in this paper how it works. "
WORDS = ["gates", "sparse", "readers", "wait", "ask", "guess", "plan", "chain"]


def near(n: int, likeness: int, abstract: str = "") -> Paper:
    """A paper that shares so many words with the idea below."""
    text = abstract or LONG * 3 + " ".join(WORDS[:likeness]) + f" rest{n}"
    return Paper(id=f"p{n:02}", title=f"Title {n}", year=2020, abstract=text)


def desk_of(folder: Path, papers: list[Paper], hits: int = 4) -> Desk:
    """A person's idea; every search finds all papers in the order of their ids."""
    world = World({p.id: p for p in papers}, {p.id: () for p in papers}, ())
    bounds = ALONE.model_copy(update={"novelty_hits": hits})
    desk = Desk.new(
        folder, bounds, source=MemorySource(world, finds=lambda _q: sorted(world.papers))
    )
    save(desk, "one")
    return desk


def save(desk: Desk, last: str) -> None:
    edits = desk.edits
    idea = {"title": "Gates", "final": f"{' '.join(WORDS)} {last}."}
    edits.save("1/idea", edits.as_text("1/idea", idea))


def check(desk: Desk) -> NoveltyReport:
    desk.do(desk.planner.to_check("verify", "1/idea"))
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    return report


def test_of_twelve_hits_a_search_the_nearest_are_compared(tmp_path: Path) -> None:
    """The service's order is the other way round."""
    desk = desk_of(tmp_path, [near(n, n // 2) for n in range(14)])
    report = check(desk)
    assert {row.paper for row in report.papers} == {"p08", "p09", "p10", "p11"}
    assert RANKED == 12


def test_after_an_edit_the_same_papers_are_compared_though_other_ones_are_found(
    tmp_path: Path,
) -> None:
    papers = [near(n, 5) for n in range(24)]
    desk = desk_of(tmp_path, papers)
    found = [p.id for p in papers]
    desk.source.finds = lambda _q: found[:12]
    before = check(desk)
    desk.source.finds = lambda _q: found[12:]
    save(desk, "two")
    after = check(desk)
    assert compared(before.papers) <= compared(after.papers)
    new = compared(after.papers) - compared(before.papers)
    assert new
    many = len(before.papers)
    assert f"{many} of {many} papers compared again, {len(new)} new" in after.since


def test_papers_far_from_what_the_idea_has_become_give_way(tmp_path: Path) -> None:
    far = [near(n, 0, "zz yy " * 15 + f"we rest{n}") for n in range(4)]
    others = [near(n, 6) for n in range(10, 50)]
    desk = desk_of(tmp_path, [*far, *others], hits=50)
    desk.source.finds = lambda _q: [p.id for p in far]
    assert compared(check(desk).papers) == {p.id for p in far}
    desk.source.finds = lambda _q: [p.id for p in others]
    save(desk, "two")
    after = compared(check(desk).papers)
    assert len(after) == 16
    assert after.isdisjoint({p.id for p in far})


@pytest.mark.parametrize(
    ("abstract", "own"),
    [
        ("", True),
        ("We present gates. " * 10, True),
        ("Gates drop passages.", False),
        ("Recent systems such as Gates [12] drop passages before they are read, which saves half of the cost of reading in most of the cases that matter here.", False),
        ("Lee et al. propose gates, which drop passages before they are read, and we compare with them on three tasks of reading long texts.", False),
        ("Gates drop passages before a reader sees them and save half of the cost, yet they need labels for each of the texts that are read.", False),
        ("This paper presents gates, which drop passages before a reader sees them and save half of the cost of reading long texts in three tasks.", True),
        ("Long " * 120 + "[3] words.", True),
    ],
)  # fmt: skip
def test_an_abstract_that_is_none_is_recognised(abstract: str, own: bool) -> None:
    paper = Paper(id="x", title="T", abstract=abstract)
    assert paper.own_abstract == own
    headings = [getattr(block, "title", "") for block in paper_blocks(paper)]
    assert any(NOT_OWN in heading for heading in headings) != own


def test_what_is_compared_first_and_how_much() -> None:
    every = [f"p{n:02}" for n in range(20)]
    rival, kept = near(9, 0), ["p05", "p19"]
    alone = Near({}, every)
    assert alone.places(every, 3) == (every, 3)
    order, most = Near({}, every, [rival], kept).places(every, 4)
    # the rival and what is most similar, then what was compared before and is still near
    assert (order[:5], most) == (["p00", "p01", "p09", "p05", "p02"], 4)
    order, most = Near({}, every, [rival], (), ["p12"]).places(every, 16)
    assert (order[:4], most) == (["p00", "p01", "p09", "p12"], 12)
    assert Near({}, every, (), every[:16]).places(every, 16)[1] == 20
    assert alone.places({"p03"}, 3)[0] == ["p03"]
