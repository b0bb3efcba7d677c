"""Rules of the state that are easily broken: growth of inputs, undo, late results, gaps, forks."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coi_tui.model.address import slot
from coi_tui.model.entries import Decision, meanings_of
from coi_tui.model.papers import Paper
from coi_tui.model.text import digest
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import FULL, Desk, chains, copy_of, version_at
from tests.support.script import HashModel, reply_to, shown
from tests.support.state_dump import dump
from tests.support.world import MemorySource, make_world


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small")


def own_paper(desk: Desk, beside: str, key: str = "arXiv:own") -> Paper:
    branch, pos = beside.split("/")
    near = chains(desk.session).paper_in(slot(int(branch), int(pos)))
    assert near is not None
    return Paper(
        id=key, title=f"Own paper {key}", year=near.year, abstract="an abstract", source="you"
    )


def test_what_stood_on_an_undone_decision_is_void(desk: Desk) -> None:
    """Undo refolds without the decision; what stood on it is void, and what it had placed is gone;
    machine decisions are not undone."""
    s = desk.session
    s.decide("reject", "1/-1", reason="no")
    own = own_paper(desk, "1/0")
    s.decide("pin", "1/-1", paper=own)
    place = {"paper": "arXiv:beyond", "needs": {"1/-1": own.id}}
    s.journal.write([Decision(actor="coi", action="propose", address="1/-2", value=place)])
    assert chains(s).chain(1) == [-2, -1, 0, 1]
    assert s.undo() == "pin 1/-1"
    assert chains(s).chain(1) == [0, 1]
    assert chains(s).slot("1/-2").paper is None
    assert [why for _, why in s.state.void] == ["the chain changed meanwhile"]
    s.redo()
    assert chains(s).chain(1) == [-2, -1, 0, 1]
    assert s.state.void == ()
    s.undo()
    s.undo()
    with pytest.raises(Exception, match="nothing to undo"):
        s.undo()
    assert chains(s).slot("1/0").paper is not None  # proposed by the machine


def test_a_text_saved_as_wording_only_means_what_its_parent_meant(desk: Desk) -> None:
    """A text saved as wording only means what its parent meant, field by field."""
    s = desk.session
    decided = s.edits.save(
        "1/0.card", s.edits.text_of("1/0.card").replace("limits ", "Limits: "), wording_only=True
    )
    assert decided.value["wording_only"] is True
    assert desk.content("1/0.card")["limits"].startswith("Limits: ")
    assert desk.marks() == {}
    version = version_at(s, "1/0.card")
    assert version.meanings["limits"] != meanings_of(version.content)["limits"]
    s.edits.save(
        "1/0.card", s.edits.text_of("1/0.card").replace("## experiment\n", "## experiment\nmine")
    )
    # the field whose wording was changed means what it meant before, also after another field was
    # edited
    winner = s.state.in_use("1/exp") is not None
    assert desk.marks() == ({"stale": {"1/exp"}} if winner else {})
    assert s.verify() == []


def test_a_saved_text_rests_on_the_inputs_seen_when_the_editor_opened(desk: Desk) -> None:
    """A saved text was made from the inputs as they were when the editor opened; drafts are outside
    the fold."""
    s = desk.session
    opened = s.inputs_now("1/dir")
    before, log = dump(s.state), len(s.journal.entries)
    s.file.save_draft("1/dir", "half a sentence", None, opened)
    assert len(s.journal.entries) == log
    assert dump(s.state) == before
    s.edits.save("1/-1..0", "changed while the editor was open")
    s.edits.save("1/dir", "## text\nmine\n\n## note\nmine\n", opened=opened)
    assert s.freshness("1/dir").status == "stale"
    assert s.freshness("1/dir").changed == ("1/-1..0#text",)
    s.undo()
    s.edits.save("1/dir", "## text\nmine\n\n## note\nmine\n")
    assert s.freshness("1/dir").status == "fresh"
    again = desk.reopen()
    assert again.session.file.drafts()["1/dir"].text == "half a sentence"


def test_a_slot_filled_meanwhile_is_not_taken(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "anchors")
    s = desk.session
    own = own_paper(desk, "1/0")

    def meanwhile(request: ChatRequest) -> dict[str, Any]:
        if chains(s).slot("1/+1").paper is None:
            s.decide("pin", "1/+1", paper=own)
        return reply_to(request)

    desk.model.say["coi_relevances"] = meanwhile
    desk.run("chains")
    assert (chains(s).slot("1/+1").paper, chains(s).slot("1/+1").verdict) == (
        own.id,
        "pinned",
    )
    assert len(chains(s).chain(2)) == 3


def wait(seed: int, what: object) -> float:
    return int(digest([seed, what])[:4], 16) / 65536 * 0.004


def test_of_a_paper_wanted_twice_the_lower_branch_then_the_forward_side_wins(
    tmp_path: Path,
) -> None:
    world = make_world()
    anchors = world.middle[:2]
    a, b = (world.papers[x] for x in anchors)
    both = Paper(
        id="arXiv:both",
        title="Wanted by both",
        year=a.year,
        published=f"{a.year}-06",
        abstract="wanted",
        source="memory library",
    )
    world = world.with_paper(both, anchors)
    picks = iter(anchors)
    found: dict[str, str] = {}
    source = MemorySource(world, finds=lambda q: [found.setdefault(q, next(picks, anchors[0]))])
    first = {
        "coi_relevance": lambda r: {
            "reasoning": "r",
            "relevant": r.values["title"] in (both.title, a.title, b.title),
        }
    }
    for seed in (1, 2, 3):
        found.clear()
        picks = iter(anchors)
        desk = Desk.new(
            tmp_path / str(seed),
            FULL.model_copy(update={"branches": 2, "judge_limit": 9}),
            HashModel(first, delay=lambda r, seed=seed: wait(seed, shown(r))),  # type: ignore[misc]
            source,
        )
        desk.run("chains")
        assert chains(desk.session).slot("1/+1").paper == both.id
        assert chains(desk.session).slot("2/+1").paper != both.id
        desk.session.close()
    assert b.id in anchors


def test_a_chain_ends_at_a_gap_and_a_cell_names_the_slot_it_needs(tmp_path: Path) -> None:
    """The chain is the gapless run around 0; a cell that needs an empty slot is stale with that
    reason; pins stay."""
    desk = copy_of(tmp_path, "one")
    s = desk.session
    s.decide("reject", "1/-1", reason="no")
    assert chains(s).chain(1) == [0, 1, 2]
    assert chains(s).slot("1/-2").paper is not None
    assert s.freshness("1/-2..-1").needs[0] == "1/-1"
    line = next(x for x in s.planner.to_refresh().lines if x.address == "1/-2..-1")
    assert "1/-1" in line.off
    assert "which are empty" in line.off
    assert [c["title"] for c in refreshed_chain(desk)] == [
        p.title for pos in (0, 1, 2) if (p := chains(s).paper_in(slot(1, pos)))
    ]
    s.decide("pin", "1/-1", paper=own_paper(desk, "1/0"))
    assert chains(s).chain(1) == [-1, 0, 1, 2]  # -2 is not linked to it and was detached
    assert [i.kind for i in chains(s).shelf] == ["rejected", "detached"]


def refreshed_chain(desk: Desk) -> list[dict[str, Any]]:
    desk.refresh(["1/dir"])
    chain: Any = desk.model.of("coi_direction")[-1].values["chain"]
    return list(chain)


def test_a_fork_shares_its_origin_until_either_is_changed(tmp_path: Path) -> None:
    """A fork shares 0 to its slot and the whole other side, copy on write; what it has is fresh and
    only what it lacks is made."""
    desk = copy_of(tmp_path, "one")
    s = desk.session
    start, log = dump(s.state), len(s.journal.entries)
    new = s.decide("fork", "1/+1").value["branch"]
    assert len(s.journal.entries) == log + 1  # one decision, no text copied
    assert desk.marks() == {}
    assert chains(s).chain(new) == [-2, -1, 0, 1]
    assert desk.content(f"{new}/0..+1") == desk.content("1/0..+1")
    assert s.state.in_use(f"{new}/idea") is None
    s.edits.save("1/0..+1", "mine in the first branch")
    s.edits.save(f"{new}/-1..0", "mine in the fork")
    assert s.edits.text_of("1/-1..0") != "mine in the fork"
    assert s.edits.text_of(f"{new}/0..+1") != "mine in the first branch"
    assert desk.marks()["stale"] == {"1/dir", "1/sketch1", "1/sketch2", "1/sketch3", "1/sketch4"}
    desk.run("ideas")
    assert desk.model.sent.count("coi_direction") == 1
    values: Any = desk.model.of("coi_direction")[0].values
    assert values["trends"][1] == "mine in the fork"
    assert s.state.in_use("1/dir") != s.state.in_use(f"{new}/dir")
    assert s.verify() == []
    for _ in range(3):
        s.undo()
    assert chains(s).chain(new) == []
    assert {k: v for k, v in dump(s.state).items() if k != "ends"} == {
        k: v for k, v in start.items() if k != "ends"
    }


async def test_what_saving_would_change_is_told_while_a_job_commits(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, release = desk.session.journal, asyncio.Event()
    run = journal.file.run

    async def later(method: Any, *args: Any, **kwargs: Any) -> Any:
        await release.wait()
        return await run(method, *args, **kwargs)

    monkeypatch.setattr(journal.file, "run", later)
    known, number = desk.state.in_use("1/dir"), journal.next_seq
    assert known is not None
    commit = asyncio.create_task(journal.commit(lambda state, first: [known]))
    waiting = asyncio.Event()
    asyncio.get_running_loop().call_later(0, waiting.set)
    await waiting.wait()
    assert journal.next_seq > number, "the commit is on its way"
    assert "1/idea" in desk.edits.effect("1/dir", "## text\nother\n\n## note\n").stale
    release.set()
    await commit
