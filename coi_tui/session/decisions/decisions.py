"""What a person can decide. Each move is one commit; an illegal one says what, why and what to do, and changes nothing."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from coi_tui.engine.freshness import Freshness
from coi_tui.engine.journal import Journal
from coi_tui.engine.reads import meanings_now
from coi_tui.methods.coi.growth import ending, open_sides
from coi_tui.methods.coi.method import ChainOfIdeas
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.forking import logged_number
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import ANY_PART, PARTS, points_of
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.paths import Paths
from coi_tui.session.decisions.undo import Turns
from coi_tui.session.queries import texts
from coi_tui.session.queries.views import CRITERIA, JUDGEMENTS

if TYPE_CHECKING:
    from coi_tui.session.decisions.placement import Placement
    from coi_tui.session.decisions.preview import Preview
    from coi_tui.session.papers.links import Links
    from coi_tui.session.session import Session
    from coi_tui.store.session_file import SessionFile


class Moves(Turns):
    """The deciding half of a session."""

    journal: Journal
    file: SessionFile
    method: ChainOfIdeas
    clock: Callable[[], str]
    drafting: set[str]
    paths: Paths
    _links: tuple[tuple[int, int, str], Links] | None = None
    """Links known without asking, and for which state they were gathered."""

    @property
    def state(self) -> State:
        raise NotImplementedError

    def freshness(self, address: str) -> Freshness:
        raise NotImplementedError

    def _decide(self, action: str, address: str, value: Mapping[str, Any] | None = None, reason: str = "", **more: Any) -> Decision:
        self._writable()
        return self._write([Decision(actor="you", action=action, address=address, value=value or {}, reason=reason, **more)])

    def _write(self, entries: Sequence[Decision | Version], papers: Sequence[Paper] = ()) -> Decision:
        """Commit a person's move; its reasons come from outside and are cleaned here, whatever move it is."""
        void = len(self.state.void)
        cleaned = [e.model_copy(update={"reason": clean(e.reason).strip()}) if isinstance(e, Decision) else e for e in entries]
        written = self.journal.write(cleaned, papers)
        last = written[-1]
        assert isinstance(last, Decision)
        if len(self.state.void) > void:
            raise UsageError(
                f"{last.action} {last.address} has no effect: {self.state.void[-1][1]}.", "Look at the cell again; nothing else changed."
            )
        return last

    def _writable(self) -> None:
        if self.file.read_only:
            raise UsageError(
                f"This session is read-only ({self.file.read_only_reason}), so nothing was changed.", "Close it elsewhere first."
            )

    @contextlib.asynccontextmanager
    async def quiet(self) -> AsyncIterator[None]:
        """Between two landings of a running job: a move made inside gets a number that no result on its way to the file has taken."""
        async with self.journal._order:
            yield

    # -- slots and texts ------------------------------------------------------------------------------------------

    def accept(self, address: str, reason: str = "") -> Decision:
        """Accept the paper in a slot, or the version of a text in use; an accepted idea is also the pick (ux.md 2.5)."""
        at = parse_address(address)
        if at.part == "slot":
            place = self.state.slot(address)
            if place.paper is None:
                raise UsageError(f"{address} is empty, so there is nothing to accept.", "Choose a candidate or pin a paper first.")
            if place.verdict != "proposed":
                raise UsageError(f"{address} is {place.verdict} already.")
            return self._decide("accept", address, {"paper": place.paper}, reason)
        version = self.state.in_use(address)
        if version is None:
            raise UsageError(f"Nothing has been made at {address} yet, so there is nothing to accept.")
        accepted = Decision(actor="you", action="accept", address=address, value={"version": version.seq}, reason=reason)
        if at.part == "idea":
            return self.pick(address, reason)
        self._writable()
        return self._write([accepted])

    def accept_all(self, addresses: Sequence[str], reason: str = "") -> Decision:
        """Accept the papers in several slots: one group, one undo."""
        self._writable()
        places = [self.state.slot(a) for a in addresses]
        if not places:
            raise UsageError("Nothing was named to accept.")
        for held in places:
            if held.verdict != "proposed":
                raise UsageError(f"{held.address} is {held.verdict}, so it cannot be accepted with the others.")
        group = f"d{self.journal.next_seq}"
        return self._write([
            Decision(actor="you", action="accept", address=p.address, value={"paper": p.paper}, reason=reason, group=group) for p in places
        ])  # fmt: skip

    def pick(self, address: str, reason: str = "") -> Decision:
        """Accept an idea as the one for experiment and export: one group, one undo."""
        self._writable()
        version = self.state.in_use(address)
        if version is None:
            raise UsageError(f"Nothing has been made at {address} yet, so it cannot be picked.")
        group = f"d{self.journal.next_seq}"
        return self._write([
            Decision(actor="you", action="accept", address=address, value={"version": version.seq}, reason=reason, group=group),
            Decision(actor="you", action="pick", address=address, reason=reason, group=group),
        ])  # fmt: skip

    def reject(self, address: str, reason: str = "", *, everywhere: bool = False) -> Decision:
        """Empty a slot, the paper to the shelf with the reason; for a question: leave its branch out."""
        from coi_tui.session.decisions import placement

        at = parse_address(address)
        if at.part == "slot":
            place = self.state.slot(address)
            if place.paper is None:
                raise UsageError(f"{address} is empty, so there is nothing to reject.")
            value = {"paper": place.paper, "detach": placement.of_reject(self.state, address), "everywhere": everywhere}
            return self._decide("reject", address, value, reason)
        if at.part == "Q":
            return self._decide("reject", address, {}, reason)
        if at.part == "idea" and self.state.in_use(address) is not None:
            return self._decide("park", str(at.branch), {}, reason)
        raise UsageError(f"{address} cannot be rejected.", "Papers in slots, questions and ideas can; a text can be edited or refreshed.")

    def avoid(self, paper: Paper, reason: str = "") -> Decision:
        """Keep a paper out of the whole session: it is proposed nowhere, though it stood in no slot. Raises UsageError where it stands."""
        self._writable()
        held = sorted(s.address for s in self.state.slots.values() if s.paper == paper.id)
        if held:
            raise UsageError(f"This paper stands at {', '.join(held)}, so it is not kept out.", "Reject it there first.")
        if any(i.paper == paper.id and i.kind == "rejected" and i.why.get("everywhere") for i in self.state.shelf):
            raise UsageError("This paper is kept out of the session already.", "The shelf lists it; reopen it there.")
        value = {"paper": paper.id, "everywhere": True}
        return self._write([Decision(actor="you", action="reject", address="X", value=value, reason=reason)], [paper])

    def park(self, branch: int, reason: str = "") -> Decision:
        """Set a branch aside: plans leave it out, its texts stay to be read."""
        self._branch_there(branch)
        if branch in self.state.parked:
            raise UsageError(f"Branch {branch} is parked already.", "Unpark it to go on with it.")
        return self._decide("park", str(branch), {}, reason)

    def unpark(self, branch: int, reason: str = "") -> Decision:
        """Go on with a branch that was parked."""
        self._branch_there(branch)
        if branch not in self.state.parked:
            raise UsageError(f"Branch {branch} is not parked.")
        return self._decide("unpark", str(branch), {}, reason)

    def _branch_there(self, branch: int) -> None:
        if branch not in self.state.branches:
            raise UsageError(f"There is no branch {branch}.", "`coi show` lists what there is.")

    def choose(self, address: str, value: str, reason: str = "") -> Decision:
        """Put a candidate of the slot's list (by rank, id or title) into it; choosing by hand counts as accepting."""
        if parse_address(address).part != "slot":
            raise UsageError(f"{address} is no slot, so no paper can be chosen for it.")
        paper = self._candidate(address, value)
        return self._put("choose", address, self.state.papers[paper], reason)

    def pin(self, address: str, paper: Paper, reason: str = "") -> Decision:
        """Put a paper that the person knows into a slot; it survives everything but another pin or a reject."""
        if parse_address(address).part != "slot":
            raise UsageError(f"{address} is no slot, so no paper can be pinned there.")
        return self._put("pin", address, paper, reason)

    def _candidate(self, address: str, value: str) -> str:
        cands = self.state.in_use(f"{address}.cands")
        listed = [e["paper"] for e in cands.content["entries"]] if cands else []
        shelf = [i.paper for i in self.state.shelf]
        said = value.strip()
        if said.isdigit() and 1 <= int(said) <= len(listed):
            return str(listed[int(said) - 1])
        folded = said.casefold()
        for paper in [*listed, *shelf]:
            known = self.state.papers.get(paper)
            if paper.casefold() == folded or (known is not None and len(folded) > 3 and folded in known.title.casefold()):
                return str(paper)
        raise UsageError(
            f"{value!r} is not among the {len(listed)} candidates of {address}.", "Name a rank, an id or part of a title; or pin a paper."
        )

    def _put(self, action: str, address: str, paper: Paper, reason: str) -> Decision:
        self._writable()
        from coi_tui.session.decisions.placement import knowing

        placed = self._placement(address, paper, knowing(self.state, paper))
        if placed.problem:
            raise UsageError(placed.problem, placed.hint)
        return self._write([Decision(actor="you", action=action, address=address, value=placed.value, reason=reason)], [paper])

    def _placement(self, address: str, paper: Paper, known: State) -> Placement:
        from coi_tui.session.decisions.placement import placement

        return placement(known, address, paper, self._known_links(known, "" if paper.id in self.state.papers else paper.id).get)

    def _known_links(self, known: State, more: str = "") -> Links:
        """Links known without asking, gathered once for a state; ``more`` is a paper that ``known`` has beyond it."""
        from coi_tui.session.papers.links import known_links

        key = (self.state.seq, len(self.state.papers), more)
        if self._links is None or self._links[0] != key:
            self._links = (key, known_links(known, self.paths))
        return self._links[1]

    def preview_place(self, address: str, paper: Paper | str) -> Preview:
        """What choosing or pinning a paper for a slot would do; nothing is written."""
        if isinstance(paper, str):
            if paper not in self.state.papers:
                raise UsageError(f"{paper} is no paper of this session.", "Pin it to bring it in.")
            paper = self.state.papers[paper]
        from coi_tui.session.decisions.placement import knowing
        from coi_tui.session.decisions.preview import preview

        known = knowing(self.state, paper)
        return preview(cast("Session", self), self._placement(address, paper, known), known)

    # -- texts ----------------------------------------------------------------------------------------------------

    def text_of(self, address: str) -> str:
        """The text in use as a person edits it. Raises UsageError for what has no editable text."""
        if not texts.editable(address):
            raise UsageError(f"{address} has no text to edit.", "Topic, questions, cards, trends, directions, ideas and plans have.")
        version = self.state.in_use(address)
        return texts.to_text(address, version.content if version else {})

    def inputs_now(self, address: str) -> dict[str, str | None]:
        """What the text would be made from now; taken when an editor opens (hard case 8)."""
        step = self.method.step(address)
        return meanings_now(self.state, step.reads(self.state, address)) if step else {}

    def edit(
        self, address: str, text: str, *, reason: str = "", wording_only: bool = False, opened: Mapping[str, str | None] | None = None
    ) -> Decision:
        """Save a person's text as a version and use it. ``opened``: the inputs as they were when the editor opened."""
        self._writable()
        return self._write(self.edited(address, text, reason=reason, wording_only=wording_only, opened=opened))

    def edited(
        self, address: str, text: str, *, reason: str = "", wording_only: bool = False, opened: Mapping[str, str | None] | None = None,
        beside: int | None = None,
    ) -> list[Decision | Version]:  # fmt: skip
        """The entries that saving a text would write; nothing is written. ``beside``: another version that went into it (a merge).

        Raises UsageError for a cell without text of its own and for a text that cannot be read back.
        """
        if not texts.editable(address):
            raise UsageError(f"{address} has no text to edit.", "Topic, questions, cards, trends, directions, ideas and plans have.")
        if parse_address(address).part != "topic" and parse_address(address).branch not in self.state.branches:
            raise UsageError(f"There is no branch {parse_address(address).branch}.", "`coi show` lists what there is.")
        parent = self.state.in_use(address)
        content = texts.from_text(address, text, parent.content if parent else {})
        meanings = meanings_of(content)
        if parent is not None:  # a field that was not touched goes on meaning what it meant, field by field (hard case 7)
            same = {name for name in meanings if wording_only or parent.content.get(name) == content[name]}
            meanings = {name: parent.meanings.get(name, own) if name in same else own for name, own in meanings.items()}
        number = self.journal.next_seq
        parents = [seq for seq in (parent.seq if parent else None, beside) if seq is not None]
        version = Version(
            actor="you", address=address, content=content, meanings=meanings, origin="person" if beside is None else "merged",
            parents=tuple(logged_number(self.state, seq) for seq in parents),
            inputs=dict(opened) if opened is not None else self.inputs_now(address), wording_only=wording_only,
        )  # fmt: skip
        value = {"version": number, "wording_only": wording_only}
        before = {"version": parent.seq} if parent else {}
        return [version, Decision(actor="you", action="edit", address=address, value=value, before=before, reason=reason)]

    def merge(self, address: str, text: str, beside: int, reason: str = "") -> Decision:
        """Save a text made from the version in use and another one; it has both as parents. Raises UsageError as ``edit`` does."""
        self._writable()
        if beside not in self.state.cell(address).versions:
            raise UsageError(f"{address} has no version {beside}.")
        return self._write(self.edited(address, text, reason=reason, beside=beside))

    def draft(self, address: str) -> str | None:
        """The text that was being written at an address when the session was last open, if any."""
        kept = self.file.drafts().get(address)
        return kept.text if kept else None

    def save_draft(self, address: str, text: str, opened: Mapping[str, str | None]) -> None:
        """Keep a text that is being written, outside the log, until ``edit`` or ``drop_draft``."""
        version = self.state.in_use(address)
        self.file.save_draft(address, text, version.seq if version else None, opened)
        self.drafting.add(address)

    def drop_draft(self, address: str) -> None:
        """Forget the text that was being written."""
        self.file.drop_draft(address)
        self.drafting.discard(address)

    def adopt(self, address: str, seq: int, reason: str = "") -> Decision:
        """Use another version of a text; it then stays in use like a text of one's own."""
        if seq not in self.state.cell(address).versions:
            raise UsageError(f"{address} has no version {seq}.", "`coi why` lists what stands beside it.")
        return self._decide("adopt", address, {"version": seq}, reason)

    def keep(self, address: str, reason: str = "") -> Decision:
        """Say that a stale text still holds, until its inputs change again."""
        status = self.freshness(address)
        if self.state.in_use(address) is None:
            raise UsageError(f"Nothing has been made at {address} yet, so there is nothing to keep.")
        if status.status in ("fresh", "kept"):
            raise UsageError(f"{address} is {status.status}, so there is nothing to keep.")
        return self._decide("keep", address, {"inputs": self.inputs_now(address)}, reason)

    def keep_stale(self, addresses: Sequence[str], reason: str = "") -> list[str]:
        """Say of several texts that they still hold: one group, one undo. Returns those that were stale and are now kept."""
        stale = [a for a in addresses if self.state.in_use(a) is not None and self.freshness(a).status in ("stale", "upstream")]
        if not stale:
            return []
        self._writable()
        group = f"d{self.journal.next_seq}"
        values = {a: {"inputs": self.inputs_now(a)} for a in stale}
        self._write([
            Decision(actor="you", action="keep", address=a, value=v, reason=reason, group=group) for a, v in values.items()
        ])  # fmt: skip
        return stale

    def set_settings(self, values: Mapping[str, Any], reason: str = "") -> Decision:
        """Change settings of the session by name; undoable like every decision."""
        return self._decide("settings", "session", dict(values), reason)

    def set_cap(self, usd: float | None, reason: str = "") -> Decision:
        """The most that this session may spend, in dollars; None takes its own cap away. Raises UsageError for less than nothing."""
        if usd is not None and not (math.isfinite(usd) and usd >= 0):
            raise UsageError("A cap is an amount of dollars that is not negative.", "Write a number such as 5 or 2.50.")
        return self._decide("settings", "session", {"cap_usd": usd}, reason)

    def keep_length(self, address: str) -> Decision:
        """Leave a chain at its length on the side where a step beyond its end failed. Raises UsageError elsewhere."""
        at = parse_address(address)
        side = next((s for s in open_sides(self.state, at.branch, {}) if s.pos == at.pos), None)
        if side is None:
            raise UsageError(f"{address} is not just beyond the end of a chain.", "Only there a chain can be kept at its length.")
        end = ending(side, "kept at this length by you")
        return self._decide("end", end.address, end.value, end.reason)

    def protect(self, address: str, on: bool = True) -> Decision:
        return self._decide("protect" if on else "unprotect", address)

    def note(self, address: str, text: str) -> Decision:
        """A private note; never sent anywhere."""
        return self._decide("note", address, {"text": clean(text)})

    def reopen(self, paper: str, branch: int) -> Decision:
        """Take a paper off the shelf, so that it may be proposed again."""
        if not any(i.paper == paper and i.branch == branch for i in self.state.shelf):
            raise UsageError(f"{paper} is not on the shelf of branch {branch}.")
        return self._decide("reopen", "X", {"paper": paper, "branch": branch})

    def tick_bad_case(self, branch: int, paper: str, reason: str = "") -> Decision:
        """Hold a paper of the novelty report (by its place in it, id or title) against the idea: the next draft must differ from it."""
        report = self.state.in_use(f"{branch}/nov")
        rows = list(report.content["papers"]) if report else []
        said = paper.strip().casefold()
        for n, row in enumerate(rows, start=1):
            known = self.state.papers.get(row["paper"])
            title = known.title if known else row["paper"]
            if said in (str(n), row["paper"].casefold()) or (len(said) > 3 and said in title.casefold()):
                value = {"report": report.seq if report else 0, "paper": row["paper"], "title": title, "reason": reason or row["reason"]}
                return self._decide("tick", f"{branch}/bad", value, reason)
        raise UsageError(
            f"{paper!r} is not among the {len(rows)} papers of {branch}/nov.", "Name its place in the report, its id or title."
        )

    def judge(self, branch: int, paper: str, judgement: str, reason: str = "") -> Decision:
        """The researcher's own judgement of a paper beside the report's; empty takes it back. It makes nothing stale."""
        report = self.state.in_use(f"{branch}/nov")
        if report is None or not any(row["paper"] == paper for row in report.content["papers"]):
            raise UsageError(f"{paper} is not in the novelty report of branch {branch}.", "v makes a report.")
        if judgement and judgement not in JUDGEMENTS:
            raise UsageError(f"{judgement[:40]!r} is no judgement.", f"Use {', '.join(JUDGEMENTS)}, or nothing.")
        return self._decide("judge", f"{branch}/nov", {"paper": paper, "judgement": judgement}, reason)

    def vote(self, match: str, criterion: str, winner: int | None, reason: str = "") -> Decision:
        """The researcher's vote on one criterion of a match: a branch of it, 0 for a tie, None takes it back."""
        at = parse_address(match)
        if at.part != "match" or self.state.in_use(match) is None:
            raise UsageError(f"{match} is no match that was judged.", "g plays matches.")
        if criterion not in CRITERIA or winner not in (None, 0, at.branch, at.other):
            raise UsageError(f"No such vote in {match}.", f"Criteria: {', '.join(CRITERIA)}; for {at.branch}, {at.other} or 0.")
        return self._decide("vote", match, {"criterion": criterion, "winner": winner}, reason)

    def mark_point(self, branch: int, point: int, mark: str, reason: str = "") -> Decision:
        """Tick, untick or dismiss a review point."""
        review = self.state.in_use(f"{branch}/review")
        if review is None or not any(p["n"] == point for p in points_of(self.state, branch, review)):
            raise UsageError(f"The review of branch {branch} has no point {point}.")
        return self._decide(mark, f"{branch}/review", {"version": review.seq, "point": point}, reason)

    def add_point(self, branch: int, text: str, reason: str = "") -> Decision:
        """A point of the person's own beside the reviewer's; ``metrics: ...`` says which part it is about. Makes nothing stale."""
        review = self.state.in_use(f"{branch}/review")
        if review is None:
            raise UsageError(f"Branch {branch} has no review to add a point to.", "V makes one.")
        head, colon, rest = clean_line(text).strip().partition(":")
        named = bool(colon) and head.strip().casefold() in PARTS
        part, said = (head.strip().casefold(), rest.strip()) if named else (ANY_PART, clean_line(text).strip())
        if not said:
            raise UsageError("A review point needs a few words.", "Say what is to be changed.")
        number = 1 + max((int(p["n"]) for p in points_of(self.state, branch, review)), default=0)
        point = {"n": number, "part": part, "point": said}
        return self._decide("add", f"{branch}/review", {"version": review.seq, "point": point}, reason)
