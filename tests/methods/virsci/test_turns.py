"""VIR-3: the prompt of each turn holds exactly what it may, over random discussions with guests,
struck replies and words of the person."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.virsci.tasks import UNREAD
from coi_tui.methods.virsci.team import Team
from coi_tui.model.address import parse_address
from coi_tui.services.llm.types import ChatRequest
from tests.methods.virsci.support import crowded, desk_of
from tests.support.desk import Desk, run
from tests.support.script import Say, shown
from tests.support.world import MemorySource

TELLING = {
    "said": "text",
    "sum": "text",
    "mine": "text",
    "subject": "text",
    "draft": "idea",
    "digest": "text",
    "vote": "reason",
    "abstract": "introduction",
    "revised": "introduction",
}
"""The field by which the words of a cell are known again in a prompt: no two cells say the same."""


def random_talk(rng: random.Random) -> dict[str, Say]:
    """A team in which some ask outsiders, leaders stop early now and then, and some votes cannot be
    read."""

    def topic(request: ChatRequest) -> Any:
        h, others = shown(request), request.values["outsiders"]
        asks = rng.random() < 0.5 and bool(others)
        return {
            "text": f"reply {h}",
            "guest": {"name": rng.choice(others)["name"], "question": f"asks {h}"}  # type: ignore[arg-type]
            if asks
            else None,
        }

    def summary(request: ChatRequest) -> Any:
        return {"text": f"summary {shown(request)}", "why": "why", "enough": rng.random() < 0.3}

    def vote(request: ChatRequest) -> Any:
        h = shown(request)
        return (
            {"reason": f"reason {h}", "choice": rng.choice("ABC")}
            if rng.random() < 0.8
            else "no vote at all"
        )

    return {"virsci_topic": topic, "virsci_summary": summary, "virsci_vote": vote}


def words(desk: Desk) -> dict[str, str]:
    """What each cell of the team says."""
    found = {}
    for address, content in desk.contents().items():
        field = TELLING.get(parse_address(address).part)
        if field and parse_address(address).instance == "V1" and content.get(field):
            found[address] = str(content[field])
    return found


def there(desk: Desk, addresses: list[str]) -> set[str]:
    state = desk.session.state
    return {
        address
        for address in addresses
        if state.in_use(address) is not None and not state.cell(address).rejected
    }


def may_hold(desk: Desk, address: str) -> set[str]:
    """The cells whose words a prompt may hold, and must: written down apart from the reads of the
    steps. The cells of turn 0 do not exist."""
    at, team = parse_address(address), Team(desk.session.state, "V1")
    last, size, cell = team.turns("sum"), len(team.seats), team.cell
    before: list[str] = []
    match at.part, at.numbers:
        case "said" | "sum", (turn, *seat):
            heard = range(1, seat[0] if seat else size + 1)
            before = [cell("sum", k) for k in range(1, turn)] + [cell("mine", turn - 1)]
            before += [cell(name, turn, k) for k in heard for name in ("said",)]
        case "subject", ():
            before = [cell("sum", k) for k in range(1, last + 1)] + [cell("mine", last)]
            before += [cell(name, last, k) for k in team.seats for name in ("said",)]
        case "draft" | "digest", (turn, *seat):
            heard = range(1, seat[0] if seat else size + 1)
            before = ["V1/subject", *(cell("digest", k) for k in range(1, turn))]
            before += [cell("draft", turn, k) for k in heard]
        case "vote", _:
            before = ["V1/subject", *(f"V1/draft{item}" for item in team.voted())]
        case "abstract", (_, 1):
            before = [f"V1/draft{team.ranked()[0]}"]
        case "abstract", (attempt, seat):
            before = [cell("abstract", attempt, seat - 1)]
    return there(desk, before)


def prompt_of(desk: Desk, address: str) -> str:
    """The prompt that the words in use at an address came from."""
    version = desk.session.state.in_use(address)
    assert version is not None
    asked = [
        call for number in version.calls if (call := desk.session.core.calls[number]).kind == "chat"
    ]
    return str(asked[0].request)  # a further one asks again after an answer that could not be read


def held_in(text: str, every: dict[str, str]) -> set[str]:
    return {address for address, said in every.items() if said in text}


@pytest.mark.parametrize("seed", range(5))
def test_vir_3_the_prompt_of_each_turn_holds_exactly_what_it_may(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    team, turns = rng.randint(2, 4), rng.randint(1, 3)
    desk = desk_of(
        tmp_path,
        random_talk(rng),
        MemorySource(crowded(), lists=True),
        team=team,
        turns=turns,
    )
    run(desk, "topic-1")
    if rng.random() < 0.7:
        desk.session.edits.save("V1/mine1", "The researcher says moss.")
    if rng.random() < 0.7:
        desk.session.decide(
            "reject",
            Team(desk.session.state, "V1").cell("said", 1, rng.randint(1, team)),
            reason="beside the point",
        )
    desk.refresh()
    run(desk, "vote")
    if not desk.content("V1/poll")["winner"]:
        second = Team(desk.session.state, "V1").voted()[1]
        desk.session.edits.change_row("V1/poll", second, "accept")
    run(desk, "abstract")
    every = words(desk)
    told = [said for said in every.values() if said != UNREAD]
    assert len(set(told)) == len(told), "else a text could not be told from another"
    checked = set()
    for address in every:
        version = desk.session.state.in_use(address)
        if (
            version is None
            or version.by_person
            or desk.session.state.cell(address).rejected
            or every[address] == UNREAD
        ):
            continue
        assert held_in(prompt_of(desk, address), every) == may_hold(desk, address), address
        assert "Author " not in prompt_of(desk, address), "names are masked"
        checked.add(parse_address(address).part)
    assert checked >= {"said", "sum", "subject", "draft", "digest", "vote", "abstract"}
