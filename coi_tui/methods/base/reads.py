"""What a task may read, for the tasks of every method: topic, criteria, papers and cards of a chain,
ideas and plans, and how a task says it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import methodcaller
from typing import Any, Literal, get_args

from coi_tui.engine.freshness import Inputs, Read, Reads
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import SUMMARY
from coi_tui.model.address import cell_at, cell_ref, ref, slot
from coi_tui.model.criteria import REF, Criteria
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import PARTS
from coi_tui.model.state import State
from coi_tui.model.text import Fields

IDEA_BRIEF = "{branch}/idea#title summary? problem? mechanism? evaluation? setting?"
"""An idea in short. A title there must be; a person's own may have no more."""
Facet = Literal["problem", "mechanism", "evaluation", "setting"]
FACETS: tuple[Facet, ...] = get_args(Facet)
"""The parts of an idea that can be changed one by one: what it is for, how it works, how it is
tested, and where it applies."""
TOPIC = Read("topic", "topic#text")
HUNCH = Read("hunch", "topic#hunch", optional=True)


ReadsOf = Callable[[State, str], Reads]
"""What a task reads, in a state and for the address that it writes."""


def reading(*parts: str | Read | ReadsOf) -> ReadsOf:
    """The reads of a task, each as ``name=cell#field``, also with several fields of the cell
    (``name=cell#field field``); ``?`` after the name or a field: it may be absent.

    ``{cell}`` stands for the cell that is written; ``{instance}``, ``{branch}``, ``{number}`` (of
    the branch), ``{rival}``, ``{kind}``, ``{item}`` and ``{slot}`` for those of it.
    """

    def reads(state: State, address: str) -> Reads:
        found: list[Read] = []
        for part in parts:
            if isinstance(part, str):
                found += _said(part, address)
            elif isinstance(part, Read):
                found.append(part)
            else:
                found += part(state, address)
        return tuple(found)

    return reads


NOTHING = reading()


@lru_cache(maxsize=16_384)  # more than a session of 9,000 cells has
def _names(address: str) -> Fields:
    """What the names in a text stand for."""
    at = cell_ref(address)
    parts = ("instance", "branch", "rival", "kind", "item", "slot")
    own = {name: getattr(at, name) for name in parts}
    return {**own, "cell": at, "number": str(at.branch).rpartition("/")[2]}


@lru_cache(maxsize=131_072)
def _said(part: str, address: str) -> Reads:
    """The reads that a text says for the cell at an address."""
    name, _, where = part.partition("=")
    cell, _, fields = where.format_map(_names(address)).partition("#")
    return tuple(
        Read(name.rstrip("?"), ref(cell, field.rstrip("?")), "?" in name + field)
        for field in fields.split() or [""]  # one that names no field leads nowhere
    )


def marked(*parts: str | Read | ReadsOf, **marks: Any) -> ReadsOf:
    """The same with marks of a ``Read``: ``once``, ``best_effort``."""
    every, mark = reading(*parts), methodcaller("_replace", **marks)

    def reads(state: State, address: str) -> Reads:
        return tuple(map(mark, every(state, address)))

    return reads


def of_parents(*parts: str | Read | ReadsOf, once: bool = False) -> ReadsOf:
    """The same of what a text is made from itself, which is no input for freshness."""
    return marked(*parts, parent=True, once=once)


def where_there(*parts: str | Read | ReadsOf) -> ReadsOf:
    """The same of what is there: what is made with it differs in its inputs from what was made
    before."""
    every = reading(*parts)

    def reads(state: State, address: str) -> Reads:
        meanings = state.meanings
        return tuple([read for read in every(state, address) if meanings[read.ref] is not None])

    return reads


criteria = where_there(f"criteria={REF}")
"""The session's criteria."""


def rules(inputs: Inputs) -> Criteria:
    """The criteria among a task's inputs."""
    return Criteria.of(inputs.first("criteria", None))


means = where_there("means=means#text")
"""What the person has for the work, where they wrote that."""
known_means = of_parents(means)
"""The same for what does not grow stale by it: means are often written when ideas are there."""


PLAN = f"experiment={{branch}}/exp#{' '.join(PARTS)}?"
"""The experiment plan of a branch, of which the references alone may be empty."""


# -- chains


def chain_papers(state: State, address: str) -> Reads:
    """The papers of a branch's chain. The anchor is a required input, so that nothing is written from
    an empty chain."""
    branch = cell_ref(address).branch
    places = Chains.of(state).chain(branch) or [0]
    return reading(*(f"papers={slot(branch, pos)}#paper" for pos in places))(state, address)


def chain_cards(fields: str, name: str = "chain") -> ReadsOf:
    """Some fields of the cards of a branch's chain, old to new."""

    def reads(state: State, address: str) -> Reads:
        slots = Chains.of(state).in_chain(cell_ref(address).branch)
        cards = (f"{name}={one.address}.{SUMMARY}#{fields}" for one in slots)
        return reading(*cards)(state, address)

    return reads


# -- the check of an idea


def _text(state: State, address: str) -> Reads:
    """Of a person's idea without a summary the text."""
    summary = state.value(ref(cell_at(cell_ref(address).branch, "idea"), "summary"))
    return () if summary else reading("idea={branch}/idea#final")(state, address)


novelty = reading(
    TOPIC,
    f"idea={IDEA_BRIEF}",
    _text,
    "idea?={branch}/idea#works",
    where_there("claims?={branch}/claims#claims", "wanted?={branch}/compare#papers"),
    "rivals?={branch}/rivals#works",
    where_there("runners_up?={branch}/rivals#runners_up"),
    of_parents("compared?={cell}#papers"),
)
"""What an idea is checked by: the idea in short and the works that it names, the claims of a person,
where there are some, the rivals and their runners-up; and what was compared with it before."""
search_against = reading(
    novelty, of_parents("report?={cell}#claims claims_by papers searches named")
)
"""The same, and the report that goes on."""

CHOICE, TARGET = "choice", "target"
"""The cell of an instance, and its field, in which the person names the start. Every method that
has one calls it so, so that a circle is found whichever methods it goes through."""


def first_line(lines: Any) -> str:
    """The first line that says something."""
    return next((str(one).strip() for one in lines or [] if str(one).strip()), "")


def reads_of_named(state: State, address: str) -> Reads:
    """What the person chose as the target, and what is at the address that this names, unless that
    is none or comes from the target."""
    (named,) = reading("target?={instance}/choice#target")(state, address)
    line = first_line(state.value(named.ref))
    try:
        at = cell_ref(line)
    except UsageError:
        return (named,)
    if comes_from(state, line, cell_ref(address).instance):
        return (named,)
    there = {"slot": f"chosen_paper={at}#paper", "idea": f"chosen_idea={at}#title final"}
    return reading(named, there.get(at.kind, NOTHING))(state, address)


def comes_from(state: State, line: str, instance: str) -> bool:
    """Whether what a person named is an idea of this instance, or of one whose own target comes
    from it."""
    seen: set[str] = set()
    while (named := _idea_of(line)) and named not in seen:
        if named == instance:
            return True
        seen.add(named)
        line = first_line(state.value(ref(cell_at(named, CHOICE), TARGET)))
    return False


def _idea_of(line: str) -> str:
    """The instance whose idea a line names; empty where it names none, or one of a chain, which
    rests on no target."""
    try:
        at = cell_ref(line)
    except UsageError:
        return ""
    return at.instance if at.kind == "idea" else ""
