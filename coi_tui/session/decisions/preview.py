"""What a choice or a saved text would change, told before it is made: a trial fold, nothing is
written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from coi_tui.engine.freshness import MISSING, Freshness, examine_all
from coi_tui.engine.scheduler import Goal
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import apply
from coi_tui.model.money import FREE, Range, in_words
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.consequences import OLD, Rows, difference, rows_and_lists
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.placement import Placement, knowing, placement
from coi_tui.session.papers.known_links import KnownLinks, Links
from coi_tui.session.runs.plans import Plan, price, refresh_line, stale_addresses


@dataclass(frozen=True)
class Preview:
    """What putting a paper into a slot would change. ``problem`` is set when it may not stand
    there; then nothing else is.

    ``stays``, ``detaches``, ``returns``: other slots of the branch. ``stale``: what would no longer
    be up to date and is now;
    ``fresh``: the other way round. ``to_read``: cards that would have to be made. ``calls`` and
    ``usd``: what a refresh would take.
    """

    address: str
    paper: Paper
    problem: str = ""
    hint: str = ""
    here: bool = False
    drops_pin: bool = False
    link: str = ""
    evidence: str = ""
    replaced: str | None = None
    stays: tuple[str, ...] = ()
    detaches: Mapping[str, str] = field(default_factory=dict)
    returns: Mapping[str, str] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    to_read: tuple[str, ...] = ()
    calls: tuple[int, int] = (0, 0)
    usd: Range | None = FREE


@dataclass(frozen=True)
class Effect:
    """Addresses that are up to date and would not be: ``stale`` because an input changed,
    ``upstream`` because one may.

    ``problem`` says why the text cannot be saved as it is; then nothing else is set.
    """

    stale: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()
    problem: str = ""


class Previews:
    """What would change, for choices and texts of a session."""

    def __init__(self, core: SessionCore, links: KnownLinks, edits: Edits) -> None:
        self._core, self._links, self._edits = core, links, edits

    def place(self, address: str, paper: Paper | str) -> Preview:
        """What choosing or pinning a paper for a slot would do; nothing is written."""
        state = self._core.state
        if isinstance(paper, str):
            if paper not in state.papers:
                raise UsageError(f"{paper} is not a paper of this session.", "Pin it to add it.")
            paper = state.papers[paper]
        known, links = self._with(paper)
        return self._of_placement(placement(known, address, paper, links.get), known)

    def _with(self, paper: Paper) -> tuple[State, Links]:
        """The state that knows the paper, and the links known in it."""
        state = self._core.state
        known = knowing(state, paper)
        return known, self._links.of(known, "" if paper.id in state.papers else paper.id)

    def _of_placement(self, placed: Placement, known: State) -> Preview:
        """The preview of a placement; ``known`` is the state that knows its paper."""
        if placed.problem:
            return Preview(placed.address, placed.paper, placed.problem, placed.hint)
        number = known.seq + 1
        choice = Decision(
            actor="you",
            action="choose",
            address=placed.address,
            value=placed.value,
            seq=number,
            group=f"d{number}",
        )
        trial = apply(known, choice)
        if len(trial.void) > len(known.void):
            return Preview(placed.address, placed.paper, f"It has no effect: {trial.void[-1][1]}.")
        after = examine_all(trial, self._core.methods.step)
        becomes = difference(
            Rows.of(self._core), Rows(trial, after), placed.address, self._core.methods.order
        )
        refresh = self._refresh(trial, after, becomes.stale)
        at, now = parse_address(placed.address), self._core.state.slot(placed.address)
        here, detach, why = (
            now.paper == placed.paper.id,
            placed.value["detach"],
            placed.value["why"],
        )
        return Preview(
            placed.address,
            placed.paper,
            here=here,
            drops_pin=now.verdict == "pinned" and not here,
            link=why["link"] if at.pos else "",
            evidence=why["evidence"],
            replaced=now.paper,
            stays=tuple(
                s.address
                for s in known.filled(at.branch)
                if s.address not in (placed.address, *detach)
            ),
            detaches=detach,
            returns={a: was["paper"] for a, was in placed.value["reattach"].items()},
            stale=becomes.stale,
            fresh=becomes.fresh,
            to_read=_unread(self._core.state, trial, at.branch),
            calls=refresh.calls,
            usd=refresh.usd,
        )

    def _refresh(
        self, trial: State, after: Mapping[str, Freshness], stale: Collection[str]
    ) -> Plan:
        """What bringing that state up to date would take: the texts that become stale, and those
        that are then missing."""
        method = self._core.methods
        wanted = [
            a
            for a in stale_addresses(trial, after, method)
            if a in stale or after.get(a, MISSING).status not in OLD
        ]
        lines = (
            refresh_line(
                trial,
                a,
                after.get(a, MISSING),
                method,
                partial(price, self._core),
                wanted,
            )
            for a in wanted
        )
        return Plan("", Goal("refresh"), tuple(lines), "", "", ())

    def save(self, address: str, text: str, *, wording_only: bool = False) -> Effect:
        """The effect of saving ``text`` at ``address`` now."""
        try:
            entries = self._edits.entries(address, text, wording_only=wording_only)
        except UsageError as error:
            return Effect(problem=str(error))
        before, after = self._core.fresh, examine_all(self._tried(entries), self._core.methods.step)
        moved = {
            a: f.status
            for a, f in after.items()
            if f.status in OLD and a != address and before.get(a, MISSING).status not in OLD
        }
        return Effect(
            tuple(a for a, s in moved.items() if s == "stale"),
            tuple(a for a, s in moved.items() if s == "upstream"),
        )

    def _tried(self, entries: Sequence[Decision | Version]) -> State:
        """The state as it would be after these entries; nothing is written."""
        trial, number = self._core.state, self._core.journal.next_seq
        for offset, entry in enumerate(entries):
            place: dict[str, object] = {"seq": number + offset}
            trial = apply(
                trial,
                entry.model_copy(
                    update=place if isinstance(entry, Version) else {**place, "group": f"d{number}"}
                ),
            )
        return trial


def _unread(state: State, trial: State, branch: Branch) -> tuple[str, ...]:
    """Slots of the chain whose paper would have no card although its branch has cards."""
    if not any(state.in_use(f"{s.address}.card") for s in state.filled(branch)):
        return ()
    places = {s.address: s.paper for s in trial.filled(branch)}
    return tuple(
        a
        for a, paper in places.items()
        if state.slot(a).paper != paper and trial.in_use(f"{a}.card") is None
    )


def words(p: Preview, state: State, verb: str = "USE") -> list[tuple[str, str]]:
    """The preview as titled parts of plain text."""
    if p.problem:
        return [("CANNOT STAND HERE", f"{p.problem} {p.hint}".strip())]
    if p.here:
        return [(f"IF YOU {verb} THIS", "It stands here already.")]
    lines = [*_instead(p, state), *_neighbours(p, state), *_becomes(p)]
    return [(f"IF YOU {verb} THIS", "\n".join(lines))]


def _instead(p: Preview, state: State) -> Iterator[str]:
    """Which paper goes, and how this one is linked."""
    if p.drops_pin:
        yield f"replaces the paper that you pinned: {_title(state, p.replaced)}"
    elif p.replaced:
        yield f"replaces: {_title(state, p.replaced)}"
    if p.link:
        yield f"link to its neighbour: {p.link}{f' ({p.evidence})' if p.evidence else ''}"


def _neighbours(p: Preview, state: State) -> Iterator[str]:
    if p.stays or p.detaches:
        yield f"stays: {', '.join(p.stays) or 'no other slot'}"
    yield from (
        f"detaches: {a}  {_title(state, paper)} (no link is known)"
        for a, paper in p.detaches.items()
    )
    yield from (f"comes back: {a}  {_title(state, paper)}" for a, paper in p.returns.items())


def _becomes(p: Preview) -> Iterator[str]:
    """What becomes of the texts, and what bringing them up to date would take."""
    stale, lists = rows_and_lists(p.stale)
    yield f"becomes stale: {_names(stale)}" if stale else "no other row is affected"
    if lists:
        yield f"candidates to be ranked again: {', '.join(lists)}"
    if fresh := rows_and_lists(p.fresh)[0]:
        yield f"up to date again: {_names(fresh)}"
    if p.to_read:
        yield f"to be read: {', '.join(p.to_read)}"
    if p.stale or p.to_read:
        low, high = p.calls
        calls = f"{low}-{high} calls" if low != high else count(high, "call")
        yield f"to bring it all up to date later: {calls}, {in_words(p.usd)}; nothing runs now"


def _names(addresses: Sequence[str]) -> str:
    return f"{', '.join(addresses)} ({len(addresses)})"


def _title(state: State, paper: str | None) -> str:
    known = state.papers.get(paper or "")
    return known.title if known else str(paper)
