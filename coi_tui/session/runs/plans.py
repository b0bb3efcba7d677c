"""Plans: what would run, why, how many calls, what it may cost and what leaves the machine. Nothing
runs without one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.engine.declarations import Cost, Forecast, Span, Task
from coi_tui.engine.freshness import FRESH, Freshness
from coi_tui.engine.scheduler import Goal
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.money import FREE, Range, in_words
from coi_tui.model.state import PDF, WISHES, State
from coi_tui.services.llm.types import model_name
from coi_tui.session.core import SessionCore

Pricer = Callable[[Cost], "Range | None"]


def price(core: SessionCore, cost: Cost) -> Range | None:
    """Dollars from the least to the most; None where no price is known. Tokens that a step
    declares, at the prices of now."""
    if not (cost.calls[1] and core.uses_model):
        return FREE
    from coi_tui.services.llm.prices import price_usd

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


def of_forecast(forecast: Sequence[Forecast], price: Pricer) -> tuple[PlanLine, ...]:
    return tuple(
        PlanLine(f"{f.stage}: {f.what}", f.why, f.cost, price(f.cost), stage=f.stage)
        for f in forecast
    )


def stale_addresses(
    state: State, fresh: Mapping[str, Freshness], method: SessionMethods
) -> list[str]:
    """What is not up to date and could be made again, oldest input first; with it what it needs and
    was not made yet (cards, trends)."""
    wanted = {
        a
        for a, f in fresh.items()
        if f.status in ("stale", "upstream") and method.step(a) is not None
    }
    wanted |= {
        missing
        for a in wanted
        for need in fresh[a].needs
        for missing in missing_with_inputs(state, method, need)
    }
    order: list[str] = []

    def visit(address: str) -> None:
        if address in order or address not in wanted:
            return
        step = method.step(address)
        for read in step.reads(state, address) if step else ():
            if read.cell != address:
                visit(read.cell)
        order.append(address)

    for address in sorted(wanted, key=method.order):
        visit(address)
    return order


def missing_with_inputs(state: State, method: SessionMethods, address: str) -> set[str]:
    """A text that does not exist, with those it is made from that do not exist either; none where
    one of them could not be made."""
    step = method.step(address)
    if step is None or state.in_use(address) is not None:
        return set()
    found = {address}
    for read in step.reads(state, address):
        if not read.optional and state.meaning(read.ref) is None:
            if not (below := missing_with_inputs(state, method, read.cell)):
                return set()
            found |= below
    return found


def with_ancestors(
    state: State, fresh: Mapping[str, Freshness], method: SessionMethods, named: Sequence[str]
) -> list[str]:
    """The named cells and whatever above them is not up to date, oldest input first: a cell is only
    as fresh as what it is made from."""
    above: set[str] = set()

    def collect(address: str) -> None:
        step = method.step(address)
        for read in step.reads(state, address) if step else ():
            behind = fresh.get(read.cell, FRESH).status in ("stale", "upstream") or bool(
                missing_with_inputs(state, method, read.cell)
            )
            if read.cell not in above and not read.parent and behind:
                above.add(read.cell)
                collect(read.cell)

    for address in named:
        collect(address)
    order = [a for a in stale_addresses(state, fresh, method) if a in above or a in named]
    return order + [a for a in named if a not in order]


def refresh_line(
    state: State,
    address: str,
    freshness: Freshness,
    method: SessionMethods,
    price: Pricer,
    made_before: Collection[str] = (),
    maker: Task | None = None,
) -> PlanLine:
    """One cell of a refresh: why it is not fresh, and the reason where it is left out.
    ``made_before``: what the plan makes first.

    ``maker`` is the step that makes it, where that is not the cell's own.
    """
    step = maker or method.step(address)
    cost = step.cost(state, address) if step else Cost()
    off, why = _left_out(state, address, step, freshness, made_before), reasons(freshness)
    if state.cell(address).lock is not None and not off:
        why += "; your text stays, the result comes as an alternative"
    return PlanLine(address, why, cost, price(cost), address, off)


def _left_out(
    state: State,
    address: str,
    step: Task | None,
    freshness: Freshness,
    made_before: Collection[str],
) -> str:
    """Why a plan leaves a cell out; empty where it is made."""
    if (
        step is not None
        and freshness.status == "missing"
        and (bare := _bare(state, step, address, made_before))
    ):
        return (
            f"it needs {', '.join(bare[:3])}, which {'does' if len(bare) == 1 else 'do'} not exist"
        )
    if needs := [need for need in freshness.needs if need not in made_before]:
        return f"it needs {', '.join(needs)}, which {'is' if len(needs) == 1 else 'are'} empty"
    if freshness.choice_waits:
        return "a newer version waits for you to compare it with yours"
    return "protected by you" if state.cell(address).protected else ""


def _bare(state: State, step: Task, address: str, made_before: Collection[str]) -> list[str]:
    """Cells that a text cannot be made without, which neither exist nor are made first."""
    needed = [
        r
        for r in step.reads(state, address)
        if not r.optional and not r.parent and r.cell not in made_before
    ]
    return list(
        dict.fromkeys(
            r.cell for r in needed if state.meaning(r.ref) is None and state.value(r.ref) is None
        )
    )


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
