"""SciPIP with a scripted model and a source in memory: one test or more for each of its capabilities, SCI-1 to SCI-15."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.engine.steps import Scope
from coi_tui.llm.types import ChatRequest
from coi_tui.methods.scipip.settings import ScipipSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, paths_in, ticking
from tests.support.script import HashModel, Say, shown
from tests.support.world import MemorySource, World

TOPIC = "sleep of glass frogs"
WORDS = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "gneiss", "heath", "islet", "jetty", "karst", "loess")


def frogs() -> World:
    """Twelve papers on sleeping glass frogs, each with a word of its own, the first two the same text; six on slow river ice, and links."""
    papers: dict[str, Paper] = {}
    for n, word in enumerate(WORDS):
        own = WORDS[1] if n == 0 else word
        text = f"Glass frogs sleep near {own} stones. We watch {own} nests of glass frogs. The {own} frogs wake late."
        if n > 5:
            text = f"River ice grows on {own} banks. We measure slow river ice with {own} probes. It melts in spring near sleep."
        papers[f"arXiv:20.{n:02d}"] = Paper(id=f"arXiv:20.{n:02d}", title=f"On {own} studies", year=2015 + n % 5, abstract=text)
    ids = list(papers)
    cites = {ids[n]: tuple(ids[(n + k) % 12] for k in (1, 2, 3)) for n in range(12)}
    return World(papers, cites, tuple(ids))


BACKGROUND = "Glass frogs sleep near stones, and nobody knows why they wake late."
ENTITIES = {"T1": "glass frogs", "T2": "slow river ice", "P1": "wake late"}


def entities(request: ChatRequest) -> dict[str, Any]:
    texts: Any = request.values["texts"]
    return {"entities": [{"text": t["id"], "name": ENTITIES.get(t["id"], "glass frog"), "also": []} for t in texts]}


SAYS: Mapping[str, Say] = {
    "scipip_background": lambda _: {"text": BACKGROUND, "queries": ["glass frogs asleep"]},
    "scipip_entities": entities,
}


def desk_of(folder: Path, say: Mapping[str, Say] | None = None, source: MemorySource | None = None, **settings: Any) -> Desk:
    """A session that begins with SciPIP."""
    folder.mkdir(parents=True, exist_ok=True)
    bounds = ScipipSettings(**{"hits": 6, "together": 2, "picked": 4, "novelty_queries": 1, "novelty_hits": 2, **settings})
    session = Session.create(
        "test", TOPIC, paths=paths_in(folder), settings=Settings(), keys=Keys(), clock=ticking(), method="SciPIP", bounds=bounds
    )  # fmt: skip
    found = source or MemorySource(frogs(), lists=True)
    if source is None:
        found.finds = lambda query: [p for p in frogs().papers if ("ice" in query) == (p >= "arXiv:20.06")]
    return Desk(session, HashModel({**SAYS, **(say or {})}), found)


def run(desk: Desk, until: str = "ideas") -> None:
    outcome = desk.run(until)
    assert outcome.state == "done", (outcome, desk.session.core.failed)


def prompts_shown(desk: Desk, prompt: str) -> Mapping[str, Any]:
    (request,) = desk.model.of(prompt)
    return request.values


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    run(desk)
    return desk


# -- retrieval ----------------------------------------------------------------------------------------------------------


def test_sci_1_records_are_the_cards_of_the_papers_picked_and_say_so_where_one_cannot_be_read(tmp_path: Path) -> None:
    source = MemorySource(frogs(), lists=True)
    gone: list[str] = []

    def text_of(paper: Paper) -> PaperText:
        gone[:] = gone or [paper.id]
        return PaperText(paper=paper.id, kind="none" if paper.id in gone else "abstract", text=paper.abstract or "")

    source.text_of = text_of
    desk = desk_of(tmp_path, source=source)
    run(desk)
    rows = desk.content("S1/records")["papers"]
    assert [row["paper"] for row in rows] == desk.content("S1/retrieved")["picked"]
    unread = [row["paper"] for row in rows if row.get("unread")]
    assert unread == gone
    assert all(row["background"] for row in rows if not row.get("unread"))
    assert len(prompts_shown(desk, "scipip_problem")["papers"]) == len(rows) - 1


def test_sci_1_a_paper_that_a_chain_has_read_is_not_read_again(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL, HashModel())
    assert desk.run("cards").state == "done"
    assert desk.session.decisions.add_method("SciPIP", {"picked": 20}) == "S1"
    assert asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="S1")))).state == "done"
    read = [request.values["title"] for request in desk.model.of("coi_read")]
    chain = {desk.session.state.papers[s.paper].title for s in desk.session.state.slots.values() if s.paper}
    picked = {row["title"] for row in desk.content("S1/records")["papers"]}
    assert chain & picked, "the two methods have papers in common"
    assert len(read) == len(set(read))


def test_sci_2_the_nearest_papers_come_first_up_to_the_bound(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, nearest=4)
    run(desk, "entities")
    rows = desk.content("S1/nearest")["papers"]
    assert len(rows) == 4
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert all(row["paper"] < "arXiv:20.06" for row in rows), "none on river ice"
    assert ScipipSettings().nearest == 55


def test_sci_3_entities_of_background_papers_and_brainstorm_with_synonyms_joined(desk: Desk) -> None:
    rows = {row["name"]: row for row in desk.content("S1/entities")["entities"]}
    assert rows["glass frogs"]["of"][0] == "background"
    assert len(rows["glass frogs"]["of"]) > 1, "the papers' spelling in the singular was joined"
    assert rows["slow river ice"]["of"] == ["brainstorm"]


def test_sci_3_no_more_than_ten_entities_come_from_the_brainstorm_and_five_from_another_text(tmp_path: Path) -> None:
    def many(request: ChatRequest) -> dict[str, Any]:
        names = [(label, f"{word} {label}x") for label in ("T1", "T2") for word in WORDS]
        return {"entities": [{"text": label, "name": name} for label, name in names] + [{"text": "T1", "name": "one"}]}

    desk = desk_of(tmp_path, {"scipip_entities": many})
    run(desk, "entities")
    content = desk.content("S1/entities")
    of = [row["of"] for row in content["entities"]]
    assert (of.count(["background"]), of.count(["brainstorm"])) == (5, 10)
    assert content["dropped"] == 1


def test_sci_4_and_5_papers_by_entities_with_their_neighbours_the_rarest_first(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, mode="B", together=3, entity_searches=0)
    run(desk, "retrieval")
    found = desk.content("S1/retrieved")
    assert "glass frogs" in found["entities"]
    assert found["neighbours"], "what stands in more than three papers with an entity"
    strict = desk_of(tmp_path / "strict", mode="B", together=12, entity_searches=0)
    run(strict, "retrieval")
    assert strict.content("S1/retrieved")["neighbours"] == []


def test_sci_5_searches_for_single_entities_are_bounded_and_told_in_the_plan(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, entity_searches=2)
    plan = desk.session.planner.to_stage("retrieval")
    assert max(line.cost.searches[1] for line in plan.lines if "retrieved" in line.what) == 4
    run(desk, "retrieval")
    tries = [row["query"] for row in desk.content("S1/retrieved")["tries"]]
    assert len(tries) == 2
    assert len([1 for kind, _ in desk.source.asked if kind == "search"]) == len(tries) + 2  # the reading list and the background


def test_sci_6_co_citation_brings_papers_that_no_other_route_did(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, nearest=2, entity_budget=2, entity_searches=0)
    run(desk, "retrieval")
    found = {row["paper"]: row["routes"] for row in desk.content("S1/retrieved")["papers"]}
    brought = [paper for paper, routes in found.items() if set(routes) == {"co-citation"}]
    assert brought
    assert len(brought) <= len(found) - len(brought), "one for each paper at most"
    assert ScipipSettings().co_cited == 1


def test_sci_6_where_citations_cannot_be_had_the_other_routes_stand_and_a_note_says_so(tmp_path: Path) -> None:
    source = MemorySource(frogs(), lists=True, fails=lambda what: what.startswith("arXiv"))
    desk = desk_of(tmp_path, source=source, nearest=2, entity_budget=2, entity_searches=0)
    run(desk, "retrieval")
    found = desk.content("S1/retrieved")
    assert found["picked"]
    assert "not complete" in found["note"]


def test_sci_7_and_9_scores_reach_one_and_the_picks_are_sorted_and_the_same_every_time(desk: Desk, tmp_path: Path) -> None:
    found = desk.content("S1/retrieved")
    scores = [row["score"] for row in found["papers"]]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    order = [row["paper"] for row in found["papers"]]
    assert [order.index(paper) for paper in found["picked"]] == sorted(order.index(paper) for paper in found["picked"])
    again = desk_of(tmp_path / "again")
    run(again)
    assert again.content("S1/retrieved") == found


def test_sci_8_papers_of_one_text_share_a_cluster_and_give_one_pick(desk: Desk) -> None:
    found = desk.content("S1/retrieved")
    assert ["arXiv:20.00", "arXiv:20.01"] in found["clusters"]
    assert len({"arXiv:20.00", "arXiv:20.01"} & set(found["picked"])) == 1
    desk.session.edits.save("S1/choice", choice(apart="arXiv:20.00"))
    assert "S1/retrieved" in desk.marks()["stale"]
    desk.refresh(["S1/retrieved"])
    assert desk.content("S1/retrieved")["clusters"] == []


# -- ideas --------------------------------------------------------------------------------------------------------------


def test_sci_10_mode_a_uses_papers_only_and_the_filter_leaves_the_text_as_it_is(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, mode="A")
    run(desk)
    assert "scipip_brainstorm" not in desk.model.sent
    first, filtered = desk.content("S1/first")["ideas"], desk.content("S1/filtered")
    assert len(first) == 10
    assert len(filtered["kept"]) == 6
    assert [row["name"] for row in filtered["dropped"]] == [text for text in first if text not in filtered["kept"]]
    assert all(row["description"] for row in filtered["dropped"])
    assert prompts_shown(desk, "scipip_improve")["count"] == 3
    assert "S1/brainstorm" not in {row.address for row in desk.session.queries.rows()}


def test_sci_10_an_idea_without_a_verdict_goes_and_that_is_said(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, {"scipip_filter": lambda r: {"judged": [{"id": "I2", "reason": "good", "keep": True}]}})
    run(desk)
    filtered = desk.content("S1/filtered")
    assert filtered["kept"] == desk.content("S1/first")["ideas"][1:2]
    assert {row["description"] for row in filtered["dropped"]} == {"the model gave no verdict on it"}
    assert {row.address for row in desk.session.queries.rows()} >= {"S1/1/idea"}


def test_sci_10_an_idea_says_what_it_was_made_from(desk: Desk) -> None:
    idea = desk.content("S1/1/idea")
    assert desk.content("S1/filtered")["kept"][0] in idea["origin"]
    assert {"title", "motivation", "novelty", "contributions", "method", "final"} <= idea.keys()


def test_sci_11_mode_b_merges_the_brainstorm_before_the_filter_and_does_not_search_with_it(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, mode="B")
    run(desk)
    assert prompts_shown(desk, "scipip_brainstorm") == {"background": BACKGROUND}
    labels = [idea["id"] for idea in prompts_shown(desk, "scipip_filter")["ideas"]]
    assert labels == [*(f"I{n}" for n in range(1, 11)), *(f"B{n}" for n in range(1, 5))]
    assert "T2" not in [text["id"] for text in prompts_shown(desk, "scipip_entities")["texts"]]


def test_sci_12_mode_c_is_the_default_and_the_brainstorm_steers_the_search(desk: Desk, tmp_path: Path) -> None:
    assert ScipipSettings().mode == "C"
    assert any("ice" in query for kind, query in desk.source.asked if kind == "search")
    plain = desk_of(tmp_path / "b", mode="B")
    run(plain)
    by = {mode: {row["paper"] for row in d.content("S1/retrieved")["papers"]} for mode, d in (("C", desk), ("B", plain))}
    assert by["C"] > by["B"]


def test_sci_13_inspirations_papers_that_suggest_nothing_are_dropped_and_shown(tmp_path: Path) -> None:
    said = iter(("None", "think of moss", None, "think of sand"))
    desk = desk_of(tmp_path, {"scipip_inspiration": lambda _: {"inspiration": next(said)}}, path="inspiration")
    run(desk)
    rows = desk.content("S1/inspired")["papers"]
    assert len(rows) == 4
    assert sorted(row["inspiration"] for row in rows) == ["", "", "think of moss", "think of sand"]
    assert len(prompts_shown(desk, "scipip_inspired_ideas")["inspirations"]) == 2
    assert {"scipip_problem", "scipip_filter"} & set(desk.model.sent) == set()
    merged = [idea["id"] for idea in prompts_shown(desk, "scipip_improve")["ideas"]]
    assert [label[0] for label in merged] == ["I"] * 3 + ["B"] * 4


def test_sci_13_late_inspirations_are_waited_for_and_none_is_lost(tmp_path: Path) -> None:
    """The published code joins its threads with a limit and drops what comes later without a word."""
    desk = desk_of(tmp_path, path="inspiration")
    late = {"n": 0}

    def delay(request: ChatRequest) -> float:
        late["n"] += request.prompt == "scipip_inspiration"
        return 0.05 * (request.prompt == "scipip_inspiration" and late["n"] % 2)

    desk.model.delay = delay
    run(desk)
    rows = desk.content("S1/inspired")["papers"]
    assert [row["paper"] for row in rows] == desk.content("S1/retrieved")["picked"]
    assert all(row["inspiration"] for row in rows)


def test_sci_13_what_was_answered_is_kept_when_one_call_fails_and_only_that_is_asked_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def say(request: ChatRequest) -> Any:
        asked.append(shown(request))
        if len(asked) == 2:
            raise ServiceError("model", "server", "The model did not answer.")
        return {"inspiration": f"think {shown(request)}"}

    desk = desk_of(tmp_path, {"scipip_inspiration": say}, path="inspiration")
    desk.run("ideas")
    assert "S1/inspired" in desk.session.core.failed
    assert desk.session.state.in_use("S1/inspired") is None
    before = len(asked)
    run(desk)
    assert len(asked) == before + 1
    assert len(desk.content("S1/inspired")["papers"]) == 4


def test_sci_15_a_background_that_was_worked_on_comes_back_and_nothing_is_asked_again(desk: Desk) -> None:
    before, sent = desk.contents(), len(desk.model.sent)
    desk.session.edits.save("S1/background", "## text\nWhy do tree frogs sing?\n\n## queries\n- tree frogs\n")
    assert "S1/problem" in desk.marks()["stale"] | desk.marks().get("upstream", set())
    desk.refresh()
    assert len(desk.model.sent) > sent
    sent = len(desk.model.sent)
    desk.session.edits.save("S1/background", f"## text\n{BACKGROUND}\n\n## queries\n- glass frogs asleep\n")
    assert {a: c for a, c in desk.contents().items() if a.startswith("S1/")} == {a: c for a, c in before.items() if a.startswith("S1/")}
    run(desk)
    assert len(desk.model.sent) == sent


# -- what a person decides ------------------------------------------------------------------------------------------------


def choice(**fields: str) -> str:
    """The text of the row of choices with one line in each field given."""
    names = ("entities_off", "papers_off", "pinned", "apart")
    return "\n\n".join(f"## {name}\n" + (f"- {fields[name]}" if name in fields else "") for name in names) + "\n"


def test_an_entity_that_is_switched_off_is_not_searched_with(desk: Desk) -> None:
    assert "slow river ice" in desk.content("S1/retrieved")["entities"]
    desk.session.edits.save("S1/choice", choice(entities_off="slow river ice"))
    assert "S1/retrieved" in desk.marks()["stale"]
    desk.refresh()
    assert "slow river ice" not in desk.content("S1/retrieved")["entities"]
    sent = len(desk.model.sent)
    desk.session.undo_stack.undo()
    assert "slow river ice" in desk.content("S1/retrieved")["entities"]
    assert len(desk.model.sent) == sent


def test_a_paper_is_unticked_and_another_pinned(desk: Desk) -> None:
    first = desk.content("S1/retrieved")["picked"][0]
    pinned = next(row for row in reversed(desk.content("S1/retrieved")["papers"]))
    desk.session.edits.save("S1/choice", choice(papers_off=first, pinned=pinned["title"]))
    desk.refresh(["S1/retrieved"])
    found = desk.content("S1/retrieved")
    assert first not in found["picked"]
    assert found["picked"][0] == pinned["paper"]
    assert next(row for row in found["papers"] if row["paper"] == first)["left_out"] == "unticked by you"


def test_an_edit_of_the_problem_makes_only_what_follows_stale(desk: Desk) -> None:
    desk.session.edits.save("S1/problem", "## text\nMy own problem.\n\n## reasons\n- mine\n")
    marks = {a for found in desk.marks().values() for a in found}
    assert {"S1/first", "S1/filtered", "S1/improved", "S1/1/idea"} <= marks
    assert not {"S1/records", "S1/retrieved", "S1/brainstorm", "S1/background"} & marks
    run(desk)
    desk.refresh()
    assert desk.model.of("scipip_ideas")[-1].values["problem"] == "My own problem."


def test_an_edit_of_one_improved_idea_touches_that_branch_alone(desk: Desk) -> None:
    text = desk.session.edits.text_of("S1/improved")
    desk.session.edits.save("S1/improved", text.replace("## idea2\n", "## idea2\nMine: "))
    assert desk.marks()["stale"] == {"S1/2/idea"}


def test_the_person_says_which_ideas_stay(desk: Desk) -> None:
    gone = desk.content("S1/filtered")["dropped"][0]["name"]
    desk.session.edits.save("S1/filtered", f"## kept\n- {gone}\n\n## dropped\n")
    desk.refresh()
    asked: Any = desk.model.of("scipip_improve")[-1].values
    assert [idea["text"] for idea in asked["ideas"]] == [gone]


# -- its ideas are ideas like any other ---------------------------------------------------------------------------------


def test_ideas_meet_novelty_arena_experiment_review_and_export(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "review")
    addresses = {row.address for row in desk.session.queries.rows()}
    assert {"S1/1/idea", "S1/1/nov", "A/S1/1-S1/2"} <= addresses
    text = desk.session.exports.text("md")
    assert "## Background" in text
    assert "The papers that the ideas come from" in text
    assert "scipip_detail" in " ".join(desk.session.queries.why("S1/1/idea"))
    assert "S1/records" in " ".join(desk.session.queries.why("S1/1/idea"))
    again = desk.reopen()
    assert again.session.verify() == []
    assert {row.address for row in again.session.queries.rows()} == addresses


def test_ideas_of_a_chain_and_of_scipip_meet_in_one_arena_and_the_reading_list_is_not_searched_again(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL, HashModel(SAYS))
    assert desk.run("novelty").state == "done"
    searches = list(desk.source.asked)
    assert desk.session.decisions.add_method("SciPIP", {"picked": 3}) == "S1"
    assert asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="S1")))).state == "done"
    assert asyncio.run(desk.go(desk.session.planner.to_make(["A/1-S1/1"], "Match"))).state == "done"
    assert desk.content("A/1-S1/1")["second"] == "S1/1"
    new = desk.source.asked[len(searches) :]
    assert ("search", desk.session.state.value("topic#text")) not in new


def test_tables_are_shown_of_papers_entities_and_records(desk: Desk) -> None:
    for address in ("S1/nearest", "S1/entities", "S1/retrieved", "S1/records"):
        kind = desk.methods.kind(address)
        assert kind is not None
        assert kind.shown is not None
        view = kind.shown(desk.session.state, address)
        assert view.rows, address  # type: ignore[union-attr]
        assert desk.session.queries.detail(address).title


def test_the_mode_cannot_be_something_else(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mode"):
        ScipipSettings.model_validate({"mode": "D"})


async def test_the_workbench_shows_the_rows_and_an_entity_is_switched_off_there(tmp_path: Path) -> None:
    from coi_tui.screens.views.content_screen import ContentScreen
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from tests.ui.helpers import places, trip

    session = Session.create("frogs", TOPIC, paths=places(tmp_path), settings=Settings(), keys=Keys(), clock=ticking(), method="SciPIP")
    desk = desk_of(tmp_path / "other")
    desk.session.close()
    desk.session = session
    assert (await desk.go(session.planner.to_stage("ideas"))).state == "done"
    session.close()
    async with trip(tmp_path, (80, 24), session="frogs") as t:
        await t.on(WorkbenchScreen)
        assert "SciPIP" in t.lines[0]
        await t.go("S1/entities")
        await t.press("enter")
        await t.on(ContentScreen)
        await t.until(lambda: "slow river ice" in t.text, "the entities")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        t.bench.session.edits.save("S1/choice", choice(entities_off="slow river ice"))
        await t.until(lambda: t.bench.session.core.freshness("S1/retrieved").status == "stale", "the stale mark")
        await t.go("S1/choice")
        await t.idle()
        assert "slow river ice" in t.text
        assert "PINNED" not in t.text.upper()
        assert {row.address: row.title for row in t.bench.session.queries.rows()}["S1/choice"] == "1 off"
