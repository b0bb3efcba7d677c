"""A preview tells what a choice does before it is made, what is known of the papers of a list can be
shown, and nothing is written."""

from dataclasses import replace
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.present.candidate_list import about, candidates
from coi_tui.session import lookup
from coi_tui.session.decisions.preview import words
from coi_tui.session.lookup import Papers
from tests.support.desk import chains, copy_of

OTHER = Paper(id="arXiv:1", title="A paper of one's own", year=2017)


def test_a_preview_says_why_a_paper_cannot_stand_there(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    twice = s.preview("1/+1", s.state.papers[chains(s).slot("1/0").paper or ""])
    assert "in this chain already" in twice.problem
    early = s.preview("1/+1", OTHER.model_copy(update={"year": 1950}))
    assert "older than its predecessor" in early.problem
    assert early.problem in words(early, s.state)[0][1]


def test_a_method_without_slots_is_offered_no_place_for_a_paper(tmp_path: Path) -> None:
    """What a preview offers the decision takes: only numbered branches have a chain."""
    s = copy_of(tmp_path, "small").session
    branch = f"{s.add_method('SciPIP')}/1"
    for address in ("S1", branch, f"{branch}/0"):
        assert s.preview(address, OTHER).problem, address
        with pytest.raises(UsageError):
            s.decide("pin", address, paper=OTHER)
    assert not any(slot.paper for slot in chains(s).slots_of(branch))


async def test_several_titles_are_listed_and_none_is_guessed(tmp_path: Path) -> None:
    s = copy_of(tmp_path, "small").session
    answer = await s.papers.look_up("chain of thought")
    assert len(answer.papers) > 1
    assert not answer.sure
    whole = await s.papers.look_up(answer.papers[0].title)
    assert whole.sure
    assert whole.papers == answer.papers[:1]
    with pytest.raises(UsageError, match="No paper was found"):
        await s.papers.look_up("quixotic beekeeping zymurgy")
    with pytest.raises(UsageError, match="Nothing was given"):
        await s.papers.look_up("  ")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("upset visualisation of intersecting", "UpSet: Visualization of Intersecting Sets"),
        ("intersecting sets upset", "UpSet: Visualization of Intersecting Sets"),
        (
            "Parralel coordinates",
            "Parallel coordinates: a tool for visualizing multi-dimensional geometry",
        ),
        ("vega-lit", "Vega-Lite: A Grammar of Interactive Graphics"),
    ],
)
async def test_a_part_of_a_title_or_one_with_typing_errors_finds_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, title: str
) -> None:
    asked: list[str] = []

    async def ask(_: object, said: str) -> list[Paper]:
        asked.append(said)
        return []

    monkeypatch.setattr(Papers, "_titles_online", ask)
    session = copy_of(tmp_path, "small").session
    online = replace(session.setup, online_source=True)
    monkeypatch.setattr(lookup, "setup_of", lambda *_: online)
    found = await session.papers.look_up(text)
    assert (found.papers[0].title, found.sure, asked) == (title, False, [text])
    with pytest.raises(UsageError):
        await session.papers.look_up("beekeeping")


def test_what_is_known_of_each_paper_of_a_list_can_be_shown(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small", "ideas").session
    anchor = chains(session).slot("1/0").paper
    session.decide("choose", "1/0", candidates(session.state, "1/0").entries[-1].paper)
    session.decide("reject", "1/0", reason="too old")
    listed = {one.paper for one in candidates(session.state, "1/0").entries}
    unlisted = next(p for p in session.state.papers.values() if p.id not in listed)
    session.decide("pin", "1/0", paper=unlisted)
    found = candidates(session.state, "1/0").entries
    assert {anchor, unlisted.id} <= {one.paper for one in found}
    assert any(one.match is None for one in found)
    assert all(about(session.state, one) for one in found)


# -- the kind: a format of a number that may be missing
