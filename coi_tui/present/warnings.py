"""What a reader has to be warned of: stale, failed, undecided, missing or unproven parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.model import reviewing
from coi_tui.model.address import PAIR, Branch, instance_of, parse_address
from coi_tui.model.content import CLOSENESS, NoveltyReport
from coi_tui.model.document import ProposalWarning
from coi_tui.model.text import listed, sentence
from coi_tui.present.cells import verdict_text
from coi_tui.present.snapshot import SessionSnapshot
from coi_tui.present.titles import NamedWork

_STATUS = {
    "stale": ("Stale", "something it was made from has changed since then."),
    "upstream": ("Stale upstream", "something it depends on is stale."),
}
_FOUND = ("question", "bad cases", "candidates", "verdicts", "rivals")
"""Roles of cells that a proposal shows no text of."""


def warnings_of(
    snapshot: SessionSnapshot,
    shown: Sequence[Branch],
    of_method: Sequence[ProposalWarning],
    unverified: Sequence[NamedWork],
) -> list[ProposalWarning]:
    """Every warning about a proposal that shows these branches, the gravest first."""
    state = snapshot.state
    found = [
        ProposalWarning("Damaged", f"the session file is not as it was written: {sentence(damage)}")
        for damage in snapshot.damage
    ]
    found += [
        ProposalWarning("Failed", f"{_named(snapshot, at)} failed: {sentence(cause)}", (at,))
        for at, cause in sorted(snapshot.failures.items(), key=lambda f: parse_address(f[0]))
    ]
    if snapshot.branch is None:
        none = (
            "no idea has been chosen yet." if state.branches else "the session has no branch yet."
        )
        found.append(ProposalWarning("Unfinished", none))
    for at in sorted(state.cells, key=parse_address):
        if _is_shown(snapshot, shown, at):
            if (status := snapshot.fresh.get(at, "")) in _STATUS:
                kind, why = _STATUS[status]
                found.append(ProposalWarning(kind, f"{_named(snapshot, at)}: {why}", (at,)))
            if state.cell(at).rejected and state.in_use(at) is not None:
                text = (
                    f"{_named(snapshot, at)} was rejected by the researcher and is shown unchanged."
                )
                found.append(ProposalWarning("Rejected", text, (at,)))
    found += of_method
    for branch in shown:
        found += _of_branch(snapshot, branch)
    return [*found, *map(_unverified, unverified)]


def _named(snapshot: SessionSnapshot, address: str) -> str:
    return f"{snapshot.name_of(address)} ({address})"


def _is_shown(snapshot: SessionSnapshot, shown: Sequence[Branch], address: str) -> bool:
    """Whether a proposal uses what is at an address: all of the branches shown, ideas and novelty
    of the others. A trend between papers that are not both in the chain waits there."""
    at = parse_address(address)
    if at.part == PAIR and address not in snapshot.pairs:
        return False
    inside = {*shown, *(instance_of(branch) for branch in shown)} - {""}
    return at.branch in inside or at.part in ("topic", "match", "idea", "nov")


def _of_branch(snapshot: SessionSnapshot, branch: Branch) -> Iterator[ProposalWarning]:
    state = snapshot.state
    if papers := tuple(s.address for s in state.filled(branch) if s.verdict == "proposed"):
        verb = "were" if len(papers) > 1 else "was"
        text = f"{listed(papers)} {verb} proposed and never accepted by a person."
        yield ProposalWarning("Undecided", text, papers)
    if texts := tuple(at for at in snapshot.in_use if _is_unread(snapshot, branch, at)):
        text = f"no person has accepted or edited these generated texts: {', '.join(texts)}."
        yield ProposalWarning("Undecided", text, texts)
    missing = {at: word for at, word in _expected(snapshot, branch) if state.in_use(at) is None}
    if missing:
        text = f"branch {branch}: {', '.join(missing.values())}."
        yield ProposalWarning("Not made yet", text, tuple(missing))
    report = state.read(f"{branch}/nov", NoveltyReport)
    if report is not None and report.verdict not in CLOSENESS[1:]:
        kind, said = (
            ("Close match", verdict_text(report))
            if report.concludes
            else ("Novelty INCONCLUSIVE", report.reason)
        )
        yield ProposalWarning(kind, f"branch {branch}: {said}", (f"{branch}/nov",))
    if numbers := _open_points(snapshot, branch):
        points, verb = ("points", "have") if len(numbers) > 1 else ("point", "has")
        text = f"{points} {listed(numbers)} of the review of branch {branch} {verb} no answer."
        yield ProposalWarning("Not addressed", text, (f"{branch}/review",))


def _is_unread(snapshot: SessionSnapshot, branch: Branch, address: str) -> bool:
    """Whether a text of a branch waits for a person's verdict."""
    at, state, kind = parse_address(address), snapshot.state, snapshot.methods.kind(address)
    if at.branch != branch or not _is_shown(snapshot, [branch], address):
        return False
    if at.attached and state.slot(str(at.slot)).paper is None:
        return False
    if kind is None or not kind.editable or "accept" not in kind.decisions:
        return False
    cell = state.cell(address)
    return cell.lock is None and not cell.rejected and not snapshot.in_use[address].by_person


def _expected(snapshot: SessionSnapshot, branch: Branch) -> Iterator[tuple[str, str]]:
    """Addresses and names of the texts that a finished branch has; plan and review only where an
    idea has been chosen."""
    method = snapshot.methods.of_instance(instance_of(branch))
    for kind in method.kinds if method is not None else ():
        at = parse_address(kind.pattern)
        made = kind.content is not None and bool(kind.step) and not (kind.shared or at.item)
        later = kind.optional and snapshot.branch != branch
        if not made or later or kind.role in _FOUND:
            continue
        title = kind.title.lower()
        if kind.name == PAIR:
            yield from ((pair, f"{title} {pair}") for pair in snapshot.state.pairs(branch))
        elif not at.attached:
            yield f"{branch}/{kind.name}", title


def _open_points(snapshot: SessionSnapshot, branch: Branch) -> list[str]:
    """Numbers of the points of the newest review that the plan does not answer."""
    state, one = snapshot.state, reviewing.answering(snapshot.state, branch)
    return [
        str(point.n)
        for point in (reviewing.points_of(state, branch, one.review) if one is not None else ())
        if one is not None
        and reviewing.point_status(state, branch, one, point) in ("open", "ticked", "not addressed")
    ]


def _unverified(work: NamedWork) -> ProposalWarning:
    where = ", ".join(work.where)
    text = f"{work.text} is named in {where}, and is no paper of the session."
    return ProposalWarning(f"Unverified {work.kind}", text, tuple(work.where))
