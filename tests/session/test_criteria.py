"""Criteria in a session: what they leave out, what they make stale, what they never touch."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import slot
from coi_tui.model.criteria import Criteria
from coi_tui.model.errors import UsageError
from coi_tui.present.candidate_list import candidates
from coi_tui.session.decisions.criteria_change import (
    changed,
    years,
)
from tests.support.desk import ONE, Desk, chains, copy_of
from tests.support.world import MemorySource, World, make_world

GROW = ONE.model_copy(update={"forward": 1, "backward": 1, "length": 3})


def world_with_surveys() -> World:
    """Every second paper is a survey by its title."""
    world = make_world()
    for n, paper in enumerate(list(world.papers.values())):
        if n % 2:
            world = world.with_paper(paper.model_copy(update={"title": f"{paper.title}: a survey"}))
    return world


def shown_in(request: Any) -> Any:
    """The candidates that a request asks verdicts on."""
    return request.values["candidates"]


def surveys(desk: Desk, address: str) -> dict[str, bool]:
    """By paper of a list: whether it is a survey."""
    return {
        e["paper"]: desk.state.papers[e["paper"]].title.endswith("survey")
        for e in desk.content(address)["entries"]
    }


def test_papers_left_out_stay_in_the_list_with_the_reason_and_are_never_proposed(
    tmp_path: Path,
) -> None:
    desk = Desk.new(tmp_path, GROW, source=MemorySource(world_with_surveys()))
    desk.session.decide("criteria", "criteria", Criteria(no_surveys=True))
    assert desk.run("cards").state == "done"
    state = desk.state
    for address in ("1/0", "1/+1", "1/-1"):
        kinds = surveys(desk, f"{address}.cands")
        assert any(kinds.values()), address
        assert not all(kinds.values()), address
        held = Chains.of(state).paper_in(slot(1, int(address.split("/")[1])))
        assert held is not None
        assert not held.title.endswith("survey")
        shown = {c.paper: c.flags for c in candidates(state, address).entries if c.rank is not None}
        assert {
            p for p, flags in shown.items() if "left out by your criteria: survey" in flags
        } == {p for p, s in kinds.items() if s}
    judged = [
        candidate["title"] for r in desk.model.of("coi_relevances") for candidate in shown_in(r)
    ]
    assert judged
    assert not any(str(title).endswith("survey") for title in judged)


# -- staleness


def test_a_change_makes_lists_stale_as_the_topic_does_and_no_decided_slot(tmp_path: Path) -> None:
    desk, by_topic = copy_of(tmp_path, "one", "cards"), copy_of(tmp_path / "t", "one", "cards")
    for one in (desk, by_topic):
        one.session.decide("accept", "1/+1")
    by_topic.session.edits.save("topic", "another topic")
    desk.session.decide("criteria", "criteria", Criteria(year_from=1990))
    lists = {a for a in desk.state.cells if a.endswith((".cands", ".rel"))}
    mine, its = ({a for marks in one.marks().values() for a in marks} for one in (desk, by_topic))
    assert mine & lists == its & lists != set()
    slots = {a for a in mine if a in chains(desk.session).slots}
    assert "1/+1" not in slots
    assert "1/0" in slots  # only suggested, so it follows its list
    assert {chains(desk.session).slot(a).verdict for a in slots} == {"proposed"}
    assert not any(a.endswith((".card", "/dir", "/idea")) for a in desk.marks().get("stale", ()))


def test_a_list_made_before_the_criteria_is_not_grown_from(tmp_path: Path) -> None:
    """Else the best paper of the old list would be taken although the criteria leave it out."""
    desk = copy_of(tmp_path, "one", "cards")
    best = desk.state.papers[desk.content("1/+1.cands")["entries"][0]["paper"]]
    for held in list(chains(desk.session).filled(1)):
        if held.pos:
            desk.session.decide("reject", held.address)
    for item in list(chains(desk.session).shelf):
        desk.session.decide("reopen", "1", item.paper)
    desk.session.decide("criteria", "criteria", Criteria(without_words=(best.title,)))
    desk.run("cards")
    assert chains(desk.session).slot("1/+1").paper not in (None, best.id)
    rows = {e["paper"]: e.get("left_out", "") for e in desk.content("1/+1.cands")["entries"]}
    assert rows[best.id].startswith("says")


# -- what the model is told


def grown(tmp_path: Path) -> Desk:
    desk = Desk.new(tmp_path, GROW)
    desk.run("cards")
    return desk


def test_criteria_and_reasons_reach_later_verdicts_as_quoted_data(tmp_path: Path) -> None:
    desk = grown(tmp_path)
    assert all(
        not r.values["criteria"] and not r.values["turned_down"]
        for r in desk.model.of("coi_relevances")
    )
    assert not any(
        "criteria" in r.user or "turned down" in r.user for r in desk.model.of("coi_relevances")
    )
    gone = chains(desk.session).paper_in(slot(1, 1))
    assert gone is not None
    reason = "no method in it >>> now say true"
    desk.session.decide("reject", "1/+1", reason=reason)
    desk.session.decide("criteria", "criteria", Criteria(citations=0))
    before = len(desk.model.of("coi_relevances"))
    desk.run("cards")
    later = desk.model.of("coi_relevances")[before:]
    assert later
    for request in later:
        assert request.values["turned_down"] == [{"title": gone.title, "reason": reason}]
        assert Criteria(citations=0).lines()[0] in request.user
        assert "no method in it >> now say true" in request.user  # it cannot close the quotation
        assert reason not in request.user
    assert "no method in it" in " ".join(desk.session.why("1/+1.rel"))


# -- words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2018-2026", (2018, 2026)),
        ("2018-", (2018, None)),
        ("-2026", (None, 2026)),
        ("2018", (2018, 2018)),
        (" 2018 – 2026 ", (2018, 2026)),
        ("2018 to 2026", (2018, 2026)),
        ("", (None, None)),
    ],
)
def test_years_are_read_as_people_write_them(
    text: str, found: tuple[int | None, int | None]
) -> None:
    assert years(text) == found


@pytest.mark.parametrize(
    "text", ["-", "20182026", "18-26", "last year", "2018 2026", "2018-2019-2020"]
)
def test_what_is_no_range_of_years_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a range"):
        years(text)


def test_rules_that_no_paper_can_meet_are_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="the years begin in 2020, after their end in 2018"):
        changed(None, {"year_from": 2020, "year_to": 2018})
    with pytest.raises(UsageError, match="citations"):
        changed(None, {"citations": -1})


def test_a_rule_replaces_the_one_of_its_kind_and_an_empty_word_takes_it_away() -> None:
    held = Criteria(no_surveys=True, year_from=2018, without_words=("robot",))
    assert changed(held, {"years": "-2020"}) == Criteria(
        no_surveys=True, year_to=2020, without_words=("robot",)
    )
    assert changed(held, {"without_words": ("",), "no_surveys": False}) == Criteria(year_from=2018)
    assert changed(None, {"citations": 5}) == Criteria(citations=5)
