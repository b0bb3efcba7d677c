"""Plans: what would run, why, how many calls, what it may cost and what leaves the machine. Nothing
runs without one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from coi_tui.engine.declarations import Cost, Span, Task
from coi_tui.engine.freshness import FRESH, Freshness, Read
from coi_tui.engine.scheduler import Goal
from coi_tui.model.money import FREE, Range, in_words
from coi_tui.model.state import PDF, WISHES
from coi_tui.services.llm.chat import model_name
from coi_tui.session.core import SessionCore

OLD = ("stale", "upstream")
"""What a cell is that a refresh makes again."""


def price(core: SessionCore, cost: Cost) -> Range | None:
    """Dollars from the least to the most; None where no price is known. Tokens that a step
    declares, at the prices of now."""
    if not (cost.calls[1] and core.uses_model):
        return FREE
    from coi_tui.services.llm.chat import price_usd

    llm = core.settings.llm
    low, high = (
        price_usd(model_name(llm, cost.role), *tokens, llm.prices, base_url=llm.base_url)
        for tokens in zip(cost.prompt_tokens, cost.reply_tokens, strict=True)
    )
    return None if low is None or high is None else (low, high)


@dataclass(frozen=True)
class PlanLine:
    """One step or stage. ``usd`` is None where no price is known; ``off`` is the reason why the
    line is left out, or empty."""

    what: str
    why: str
    cost: Cost
    usd: Range | None
    address: str = ""
    off: str = ""
    stage: str = ""
    """The stage of the method that the line is for; empty for a line of one cell."""

    @property
    def takes(self) -> str:
        """Calls, searches and cost, in words."""
        return takes([self])


def span(numbers: Span, word: str) -> str:
    """``3-8 calls``, ``1 call``, or nothing for none."""
    low, high = numbers
    plural = "" if high == 1 else "es" if word.endswith("ch") else "s"
    return f"{f'{low}-' if low != high else ''}{high} {word}{plural}" if high else ""


def takes(lines: Sequence[PlanLine]) -> str:
    """What some lines take together, in words: ``3-5 calls, 2 searches, $0.25-0.71``."""
    calls, searches = (
        (sum(low for low, _ in spans), sum(high for _, high in spans))
        for spans in ([line.cost.calls for line in lines], [line.cost.searches for line in lines])
    )
    parts = (span(calls, "call"), span(searches, "search"), in_words(cost_of(lines)))
    return ", ".join(part for part in parts if part)


def cost_of(lines: Sequence[PlanLine]) -> Range | None:
    """Dollars for all of them; None as soon as one that asks a model has no price."""
    found = [line.usd for line in lines if line.cost.calls[1]]
    known = [usd for usd in found if usd is not None]
    if len(known) < len(found):
        return None
    return sum(low for low, _ in known), sum(high for _, high in known)


@dataclass(frozen=True)
class Plan:
    """Approved as a whole; ``goal`` is what the job will work for. ``anew``: services are asked
    again where an answer was kept."""

    title: str
    goal: Goal
    lines: tuple[PlanLine, ...]
    models: str
    source: str
    sends: tuple[str, ...]
    anew: bool = False
    asks: bool = False
    """Whether a person approves it before it runs; else it costs nothing and asks no model."""
    adds: str = ""
    """The method that it adds to the session; empty for none."""
    note: str = ""
    """What it leaves as it is, in a sentence."""
    spent: str = ""
    """What the session had spent before this plan, in words."""

    @property
    def on(self) -> list[PlanLine]:
        """The lines that are not left out."""
        return [line for line in self.lines if not line.off]

    @property
    def searches(self) -> bool:
        """Whether it looks for papers at all."""
        return any(line.cost.searches[1] for line in self.on)

    @property
    def calls(self) -> Span:
        spans = [line.cost.calls for line in self.on]
        return sum(low for low, _ in spans), sum(high for _, high in spans)

    @property
    def usd(self) -> Range | None:
        return cost_of(self.on)

    @property
    def takes(self) -> str:
        """Calls, searches and cost of the whole, in words."""
        return takes(self.on)

    @property
    def empty(self) -> bool:
        return not self.on

    def at_once(self) -> str:
        """What is said when it starts without a question: what it sends, what it leaves out, and
        the key that stops it."""
        out = [f"{line.what} is left out: {line.off}." for line in self.lines if line.off]
        said = [f"S stops it; it is free. Sends out: {'; '.join(self.sends)}.", *out[:2], self.note]
        return " ".join(filter(None, said))


def reads_of(core: SessionCore, address: str) -> tuple[Read, ...]:
    """What the task of a cell reads; empty for a cell that none makes."""
    task = core.methods.step(address)
    return task.reads(core.state, address) if task else ()


def stale_addresses(core: SessionCore) -> list[str]:
    """What is not up to date and could be made again, oldest input first; with it what it needs and
    was not made yet (cards, trends)."""
    fresh, methods = core.fresh, core.methods
    wanted = {a for a in fresh if fresh[a].status in OLD and methods.step(a) is not None}
    wanted |= {
        missing
        for a in wanted
        for need in fresh[a].needs
        for missing in _missing_with_inputs(core, need)
    }
    order: dict[str, None] = {}

    def visit(address: str) -> None:
        if address in order or address not in wanted:
            return
        for read in reads_of(core, address):
            if read.cell != address:
                visit(read.cell)
        order[address] = None

    for address in sorted(wanted, key=methods.order):
        visit(address)
    return list(order)


def _missing_with_inputs(core: SessionCore, address: str) -> set[str]:
    """A text that does not exist, with those it is made from that do not exist either; none where
    one of them could not be made."""
    if core.methods.step(address) is None or core.state.in_use(address) is not None:
        return set()
    found = {address}
    for read in reads_of(core, address):
        if not read.optional and core.state.meaning(read.ref) is None:
            if not (below := _missing_with_inputs(core, read.cell)):
                return set()
            found |= below
    return found


def with_ancestors(core: SessionCore, named: Sequence[str]) -> list[str]:
    """The named cells and whatever above them is not up to date, oldest input first: a cell is only
    as fresh as what it is made from."""
    above: set[str] = set()

    def collect(address: str) -> None:
        for read in reads_of(core, address):
            old = core.fresh.get(read.cell, FRESH).status in OLD
            if read.cell in above or read.parent:
                continue
            if old or _missing_with_inputs(core, read.cell):
                above.add(read.cell)
                collect(read.cell)

    for address in named:
        collect(address)
    order = [a for a in stale_addresses(core) if a in above or a in named]
    return order + [a for a in named if a not in order]


def refresh_line(
    core: SessionCore, address: str, made_before: Collection[str] = (), maker: Task | None = None
) -> PlanLine:
    """One cell of a refresh: why it is not fresh, and the reason where it is left out.
    ``made_before``: what the plan makes first. ``maker``: the task, where it is not the cell's
    own."""
    task, freshness = maker or core.methods.step(address), core.freshness(address)
    cost = task.cost(core.state, address) if task else Cost()
    off, why = _left_out(core, address, task, freshness, made_before), reasons(freshness)
    if core.state.cell(address).lock is not None and not off:
        why += "; your text stays, the result comes as an alternative"
    return PlanLine(address, why, cost, price(core, cost), address, off)


def _left_out(
    core: SessionCore,
    address: str,
    task: Task | None,
    freshness: Freshness,
    made_before: Collection[str],
) -> str:
    """Why a plan leaves a cell out; empty where it is made."""
    state = core.state
    if task is not None and freshness.status == "missing":
        needed = [
            r.cell
            for r in task.reads(state, address)
            if not (r.optional or r.parent or r.cell in made_before)
            and state.meaning(r.ref) is None
            and state.value(r.ref) is None
        ]
        if bare := list(dict.fromkeys(needed)):
            missing = "does not exist" if len(bare) == 1 else "do not exist"
            return f"it needs {', '.join(bare[:3])}, which {missing}"
    if needs := [need for need in freshness.needs if need not in made_before]:
        return f"it needs {', '.join(needs)}, which {'is' if len(needs) == 1 else 'are'} empty"
    if freshness.choice_waits:
        return "a newer version waits for you to compare it with yours"
    return "protected by you" if state.cell(address).protected else ""


def _changed(name: str) -> str:
    cell, _, field = name.partition("#")
    return (
        f"your PDF of {cell}" if field == PDF else "what you asked for" if field == WISHES else cell
    )


def reasons(freshness: Freshness) -> str:
    """Why a cell is not fresh, in a few words."""
    if freshness.status == "missing":
        return "not made yet"
    if freshness.needs:
        return f"needs {', '.join(freshness.needs)}"
    if freshness.changed:
        cells = list(dict.fromkeys(_changed(name) for name in freshness.changed))
        return f"changed: {', '.join(cells[:4])}{' ...' if len(cells) > 4 else ''}"
    if freshness.upstream:
        return f"waits for {', '.join(freshness.upstream[:4])}"
    return "asked again"
