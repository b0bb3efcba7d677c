"""Imitate-and-Evolve as the engine sees it: its tasks, what is wanted section by section, and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from coi_tui.engine.declarations import OutlineRow, View
from coi_tui.methods.base.cell_table import is_made, passage, stored, title_of
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.imitate import MOST_STEPS, ImitateSettings
from coi_tui.methods.imitate.kinds import MOST_POINTS, OWN_KINDS, PairRow, StepContent
from coi_tui.methods.imitate.manuscript import (
    MISSING,
    cells_of_section,
    points_of,
    section_marks,
    sections_of,
    steps_of,
    to_revise,
)
from coi_tui.methods.imitate.tasks import DRAFTS as DRAFTS
from coi_tui.methods.imitate.tasks import TASKS
from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import Manuscript, MethodDocument, ProposalWarning, Section
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

OF_BRANCH = {"pair": "pairs", "outline1": "outlines", "outline2": "outlines", "plan": "plan"}
"""The cells of each branch before its sections, with their stages."""
REVIEW = ("referee", "answer", "revised")
SECTION_STAGES = tuple(f"section-{n}" for n in range(1, MOST_STEPS + 1))


class ImitateAndEvolve(BranchedMethod):
    """A pair of papers a branch, a plan after their outlines, a section for each step, a review,
    then title and abstract."""

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
        for kind in self.own_kinds:
            if kind.shared and kind.task:
                yield Planned(cell_at(self.instance, kind.name), kind.stage)
        for branch in self.branches(state):
            for name, stage in OF_BRANCH.items():
                yield Planned(cell_at(branch, name), stage)
            # How many sections there will be is not known before the plan.
            if supposed or is_made(state, branch, "plan"):
                steps = steps_of(state, branch)
                for number in steps:
                    for address in cells_of_section(branch, number, steps):
                        yield Planned(address, f"section-{number}")
                yield from self._review(state, branch, supposed=supposed)

    def _review(self, state: State, branch: Branch, *, supposed: bool = False) -> Iterator[Planned]:
        """The review, an answer to each of its points, and a revision of each section with a point
        that is carried out, as far as these are known."""
        yield Planned(cell_at(branch, "referee"), "revision")
        known = is_made(state, branch, "referee")
        points = points_of(state, branch) if known else range(1, MOST_POINTS * supposed + 1)
        for n in points:
            yield Planned(cell_at(branch, "answer", n), "revision", int(known))
        answered = known and all(is_made(state, branch, "answer", n) for n in points)
        sections = to_revise(state, branch) if answered else steps_of(state, branch)
        for number in sorted(sections) if answered or supposed else ():
            yield Planned(cell_at(branch, "revised", number), "revision", int(answered))

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether the review is over, or cannot go on in this job."""
        review = [one.address for one in self._review(view.state, branch)]
        stopped = any(address in view.failed for address in review)
        return stopped or all(view.state.in_use(address) is not None for address in review)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """Of a branch its paradigm, both outlines, the plan, each section with what it was made
        from, the review, the idea."""
        labels = {kind.name: kind.label for kind in OWN_KINDS}
        for row in super().outline(state, failed):
            at = cell_ref(row.address)
            steps = steps_of(state, at.branch)
            cells: list[str] = []
            if at.kind == "outline":
                cells = [cell_at(at.branch, "outline", n) for n in (1, 2)]
            elif at.kind == "section":
                for n in steps:
                    evidence, step, section, *later = cells_of_section(at.branch, n, steps)
                    cells += [section, evidence, step, *later]
            elif at.kind in ("answer", "revised"):
                review = (one.address for one in self._review(state, at.branch))
                cells = [one for one in review if cell_ref(one).kind == at.kind]
            elif at.kind not in ("passages", "step", "later"):
                yield row
            for address in cells:
                one = cell_ref(address)
                depth = 3 if one.kind in ("passages", "step", "later", "answer") else 2
                yield OutlineRow(address, depth, f"{labels[one.kind]} {one.item}")

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the manuscript, else what it imitates."""
        title = stored(state, cell_at(branch, "idea"), IdeaContent).title
        return title or self.idea_source(state, branch) or "no paradigm yet"

    def idea_source(self, state: State, branch: Branch) -> str:
        """The two papers that it imitates."""
        pair = stored(state, cell_at(branch, "pair"), PairRow)
        titles = [
            clipped(title_of(state, paper), 5) for paper in (pair.algorithm, pair.application)
        ]
        return f"after {titles[0]} and {titles[1]}" if all(titles) else ""

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """The manuscripts, the reviews that they went through, and what a reader must be warned
        of."""
        bounds = state.bounds(ImitateSettings, self.instance)
        limit = (
            f"Imitate-and-Evolve with {count(bounds.papers, 'paper')} a side, a plan of "
            f"{count(bounds.steps, 'step')} and one review, by a model's own rating."
        )
        cells = (one.address for branch in branches for one in self._review(state, branch))
        return MethodDocument(
            tuple(cells),
            tuple(warning for branch in branches for warning in _warnings(state, branch)),
            (limit,),
            tuple(whole for branch in branches for whole in _manuscript(state, branch)),
        )


def _manuscript(state: State, branch: Branch) -> Iterator[Manuscript]:
    """The sections as they are now, each with marks where it names papers, so that a format may
    write citations of its own."""
    parts = tuple(
        Section(one.title, (passage(state, address, one.text, section_marks(one)),))
        for address, one in sections_of(state, branch).items()
    )
    idea = state.read(cell_at(branch, "idea"), IdeaContent)
    if parts and idea is not None:
        abstract = passage(state, cell_at(branch, "idea"), idea.summary or idea.final)
        yield Manuscript(idea.title, parts, abstract, branch)


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """Steps on weak evidence, and citations that named no paper."""
    steps = [cell_at(branch, "step", number) for number in steps_of(state, branch)]
    weak = [
        at for at in steps if stored(state, at, StepContent).weak and not state.cell(at).accepted
    ]
    missing = [at for at, one in sections_of(state, branch).items() if MISSING in one.text]
    for title, what, cells in (
        ("Weak evidence", "weak evidence; accept each step, or edit it", weak),
        ("Missing citations", "citations that name no paper; they are marked in the text", missing),
    ):
        if cells:
            yield ProposalWarning(title, f"{', '.join(cells)}: {what}.", tuple(cells))


METHOD = ImitateAndEvolve
