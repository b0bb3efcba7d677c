"""The first plan of a session, and which of two budgets holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.money import Limit
from coi_tui.session import opening
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.ui.helpers import TOPIC, places


def made(folder: Path, **settings: float | None) -> Session:
    chosen, bounds = Settings.model_validate(settings), CoiSettings(branches=1)
    return Session.create(
        "s", TOPIC, Environment(places(folder), chosen, Keys()), bounds=bounds, offline=True
    )


async def test_a_session_begins_with_a_free_plan_and_goes_on_stage_by_stage(tmp_path: Path) -> None:
    with made(tmp_path) as session:
        plan = opening.first_plan(session)
        assert plan is not None
        assert plan.goal.until == "anchors"
        await session.runs.run(session.planner.to_stage("chains"))
        assert opening.next_stage(session) == "sketches"  # where a person chooses


@pytest.mark.parametrize(
    ("own", "settings", "cap"),
    [(None, None, None), (2.0, None, 2.0), (None, 3.0, 3.0), (2.0, 3.0, 2.0), (5.0, 3.0, 3.0)],
)
def test_the_smaller_of_two_caps_holds(
    tmp_path: Path, own: float | None, settings: float | None, cap: float | None
) -> None:
    with made(tmp_path, budget_usd=settings) as session:
        if own is not None:
            session.set_cap(Limit(own))
        assert session.cap().usd == cap
        limit = session.runs.budget_for(session.planner.to_stage("anchors")).usd
        assert limit == cap
