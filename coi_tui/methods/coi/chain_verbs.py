"""The decisions about papers in a chain: choose and pin, search again, fork, attach a PDF, reopen,
keep out of the session."""

from __future__ import annotations

from functools import partial

from coi_tui.engine.verb import NO_PAPER, Desk, Target, Verb, VerbArgs, is_named
from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import CANDIDATES, slot_of
from coi_tui.methods.coi.placement import placement_of
from coi_tui.model.address import READING, attached_to, cell_ref
from coi_tui.model.content import CandidateList, ReadingContent
from coi_tui.model.entries import Action, Call, Decision, pdf_key, pdf_request
from coi_tui.model.errors import UsageError
from coi_tui.model.text import count

NO_SLOT = "this is a text; go to a paper's row, or to its branch for the anchor"
MOST_BRANCHES = 63


def _place(t: Target) -> str:
    """The slot whose candidates a row is about; empty where there is none."""
    return slot_of(t.address)


def _about(t: Target) -> str:
    return _place(t) or t.address


def _paper(t: Target) -> str | None:
    """The paper that a slot or its card is about."""
    own = t.at.form == "place" or t.kind.role == "summary"
    return Chains.of(t.state).slot(_place(t)).paper if own and _place(t) else None


def _has_place(t: Target) -> str:
    return "" if _place(t) else NO_SLOT


def found_nothing(core: Desk, place: str) -> bool:
    """Whether the same search for a slot, of the same source, would come back empty again: a list of
    citations that was empty is asked for again from the next day on."""
    cell = attached_to(place, CANDIDATES)
    listed = core.state.read(cell, CandidateList)
    if listed is None or listed.entries or cell in core.failed or not core.freshness(cell).ok:
        return False
    if "" < listed.date < core.clock()[:10]:
        return False
    asked = [listed.source, *(search.source for search in listed.tries)]
    return any(source and source in core.setup.source for source in asked)


def _may_search(t: Target) -> str:
    """An anchor can be searched for with other words."""
    if reason := _has_place(t):
        return reason
    again = cell_ref(_place(t)).pos and found_nothing(t.core, _place(t))
    return "its neighbour leads to no other paper; p pins one that you know" if again else ""


def _put(action: Action, t: Target, given: VerbArgs) -> list[Decision]:
    paper = given.paper or t.state.papers[_candidate(t, given.text)]
    placed = placement_of(t.state, _place(t), paper)
    if placed.problem:
        raise UsageError(placed.problem, placed.hint)
    return [t.entry(action, placed.value, _place(t))]


def _candidate(t: Target, text: str) -> str:
    """A candidate of the slot's list by rank, id or title, or a paper of the shelf or the reading
    list by id or title."""
    found = stored(t.state, attached_to(_place(t), CANDIDATES), CandidateList)
    listed = [row.paper for row in found.entries]
    if text.isdigit() and 1 <= int(text) <= len(listed):
        return listed[int(text) - 1]
    reading = stored(t.state, READING, ReadingContent)
    offers = (str(one.value.get("paper")) for one in t.state.offers.values())
    shelf = (item.paper for item in Chains.of(t.state).shelf)
    others = [*offers, *shelf, *(row.paper for row in reading.entries)]
    for paper in (*listed, *others):
        if is_named(t, paper, text):
            return paper
    raise UsageError(
        f"{text!r} is not among the {count(len(listed), 'candidate')} of {_place(t)}.",
        "Name a rank, an id or part of a title; or pin a paper.",
    )


def _may_fork(t: Target) -> str:
    if _paper(t) is None:
        return "a branch begins at a paper of a chain"
    full = f"there are already {MOST_BRANCHES} branches, and a session holds no more"
    return full if len(_numbers(t)) >= MOST_BRANCHES else ""


def _numbers(t: Target) -> set[int]:
    """Those of the branches with a number."""
    return {n for n in (*t.state.branches, *Chains.of(t.state).forks) if isinstance(n, int)}


def _fork(t: Target, _: VerbArgs) -> list[Decision]:
    """A new branch that shares 0 to this slot and the whole other side; later places are empty."""
    value = {"branch": max(_numbers(t), default=0) + 1, "at": cell_ref(_place(t)).pos}
    return [t.entry("fork", value, _place(t))]


def _may_attach(t: Target) -> str:
    return "" if _paper(t) in t.state.papers else NO_PAPER


def _attach(t: Target, given: VerbArgs) -> list[Decision]:
    """``value``: the researcher's own PDF (an ``OwnPdf``); None to rehearse what any would
    change."""
    own, paper = given.value, _paper(t) or ""
    pdf, file, chars = (own.pdf, own.file, len(own.text)) if own else ("any", "", 0)
    if Chains.of(t.state).attached.get(paper, {}).get("pdf") == pdf:
        raise UsageError(f"This PDF is already attached to {_place(t)}.")
    if own:  # its text goes into the session file, and away with it
        call = Call(
            key=pdf_key(pdf, "attached"),
            kind="text",
            address=_place(t),
            step="attach",
            request=pdf_request(pdf, "attached"),
            reply={"kind": "full text", "text": own.text, "note": own.note, "file": own.file},
            started=t.core.clock(),
        )
        t.core.journal.file.commit(calls=[call])
    value = {"paper": paper, "pdf": pdf, "file": file, "chars": chars}
    return [t.entry("attach", value, _place(t))]


def _reopen(t: Target, given: VerbArgs) -> list[Decision]:
    """Take a paper off the shelf, so that it may be proposed again: in the branch of the row; at X
    where it was left out of the session, else in every branch that it left."""
    found = {
        i.branch: i.paper for i in Chains.of(t.state).shelf if is_named(t, i.paper, given.text)
    }
    branches = [t.branch] if t.branch or t.branch in found else [*found]
    if not found.keys() & {*branches}:
        raise UsageError(
            f"{given.text!r} is not among the rejected papers of {f'branch {t.branch}' if t.branch else 'X'}.",
            "Name the id or a part of the title of one that X lists.",
        )
    return [t.entry("reopen", {"paper": found[b], "branch": b}, "X") for b in branches]


def _end(t: Target, _: VerbArgs) -> list[Decision]:
    """Leave a chain at its length on the side where a task beyond its end failed."""
    method = t.core.methods.of(t.address)
    reason = "kept at this length by you"
    end = method.stop_growing(t.state, t.address, reason) if method else None
    if end is None:
        raise UsageError(
            f"{t.address} is not just beyond the end of a chain.",
            "Only there a chain can be kept at its length.",
        )
    t.core.failed.pop(t.address, None)
    return [t.entry("end", end.value, end.address).model_copy(update={"reason": reason})]


def _avoid(t: Target, given: VerbArgs) -> list[Decision]:
    """Keep a paper out of the whole session that was never proposed."""
    paper = given.paper
    assert paper is not None
    used = sorted(s.address for s in Chains.of(t.state).slots.values() if s.paper == paper.id)
    if used:
        raise UsageError(
            f"This paper is in use at {', '.join(used)}, so it cannot be kept out.",
            "Reject it there first.",
        )
    if any(i.paper == paper.id and i.everywhere for i in Chains.of(t.state).shelf):
        raise UsageError(
            "This paper is already left out of the session.", "X lists it; reopen it there."
        )
    return [t.entry("reject", {"paper": paper.id, "everywhere": True}, "X")]


VERBS = (
    Verb(
        "candidates",
        _has_place,
        label="candidates",
        help="look at the candidates for this slot, and what each would change",
        key="c",
        footer=3,
        reads=True,
    ),
    Verb(
        "choose",
        _has_place,
        partial(_put, "choose"),
        needs="a rank, an id or part of a title",
        command=False,
        about=_about,
    ),
    Verb(
        "pin",
        _has_place,
        partial(_put, "pin"),
        "pin",
        "find a paper by words, title, DOI, arXiv id or URL, and pin it here",
        "p",
        footer=7,
        needs="a DOI, arXiv id, URL or title",
        looks_up=True,
        about=_about,
    ),
    Verb(
        "search",
        _may_search,
        label="find papers",
        help="search this slot again; an anchor with other words",
        key="f",
        footer=16,
    ),
    Verb("reopen", effect=_reopen, needs="an id or part of a title"),
    Verb(
        "fork",
        _may_fork,
        _fork,
        "fork",
        "a new branch that shares this chain up to here",
        done="begins at {at}: it shares the chain up to there, later places are empty. u undoes it.",
        about=_about,
        quiet=lambda _: True,
    ),
    Verb(
        "attach",
        _may_attach,
        _attach,
        "attach a PDF",
        "attach a PDF of your own to this paper: its text is read instead of the one before",
        command=False,
        hint="A PDF is attached to a paper: go to a paper's row.",
        about=_about,
    ),
    Verb("end", effect=_end, command=False),
    Verb(
        "avoid", effect=_avoid, needs="a DOI, arXiv id, URL or title", looks_up=True, command=False
    ),
)
