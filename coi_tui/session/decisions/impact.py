"""What a decision changes in other rows: it is rehearsed, and the rows before and after are
compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from coi_tui.model.address import QUESTION, Branch, parse_address
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.state import LISTS
from coi_tui.model.text import listed
from coi_tui.session.core import SessionCore

NAMED = 16
"""So many rows are named one by one in a sentence; of more the rest are counted."""

NOTHING_ELSE = "Nothing else changes."

_WORDS = {
    "emptied": "empties {}",
    "replaced": "replaces the paper at {}",
    "placed": "fills {}",
    "detached": "detaches {} (X lists them)",
    "returned": "brings back {}",
    "gone": "sets aside {}",
    "stale": "makes stale {}",
    "fresh": "makes up to date {}",
    "parked": "leaves out of plans branch {}",
    "unparked": "takes up again branch {}",
    "unpicked": "takes back your choice of {}",
    "picked": "chooses {} as your idea",
    "added": "adds {}",
}
"""What may become of rows, in the order in which it is said."""

_ASKED = ("emptied", "replaced", "detached", "returned", "gone", "stale", "parked", "unpicked")
"""For the worse, or papers that move."""

_NOT_OF_OWN = ("picked", "added")


@dataclass(frozen=True)
class Impact:
    """What becomes of the rows, by the names of ``_WORDS``. ``own`` is the row that the decision is
    about: its own change asks for nothing.

    ``detached``, ``returned``: slots whose paper goes to the shelf for the sake of another slot's,
    or comes back from there, and texts that come back. ``gone``: texts that have no place any
    more. ``added``: texts that were not there before, such as those that a new branch shares. A
    slot's list of candidates has no row: only what is decided for a whole session asks for it.
    """

    own: str = ""
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[str, ...]:
        return self.rows.get(name, ())

    @property
    def stale(self) -> tuple[str, ...]:
        return self.of("stale")

    @property
    def asks(self) -> bool:
        """Whether it changes other rows for the worse, or moves their papers, so that it is asked
        about once."""
        lists_too = self.own == CRITERIA
        return any(
            address != self.own and (lists_too or not _is_list(address))
            for name in _ASKED
            for address in self.of(name)
        )

    def sentence(self) -> str:
        """All of it in one sentence, by row."""
        parts = []
        for name, words in _WORDS.items():
            own = self.own if name in _NOT_OF_OWN else None
            rows = rows_and_lists([a for a in self.of(name) if a != own])[0]
            parts += [words.format(_few(rows))] if rows else []
        if lists := rows_and_lists(self.stale)[1]:
            parts.append(f"the candidates of {_few(lists)} are to be ranked again then")
        whole = "; ".join(parts)
        return f"{whole[0].upper()}{whole[1:]}." if whole else NOTHING_ELSE


def _is_list(address: str) -> bool:
    return parse_address(address).part in LISTS


def rows_and_lists(addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """The rows among some addresses, and the slots whose lists of candidates or verdicts are: these
    have no row of their own."""
    lists = dict.fromkeys(str(parse_address(a).slot) for a in addresses if _is_list(a))
    return [a for a in addresses if not _is_list(a)], list(lists)


def _few(rows: Sequence[str]) -> str:
    more = len(rows) - NAMED + 1
    return listed(rows if more <= 1 else [*rows[: NAMED - 1], f"{more} more rows"])


def impact(core: SessionCore, own: str, act: Callable[[SessionCore], object]) -> Impact:
    """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError where
    the act itself would."""
    trial = core.rehearsal()
    act(trial)
    return difference(core, trial, own)


def difference(core: SessionCore, trial: SessionCore, own: str) -> Impact:
    """What became of the rows of a session in a rehearsal of it, in the order of the tree."""
    found = {
        name: tuple(sorted(addresses, key=trial.methods.order))
        for name, addresses in _of_papers_and_texts(core, trial).items()
    }
    was, now = _left_out(core), _left_out(trial)
    found["parked"], found["unparked"] = _names(now - was), _names(was - now)
    before, after = core.state.pick, trial.state.pick
    if before != after:
        found["unpicked"] = (f"{before}/idea",) if before is not None else ()
        found["picked"] = (f"{after}/idea",) if after is not None else ()
    return Impact(own, {name: rows for name, rows in found.items() if rows})


def _of_papers_and_texts(core: SessionCore, trial: SessionCore) -> dict[str, set[str]]:
    was, now = _papers(core), _papers(trial)
    shelved, shelved_after = _detached(core), _detached(trial)
    left, came = was.keys() - now.keys(), now.keys() - was.keys()
    detached = {a for a in left if (a, was[a]) in shelved_after - shelved}
    returned = {a for a in came if (a, now[a]) in shelved}
    texts, texts_after = _texts(core), _texts(trial)
    new = texts_after.keys() - texts.keys()
    back = {a for a in new if core.state.cell(a).versions}
    return {
        "emptied": left - detached,
        "replaced": {a for a in was.keys() & now.keys() if now[a] != was[a]},
        "placed": came - returned,
        "detached": detached,
        "returned": returned | back,
        "gone": texts.keys() - texts_after.keys(),
        "added": new - back,
        "stale": {a for a, ok in texts.items() if ok and not texts_after.get(a, True)},
        "fresh": {a for a, ok in texts.items() if not ok and texts_after.get(a)},
    }


def _papers(core: SessionCore) -> dict[str, str]:
    return {s.address: s.paper for s in core.state.slots.values() if s.paper}


def _detached(core: SessionCore) -> set[tuple[str, str]]:
    return {(item.where, item.paper) for item in core.state.shelf if item.kind == "detached"}


def _texts(core: SessionCore) -> dict[str, bool]:
    """The texts that are there, each with whether it is up to date."""
    state = core.state
    return {
        address: fresh.status not in ("stale", "upstream")
        for address, fresh in core.fresh.items()
        if parse_address(address).part != "slot" and state.in_use(address) is not None
    }


def _left_out(core: SessionCore) -> set[Branch]:
    """The branches that plans leave out: those that are parked, and those whose question was
    rejected."""
    rejected = (parse_address(a) for a, cell in core.state.cells.items() if cell.rejected)
    return {*core.state.parked, *(at.branch for at in rejected if at.part == QUESTION)}


def _names(branches: set[Branch]) -> tuple[str, ...]:
    return tuple(sorted(map(str, branches)))
