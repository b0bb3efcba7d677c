"""COI-2, COI-4, COI-5: grades of candidates for the topic and for kinship with their neighbour, and
the step that judges for a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.labelled import Labelled, ask_about_each
from coi_tui.methods.base.reads import (
    preferences,
)
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.coi import growth as reads
from coi_tui.methods.coi.cards import CardTask
from coi_tui.methods.coi.growth import best_of, bounds_of
from coi_tui.methods.coi.replies import Kinships, PaperKinship, PaperRelevance, Relevances
from coi_tui.methods.evidence.papers import read_paper, short
from coi_tui.methods.ideas.claims import bearing_on
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.content import CandidateList, Verdict
from coi_tui.model.papers import Paper, order_key
from coi_tui.model.state import State
from coi_tui.model.text import digest

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

TOGETHER = 3
"""Candidates judged in one call: more make long prompts, in which weak models lose track."""
LONGEST_ABSTRACT = 60
"""Words of an abstract that a verdict is shown."""
UNREAD = {"unread": True, "reasoning": "The verdict could not be read; not taken."}

Graded = tuple[list[dict[str, Any]], Mapping[str, Any]]
"""Verdicts as they are kept, in the order of the papers, and the recipe of the call."""


async def graded(
    services: Services,
    about: Mapping[str, Any],
    papers: Sequence[Paper],
    known: Mapping[str, Mapping[str, Any]],
) -> Graded:
    """One call for several papers, and one more for those that it leaves out; a paper without a
    verdict then is passed over.

    ``about``: topic, criteria and the reasons for rejecting others; with a ``neighbour`` kinship
    with that is graded too. ``known``: what else is shown of a paper. Raises ReplyError where no
    verdict can be read.
    """
    near = [str(about["topic"]), *([about["neighbour"]["abstract"]] if about["neighbour"] else [])]
    most = (
        LONGEST_ABSTRACT if services.origin != "drafter" else 10 * LONGEST_ABSTRACT
    )  # a rule without a model reads all of it
    shown = {
        p.id: {"abstract": bearing_on(p.abstract or "", near, most), **known.get(p.id, {})}
        for p in papers
    }
    ask = (services, "coi_relevances", about, "candidates", papers)
    found: Labelled[PaperKinship] | Labelled[PaperRelevance]
    if about["neighbour"]:
        found = await ask_about_each(*ask, Kinships, PaperKinship, shown)
    else:
        found = await ask_about_each(*ask, Relevances, PaperRelevance, shown)
    said = {
        paper_id: verdict.model_dump(exclude={"id"}) for paper_id, verdict in found.verdicts.items()
    }
    return [{"paper": paper.id, **said.get(paper.id, UNREAD)} for paper in papers], found.recipe


class RelevanceTask(MethodTask):
    """Judges the first candidates together, at most ``TOGETHER`` in a call and ``judge_limit`` in
    all, until one fits; the best is taken.

    Each paper is judged once for a place: the verdicts of an earlier run count on while topic,
    criteria and neighbour are the same. The paper taken is read ahead, while the verdicts of other
    places are still to come.
    """

    name = "relevance"
    prompts = ("coi_relevances",)
    reads = staticmethod(reads.verdicts)

    def cost(self, state: State, address: str) -> Cost:
        limit = bounds_of(state).judge_limit
        most, first = 2 * -(-limit // TOGETHER), min(limit, TOGETHER)
        prompt, reply = 800 + 250 * first, 60 * first
        return Cost("main", (1, most), (prompt, most * prompt), (reply, most * reply))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, at = self.services(ctx), parse_address(inputs.address)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(at.branch)
        rows = CandidateList.from_held({"entries": inputs.one("entries") or []}).entries
        free = [row.paper for row in rows if row.eligible and row.paper not in barred][
            : bounds_of(ctx.state).judge_limit
        ]
        tip = ctx.state.papers[str(inputs.one("listed"))]
        about = {
            "topic": str(inputs.one("topic")),
            **preferences(inputs),
            **_line(inputs, tip, at.pos),
        }
        key = digest([about["topic"], about["criteria"], tip.id])
        held = (inputs.one("verdicts") or []) if inputs.one("about") == key else []
        verdicts = {row["paper"]: row for row in held if not row.get("unread")}
        recipe: Mapping[str, Any] = {}
        waiting = [paper_id for paper_id in free if paper_id not in verdicts]
        citing = {row.paper: {"citing": row.citing} for row in rows}
        for n in range(0, len(waiting), TOGETHER):
            if _best(verdicts, free) is not None:
                break
            services.at(n // TOGETHER)
            made, recipe = await graded(
                services, about, [ctx.state.papers[p] for p in waiting[n : n + TOGETHER]], citing
            )
            verdicts |= {row["paper"]: row for row in made}
        chosen = _best(verdicts, free)
        if chosen is not None:
            self._prepare(services, ctx, inputs, ctx.state.papers[chosen])
        content = {
            "verdicts": [verdicts[row.paper] for row in rows if row.paper in verdicts],
            "chosen": chosen,
            "about": key,
            "turned_down": about["turned_down"],
        }
        origin = services.origin if recipe else "source"
        return Result((Made(inputs.address, content, origin, recipe),))

    def _prepare(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the paper taken, and fetch what is chosen next to it; the steps find the
        replies kept."""
        card = CardTask(self._tools)
        address = f"{parse_address(inputs.address).slot}.card"
        under = ctx.for_cell(address, card.name)
        ctx.ahead(read_paper(self.services(under), str(inputs.one("topic")), paper))
        card.list_ahead(ctx, address, paper)


def _line(inputs: Inputs, tip: Paper, pos: int) -> dict[str, Any]:
    """What a verdict is told of the chain: the paper at its end with its text, the titles of all,
    and on which side it is to grow."""
    own = f"{parse_address(inputs.address).branch}/"
    chain = sorted(
        (paper for name, paper in inputs.all("held") if split_ref(name)[0].startswith(own)),
        key=order_key,
    )
    end = {
        **short(tip),
        "abstract": bearing_on(tip.abstract or "", [str(inputs.one("topic"))], LONGEST_ABSTRACT),
    }
    return {
        "neighbour": end,
        "side": "newer" if pos > 0 else "older",
        "line": [short(paper) for paper in chain] if len(chain) > 1 else [],
    }


def _best(verdicts: Mapping[str, Mapping[str, Any]], free: Sequence[str]) -> str | None:
    return best_of(
        [Verdict.from_held(verdicts[paper_id]) for paper_id in free if paper_id in verdicts]
    )
