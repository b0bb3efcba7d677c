"""SCI-1 to SCI-9 in a session: records, three routes, scores, clusters and picks."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.paper_similarity import LocalVectors
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.sentence_vectors import SentenceVectors
from tests.methods.scipip.frogs import WORDS, desk_of, frogs, prompts_shown, used
from tests.support.desk import run
from tests.support.vectors import install
from tests.support.world import MemorySource


def test_sci_1_records_are_the_cards_of_the_papers_picked_and_say_so_where_one_cannot_be_read(
    tmp_path: Path,
) -> None:
    source = MemorySource(frogs(), lists=True)
    gone: list[str] = []

    def text_of(paper: Paper) -> PaperText:
        gone[:] = gone or [paper.id]
        return PaperText(
            paper=paper.id,
            kind="none" if paper.id in gone else "abstract",
            text=paper.abstract or "",
        )

    source.text_of = text_of
    desk = desk_of(tmp_path, source=source)
    run(desk)
    rows = desk.content("S1/records")["papers"]
    assert [row["paper"] for row in rows] == used(desk)
    unread = [row["paper"] for row in rows if row.get("unread")]
    assert unread == gone
    assert all(row["problem"] for row in rows if not row.get("unread"))
    assert len(prompts_shown(desk, "scipip_problem")["papers"]) == len(rows) - 1


def test_sci_3_no_more_than_ten_entities_come_from_the_brainstorm_and_five_from_another_text(
    tmp_path: Path,
) -> None:
    def many(request: ChatRequest) -> dict[str, Any]:
        names = [(label, f"{word} {label}x") for label in ("T1", "T2") for word in WORDS]
        return {
            "entities": [{"text": label, "name": name} for label, name in names]
            + [{"text": "T1", "name": "one"}]
        }

    desk = desk_of(tmp_path, {"scipip_entities": many})
    run(desk, "entities")
    content = desk.content("S1/entities")
    of = [row["of"] for row in content["entities"]]
    assert (of.count(["background"]), of.count(["brainstorm"])) == (5, 10)


def test_sci_6_where_citations_cannot_be_had_the_other_routes_stand_and_a_note_says_so(
    tmp_path: Path,
) -> None:
    source = MemorySource(frogs(), lists=True, fails=lambda what: what.startswith("arXiv"))
    desk = desk_of(tmp_path, source=source)
    run(desk, "retrieval")
    found = desk.content("S1/retrieved")
    assert used(desk)
    assert "not complete" in found["note"]


# -- beyond what the sources find


class OtherSessions:
    """A shared library with one paper that no source finds, and one about something else."""

    async def papers(self) -> list[Paper]:
        text = "Glass frogs sleep on moss. We watch glass frogs asleep. They wake."
        return [
            Paper(id="arXiv:19.01", title="Glass frogs asleep on moss", abstract=text),
            Paper(id="arXiv:19.02", title="Trade in amber", abstract="Amber was sold."),
        ]


def test_sci_2_papers_of_other_sessions_are_searched_by_the_route_by_meaning(
    tmp_path: Path,
) -> None:
    desk = desk_of(tmp_path)
    desk.more["library"] = OtherSessions()
    run(desk, "retrieval")
    near = [row["paper"] for row in desk.content("S1/nearest")["papers"]]
    assert "arXiv:19.01" in near
    assert "arXiv:19.02" not in near


def test_sci_8_clusters_are_by_vectors_where_the_session_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors that know four words take all papers on frogs for one, which their words do not."""
    desk, folder = desk_of(tmp_path), tmp_path / "model"
    monkeypatch.setattr(install(monkeypatch, folder), "words", ("frog", "ice", "islet", "jetty"))
    desk.more["vectors"] = LocalVectors(SentenceVectors(folder), None)
    run(desk, "retrieval")
    found = desk.content("S1/retrieved")
    assert "sentence vectors" in found["ranked"]
    on_frogs = {f"arXiv:20.{n:02d}" for n in range(6)}
    cluster = {row["paper"]: row["cluster"] for row in found["papers"]}
    assert {paper for paper in cluster if cluster[paper] == cluster["arXiv:20.02"]} == on_frogs
    assert 0 < len(on_frogs & set(used(desk))) < len(used(desk)), "one a cluster in turn"
    assert desk.session.verify() == []
