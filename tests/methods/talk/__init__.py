"""A tiny method in which two people talk: turns that answer each other, and what the person says
between them. It is registered by ``register(TALK)``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from coi_tui.engine.declarations import OutlineRow
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import held, kinds_of, running_text
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.replies import Reasoned, Reply, Words
from coi_tui.methods.base.task import TextTask
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.ideas import kinds
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.content import Content
from coi_tui.model.document import Block, RowChange, RowKey, Transcript, Turn
from coi_tui.model.state import State

TURNS, SEATS = 2, ("Ada", "Ben")
ITEMS = ("1.1", "1.2", "2.1", "2.2")


class TalkTurn(Reply):
    """What one speaker says."""

    text: Words


class TalkIdea(Reasoned):
    """An idea after the talk."""

    title: Words
    final: Words


class Said(Content):
    """One turn, or what the person says after a round."""

    text: str = ""
    struck: bool = False


def _before(state: State, address: str) -> tuple[Read, ...]:
    at = parse_address(address)
    said = (
        part
        for item in ITEMS[: ITEMS.index(at.item)]
        for part in (
            f"text={{instance}}/said{item}#text",
            f"struck?={{instance}}/said{item}#struck",
        )
    )
    mine = ("mine?={instance}/mine1#text",) if at.numbers[0] > 1 else ()
    return reading(*said, *mine)(state, address)


def _values(ctx: Any, inputs: Inputs) -> dict[str, Any]:
    struck = {split_ref(of)[0] for of, is_struck in inputs.all("struck") if is_struck}
    before = [text for of, text in inputs.all("text") if split_ref(of)[0] not in struck]
    before += [text for _, text in inputs.all("mine")]
    return {"topic": inputs.one("topic"), "speaker": speaker(inputs.address), "before": before}


def speaker(address: str) -> str:
    return SEATS[parse_address(address).numbers[1] - 1]


def transcript(state: State, address: str) -> Iterator[Block]:
    """The whole conversation, whichever turn it was opened at."""
    instance, turns = parse_address(address).instance, list[Turn]()
    for item in ITEMS:
        at = f"{instance}/said{item}"
        said, version = held(state, at, Said), state.in_use(at)
        mine = version is not None and version.by_person
        to = f"to {SEATS[int(item[2]) - 2]}" if turns else ""
        mark: Any = "deleted" if said.struck else "yours" if mine else ""
        turns.append(Turn(speaker(at), said.text, to, at, mark, int(item[0])))
        if item == "1.2":
            own = f"{instance}/mine1"
            turns.append(Turn("You", held(state, own, Said).text, "to all", own, "yours", 1))
    yield from running_text(state, address)
    yield Transcript(tuple(turns), TURNS)


def strike(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """x strikes a turn, or takes it in again."""
    struck = held(state, row, Said).struck
    if key != "reject" or state.in_use(row) is None:
        return None
    return RowChange(row, {"struck": not struck}, "take in" if struck else "strike", "Done.")


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
        ),
        kind("mine", "Your words", Said, edits="text", item="1", decisions=kinds.OF_TEXT),
        kinds.idea("talk idea", "ideas"),
    )

    tasks: Mapping[str, Any] = {
        "said": TextTask(
            "talk turn", "talk_turn", TalkTurn, reading(TOPIC, _before), values=_values
        ),
        "idea": TextTask("talk idea", "talk_turn", TalkIdea, reading(TOPIC)),
    }

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        for item in ITEMS:
            yield Planned(f"{self.instance}/said{item}", "talk")

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        rows = {row.address: row for row in super().outline(state, failed)}
        for name in ("said", "mine"):
            del rows[f"{self.instance}/{name}"]
        for item in ITEMS:
            yield OutlineRow(f"{self.instance}/said{item}", 1, f"said {item}", "a turn")
        yield OutlineRow(f"{self.instance}/mine1", 1, "mine 1", "your words")
        yield from rows.values()


def _turn(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": f"{values['speaker']} says something after {len(values['before'])} turns."}


TALK = Talk.spec("K", prompts=Path(__file__).parent / "prompts", drafts={"talk_turn": _turn})
