"""The bundled suite: scripted models of known strength before a scripted judge that errs. It tests the
machinery without a key, and says nothing of quality: no text is an idea."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from coi_tui.arena.ratings import CRITERIA, POINTS
from coi_tui.config import Price
from coi_tui.methods.one_call import IdeaAndPlan
from coi_tui.model.text import Fields
from coi_tui.paths import make_folder, write_whole
from coi_tui.services.llm.chat import ChatReply, ChatRequest, Kind
from coi_tui.session.environment import Environment
from coi_tui.session.suite.contest import Contest

PLANTED = {"strong": 1100, "weak": 900}
"""The strength of each contestant, in points."""
POSITION, NOISE = 60, 60
"""By how many points the judge favours the text shown first, and by how many (the standard deviation)
an idea is better or worse than its model usually makes them."""

NOTE = (
    "Scripted models and judge, a test of the machinery and not of quality: strong is "
    f"{PLANTED['strong'] - PLANTED['weak']} points above weak, and the text shown first gains {POSITION}."
)


@dataclass
class Scripted:
    """A model that writes down how strong its idea is, tells texts anew as they are, or judges by the
    strengths that texts name. Equal requests have equal answers."""

    name: str
    kind: Kind = "scripted"

    def model_for(self, role: str) -> str:
        return self.name

    async def complete(self, request: ChatRequest) -> ChatReply:
        retold: Fields = {"text": request.values.get("text")}
        answers = {"one_call": self._idea, "arena_judge": _judged}
        reply = answers[request.prompt](request) if request.prompt in answers else retold
        return ChatReply.free(json.dumps(reply), self.name, self.name)

    async def aclose(self) -> None:
        return None

    def _idea(self, request: ChatRequest) -> Fields:
        topic = str(request.values["topic"])
        strength = PLANTED[self.name] + Random(f"{self.name} {topic}").gauss(0, NOISE)
        text = f"No idea on “{topic}”, but a text of strength {strength:.0f}."
        claims = [{"claim": text, "refuted_if": text}] * 2
        lists: Fields = {"claims": claims, "works": [], "references": []}
        return {**dict.fromkeys(IdeaAndPlan.model_fields, text), **lists}


def _judged(request: ChatRequest) -> Fields:
    texts = [str(request.values[side]) for side in ("first", "second")]
    first, second = (int(re.findall(r"strength (\d+)", text)[0]) for text in texts)
    chance = 1 / (1 + math.exp((second - first - POSITION) / POINTS))
    won = {name: Random(f"{name} {texts}").random() < chance for name in CRITERIA}
    return {
        name: {"why": "By the strengths named, and chance.", "better": ("second", "first")[one]}
        for name, one in won.items()
    }


def example(env: Environment) -> Contest:
    """The bundled suite in the data folder. Raises OSError where it cannot be written."""
    file = env.paths.data / "example-suite.toml"
    make_folder(file.parent)
    write_whole(file, Path(__file__).with_suffix(".toml").read_text("utf-8"))
    free = Price(input=0, output=0)
    names = ("writer", "scripted-judge", *(f"scripted-{name}" for name in PLANTED))
    llm = env.settings.llm.model_copy(update={"prices": dict.fromkeys(names, free)})
    here = env.settings.model_copy(update={"llm": llm, "offline": True})
    clients = {name: Scripted(name) for name in (*PLANTED, "judge")}
    return Contest(file, replace(env, settings=here, model=Scripted("writer")), clients=clients)
