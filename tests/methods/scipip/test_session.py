"""SciPIP's ideas are ideas like any other."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from coi_tui.engine.declarations import Scope
from coi_tui.methods.ideas.stages import ARENA
from coi_tui.services.llm.chat import ChatRequest
from tests.methods.scipip.frogs import desk_of
from tests.support.desk import run
from tests.support.script import reply_to


def test_a_plan_draws_on_what_was_read_of_the_papers(tmp_path: Path) -> None:
    def card(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "evidence": f"Watch {request.values['title']}."}

    desk = desk_of(tmp_path, {"coi_read": card})
    run(desk, "review")
    plan = desk.model.of("coi_experiment")[0].values
    read: Any = desk.content("S1/records")["papers"]
    shown: Any = plan["experiments"]
    assert [row["experiment"] for row in shown] == [f"Watch {row['title']}." for row in read]


def test_the_arena_is_reached_once_all_matches_are_played(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    run(desk, "ideas")
    assert desk.session.queries.shortfall("selection", ARENA)
    plan = desk.session.planner.to_stage("selection", Scope(instance=ARENA))
    assert asyncio.run(desk.go(plan)).state == "done"
    assert not desk.session.queries.shortfall("selection", ARENA)
