"""The works nearest to a thought: what becomes of titles from memory, which stay, and that no
invented one reaches a text."""

import re
from pathlib import Path
from typing import Any

from coi_tui.methods.ideas.novelty import BESIDE_RIVALS, FAR, UNJUDGED
from coi_tui.methods.ideas.rivals import RUNNERS_UP
from coi_tui.model.content import NoveltyReport, RivalsContent
from coi_tui.present.snapshot import WITH_APPENDIX
from tests.support.desk import Desk, chains, copy_of
from tests.support.world import MemorySource, make_world

WORLD = make_world()
PAPERS = [WORLD.papers[paper_id] for paper_id in WORLD.middle[:6]]
OTHERS = "Zacharias Nobody"
INVENTED = ("Moonlit Tensors of the Seventh Kind", "A Grammar of Forgotten Kettles")


def scripted() -> dict[str, Any]:
    """Four titles as they are, one with other authors, one with its words in another order, and two
    that nobody wrote."""
    words = PAPERS[5].title.split()
    other = [
        (PAPERS[4].title, PAPERS[4].year),
        (" ".join([*words[1:], words[0]]), PAPERS[5].year),
    ]
    named = [
        *((paper.title, paper.year) for paper in PAPERS[:4]),
        *other,
        *((title, 2019) for title in INVENTED),
    ]
    works: list[dict[str, Any]] = [
        {"title": title, "year": year, "same": f"same {n}", "left": f"left {n}"}
        for n, (title, year) in enumerate(named)
    ]
    for work, paper in zip(works, PAPERS, strict=False):
        work["authors"] = list(paper.authors[:2])
    works[4]["authors"] = [OTHERS]
    return {"works": works, "phrases": ["near phrase"]}


def finds(_query: str) -> list[str]:
    """Titles bring up what they name and others; the phrase two further papers."""
    return list(WORLD.middle[4:8])


def rivals(desk: Desk) -> RivalsContent:
    found = desk.state.read("1/rivals", RivalsContent)
    assert found is not None
    return found


def test_works_from_memory_stay_with_what_asking_for_them_came_to(tmp_path: Path) -> None:
    """Whatever the search says: in the rivals, in the prompts that write the idea and the proposal,
    in the report and in what leaves, each with its class."""
    desk = copy_of(tmp_path, "one", "directions")
    desk.model.say["coi_rivals"] = lambda _: scripted()
    desk.source = MemorySource(WORLD, finds=finds)
    desk.run("proposal")
    found = rivals(desk)
    classes = ["found"] * 4 + ["found otherwise"] * 2 + ["not found"] * 2
    assert [work.status for work in found.named] == classes
    assert [work.paper for work in found.named] == [*(paper.id for paper in PAPERS), "", ""]
    own = {slot.paper for slot in chains(desk.session).filled(1)}
    assert not own & {work.paper for work in found.works}, "what the idea is made from is no rival"
    for work in found.works:
        assert bool(work.same) == (work.status in ("found", "not found"))
        if paper := WORLD.papers.get(work.paper):
            assert (work.title, work.year) == (paper.title, paper.year)
            assert work.abstract == paper.abstract
    kept = {work.title for work in found.works if work.status != "searched"}
    assert kept == {paper.title for paper in PAPERS if paper.id not in own} | {*INVENTED}
    assert any(work.status == "searched" for work in found.works), "a search found more"
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    assert {w.paper for w in found.works if w.paper} <= {row.paper for row in report.papers}
    for prompt in ("work_out", "coi_proposal"):
        shown = next(one.user for one in desk.model.requests if one.prompt == prompt)
        for title in INVENTED:
            assert f"{title} (2019), from memory: not found" in shown, prompt
    # the last prompt is the proposal's
    assert re.search(r"From memory: same \d left \d", shown), "no words of the paper's own"
    document = desk.session.document("1/nov")
    texts = [desk.session.exports.text(form, WITH_APPENDIX) for form in ("md", "tex")]
    for title in INVENTED:
        assert "not found" in _after(str(document), title)
        for text in texts:
            assert "not found" in _after(text, title)
    row = next(row for row in desk.session.rows() if row.address == "1/rivals")
    assert "2 titles not found" in str(row)
    table = str(desk.session.document("1/rivals"))
    assert OTHERS in table, "both authors of what was found otherwise are shown"
    assert f"({PAPERS[4].short()})" in table


def _after(text: str, title: str) -> str:
    """What stands right after a title."""
    assert title in text
    return text[text.index(title) :][:200]


def test_the_nearest_works_that_no_search_found_are_asked_what_they_cite(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "directions")
    hits = WORLD.cited_by(WORLD.middle[0])
    desk.source = MemorySource(WORLD, finds=lambda _query: hits, lists=True)
    desk.run("rivals")
    of_hits, further = (
        set(what.split()) for kind, what in desk.source.asked if kind == "reference lists"
    )
    assert of_hits == set(hits)
    assert further, "papers that the hits cite"
    assert further <= {cited for hit in hits for cited in WORLD.cites[hit]} - of_hits
    assert rivals(desk).note == ""


def test_a_check_compares_the_runners_up_before_what_is_merely_similar(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "one", "directions")
    desk.source = MemorySource(WORLD, finds=lambda _query: list(WORLD.papers)[:40])
    desk.run("novelty")
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    compared = {row.paper for row in report.papers if row.verdict != UNJUDGED}
    near = {work.paper for work in rivals(desk).works if work.paper}
    after = rivals(desk).runners_up
    assert len(after) == RUNNERS_UP
    assert near.isdisjoint(after)
    assert near | set(after) <= compared
    assert len(compared) <= BESIDE_RIVALS
    assert any(row.reason == FAR for row in report.papers)
