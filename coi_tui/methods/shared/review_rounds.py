"""Review, revise or rebut, and keep what is not worse: the rounds that an experiment plan and a
manuscript have in common (IE-8 to IE-10).

Nothing here knows which cell is refined. A caller says what it has: a review of the text in use or
not, points or none, rounds made so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from coi_tui.methods.shared.replies import PointAnswer
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

A = TypeVar("A", bound=PointAnswer)
Next = Literal["", "review", "review again", "refine"]


@dataclass(frozen=True)
class RoundState:
    """How far the rounds of one text are. ``reviewed``: there is a review; ``current``: it is of
    the text in use; ``points``: it has some that are to be answered; ``done``: refinements made so
    far, of at most ``most``; ``rolled_back``: one that answered it was not kept."""

    reviewed: bool
    current: bool
    points: bool
    done: int
    most: int
    rolled_back: bool = False


def next_of(at: RoundState) -> Next:
    """What comes next; empty where the rounds are over."""
    if not at.reviewed:
        return "review"
    if not at.current:
        return "review again" if at.done < at.most else ""
    return "refine" if at.points and at.done < at.most and not at.rolled_back else ""


def said_of(answer: PointAnswer) -> dict[str, str]:
    """What an answer says: the part and the change, or the rebuttal."""
    return {
        name: said for name, said in answer.model_dump(exclude={"point"}).items() if said.strip()
    }


def existing_answers(answers: Sequence[A], points: int, ctx: Context) -> list[A]:
    """The answers to points that there are; the version notes how many others were ignored."""
    found = [answer for answer in answers if answer.point <= points]
    if strange := len(answers) - len(found):
        verb = "was" if strange == 1 else "were"
        ctx.changed += (
            f"{count(strange, 'answer')} to a review point that does not exist {verb} ignored",
        )
    return found


def is_kept(before: float | None, after: float | None) -> bool:
    """IE-10: whether a changed text takes the place of the old one: only where its score is known
    and not lower.

    Without two scores there is nothing to compare, and the old text stays.
    """
    return before is not None and after is not None and after >= before
