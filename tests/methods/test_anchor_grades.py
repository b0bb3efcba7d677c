"""Candidates for an anchor: which are graded, what the grade decides, and what is said of those that
nobody judged."""

from pathlib import Path
from typing import Any

from coi_tui.methods.coi.candidates import GRADED_TOGETHER, GROWING, to_judge
from coi_tui.model.content import CandidateVerdict
from coi_tui.present.candidate_list import candidates
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, chains
from tests.support.script import HashModel
from tests.support.world import MemorySource, World, make_world

WORLD = make_world(per_year=8)
BOUNDS = ONE.model_copy(update={"length": 1, "forward": 0, "backward": 0})


def desk_with(folder: Path, grade: Any, world: World = WORLD, **bounds: int) -> Desk:
    """A desk whose search finds 30 papers; ``grade`` gives what the model says of a title."""

    def judge(request: ChatRequest) -> dict[str, Any]:
        shown: Any = request.values["candidates"]
        return {
            "verdicts": [
                {"id": c["id"], "reasoning": f"on {c['title']}", "topic": grade(c["title"])}
                for c in shown
            ]
        }

    return Desk.new(
        folder,
        BOUNDS.model_copy(update=bounds),
        HashModel({"coi_relevances": judge}),
        MemorySource(world, finds=lambda _q: WORLD.middle[:30]),
    )


def rows(desk: Desk) -> list[dict[str, Any]]:
    return list(desk.content("1/0.cands")["entries"])


def judged(desk: Desk) -> list[list[str]]:
    """The titles in each call."""
    calls: Any = [request.values["candidates"] for request in desk.model.of("coi_relevances")]
    return [[candidate["title"] for candidate in call] for call in calls]


def test_coi2_the_twelve_that_fit_best_are_graded_in_one_call(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, lambda _title: 2)
    desk.run("anchors")
    assert [len(call) for call in judged(desk)] == [12]
    assert len(rows(desk)) > 12
    assert [row.get("topic") for row in rows(desk)][:13] == [2] * 12 + [None]


def test_coi2_a_few_from_which_a_chain_can_go_on_are_graded_however_they_fit(
    tmp_path: Path,
) -> None:
    plain = desk_with(tmp_path / "a", lambda _title: 1)
    plain.run("anchors")
    growing = [row["paper"] for row in rows(plain)][-2:]
    world = WORLD
    for paper in WORLD.papers.values():
        links = (3, 3) if paper.id in growing else (3, 0)
        world = world.with_paper(paper.model_copy(update={"known_links": links}))
    desk = desk_with(tmp_path / "b", lambda _title: 1, world)
    desk.run("anchors")
    assert [len(call) for call in judged(desk)] == [12, 2]
    assert chains(desk.session).slot("1/0").paper == growing[0], "of one grade they go first"


def test_coi2_the_best_grade_takes_the_place_wherever_the_paper_stood(tmp_path: Path) -> None:
    first = desk_with(tmp_path / "a", lambda _title: 1)
    first.run("anchors")
    order = [WORLD.papers[row["paper"]].title for row in rows(first)]
    desk = desk_with(tmp_path / "b", lambda title: 3 if title == order[11] else 1)
    desk.run("anchors")
    taken = chains(desk.session).slot("1/0")
    assert WORLD.papers[taken.paper or ""].title == order[11]
    assert taken.why["grades"] == "topic 3"
    listed = [WORLD.papers[row["paper"]].title for row in rows(desk)]
    assert listed == [order[11], *order[:11], *order[12:]], "the order used is the order shown"


def test_coi2_papers_judged_not_to_fit_come_last_and_the_others_say_that_nobody_judged_them(
    tmp_path: Path,
) -> None:
    desk = desk_with(tmp_path, lambda _title: 0, anchor_tries=1, judge_limit=4)
    desk.run("anchors")
    assert chains(desk.session).slot("1/0").paper is None
    shown = candidates(desk.state, "1/0").entries
    seen = {title for call in judged(desk) for title in call}
    assert len(seen) == 4
    for entry in shown:
        if entry.title in seen:
            assert entry.flags[0] == "topic 0"
            assert entry.verdict == f"topic 0. on {entry.title}"
            assert entry.why == f"on {entry.title}"
        else:
            assert entry.flags == ("not judged",)
            assert not entry.why
    assert {e.title for e in shown[-4:]} == seen


def test_a_verdict_that_could_not_be_read_is_none() -> None:
    unread = CandidateVerdict(paper="p", unread=True, reasoning="?")
    assert not unread.relevant
    assert not unread.refused
    assert CandidateVerdict(paper="p", topic=0).refused


def test_a_few_papers_from_which_a_chain_can_go_on_are_judged_besides_the_first() -> None:
    papers = list(WORLD.papers.values())[:40]
    growing = [p.model_copy(update={"known_links": (3, 3)}) for p in papers[20:30]]
    ends = [p.model_copy(update={"known_links": (0, 0)}) for p in (*papers[:20], *papers[30:])]
    every = [*ends[:20], *growing, *ends[20:]]
    groups = to_judge(every, 10)
    assert [p.id for group in groups for p in group] == [
        *(p.id for p in every[:10]),
        *(p.id for p in growing[:GROWING]),
    ]
    assert [len(group) for group in groups] == [GRADED_TOGETHER, 10 + GROWING - GRADED_TOGETHER]
