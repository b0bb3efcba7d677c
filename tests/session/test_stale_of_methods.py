"""Random edits in four methods beside the chain: what reads a changed text is stale, and nothing
else."""

from __future__ import annotations

import random
from collections.abc import Container
from pathlib import Path

import pytest

from coi_tui.model.address import cell_ref, ref
from coi_tui.model.entries import Version
from coi_tui.model.state import value_at
from tests.session.test_five_methods import made
from tests.support.desk import Desk, stale

__all__ = ["made"]


def changed_line(desk: Desk, address: str, rng: random.Random) -> None:
    """A person adds a word to one line of a text."""
    lines = desk.session.edits.text_of(address).split("\n")
    at = rng.choice(
        [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    )
    lines[at] += " changed"
    desk.session.edits.save(address, "\n".join(lines))


def fields_changed(before: Version, after: Version) -> set[str]:
    lists = {name: one for name, one in before.content.items() if isinstance(one, list)}
    names = {*before.content, *after.content}
    names |= {f"{name}.{n}" for name, one in lists.items() for n in range(1, len(one) + 1)}
    return {
        ref(after.address, name)
        for name in names
        if value_at(before.content, name) != value_at(after.content, name)
    }


def readers(used: dict[str, Version], changed: set[str]) -> set[str]:
    """The texts that were made from one of these fields, and what was made from those, by what each
    version says that it read."""
    first = {address for address, version in used.items() if changed & set(version.inputs)}
    found: set[str] = set()
    todo = set(first)
    while todo:
        found |= todo
        todo = {
            a
            for a, v in used.items()
            if a not in found and any(name.partition("#")[0] in todo for name in v.inputs)
        }
    return found


def random_edits_make_their_readers_stale(
    desk: Desk, instances: Container[str], edits: int, seed: int
) -> None:
    """After each edit exactly what was made from the changed fields is stale, and after its undo
    nothing is."""
    rng, session = random.Random(seed), desk.session
    rows = [
        a
        for a in desk.contents()
        if cell_ref(a).instance in instances
        and session.edits.editable(a)
        and session.edits.text_of(a)
    ]
    for address in rng.sample(sorted(rows), edits):
        used = {a: v for a in session.fresh if (v := session.state.in_use(a)) is not None}
        changed_line(desk, address, rng)
        after = session.state.in_use(address)
        assert after is not None
        found = stale(desk) & used.keys()  # without the row that follows an edited facet
        made_from_it = readers(used, fields_changed(used[address], after))
        assert found - {address} == made_from_it - {address}, address
        session.undo()
        assert stale(desk) == set(), address


@pytest.mark.parametrize("seed", range(4))
def test_after_random_edits_exactly_what_was_made_from_them_is_stale(
    made: Path, tmp_path: Path, seed: int
) -> None:
    desk = Desk.copied(made, tmp_path)
    random_edits_make_their_readers_stale(desk, ("S1", "N1", "E1", "O1"), 10, seed)
