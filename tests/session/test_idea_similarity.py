"""How alike the ideas of a session are, beside what its papers give among each other."""

import asyncio
from collections.abc import Sequence
from math import dist
from pathlib import Path

import pytest

from coi_tui.config import VectorSettings
from coi_tui.methods.base.reads import FACETS
from coi_tui.model.document import Section, Table
from coi_tui.present.idea_similarity import (
    by_vectors,
    by_words,
    compared_texts,
    idea_similarity,
    spread,
)
from coi_tui.present.snapshot import ProposalOptions
from coi_tui.services.llm.offline import TO_WRITE, is_worksheet
from coi_tui.session.queries.detail import SAME_AS
from coi_tui.session.session import Session
from tests.support import vectors
from tests.support.desk import Desk, copy_of

WALRUS = "A walrus sorts cold fish by the length of their fins"
CODE = "Compilers check types of every expression before a program runs"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "full", "ideas")


def measured(session: Session) -> list[tuple[str, ...]]:
    return table(idea_similarity(session.state, asyncio.run(session.measured_similarity())))


def write(desk: Desk, *texts: str) -> None:
    for branch, text in enumerate(texts, 1):
        parts = [f"## {name}\n{text}" for name in ("Title", *FACETS)]
        desk.edits.save(f"{branch}/idea", "\n\n".join([*parts, f"## Final\n{text}"]))


def test_the_same_idea_three_times_is_one_and_different_ones_are_less(desk: Desk) -> None:
    write(desk, WALRUS, WALRUS, WALRUS)
    found = by_words(desk.state)
    assert found is not None
    assert found.ideas == pytest.approx(1)
    assert found.facets == pytest.approx(dict.fromkeys(FACETS, 1))
    write(desk, WALRUS, CODE, WALRUS)
    apart = by_words(desk.state)
    assert apart is not None
    assert apart.ideas == pytest.approx(1 / 3, abs=0.02)
    assert apart.nearest[:2] == (1, 3)
    assert apart.nearest[2] == pytest.approx(1)


def test_chance_is_what_the_papers_give_by_the_same_weights(desk: Desk) -> None:
    found = by_words(desk.state)
    assert found is not None
    assert found.papers is not None
    assert 0 <= found.papers < 1
    assert found.number == 3
    assert found.of > 1


def test_one_idea_has_nothing_to_be_alike_to(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "review")
    assert idea_similarity(desk.state) == ()


def test_parked_ideas_do_not_count(desk: Desk) -> None:
    desk.session.decide("set_aside", "3")
    found = by_words(desk.state)
    assert found is not None
    assert found.number == 2


def test_vectors_are_measured_the_same_way(desk: Desk) -> None:
    write(desk, WALRUS, WALRUS, CODE)
    state = desk.state
    made = [[1.0, float("walrus" in text)] for text in compared_texts(state)]
    found = by_vectors(state, made, "a model")
    assert found is not None
    assert found.how == "a model"
    assert found.nearest[:2] == (1, 2)
    assert found.papers == pytest.approx(1)


def table(blocks: Sequence[object]) -> list[tuple[str, ...]]:
    (part,) = (block for block in blocks if isinstance(block, Section))
    (found,) = (block for block in part.blocks if isinstance(block, Table))
    return [row.cells for row in found.rows]


def test_it_is_shown_where_ideas_are_compared_and_exported(desk: Desk) -> None:
    rows = table(idea_similarity(desk.state))
    assert len(rows) == 1 + len(FACETS)
    assert all(part in cells[0] for part, cells in zip(("whole", *FACETS), rows, strict=True))
    heading = "Similarity"
    assert heading in [head.capitalize() for head, _ in desk.session.detail("A").parts]
    text = desk.session.exports.text("md", ProposalOptions(appendix=True))
    assert heading in text


def test_a_model_that_is_installed_is_used_and_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = desk.session
    plain = measured(session)
    assert plain == table(idea_similarity(session.state))
    model = vectors.install(monkeypatch, session.paths.data / "models" / "all-MiniLM-L6-v2")
    both = measured(session)
    assert both[: len(plain)] == plain
    assert len(both) == len(plain) + 1
    assert model.seen
    unset = session.settings.model_copy(update={"vectors": VectorSettings(use=False)})
    monkeypatch.setattr(session, "settings", unset)
    assert measured(session) == plain
    monkeypatch.undo()
    vectors.install(monkeypatch, session.paths.data / "models" / "all-MiniLM-L6-v2")
    monkeypatch.setattr(model, "breaks", "no weights")
    assert measured(session) == plain, "a broken model is left out"


# -- two that say the same

SEA = (
    "Walruses that rest on ice floes are counted by drones; a model of the floes' drift corrects the "
    "count for animals that were counted twice. The correction is checked against tagged walruses."
)
SEA_AGAIN = (
    "Drones count walruses on ice floes. Animals counted twice are found by a model of how the floes "
    "drift, and tagged walruses check the corrected count."
)
TYPES = (
    "A compiler infers the types of expressions lazily, so that an editor shows the first error before "
    "the whole program has been read."
)


def directions(desk: Desk, *texts: str) -> None:
    for branch, text in enumerate(texts, 1):
        desk.edits.save(f"{branch}/dir", text)


def notice(desk: Desk, address: str) -> str:
    return dict(desk.session.detail(address).parts).get(SAME_AS, "")


def test_two_directions_that_say_the_same_in_other_words_are_told_at_both(desk: Desk) -> None:
    directions(desk, SEA, SEA_AGAIN, TYPES)
    assert notice(desk, "1/dir").startswith("2/dir (0.")
    assert notice(desk, "2/dir").startswith("1/dir (0.")
    assert SEA[:40] in notice(desk, "2/dir")
    assert notice(desk, "3/dir") == ""


@pytest.mark.parametrize("part", ["idea", "sketch1"])
def test_ideas_and_sketches_are_compared_with_their_like(desk: Desk, part: str) -> None:
    text = f"## Title\nCounting walruses\n\n## Final\n{SEA}\n\n## Problem\n{SEA}"
    if part == "sketch1":
        text = f"## Title\nCounting walruses\n\n## Sentence\n{SEA}"
    for branch in (1, 2):
        desk.edits.save(f"{branch}/{part}", text)
    directions(desk, SEA, TYPES, TYPES)
    assert desk.session.twin(f"1/{part}").startswith(f"2/{part} (")
    assert desk.session.twin("1/dir") == "", "a direction is not compared with an idea"


def test_what_is_rejected_or_set_aside_or_a_worksheet_is_not_told(desk: Desk) -> None:
    directions(desk, SEA, SEA_AGAIN, TYPES)
    desk.session.decide("set_aside", "2")
    assert notice(desk, "1/dir") == ""
    desk.session.decide("take_up", "2")
    assert notice(desk, "1/dir")
    for address in ("topic", "Q1", "1/0", "1/exp", "reading"):
        assert desk.session.twin(address) == ""
    [own] = [v for v in [desk.state.in_use("1/dir")] if v]
    content = {**own.content, "note": TO_WRITE}
    drafted = own.model_copy(update={"origin": "drafter", "content": content})
    desk.state.versions[own.seq] = drafted
    assert is_worksheet(drafted), "what the built-in rules write is all alike"
    assert notice(desk, "2/dir") == ""


def test_texts_that_share_words_stand_near_each_other() -> None:
    texts = {
        "a": {"title": "A beetle that rolls dung by starlight"},
        "b": {"title": "Beetles roll dung, led by starlight"},
        "c": {"title": "Prices of tulips in Haarlem"},
        "d": {"title": "Tulips and their prices in old Haarlem"},
    }
    places = spread(texts)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places.values())

    def apart(one: str, other: str) -> float:
        return dist(places[one], places[other])

    assert max(apart("a", "b"), apart("c", "d")) < min(apart("a", "c"), apart("b", "d"))


def test_texts_that_say_the_same_have_one_place() -> None:
    places = spread({name: {"title": "Beetles"} for name in "abc"})
    assert all(0 <= number <= 1 for place in places.values() for number in place)
