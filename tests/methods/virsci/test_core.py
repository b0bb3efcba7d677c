"""The parts of VirSci that follow by rule: people and their ties, the draw of a team, the count of
votes, the four measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.methods.virsci import VirSciSettings
from coi_tui.methods.virsci.people import invited, scientists
from coi_tui.methods.virsci.tasks import counted, labelled, measure
from coi_tui.methods.virsci.team import MemberIdea, PollContent, Scientist, TurnSummary, best_of
from coi_tui.model.papers import Citations, Paper
from coi_tui.services.sources.types import Author, AuthoredPaper, People, Person


def author(name: str) -> Author:
    return Author(id=f"S2:{name}", name=f"Real {name}")


def paper(title: str, *names: str) -> AuthoredPaper:
    return AuthoredPaper(title=title, year=2020, authors=tuple(map(author, names)))


def person(name: str, *papers: AuthoredPaper) -> Person:
    return Person(id=f"S2:{name}", name=f"Real {name}", citations=7, paper_count=30, papers=papers)


# -- VIR-1


def test_vir_1_names_are_masked_and_joint_papers_counted_once_whoever_lists_them() -> None:
    shared = paper("Moss on wet stones", "a", "b")
    asked = Paper(
        id="arXiv:1", title="Frogs in cold water", year=2021, authors=("Real a", "Real c")
    )
    people = People(
        authors={"arXiv:1": (author("a"), author("c"))},
        people=(person("a", shared), person("b", shared, paper("Sand", "b", "z")), person("c")),
    )
    made, names = scientists(people, [asked])
    assert [one.name for one in made] == ["Scientist 1", "Scientist 2", "Scientist 3"]
    assert names == {"Scientist 1": "Real a", "Scientist 2": "Real b", "Scientist 3": "Real c"}
    assert made[0].met == {"Scientist 2": 1, "Scientist 3": 1}, (
        "the paper of both stands in both lists"
    )
    assert made[1].met == {"Scientist 1": 1}, "z is nobody who may be invited"
    assert not any("Real" in one.profile() or "Real" in one.model_dump_json() for one in made)


def test_vir_1_topics_are_terms_that_set_somebody_apart() -> None:
    one = person("a", paper("Sleep of frogs", "a"), paper("Frogs and moss", "a"))
    other = person("b", paper("Sleep of birds", "b"), paper("Sleep of stones", "b"))
    made, _ = scientists(People(people=(one, other)), [])
    assert made[0].topics[0] == "frogs"
    assert "birds" in made[1].topics


# -- VIR-2, VIR-12


def crowd(known: int, strangers: int) -> list[Scientist]:
    """A leader, people whom they know, and strangers; every other one works on the leader's
    topic."""
    others = [f"Scientist {n}" for n in range(2, 2 + known + strangers)]
    leader = Scientist(name="Scientist 1", topics=["moss"], met=dict.fromkeys(others[:known], 3))
    rows = [
        Scientist(
            name=n, topics=["moss" if k % 2 else "sand"], met={leader.name: 3} if k < known else {}
        )
        for k, n in enumerate(others)
    ]
    return [leader, *rows]


def drawn(
    people: Sequence[Scientist], seed: int, seats: int, fresh: float, diverse: float
) -> list[str]:
    bounds = VirSciSettings(freshness=fresh, diversity=diverse)
    by_name, members = {one.name: one for one in people}, ["Scientist 1"]
    while len(members) <= seats:
        found = invited(by_name, bounds, members, members[1:], str(seed))
        if found is None:
            break
        members.append(found[0])
    return members[1:]


@given(
    st.integers(0, 10_000),
    st.integers(1, 12),
    st.integers(0, 12),
    st.integers(1, 7),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_vir_2_the_same_seed_draws_the_same_team_and_nobody_twice(
    seed: int, known: int, strangers: int, seats: int, fresh: float, diverse: float
) -> None:
    people = crowd(known, strangers)
    team = drawn(people, seed, seats, fresh, diverse)
    assert team == drawn(people, seed, seats, fresh, diverse)
    assert len(set(team)) == len(team) == min(seats, known + strangers)
    assert "Scientist 1" not in team


def test_vir_2_somebody_is_invited_by_joint_papers_and_one_more_so_that_strangers_can_be() -> None:
    chances = {"Scientist 2": 6 / 7, "Scientist 3": 1 / 7}
    people = [
        Scientist(name="Scientist 1", topics=["moss"], met={"Scientist 2": 5, "Scientist 3": 0}),
        *(Scientist(name=name, topics=["sand"]) for name in chances),
    ]
    bounds, by_name = VirSciSettings(freshness=0, diversity=1), {one.name: one for one in people}
    for seed in range(20):
        first = invited(by_name, bounds, ["Scientist 1"], [], str(seed))
        assert first is not None
        assert first[1] == pytest.approx(chances[first[0]])


@pytest.mark.parametrize(("share", "strangers"), [(0.0, 0), (0.5, 3), (1.0, 6)])
def test_vir_12_freshness_is_the_part_of_the_invited_who_are_new_to_the_leader(
    share: float, strangers: int
) -> None:
    people = crowd(10, 10)
    for seed in range(20):
        team = drawn(people, seed, 6, share, 0.5)
        assert sum(name not in people[0].met for name in team) == strangers


# -- VIR-7, VIR-8


def idea(title: str, clarity: int, feasibility: int, novelty: int) -> MemberIdea:
    return MemberIdea(
        title=title,
        idea=f"{title} at length",
        experiment="test",
        clarity=clarity,
        feasibility=feasibility,
        novelty=novelty,
    )


def test_vir_7_novelty_counts_twice_and_each_idea_has_its_own_scores_the_first_as_well() -> None:
    rows = {
        "1.1": idea("first", 4, 4, 9),
        "1.2": idea("second", 8, 8, 4),
        "1.3": idea("third", 2, 2, 2),
        "2.1": idea("fourth", 6, 6, 6),
        "2.2": idea("first", 1, 1, 1),
    }
    assert [(number, rows[number].score) for number in best_of(rows)] == [
        ("1.1", 6.5),
        ("2.1", 6.0),
        ("1.2", 6.0),
    ]


@pytest.mark.parametrize(
    ("choices", "winner", "order", "abstentions"),
    [
        (["", "", "1.2", "3.1", "1.2", "7.7"], "1.2", ["1.2", "3.1", "1.1"], 3),
        (["", ""], "", ["1.1", "1.2", "3.1"], 2),
        (["1.1", "1.2"], "", ["1.1", "1.2", "3.1"], 0),
    ],
)
def test_vir_8_a_vote_for_no_draft_abstains_and_a_tie_has_no_winner(
    choices: list[str], winner: str, order: list[str], abstentions: int
) -> None:
    found = PollContent.from_held(counted(["1.1", "1.2", "3.1"], choices))
    assert [one.draft for one in found.counts] == order
    assert (found.winner, found.abstentions) == (winner, abstentions)
    assert found.ranked() == (order if winner else [])


def test_vir_8_a_persons_winner_goes_first_and_then_the_next_in_order() -> None:
    found = PollContent.from_held(counted(["1.1", "1.2", "3.1"], ["1.2"]) | {"winner": "3.1"})
    assert found.ranked() == ["3.1", "1.2", "1.1"]


def test_vir_8_every_draft_is_shown_in_every_place_equally_often() -> None:
    drafts = ["1.1", "1.2", "3.1"]
    shown = Counter(pair for seat in range(1, 7) for pair in labelled(drafts, seat).items())
    assert shown == {(label, draft): 2 for label in "ABC" for draft in drafts}


@pytest.mark.parametrize(
    ("said", "meant"),
    [("yes", True), ("no", False), ("", False), ("True", True), (True, True), ("perhaps", False)],
)
def test_vir_4_a_person_says_enough_in_words(said: object, meant: bool) -> None:
    assert TurnSummary.from_held({"text": "a", "enough": said}).enough is meant


# -- VIR-11


def dated(year: int, citations: int | None = None) -> Paper:
    return Paper(id=f"arXiv:{year}", title="", year=year, citations=Citations(count=citations))


def test_vir_11_the_measures_of_a_library_worked_by_hand() -> None:
    library = [[0.0], [1.0], [4.0], [6.0]]
    papers = [dated(2010, 9), dated(2011, 9), dated(2020, 2), dated(2021, 4)]
    found = measure([[2.0], *library], papers, 2015)
    # To the past: 1.5, and of the four 1, 1, 3.5, 5.5. To the contemporary: 3, and 5, 4, 2, 2.
    # Citations: 3, and 3, 3, 4, 2.
    hd, cd = 1.5 / 2.75, 3 / 3.25
    assert [found.hd, found.cd, found.ci, found.on] == pytest.approx([hd, cd, 1, hd / cd])


def test_vir_11_what_cannot_be_told_is_not_a_number() -> None:
    papers = [dated(2010), dated(2020), dated(2020)]
    equal = measure([[1.0, 1.0]] * 4, papers, 2015)
    assert (equal.hd, equal.cd, equal.on) == (None, None, None), (
        "all distances are zero: there is no mean to divide by"
    )
    uncounted = measure([[0.0], [0.0], [1.0], [3.0]], papers, 2015)
    assert uncounted.hd is not None
    assert (uncounted.ci, uncounted.on) == (None, None), "no count is not a count of zero"
    assert measure([[0.0], [1.0], [2.0]], papers[1:], 2015).hd is None, "nothing is past"
    assert measure([[0.0]], [], 2015).cd is None
