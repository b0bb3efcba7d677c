"""What a reader has to be warned of: stale, failed, undecided, missing or unproven parts (ux.md, check 35; methods.md, 6, rule 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.export.escape import count, listed, sentence
from coi_tui.export.sections import open_points, outcome
from coi_tui.export.snapshot import ExportContext, name_of
from coi_tui.export.titles import unverified
from coi_tui.model.address import parse_address, slot
from coi_tui.model.entries import Version
from coi_tui.model.naming import shown

_TEXTS = ("Q", "card", "trend", "dir", "idea", "exp")
_WANTED = (("dir", "direction"), ("idea", "idea"), ("nov", "novelty report"), ("exp", "experiment plan"), ("review", "review"))


@dataclass(frozen=True)
class ProposalWarning:
    """One warning. ``kind`` is a word to sort by; ``text`` is plain, not escaped; ``addresses`` are what it is about."""

    kind: str
    text: str
    addresses: tuple[str, ...] = ()


def warnings_of(context: ExportContext) -> list[ProposalWarning]:
    """Every warning, the gravest first."""
    makers = (_failed, _no_winner, _freshness, _rejected, _chains, _undecided, _not_made, _novelty, _review, _titles)
    return [caution for make in makers for caution in make(context)]


def _failed(context: ExportContext) -> Iterator[ProposalWarning]:
    for address, cause in sorted(context.snapshot.failures.items(), key=lambda f: parse_address(f[0])):
        yield ProposalWarning("Failed", f"{name_of(address)} ({shown(context.state, address)}) failed: {sentence(cause)}", (address,))


def _no_winner(context: ExportContext) -> Iterator[ProposalWarning]:
    branches = context.state.branches
    if context.snapshot.branch is None:
        said = "no idea has been chosen yet, so all branches are shown." if branches else "the session has no branch yet."
        yield ProposalWarning("Unfinished", said)


def _told(context: ExportContext, address: str) -> bool:
    """True for an address that the proposal tells about: everything of the branches shown, ideas and novelty of the others."""
    at = parse_address(address)
    if at.part in ("topic", "match"):
        return True
    return at.branch in context.snapshot.shown or at.part in ("idea", "nov")


def _freshness(context: ExportContext) -> Iterator[ProposalWarning]:
    words = {
        "stale": ("Stale", "something that it was made from has changed since."),
        "upstream": ("Stale upstream", "something that it rests on is stale."),
    }
    for address, status in sorted(context.snapshot.fresh.items(), key=lambda f: parse_address(f[0])):
        if status in words and _told(context, address):
            kind, why = words[status]
            yield ProposalWarning(kind, f"{name_of(address)} ({shown(context.state, address)}): {why}", (address,))


def _rejected(context: ExportContext) -> Iterator[ProposalWarning]:
    for address, cell in context.state.cells.items():
        if cell.rejected and _told(context, address) and context.state.in_use(address) is not None:
            yield ProposalWarning(
                "Rejected",
                f"{name_of(address)} ({shown(context.state, address)}) was rejected by the researcher and is shown as it was.",
                (address,),
            )


def _chains(context: ExportContext) -> Iterator[ProposalWarning]:
    minimum = context.snapshot.bound("minimum")
    for branch in context.snapshot.shown:
        places = context.state.chain(branch)
        if len(places) < minimum:
            yield ProposalWarning(
                "Short chain", f"the chain of branch {branch} has {count(len(places), 'paper')}; the minimum is {minimum}.", (str(branch),)
            )
        beyond = tuple(s.address for s in context.state.filled(branch) if s.pos not in places)
        if beyond:
            yield ProposalWarning(
                "Gap", f"{listed(list(beyond))} {'stand' if len(beyond) > 1 else 'stands'} beyond a gap, so outside the chain.", beyond
            )
        weak = tuple(a for a in (slot(branch, p) for p in places if p) if _unconfirmed(context, a))
        if weak:
            yield ProposalWarning(
                "Unconfirmed link", f"at {listed(list(weak))} no source confirms that the newer paper cites the older one.", weak
            )


def _unconfirmed(context: ExportContext, address: str) -> bool:
    why = context.state.slot(address).why
    return why.get("link") != "cites" or not (why.get("evidence") or why.get("source"))


def _undecided(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        papers = tuple(s.address for s in context.state.filled(branch) if s.verdict == "proposed")
        if papers:
            verb = "were proposed and never accepted" if len(papers) > 1 else "was proposed and never accepted"
            yield ProposalWarning("Undecided", f"{listed(list(papers))} {verb} by a person.", papers)
        texts = tuple(a for a, v in context.snapshot.in_use().items() if parse_address(a).branch == branch and _unread(context, a, v))
        if texts:
            said = f"no person has accepted or edited these generated texts: {', '.join(shown(context.state, a) for a in texts)}."
            yield ProposalWarning("Undecided", said, texts)


def _unread(context: ExportContext, address: str, version: Version) -> bool:
    at, cell = parse_address(address), context.state.cell(address)
    if at.part == "card" and context.state.slot(str(at.slot)).paper is None:
        return False
    return at.part in _TEXTS and cell.lock is None and not cell.rejected and not version.by_person


def _not_made(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        wanted = _WANTED if context.snapshot.branch is not None else _WANTED[:3]
        missing = [(f"{branch}/{part}", word) for part, word in wanted if context.state.in_use(f"{branch}/{part}") is None]
        missing += [(a, f"trend {a}") for a in context.state.trends(branch) if context.state.in_use(a) is None]
        missing += [(f"{slot(branch, p)}.card", f"card of {slot(branch, p)}") for p in context.state.chain(branch)
                    if context.state.in_use(f"{slot(branch, p)}.card") is None]  # fmt: skip
        if missing:
            yield ProposalWarning(
                "Not made yet", f"branch {branch}: {', '.join(word for _, word in missing)}.", tuple(a for a, _ in missing)
            )


def _novelty(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        address = f"{branch}/nov"
        report, idea = context.state.in_use(address), context.state.in_use(f"{branch}/idea")
        if report is None:
            continue
        found = outcome(report.content)
        if found.verdict in ("INCONCLUSIVE", "close match"):
            kind = "Novelty INCONCLUSIVE" if found.verdict == "INCONCLUSIVE" else "Close match"
            yield ProposalWarning(kind, f"branch {branch}: {found.said}", (address,))
        judged = str(report.content.get("idea") or "")
        if idea is not None and judged and judged != f"v{idea.seq}":
            yield ProposalWarning(
                "Novelty of another text",
                f"the novelty report of branch {branch} is about {judged} of the idea; in use is v{idea.seq}.",
                (address,),
            )


def _review(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        numbers = open_points(context, branch)
        if numbers:
            which = f"point{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
            yield ProposalWarning(
                "Not addressed",
                f"{which} of the review of branch {branch} {'have' if len(numbers) > 1 else 'has'} no answer.",
                (f"{branch}/review",),
            )


def _titles(context: ExportContext) -> Iterator[ProposalWarning]:
    for title, where in unverified(context).items():
        yield ProposalWarning(
            "Unverified title", f"“{title}” is named in {', '.join(where)}, and no paper of the session has this title.", tuple(where)
        )
