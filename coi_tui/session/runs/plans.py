"""Plans: what would run, why, how many calls, what it may cost and what leaves the machine. Nothing
runs without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import sqrt

from coi_tui.config import Price
from coi_tui.engine.declarations import CellKind, Cost, Span
from coi_tui.engine.scheduler import Goal
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.criteria import REF
from coi_tui.model.money import FREE, Range, dollars, in_words
from coi_tui.model.text import count, joined
from coi_tui.services.llm.chat import model_name, price_usd
from coi_tui.services.sources.source_registry import spec_of, title_services
from coi_tui.services.sources.types import SourceSpec
from coi_tui.session.core import SessionCore
from coi_tui.session.settings import ServiceSetup

PACE_FROM = 3
"""Calls from which on a pace is known."""


def price(core: SessionCore, cost: Cost) -> Range | None:
    """Dollars from the least to the most; None where no price is known. Tokens that a task
    declares, at the prices of now."""
    if not (cost.calls[1] and core.uses_model):
        return FREE
    llm = core.settings.llm
    return price_of(cost, model_name(llm, cost.role), llm.prices, llm.base_url)


def price_of(cost: Cost, model: str, prices: Mapping[str, Price], base_url: str) -> Range | None:
    """The same where one model of a server makes the calls."""
    low, high = (
        price_usd(model, *tokens, prices, base_url=base_url)
        for tokens in zip(cost.prompt_tokens, cost.reply_tokens, strict=True)
    )
    return None if low is None or high is None else (low, high)


@dataclass(frozen=True)
class PlanLine:
    """One task or stage. ``usd`` is None where no price is known; ``off`` is the reason why the
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


def _span(numbers: Span, word: str) -> str:
    """``3-8 calls``, ``1 call``, or nothing for none."""
    low, high = numbers
    plural = "" if high == 1 else "es" if word.endswith("ch") else "s"
    return f"{f'{low}-' if low != high else ''}{high} {word}{plural}" if high else ""


def takes(lines: Sequence[PlanLine]) -> str:
    """What some lines take together, in words: ``3-5 calls, 2 searches, $0.25-0.71``."""
    cost = sum((line.cost for line in lines), Cost())
    calls, searches = _span(cost.calls, "call"), _span(cost.searches, "search")
    return joined(", ", calls, searches, in_words(cost_of(lines)))


def _usual(low: float, high: float) -> float:
    """The usual figure between the least and the most: their geometric mean, without the third of
    the most that is calls asked again. Of four whole runs against stand-ins it was right to a fifth."""
    return max(low, min(high, sqrt(low * high / 1.5) if low else high / 4))


def usual(lines: Sequence[PlanLine]) -> tuple[str, str]:
    """What some lines usually take together and at most: ``about 83 calls, about $0.60`` and ``at
    most 385 calls, $5.35``. Tokens stand for money where no price is known; where nothing is paid
    it is what they take, and no more."""
    cost, usd = sum((line.cost for line in lines), Cost()), cost_of(lines)
    if not cost.calls[1] or usd == FREE:
        return takes(lines), ""
    low, high = usd or map(sum, zip(cost.prompt_tokens, cost.reply_tokens, strict=True))
    words = dollars if usd else lambda tokens: f"{-(-tokens // 1000):,.0f}k tokens"
    calls = count(round(_usual(*cost.calls)) or 1, "call")
    most = f"at most {count(cost.calls[1], 'call')}, {words(high)}"
    return f"about {calls}, about {words(_usual(low, high))}", most


def cost_of(lines: Sequence[PlanLine]) -> Range | None:
    """Dollars for all of them; None as soon as one that asks a model has no price."""
    low = high = 0.0
    for line in lines:
        if line.cost.calls[1]:
            if line.usd is None:
                return None
            low, high = low + line.usd[0], high + line.usd[1]
    return low, high


@dataclass(frozen=True)
class Plan:
    """Approved as a whole; ``goal`` is what the job will work for. ``no_cache``: services are
    asked again where an answer is stored."""

    title: str
    goal: Goal
    lines: tuple[PlanLine, ...]
    models: str
    source: str
    sends: tuple[str, ...]
    no_cache: bool = False
    asks: bool = False
    """Whether a person approves it before it runs; else it costs nothing and asks no model."""
    adds: tuple[str, ...] = ()
    """The methods that it adds to the session."""
    note: str = ""
    """What it leaves as it is, in a sentence."""
    spent: str = ""
    """What the session had spent before this plan, in words."""

    @property
    def on(self) -> list[PlanLine]:
        """The lines that are not left out."""
        return [line for line in self.lines if not line.off]

    @property
    def calls(self) -> Span:
        return sum((line.cost for line in self.on), Cost()).calls

    @property
    def usd(self) -> Range | None:
        return cost_of(self.on)

    @property
    def takes(self) -> str:
        """Calls, searches and cost of the whole as they usually are, in words."""
        return usual(self.on)[0]

    @property
    def in_full(self) -> str:
        """The same, with the most that they may be."""
        return joined("; ", *usual(self.on))

    def counted(self, calls: int, seconds: float) -> str:
        """How far that many calls are of those that it usually takes, and how long the rest would
        take at their pace: ``34 of about 90 calls, 4 min left``; empty where it asks no model."""
        usual = round(_usual(*self.calls)) if self.asks else 0
        left = round(seconds * (usual - calls) / max(1, calls) / 60)
        pace = f", {max(1, left)} min left" if PACE_FROM <= calls < usual else ""
        return f"{calls} of about {max(calls, usual)} calls{pace}" if usual else ""

    def of_stage(self, stage: str) -> str:
        """All that is made in a stage, in words, and what that takes; empty for nothing."""
        lines = [line for line in self.on if line.stage == stage]
        what = ", ".join(line.what.removeprefix(f"{stage}: ") for line in lines)
        return f"{what}: {takes(lines)}" if lines else ""

    @property
    def empty(self) -> bool:
        return not self.on

    def at_once(self) -> str:
        """The sentences for a start without a question: what it sends, what it leaves out, and the
        key that stops it."""
        out = [f"{line.what} is left out: {line.off}." for line in self.lines if line.off]
        sent = f"S stops it; it is free. Sends out: {'; '.join(self.sends)}."
        return joined(" ", sent, *out[:2], self.note)


# what leaves this machine


def _to_sources(specs: Sequence[SourceSpec], *, people: bool) -> Iterator[str]:
    """What goes to each source of papers, each of which is asked where the one before has
    nothing."""
    for spec, before in zip(specs, [None, *specs], strict=False):
        words, only = spec.sends, ""
        if before:
            words = "the same" if words == before.sends else words
            only = f", only where {before.title} is unreachable or has nothing"
        yield f"to {spec.title}: {words}{only}"
        if spec.sends_for_people and people:
            yield f"to the same: {spec.sends_for_people}"


def sends(core: SessionCore, setup: ServiceSetup, lines: Sequence[PlanLine]) -> tuple[str, ...]:
    """One entry a service, then what goes and what does not; never empty."""
    on = [line for line in lines if not line.off]
    roles = {kind.role for line in on for kind in _kinds(core, line)}
    out = []
    if setup.online_model:
        out.append(
            "to the language model: topic, titles, abstracts or texts of papers, cards, trends, directions, ideas, plans"
        )
        out += _own_words(core, on, roles)
    out += _to_sources([spec_of(name) for name in setup.order], people="people" in roles)
    named = setup.online_source and roles & {"rivals", "novelty"}
    for registry in title_services(core.settings, core.keys) if named else ():
        out.append(
            f"to {registry.spec.title}: titles of works that no service before it has; for a novelty check DOIs of the chain's papers and of rivals"
        )
    return tuple(out) or ("nothing leaves this machine",)


def _kinds(core: SessionCore, line: PlanLine) -> list[CellKind]:
    """The kinds of the cells that a line makes."""
    if line.address:
        return [core.methods.kind(line.address)]
    return [kind for kind in core.methods.every_kind() if kind.stage == line.stage]


def _own_words(core: SessionCore, lines: Sequence[PlanLine], roles: Set[str]) -> Iterator[str]:
    """What a plan sends of the person's own: PDFs, hunch, criteria, reasons, means, wishes."""
    state = core.state
    if roles & {"summary", "verdicts"}:
        used = set(state.held_papers().values())
        here = len(used & Chains.of(state).attached.keys())
        library = sum(1 for _ in core.paths.imported_texts.glob("*.txt"))
        if here or library:
            counted = f"{here} attached here, {library} in your library"
            marks = " with what you marked in them in Zotero" * core.paths.zotero.exists()
            yield f"the text of your own PDFs{marks} ({counted}), each only in the prompt that reads it"
    yield (
        "your hunch; your notes stay here"
        if state.settings.get("send_hunch")
        else "your notes and your hunch stay here"
    )
    own = ["your criteria"] if state.meaning(REF) is not None else []
    if Chains.of(state).turned_down():
        own.append("your reasons for rejecting papers")
    if own:
        yield f"with verdicts on papers: {' and '.join(own)}"
    if "experiment" in roles and state.value("means#text"):
        yield "your means as you wrote them"
    if any(line.address and state.cell(line.address).wishes for line in lines):
        yield "what you asked for, in your words"
