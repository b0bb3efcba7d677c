"""VirSci with a scripted model and a source in memory: one test or more for each of its
capabilities, and how a person steers it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.tasks import PROXY
from coi_tui.methods.virsci.team import Team
from coi_tui.model.errors import UsageError
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.types import ChatRequest
from tests.methods.virsci.support import crowded, desk_of, enough_after
from tests.support.desk import Desk, made_once, ran, run, stale
from tests.support.script import HashModel, shown
from tests.support.world import MemorySource


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with a team of three and two turns, up to its idea; copy it, do not touch it."""
    return made_once("virsci", lambda folder: ran(desk_of(folder)))


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(crowded(), lists=True))


def calls(desk: Desk) -> Counter[str]:
    return Counter(request.prompt for request in desk.model.requests)


def addresses(desk: Desk) -> list[str]:
    return [row.address for row in desk.session.queries.rows()]


# -- one for each capability


def test_vir_2_who_refuses_is_not_asked_again_and_the_next_one_is_drawn(tmp_path: Path) -> None:
    def refuses(request: ChatRequest) -> Any:
        invited: Any = request.values["invited"]
        return {
            "reason": "too far from my work",
            "answer": "refuse" if int(invited["name"].split()[1]) % 2 else "join",
        }

    desk = desk_of(tmp_path, {"virsci_invite": refuses}, team=4)
    run(desk, "team")
    team = desk.content("V1/team")
    asked = [one["name"] for one in team["invitations"]]
    assert len(asked) == len(set(asked))
    joined = [one["name"] for one in team["invitations"] if one["joined"]]
    assert joined == [one["name"] for one in team["members"][1:]]
    assert all(int(name.split()[1]) % 2 == 0 for name in joined)


@pytest.mark.parametrize("turn", [1, 2])
def test_vir_4_the_leader_may_stop_early(tmp_path: Path, turn: int) -> None:
    desk = desk_of(tmp_path, {"virsci_summary": enough_after(turn)}, turns=3)
    run(desk, "drafts-3")
    assert calls(desk)["virsci_topic"] == calls(desk)["virsci_idea"] == 3 * turn
    assert desk.session.queries.shortfall("drafts-3", "V1") == "", (
        "a turn that the leader spared is no shortfall"
    )


def asking(who: str) -> Any:
    """Everybody asks the same outsider, and says the phrase that the published code looked for."""

    def say(request: ChatRequest) -> Any:
        others: Any = request.values["outsiders"]
        name = others[0]["name"] if who == "outsider" else who
        text = f"Do you agree to invite a scientist? {shown(request)}"
        return {
            "text": text,
            "guest": {"name": name, "question": "what of moss?"} if who != "nobody" else None,
        }

    return say


def test_vir_5_an_outsider_who_is_asked_answers_once_and_is_not_added(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, {"virsci_topic": asking("outsider")}, turns=1)
    run(desk, "subject")
    said = [desk.content(f"V1/said1.{seat}") for seat in (1, 2, 3)]
    assert calls(desk)["virsci_guest"] == calls(desk)["virsci_topic"] == 3
    assert len(Team(desk.session.state, "V1").members) == 3
    heard: Any = desk.model.of("virsci_topic")[1].values["said"]
    assert [one["text"] for one in heard] == [said[0]["text"], said[0]["answer"]]
    assert said[0]["guest"] not in [one.name for one in Team(desk.session.state, "V1").members]


@pytest.mark.parametrize("who", ["nobody", "Scientist 99"])
def test_vir_5_no_phrase_and_no_unknown_name_calls_a_guest(tmp_path: Path, who: str) -> None:
    desk = desk_of(tmp_path, {"virsci_topic": asking(who)}, turns=1)
    run(desk, "topic-1")
    assert calls(desk)["virsci_guest"] == 0


def test_vir_7_references_are_searched_again_from_the_previous_reply(desk: Desk) -> None:
    drafts = [f"V1/draft{n}" for n in ("1.1", "1.2", "1.3", "2.1", "2.2", "2.3")]
    queries = [desk.content(a.replace("draft", "found"))["query"] for a in drafts]
    assert queries[0] == desk.content("V1/subject")["text"]
    assert queries[1:] == [desk.content(a)["title"] for a in drafts[:-1]]
    assert len(set(voted(desk))) == 3


def test_vir_8_votes_see_no_dialogue_and_one_that_cannot_be_read_is_an_abstention(
    tmp_path: Path,
) -> None:
    seen: list[str] = []

    def first_is_mute(request: ChatRequest) -> Any:
        who: Any = request.values["speaker"]
        seen.append(who["name"])
        return "I cannot decide" if who["name"] == seen[0] else agreed(request)

    desk = desk_of(tmp_path, {"virsci_vote": first_is_mute}, turns=1)
    run(desk, "vote")
    poll = desk.content("V1/poll")
    assert (poll["abstentions"], [one["votes"] for one in poll["counts"]]) == (1, [2, 0, 0])
    assert title(desk, poll["winner"]) == max(title(desk, draft) for draft in voted(desk))
    assert [desk.content(f"V1/vote{n}")["choice"] for n in (1, 2, 3)].count("") == 1
    assert set(desk.model.of("virsci_vote")[0].values) == {"subject", "speaker", "ideas"}


def voted(desk: Desk) -> list[str]:
    return Team(desk.session.state, "V1").voted()


def title(desk: Desk, draft: str) -> str:
    return str(desk.content(f"V1/draft{draft}")["title"])


def agreed(request: ChatRequest) -> Any:
    """Everybody for one idea, by its title."""
    ideas: Any = request.values["ideas"]
    return {
        "reason": f"newest {shown(request)}",
        "choice": max(ideas, key=lambda one: one["title"])["id"],
    }


def everyone_alone(request: ChatRequest) -> Any:
    """Each of three members for another idea, by title."""
    who: Any = request.values["speaker"]
    ideas: Any = sorted(request.values["ideas"], key=lambda one: one["title"])  # type: ignore[call-overload]
    voters.setdefault(who["name"], len(voters))
    return {"reason": "alone", "choice": ideas[voters[who["name"]] % 3]["id"]}


voters: dict[str, int] = {}


def test_vir_8_a_tie_goes_to_the_person(tmp_path: Path) -> None:
    voters.clear()
    desk = desk_of(tmp_path, {"virsci_vote": everyone_alone}, turns=1)
    outcome = desk.run("ideas")
    assert outcome.state == "done"
    poll = desk.content("V1/poll")
    assert ([one["votes"] for one in poll["counts"]], poll["winner"]) == ([1, 1, 1], "")
    assert "V1/abstract1.1" not in desk.contents()
    assert "tied" in desk.session.queries.shortfall("ideas", "V1")
    last = voted(desk)[2]
    desk.session.edits.save("V1/poll", last)
    run(desk, "ideas")
    shown_: Any = desk.model.of("virsci_abstract")[0].values["idea"]
    assert shown_["title"] == title(desk, last)
    assert desk.content("V1/1/idea")["title"]


def overlaps(*scores: int) -> Any:
    """What the self-reviews find, one after the other; the last one again and again."""
    left = list(scores)

    def say(request: ChatRequest) -> Any:
        papers: Any = request.values["papers"]
        score = left.pop(0) if len(left) > 1 else left[0]
        return {
            "verdicts": [
                {"id": one["id"], "reason": "the same core", "score": score} for one in papers
            ]
        }

    return say


def test_vir_10_too_close_once_is_revised_with_the_review(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, {"virsci_vote": agreed, "virsci_overlap": overlaps(96, 95)}, turns=1)
    run(desk, "ideas")
    assert desk.content("V1/overlap1.1")["close"] is True
    assert desk.content("V1/overlap1.2")["close"] is False
    told: Any = desk.model.of("virsci_revise")[-1].values["review"]
    assert {one["reason"] for one in told} == {"the same core"}
    assert desk.content("V1/1/idea")["title"] == desk.content("V1/revised1")["title"]
    assert "V1/abstract2.1" not in desk.contents()


def test_vir_10_too_close_twice_gives_way_to_the_next_idea(tmp_path: Path) -> None:
    desk = desk_of(
        tmp_path, {"virsci_vote": agreed, "virsci_overlap": overlaps(96, 99, 10)}, turns=1
    )
    run(desk, "ideas")
    ranked = Team(desk.session.state, "V1").ranked()
    asked: list[Any] = [request.values["idea"] for request in desk.model.of("virsci_abstract")]
    assert [one["title"] for one in asked] == [title(desk, draft) for draft in ranked[:2]]
    assert desk.content("V1/1/idea")["title"] == desk.content("V1/abstract2.3")["title"]


def test_vir_10_where_all_three_are_too_close_there_is_no_idea_and_it_is_said(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path, {"virsci_vote": agreed, "virsci_overlap": overlaps(100)}, turns=1)
    assert desk.run("ideas").state == "done"
    assert "V1/1/idea" not in desk.contents()
    assert calls(desk)["virsci_abstract"] == 3
    assert "too close to earlier work twice" in desk.session.queries.shortfall("ideas", "V1")
    desk.session.edits.save("V1/overlap1.2", "no")
    run(desk, "ideas")
    assert desk.content("V1/1/idea")["title"] == desk.content("V1/revised1")["title"], (
        "a person may judge otherwise"
    )


def test_vir_11_overall_novelty_follows_from_the_other_three_and_is_called_a_proxy(
    desk: Desk,
) -> None:
    held = desk.content("V1/measures")
    assert held["on"] == pytest.approx(held["hd"] * held["ci"] / held["cd"], abs=0.01)
    assert PROXY in desk.session.exports.text("md", WITH_APPENDIX)


# -- the person


def test_a_person_speaks_between_turns_from_an_empty_cell(desk: Desk) -> None:
    assert "V1/mine1" in addresses(desk)
    assert desk.session.edits.editable("V1/mine1")
    assert desk.session.edits.text_of("V1/mine1") == ""
    desk.session.edits.save("V1/mine1", "What of moss?")
    marks = desk.marks()
    assert marks["stale"] == {"V1/said2.1", "V1/said2.2", "V1/said2.3", "V1/sum2"}, (
        "the next turn, and the summary of that one"
    )
    desk.refresh()
    asked: Any = desk.model.of("virsci_topic")[0].values["said"]
    assert asked == [{"name": "the researcher", "text": "What of moss?"}]
    desk.session.undo_stack.undo()
    assert stale(desk) == set(), "what was paid for is in use again"


@pytest.mark.parametrize("said", ["9.9", "the best"])
def test_a_winner_that_is_no_idea_of_the_vote_leaves_the_vote_open(desk: Desk, said: str) -> None:
    before = desk.contents()
    desk.session.edits.save("V1/poll", said)
    assert Team(desk.session.state, "V1").ranked() == []
    desk.session.undo_stack.undo()
    assert desk.contents() == before


def test_a_turn_that_is_rejected_is_in_no_later_prompt(desk: Desk) -> None:
    text = desk.content("V1/said2.2")["text"]
    desk.session.decide("reject", "V1/said2.2", reason="off the topic")
    assert desk.marks()["stale"] == {"V1/said2.3", "V1/sum2", "V1/subject"}
    desk.refresh()
    assert not any(text in request.user for request in desk.model.requests)
    for request in desk.model.of("virsci_topic"):
        said: Any = request.values["said"]
        assert len(said) == 1, "no place is left for what was rejected"
    desk.session.undo_stack.undo()
    assert stale(desk) == set()


def test_members_are_taken_out_and_the_leader_is_named_by_keys(desk: Desk) -> None:
    leader, second, third = (one.name for one in Team(desk.session.state, "V1").members)
    desk.session.edits.change_row("V1/team", second, "pin")
    assert [one.name for one in Team(desk.session.state, "V1").members] == [second, leader, third]
    desk.session.edits.change_row("V1/team", third, "tick")
    assert [one.name for one in Team(desk.session.state, "V1").members] == [second, leader]
    with pytest.raises(UsageError):
        desk.session.edits.change_row("V1/team", leader, "tick")
    for _ in range(2):
        desk.session.undo_stack.undo()
    assert [one.name for one in Team(desk.session.state, "V1").members] == [leader, second, third]
    assert stale(desk) == set()


def test_a_draft_that_is_rejected_goes_out_of_the_vote_for_the_next_best(desk: Desk) -> None:
    first = voted(desk)[0]
    desk.session.decide("reject", f"V1/draft{first}", reason="known already")
    assert {"V1/vote1", "V1/poll"} <= stale(desk)
    assert (first in voted(desk), len(voted(desk))) == (False, 3)
    run(desk, "vote")
    assert f"V1/near{voted(desk)[2]}" in desk.contents()


# -- running, stopping, resuming


def test_the_plan_names_the_fewest_and_the_most_calls(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    plan = desk.session.planner.to_stage("ideas")
    run(desk, "ideas")
    assert plan.calls[0] <= len(desk.model.requests) <= plan.calls[1]
    assert desk.session.planner.to_stage("ideas").calls == (0, 0), "nothing is left"


def test_what_follows_an_idea_follows_this_one(desk: Desk) -> None:
    run(desk, "novelty")
    assert desk.content("V1/1/nov")["verdict"]
    text = desk.session.exports.text("md", WITH_APPENDIX)
    shown = {kind.title for kind in OWN_KINDS if kind.name in ("team", "poll", "sum", "overlap")}
    assert shown <= set(re.findall(r"^### A\.\d+ (.+)$", text, re.MULTILINE))
    assert "none of these authors took part" in text
    cited = (paper.authors for paper in desk.world.papers.values() if paper.title in text)
    names = desk.content("V1/people")["names"].values()
    hidden = {name.partition(", ")[0] for name in names}.difference(*cited)
    assert not any(name in text for name in hidden)
