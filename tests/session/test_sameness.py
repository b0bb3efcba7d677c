"""How alike the ideas of a session are, beside what its papers give among each other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from coi_tui.config import VectorSettings
from coi_tui.methods.base.reads import FACETS
from coi_tui.model.document import Section, Table
from coi_tui.present.sameness import by_vectors, by_words, compared_texts, sameness
from coi_tui.present.snapshot import ProposalOptions
from coi_tui.session.session import Session
from tests.support import vectors
from tests.support.desk import Desk, copy_of

WALRUS = "A walrus sorts cold fish by the length of their fins"
CODE = "Compilers check types of every expression before a program runs"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "full", "ideas")


def measured(session: Session) -> list[tuple[str, ...]]:
    return table(sameness(session.state, asyncio.run(session.measured_sameness())))


def write(desk: Desk, *texts: str) -> None:
    for branch, text in enumerate(texts, 1):
        parts = [f"## {name}\n{text}" for name in ("Title", "Summary", *FACETS)]
        desk.session.edits.save(f"{branch}/idea", "\n\n".join([*parts, f"## Final\n{text}"]))


def test_the_same_idea_three_times_is_one_and_different_ones_are_less(desk: Desk) -> None:
    write(desk, WALRUS, WALRUS, WALRUS)
    found = by_words(desk.session.state)
    assert found is not None
    assert found.ideas == pytest.approx(1)
    assert found.facets == pytest.approx(dict.fromkeys(FACETS, 1))
    write(desk, WALRUS, CODE, WALRUS)
    apart = by_words(desk.session.state)
    assert apart is not None
    assert apart.ideas == pytest.approx(1 / 3, abs=0.02)
    assert apart.nearest[:2] == (1, 3)
    assert apart.nearest[2] == pytest.approx(1)


def test_chance_is_what_the_papers_give_by_the_same_weights(desk: Desk) -> None:
    found = by_words(desk.session.state)
    assert found is not None
    assert found.papers is not None
    assert 0 <= found.papers < 1
    assert found.number == 3
    assert found.of > 1


def test_one_idea_has_nothing_to_be_alike_to(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "review")
    assert sameness(desk.session.state) == ()


def test_parked_ideas_do_not_count(desk: Desk) -> None:
    desk.session.decide("park", "3")
    found = by_words(desk.session.state)
    assert found is not None
    assert found.number == 2


def test_vectors_are_measured_the_same_way(desk: Desk) -> None:
    write(desk, WALRUS, WALRUS, CODE)
    state = desk.session.state
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
    rows = table(sameness(desk.session.state))
    assert len(rows) == 1 + len(FACETS)
    assert all(part in cells[0] for part, cells in zip(("whole", *FACETS), rows, strict=True))
    heading = "Sameness"
    assert heading in [head.capitalize() for head, _ in desk.session.detail("A").parts]
    text = desk.session.exports.text("md", ProposalOptions(appendix=True))
    assert heading in text


def test_a_model_that_is_installed_is_used_and_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = desk.session
    plain = measured(session)
    assert plain == table(sameness(session.state))
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
