"""The candidate list of a slot as plain rows: rank, match, link, and what became of each paper; how
far a list of papers reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from coi_tui.methods.base.cell_table import stored, title_of
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import CANDIDATES, VERDICTS
from coi_tui.methods.coi.reasons import extent
from coi_tui.model.address import attached_to, cell_ref, place
from coi_tui.model.content import CandidateList, CandidateRow, CandidateVerdict, Verdicts
from coi_tui.model.document import Block, Paragraph, section
from coi_tui.model.entries import named
from coi_tui.model.papers import NOT_OWN, Paper
from coi_tui.model.state import State
from coi_tui.model.text import has_words, joined

NOT_JUDGED = "not judged"
HERE = {"proposed": "?", "accepted": "+", "pinned": "P"}


def year_of(paper: Paper | None) -> str:
    """The year of a paper; question marks where it is not known."""
    return str(paper.year or "????") if paper else "????"


def paper_blocks(paper: Paper) -> Iterator[Block]:
    """People, ids, citations and what can be read of a paper, after its title."""
    ids = "  ".join(f"{scheme}:{value}" for scheme, value in sorted(paper.ids.items()))
    cited = paper.citations
    known = cited.count is not None
    counted = f"cited {cited.count} ({cited.source}, {cited.read})" if known else ""
    yield Paragraph(joined("  ", paper.short(), paper.venue, ids, counted))
    if paper.notices:
        yield section("Notices", "; ".join(paper.notices))
    heading = "Summary" if paper.abstract_kind == "summary" else "Abstract"
    heading += "" if paper.own_abstract else f" ({NOT_OWN})"
    yield section(heading, paper.abstract or "There is no abstract.")


def ranks_text(ranks: Mapping[str, int]) -> str:
    """The rank by each signal: ``similarity #2, reading list #1``."""
    return ", ".join(f"{signal} #{rank}" for signal, rank in ranks.items())


@dataclass(frozen=True)
class Candidate:
    """A paper of the list. ``mark``: ``x`` rejected here, ``? + P`` in the slot, ``-`` elsewhere in
    the chain, else blank.

    ``flags`` say the rest in words, ``why`` the reason of its verdict; ``rank`` and ``match`` are
    None for a paper that comes from the shelf.
    """

    paper: str
    title: str
    mark: str
    flags: tuple[str, ...]
    year: int | None = None
    citations: int | None = None
    rank: int | None = None
    match: float | None = None
    link: str = ""
    verdict: str = ""
    why: str = ""
    ranks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidates:
    """The list with the words of its search."""

    entries: tuple[Candidate, ...]
    searched: tuple[str, ...]
    ranked: str = ""
    order: str = ""
    extent: str = ""
    """How much of the source's list was looked at, and what the criteria left out."""


def candidates(state: State, address: str) -> Candidates:
    """Everything that could be in a slot: its list, then the paper that is in it, those that left it
    for the shelf and those that other programs propose, where they are not listed."""
    listed = stored(state, attached_to(address, CANDIDATES), CandidateList)
    verdicts = stored(state, attached_to(address, VERDICTS), Verdicts).verdicts
    judged = {verdict.paper: verdict for verdict in verdicts}
    at, chains = cell_ref(address), Chains.of(state)
    here = chains.slot(address).paper
    gone = [i.paper for i in chains.shelf if (i.branch, i.pos) == (at.branch, at.pos)]
    offered = (one.value.get("paper") for one in state.offers_at(address))
    rows: dict[str, CandidateRow | None] = {row.paper: row for row in listed.entries}
    for paper in filter(None, (here, *gone, *offered)):
        rows.setdefault(paper, None)
    entries = (_entry(state, address, p, row, judged.get(p)) for p, row in rows.items())
    reach, searched = extent(listed, at.pos), list(map(str, listed.tries))
    if listed.of:
        side = "papers that cite" if at.pos > 0 else "papers cited by"
        searched = [f"{side} {title_of(state, listed.of)}, {listed.source} {listed.date}".strip()]
    notes = (*searched, reach, listed.note)
    return Candidates(
        tuple(entries), tuple(filter(None, notes)), listed.ranked, listed.order, reach
    )


def _entry(
    state: State,
    address: str,
    paper_id: str,
    row: CandidateRow | None,
    judged: CandidateVerdict | None,
) -> Candidate:
    paper = state.papers.get(paper_id) or Paper(id=paper_id, title=paper_id)
    mark, where = _where(state, address, paper_id)
    cited = paper.citations.count
    if row is None:
        flags = tuple(filter(None, (where, "not in the list")))
        return Candidate(paper_id, paper.title, mark, flags, paper.year, cited)
    judged = judged or row.verdict
    words, why = (judged.in_words, judged.reasoning) if judged else (NOT_JUDGED, "")
    flags = (
        "! retracted" if paper.retracted else "",
        where,
        words,
        "" if row.readable else "no abstract",
        f"left out by your criteria: {row.left_out}" if row.left_out else "",
    )
    return Candidate(
        paper_id,
        paper.title,
        mark,
        tuple(filter(None, flags)),
        row.year,
        cited,
        row.rank,
        row.score,
        row.link,
        f"{words}. {why}" if why else "",
        why,
        row.ranks,
    )


def _where(state: State, address: str, paper: str) -> tuple[str, str]:
    """The mark of a paper, and where it is or why it is not."""
    at, chains = cell_ref(address), Chains.of(state)
    here = chains.slot(address)
    if here.paper == paper:
        return HERE[here.verdict], f"here now, {here.verdict}"
    for other in chains.filled(at.branch):
        if other.paper == paper:
            return "-", f"in this chain at {place(other.pos)}"
    for item in reversed(chains.shelf):
        if item.paper == paper and (item.branch == at.branch or item.everywhere):
            reason = f"{item.kind}: {item.reason}" if item.reason else item.kind
            return "x" if item.kind == "rejected" else " ", reason
    for one in state.offers_at(address):
        if one.value.get("paper") == paper:
            return " ", f"proposed by {named(one.actor)}: {one.reason}"
    elsewhere = (f"at {s.address}" for s in chains.slots.values() if s.paper == paper)
    return " ", next(elsewhere, "")


def about(state: State, entry: Candidate) -> list[Block]:
    """What is known of a candidate, for the preview."""
    paper = state.papers.get(entry.paper)
    if paper is None:
        return [Paragraph(f"{entry.paper}: its record is missing.")]
    rank = f"rank {entry.rank}, " if entry.rank is not None else ""
    ranked = ""
    if entry.match is not None:
        ranked = f"{rank}fit {entry.match:.2f} (similarity of text, not quality)"
    why = joined("; ", ranked, ranks_text(entry.ranks), entry.link, *entry.flags)
    people, *rest = paper_blocks(paper)
    listed = [section("Why listed", why)] if why else []
    verdict = [section("Verdict", entry.verdict)] if entry.verdict else []
    return [people, *listed, *verdict, *rest]


def arranged(found: Candidates, order: str, words: str = "") -> Candidates:
    """The list by ``rank``, ``year`` or ``citations``, and only what says all
    of ``words`` in title or flags."""
    entries = [
        e
        for e in found.entries
        if has_words(f"{e.title} {' '.join(e.flags)} {e.year or ''}", words)
    ]
    if order == "year":
        entries.sort(key=lambda e: -(e.year or 0))
    elif order == "citations":
        entries.sort(key=lambda e: -(e.citations if e.citations is not None else -1))
    return replace(found, entries=tuple(entries))
