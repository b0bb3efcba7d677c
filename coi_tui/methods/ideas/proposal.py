"""The proposal: the decided texts of an idea told once, for a reader who has seen none of them. A
code check sends it back once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import TOPIC, experiment, idea, rivals
from coi_tui.methods.base.replies import Proposal
from coi_tui.methods.evidence.papers import records_of
from coi_tui.methods.ideas.experiment import PlanTask
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import ComparedPaper, ExperimentPlan, IdeaContent
from coi_tui.model.papers import Paper
from coi_tui.model.proposals import assembled, faults, is_written, tidied
from coi_tui.model.state import State
from coi_tui.model.text import clipped

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

MOST_CITEABLE = 20
WORDS_OF_A_PAPER = 45
"""What a paper says is shown in so many words: enough to cite it for that, and no more."""


class ProposalTask(PlanTask):
    """One call, two where the first text refers to its own making. Without a model, or where it
    writes headings alone, the texts are put together as they are."""

    name = "proposal"
    prompts = ("coi_proposal",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        plan = [read._replace(optional=True) for read in experiment("experiment", branch)]
        papers = [
            read._replace(parent=True)
            for read in self._evidence(state, branch)
            if read.name in ("papers", "records")
        ]
        near = (
            rivals("rivals", branch),
            Read("compared", ref(f"{branch}/nov", "papers"), optional=True),
        )
        return (TOPIC, *idea("idea", branch), *plan, *papers, *near)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 4), (3_000, 12_000), (2_200, 8_800))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        text, planned = (
            inputs.fields("idea"),
            {name: value for name, value in inputs.fields("experiment").items() if value},
        )
        papers = dict(list(_citeable(ctx.state.papers.get, inputs))[:MOST_CITEABLE])
        content: dict[str, Any] = {"title": text["title"], "papers": list(papers)}
        plan = ExperimentPlan.from_held(planned) if planned else None
        parts = assembled(IdeaContent.from_held(text), plan)
        as_they_are = "\n\n".join(f"## {title}\n\n{said}" for title, said in parts)
        if services.origin == "drafter":
            content["text"] = as_they_are
            return Result((Made(inputs.address, content, services.origin),))
        shown = [
            {"label": f"P{n}", "title": p.title, "year": p.year, "said": said}
            for n, (p, said) in enumerate(papers.values(), start=1)
        ]
        asked = await self._written(
            services,
            {"topic": inputs.one("topic"), "idea": text, "plan": planned, "papers": shown},
            len(shown),
        )
        said = tidied(asked.value.text)
        content |= {"title": asked.value.title, "text": said if is_written(said) else as_they_are}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))

    async def _written(self, services: Services, values: dict[str, Any], labels: int) -> Any:
        """The reply; the first one goes back where its reader could not follow it, the second is
        taken as it is."""
        sent_back: list[str] = []

        def check(reply: Proposal) -> str | None:
            found = [] if sent_back else faults(f"{reply.title}\n{reply.text}", labels)
            sent_back.extend(found)
            again = "The reader has seen no other text and cannot follow these; write the whole proposal anew without them"
            return f"{again}: {'; '.join(found)}." if found else None

        return await services.ask("coi_proposal", values, Proposal, check)


def _citeable(known: Any, inputs: Inputs) -> Iterator[tuple[str, tuple[Paper, str]]]:
    """The papers that may be cited, by id, each with what it says in short: those the idea rests
    on, then the nearest to it."""
    rest: Iterable[tuple[str, str]] = [(row["paper"], "") for row in records_of(inputs)]
    compared = (ComparedPaper.model_validate(row) for row in inputs.one("compared") or [])
    near = [
        (row.paper, row.reason) for row in compared if row.verdict in ("close match", "partial")
    ]
    near += [
        (row["paper"], " ".join(filter(None, (row.get("same"), row.get("left")))))
        for row in inputs.one("rivals") or []
    ]
    seen: set[str] = set()
    for paper_id, said in [*((paper.id, "") for _, paper in inputs.all("papers")), *rest, *near]:
        paper = known(paper_id)
        if paper is not None and paper_id not in seen:
            seen.add(paper_id)
            yield paper_id, (paper, said or clipped(paper.abstract or "", WORDS_OF_A_PAPER))
