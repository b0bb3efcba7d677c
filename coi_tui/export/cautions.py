"""What a reader has to be warned of: stale, failed, undecided, missing or unproven parts (ux.md, check 35; methods.md, 6, rule 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.export.cited import unverified
from coi_tui.export.escape import count, listed, sentence
from coi_tui.export.novelty import outcome
from coi_tui.export.review import open_points
from coi_tui.export.sheet import Sheet, name_of
from coi_tui.model.address import parse_address, slot
from coi_tui.model.entries import Version
from coi_tui.model.naming import shown

_TEXTS = ("Q", "card", "trend", "dir", "idea", "exp")
_WANTED = (("dir", "direction"), ("idea", "idea"), ("nov", "novelty report"), ("exp", "experiment plan"), ("review", "review"))


@dataclass(frozen=True)
class Caution:
    """One warning. ``kind`` is a word to sort by; ``text`` is plain, not escaped; ``addresses`` are what it is about."""

    kind: str
    text: str
    addresses: tuple[str, ...] = ()


def cautions(sheet: Sheet) -> list[Caution]:
    """Every warning, the gravest first."""
    makers = (_failed, _no_winner, _freshness, _rejected, _chains, _undecided, _not_made, _novelty, _review, _titles)
    return [caution for make in makers for caution in make(sheet)]


def _failed(sheet: Sheet) -> Iterator[Caution]:
    for address, cause in sorted(sheet.subject.failures.items(), key=lambda f: parse_address(f[0])):
        yield Caution("Failed", f"{name_of(address)} ({shown(sheet.state, address)}) failed: {sentence(cause)}", (address,))


def _no_winner(sheet: Sheet) -> Iterator[Caution]:
    branches = sheet.state.branches
    if sheet.subject.branch is None:
        said = "no idea has been chosen yet, so all branches are shown." if branches else "the session has no branch yet."
        yield Caution("Unfinished", said)


def _told(sheet: Sheet, address: str) -> bool:
    """True for an address that the proposal tells about: everything of the branches shown, ideas and novelty of the others."""
    at = parse_address(address)
    if at.part in ("topic", "match"):
        return True
    return at.branch in sheet.subject.shown or at.part in ("idea", "nov")


def _freshness(sheet: Sheet) -> Iterator[Caution]:
    words = {
        "stale": ("Stale", "something that it was made from has changed since."),
        "upstream": ("Stale upstream", "something that it rests on is stale."),
    }
    for address, status in sorted(sheet.subject.fresh.items(), key=lambda f: parse_address(f[0])):
        if status in words and _told(sheet, address):
            kind, why = words[status]
            yield Caution(kind, f"{name_of(address)} ({shown(sheet.state, address)}): {why}", (address,))


def _rejected(sheet: Sheet) -> Iterator[Caution]:
    for address, cell in sheet.state.cells.items():
        if cell.rejected and _told(sheet, address) and sheet.state.in_use(address) is not None:
            yield Caution(
                "Rejected",
                f"{name_of(address)} ({shown(sheet.state, address)}) was rejected by the researcher and is shown as it was.",
                (address,),
            )


def _chains(sheet: Sheet) -> Iterator[Caution]:
    minimum = sheet.subject.bound("minimum")
    for branch in sheet.subject.shown:
        places = sheet.state.chain(branch)
        if len(places) < minimum:
            yield Caution(
                "Short chain", f"the chain of branch {branch} has {count(len(places), 'paper')}; the minimum is {minimum}.", (str(branch),)
            )
        beyond = tuple(s.address for s in sheet.state.filled(branch) if s.pos not in places)
        if beyond:
            yield Caution(
                "Gap", f"{listed(list(beyond))} {'stand' if len(beyond) > 1 else 'stands'} beyond a gap, so outside the chain.", beyond
            )
        weak = tuple(a for a in (slot(branch, p) for p in places if p) if _unconfirmed(sheet, a))
        if weak:
            yield Caution("Unconfirmed link", f"at {listed(list(weak))} no source confirms that the newer paper cites the older one.", weak)


def _unconfirmed(sheet: Sheet, address: str) -> bool:
    why = sheet.state.slot(address).why
    return why.get("link") != "cites" or not (why.get("evidence") or why.get("source"))


def _undecided(sheet: Sheet) -> Iterator[Caution]:
    for branch in sheet.subject.shown:
        papers = tuple(s.address for s in sheet.state.filled(branch) if s.verdict == "proposed")
        if papers:
            verb = "were proposed and never accepted" if len(papers) > 1 else "was proposed and never accepted"
            yield Caution("Undecided", f"{listed(list(papers))} {verb} by a person.", papers)
        texts = tuple(a for a, v in sheet.subject.in_use().items() if parse_address(a).branch == branch and _unread(sheet, a, v))
        if texts:
            said = f"no person has accepted or edited these generated texts: {', '.join(shown(sheet.state, a) for a in texts)}."
            yield Caution("Undecided", said, texts)


def _unread(sheet: Sheet, address: str, version: Version) -> bool:
    at, cell = parse_address(address), sheet.state.cell(address)
    if at.part == "card" and sheet.state.slot(str(at.slot)).paper is None:
        return False
    return at.part in _TEXTS and cell.lock is None and not cell.rejected and not version.by_person


def _not_made(sheet: Sheet) -> Iterator[Caution]:
    for branch in sheet.subject.shown:
        wanted = _WANTED if sheet.subject.branch is not None else _WANTED[:3]
        missing = [(f"{branch}/{part}", word) for part, word in wanted if sheet.state.in_use(f"{branch}/{part}") is None]
        missing += [(a, f"trend {a}") for a in sheet.state.trends(branch) if sheet.state.in_use(a) is None]
        missing += [(f"{slot(branch, p)}.card", f"card of {slot(branch, p)}") for p in sheet.state.chain(branch)
                    if sheet.state.in_use(f"{slot(branch, p)}.card") is None]  # fmt: skip
        if missing:
            yield Caution("Not made yet", f"branch {branch}: {', '.join(word for _, word in missing)}.", tuple(a for a, _ in missing))


def _novelty(sheet: Sheet) -> Iterator[Caution]:
    for branch in sheet.subject.shown:
        address = f"{branch}/nov"
        report, idea = sheet.state.in_use(address), sheet.state.in_use(f"{branch}/idea")
        if report is None:
            continue
        found = outcome(report.content)
        if found.verdict in ("INCONCLUSIVE", "close match"):
            kind = "Novelty INCONCLUSIVE" if found.verdict == "INCONCLUSIVE" else "Close match"
            yield Caution(kind, f"branch {branch}: {found.said}", (address,))
        judged = str(report.content.get("idea") or "")
        if idea is not None and judged and judged != f"v{idea.seq}":
            yield Caution(
                "Novelty of another text",
                f"the novelty report of branch {branch} is about {judged} of the idea; in use is v{idea.seq}.",
                (address,),
            )


def _review(sheet: Sheet) -> Iterator[Caution]:
    for branch in sheet.subject.shown:
        numbers = open_points(sheet, branch)
        if numbers:
            which = f"point{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
            yield Caution(
                "Not addressed",
                f"{which} of the review of branch {branch} {'have' if len(numbers) > 1 else 'has'} no answer.",
                (f"{branch}/review",),
            )


def _titles(sheet: Sheet) -> Iterator[Caution]:
    for title, where in unverified(sheet).items():
        yield Caution(
            "Unverified title", f"“{title}” is named in {', '.join(where)}, and no paper of the session has this title.", tuple(where)
        )
