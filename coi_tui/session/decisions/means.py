"""The means of a person in a session: decided, and said in words."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.means import ADDRESS, KINDS, Means, means_of
from coi_tui.session.core import SessionCore


def set_means(core: SessionCore, means: Means, reason: str = "") -> Decision:
    """Decide the means: one entry, one undo."""
    content = {kind: text for kind in KINDS if (text := getattr(means, kind).strip())}
    if content == means_of(core.state).said():
        raise UsageError("Your means are already said that way; nothing was changed.")
    before = core.state.in_use(ADDRESS)
    version = Version(
        actor="you", address=ADDRESS, content=content, meanings=meanings_of(content), origin="person",
        parents=(before.seq,) if before else (),
    )  # fmt: skip
    value = {"version": core.journal.next_seq}
    core.check_writable()
    return core.write([
        version,
        Decision(actor="you", action="edit", address=ADDRESS, value=value, before={"version": before.seq} if before else {}, reason=reason),
    ])  # fmt: skip


def means_effect(core: SessionCore) -> str:
    """What the means are and what is to be checked again, in a sentence."""
    said = "; ".join(means_of(core.state).lines()) or "none said"
    stale = [a for a, fresh in core.fresh.items() if parse_address(a).part == "check" and fresh.status == "stale"]
    tail = f" To be checked again (r): {', '.join(stale)}." if stale else ""
    return f"Your means: {said}.{tail} They are sent only where a plan is checked against them."
