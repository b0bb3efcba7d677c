"""All methods in one session: opened, undone, resumed and exported; the manuscript is written for
the idea of a team."""

import re
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.ideas.sketches import WALL
from coi_tui.methods.registry import METHODS
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import ProposalOptions
from tests.methods.virsci.support import SETTINGS as VIRSCI
from tests.methods.virsci.support import crowded
from tests.support.desk import SMALL, Desk, made_once, run, stale
from tests.support.script import HashModel
from tests.support.world import MemorySource

SCIPIP = {"picked": 3, "branches": 2}
NOVA = {"seeds": 2, "each": 2, "lines": 2, "branches": 2, "drafts": 6}
IMITATE = {"papers": 2, "steps": 3}
ADDED: dict[str, dict[str, Any]] = {
    "SciPIP": SCIPIP,
    "Nova": NOVA,
    "VirSci": VIRSCI,
    "Imitate-and-Evolve": IMITATE,
    "One call": {},
}
IDEAS = [1, 2, "S1/1", "S1/2", "N1/1", "N1/2", "V1/1", "E1/1", "O1/1"]


def open_at(path: Path) -> Desk:
    return Desk.at(path, HashModel(), MemorySource(crowded(), lists=True))


@pytest.fixture(scope="module")
def made() -> Path:
    """The session with the ideas of every method; copy it, do not touch it."""
    return made_once("five", _with_every_method)


def _with_every_method(folder: Path) -> Desk:
    desk = Desk.new(folder, SMALL, HashModel(), MemorySource(crowded(), lists=True))
    run(desk, "ideas")
    for method, settings in ADDED.items():
        instance = desk.session.add_method(method, settings)
        if instance == "E1":
            desk.edits.save("E1/choice", "- V1/1/idea\n")
        run(desk, "ideas", instance)
    return desk


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(crowded(), lists=True))


def test_every_method_of_the_registry_stands_in_the_session_with_its_ideas(desk: Desk) -> None:
    names = {method.name for method in desk.session.methods.instances.values()}
    assert names == set(METHODS) - {WALL}
    rows = [row.address for row in desk.session.rows()]
    assert len(rows) == len(set(rows))
    assert [address for address in rows if address.endswith("/idea")] == [
        f"{branch}/idea" for branch in IDEAS
    ]
    assert stale(desk) == set()
    heads = [rows.index(head) for head in ("1", "2", "S1", "S1/1", "N1", "N1/1", "V1", "A", "X")]
    assert heads == sorted(heads)
    read = [str(c.request) for c in desk.session.calls.values() if c.prompt == "coi_read"]
    assert len(read) == len(set(read)), "no paper is read twice"


def test_a_row_shows_texts_and_never_how_they_are_stored(desk: Desk) -> None:
    titles = [row.title for row in desk.session.rows()]
    assert not [title for title in titles if re.search(r"<[\w-]+ |\w='", title)]


def test_one_export_holds_them_all_with_one_list_of_references(desk: Desk) -> None:
    text = desk.session.exports.text("md", ProposalOptions(every_idea=True, appendix=True))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    parts = {re.sub(r"^A\.\d+ ", "", heading) for heading in headings}
    for title in ("Papers read", "Team", "Imitated plan"):
        assert any(part.startswith(title) for part in parts), title
    assert headings.count("References") == 1
    assert set(re.findall(r"#ref-(\d+)\)", text)) <= set(
        re.findall(r"<span id=\"ref-(\d+)\"", text)
    )
    for name in ("VirSci", "Imitate-and-Evolve"):
        assert name in text, "it says its limits"


def test_the_short_ideas_of_every_method_stand_on_one_wall(desk: Desk) -> None:
    rows = [row for row in desk.session.sketch_wall().rows if not row.own_cell]
    assert {row.address.partition("/")[0] for row in rows} == {"S1", "N1", "V1"}
    assert all(row.sketch.title and row.sketch.sentence for row in rows)
    for row in rows:
        desk.session.resolve(row.address)


def test_a_target_that_comes_from_itself_is_refused_and_the_session_opens(desk: Desk) -> None:
    desk.edits.save("N1/choice", "## target\n- N1/1/idea\n\n## theories\n\n## proposals\n")
    desk.do(desk.planner.to_refresh(["N1/target"]))
    assert "comes from this target" in desk.session.failed["N1/target"]
    again = desk.reopen()
    assert "N1/target" in stale(again)
    again.session.undo()
    assert stale(again) == set()


def test_the_export_of_one_idea_warns_of_what_its_own_method_has_stale_and_of_no_other(
    desk: Desk,
) -> None:
    session = desk.session
    session.decide("pick", "S1/1/idea")
    for address in ("S1/problem", "N1/seed1"):
        session.edits.save(address, f"{session.edits.text_of(address)} changed")
    warnings = Proposal(session.exports.snapshot(), None).warnings
    addresses = {a for w in warnings for a in w.addresses}
    assert "S1/first" in addresses
    assert not any(a.startswith("N1/") and not a.endswith("/idea") for a in addresses)
