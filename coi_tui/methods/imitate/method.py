"""Imitate-and-Evolve as the engine sees it: its steps, what is wanted section by section, and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import OutlineRow, View
from coi_tui.methods.base.cell_table import held, passage, title_of
from coi_tui.methods.base.task import known
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.imitate import contents
from coi_tui.methods.imitate.contents import SIDES, PairRow
from coi_tui.methods.imitate.drafts import DRAFTS as DRAFTS
from coi_tui.methods.imitate.kinds import OWN_KINDS
from coi_tui.methods.imitate.manuscript import cells_of_section, sections_of, steps_of
from coi_tui.methods.imitate.passages import MISSING, marks_in
from coi_tui.methods.imitate.settings import MOST_STEPS, bounds_of
from coi_tui.methods.imitate.tasks import TASKS
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import Manuscript, MethodDocument, ProposalWarning, Section
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

if TYPE_CHECKING:
    pass

SHARED_CELLS = (
    ("split", "split"),
    ("algorithm", "papers"),
    ("application", "papers"),
    ("pairs", "pairs"),
)
BRANCH_CELLS = (
    ("pair", "pairs"),
    ("outline1", "outlines"),
    ("outline2", "outlines"),
    ("plan", "plan"),
)
"""The cells of the instance, and those of each branch before its sections, with their stages."""
REVIEWS = ("referee", "answers", "gate")
"""The cells of the review."""
SECTION_STAGES = tuple(f"section-{n}" for n in range(1, MOST_STEPS + 1))


class ImitateAndEvolve(BranchedMethod):
    """A pair of papers a branch, a plan after their outlines, a section for each step, rounds of
    review, then title and abstract."""

    name, short = "Imitate-and-Evolve", "Imitate"
    own_stages = (
        "split",
        "papers",
        "pairs",
        "outlines",
        "plan",
        *SECTION_STAGES,
        "revision",
        "rivals",
        "ideas",
    )
    own_kinds, tasks = OWN_KINDS, TASKS

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        for name, stage in SHARED_CELLS:
            yield Planned(f"{self.instance}/{name}", stage)
        for branch in self.branches(state):
            for name, stage in BRANCH_CELLS:
                yield Planned(f"{branch}/{name}", stage)
            # How many sections there will be is not known before the plan.
            if supposed or state.in_use(f"{branch}/plan") is not None:
                steps = steps_of(state, branch)
                for number in steps:
                    for address in cells_of_section(branch, number, steps):
                        yield Planned(address, f"section-{number}")
                comes = self._review(state, branch)
                for name in REVIEWS if supposed and comes else filter(None, [comes]):
                    least = int(name == "referee" or not supposed)
                    yield Planned(f"{branch}/{name}", "revision", least)

    def _review(self, state: State, branch: Branch) -> str:
        """The cell that comes next in the review; none where it is over: it has no point to carry
        out, or all of it is there. Points and revisions are known only once a review is there."""
        after = {"referee": "", "answers": "referee#points", "gate": "answers#taken"}
        for name, of in after.items():
            if state.in_use(f"{branch}/{name}") is None:
                return name if not of or state.value(f"{branch}/{of}") else ""
        return ""

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether the review is over, or cannot go on in this job."""
        stopped = any(f"{branch}/{name}" in view.failed for name in REVIEWS)
        return stopped or not self._review(view.state, branch)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """Of a branch its paradigm, both outlines, the plan, each section with what it was made
        from, the review, the idea."""
        labels = {kind.name: kind.label for kind in OWN_KINDS}
        for row in super().outline(state, failed):
            at = parse_address(row.address)
            steps = steps_of(state, at.branch)
            if at.part == "outline":
                for n, side in enumerate(SIDES, 1):
                    yield OutlineRow(f"{at.branch}/outline{n}", 2, title=f"outline of the {side}")
            elif at.part == "section":
                for n in steps:
                    yield OutlineRow(f"{at.branch}/section{n}", 2, f"section {n}", f"section {n}")
                    for address in cells_of_section(at.branch, n, steps):
                        if (one := parse_address(address)).part != "section":
                            yield OutlineRow(address, 3, f"{labels[one.part]} {one.item}")
            elif at.part not in ("passages", "step", "later"):
                yield row

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the manuscript, else the papers that it imitates."""
        pair = held(state, f"{branch}/pair", PairRow)
        papers = filter(None, (pair.algorithm, pair.application))
        usual = " + ".join(title_of(state, paper) for paper in papers) or "no paradigm yet"
        return held(state, f"{branch}/idea", IdeaContent).title or usual

    def idea_source(self, state: State, branch: Branch) -> str:
        """The two papers that it imitates."""
        titles = [state.value(f"{branch}/outline{n}#title") for n in (1, 2)]
        return "after " + " and ".join(clipped(title, 5) for title in titles if title)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """The manuscripts, the reviews that they went through, and what a reader must be warned
        of."""
        bounds = bounds_of(state, self.instance)
        limit = (
            f"Imitate-and-Evolve with {count(bounds.papers, 'paper')} a side, a plan of "
            f"{count(bounds.steps, 'step')} and one review, by a model's own rating."
        )
        cells = (f"{branch}/{name}" for branch in branches for name in REVIEWS)
        return MethodDocument(
            tuple(at for at in cells if state.in_use(at) is not None),
            tuple(warning for branch in branches for warning in _warnings(state, branch)),
            (limit,),
            tuple(whole for branch in branches for whole in _manuscript(state, branch)),
        )


def _manuscript(state: State, branch: Branch) -> Iterator[Manuscript]:
    """The sections as they are now, each with marks where it names papers, so that a format may
    write citations of its own."""
    gate, parts = held(state, f"{branch}/gate", contents.GateContent), list[Section]()
    for one in sections_of(state, branch):
        address = f"{branch}/gate" if one.revised else f"{branch}/section{one.number}"
        rows = [row.papers for row in gate.rows if one.revised and row.section == one.number]
        own = held(state, f"{branch}/section{one.number}", contents.SectionContent)
        papers = known(state, *rows or [own.papers])
        text = passage(state, address, one.text, marks_in(one.text, papers))
        parts.append(Section(one.title, (text,)))
    idea = state.read(f"{branch}/idea", IdeaContent)
    if parts and idea is not None:
        abstract = passage(state, f"{branch}/idea", idea.summary or idea.final)
        yield Manuscript(idea.title, tuple(parts), abstract, branch)


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """Steps on weak evidence, and citations that named no paper."""
    steps = [f"{branch}/step{number}" for number in steps_of(state, branch)]
    weak = [at for at in steps if held(state, at, contents.StepContent).weak]
    missing = [
        f"{branch}/section{one.number}" for one in sections_of(state, branch) if MISSING in one.text
    ]
    for title, what, cells in (
        (
            "Weak evidence",
            "weak evidence; accept each step, or edit it",
            [at for at in weak if not state.cell(at).accepted],
        ),
        (
            "Missing citations",
            "citations that name no paper; they are marked in the text",
            missing,
        ),
    ):
        if cells:
            yield ProposalWarning(title, f"{', '.join(cells)}: {what}.", tuple(cells))


METHOD = ImitateAndEvolve
