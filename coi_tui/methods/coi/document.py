"""Chain of Ideas' part of a proposal: the chain of papers with reasons and links, its trends and
its direction (COI-4 to COI-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coi_tui.model.address import Branch, parse_address, question_of, slot
from coi_tui.model.content import CandidateList, CardContent, Note, SearchTry
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Line,
    MethodDocument,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
    plain_table,
)
from coi_tui.model.entries import Decision
from coi_tui.model.state import Side, Slot, State
from coi_tui.model.text import clipped, count, day, listed, sentence

Stops = Mapping[tuple[Branch, str], str]
"""Why a side of a chain ended, by branch and ``forward`` or ``backward``."""

_NOT_MADE = Paragraph("Not made yet.")
_SIDES: tuple[Side, Side] = ("backward", "forward")
_VERDICTS = {
    "proposed": "undecided, proposed but not accepted by a person",
    "accepted": "accepted by the researcher",
    "pinned": "pinned by the researcher",
    "empty": "empty",
}


_LINKS = {
    "cites": ("Link: ", " cites ", "{proof}."),
    "cites, unconfirmed": (
        "Link, unconfirmed: ",
        " is said to cite ",
        "{proof}.",
    ),
    "similar": (
        "Link: ",
        " and ",
        " are similar in text only; no citation is known{proof}.",
    ),
    "placed by you": (
        "Link: placed by the researcher{evidence}; no source was asked whether ",
        " cites ",
        ".",
    ),
    "": ("Link: none is recorded between ", " and ", "."),
}
"""For each kind of link what stands before the newer paper, between the two, and after the older
one."""


def chain_document(
    state: State,
    branches: Sequence[Branch],
    *,
    decisions: Sequence[Decision] = (),
    stopped: Stops | None = None,
    minimum: int = 0,
) -> MethodDocument:
    """All that the method says in a proposal about some branches. ``minimum`` is the least length
    of a chain."""
    sections: list[Section] = []
    for branch in branches:
        chain = _chain(state, branch, decisions, stopped or {})
        sections.append(Section("The chain of papers", chain, branch))
        if trends := tuple(_trend(state, address) for address in state.pairs(branch)):
            sections.append(Section("Trends", trends, branch))
        sections.append(Section("Direction", _direction(state, branch), branch))
    return MethodDocument(
        tuple(sections),
        (anchor_searches(state),),
        tuple(warning for branch in branches for warning in chain_warnings(state, branch, minimum)),
        tuple(chain_limits(state, branches)),
    )


# -- the chain of papers


def _chain(
    state: State, branch: Branch, decisions: Sequence[Decision], stopped: Stops
) -> tuple[Block, ...]:
    """Question, papers old to new, why each side ended, and the same as a diagram."""
    address = question_of(branch)
    question = None if state.cell(address).rejected else state.read(address, Note)
    lead = (
        (Paragraph(f"Grown from question {branch}: {question.text}"),)
        if question and question.text
        else ()
    )
    slots = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    if not slots:
        return (
            *lead,
            Paragraph(f"No anchor yet, so there is no chain.{_search_note(state, branch)}"),
        )
    papers = PaperList(
        tuple(PaperEntry(at.paper or "", tuple(_notes(state, at, decisions))) for at in slots)
    )
    ends = Bullets(tuple(_end(state, branch, side, stopped) for side in _SIDES))
    return (
        *lead,
        Paragraph("Oldest first, each with the reason why it is here."),
        papers,
        ends,
    )


def _search_note(state: State, branch: Branch) -> str:
    """What became of the searches for an anchor that is not there."""
    found = state.read(f"{slot(branch, 0)}.cands", CandidateList)
    if found is None:
        return ""
    return f" {found.note or 'The searches made gave no paper that could be taken.'}"


def _notes(state: State, at: Slot, decisions: Sequence[Decision]) -> Iterator[Line]:
    role = "anchor" if at.pos == 0 else "predecessor" if at.pos < 0 else "successor"
    yield f"Slot {at.address}, {role}: {_VERDICTS[at.verdict]}."
    yield from _reasons(at, decisions) or ["Why here: no reason is recorded."]
    if at.pos:
        yield _link(state, at)
    yield _card(state, at)
    paper = state.papers.get(at.paper or "")
    if paper and paper.citations.count is not None:
        read = f" (read {day(paper.citations.read)})" if paper.citations.read else ""
        yield f"Citations: {paper.citations.count:,} according to {paper.citations.source or 'an unnamed source'}{read}."


def _reasons(at: Slot, decisions: Sequence[Decision]) -> list[Line]:
    """Why a paper is in its slot: rank and similarity, search or list, and the verdict's reasoning;
    or a person's word."""
    why, out = at.why, list[Line]()
    if why.get("by") == "you":
        reason = clipped(why.get("reason")) or next(
            (clipped(d.reason) for d in decisions if d.seq == at.since and d.address == at.address),
            "",
        )
        out.append(f"Why here: the researcher's choice{f': {sentence(reason)}' if reason else '.'}")
    if why.get("rank"):
        out.append(f"Why here: rank {why['rank']} of {why.get('of')}, {why.get('ranked')}.")
    if why.get("reasoning"):
        out.append(f"Judged: {why.get('grades')}. {why['reasoning']}")
    return out


def _link(state: State, at: Slot) -> Line:
    """The link to the neighbour with its evidence; an unconfirmed one is never shown as a plain
    citation."""
    neighbour = state.slot(slot(at.branch, at.pos - (1 if at.pos > 0 else -1)))
    newer, older = (at, neighbour) if at.pos > 0 else (neighbour, at)
    citing, cited = (Citation(s.paper) if s.paper else "an empty slot" for s in (newer, older))
    said = _evidence(at.why)
    words = {
        "evidence": f" ({said})" if said else "",
        "proof": f" ({said or 'no evidence recorded'})",
    }
    before, between, after = (part.format_map(words) for part in _LINKS[_link_kind(at.why)])
    known = at.why.get("neighbour") in (None, neighbour.paper)
    return (
        before,
        citing,
        between,
        cited,
        after if known else f"{after} The neighbour has changed since this link was recorded.",
    )


def _link_kind(why: Mapping[str, Any]) -> str:
    """The kind of a link as it may be told: a citation without evidence is unconfirmed; empty where
    none is recorded."""
    kind = str(why.get("link") or "")
    if kind == "cites" and not _evidence(why):
        return "cites, unconfirmed"
    if kind in ("cites", "cites, unconfirmed", "similar", "placed by you"):
        return kind
    return "placed by you" if why.get("by") == "you" else ""


def _evidence(why: Mapping[str, Any]) -> str:
    """What a link rests on; for a citation the source that has it is enough."""
    source = f"found in {why['source']}" if why.get("link") == "cites" and why.get("source") else ""
    return str(why.get("evidence") or source)


def _card(state: State, at: Slot) -> str:
    version = state.in_use(f"{at.address}.card")
    if version is None:
        return "Card: not made yet."
    card = state.content(version, CardContent)
    note = f" ({card.note})" if card.note else ""
    said = [f"Read from: {card.source or 'an unnamed text'}{note}."]
    said += ["The card is in the researcher's own words."] if version.by_person else []
    said += [f"What it does: {clipped(card.move)}"] if card.move else []
    said += [f"Limits that its authors name: {clipped(card.limits)}"] if card.limits else []
    return " ".join(said)


def _end(state: State, branch: Branch, side: Side, stopped: Stops) -> str:
    end = state.end(branch, side)
    reason = stopped.get((branch, side)) or (end.reason if end else "no reason is recorded")
    return f"Why the {side} side ends here: {reason}."


# -- trends and direction


def _trend(state: State, address: str) -> Section:
    """The text for two neighbouring papers."""
    at = parse_address(address)
    older, newer = (state.slot(slot(at.branch, pos)).paper or "" for pos in (at.pos, at.newer))
    return Section(
        (f"{address}: ", Citation(older), " to ", Citation(newer)),
        (_text(state, address) or _NOT_MADE,),
    )


def _direction(state: State, branch: Branch) -> tuple[Passage | Paragraph | Section, ...]:
    address = f"{branch}/dir"
    text, direction = _text(state, address), state.read(address, Note)
    if text is None or direction is None:
        return (_NOT_MADE,)
    return (
        (text, Section("How it was reasoned", (Passage(address, direction.note),)))
        if direction.note
        else (text,)
    )


def _text(state: State, address: str) -> Passage | None:
    """The running text at an address, with whose it is."""
    version = state.in_use(address)
    return Passage(address, state.content(version, Note).text, version.origin) if version else None


# -- what the rest of the proposal says about the method


def anchor_searches(state: State) -> Section:
    """Every search for an anchor: branch, words, source, date, hits."""
    rows: list[tuple[Line, ...]] = []
    for branch in state.branches:
        found = state.read(f"{slot(branch, 0)}.cands", CandidateList)
        rows += [_search_row(branch, tried) for tried in found.tries] if found else []
    table = (
        plain_table(("For", "Query", "Source", "Date", "Hits"), tuple(rows))
        if rows
        else Paragraph("None on record.")
    )
    return Section("Searches for anchors", (table,))


def _search_row(branch: Branch, tried: SearchTry) -> tuple[Line, ...]:
    total = f" of {tried.total}" if tried.total is not None else ""
    return (slot(branch, 0), tried.query, tried.source, day(tried.date), f"{tried.hits}{total}")


def chain_warnings(state: State, branch: Branch, minimum: int) -> Iterator[ProposalWarning]:
    """A chain that is too short or has gaps, and links that no source confirms."""
    chain = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    if len(chain) < minimum:
        said = f"the chain of branch {branch} has {count(len(chain), 'paper')}; the minimum is {minimum}."
        yield ProposalWarning("Short chain", said, (str(branch),))
    if beyond := tuple(s.address for s in state.filled(branch) if s not in chain):
        said = f"not part of the chain, because beyond a gap: {listed(beyond)}."
        yield ProposalWarning("Gap", said, beyond)
    if weak := tuple(
        s.address for s in chain if s.pos and (s.why.get("link") != "cites" or not _evidence(s.why))
    ):
        yield ProposalWarning(
            "Unconfirmed link",
            f"at {listed(weak)} no source confirms that the newer paper cites the older one.",
            weak,
        )


def chain_limits(state: State, branches: Iterable[Branch]) -> Iterator[str]:
    """What a reader must not expect of the chains: papers not read in full, links not confirmed."""
    slots = [s for branch in branches for s in state.filled(branch)]
    if partial := _partly_read(state, slots):
        yield f"Not read in full: {listed(partial)}."
    if unconfirmed := sum(s.why.get("link") == "cites, unconfirmed" for s in slots):
        yield f"{count(unconfirmed, 'citation link')} of the chain {'is' if unconfirmed == 1 else 'are'} unconfirmed."


def _partly_read(state: State, slots: Iterable[Slot]) -> list[str]:
    """How many cards were made from less than the paper's full text, and from what."""
    cards = filter(None, (state.read(f"{s.address}.card", CardContent) for s in slots))
    sources = Counter(card.source for card in cards if card.source != "full text")
    return [
        f"{count(n, 'card')} from {f'the {kind} only' if kind else 'an unnamed text'}"
        for kind, n in sorted(sources.items())
    ]
