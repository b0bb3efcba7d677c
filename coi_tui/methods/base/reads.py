"""What a task may read, for the tasks of every method: topic, criteria, papers and cards of a chain,
ideas and plans, and how a task says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from coi_tui.engine.freshness import Inputs, Read, Reads
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import SUMMARY
from coi_tui.model.address import Branch, attached_to, cell_at, cell_ref, ref, slot
from coi_tui.model.criteria import REF, Criteria
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import PARTS
from coi_tui.model.state import State

IDEA_TEXT = ("title", "final")
IDEA_BRIEF = ("title", "summary", "problem", "mechanism", "evaluation", "setting")
IDEA_OF_PLAN = ("title", "problem", "mechanism", "evaluation", "setting", "final")
"""What an experiment plan is made from: an edit of any of these makes it stale."""
IDEA = (*IDEA_BRIEF, "works", "final")
Facet = Literal["problem", "mechanism", "evaluation", "setting"]
FACETS: tuple[Facet, ...] = get_args(Facet)
"""The parts of an idea that can be changed one by one: what it is for, how it works, how it is
tested, and where it applies."""
MAYBE_EMPTY = frozenset({"references"})

TOPIC = Read("topic", "topic#text")
HUNCH = Read("hunch", "topic#hunch", optional=True)


ReadsOf = Callable[[State, str], Reads]
"""What a task reads, in a state and for the address that it writes."""


def reading(*parts: str | Read | ReadsOf) -> ReadsOf:
    """The reads of a task, each as ``name=cell#field``; ``?`` after the name: it may be absent.

    ``{instance}``, ``{branch}``, ``{number}`` (of the branch), ``{kind}`` and ``{item}`` stand for
    those of the cell that is written.
    """

    def reads(state: State, address: str) -> Reads:
        at = cell_ref(address)
        number = str(at.branch).rpartition("/")[2]
        names = {name: getattr(at, name) for name in ("instance", "branch", "kind", "item")}
        found: list[Read] = []
        for part in parts:
            if isinstance(part, str):
                name, _, ref = part.partition("=")
                found.append(
                    Read(name.rstrip("?"), ref.format(number=number, **names), name.endswith("?"))
                )
            elif isinstance(part, Read):
                found.append(part)
            else:
                found += part(state, address)
        return tuple(found)

    return reads


def criteria(state: State, address: str = "") -> Reads:
    """The session's criteria, where there are some: what is made with them differs in its inputs
    from what was made before."""
    return _where_there(state, Read("criteria", REF))


def _where_there(state: State, read: Read) -> Reads:
    return (read,) if state.meaning(read.ref) is not None else ()


def rules(inputs: Inputs) -> Criteria:
    """The criteria among a task's inputs."""
    return Criteria.of(inputs.first("criteria", None))


def means(state: State) -> Reads:
    """What the person has for the work, where they wrote that."""
    return _where_there(state, Read("means", ref("means", "text")))


def known_means(state: State) -> Reads:
    """The same for what does not grow stale by them: means are often written when ideas are
    there."""
    return tuple(read._replace(parent=True) for read in means(state))


def card_fields(name: str, branch: Branch, pos: int, fields: tuple[str, ...]) -> list[Read]:
    """Reads of some fields of a slot's card, of which each may say nothing."""
    card = attached_to(slot(branch, pos), SUMMARY)
    return [
        Read(name, ref(card, field), optional=field not in ("problem", "move")) for field in fields
    ]


def paper(
    name: str, branch: Branch, pos: int, *, optional: bool = False, parent: bool = False
) -> Read:
    """The paper in a slot."""
    return Read(name, ref(slot(branch, pos), "paper"), optional, parent)


def idea(
    name: str, branch: Branch, fields: tuple[str, ...] = IDEA, *, parent: bool = False
) -> list[Read]:
    """The idea of a branch. A title and the idea itself there must be; a person's own may have no
    more."""
    return [
        Read(name, ref(cell_at(branch, "idea"), field), field not in IDEA_TEXT, parent)
        for field in fields
    ]


def rivals(name: str, branch: Branch) -> Read:
    """The works nearest to the thought behind the idea of a branch: rows with title, year,
    abstract, same, left. There may be none."""
    return Read(name, ref(cell_at(branch, "rivals"), "works"), optional=True)


def experiment(branch: Branch, *, parent: bool = False) -> list[Read]:
    """The experiment plan of a branch."""
    return [
        Read("experiment", ref(cell_at(branch, "exp"), f), optional=f in MAYBE_EMPTY, parent=parent)
        for f in PARTS
    ]


# -- chains


def chain_papers(state: State, branch: Branch) -> list[Read]:
    """The chain's papers. The anchor is a required input, so that nothing is written from an empty
    chain."""
    return [paper("papers", branch, pos) for pos in Chains.of(state).chain(branch) or [0]]


def chain_cards(
    state: State, branch: Branch, fields: tuple[str, ...], name: str = "chain"
) -> list[Read]:
    """Some fields of the chain's cards, old to new."""
    return [
        read
        for pos in Chains.of(state).chain(branch)
        for read in card_fields(name, branch, pos, fields)
    ]


# -- the check of an idea


def _brief(state: State, branch: Branch) -> Reads:
    """The idea in short and the works that it names; of a person's idea without a summary the
    text."""
    cell = cell_at(branch, "idea")
    text = () if state.value(ref(cell, "summary")) else (Read("idea", ref(cell, "final")),)
    return (
        *idea("idea", branch, IDEA_BRIEF),
        *text,
        Read("idea", ref(cell, "works"), optional=True),
    )


def claims(state: State, branch: Branch) -> Reads:
    """The claims that a person wrote, where there are some: a report that was made without them is
    stale then."""
    return _where_there(
        state, Read("claims", ref(cell_at(branch, "claims"), "claims"), optional=True)
    )


def novelty(state: State, address: str) -> Reads:
    """What an idea is checked by: the idea in short, the claims of a person, the rivals and their
    runners-up; and what was compared with it before."""
    branch = cell_ref(address).branch
    return (
        TOPIC,
        *_brief(state, branch),
        *claims(state, branch),
        *_where_there(
            state, Read("wanted", ref(cell_at(branch, "compare"), "papers"), optional=True)
        ),
        rivals("rivals", branch),
        *_where_there(
            state, Read("runners_up", ref(cell_at(branch, "rivals"), "runners_up"), optional=True)
        ),
        Read("compared", ref(address, "papers"), optional=True, parent=True),
    )


REPORT = ("claims", "claims_by", "papers", "searches", "named")
"""What a report that goes on gives to the next one."""


def search_against(state: State, address: str) -> Reads:
    """The same, and the report that goes on."""
    report = (Read("report", ref(address, field), optional=True, parent=True) for field in REPORT)
    return (*novelty(state, address), *report)


CHOICE, TARGET = "choice", "target"
"""The cell of an instance, and its field, in which the person names the start. Every method that
has one calls it so, so that a circle is found whichever methods it goes through."""


def first_line(lines: Any) -> str:
    """The first line that says something."""
    return next((str(one).strip() for one in lines or [] if str(one).strip()), "")


def reads_of_named(state: State, address: str) -> Reads:
    """What the person chose as the target, and what is at the address that this names, unless that
    is none or comes from the target."""
    instance = cell_ref(address).instance
    named = Read(TARGET, ref(cell_at(instance, CHOICE), TARGET), optional=True)
    line = first_line(state.value(named.ref))
    try:
        at = cell_ref(line)
    except UsageError:
        return (named,)
    if comes_from(state, line, instance):
        return (named,)
    if at.kind == "slot":
        return named, Read("chosen_paper", ref(str(at), "paper"))
    fields = ("title", "final") if at.kind == "idea" else ()
    return (named, *(Read("chosen_idea", ref(str(at), field)) for field in fields))


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
