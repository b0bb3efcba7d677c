"""A tiny method in which people behind papers talk: who they are from the sources, then turns that
answer each other.

It is registered by ``register(TALK)``. What it has and the toy has not: a step that asks for
people, and cells that are a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.declarations import CellKind, EditableField, MethodSpec, OutlineRow
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import (
    EVERYTHING,
    Cost,
    Forecast,
    Made,
    Result,
    Scope,
    Step,
    View,
    Want,
)
from coi_tui.llm.drafter import register as draft
from coi_tui.methods.services import ServiceSet
from coi_tui.methods.shared import kinds
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.shared.replies import Reply, Words
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.content import Content
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey, TranscriptView, Turn

TURNS, SEATS, MOST = 2, ("Ada", "Ben"), 4
ITEMS = tuple(f"{turn}.{seat}" for turn in range(1, TURNS + 1) for seat in range(1, len(SEATS) + 1))


class TalkSettings(BaseModel):
    """How many ideas an instance has."""

    ideas: int = 1


class TalkTurn(Reply):
    """What one speaker says."""

    text: Words


class People(Content):
    """Who is behind the papers."""

    people: list[dict[str, Any]] = []
    note: str = ""


class Said(Content):
    """One turn."""

    speaker: str = ""
    text: str = ""
    struck: bool = False


class Mine(Content):
    """What the person says after a round."""

    text: str = ""


def items_before(item: str) -> tuple[str, ...]:
    return ITEMS[: ITEMS.index(item)]


class PeopleStep(MethodStep):
    """The people behind the papers that a search finds."""

    name = "talk people"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(3, 13))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        source = self.services(ctx).source()
        found = await source.search(inputs.one("topic"), 5)
        people = await source.people(found.papers, MOST, 3)
        rows = [person.model_dump(mode="json") for person in people.people]
        return Result(
            (Made(inputs.address, {"people": rows, "note": people.note}, "source"),), found.papers
        )


class TurnStep(MethodStep):
    """One turn, from all that were said before it and are not struck."""

    name, prompts = "talk turn", ("talk_turn",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        cells = [f"{at.instance}/said{item}" for item in items_before(at.item)]
        mine = (
            Read("mine", ref(f"{at.instance}/mine{n}", "text"), optional=True)
            for n in range(1, at.numbers[0])
        )
        return (
            TOPIC,
            *(
                Read(name, ref(cell, name), optional=name == "struck")
                for cell in cells
                for name in ("text", "struck")
            ),
            *mine,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (100, 400), (50, 200))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        services, seat = self.services(ctx), parse_address(inputs.address).numbers[1]
        struck = {split_ref(of)[0] for of, is_struck in inputs.all("struck") if is_struck}
        before = [text for of, text in inputs.all("text") if split_ref(of)[0] not in struck]
        before += [text for _, text in inputs.all("mine")]
        values = {"topic": inputs.one("topic"), "speaker": SEATS[seat - 1], "before": before}
        asked = await services.ask("talk_turn", values, TalkTurn)
        content = {"speaker": SEATS[seat - 1], **asked.value.model_dump()}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class IdeaStep(MethodStep):
    """The last turn as an idea."""

    name = "talk idea"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (Read("said", ref(f"{parse_address(address).instance}/said{ITEMS[-1]}", "text")),)

    def cost(self, state: State, address: str) -> Cost:
        return Cost()

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        return Result(
            (
                Made(
                    inputs.address,
                    {"title": "What was said", "final": inputs.one("said")},
                    "source",
                ),
            )
        )


def transcript(state: State, address: str) -> TranscriptView:
    """The whole conversation, whichever turn it was opened at."""
    instance, turns = parse_address(address).instance, []
    for item in ITEMS:
        at = f"{instance}/said{item}"
        said = state.read(at, Said) or Said(speaker=SEATS[int(item.split(".")[1]) - 1])
        version, before = state.in_use(at), items_before(item)
        mark: Any = (
            "struck"
            if said.struck
            else "yours"
            if version is not None and version.origin == "person"
            else ""
        )
        to = f"to {SEATS[int(before[-1].split('.')[1]) - 1]}" if before else ""
        turns.append(Turn(said.speaker, said.text, to, at, mark, int(item[0])))
        if item.endswith(f".{len(SEATS)}") and item != ITEMS[-1]:
            own = state.read(f"{instance}/mine{item[0]}", Mine) or Mine()
            turns.append(
                Turn("You", own.text, "to all", f"{instance}/mine{item[0]}", "yours", int(item[0]))
            )
    return TranscriptView(tuple(turns), TURNS)


def strike(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """x strikes a turn, or takes it in again."""
    said = state.read(row, Said)
    if key != "reject" or said is None:
        return None
    word = "take in" if said.struck else "strike"
    return RowChange(
        row, {"struck": not said.struck}, word, f"{row}: {'in again' if said.struck else 'struck'}."
    )


class Talk(BranchedMethod):
    """People, turns, one idea."""

    name, short = "Talk", "Talk"
    own_stages = ("people", "talk", "ideas")
    own_kinds = (
        CellKind(
            "people",
            "K1/people",
            "People",
            People,
            "talk people",
            "people",
            "people",
            kinds.OF_LIST,
            label="people",
            has_verdict=False,
            shared=True,
        ),
        CellKind(
            "said",
            "K1/said1.1",
            "Turn",
            Said,
            "talk turn",
            "talk",
            decisions=kinds.OF_TEXT,
            fields=(EditableField("text"),),
            label="said",
            shown=transcript,
            row_change=strike,
            shared=True,
            opens_early=True,
            caption=lambda said: f"{said.speaker}: {said.text}",
        ),
        CellKind(
            "mine",
            "K1/mine1",
            "Your words",
            Mine,
            decisions=kinds.OF_TEXT,
            fields=(EditableField("text"),),
            label="mine",
            shared=True,
            has_verdict=False,
        ),
        kinds.idea("talk idea", "ideas"),
    )

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        return {"people": PeopleStep(tools), "said": TurnStep(tools), "idea": IdeaStep(tools)}

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        yield self.want(f"{self.instance}/people", "people")
        for item in ITEMS if last != "people" else ():
            yield self.want(f"{self.instance}/said{item}", "talk")

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        for row in super().outline(state, failed):
            if row.address == f"{self.instance}/said":
                yield from (
                    OutlineRow(f"{self.instance}/said{item}", 1, f"said {item}", "a turn")
                    for item in ITEMS
                )
            elif row.address == f"{self.instance}/mine":
                yield OutlineRow(f"{self.instance}/mine1", 1, "mine 1", "your words")
            else:
                yield row

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        lines = [line for line in super().forecast(state, until, scope) if line.stage != "talk"]
        left = [item for item in ITEMS if state.in_use(f"{self.instance}/said{item}") is None]
        if left and until != "people":
            cost = (
                self.by_part["said"]
                .cost(state, f"{self.instance}/said1.1")
                .times(len(left), len(left))
            )
            lines.append(Forecast("talk", f"{len(left)} turns", "not made yet", cost))
        return lines


@draft("talk_turn")
def _turn(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": f"{values['speaker']} says something after {len(values['before'])} turns."}


TALK = MethodSpec(
    "Talk",
    "Talk",
    "K",
    TalkSettings,
    lambda tools, instance: Talk(instance, tools),
    lambda settings: settings.ideas if isinstance(settings, TalkSettings) else 1,
    prompts=Path(__file__).parent / "prompts",
)
