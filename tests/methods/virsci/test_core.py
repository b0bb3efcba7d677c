"""The parts of VirSci that follow by rule: people and their ties, the draw of a team, the count of
votes, the four measures."""

import pytest

from coi_tui.methods.virsci import VirSciSettings
from coi_tui.methods.virsci.people import next_invitation, scientists
from coi_tui.methods.virsci.tasks import ballot_labels, count_votes, measure
from coi_tui.methods.virsci.team import MemberIdea, PollContent, Scientist, best_of
from coi_tui.model.papers import Citations, Paper
from coi_tui.services.sources.types import Author, AuthoredPaper, People, Person


def author(name: str) -> Author:
    return Author(id=f"S2:{name}", name=f"Real {name}")


def paper(title: str, *names: str) -> AuthoredPaper:
    return AuthoredPaper(title=title, year=2020, authors=tuple(map(author, names)))


def person(name: str, *papers: AuthoredPaper) -> Person:
    return Person(id=f"S2:{name}", name=f"Real {name}", affiliation="Real Moss", papers=papers)


def test_vir_1_names_are_masked_and_joint_papers_counted_once_whoever_lists_them() -> None:
    shared = paper("Moss on wet stones", "a", "b")
    asked = Paper(id="arXiv:1", title="Frogs in cold water", year=2021)
    people = People(
        authors={"arXiv:1": (author("a"), author("c"))},
        people=(person("a", shared), person("b", shared, paper("Sand", "b", "z")), person("c")),
    )
    made, names = scientists(people, [asked])
    assert names == {f"Scientist {n}": f"Real {name}, Real Moss" for n, name in enumerate("abc", 1)}
    assert [one.name for one in made] == [*names]
    assert made[0].met == {"Scientist 2": 1, "Scientist 3": 1}
    assert made[1].met == {"Scientist 1": 1}, "z is nobody who may be invited"
    assert "sand" in made[1].topics
    assert "sand" not in made[0].topics
    assert not any("Real" in one.profile() or "Real" in one.model_dump_json() for one in made)


# -- VIR-2, VIR-12

OTHERS = [f"Scientist {n}" for n in range(2, 22)]
CROWD = {
    "Scientist 1": Scientist(topics=["moss"], met=dict.fromkeys(OTHERS[:10], 3)),
    **{name: Scientist(topics=["moss" if n % 2 else "sand"]) for n, name in enumerate(OTHERS)},
}
"""A leader, ten people whom they know and ten strangers; every other one has the leader's topic."""


def drawn(bounds: VirSciSettings, seed: int) -> list[str]:
    members = ["Scientist 1"]
    while len(members) < 7:
        found = next_invitation(CROWD, bounds, members, members[1:], str(seed))
        assert found is not None
        members.append(found[0])
    return members


@pytest.mark.parametrize(("share", "part"), [(0.0, 0), (0.5, 3), (1.0, 6)])
def test_vir_12_freshness_and_diversity_are_parts_of_the_invited(share: float, part: int) -> None:
    bounds = VirSciSettings(freshness=share, diversity=0.5)
    for seed in range(20):
        team = drawn(bounds, seed)
        assert team == drawn(bounds, seed)
        assert len(set(team)) == len(team)
        assert sum(name in OTHERS[10:] for name in team) == part
        assert sum(CROWD[name].topics == ["sand"] for name in team) == 3


def test_vir_2_somebody_is_invited_by_joint_papers_and_one_more_so_that_strangers_can_be() -> None:
    chances = {"Scientist 2": 6 / 7, "Scientist 3": 1 / 7}
    people = {
        "Scientist 1": Scientist(topics=["moss"], met={"Scientist 2": 5, "Scientist 3": 0}),
        **{name: Scientist(topics=["sand"]) for name in chances},
    }
    bounds = VirSciSettings(freshness=0, diversity=1)
    found = [next_invitation(people, bounds, ["Scientist 1"], [], str(seed)) for seed in range(20)]
    assert dict(filter(None, found)) == pytest.approx(chances)


# -- VIR-7, VIR-8


def idea(title: str, clarity: int, feasibility: int, novelty: int) -> MemberIdea:
    marks = {"clarity": clarity, "feasibility": feasibility, "novelty": novelty}
    return MemberIdea.from_stored({"title": title, "idea": title, "experiment": "test", **marks})


def test_vir_7_novelty_counts_twice_and_each_idea_has_its_own_scores_the_first_as_well() -> None:
    rows = {
        "1.1": idea("first", 4, 4, 9),
        "1.2": idea("second", 8, 8, 4),
        "1.3": idea("third", 2, 2, 2),
        "2.1": idea("fourth", 6, 6, 6),
        "2.2": idea("first", 1, 1, 1),
    }
    best = [(number, rows[number].score) for number in best_of(rows)]
    assert best == [("1.1", 6.5), ("2.1", 6.0), ("1.2", 6.0)]


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
    found = PollContent.from_stored(count_votes(["1.1", "1.2", "3.1"], choices))
    assert [one.draft for one in found.counts] == order
    assert (found.winner, found.abstentions) == (winner, abstentions)
    assert found.ranked() == (order if winner else [])


def test_vir_8_every_draft_is_shown_in_every_place() -> None:
    shown = [ballot_labels(["1.1", "1.2", "3.1"], seat)["A"] for seat in range(1, 4)]
    assert sorted(shown) == ["1.1", "1.2", "3.1"]


# -- VIR-11


def dated(year: int, citations: int | None = None) -> Paper:
    return Paper(id=f"arXiv:{year}", title="", year=year, citations=Citations(count=citations))


def test_vir_11_the_measures_of_a_library_worked_by_hand() -> None:
    papers = [dated(2010, 9), dated(2011, 9), dated(2020, 2), dated(2021, 4)]
    found = measure([[2.0], [0.0], [1.0], [4.0], [6.0]], papers, 2015)
    # To the past: 1.5, and of the four 1, 1, 3.5, 5.5. To the contemporary: 3, and 5, 4, 2, 2.
    # Citations: 3, and 3, 3, 4, 2.
    hd, cd = 1.5 / 2.75, 3 / 3.25
    assert [found.hd, found.cd, found.ci, found.on] == pytest.approx([hd, cd, 1, hd / cd])


def test_vir_11_what_cannot_be_told_is_not_a_number() -> None:
    papers = [dated(2010), dated(2020), dated(2020)]
    equal = measure([[1.0]] * 4, papers, 2015)
    assert (equal.hd, equal.cd, equal.ci, equal.on) == (None, None, None, None)
    assert measure([[0.0], [1.0], [2.0]], papers[1:], 2015).hd is None, "nothing is past"
    assert measure([[0.0]], [], 2015).cd is None
