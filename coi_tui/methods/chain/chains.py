"""All chains of a session, as a component of its state: what stands in each slot, what is on the
shelf, where a side ended, and what decisions do to that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from coi_tui.methods.chain.fork import share_cells
from coi_tui.methods.chain.slots import (
    LISTS,
    SUMMARY,
    VERDICTS,
    ShelfItem,
    ShelfKind,
    Side,
    SideEnd,
    Slot,
    SlotVerdict,
    role_of,
)
from coi_tui.model.address import (
    SLOT,
    Branch,
    CellRef,
    attached_to,
    cell_ref,
    instance_of,
    pair,
    place,
    question_of,
    ref,
    slot,
)
from coi_tui.model.content import CardContent, Verdicts
from coi_tui.model.criteria import REF
from coi_tui.model.entries import Decision, Version
from coi_tui.model.papers import BY_TOPIC, Paper
from coi_tui.model.state import Aside, Component, Held, State
from coi_tui.model.text import Fields, Values

SHELF = "shelf"
PDF = "pdf"
"""The field of a slot that is the PDF attached to its paper; there only while one is."""
MOVED = "the chain changed meanwhile"
OTHER_PAPER = "another paper is in the slot"


class Chains(Component):
    """The chains of all branches.

    ``attached`` is the researcher's own PDF of a paper, by paper id: the hash of its bytes, its
    name, its characters, the decision. ``forks`` maps a branch to (origin, place) where it was
    forked off.
    """

    kinds = frozenset({SLOT, SHELF})

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.slots: dict[CellRef, Slot] = {}
        self.shelf: tuple[ShelfItem, ...] = ()
        self.ends: dict[tuple[Branch, Side], SideEnd] = {}
        self.forks: dict[Branch, tuple[Branch, int]] = {}
        self.attached: dict[str, Mapping[str, str]] = {}
        self._of_branch: dict[Branch, tuple[CellRef, ...]] = {}
        self._chains: dict[Branch, list[int]] = {}
        self._papers: dict[CellRef, str] = {}

    def forget(self) -> None:
        self._chains, self._papers = {}, {}

    # -- what stands where

    def slot(self, address: str) -> Slot:
        """The slot at a reference; an empty one where nothing ever was."""
        at = cell_ref(address)
        return self.slots.get(at) or Slot(at.branch, at.pos)

    def paper_in(self, address: str) -> Paper | None:
        """The paper of a slot."""
        return self.state.papers.get(self.slot(address).paper or "")

    def slots_of(self, branch: Branch) -> list[Slot]:
        """The slots of a branch that hold a paper or once did."""
        return [self.slots[at] for at in self._of_branch.get(branch, ())]

    def filled(self, branch: Branch) -> list[Slot]:
        """Every filled slot of a branch, old to new, also those beyond a gap."""
        return sorted([s for s in self.slots_of(branch) if s.paper], key=attrgetter("pos"))

    def chain(self, branch: Branch) -> list[int]:
        """Places of the chain: the gapless run of filled slots around 0; empty when the anchor
        is."""
        if branch not in self._chains:
            held = {one.pos for one in self.slots_of(branch) if one.paper}
            low = high = 0
            while low - 1 in held:
                low -= 1
            while high + 1 in held:
                high += 1
            self._chains[branch] = list(range(low, high + 1)) if 0 in held else []
        return self._chains[branch]

    def in_chain(self, branch: Branch) -> list[Slot]:
        """The slots of the chain, old to new."""
        return [self.slot(slot(branch, pos)) for pos in self.chain(branch)]

    def pairs(self, branch: Branch) -> list[CellRef]:
        """The chain's pairs of neighbours, the oldest first."""
        return [pair(branch, pos) for pos in self.chain(branch)[:-1]]

    def rejected(self, branch: Branch = 0) -> set[str]:
        """Papers not to be proposed in this branch: rejected here, or rejected everywhere in the
        session."""
        return {
            item.paper
            for item in self.shelf
            if item.kind == "rejected" and (item.branch == branch or item.everywhere)
        }

    def turned_down(self) -> list[dict[str, str]]:
        """Papers that were rejected with a reason, the newest last, each once: what a person does
        not want."""
        rejected = {i.paper: i for i in self.shelf if i.kind == "rejected" and i.reason}
        known = {key: self.state.papers.get(key) for key in rejected}
        return [
            {"title": paper.title if paper else key, "reason": rejected[key].reason}
            for key, paper in known.items()
        ]

    def end(self, branch: Branch, side: Side) -> SideEnd | None:
        """The reason why a side stopped, if it still speaks of the chain's present tip."""
        end, places = self.ends.get((branch, side)), self.chain(branch)
        if end is None or not places:
            return None
        tip = places[-1] if side == "forward" else places[0]
        return end if tip == end.tip_pos and self.slot(slot(branch, tip)).paper == end.tip else None

    @property
    def least_papers(self) -> int:
        """The fewest papers of a chain that is not called short: the session's minimum, where its
        bounds allow that many at all."""
        names = ("minimum", "length", "forward", "backward")
        least, length, forward, backward = (int(self.state.settings.get(name, 0)) for name in names)
        return min(least, length, 1 + forward + backward)

    def is_short(self, branch: Branch) -> bool:
        """Whether the chain of a branch has too few papers; only numbered branches grow a chain."""
        return not instance_of(branch) and len(self.chain(branch)) < self.least_papers

    # -- what the kernel asks

    def value(self, at: CellRef, field: str) -> Any:
        """A slot's ``paper`` is the Paper, its ``pdf`` the attached one; the shelf's value is what
        was turned down."""
        if at.kind == SHELF:
            return self.turned_down() or None
        paper = self.slot(at).paper or ""
        return self.attached.get(paper) if field == PDF else self.state.papers.get(paper)

    def identity(self, at: CellRef, field: str) -> Any:
        """A paper is its id, and a PDF the hash of its bytes."""
        if at.kind == SHELF:
            return self.value(at, field)
        paper = self.slot(at).paper
        return self.attached.get(paper or "", {}).get("pdf") if field == PDF else paper

    def source(self, at: CellRef, field: str) -> str:
        here = self.slot(at)
        if field == PDF:
            return self.attached.get(here.paper or "", {}).get("by", "")
        return f"d{here.since}" if here.paper else ""

    def papers(self) -> Mapping[CellRef, str]:
        if not self._papers:
            self._papers = {at: one.paper for at, one in self.slots.items() if one.paper}
        return self._papers

    def held(self, at: CellRef) -> Held | None:
        if at.kind == SHELF:
            return None
        here = self.slot(at)
        # The verdict on an anchor is part of its list, which a source made; whoever wrote its
        # question judged it.
        judged = self.state.in_use(attached_to(at, VERDICTS)) or self.state.in_use(
            question_of(at.branch)
        )
        return Held(
            place(at.pos),
            here.paper,
            here.verdict,
            role_of(at.pos),
            "no link known: " if here.reason.link == BY_TOPIC else "",
            judged.origin if judged is not None else "",
            by_person=here.reason.by_you,
            protected=here.protected,
            wanted=at.pos == 0,
        )

    def left_out(self, at: CellRef) -> str:
        paper = self.paper_in(at)
        if paper is not None and paper.retracted:
            return "retracted"
        judged = self.state.read(attached_to(at, VERDICTS), Verdicts) or Verdicts()
        if any(v.refused for v in judged.verdicts if v.paper == self.slot(at).paper):
            return "judged not to fit"
        card = self.state.read(attached_to(at, SUMMARY), CardContent)
        if card is not None:
            whole = card.source == "full text"
            return "" if whole else f"read only from its {card.source or 'abstract'}"
        readable = paper is not None and paper.open_pdf
        return "" if readable else "not read yet, and no open full text is known"

    def recorded(self, at: CellRef, action: str) -> Values:
        """The paper; and what detaches where it goes: all unpinned ones of an anchor, none of
        another slot."""
        value: Fields = {"paper": self.slot(at).paper}
        if action == "reject":
            others = self.filled(at.branch) if at.pos == 0 else ()
            value["detach"] = {
                one.address: one.paper for one in others if one.pos and one.verdict != "pinned"
            }
            value["everywhere"] = False
        return value

    def aside(self) -> list[Aside]:
        return [Aside(item.where, item.paper, item.kind) for item in self.shelf]

    def steered(self) -> object:
        return {at: one for at, one in self.slots.items() if one.paper}, self.shelf

    def follows(self, at: CellRef) -> Iterable[CellRef]:
        """A slot is a choice: only a machine's suggestion follows its candidate list."""
        listed = attached_to(at, LISTS[0])
        if self.slot(at).verdict == "proposed" and self.state.in_use(listed) is not None:
            yield listed

    def branches(self) -> Iterator[Branch]:
        """Those with a number that hold a paper, or have a question."""
        yield from (one.branch for one in self.slots.values() if one.paper)
        for cell in self.state.cells:
            at = cell_ref(cell)
            if at.form == "question" and self.state.in_use(at):
                yield at.branch

    def is_outdated(self, version: Version) -> bool:
        """A list that does not know the criteria."""
        of_list = cell_ref(version.address).kind in LISTS
        return of_list and REF not in version.inputs and self.state.meaning(REF) is not None

    def is_of_another(self, version: Version) -> bool:
        """What was read from (or written about) a paper which is not the one in its slot now."""
        at = cell_ref(version.address)
        if at.form != "attached":
            return False
        name = ref(at.slot, "paper")
        return version.inputs.get(name, now := self.state.meaning(name)) != now

    # -- decisions: each changes what is here, or says why it has no effect (any more)

    def put(self, one: Slot) -> None:
        """Set one slot, while a fold builds the state."""
        at = one.address
        if at not in self.slots:
            self._of_branch[one.branch] = (*self._of_branch.get(one.branch, ()), at)
        self.slots[at] = one

    def _papers_of(self, branch: Branch) -> set[str]:
        return {one.paper for one in self.slots_of(branch) if one.paper}

    def _needs_hold(self, d: Decision) -> bool:
        needs = d.value.get("needs", {}).items()
        return all(self.slot(address).paper == paper for address, paper in needs)

    def _fill(
        self,
        d: Decision,
        address: str,
        paper: str | None = None,
        verdict: SlotVerdict = "empty",
        why: Mapping[str, Any] = {},
    ) -> None:
        """Put a paper into a slot, or empty it."""
        at = cell_ref(address)
        self.put(Slot(at.branch, at.pos, paper, verdict, why, since=d.seq))

    def _shelve(self, d: Decision, old: Slot, kind: ShelfKind, reason: str = "") -> None:
        assert old.paper is not None
        why = reason or d.reason
        item = ShelfItem(old.paper, old.branch, old.pos, kind, why, old.verdict, old.why, d.seq)
        self.shelf = (*self.shelf, item)

    def _unshelve(self, branch: Branch, paper: str) -> None:
        self.shelf = tuple(i for i in self.shelf if not (i.paper == paper and i.branch == branch))

    def _detach(self, d: Decision) -> None:
        for address, paper in d.value.get("detach", {}).items():
            old = self.slot(address)
            if old.paper == paper and old.verdict != "pinned":
                self._shelve(d, old, "detached", d.reason or f"the paper at {d.address} changed")
                self._fill(d, address)

    def _reattach(self, d: Decision) -> None:
        for address, was in d.value.get("reattach", {}).items():
            here, paper = self.slot(address), was["paper"]
            if here.paper is None and paper not in self._papers_of(here.branch):
                self._unshelve(here.branch, paper)
                verdict: SlotVerdict = was.get("verdict", "proposed")
                self._fill(d, address, paper, verdict, was.get("why", {}))

    def propose(self, d: Decision) -> str | None:
        here, paper, why = self.slot(d.address), d.value["paper"], d.value.get("why", {})
        known = self._papers_of(here.branch)
        if here.paper is not None or not self._needs_hold(d):
            refused = "the slot was taken" if here.paper is not None else MOVED
            if paper not in known | {i.paper for i in self.shelf if i.branch == here.branch}:
                late = Slot(here.branch, here.pos, paper, "proposed", why)
                self._shelve(d, late, "late", refused)  # what came too late is not lost
            return refused
        if paper in known or paper in self.rejected(here.branch):
            return "the paper is in the chain or was rejected"
        self._unshelve(here.branch, paper)
        self._fill(d, d.address, paper, "proposed", why)
        self._detach(d)
        return None

    def choose(self, d: Decision) -> str | None:
        """Choose a paper for a slot, or pin it there."""
        here, paper = self.slot(d.address), d.value["paper"]
        if not self._needs_hold(d):
            return MOVED
        if paper in self._papers_of(here.branch) - {here.paper}:
            return "the paper is in the chain already"
        if here.paper is not None and here.paper != paper:
            self._shelve(d, here, "replaced")
        self._unshelve(here.branch, paper)
        verdict: SlotVerdict = "pinned" if d.action == "pin" else "accepted"
        self._fill(d, d.address, paper, verdict, d.value.get("why", {}))
        self._detach(d)
        self._reattach(d)
        return None

    def end_side(self, d: Decision) -> str | None:
        if not self._needs_hold(d):
            return MOVED
        v = d.value
        end = SideEnd(v["side"], v["tip_pos"], v["tip"], d.reason)
        self.ends[cell_ref(d.address).branch, v["side"]] = end
        return None

    def accept(self, d: Decision) -> str | None:
        here = self.slot(d.address)
        if here.paper != d.value.get("paper"):
            return OTHER_PAPER
        if here.verdict == "proposed":
            self.put(replace(here, verdict="accepted"))
        return None

    def reject(self, d: Decision) -> str | None:
        if cell_ref(d.address).kind == SHELF:
            # never proposed: on the shelf of no branch, so that none may propose it
            never = Slot(0, 0, d.value["paper"], "proposed", {"everywhere": True})
            self._shelve(d, never, "rejected")
            return None
        here = self.slot(d.address)
        if here.paper is None or here.paper != d.value.get("paper"):
            return OTHER_PAPER
        why = {**here.why, "everywhere": bool(d.value.get("everywhere"))}
        self._shelve(d, replace(here, why=why), "rejected")
        self._fill(d, d.address)
        self._detach(d)
        return None

    def protect(self, d: Decision) -> None:
        self.put(replace(self.slot(d.address), protected=d.action == "protect"))

    def reopen(self, d: Decision) -> None:
        self._unshelve(d.value["branch"], d.value["paper"])

    def attach(self, d: Decision) -> str | None:
        paper = str(d.value.get("paper"))
        if self.slot(d.address).paper != paper:
            return OTHER_PAPER
        pdf = {name: str(d.value[name]) for name in ("pdf", "file", "chars")}
        self.attached[paper] = {**pdf, "by": f"d{d.seq}"}
        return None

    def fork(self, d: Decision) -> str | None:
        """Give a new branch what its origin holds from 0 to a place, and on the whole other side
        (at 0: the anchor alone), under its own addresses."""
        origin, new, at = cell_ref(d.address).branch, int(d.value["branch"]), int(d.value["at"])
        if self.slot(slot(origin, at)).paper is None:
            return "the slot to fork at is empty"
        if self._papers_of(new):
            return "that branch is there already"
        places = [one.pos for one in self.filled(origin)]
        places = [p for p in places if (p <= at if at > 0 else p >= at)] if at else [0]
        for pos in places:
            self.put(replace(self.slot(slot(origin, pos)), branch=new))
        share_cells(self.state, origin, new, places)
        side: Side = "backward" if at > 0 else "forward"
        if at != 0 and (end := self.ends.get((origin, side))) is not None:
            self.ends[new, side] = end
        self.forks[new] = (origin, at)
        return None

    folds: ClassVar = {
        "propose": propose,
        "choose": choose,
        "pin": choose,
        "end": end_side,
        "accept": accept,
        "reject": reject,
        "protect": protect,
        "unprotect": protect,
        "reopen": reopen,
        "attach": attach,
        "fork": fork,
    }


# -- which cells count for now, by what the slots beside them hold


def has_paper(state: State, at: CellRef) -> bool:
    """Whether the slot that a cell is attached to holds a paper; a summary sleeps until one comes
    back."""
    return Chains.of(state).slot(at.slot).paper is not None


def has_neighbour(state: State, at: CellRef) -> bool:
    """Whether a pair counts: not beyond the last paper of a side, nor between two empty slots away
    from the anchor."""
    held = {0, *(one.pos for one in Chains.of(state).filled(at.branch))}
    inside = min(held) <= at.pos and at.newer <= max(held)
    return inside and not held.isdisjoint((at.pos, at.newer))


def is_within_reach(state: State, at: CellRef) -> bool:
    """Whether a list counts: next to an anchor's place and there itself always, elsewhere where the
    chain reaches. Verdicts have done their work once a person chose."""
    chains, inner = Chains.of(state), abs(at.pos) - 1
    here = chains.slot(at.slot)
    if at.kind == VERDICTS and here.verdict in ("accepted", "pinned"):
        return False
    if inner <= 0 or here.paper is not None:
        return True
    return (inner if at.pos > 0 else -inner) in chains.chain(at.branch)
