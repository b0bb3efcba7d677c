"""What a person can decide of papers, texts, branches, methods and settings.

Each decision is one commit; an illegal one says what, why and what to do, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from coi_tui.engine.declarations import MethodSpec
from coi_tui.methods.registry import settings_of, spec_of
from coi_tui.model.address import READING, Branch, parse_address, slot_of
from coi_tui.model.calls import Call
from coi_tui.model.content import CandidateList, ReadingContent
from coi_tui.model.criteria import Criteria
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.money import Limit
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line, count
from coi_tui.model.validation import problem
from coi_tui.session.availability import Action, Rules
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.criteria import set_criteria
from coi_tui.session.decisions.placement import knowing, placement
from coi_tui.session.papers.known_links import KnownLinks

if TYPE_CHECKING:
    from coi_tui.session.papers.imported import OwnPdf
    from coi_tui.session.papers.imported_pdfs import PdfRead


MOST_ASKED = 1_000
"""Characters of a wish; it is sent with every prompt that makes its text again."""


def together(
    core: SessionCore, acts: Iterable[tuple[str, str, Mapping[str, Any]]], reason: str
) -> Decision:
    """Several decisions (action, address, value) as one group: one undo."""
    core.check_writable()
    group = f"d{core.journal.next_seq}"
    return core.write(
        [
            Decision(
                actor="you", action=action, address=at, value=value, reason=reason, group=group
            )
            for action, at, value in acts
        ]
    )


class Decisions:
    """What a person decides."""

    def __init__(self, core: SessionCore, links: Callable[[], KnownLinks], rules: Rules) -> None:
        self._core, self._links, self._rules = core, links, rules

    # -- papers and branches

    def accept(self, address: str, reason: str = "") -> Decision:
        """Accept the paper in a slot, or the version of a text in use; an accepted idea is also the
        pick."""
        self._rules.require(Action.ACCEPT, address)
        if parse_address(address).part == "idea":
            return self.pick(address, reason)
        return self._core.decide("accept", address, self._accepted(address), reason)

    def accept_all(self, addresses: Sequence[str], reason: str = "") -> Decision:
        """Accept several papers and texts: one group, one undo. Of ideas none is picked by this:
        that is a choice between them."""
        if not addresses:
            raise UsageError("Nothing was named to accept.")
        for address in addresses:
            self._rules.require(Action.ACCEPT, address)
        return together(self._core, [("accept", a, self._accepted(a)) for a in addresses], reason)

    def _accepted(self, address: str) -> dict[str, Any]:
        """What stands at an address that may be accepted: its paper, or the version in use."""
        if parse_address(address).part == "slot":
            return {"paper": self._core.state.slot(address).paper}
        version = self._core.state.in_use(address)
        assert version is not None
        return {"version": version.seq}

    def pick(self, address: str, reason: str = "") -> Decision:
        """Accept an idea as the one for experiment and export: one group, one undo."""
        self._core.check_writable()
        version = self._core.state.in_use(address)
        if version is None:
            raise UsageError(f"Nothing has been made at {address} yet, so it cannot be your idea.")
        accept = ("accept", address, {"version": version.seq})
        return together(self._core, [accept, ("pick", address, {})], reason)

    def reject(self, address: str, reason: str = "", *, everywhere: bool = False) -> Decision:
        """Empty a slot, the paper to the shelf with the reason; park the branch of an idea; leave
        out a question, or what is like one."""
        self._rules.require(Action.REJECT_EVERYWHERE if everywhere else Action.REJECT, address)
        at = parse_address(address)
        if at.part == "slot":
            paper = self._core.state.slot(address).paper
            value = {
                "paper": paper,
                "detach": detached_by_reject(self._core.state, address),
                "everywhere": everywhere,
            }
            return self._core.decide("reject", address, value, reason)
        kind = self._core.methods.kind(address)
        if kind is not None and "park" in kind.decisions:  # an idea goes with its branch
            return self._core.decide("park", str(at.branch), {}, reason)
        return self._core.decide("reject", address, {}, reason)

    def avoid(self, paper: Paper, reason: str = "") -> Decision:
        """Keep a paper out of the whole session: it is proposed nowhere, though it stood in no
        slot. Raises UsageError where it stands."""
        self._core.check_writable()
        held = sorted(s.address for s in self._core.state.slots.values() if s.paper == paper.id)
        if held:
            raise UsageError(
                f"This paper is in use at {', '.join(held)}, so it cannot be kept out.",
                "Reject it there first.",
            )
        if any(i.paper == paper.id and i.everywhere for i in self._core.state.shelf):
            raise UsageError(
                "This paper is already left out of the session.", "X lists it; reopen it there."
            )
        value = {"paper": paper.id, "everywhere": True}
        return self._core.write(
            [Decision(actor="you", action="reject", address="X", value=value, reason=reason)],
            [paper],
        )

    def park(self, branch: Branch, reason: str = "") -> Decision:
        """Set a branch aside: plans leave it out, its texts stay to be read."""
        self._branch_there(branch)
        if branch in self._core.state.parked:
            raise UsageError(
                f"Branch {branch} is already set aside.", "Take it up again to go on with it."
            )
        return self._core.decide("park", str(branch), {}, reason)

    def unpark(self, branch: Branch, reason: str = "") -> Decision:
        """Go on with a branch that was parked."""
        self._branch_there(branch)
        if branch not in self._core.state.parked:
            raise UsageError(f"Branch {branch} is not set aside.")
        return self._core.decide("unpark", str(branch), {}, reason)

    def _branch_there(self, branch: Branch) -> None:
        if branch not in self._core.state.branches:
            raise UsageError(f"There is no branch {branch}.", "`coi show` lists what there is.")

    def choose(self, address: str, value: str, reason: str = "") -> Decision:
        """Put a candidate of the slot's list (by rank, id or title), or one of the reading list,
        into it; choosing counts as accepting."""
        self._rules.require(Action.CHOOSE, address)
        place = slot_of(address)
        paper = self._candidate(place, value)
        return self._put("choose", place, self._core.state.papers[paper], reason)

    def pin(self, address: str, paper: Paper, reason: str = "") -> Decision:
        """Put a paper that the person knows into a slot; it survives everything but another pin or
        a reject."""
        self._rules.require(Action.PIN, address)
        return self._put("pin", slot_of(address), paper, reason)

    def _candidate(self, address: str, value: str) -> str:
        state, said = self._core.state, value.strip()
        candidates = state.read(f"{address}.cands", CandidateList) or CandidateList()
        reading = state.read(READING, ReadingContent) or ReadingContent()
        listed = [row.paper for row in candidates.entries]
        if said.isdigit() and 1 <= int(said) <= len(listed):
            return listed[int(said) - 1]
        shelf, read = [i.paper for i in state.shelf], [row.paper for row in reading.entries]
        for paper in [*listed, *shelf, *read]:
            if self._is_named(paper, said.casefold()):
                return paper
        raise UsageError(
            f"{value!r} is not among the {count(len(listed), 'candidate')} of {address}.",
            "Name a rank, an id or part of a title; or pin a paper.",
        )

    def _is_named(self, paper: str, said: str) -> bool:
        """Whether an id, or at least four letters of a title, mean this paper."""
        known = self._core.state.papers.get(paper)
        return paper.casefold() == said or (
            known is not None and len(said) > 3 and said in known.title.casefold()
        )

    def _put(self, action: str, address: str, paper: Paper, reason: str) -> Decision:
        self._core.check_writable()
        known = knowing(self._core.state, paper)
        links = self._links().of(known, "" if paper.id in self._core.state.papers else paper.id)
        placed = placement(known, address, paper, links.get)
        if placed.problem:
            raise UsageError(placed.problem, placed.hint)
        return self._core.write(
            [
                Decision(
                    actor="you", action=action, address=address, value=placed.value, reason=reason
                )
            ],
            [paper],
        )

    # -- texts and settings

    def keep(self, address: str, reason: str = "") -> Decision:
        """Say that a stale text still holds, until its inputs change again."""
        self._rules.require(Action.KEEP, address)
        return self._core.decide(
            "keep", address, {"inputs": self._core.inputs_now(address)}, reason
        )

    def ask(self, address: str, wish: str) -> Decision | None:
        """Say in words how a text should be: it is stale until the model has rewritten it. None
        where that was said and waits to be done.

        Raises UsageError for a row without such a text, and for a sentence that is empty, too long,
        or done already.
        """
        self._rules.require(Action.ASK, address)
        said = clean_line(wish)
        if not said:
            raise UsageError(
                f"Nothing was asked of {address}.", "Say in a sentence how it should be."
            )
        if len(said) > MOST_ASKED:
            raise UsageError(
                f"You asked in {len(said):,} characters; at most {MOST_ASKED:,} are sent.",
                "Say it more briefly.",
            )
        if self._core.state.cell(address).wishes[-1:] == (said,):
            if self._core.freshness(address).ok:
                raise UsageError(
                    f"{address} was rewritten for just that.",
                    "Say it in other words, or make it once more (r).",
                )
            return None
        return self._core.decide("ask", address, {"wish": said})

    def adopt(self, address: str, seq: int, reason: str = "") -> Decision:
        """Use another version of a text; it then stays in use like a text of one's own."""
        if seq not in self._core.state.cell(address).versions:
            raise UsageError(
                f"{address} has no version {seq}.", "`coi why` lists its other versions."
            )
        return self._core.decide("adopt", address, {"version": seq}, reason)

    def set_settings(self, values: Mapping[str, Any], reason: str = "") -> Decision:
        """Change settings of the session by name; undoable like every decision."""
        return self._core.decide("settings", "session", dict(values), reason)

    def set_cap(self, limit: Limit, reason: str = "") -> Decision:
        """The most that this session may spend, in dollars or tokens; ``Limit()`` takes its own cap
        away."""
        return self.set_settings({"cap_usd": limit.usd, "cap_tokens": limit.tokens}, reason)

    def keep_length(self, address: str) -> Decision:
        """Leave a chain at its length on the side where a step beyond its end failed. Raises
        UsageError elsewhere."""
        method = self._core.methods.of(address)
        end = (
            method.stop_growing(self._core.state, address, "kept at this length by you")
            if method is not None
            else None
        )
        if end is None:
            raise UsageError(
                f"{address} is not just beyond the end of a chain.",
                "Only there a chain can be kept at its length.",
            )
        decision = self._core.decide("end", end.address, end.value, end.reason)
        self._core.failed.pop(address, None)
        return decision

    def protect(self, address: str, on: bool = True) -> Decision:
        """Leave a paper or text out of plans and bulk acts, or take it in again."""
        self._rules.require(Action.PROTECT, address)
        return self._core.decide("protect" if on else "unprotect", address)

    def note(self, address: str, text: str) -> Decision:
        """A private note; never sent anywhere."""
        return self._core.decide("note", address, {"text": clean(text)})

    def reopen(self, paper: str, branch: Branch) -> Decision:
        """Take a paper off the shelf, so that it may be proposed again."""
        if not any(i.paper == paper and i.branch == branch for i in self._core.state.shelf):
            raise UsageError(f"{paper} is not among the rejected papers of branch {branch}.")
        return self._core.decide("reopen", "X", {"paper": paper, "branch": branch})

    def add_method(self, method: str, settings: Mapping[str, Any] | None = None) -> str:
        """Add a method beside those that are there. Returns the name of its instance (``S1``).
        Raises UsageError."""
        return add_method(self._core, method, settings or {})

    def instance_of_method(self, method: str) -> str:
        """The instance of a method by its name; it is added where the session has none. Raises
        UsageError for an unknown method."""
        spec = spec_of(method)
        held = (name for name, one in self._core.methods.instances.items() if one.name == spec.name)
        found = next(held, None)
        return found if found is not None else self.add_method(method)

    def set_criteria(self, asked: Criteria, reason: str = "") -> Decision:
        """Decide which papers may be proposed. Raises UsageError where nothing would change or the
        session is read-only."""
        return set_criteria(self._core, asked, reason)

    def work_offline(self, on: bool) -> Decision:
        """Let nothing of this session leave the machine from now on, or let it again. Raises
        UsageError where all sessions are offline."""
        if not on and self._core.settings.offline:
            raise UsageError(
                "The settings say that everything is offline.",
                "Change “offline” there (, opens them), then try again.",
            )
        if on == self._core.offline:
            raise UsageError(f"This session already works {'offline' if on else 'online'}.")
        return self.set_settings({"offline": on})

    def attach(self, address: str, read: PdfRead, reason: str = "") -> Decision:
        """Attach the researcher's own PDF to the paper at an address: its text takes the place of
        what was read before, goes into the session file, and away with it.

        Raises UsageError for the PDF that is attached already.
        """
        from coi_tui.methods.recorded_calls import pdf_key, pdf_request

        paper, own, place = self.paper_to_attach_to(address), read.own, slot_of(address)
        if self._core.state.attached.get(paper.id, {}).get("pdf") == own.pdf:
            raise UsageError(f"This PDF is already attached to {place}.")
        call = Call(
            key=pdf_key(own.pdf, "attached"),
            kind="text",
            address=place,
            step="attach",
            request=pdf_request(own.pdf, "attached"),
            reply={"kind": "full text", "text": own.text, "note": own.note, "file": own.file},
            started=self._core.clock(),
        )
        self._core.journal.file.commit(calls=[call])
        return self._attached(paper, place, own, reason)

    def attach_any(self, address: str) -> Decision:
        """Attach a PDF that is not read yet, to be rehearsed: what it changes is the same for
        each."""
        from coi_tui.session.papers.imported import OwnPdf

        paper = self.paper_to_attach_to(address)
        return self._attached(paper, slot_of(address), OwnPdf("", "", ""), "")

    def _attached(self, paper: Paper, place: str, own: OwnPdf, reason: str) -> Decision:
        value = {"paper": paper.id, "pdf": own.pdf, "file": own.file, "chars": len(own.text)}
        return self._core.decide("attach", place, value, reason)

    def paper_to_attach_to(self, address: str) -> Paper:
        """The paper that a PDF would be attached to. Raises UsageError where none is, or where the
        session is read-only."""
        self._core.check_writable()
        self._rules.require(Action.ATTACH, address, NO_PDF_THERE)
        return self._core.state.papers[self._core.state.slot(slot_of(address)).paper or ""]

    def attach_doubt(self, address: str, read: PdfRead) -> str:
        """A sentence where a PDF does not look like the paper at an address; empty where it does.
        It is attached all the same: the researcher knows."""
        from coi_tui.services.pdf.pdf_ids import shows_paper

        if shows_paper(read.looked, self.paper_to_attach_to(address)):
            return ""
        return "Its first page does not show this title; undo reverses it if it is another paper."

    def fork(self, address: str) -> int:
        """A new branch that shares 0 to this slot and the whole other side; later places start
        empty. Returns its number."""
        self._rules.require(Action.FORK, address)
        state, place = self._core.state, slot_of(address)
        new = max((n for n in (*state.branches, *state.forks) if isinstance(n, int)), default=0) + 1
        self._core.decide("fork", place, {"branch": new, "at": state.slot(place).pos})
        return new


NO_PDF_THERE = "A PDF is attached to a paper: go to a paper's row."


def instance_decision(
    spec: MethodSpec, name: str, given: Mapping[str, Any], *, creation: bool = False
) -> Decision:
    """The decision that adds an instance. Raises UsageError for settings that the method
    refuses."""
    try:
        settings = spec.settings.model_validate(dict(given))
    except ValidationError as error:
        raise UsageError(
            f"{spec.name} cannot be set up: {problem(error)}.", "Write another value."
        ) from None
    value = {
        "method": spec.name,
        "branches": spec.branches(settings),
        "settings": settings.model_dump(mode="json"),
        **({"package": spec.package} if spec.package else {}),
    }
    return Decision(actor="you", action="method", address=name, value=value, creation=creation)


def free_instance(state: State, letter: str) -> str:
    """The next free name of a method's instances: ``S1``, ``S2``."""
    number = 1
    while f"{letter}{number}" in state.instances:
        number += 1
    return f"{letter}{number}"


def add_method(core: SessionCore, method: str, given: Mapping[str, Any]) -> str:
    """Add a method by its name, with the person's own settings where none are given. Returns the
    instance's name.

    Raises UsageError for a method that cannot be added.
    """
    spec = spec_of(method)
    if not spec.letter:
        raise UsageError(
            f"{spec.name} can only be the method that a session begins with.",
            "Make a new session for it.",
        )
    core.check_writable()
    name = free_instance(core.state, spec.letter)
    core.write(
        [instance_decision(spec, name, {**settings_of(spec, core.settings).model_dump(), **given})]
    )
    return name


def detached_by_reject(state: State, address: str) -> dict[str, str]:
    """Slots that detach when the paper at ``address`` goes: all unpinned ones for an anchor, none
    for another slot."""
    at = parse_address(address)
    if at.pos != 0:
        return {}
    return {
        s.address: s.paper
        for s in state.filled(at.branch)
        if s.pos != 0 and s.verdict != "pinned" and s.paper
    }
