"""VirSci with a scripted model and a source in memory: one test or more for each of its
capabilities, and how a person steers it."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.team import Team
from coi_tui.model.address import cell_ref
from coi_tui.model.errors import UsageError
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.chat import ChatRequest
from tests.methods.virsci.support import crowded, desk_of, enough_after
from tests.support.desk import Desk, made_once, ran, run, stale, version_at
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


# -- one for each capability


def test_vir_2_who_refuses_is_not_asked_again_and_the_next_one_is_drawn(tmp_path: Path) -> None:
    def refuses(request: ChatRequest) -> Any:
        who: Any = request.values["invited"]
        odd = int(who["name"].split()[1]) % 2
        return {"reason": "too far from my work", "answer": "refuse" if odd else "join"}

    desk = desk_of(tmp_path, {"virsci_invite": refuses}, team=4)
    run(desk, "team")
    team = desk.content("V1/team")
    asked = [one["name"] for one in team["invitations"]]
    assert len(asked) == len(set(asked))
    assert [name for name in asked if int(name.split()[1]) % 2 == 0] == [
        one["name"] for one in team["members"][1:]
    ]


def may_hold(team: Team, address: str) -> set[str]:
    """The cells of the discussion whose words a prompt holds: written down apart from the reads of
    the tasks. The cells of turn 0 do not exist."""
    at, last = cell_ref(address), team.bounds.turns
    summary, reply = ("digest", "draft") if at.kind in ("draft", "digest") else ("sum", "said")
    turn, *seat = at.numbers if at.kind in (summary, reply) else (last, 4)
    match at.kind:
        case "vote":
            cells = [team.cell("subject"), *team.ballot()]
        case "abstract":
            first = team.cell("draft", team.ranked()[0])
            cells = [team.cell("abstract", 1, at.numbers[1] - 1) if at.numbers[1] > 1 else first]
        case _:
            turns = range(1, turn + (at.kind == "subject"))
            seats = range(1, seat[0] if seat else 4)
            cells = [team.cell("subject")] * (summary == "digest")
            cells += [team.cell(summary, n) for n in turns]
            cells += [team.cell(reply, turn, n) for n in seats]
    return set(cells)


def test_vir_3_the_prompt_of_each_turn_holds_exactly_what_it_may(desk: Desk) -> None:
    team, session = Team(desk.state, "V1"), desk.session
    words = {
        address: str(content.get("text") or content.get("idea") or content["introduction"])
        for address, content in desk.contents().items()
        if cell_ref(address).kind in ("said", "sum", "subject", "draft", "digest", "abstract")
    }
    assert len(set(words.values())) == len(words), "else a text could not be told from another"
    for address in (*words, *(team.cell("vote", seat) for seat in team.seats)):
        version = version_at(session, address)
        prompt = str(session.calls[version.calls[0]].request)
        held = {cell for cell, text in words.items() if text in prompt}
        assert held == may_hold(team, address), address
        assert "Author " not in prompt, "names are masked"


@pytest.mark.parametrize("turn", [1, 2])
def test_vir_4_the_leader_may_stop_early(tmp_path: Path, turn: int) -> None:
    desk = desk_of(tmp_path, {"virsci_summary": enough_after(turn)}, turns=3)
    run(desk, "drafts-3")
    assert calls(desk)["virsci_topic"] == calls(desk)["virsci_idea"] == 3 * turn
    assert desk.session.shortfall("drafts-3", "V1") == "", (
        "a turn that the leader spared is no shortfall"
    )


@pytest.mark.parametrize(("who", "times"), [("outsider", 3), ("nobody", 0), ("Scientist 99", 0)])
def test_vir_5_an_outsider_who_is_named_answers_once_and_is_not_added(
    tmp_path: Path, who: str, times: int
) -> None:
    def asks(request: ChatRequest) -> Any:
        others: Any = request.values["outsiders"]
        name = others[0]["name"] if who == "outsider" else who
        text = f"Do you agree to invite a scientist? {shown(request)}"
        guest = {"name": name, "question": "what of moss?"} if who != "nobody" else None
        return {"text": text, "guest": guest}

    desk = desk_of(tmp_path, {"virsci_topic": asks}, turns=1)
    run(desk, "subject")
    assert calls(desk)["virsci_guest"] == times
    said = desk.content("V1/said1.1")
    heard: Any = desk.model.of("virsci_topic")[1].values["said"]
    assert [one["text"] for one in heard] == [said["text"], *[said.get("answer")] * bool(times)]
    assert len(Team(desk.state, "V1").members) == 3


def test_vir_8_a_vote_that_cannot_be_read_is_an_abstention(tmp_path: Path) -> None:
    seen: list[object] = []

    def first_is_mute(request: ChatRequest) -> Any:
        seen.append(request.values["speaker"])
        return "I cannot decide" if seen[-1] == seen[0] else agreed(request)

    desk = desk_of(tmp_path, {"virsci_vote": first_is_mute}, turns=1)
    run(desk, "vote")
    poll = desk.content("V1/poll")
    assert (poll["abstentions"], [one["votes"] for one in poll["counts"]]) == (1, [2, 0, 0])
    assert title(desk, poll["winner"]) == max(title(desk, draft) for draft in voted(desk))


def voted(desk: Desk) -> list[str]:
    return Team(desk.state, "V1").voted()


def title(desk: Desk, draft: str) -> str:
    return str(desk.content(f"V1/draft{draft}")["title"])


def agreed(request: ChatRequest) -> Any:
    """Everybody for one idea, by its title."""
    ideas: Any = request.values["ideas"]
    return {
        "reason": f"newest {shown(request)}",
        "choice": max(ideas, key=lambda one: one["title"])["id"],
    }


def test_vir_8_a_tie_goes_to_the_person(tmp_path: Path) -> None:
    voters: dict[str, int] = {}

    def alone(request: ChatRequest) -> Any:
        who: Any = request.values["speaker"]
        ideas: Any = request.values["ideas"]
        seat = voters.setdefault(who["name"], len(voters))
        own = sorted(ideas, key=lambda one: str(one["title"]))[seat]
        return {"reason": "alone", "choice": own["id"]}

    desk = desk_of(tmp_path, {"virsci_vote": alone}, turns=1)
    assert desk.run("ideas").state == "done"
    poll = desk.content("V1/poll")
    assert ([one["votes"] for one in poll["counts"]], poll["winner"]) == ([1, 1, 1], "")
    assert "V1/abstract1.1" not in desk.contents()
    assert "V1/poll" in desk.session.shortfall("ideas", "V1")
    desk.edits.save("V1/poll", "the best")
    assert Team(desk.state, "V1").ranked() == [], "that is no draft of the vote"
    last = voted(desk)[2]
    desk.edits.change_row("V1/poll", last, "tick")
    run(desk, "ideas")
    idea: Any = desk.model.of("virsci_abstract")[0].values["idea"]
    assert idea["title"] == title(desk, last)


@pytest.mark.parametrize(
    ("scores", "last", "attempts"),
    [
        ([95], "abstract1.3", 1),
        ([96, 95], "revised1", 1),
        ([96, 99, 10], "abstract2.3", 2),
        ([100], "", 3),
    ],
)
def test_vir_10_too_close_once_is_revised_and_twice_gives_way_to_the_next_idea(
    tmp_path: Path, scores: list[int], last: str, attempts: int
) -> None:
    left = list(scores)

    def overlap(request: ChatRequest) -> Any:
        papers: Any = request.values["papers"]
        score = left.pop(0) if len(left) > 1 else left[0]
        rows = [{"id": one["id"], "reason": "the same core", "score": score} for one in papers]
        return {"verdicts": rows}

    desk = desk_of(tmp_path, {"virsci_vote": agreed, "virsci_overlap": overlap}, turns=1)
    run(desk, "ideas")
    asked: list[Any] = [request.values["idea"] for request in desk.model.of("virsci_abstract")]
    ranked = Team(desk.state, "V1").ranked()[:attempts]
    assert [one["title"] for one in asked] == [title(desk, draft) for draft in ranked]
    if last == "revised1":
        told: Any = desk.model.of("virsci_revise")[-1].values["review"]
        assert told[0]["reason"] == "the same core"
    if not last:
        assert desk.session.shortfall("ideas", "V1")
        desk.edits.save("V1/overlap1.2", "no")  # a person may judge otherwise
        run(desk, "ideas")
    assert desk.content("V1/1/idea")["title"] == desk.content(f"V1/{last or 'revised1'}")["title"]


# -- the person


def test_what_a_person_says_and_rejects_counts_in_the_prompts_that_follow(desk: Desk) -> None:
    session, text = desk.session, desk.content("V1/said2.2")["text"]
    assert "V1/mine1" in [row.address for row in session.rows()], "before it is written"
    session.edits.save("V1/mine1", "What of moss?")
    later = {"V1/said2.1", "V1/said2.2", "V1/said2.3", "V1/sum2"}
    assert desk.marks()["stale"] == later, "the next turn, and the summary of that one"
    session.undo()
    session.decide("reject", "V1/said2.2", reason="off the topic")
    assert desk.marks()["stale"] == {"V1/said2.3", "V1/sum2", "V1/subject"}
    session.edits.save("V1/mine1", "What of moss?")
    desk.refresh()
    first: Any = desk.model.of("virsci_topic")[0].values["said"]
    assert first == [{"name": "the researcher", "text": "What of moss?"}]
    assert not any(text in request.user for request in desk.model.requests)
    for _ in range(3):
        session.undo()
    assert stale(desk) == set(), "what was paid for is in use again"


def test_members_are_taken_out_and_in_and_the_leader_is_named_by_keys(desk: Desk) -> None:
    def names() -> list[str]:
        return [one.name for one in Team(desk.state, "V1").members]

    leader, second, third = names()
    change = desk.edits.change_row
    change("V1/team", second, "pin")
    assert names() == [second, leader, third]
    change("V1/team", third, "tick")
    assert names() == [second, leader]
    with pytest.raises(UsageError):  # two stay
        change("V1/team", leader, "tick")
    change("V1/team", third, "accept")
    assert names() == [second, leader, third]
    for _ in range(3):
        desk.session.undo()
    assert names() == [leader, second, third]
    assert stale(desk) == set()


def test_an_export_masks_the_people_and_says_that_they_took_no_part(desk: Desk) -> None:
    text = desk.session.exports.text("md", WITH_APPENDIX)
    shown = {kind.title for kind in OWN_KINDS if kind.name in ("team", "poll", "sum", "overlap")}
    assert shown <= set(re.findall(r"^### A\.\d+ (.+)$", text, re.MULTILINE))
    assert all(limit in text for limit in desk.methods.document(desk.state, ["V1/1"]).limits)
    cited = (paper.authors for paper in desk.world.papers.values() if paper.title in text)
    names = desk.content("V1/people")["names"].values()
    hidden = {name.partition(", ")[0] for name in names}.difference(*cited)
    assert not any(name in text for name in hidden)
