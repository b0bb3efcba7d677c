"""Retractions and corrections: asked for with the novelty check, stored with the paper, and shown
wherever the paper is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.present.candidate_list import candidates
from coi_tui.present.formats.bib import entry
from coi_tui.present.snapshot import WITH_APPENDIX
from tests.support.desk import Desk, chains, copy_of
from tests.support.world import MemorySource, make_world

GONE, MENDED = "retraction 2024-02-01 DOI:10.1000/gone", "correction 2023 DOI:10.1000/mended"
WORLD = make_world()


@dataclass
class Registry(MemorySource):
    """A source with a registry behind it. ``says``: the notices by paper, ``down``: why it cannot
    be asked."""

    says: dict[str, str] = field(default_factory=dict)
    down: str = ""

    async def noticed(self, papers: Sequence[Paper]) -> list[Paper]:
        for paper in papers:
            self.asked.append(("notices", paper.id))
        if self.down:
            raise ServiceError("Registry", self.down, "Registry was not reached.")
        found = [paper for paper in papers if paper.id in self.says]
        return [p.model_copy(update={"notices": (self.says[p.id],)}) for p in found]


def checked(
    folder: Path, *, down: str = "", of_rival: str = MENDED
) -> tuple[Desk, Registry, str, str]:
    """A session whose idea was checked, its registry, a paper of the chain, and a rival."""
    desk = copy_of(folder, "one", "directions")
    chained = chains(desk.session).slot("1/-1").paper
    outside = [
        p for p in WORLD.middle if p not in {s.paper for s in chains(desk.session).filled(1)}
    ]
    assert chained is not None
    source = Registry(WORLD, finds=lambda _: outside[:3], down=down)
    source.says = {chained: GONE, outside[0]: of_rival}
    desk.source = source
    desk.run("novelty")
    return desk, source, chained, outside[0]


def test_notices_stand_beside_the_paper_in_detail_lists_references_and_one_warning(
    tmp_path: Path,
) -> None:
    desk, source, chained, rival = checked(tmp_path)
    session = desk.session
    asked = [paper for kind, paper in source.asked if kind == "notices"]
    assert {chained, rival} <= set(asked)
    assert dict(session.detail("1/-1").parts)["Notices"] == GONE
    rows = {row.paper: row.flags for row in candidates(session.state, "1/-1").entries}
    assert any("retracted" in flag for flag in rows[chained])
    paper = session.state.papers[chained]
    assert GONE in entry("key", paper)
    assert f"{GONE}." in session.exports.text("md", WITH_APPENDIX)
    assert MENDED in session.exports.text("md", WITH_APPENDIX)
    data = json.loads(session.exports.text("json"))
    warned = [w for w in data["warnings"] if w["kind"] == "Retracted"]
    assert [w["addresses"] for w in warned] == [["1/-1"]], "a correction is no retraction"
    assert paper.title in warned[0]["text"]
    left_out = {one.address: one.off for one in session.undecided(1)}
    assert left_out["1/-1"] == "retracted"


@pytest.mark.parametrize("kind", ["offline", "unreachable"])
def test_where_nobody_can_be_asked_the_check_stands_and_says_no_more_than_that(
    tmp_path: Path, kind: str
) -> None:
    desk, *_ = checked(tmp_path, down=kind)
    assert not any(paper.notices for paper in desk.state.papers.values())
    assert desk.content("1/nov")["papers"]
    said = " ".join(desk.session.why("1/nov"))
    assert ("Registry was not reached." in said) == (kind == "unreachable")
