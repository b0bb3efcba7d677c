"""Further drafts of one cell by several models: the price first, no names until one is chosen."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.methods.base.reads import FACETS
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.services.llm.chat import ChatReply, ChatRequest
from coi_tui.session.queries.history import (
    VersionLine,
    cost_table,
    drafts_by_facet,
    open_drafts,
    versions,
)
from coi_tui.session.runs.plans import Plan
from tests.session.test_five_methods import made, open_at
from tests.session.test_operators import ONE_OF_EACH
from tests.support.desk import Desk, copy_of, version_at
from tests.support.scratch import assert_as_from_scratch
from tests.support.script import MAIN, READER, PricedModel, reply_to

__all__ = ["made"]

DRAFTING = ["dear", "cheap", "odd"]
PRICES = {
    MAIN: Price(input=3, output=3),
    "dear": Price(input=2, output=10),
    "cheap": Price(input=0.2, output=1),
}
IDEA = "1/idea"


class EachAnswers(PricedModel):
    """Each model writes its own name into the mechanism; ``broken`` ones fail."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: dict[str, Exception | str] = {}

    def _say(self, request: Any) -> Any:
        if said := self.broken.get(request.model):
            return said
        return self._by(reply_to(request), request.model)

    async def complete(self, request: ChatRequest) -> ChatReply:
        name = request.model
        reply = await super().complete(request)
        return replace(reply, model_asked=name, model_served=f"{name}-2026")

    def _by(self, said: Any, model: str) -> Any:
        if "text" in said:
            said = {**said, "text": f"{said['text']} Written by {model}."}
        return {**said, "mechanism": f"the way of {model}"} if "mechanism" in said else said


def use(desk: Desk, drafting: str = ", ".join(DRAFTING)) -> None:
    roles = {"main": RoleSettings(model=MAIN), "reader": RoleSettings(model=READER)}
    llm = LlmSettings(
        base_url="https://models.example", prices=PRICES, draft_models=drafting, **roles
    )
    desk.session.settings, desk.session.keys = Settings(llm=llm), Keys(llm="sk-any")
    desk.more = {"prices": PRICES, "settings": llm}


def started(folder: Path, drafting: str = ", ".join(DRAFTING)) -> Desk:
    desk = copy_of(folder, "small", "ideas")
    desk.model = EachAnswers()
    use(desk, drafting)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return started(tmp_path)


def plan_of(desk: Desk, address: str = IDEA) -> Plan:
    return desk.planner.to_draft(address)


def draft(desk: Desk, address: str = IDEA) -> None:
    desk.finish(plan_of(desk, address))


def lines(desk: Desk, address: str = IDEA) -> list[VersionLine]:
    return versions(desk.state, address)


def written_by(desk: Desk, seq: int) -> str:
    return str(desk.state.versions[seq].recipe["model"])


def test_the_plan_has_the_price_of_each_model(desk: Desk) -> None:
    plan = plan_of(desk)
    cost = desk.planner.to_make([IDEA], "", again=True).lines[0].cost
    sent, said = cost.prompt_tokens, cost.reply_tokens
    dear, cheap, odd = (line.usd for line in plan.on)
    assert dear == tuple((2 * a + 10 * b) / 1e6 for a, b in zip(sent, said, strict=True))
    assert cheap == pytest.approx(tuple(usd / 10 for usd in dear))
    assert (odd, plan.usd) == (None, None), "unknown is not nothing"
    assert all(name in line.what for name, line in zip(DRAFTING, plan.lines, strict=True))
    assert "cost unknown" in plan.lines[2].takes
    assert plan.asks
    assert plan.calls == tuple(3 * n for n in cost.calls)
    assert plan.models == ", ".join(DRAFTING)


def test_each_model_writes_a_version_and_nothing_else_moves(desk: Desk) -> None:
    before, used = desk.contents(), desk.state.in_use(IDEA)
    draft(desk)
    state = desk.state
    assert desk.contents() == before
    assert (state.in_use(IDEA), desk.marks()) == (used, {})
    made = [state.versions[seq] for seq in open_drafts(state, IDEA)]
    assert {v.recipe["model"] for v in made} == {*DRAFTING}
    for version in made:
        calls = [call for n in version.calls if (call := desk.session.file.call(n)) is not None]
        assert {call.model_asked for call in calls} == {version.recipe["model"]}
        usd = [call.cost_usd for call in calls if call.cost_usd is not None]
        assert version.cost_usd == (pytest.approx(sum(usd)) if usd else None)
        assert version.content["mechanism"] == f"the way of {version.recipe['model']}"
    assert_as_from_scratch(desk.session)


@pytest.mark.parametrize("address", [IDEA, "1/dir"])
def test_nobody_is_named_before_a_choice(desk: Desk, address: str) -> None:
    draft(desk, address)
    rows = lines(desk, address)[:3]
    assert {row.by for row in rows} == {"draft 1", "draft 2", "draft 3"}
    assert [row.cost_usd for row in rows] == [None] * 3
    assert len({row.time for row in rows}) == 1, "nor is the time that each took"
    shown = [*desk.session.why(address), *map(str, rows)]
    shown += [desk.session.detail(address, row.seq).title for row in rows]
    assert not any(name in text for name in DRAFTING for text in shown)
    table = cost_table(desk.session.file.calls())
    assert {row[1] for row in table if row[0] == "further drafts"} == {*DRAFTING}

    chosen = rows[1].seq
    desk.session.decide("use", address, chosen)
    named = {row.seq: row.by for row in lines(desk, address)}
    assert all(named[row.seq] == f"{written_by(desk, row.seq)}-2026" for row in rows)
    used = version_at(desk.session, address)
    assert used.seq == chosen
    assert any(written_by(desk, chosen) in line for line in desk.session.why(address))
    desk.session.undo()
    assert lines(desk, address)[:3] == rows


def test_the_order_says_nothing_of_the_models(desk: Desk, tmp_path: Path) -> None:
    """It follows neither the settings nor who answered first."""
    other = started(tmp_path / "other", ", ".join(reversed(DRAFTING)))
    last = [*other.session.planner.to_draft(IDEA).models.split(", ")]
    assert last == DRAFTING[::-1]
    other.model.delay = lambda request: 0.02 * last.index(request.model)
    draft(desk)
    draft(other)
    one, two = ([written_by(d, row.seq) for row in lines(d)[:3]] for d in (desk, other))
    assert one == two


def test_facets_are_compared_one_by_one(desk: Desk) -> None:
    draft(desk)
    first, *_ = open_drafts(desk.state, IDEA)
    parts = dict(drafts_by_facet(desk.state, IDEA, first))
    told = parts["Mechanism"].splitlines()
    assert [line.partition(":")[0] for line in told] == ["v1", "draft 1", "draft 2", "draft 3"]
    assert len({line.partition(":")[2] for line in told[1:]}) == 3
    for facet in FACETS:
        differs = facet.capitalize() in parts
        assert differs != (facet in parts.get("The same in all", ""))
    used = version_at(desk.session, IDEA)
    assert drafts_by_facet(desk.state, IDEA, used.seq) == []


def test_a_model_drafts_once_from_the_same_inputs(desk: Desk) -> None:
    use(desk, "dear, cheap")
    draft(desk)
    use(desk)
    plan = plan_of(desk)
    assert [bool(line.off) for line in plan.lines] == [True, True, False]
    draft(desk)
    sent = len(desk.model.requests)
    assert plan_of(desk).empty
    draft(desk)
    assert len(desk.model.requests) == sent
    assert len(open_drafts(desk.state, IDEA)) == 3


def test_what_was_answered_is_not_paid_for_twice(desk: Desk) -> None:
    """One model cannot be reached: nothing is there, and the others are not asked again."""
    model = desk.model
    assert isinstance(model, EachAnswers)
    model.broken["odd"] = ServiceError("language model", "unreachable", "It is away.", "")
    assert desk.do(plan_of(desk)).state == "failed"
    assert not open_drafts(desk.state, IDEA)
    asked = [request.model for request in model.requests]
    model.broken.clear()
    planner = desk.planner
    assert planner.to_retry(IDEA).goal == planner.to_draft(IDEA).goal
    draft(desk)
    again = [request.model for request in model.requests][len(asked) :]
    assert {*again} == {"odd"}
    assert len(open_drafts(desk.state, IDEA)) == 3


def test_an_unreadable_answer_is_asked_for_anew(desk: Desk) -> None:
    model = desk.model
    assert isinstance(model, EachAnswers)
    model.broken["cheap"] = "no JSON"
    assert desk.do(plan_of(desk)).state == "failed"
    asked = len(model.requests)
    model.broken.clear()
    draft(desk)
    assert {request.model for request in model.requests[asked:]} == {"cheap"}


def test_a_resume_goes_on_with_the_drafts(desk: Desk) -> None:
    session, plan = desk.session, plan_of(desk)
    asyncio.run(session.runs.approve(plan))
    assert session.planner.to_resume().goal == plan.goal
    use(desk, "")
    assert session.planner.to_resume().goal.step != plan.goal.step


def test_it_is_offered_where_it_can_be_done(desk: Desk) -> None:
    def offered(address: str) -> list[Plan | None]:
        offers = desk.planner.offers(address)
        return [o.plan for o in offers if o.plan and o.plan.goal.step == "further drafts"]

    assert offered(IDEA) == [plan_of(desk)]
    assert len(offered("1/dir")) == 1
    assert offered("1") == offered("1/0.card") == []
    with pytest.raises(UsageError):
        plan_of(desk, "1/0.card")
    desk.session.decide("protect", IDEA)
    assert offered(IDEA) == []
    assert plan_of(desk).empty
    use(desk, " , ")
    assert offered("1/dir") == []
    with pytest.raises(UsageError):
        plan_of(desk, "1/dir")


@pytest.mark.parametrize("branch", ONE_OF_EACH)
def test_ideas_of_each_method_are_drafted(made: Path, tmp_path: Path, branch: str) -> None:
    desk = Desk.copied(made, tmp_path)
    desk = Desk(open_at(desk.closed()).session, EachAnswers())
    use(desk)
    before, address = desk.contents(), f"{branch}/idea"
    if branch == "V1/1":  # the abstract of the team as it is, without a call
        assert plan_of(desk, address).empty
        return
    draft(desk, address)
    assert desk.contents() == before
    drafts = open_drafts(desk.state, address)
    assert {written_by(desk, seq) for seq in drafts} == {*DRAFTING}
    assert plan_of(desk, address).empty
