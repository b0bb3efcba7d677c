"""VIR-8: papers near each of the three ideas, a vote of every seat without a word of dialogue, and the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import criteria
from coi_tui.methods.virsci import reads
from coi_tui.methods.virsci.ballot import LABELS, counted, order_shown, ranked
from coi_tui.methods.virsci.contents import PLACES, Chosen
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.discussion import Words
from coi_tui.methods.virsci.ideas import searched
from coi_tui.methods.virsci.replies import VoteReply
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.table import TableStep
from coi_tui.model.address import parse_address, ref, split_ref
from coi_tui.model.errors import ReplyError
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

UNREAD = "The answer could not be read, so that it counts for no idea."


class NearStep(MethodStep):
    """The papers found with one of the three ideas."""

    name = "virsci related"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        return (
            Read("idea", ref(cell(at.instance, "best"), PLACES[(at.numbers[0] - 1) % len(PLACES)])),
            *criteria(state),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        bounds = bounds_of(ctx.state, parse_address(inputs.address).instance)
        return await searched(
            self, ctx, inputs, Chosen.from_held(inputs.one("idea") or {}).title, bounds.related
        )


class VoteStep(TableStep):
    """One vote. An answer that cannot be read is an abstention, and called one."""

    name, prompts = "virsci vote", ("virsci_vote",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.vote(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 6_000), (80, 400))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        turn, seat = parse_address(inputs.address).numbers
        ideas = _ideas(inputs)
        order = order_shown(len(ideas), turn, seat)
        papers = {_number_of(reference): value for reference, value in inputs.all("papers")}
        known = ctx.state.papers
        rows = []
        for label, number in zip(LABELS, order, strict=False):
            one = ideas[number - 1]
            near = [
                {"title": p.title, "abstract": (p.abstract or "")[: reads.ABSTRACT]}
                for found in papers.get(number, ())
                if (p := known.get(found))
            ]
            rows.append(
                {
                    "id": label,
                    "title": one.title,
                    "idea": one.idea,
                    "experiment": one.experiment,
                    "papers": near,
                }
            )
        values = {
            "subject": inputs.one("subject"),
            "speaker": reads.speaker(inputs),
            "ideas": rows,
            "round": turn,
        }
        offered = LABELS[: len(order)]
        try:
            asked = await self.services(ctx).ask(
                "virsci_vote", values, VoteReply, lambda said: _not_offered(said, offered)
            )
        except ReplyError:
            return {"choice": 0, "reason": UNREAD, "unread": True}, {}
        return {
            "choice": order[offered.index(asked.value.choice)],
            "reason": asked.value.reason,
            "unread": False,
        }, asked.recipe


def _ideas(inputs: Inputs) -> list[Chosen]:
    return [Chosen.from_held(value) for _, value in inputs.all("ideas") if value]


def _number_of(reference: str) -> int:
    """Which idea some papers are near to: 2 of ``V1/near2``."""
    return parse_address(split_ref(reference)[0]).numbers[0]


def _not_offered(said: VoteReply, offered: str) -> str | None:
    return (
        f"{said.choice} is none of the ideas, which are {', '.join(offered)}"
        if said.choice not in offered
        else None
    )


class PollStep(MethodStep):
    """The count. No call; a tie goes to the person."""

    name = "virsci poll"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.poll(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        content = polled([_choice(value) for _, value in inputs.all("choices")], _ideas(inputs))
        turns = {
            parse_address(split_ref(reference)[0]).numbers[0]
            for reference, _ in inputs.all("choices")
        }
        return Result(
            (Made(inputs.address, {**content, "rounds": len(turns)}, self.services(ctx).origin),)
        )


def _choice(value: object) -> int:
    """A vote as a number: a person writes it as text."""
    digits = "".join(filter(str.isdigit, str(value)))
    return int(digits) if digits else 0


def polled(choices: list[int], ideas: list[Chosen]) -> Mapping[str, Any]:
    """What the votes come to; with one idea there is nothing to decide."""
    found = counted(choices, len(ideas))
    winner = found.winner or (1 if len(ideas) == 1 else 0)
    said = (
        ""
        if winner
        else "Tied: say which idea wins."
        if any(found.votes)
        else "Nobody voted for an idea: say which one wins."
    )
    told = (
        f"{count(found.abstentions, 'abstention')}. {said}".strip() if found.abstentions else said
    )
    return {
        "counts": list(found.votes),
        "abstentions": found.abstentions,
        "winner": winner,
        "order": ranked(found.votes, [one.score for one in ideas]),
        "note": told,
    }
