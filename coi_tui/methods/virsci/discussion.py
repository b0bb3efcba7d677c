"""VIR-3 to VIR-6: the discussion of the topic, turn by turn: members, guests, the leader's summaries, and the topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.contents import GuestQuestion
from coi_tui.methods.virsci.replies import GuestAnswer, Subject, TopicReply, TurnSummary
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.table import TableStep
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

Words = tuple[Mapping[str, Any], Mapping[str, Any]]


class SaidStep(TableStep):
    """VIR-3: what a member says, who may ask one outsider (VIR-5)."""

    name, prompts = "virsci turn", ("virsci_topic",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.topic_turn(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (500, 3_500), (120, 500))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        guests = bounds_of(ctx.state, parse_address(inputs.address).instance).guests
        values = {
            "topic": inputs.one("topic"),
            "speaker": reads.speaker(inputs),
            "team": reads.people(inputs, "members"),
            "outsiders": reads.people(inputs, "outsiders") if guests else [],
            "summaries": reads.texts(inputs, "summaries"),
            "said": reads.dialogue(inputs),
        }
        asked = await self.services(ctx).ask("virsci_topic", values, TopicReply)
        guest = asked.value.guest.model_dump() if asked.value.guest is not None and guests else None
        return {"text": asked.value.text, "guest": guest}, asked.recipe


class GuestStep(MethodStep):
    """VIR-5: the outsider answers the one question, and does not join the team."""

    name, prompts = "virsci guest", ("virsci_guest",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.guest(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (300, 1_200), (80, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, asking = self.services(ctx), GuestQuestion.from_held(inputs.one("guest") or {})
        guest = next(
            (one for one in reads.people(inputs, "outsiders") if one["name"] == asking.name), None
        )
        if guest is None:
            raise CoiError(
                f"{asking.name or 'Nobody'} is not among the outsiders whom this team knows."
            )
        members, seat = reads.people(inputs, "members"), parse_address(inputs.address).numbers[-1]
        values = {
            "topic": inputs.one("topic"),
            "guest": guest,
            "member": members[seat - 1]["name"],
            "text": inputs.one("text"),
            "question": asking.question,
        }
        asked = await services.ask("virsci_guest", values, GuestAnswer)
        return Result(
            (Made(inputs.address, {"text": asked.value.text}, services.origin, asked.recipe),)
        )


class SummaryStep(TableStep):
    """VIR-3, VIR-4: the leader's summary of a turn of the discussion, and whether it may end there."""

    name, prompts = "virsci summary", ("virsci_summary",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.topic_summary(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (500, 4_000), (100, 500))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        values = {
            "topic": inputs.one("topic"),
            "speaker": reads.speaker(inputs),
            "summaries": reads.texts(inputs, "summaries"),
            "said": reads.dialogue(inputs),
            "aim": "one topic that is worth a study",
        }
        return await summarised(self, ctx, values)


async def summarised(step: TableStep, ctx: Context, values: Mapping[str, Any]) -> Words:
    """A summary by the leader: of a turn of the discussion, or of the ideas of a turn."""
    asked = await step.services(ctx).ask("virsci_summary", values, TurnSummary)
    return asked.value.content(), asked.recipe


class SubjectStep(TableStep):
    """VIR-6: the leader fixes one topic from the last turn and the summaries."""

    name, prompts = "virsci subject", ("virsci_subject",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.subject(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (600, 4_000), (60, 300))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        values = {
            "topic": inputs.one("topic"),
            "speaker": reads.speaker(inputs),
            "summaries": reads.texts(inputs, "summaries"),
            "said": reads.dialogue(inputs),
        }
        asked = await self.services(ctx).ask("virsci_subject", values, Subject)
        return asked.value.content(), asked.recipe
