"""A tiny method in which two people talk: turns that answer each other, and what the person says
between them. It is registered by ``register(TALK)``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.declarations import MethodSpec, OutlineRow, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import kinds_of, running_text
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.replies import Reply, Words
from coi_tui.methods.base.task import MethodTask, TextTask, one_call, result
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.ideas import kinds
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.content import Content
from coi_tui.model.document import Block, RowChange, RowKey, Transcript, Turn
from coi_tui.model.state import State
from coi_tui.services.llm.drafter import register_all

TURNS, SEATS = 2, ("Ada", "Ben")
ITEMS = tuple(f"{turn}.{seat}" for turn in range(1, TURNS + 1) for seat in range(1, len(SEATS) + 1))


class TalkSettings(BaseModel):
    """How many ideas an instance has."""

    ideas: int = 1


class TalkTurn(Reply):
    """What one speaker says."""

    text: Words


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


def _before(state: State, address: str) -> tuple[Read, ...]:
    at = parse_address(address)
    cells = [f"{at.instance}/said{item}" for item in items_before(at.item)]
    said = (part for cell in cells for part in (f"text={cell}#text", f"struck?={cell}#struck"))
    mine = (f"mine?={at.instance}/mine{n}#text" for n in range(1, at.numbers[0]))
    return reading(*said, *mine)(state, address)


def _values(ctx: Any, inputs: Inputs) -> dict[str, Any]:
    struck = {split_ref(of)[0] for of, is_struck in inputs.all("struck") if is_struck}
    before = [text for of, text in inputs.all("text") if split_ref(of)[0] not in struck]
    before += [text for _, text in inputs.all("mine")]
    return {"topic": inputs.one("topic"), "speaker": speaker(inputs.address), "before": before}


def speaker(address: str) -> str:
    return SEATS[parse_address(address).numbers[1] - 1]


TURN = TextTask(
    "talk turn",
    "talk_turn",
    TalkTurn,
    reading(TOPIC, _before),
    one_call((100, 400), (50, 200)),
    _values,
    lambda ctx, inputs, said: {"speaker": speaker(inputs.address), **said.model_dump()},
)
"""One turn, from all that were said before it and are not struck."""


class IdeaTask(MethodTask):
    """The last turn as an idea."""

    name = "talk idea"

    reads = staticmethod(reading(f"said={{instance}}/said{ITEMS[-1]}#text"))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        content = {"title": "What was said", "final": inputs.one("said")}
        return result(inputs, content, "source")


def transcript(state: State, address: str) -> Iterator[Block]:
    """The whole conversation, whichever turn it was opened at."""
    instance, turns = parse_address(address).instance, []
    for item in ITEMS:
        at = f"{instance}/said{item}"
        said = state.read(at, Said) or Said(speaker=speaker(at))
        version, before = state.in_use(at), items_before(item)
        mine = version is not None and version.origin == "person"
        mark: Any = "deleted" if said.struck else "yours" if mine else ""
        to = f"to {speaker(f'{instance}/said{before[-1]}')}" if before else ""
        turns.append(Turn(said.speaker, said.text, to, at, mark, int(item[0])))
        if item.endswith(f".{len(SEATS)}") and item != ITEMS[-1]:
            own = state.read(f"{instance}/mine{item[0]}", Mine) or Mine()
            turns.append(
                Turn("You", own.text, "to all", f"{instance}/mine{item[0]}", "yours", int(item[0]))
            )
    yield from running_text(state, address)
    yield Transcript(tuple(turns), TURNS)


def strike(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """x strikes a turn, or takes it in again."""
    said = state.read(row, Said)
    if key != "reject" or said is None:
        return None
    word = "take in" if said.struck else "strike"
    return RowChange(
        row, {"struck": not said.struck}, word, f"{row}: {'in again' if said.struck else 'struck'}."
    )


kind = kinds_of("K")


class Talk(BranchedMethod):
    """Turns, one idea."""

    name, short = "Talk", "Talk"
    own_stages = ("talk", "ideas")
    own_kinds = (
        kind(
            "said",
            "Turn",
            Said,
            "talk turn",
            "talk",
            "text",
            item="1.1",
            document=transcript,
            row_change=strike,
            opens_early=True,
            caption=lambda said: f"{said.speaker}: {said.text}",
        ),
        kind("mine", "Your words", Mine, edits="text", item="1", decisions=kinds.OF_TEXT),
        kinds.idea("talk idea", "ideas"),
    )

    tasks: Mapping[str, Any] = {"said": TURN, "idea": IdeaTask}

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        for item in ITEMS:
            yield Planned(f"{self.instance}/said{item}", "talk")

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


def _turn(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": f"{values['speaker']} says something after {len(values['before'])} turns."}


register_all({"talk_turn": _turn})


TALK = MethodSpec(
    "Talk",
    "Talk",
    "K",
    TalkSettings,
    lambda tools, instance: Talk(instance, tools),
    lambda settings: settings.ideas if isinstance(settings, TalkSettings) else 1,
    prompts=Path(__file__).parent / "prompts",
)
