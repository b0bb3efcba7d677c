"""COI-1 to COI-7: questions, anchors, reading, growing, length and order."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import Side
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.coi.growth import quota, stopped
from coi_tui.methods.coi.tasks import UNDIRECTED
from coi_tui.model.address import slot
from coi_tui.model.papers import Citations, Paper, PaperText
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import FULL, ONE, TOPIC, Desk, chains
from tests.support.script import HashModel, reply_to
from tests.support.world import MemorySource, World, make_world

WORLD = make_world(first=1980, last=2024, per_year=3)


def titles(world: World, ids: Sequence[str]) -> list[str]:
    return [world.papers[i].title for i in ids]


def chain(desk: Desk, branch: int = 1) -> list[Paper]:
    state = desk.state
    return [
        p
        for pos in Chains.of(state).chain(branch)
        if (p := Chains.of(state).paper_in(slot(branch, pos))) is not None
    ]


# -- COI-1


def test_coi1_an_unreadable_list_falls_back_to_the_topic_and_says_so(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, ONE, HashModel({"coi_questions": lambda _: "no list at all"}))
    assert desk.run("questions").state == "done"
    assert desk.content("Q1")["text"] == TOPIC
    assert "could not be read" in desk.content("Q1")["note"]
    assert desk.model.sent == ["coi_questions"] * 2  # one re-ask, no more


# -- COI-2


def test_coi10_without_a_direction_the_idea_is_made_from_the_chain_alone(tmp_path: Path) -> None:
    """The paper's ablation: the rivals are searched for by the question instead."""
    desk = Desk.new(tmp_path, ONE.model_copy(update={"direction": False}))
    desk.finish(desk.planner.to_stage("ideas"))
    state = desk.state
    assert state.in_use("1/dir") is None
    assert state.in_use("1/idea") is not None
    [rivals], [idea] = desk.model.of("coi_rivals"), desk.model.of("sketches")
    assert rivals.values["thought"] == state.value("Q1#text")
    assert idea.values["direction"] == UNDIRECTED
    assert desk.planner.to_stage("ideas").empty


def test_coi2_words_are_rewritten_with_all_failed_ones_until_something_is_found(
    tmp_path: Path,
) -> None:
    source = MemorySource(WORLD, empty=lambda q: not q.endswith("third"))
    words = iter(["query second", "query third"])
    desk = Desk.new(
        tmp_path, ONE, HashModel({"coi_rewrite": lambda _: {"query": next(words)}}), source
    )
    desk.run("anchors")
    question = desk.content("Q1")["text"]
    assert [q for kind, q in source.asked if kind == "search"][1:] == [
        question,
        "query second",
        "query third",
    ]  # after the reading list's
    assert [r.values["failed"] for r in desk.model.of("coi_rewrite")] == [
        [question],
        [question, "query second"],
    ]
    assert [t["hits"] for t in desk.content("1/0.cands")["tries"]][:2] == [0, 0]
    assert chains(desk.session).slot("1/0").paper is not None


def test_coi2_rewriting_ends_at_its_bound_and_nothing_is_invented(tmp_path: Path) -> None:
    bounds = ONE.model_copy(update={"anchor_tries": 4})
    source = MemorySource(WORLD, empty=lambda _q: True)
    desk = Desk.new(tmp_path, bounds, source=source)
    desk.run()
    assert len(source.asked) == 1 + 4  # the reading list's search and the anchor's
    assert len(desk.model.of("coi_rewrite")) == 3
    assert chains(desk.session).slot("1/0").paper is None
    assert "4 searches" in desk.content("1/0.cands")["note"]
    assert not [a for a in desk.state.cells if a.endswith(("card", "idea", "nov"))]


# -- COI-3


def anchored(
    folder: Path, model: HashModel | None = None, bounds: CoiSettings = ONE, **source: Any
) -> Desk:
    """A desk whose only possible anchor is the same middle paper."""
    world = source.pop("world", WORLD)
    return Desk.new(
        folder, bounds, model, MemorySource(world, finds=lambda _q: WORLD.middle[:1], **source)
    )


def only(title: str) -> HashModel:
    """A model to which this paper alone is relevant."""
    return HashModel(
        {"coi_relevance": lambda r: {"reasoning": "r", "relevant": r.values["title"] == title}}
    )


def candidates_of(request: ChatRequest) -> list[dict[str, Any]]:
    """The candidates that a call is to judge together."""
    shown = request.values["candidates"]
    assert isinstance(shown, list)
    return shown


def judged(desk: Desk) -> list[str]:
    """The titles of all papers that the model judged, in order."""
    return [
        str(candidate["title"])
        for request in desk.model.of("coi_relevances")
        for candidate in candidates_of(request)
    ]


def only_anchor(**more: int) -> CoiSettings:
    return ONE.model_copy(update={"length": 1, "forward": 0, "backward": 0, **more})


def test_coi3_a_paper_that_cannot_be_read_is_a_failed_step_with_its_cause_and_no_card(
    tmp_path: Path,
) -> None:
    desk = anchored(
        tmp_path,
        bounds=only_anchor(),
        text_of=lambda p: PaperText(paper=p.id, kind="none", note="closed"),
    )
    outcome = desk.run("ideas")
    assert outcome.state == "failed"
    assert "closed" in outcome.failed["1/0.card"]
    assert "Reject it" in outcome.failed["1/0.card"]
    assert "1/idea" in outcome.blocked
    assert desk.state.in_use("1/0.card") is None


# -- COI-4, COI-5


def test_coi4_the_candidate_is_judged_and_not_the_paper_in_the_chain(tmp_path: Path) -> None:
    """A relevant head and irrelevant candidates: nothing is taken."""
    head = WORLD.papers[WORLD.middle[0]]
    desk = anchored(tmp_path, only(head.title))
    outcome = desk.run("cards")
    assert outcome.state == "done"
    assert judged(desk)[:1] == [head.title], "what the search proposes as the anchor"
    shown = judged(desk)[1:]
    assert shown
    assert head.title not in shown
    assert set(shown) <= set(titles(WORLD, [*WORLD.cites[head.id], *WORLD.cited_by(head.id)]))
    assert chains(desk.session).chain(1) == [0]
    for side in ("forward", "backward"):
        verdicts = desk.content(f"1/{'+1' if side == 'forward' else '-1'}.rel")["verdicts"]
        assert f"none of the {len(verdicts)} free candidates judged fits" in stopped(
            desk.state, 1, side
        )
        assert 3 < len(verdicts) <= ONE.judge_limit
    assert len(desk.model.requests) < len(shown) <= 2 * ONE.judge_limit, "several a call"


def test_coi4_a_place_takes_the_best_sum_of_grades_and_of_equals_the_nearest_of_kin(
    tmp_path: Path,
) -> None:
    """The model sees the end of the line, what the line holds, and each paper once for a place; a
    grade of 0 is never taken."""
    grades = [
        (3, 0),
        (2, 1),
        (1, 2),
        (3, 3),
    ]  # the last is in the next call, for which there is no need

    def judge(request: ChatRequest) -> dict[str, Any]:
        rows = candidates_of(request)
        given = grades if request.values["neighbour"] else [(1, 0)] * 9
        return {
            "verdicts": [
                {"id": c["id"], "reasoning": "r", "topic": t, "kinship": k, "link": "builds on"}
                for c, (t, k) in zip(rows, given, strict=False)
            ]
        }

    desk = anchored(
        tmp_path, HashModel({"coi_relevances": judge}), ONE.model_copy(update={"judge_limit": 5})
    )
    desk.run("cards")
    ranked = [e["paper"] for e in desk.content("1/+1.cands")["entries"]]
    assert chains(desk.session).slot("1/+1").paper == ranked[2]
    assert chains(desk.session).slot("1/+1").why["grades"] == "topic 1, kinship 2: builds on"
    asked = [r.values for r in desk.model.of("coi_relevances") if r.values["neighbour"]]
    assert {str(dict(v["neighbour"])["title"]) for v in asked} <= {p.title for p in chain(desk)}  # type: ignore[call-overload]
    assert any(len(list(v["line"])) > 1 for v in asked)  # type: ignore[call-overload]
    assert len(asked) == len(chain(desk)) - 1, "one call a place"


def test_coi4_papers_that_share_two_references_with_their_neighbour_come_first(
    tmp_path: Path,
) -> None:
    desk = anchored(
        tmp_path,
        bounds=ONE.model_copy(update={"forward": 1, "backward": 0, "length": 2}),
        lists=True,
    )
    desk.run("cards")
    listed = desk.content("1/+1.cands")
    own = set(WORLD.cites[listed["of"]])
    akin = [len(own.intersection(WORLD.cites[e["paper"]])) > 1 for e in listed["entries"]]
    assert len(set(akin)) == 2
    assert akin == sorted(akin, reverse=True)
    asked = [what.split() for kind, what in desk.source.asked if kind == "reference lists"]
    assert sum(papers[0] == listed["of"] for papers in asked) == 1, "one request a place"


def test_coi4_a_candidate_whose_verdict_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    citing = WORLD.cited_by(WORLD.middle[0])

    def judge(request: ChatRequest) -> Any:
        unreadable = request.values["title"] in titles(WORLD, citing[::2])
        return "?" if unreadable else {"reasoning": "r", "relevant": True}

    bounds = ONE.model_copy(update={"forward": 1, "backward": 0, "length": 2})
    desk = anchored(tmp_path, HashModel({"coi_relevance": judge}), bounds)
    assert desk.run("cards").failed == {}
    unread = {v["paper"] for v in desk.content("1/+1.rel")["verdicts"] if v.get("unread")}
    assert unread
    assert unread <= set(citing[::2])
    assert chains(desk.session).slot("1/+1").paper in citing[1::2]


def test_coi5_titles_that_the_card_names_go_first(tmp_path: Path) -> None:
    bounds = ONE.model_copy(update={"forward": 0, "backward": 1, "length": 2})
    plain = anchored(tmp_path / "a", bounds=bounds)
    plain.run("cards")
    last = plain.content("1/-1.cands")["entries"][-1]["paper"]
    assert chains(plain.session).slot("1/-1").paper != last
    named = HashModel(
        {
            "coi_read": lambda r: {
                **reply_to(r),
                "references": ["An unknown title", WORLD.papers[last].title.upper()],
            }
        }
    )
    desk = anchored(
        tmp_path / "b",
        named,
        bounds,
        text_of=lambda p: PaperText(paper=p.id, kind="full text", text="the whole text"),
    )
    desk.run("cards")
    assert chains(desk.session).slot("1/-1").paper == last
    assert chains(desk.session).slot("1/-1").why["by"] == "named by the card"


def milestones(*ids: str) -> World:
    world = WORLD
    for paper in ids:
        world = world.with_paper(
            world.papers[paper].model_copy(update={"citations": Citations(count=1001)})
        )
    return world


def test_coi5_a_milestone_ends_the_chain_backward_once_it_is_long_enough(tmp_path: Path) -> None:
    bounds = ONE.model_copy(update={"backward": 4, "length": 5, "forward": 0})
    everyone = milestones(*WORLD.papers)
    desk = anchored(tmp_path, bounds=bounds, world=everyone)
    desk.run("cards")
    assert chains(desk.session).chain(1) == [
        -2,
        -1,
        0,
        1,
        2,
    ]  # not before the minimum of three; unused places pass on
    assert "milestone (1001 citations, more than 1000" in stopped(desk.state, 1, "backward")
    plain = anchored(tmp_path / "plain", bounds=bounds)
    plain.run("cards")
    assert chains(plain.session).chain(1) == [-4, -3, -2, -1, 0]


# -- COI-6


bounds_strategy = st.builds(
    CoiSettings, length=st.integers(1, 12), forward=st.integers(0, 11), backward=st.integers(0, 11)
)


@settings(max_examples=300)
@given(bounds_strategy, st.integers(0, 11), st.integers(0, 11))
def test_coi6_a_chain_that_grows_by_its_quota_never_passes_its_length(
    bounds: CoiSettings, wants_f: int, wants_b: int
) -> None:
    """Grow both sides wave by wave; each side ends when its literature does."""
    used: dict[Side, int] = {"forward": 0, "backward": 0}
    has: dict[Side, int] = {"forward": wants_f, "backward": wants_b}
    sides: tuple[Side, Side] = ("forward", "backward")
    while True:
        ended = {s: used[s] >= has[s] for s in sides}
        grow = [s for s in sides if not ended[s] and used[s] < quota(bounds, used, ended, s)]
        if not grow:
            break
        used[grow[0]] += 1
    assert 1 + used["forward"] + used["backward"] <= bounds.length
    if 1 + bounds.forward + bounds.backward <= bounds.length:
        for side in sides:
            assert used[side] >= min(
                has[side], bounds.forward if side == "forward" else bounds.backward
            )


# -- COI-7


@settings(max_examples=3)
@given(st.integers(1, 10_000))
def test_coi7_chains_are_in_year_order_and_every_link_is_one_of_the_source(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    world = make_world(seed)
    desk = Desk.new(tmp_path_factory.mktemp("w"), FULL, source=MemorySource(world))
    desk.run("chains")
    seen: list[str] = []
    for branch in (1, 2, 3):
        papers = chain(desk, branch)
        years = [p.year or 0 for p in papers]
        assert years == sorted(years)
        assert all(older.id in world.cites[newer.id] for older, newer in pairwise(papers))
        seen += [p.id for p in papers]
    assert len(seen) == len(set(seen))
    desk.session.close()


def test_coi7_a_paper_of_unknown_year_or_against_the_order_is_not_listed(tmp_path: Path) -> None:
    head = WORLD.papers[WORLD.middle[0]]
    citing = WORLD.cited_by(head.id)
    world = WORLD.with_paper(
        WORLD.papers[citing[0]].model_copy(update={"year": None, "published": None})
    )
    world = world.with_paper(
        world.papers[citing[1]].model_copy(update={"year": 1970, "published": "1970"})
    )
    desk = anchored(tmp_path, world=world)
    desk.run("chains")
    listed = [e["paper"] for e in desk.content("1/+1.cands")["entries"]]
    assert not {citing[0], citing[1]} & set(listed)
