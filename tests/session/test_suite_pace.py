"""How long a suite takes on a clock on which only services take time, and what it asks."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.engine.recorder import Event
from coi_tui.model.text import digest
from coi_tui.session.environment import Environment
from coi_tui.session.suite.contest import Contest
from tests.support.desk import paths_in
from tests.support.standins import Latency, StandIns, make_corpus
from tests.support.standins import Settings as StandInSettings
from tests.support.standins.chat import ChatService
from tests.support.standins.chat_replies import Asked
from tests.support.virtual_clock import run_virtually

TOPICS, CALL_S = 10, 1.0
CHAIN = "settings = {{branches = 1, length = {length}, forward = 0, backward = {back}, minimum = 1, novelty_queries = 1}}"


class OwnTexts(ChatService):
    """Tells each text in words of its own, so that no two questions of a judge are the same."""

    def _reply(self, texts: list[tuple[str, str]], want: Asked) -> Any:
        if want.name == "Retold":
            return {"text": f"The idea is {digest(texts)}."}
        return super()._reply(texts, want)


def suite(home: Path) -> Path:
    """Ten topics and six contestants."""
    known = make_corpus().topics
    topics = [f"{known[n % len(known)]}{' again' * (n // len(known))}" for n in range(TOPICS)]
    (home / "papers").mkdir()
    for n in range(1, TOPICS + 1):
        (home / "papers" / f"{n}.md").write_text(f"Paper {n} proposes it. ", encoding="utf-8")
    parts = [f"topics = {json.dumps(topics)}\nwords = 60"]
    for n in range(4):
        chain = CHAIN.format(length=1 + n, back=n)
        parts.append(f'[[contestant]]\nname = "chain {n}"\nmethod = "Chain of Ideas"\n{chain}')
    parts.append('[[contestant]]\nname = "call"\nmethod = "One call"')
    parts.append('[[contestant]]\nname = "papers"\ntexts = "papers"')
    parts.append('[[judge]]\nname = "judge"\nmodel = "standin-main"')
    (home / "suite.toml").write_text("\n\n".join(parts), encoding="utf-8")
    return home / "suite.toml"


@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_suite_takes_as_long_as_its_calls_and_asks_what_was_planned(tmp_path: Path) -> None:
    events, latency = list[Event](), Latency(chat=CALL_S)

    async def work() -> None:
        pair = StandIns(StandInSettings(latency=latency), chat_service=OwnTexts)
        async with pair:
            settings = Settings(
                llm=LlmSettings(base_url=pair.chat_url, embedding=RoleSettings(model="")),
                semantic_scholar=SourceSettings(base_url=pair.s2_url),
            )
            places = paths_in(tmp_path)
            contest = Contest(suite(tmp_path), Environment(places, settings, Keys()))
            plan, now = contest.plan(), asyncio.get_running_loop().time
            began = now()
            await contest.run(events.append)
            wall = now() - began
        assert not contest.failed
        chats = [entry for entry in pair.log.entries if entry.kind == "chat"]
        parallel = settings.llm.parallel
        bound = len(chats) * CALL_S / parallel
        assert wall >= bound - 1e-6, "no more at once than the settings say"
        assert wall <= 1.10 * bound
        least, most = (sum(line.cost.calls[n] for line in plan) for n in (0, 1))
        assert least <= len(chats) <= most
        assert sum(entry.note["schema"] == "MatchReply" for entry in chats) == 2 * 15 * TOPICS

    run_virtually(work())
    told = [re.search(r"(\d+) of (\d+), \d+:\d\d:\d\d left", event.task) for event in events]
    done = [(int(one[1]), int(one[2])) for one in told if one]
    assert (6 * TOPICS, 6 * TOPICS) in done
    assert (2 * 15 * TOPICS, 2 * 15 * TOPICS) in done
