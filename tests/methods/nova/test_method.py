"""Nova with a scripted model and a source in memory: one test or more for each of its capabilities
up to the seeds."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.nova import NovaSettings
from coi_tui.methods.nova.kinds import THEORIES
from coi_tui.methods.nova.seeds import current
from coi_tui.methods.nova.tasks import popular
from coi_tui.model.papers import Citations, Paper
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import SMALL, Desk, chains, run
from tests.support.script import HashModel, Say
from tests.support.world import MemorySource, make_world

TOPIC = "sleep of glass frogs"


def desk_of(
    folder: Path,
    say: Mapping[str, Say] | None = None,
    source: MemorySource | None = None,
    **settings: Any,
) -> Desk:
    """A session that begins with Nova: two seeds, two new ones each, two lines a plan, two papers a
    line."""
    small = {
        "seeds": 2,
        "each": 2,
        "lines": 2,
        "papers": 2,
        "drafts": 6,
    }
    bounds = NovaSettings(**{**small, "novelty_queries": 1, "novelty_hits": 2, **settings})
    return Desk.new(
        folder,
        bounds,
        HashModel(say or {}),
        source or MemorySource(make_world(), lists=True),
        topic=TOPIC,
        method="Nova",
    )


def addresses(desk: Desk, begin: str) -> list[str]:
    """The rows of the tree whose addresses begin so, in its order."""
    return [row.address for row in desk.session.rows() if row.address.startswith(begin)]


def stale(desk: Desk) -> set[str]:
    """Every cell that is not up to date."""
    return {address for found in desk.marks().values() for address in found}


def plan_text(*lines: str) -> str:
    return "\n".join(f"- {line}" for line in lines) + "\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    run(desk, "round-1")
    return desk


# -- the first seeds


def test_nova_1_seeds_come_from_three_sources_and_keep_source_theory_and_thinking(
    desk: Desk,
) -> None:
    content = desk.content("N1/drafts")
    drafts = content["drafts"]
    assert Counter(draft["source"] for draft in drafts) == dict.fromkeys(
        ("theories", "trends", "shortcomings"), 2
    )
    led = {draft["theory"] for draft in drafts if draft["source"] == "theories"}
    assert led == {theory.name for theory in THEORIES[:2]}
    assert not any(draft["theory"] for draft in drafts if draft["source"] != "theories")
    seed = desk.content("N1/seed1")
    told = ("source", "theory", "thinking")
    assert [seed[name] for name in told] == [drafts[0][name] for name in told]
    gap = desk.model.of("nova_gap_ideas")[0].values
    assert len(gap["papers"]) == 3  # type: ignore[arg-type]


def test_nova_1_recent_papers_are_ranked_by_citations_a_year() -> None:
    cited = {"old": (2019, 900), "steady": (2022, 90), "hot": (2024, 60), "new": (2024, None)}
    papers = [
        Paper(id=f"arXiv:{name}", title=name, year=year, citations=Citations(count=count))
        for name, (year, count) in cited.items()
    ]
    ranked = [(row["paper"][6:], row["velocity"]) for row in popular(papers)]
    assert ranked == [("hot", 60.0), ("steady", 30.0), ("new", 0.0)]


def test_nova_2_theories_that_are_left_out_are_not_offered_and_a_theory_that_there_is_not_is_not_named(
    tmp_path: Path,
) -> None:
    def say(request: ChatRequest) -> Any:
        idea = {"thinking": "moss", "title": "moss", "text": "Moss grows."}
        return {"ideas": [{**idea, "theory": n} for n in ("theory 7: a name", "99")]}

    desk = desk_of(tmp_path, {"nova_theory_ideas": say})
    desk.edits.save(
        "N1/choice", "## target\n\n## off\n" + "".join(f"- {n}\n" for n in (1, 2, 5, 6, 8, 9, 10))
    )
    run(desk, "drafts")
    offered: Any = desk.model.of("nova_theory_ideas")[0].values["theories"]
    assert [theory["number"] for theory in offered] == ["3", "4", "7"]
    content = desk.content("N1/drafts")
    drafts = content["drafts"]
    named = {draft["theory"] for draft in drafts if draft["source"] == "theories"}
    assert named == {THEORIES[6].name, ""}


def test_nova_3_existing_and_dropped_ideas_are_passed_in_and_a_draft_that_repeats_one_is_no_seed(
    tmp_path: Path,
) -> None:
    def repeat(request: ChatRequest) -> Any:
        drafts: Any = request.values["drafts"]
        repeats = ["E1", "E1", *[""] * len(drafts)]
        row = {"pros": "p", "cons": "c", "score": 9}
        pairs = zip(drafts, repeats, strict=False)
        return {"judged": [{**row, "id": d["id"], "repeats": said} for d, said in pairs]}

    desk = Desk.new(tmp_path, SMALL, HashModel({"nova_weigh": repeat}))
    assert desk.run("ideas").state == "done"
    desk.session.decide("set_aside", "2", reason="no")
    desk.session.add_method("Nova", {"seeds": 2, "drafts": 6})
    assert desk.do(desk.planner.to_stage("seeds", Scope(instance="N1"))).state == "done"
    titles = [desk.content(f"{b}/idea")["title"] for b in (1, 2)]
    for prompt in ("nova_theory_ideas", "nova_weigh"):
        there: Any = desk.model.of(prompt)[0].values["existing"]
        assert [idea["title"] for idea in there] == titles, prompt
    weighed = desk.content("N1/drafts")
    assert [row["repeats"] for row in weighed["drafts"][-2:]] == [titles[0]] * 2
    assert not any(row["repeats"] for row in weighed["drafts"] if row["status"] == "seed")


# -- a round


def test_nova_5_a_plan_has_five_lines_with_thinking_keywords_and_rationale_and_waits_to_be_edited(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path, lines=5)
    run(desk, "plans-1")
    searched = len(desk.source.asked)
    items = desk.content("N1/plan1")["items"]
    assert len(items) == NovaSettings().lines == 5
    assert all(
        item["name"] and item["description"] and item["thinking"] and item["rationale"]
        for item in items
    )
    asked = desk.model.of("nova_plan")[0].values
    assert asked["target_title"] == desk.content("N1/target")["title"]
    mine = ["tree moss water, roots", "cold stone frost"]
    desk.edits.save("N1/plan1", plan_text("tree moss: water, roots", "cold stone: frost"))
    run(desk, "round-1")
    queries = [query for kind, query in desk.source.asked[searched:] if kind == "search"]
    assert [q for q in queries if "field" not in q] == mine
    found = desk.content("N1/found1")["items"]
    assert list(dict.fromkeys(item["query"] for item in found)) == mine


def test_nova_6_a_line_that_finds_nothing_is_kept_as_such_and_a_failed_search_is_not_taken_for_it(
    tmp_path: Path,
) -> None:
    broken = {"on": True}
    source = MemorySource(
        make_world(),
        lists=True,
        empty=lambda q: "field 0" in q,
        fails=lambda q: broken["on"] and "field 1" in q,
    )
    desk = desk_of(tmp_path, source=source, seeds=1, lines=3)
    assert desk.run("round-1").state == "failed"
    assert desk.state.in_use("N1/found1") is None
    assert desk.state.in_use("N1/seed1.1") is None
    broken["on"] = False
    run(desk, "round-1")
    items = desk.content("N1/found1")["items"]
    papers = [[item["paper"] for item in items if f"field {n}" in item["query"]] for n in range(3)]
    assert papers[0] == [""]
    assert all(map(all, papers[1:]))


def test_nova_7_new_seeds_replace_an_old_one_keep_their_descent_and_cite_the_papers_that_were_found(
    desk: Desk,
) -> None:
    state = desk.state
    assert current(state, "N1") == ["1.1", "1.2", "2.1", "2.2"]
    assert desk.model.sent.count("nova_new_seeds") == 2, "one call for all that replace one seed"
    found = {item["paper"] for item in desk.content("N1/found2")["items"]}
    new = desk.content("N1/seed2.1")
    assert new["source"] == "search"
    assert new["papers"]
    assert set(new["papers"]) <= found
    assert addresses(desk, "N1/seed") == [
        "N1/seed1",
        "N1/seed1.1",
        "N1/seed1.2",
        "N1/seed2",
        "N1/seed2.1",
        "N1/seed2.2",
    ]
    assert "N1/found2" in " ".join(desk.session.why("N1/seed2.1"))


def test_nova_7_a_seed_that_did_not_come_fails_alone(tmp_path: Path) -> None:
    idea = {"thinking": "moss", "papers": ["P1"], "title": "moss", "text": "Moss grows."}
    desk = desk_of(tmp_path, {"nova_new_seeds": lambda _: {"ideas": [idea]}}, seeds=1)
    assert set(desk.run("diversity").failed) == {"N1/seed1.2"}
    assert current(desk.state, "N1") == ["1.1"]
    assert desk.state.in_use("N1/diversity") is not None


@pytest.mark.parametrize("name", [name for name in Prompts().names() if name.startswith("nova_")])
def test_nova_12_every_call_is_sampled_at_a_temperature_of_0_3(name: str) -> None:
    assert Prompts().get(name).temperature == 0.3


# -- what a person decides


def test_the_target_is_chosen_by_address_by_id_and_by_title(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL, HashModel())
    assert desk.run("ideas").state == "done"
    desk.session.add_method("Nova")
    goal = desk.planner.to_stage("target", Scope(instance="N1"))
    desk.finish(goal)
    best = desk.content("reading")["entries"][0]["paper"]
    assert desk.content("N1/target")["of"] == best
    paper = desk.state.papers[chains(desk.session).slot("2/0").paper or ""]
    wanted = dict.fromkeys(("2/0", paper.id, paper.title), paper.title)
    for said, title in {**wanted, "1/idea": desk.content("1/idea")["title"]}.items():
        desk.edits.save("N1/choice", f"## target\n- {said}\n")
        assert desk.refresh(["N1/target"]).state == "done"
        assert desk.content("N1/target")["title"] == title
    text = desk.edits.text_of("1/idea")
    desk.edits.save("1/idea", text.replace("## final\n", "## final\nAnew: "))
    assert "N1/target" in stale(desk)
    desk.edits.save("N1/choice", "## target\n- a paper that is not there\n")
    assert desk.refresh(["N1/target"]).state == "failed"


# -- runs
