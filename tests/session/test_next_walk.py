"""What *Next* says can be done, and does something: in every state of the journeys, and again after it was
done, until the proposal is written or a paper has to come from the person."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.model.criteria import Criteria
from coi_tui.model.papers import Paper
from coi_tui.present.candidate_list import candidates
from coi_tui.services.llm.offline import TO_WRITE
from coi_tui.services.sources.starter.source import bundled
from coi_tui.session import wording
from coi_tui.session.environment import Environment
from coi_tui.session.new_session import NewSessionDraft, create_session, not_covered
from coi_tui.session.recorded_session import open_recorded
from coi_tui.session.session import Session
from coi_tui.session.wording import Verdict
from coi_tui.store.summary import NextStep
from tests.session.test_next_step import KEYS, write
from tests.support.desk import bare, chains
from tests.ui.helpers import TOPIC, places

from .moves import decided

FAR = "few-shot reasoning over molecular graphs"
Change = Callable[[Session], object]


@contextmanager
def begun(folder: Path, topic: str, stage: str = "", **more: Any) -> Iterator[Session]:
    """A session without a model or a network, as the form makes it; run to a stage where one is named."""
    draft = NewSessionDraft(topic, **more)
    with create_session(draft, bare(folder), draft.bounds) as session:
        if stage:
            asyncio.run(session.runs.run(session.planner.to_stage(stage)))
        yield session


def known_paper(session: Session) -> Paper:
    """A paper that a person knows and no list of this session holds."""
    listed = {one.paper for one in candidates(session.state, "1/0").entries}
    taken = {slot.paper for slot in chains(session).slots.values()}
    return next(p for p in bundled()[0].papers.values() if p.id not in listed | taken)


# -- to do what it says


def _choose(session: Session, address: str) -> None:
    free = [one for one in candidates(session.state, address).entries if one.mark == " "]
    assert free, "candidates are offered and none can be chosen"
    session.decide("choose", address, free[0].paper)


def _run_to(session: Session, step: NextStep) -> None:
    named = [n for n, one in session.methods.instances.items() if one.name == step.method]
    instance = named[0] if named else next(iter(session.methods.instances))
    plan = session.planner.to_stage(step.stage, Scope(instance=instance))
    assert not plan.empty
    asyncio.run(session.runs.run(plan))


DOES: dict[str, Callable[[Session, NextStep], object]] = {
    "accept": lambda s, step: s.decide("accept", step.address),
    "accept_all": lambda s, step: s.decide("accept_all", "session", [step.address]),
    "write": lambda s, step: write(s, step.address),
    "enter": lambda s, step: asyncio.run(s.runs.run(s.planner.to_retry(step.address))),
    "diff": lambda s, step: s.decide("keep", step.address),
    "refresh_all": lambda s, _: asyncio.run(s.runs.run(s.planner.to_refresh())),
    "candidates": lambda s, step: _choose(s, step.address),
    "uncovered": lambda s, step: s.decide("pin", step.address, paper=known_paper(s)),
    "pin": lambda s, step: s.decide("pin", step.address, paper=known_paper(s)),
    "edit": lambda s, _: s.edits.save("topic", TOPIC),
    "generate": _run_to,
    "pick": lambda s, step: s.decide("pick", step.address),
}


def walk(session: Session, *, at: str = "", most: int = 150) -> list[str]:
    """Do what comes next, and each time also what it says besides, until it is the export; the actions
    in their order."""
    done: list[str] = []
    while (step := session.next_step(at=at)).action != "export":
        assert len(done) < most, (step, done[-12:])
        assert step.action in wording.ACTIONS
        said = (wording.by_keys(step, KEYS), wording.by_commands(step, "walk"))
        assert all(len(line) > len("Next: ") for line in said)
        row = next((r for r in session.rows() if r.address == step.address), None)
        if step.action in ("accept", "accept_all"):
            version = session.state.in_use(step.address)
            assert version is None or TO_WRITE not in str(version.content), step
            assert not session.refusals(step.address)["accept"]
        if row is not None and row.verdict is Verdict.REJECTED:
            raise AssertionError(f"{step} asks for what was rejected")
        before = session.state.seq
        DOES[step.action](session, step)
        assert session.state.seq > before, f"{step} did nothing"
        if step.stage and step.action != "generate":
            onward = session.next_step(at=at)
            if onward.stage == step.stage:
                before = session.state.seq
                _run_to(session, onward)
                assert session.state.seq > before, f"{onward}: the run did nothing"
        done.append(step.action)
    return done


STAGES = ("", "anchors", "cards", "ideas", "novelty")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("topic", [TOPIC, FAR], ids=["near", "far"])
def test_from_every_stage_it_leads_to_the_proposal(tmp_path: Path, topic: str, stage: str) -> None:
    with begun(tmp_path, topic, stage, branches="2", length="3") as session:
        done = walk(session)
        assert session.state.ideas()
        if topic == FAR:
            assert "uncovered" in done
            assert "candidates" not in done[: done.index("uncovered")]


MOVES: dict[str, tuple[str, Change]] = {
    "the anchor is rejected": ("anchors", decided("reject", "1/0", reason="old")),
    "a question is rejected": ("anchors", decided("reject", "Q1", reason="old")),
    "every anchor is rejected": (
        "anchors",
        lambda s: [
            s.decide("reject", slot.address, reason="old")
            for slot in list(chains(s).slots.values())
            if slot.paper and slot.pos == 0
        ],
    ),
    "the topic is another": ("cards", lambda s: s.edits.save("topic", "graph neural networks")),
    "the topic is far away": ("ideas", lambda s: s.edits.save("topic", FAR)),
    "a trend is edited": (
        "ideas",
        lambda s: s.edits.save(chains(s).pairs(1)[0], "It is so."),
    ),
    "a paper is rejected": ("ideas", decided("reject", "1/+1", reason="old")),
    "the idea is rejected": ("novelty", decided("reject", "1/idea", reason="old")),
    "the branch is set aside": ("novelty", decided("set_aside", "1")),
    "another method": ("ideas", lambda s: s.add_method("SciPIP")),
    "criteria": ("anchors", decided("criteria", "criteria", Criteria(year_to=1900))),
}


@pytest.mark.parametrize("name", MOVES)
def test_whatever_was_decided_it_leads_on(tmp_path: Path, name: str) -> None:
    stage, change = MOVES[name]
    with begun(tmp_path, TOPIC, stage, branches="2", length="3") as session:
        change(session)
        walk(session)


RECORDED: dict[str, Change] = {
    "as it comes": lambda s: None,
    "a trend is edited": lambda s: s.edits.save("1/0..+1", "It is otherwise."),
    "the idea is edited": lambda s: s.edits.save("1/idea", "It is otherwise."),
    "the tip is rejected": lambda s: s.decide("reject", "1/+2", reason="old"),
}


@pytest.mark.parametrize("name", RECORDED)
def test_in_the_recorded_session_without_a_model(tmp_path: Path, name: str) -> None:
    with open_recorded(bare(tmp_path)) as session:
        RECORDED[name](session)
        walk(session)


# -- a topic that the papers do not cover


def test_it_is_known_before_the_session_is_made(tmp_path: Path) -> None:
    where = bare(tmp_path), True
    assert not_covered(FAR, *where)
    assert not not_covered(TOPIC, *where)
    assert not not_covered("", *where)
    assert not not_covered(FAR, Environment(places(tmp_path), Settings(), Keys(llm="k")), False)
    own = places(tmp_path).own_papers
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("[]", encoding="utf-8")
    assert not not_covered(FAR, *where)  # what those cover is seen by searching them
