"""What a reader has to be warned of: stale, failed, undecided, missing or unproven parts."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.model.address import PAIR, Branch, instance_of, parse_address
from coi_tui.model.content import NoveltyReport
from coi_tui.model.document import ProposalWarning
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.text import listed, sentence
from coi_tui.present.novelty_evidence import judged_version, outcome
from coi_tui.present.review_points import open_points
from coi_tui.present.snapshot import ExportContext, name_of

_STATUS = {
    "stale": ("Stale", "something it was made from has changed since then."),
    "upstream": ("Stale upstream", "something it depends on is stale."),
}
_FOUND = ("question", "bad cases", "candidates", "verdicts", "rivals")
"""Roles of cells that a proposal shows no text of."""


def warnings_of(context: ExportContext) -> list[ProposalWarning]:
    """Every warning, the gravest first."""
    makers = (
        _damage,
        _failed,
        _no_winner,
        _freshness,
        _rejected,
        lambda of: of.snapshot.document.warnings,
        _undecided,
        _not_made,
        _novelty,
        _review,
        _titles,
    )
    return [warning for make in makers for warning in make(context)]


def _damage(context: ExportContext) -> Iterator[ProposalWarning]:
    for found in context.snapshot.damage:
        yield ProposalWarning(
            "Damaged", f"the session file is not as it was written: {sentence(found)}"
        )


def _failed(context: ExportContext) -> Iterator[ProposalWarning]:
    for address, cause in sorted(
        context.snapshot.failures.items(), key=lambda f: parse_address(f[0])
    ):
        yield ProposalWarning(
            "Failed",
            f"{name_of(context.snapshot, address)} ({address}) failed: {sentence(cause)}",
            (address,),
        )


def _no_winner(context: ExportContext) -> Iterator[ProposalWarning]:
    branches = context.state.branches
    if context.snapshot.branch is None:
        said = (
            "no idea has been chosen yet, so all branches are shown."
            if branches
            else "the session has no branch yet."
        )
        yield ProposalWarning("Unfinished", said)


def _told(context: ExportContext, address: str) -> bool:
    """True for an address that the proposal tells about: everything of the branches shown, ideas
    and novelty of the others."""
    at = parse_address(address)
    if at.part in ("topic", "match"):
        return True
    return _has_place(context, address) and (
        at.branch in context.snapshot.shown or at.part in ("idea", "nov")
    )


def _has_place(context: ExportContext, address: str) -> bool:
    """False for a trend between papers that do not both stand in the chain: it waits there, and no
    proposal shows it."""
    at = parse_address(address)
    return at.part != PAIR or address in context.state.pairs(at.branch)


def _shared(context: ExportContext, address: str) -> bool:
    """True for a cell that all branches of a method share, where one of them is shown."""
    return parse_address(address).branch in {
        instance_of(branch) for branch in context.snapshot.shown
    } - {""}


def _freshness(context: ExportContext) -> Iterator[ProposalWarning]:
    for address, status in sorted(
        context.snapshot.fresh.items(), key=lambda f: parse_address(f[0])
    ):
        if status in _STATUS and (_told(context, address) or _shared(context, address)):
            kind, why = _STATUS[status]
            yield ProposalWarning(
                kind, f"{name_of(context.snapshot, address)} ({address}): {why}", (address,)
            )


def _rejected(context: ExportContext) -> Iterator[ProposalWarning]:
    for address, cell in context.state.cells.items():
        if cell.rejected and _told(context, address) and context.state.in_use(address) is not None:
            said = f"{name_of(context.snapshot, address)} ({address}) was rejected by the researcher and is shown unchanged."
            yield ProposalWarning("Rejected", said, (address,))


def _undecided(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        if papers := tuple(
            s.address for s in context.state.filled(branch) if s.verdict == "proposed"
        ):
            verb = "were" if len(papers) > 1 else "was"
            yield ProposalWarning(
                "Undecided",
                f"{listed(papers)} {verb} proposed and never accepted by a person.",
                papers,
            )
        if texts := _unread_texts(context, branch):
            which = ", ".join(texts)
            yield ProposalWarning(
                "Undecided",
                f"no person has accepted or edited these generated texts: {which}.",
                texts,
            )


def _unread_texts(context: ExportContext, branch: Branch) -> tuple[str, ...]:
    texts = context.snapshot.in_use.items()
    return tuple(
        address
        for address, v in texts
        if parse_address(address).branch == branch and _unread(context, address, v)
    )


def _unread(context: ExportContext, address: str, version: Version) -> bool:
    at, cell = parse_address(address), context.state.cell(address)
    if not _has_place(context, address) or (
        at.attached and context.state.slot(str(at.slot)).paper is None
    ):
        return False
    kind = context.snapshot.methods.kind(address)
    if kind is None or not kind.editable or "accept" not in kind.decisions:
        return False
    return bool(at.branch) and cell.lock is None and not cell.rejected and not version.by_person


def _not_made(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        missing = {
            a: word for a, word in _expected(context, branch) if context.state.in_use(a) is None
        }
        if missing:
            yield ProposalWarning(
                "Not made yet", f"branch {branch}: {', '.join(missing.values())}.", tuple(missing)
            )


def _expected(context: ExportContext, branch: Branch) -> Iterator[tuple[str, str]]:
    """Addresses and names of the texts that a finished branch has; plan and review only where an
    idea has been chosen."""
    method = context.snapshot.methods.of_instance(instance_of(branch))
    for kind in method.kinds if method is not None else ():
        at = parse_address(kind.pattern)
        made = kind.content is not None and bool(kind.step) and not (kind.shared or at.item)
        later = kind.optional and context.snapshot.branch != branch
        if not made or later or kind.role in _FOUND:
            continue
        title = kind.title.lower()
        if kind.name == PAIR:
            yield from ((pair, f"{title} {pair}") for pair in context.state.pairs(branch))
        elif not at.attached:
            yield f"{branch}/{kind.name}", title


def _novelty(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        address = f"{branch}/nov"
        report, idea = (
            context.state.read(address, NoveltyReport),
            context.state.in_use(f"{branch}/idea"),
        )
        if report is None:
            continue
        if report.verdict not in ("partial", "not close"):
            kind = "Close match" if report.verdict == "close match" else "Novelty INCONCLUSIVE"
            yield ProposalWarning(kind, f"branch {branch}: {outcome(report)}", (address,))
        judged = judged_version(report)
        if idea is not None and judged and judged != idea.seq:
            old, new = (
                version_name(context.state, idea.address, seq) for seq in (judged, idea.seq)
            )
            said = f"the novelty report of branch {branch} is about {old} of the idea, but {new} is in use."
            yield ProposalWarning("Novelty of another version", said, (address,))


def _review(context: ExportContext) -> Iterator[ProposalWarning]:
    for branch in context.snapshot.shown:
        if numbers := open_points(context, branch):
            points, verb = ("points", "have") if len(numbers) > 1 else ("point", "has")
            said = f"{points} {listed(numbers)} of the review of branch {branch} {verb} no answer."
            yield ProposalWarning("Not addressed", said, (f"{branch}/review",))


def _titles(context: ExportContext) -> Iterator[ProposalWarning]:
    for work in context.unverified:
        where = ", ".join(work.where)
        if work.kind == "title":
            said = f"“{work.text}” is named in {where}, and no paper of the session has this title."
        else:
            said = f"{work.text} is cited in {where}, and is no paper of the session."
        yield ProposalWarning(f"Unverified {work.kind}", said, tuple(work.where))
