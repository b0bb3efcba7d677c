"""Ideas made from ideas: an operator on one idea, or on two, gives a row of its own with its parents.

It is a method whose instances are added by a decision about an idea and not by choosing a method;
novelty check, matches, plan and review follow as for any idea.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from coi_tui.arena.ratings import TIE
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import EVERYTHING, Forecast, Result, Scope, View, Want
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.reads import FACETS, IDEA_BRIEF, TOPIC, Facet, means, of_parents, reading
from coi_tui.methods.base.reply_models import SourcedIdea, Words
from coi_tui.methods.base.task import MethodTask, one_call, result
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.ideas import kinds
from coi_tui.methods.ideas.sketches import LENSES, picked, sketches
from coi_tui.methods.ideas.stages import has_idea
from coi_tui.model.address import Branch, as_branch, cell_at, cell_ref, match_of, ref
from coi_tui.model.content import IdeaContent, MatchRecord
from coi_tui.model.document import Block, Paragraph, bulleted, section
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import count, listed

Name = Literal["combine", "simplify", "feasible", "unusual", "negate", "move"]


OPERATORS = {
    "combine": ("combine", "with another idea, and resolve where the two contradict"),
    "simplify": ("simplify", "what carries it stays, and the experiment is easier"),
    "feasible": ("make feasible", "within your means"),
    "unusual": ("out of the box", "without an assumption that all of them share"),
    "negate": ("negate", "the opposite, or no effect, as a result worth having"),
    "move": ("move", "change one facet, keep the others word for word"),
}
"""By the name of each what it is called, and what it makes of an idea."""
NO_MEANS = "your means are not written down"
SAMPLE = 6
"""So many other ideas of the session are shown, so that ideas do not become alike."""
RIVALS_SHOWN = 2
"""So many works near each parent are shown, the nearest first."""


class DerivedSettings(IdeaSettings):
    """The operator and the parents of an idea. ``change``: the facet that is moved."""

    operator: Name = "simplify"
    parents: tuple[str, ...] = ()
    change: Facet | None = None


def _partners(state: State, parent: str) -> dict[str, str]:
    """What a sketch, or the idea of a branch, may be combined with, by name with the title: other
    sketches (the picked ones first), or ideas."""
    if cell_ref(parent).kind not in LENSES:
        found: dict[str, str] = {str(b): cell_at(b, "idea") for b in state.ideas()}
    else:
        found = {one: one for one in (*picked(state), *sketches(state))}
    return {
        name: str(state.value(ref(at, "title")) or "")
        for name, at in found.items()
        if name != parent
    }


def settings_for(
    state: State, parent: str, operator: str, other: str = "", change: str = ""
) -> dict[str, object]:
    """The settings of an operator on a sketch, or on the idea of a branch. Raises UsageError where
    it cannot be applied."""
    if operator not in OPERATORS:
        hint = did_you_mean(operator, OPERATORS, f"There are {', '.join(OPERATORS)}.")
        raise UsageError(f"{operator!r} is no operator.", hint)
    parents = [parent]
    if operator == "combine":
        if other not in (others := _partners(state, parent)):
            raise UsageError(
                f"{parent} cannot be combined with {other or 'nothing'}.",
                f"Name another one: {', '.join(others) or 'there is none'}.",
            )
        parents.append(other)
    if operator == "feasible" and not means(state, parent):
        raise UsageError(f"{NO_MEANS.capitalize()}.", "Write them first (the row means).")
    if operator == "move" and cell_ref(parent).kind in LENSES:
        raise UsageError("A sketch has no facets to move.", "Work it out first.")
    if operator == "move" and change not in FACETS:
        raise UsageError("Name the facet that is to change.", f"There are {', '.join(FACETS)}.")
    return {
        "operator": operator,
        "parents": parents,
        "change": change if operator == "move" else None,
    }


def what_is_asked(operator: str) -> str:
    """What an operator asks for, in words."""
    return ": ".join(OPERATORS[operator])


def choices(state: State, parent: str) -> Iterator[tuple[dict[str, str], str, str, str]]:
    """What can be made from a sketch, or from the idea of a branch: what names it, its label, a
    note, and why it cannot be made."""
    for name, (label, note) in OPERATORS.items():
        if name == "move":
            for facet in FACETS if cell_ref(parent).kind not in LENSES else ():
                yield {"operator": name, "change": facet}, f"another {facet}", "the rest stays", ""
        elif name != "combine":
            off = NO_MEANS if name == "feasible" and not means(state, parent) else ""
            yield {"operator": name}, label, note, off
    for other, title in _partners(state, parent).items():
        yield {"operator": "combine", "other": other}, f"combine with {other}", title, ""


def settings_of(state: State, address: str) -> DerivedSettings:
    """How the idea at an address, or in its instance, was made."""
    return state.bounds(DerivedSettings, address)


def parents_of(state: State, address: str) -> list[Branch]:
    """The branches of the ideas that it was made from."""
    return [as_branch(name) for name in settings_of(state, address).parents]


def lineage(state: State, address: str) -> str:
    """``simplify of 1``, ``move mechanism of S1/2``, ``combine of 1 and 2``."""
    own = settings_of(state, address)
    name = f"{own.operator} {own.change}" if own.change else own.operator
    return f"{name} of {listed(list(own.parents))}"


class DerivedReply(SourcedIdea):
    """The answer: ``change`` says what of the parents stays, what goes and why."""

    change: Words


class DerivedIdea(IdeaContent):
    """An idea with what its operator changed."""

    change: str = ""


class DeriveTask(MethodTask):
    """One call. A facet that is locked is taken from the parent as it is."""

    name, prompts = "derive", ("derive",)
    size = one_call((1_800, 6_000), (1_800, 3_600))

    def reads(self, state: State, address: str) -> Reads:
        parents = parents_of(state, address)
        others = [b for b in state.ideas() if b not in (*parents, cell_ref(address).branch)]

        def of_each(branches: Iterable[Branch], *parts: str) -> Reads:
            return tuple(read for b in branches for read in reading(*parts)(state, str(b)))

        return (
            TOPIC,
            *of_each(parents, f"parents={IDEA_BRIEF} final"),
            *of_each(parents, "rivals?={branch}/rivals#works"),
            *(means(state, address) if settings_of(state, address).operator == "feasible" else ()),
            *of_parents(
                *of_each(others[-SAMPLE:], "others?={branch}/idea#title summary"), once=True
            )(state, address),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        own, services = settings_of(ctx.state, inputs.address), self.services(ctx)
        parents = list(by_field(inputs.all("parents")).values())
        near = [row for _, rows in inputs.all("rivals") for row in rows]
        values = {
            "topic": inputs.one("topic"),
            "operator": own.operator,
            "change": own.change or "",
            "parents": parents,
            "others": list(by_field(inputs.all("others")).values()),
            "rivals": near[: RIVALS_SHOWN * len(parents)],
        }
        asked = await services.ask("derive", values, DerivedReply)
        content = asked.value.content()
        if own.change:
            content |= {f: parents[0][f] for f in FACETS if f != own.change and parents[0].get(f)}
        content["origin"] = lineage(ctx.state, inputs.address)
        return result(inputs, content, services.origin, asked.recipe)


def _better(state: State, child: Branch, parent: Branch) -> str:
    """Whether it is better than a parent: only a match of the two, which names neither, can say
    so."""
    address = match_of(child, parent)
    match = state.read(address, MatchRecord)
    votes = {name: won for (at, name), won in state.votes.items() if at == address}
    if match is None and not votes:
        return f"not compared with {parent}/idea yet"
    by = {"the model": match.results if match is not None else {}, "you": votes}
    return "; ".join(
        f"{sum(won == child for won in found.values())} of {count(len(found), 'criterion', 'criteria')} "
        f"won, {sum(won == TIE for won in found.values())} tied by {who} ({address})"
        for who, found in by.items()
        if found
    )


def _document(state: State, address: str) -> Iterator[Block]:
    """Where it comes from, facet by facet beside its parents, then its text."""
    child, version = cell_ref(address).branch, state.in_use(address)
    parents = parents_of(state, address)
    lines = [f"Made from earlier ideas: {lineage(state, address)}."] + [
        f"Against {p}: {_better(state, child, p)}." for p in parents
    ]
    yield from map(Paragraph, lines)
    if version is None:
        return
    idea = state.content(version, DerivedIdea)
    yield section("What changed", idea.change)
    of_parents = {p: state.read(cell_at(p, "idea"), IdeaContent) or IdeaContent() for p in parents}
    same = []
    for facet in FACETS:
        texts = {cell_at(p, "idea"): getattr(one, facet) for p, one in of_parents.items()}
        if (own := getattr(idea, facet)) in texts.values():
            same.append(facet)
        else:
            before = (f"{where}: {text or '-'}" for where, text in texts.items())
            yield bulleted(facet.capitalize(), [f"here: {own or '-'}", *before])
    if same:
        yield Paragraph(f"As before: {listed(same)}.")
    yield from IDEA.fields_document(state, address)


IDEA = replace(kinds.idea(DeriveTask.name, "ideas"), content=DerivedIdea, document=_document)


class Derived(BranchedMethod):
    """One branch an instance. It is drafted again only on request."""

    name, short = "Derived", ""
    own_stages = ("ideas",)
    own_kinds = (IDEA,)
    tasks = MappingProxyType({"idea": DeriveTask})

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        return ()

    def idea_source(self, state: State, branch: Branch) -> str:
        return lineage(state, str(branch))

    def _due(self, state: State, branches: Iterable[Branch], until: str) -> list[str]:
        """The matches of ideas with their parents that a run to a stage still judges."""
        if self.stages.index(until) < self.stages.index("selection"):
            return []
        pairs = [match_of(b, p) for b in branches for p in parents_of(state, str(b))]
        return [pair for pair in pairs if state.in_use(pair) is None]

    def wanted_after(
        self, view: View, branches: Sequence[Branch], until: str, dead: Container[Branch]
    ) -> list[Want]:
        """Also the match with each parent."""
        there = [b for b in branches if has_idea(view, b)]
        due = (self.want(pair, "selection") for pair in self._due(view.state, there, until))
        return [*super().wanted_after(view, branches, until, dead), *due]

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        lines = list(super().forecast(state, until, scope))
        pairs = self._due(state, (b for b in self.branches(state) if scope.holds(b)), until)
        if n := len(pairs):
            what = f"{count(n, 'match', 'matches')} with its parents"
            cost = self.after_ideas["match"].cost(state, pairs[0]).times(n, n)
            lines.append(Forecast("selection", what, "only that says whether it is better", cost))
        return lines


SPEC = Derived.spec("D", DerivedSettings, about="ideas made from ideas")
