"""The verdicts on papers, texts and branches: accept, reject, keep, protect, set aside."""

from __future__ import annotations

from functools import partial

from coi_tui.engine.verb import NO_BRANCH, NO_PAPER, NOT_MADE, Target, Verb, VerbArgs, require
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError


def is_sketch(t: Target) -> bool:
    return t.kind.role == "sketch"


def _may_accept(t: Target) -> str:
    if t.held is not None:
        empty = "the slot is empty, so there is nothing to accept"
        return {"proposed": "", "empty": empty}.get(t.held.verdict, "it is already accepted")
    has_verdict = t.kind.has_verdict
    accepted = t.cell.lock is not None or (has_verdict and t.cell.accepted)
    may_be_picked = t.kind.role == "idea" and t.state.pick != t.branch
    if accepted and not t.cell.rejected and not may_be_picked:
        return "it is already accepted"
    if t.kind.content is not None and t.version is None:
        return f"{NOT_MADE}, so there is nothing to accept"
    return "" if has_verdict or t.cell.rejected else "no verdict applies here"


def _may_pick(t: Target) -> str:
    if is_sketch(t) and t.version is not None:
        return "it is already picked" if t.cell.picked else ""
    if t.kind.role != "idea":
        return "only sketches and ideas can be picked; accept decides about papers and texts"
    return "" if t.version else f"{NOT_MADE}, so it cannot be your idea"


def _accept(t: Target, _: VerbArgs) -> list[Decision]:
    """An accepted idea is also the pick."""
    value = t.recorded("accept") if t.held is not None else {"version": _seq(t)}
    accepted = t.entry("accept", value)
    return [accepted, t.entry("pick")] if t.kind.role == "idea" else [accepted]


def _seq(t: Target) -> int:
    if t.version is None:
        raise UsageError(f"{t.address}: {NOT_MADE}.")
    return t.version.seq


def _accept_all(t: Target, given: VerbArgs) -> list[Decision]:
    """Of ideas none is picked by this: that is a choice between them."""
    if not given.value:
        raise UsageError("Nothing was named to accept.")
    rows = [Target(t.core, address) for address in given.value]
    for row in rows:
        require(VERDICTS[0], row)
    return [_accept(row, given)[0] for row in rows]


def _may_reject(t: Target) -> str:
    if t.held is not None:
        return "" if t.held.paper else "the slot is empty, so there is nothing to reject"
    if t.cell.rejected:
        return "it is already rejected"
    if t.kind.role == "question" or ("reject" in t.kind.decisions and t.version is not None):
        return ""
    return "only papers, questions and ideas can be rejected; edit or refresh a text"


def _reject(t: Target, _: VerbArgs, *, everywhere: bool = False) -> list[Decision]:
    """Empty a slot, the paper to the shelf; set the branch of an idea aside; leave out a question,
    or what is like one."""
    if t.held is not None:
        return [t.entry("reject", t.recorded("reject") | {"everywhere": everywhere})]
    if "park" in t.kind.decisions:
        return [t.entry("park", at=str(t.branch))]
    return [t.entry("reject", {"listed": True} if is_sketch(t) else {})]


def _what_rejecting_does(t: Target) -> str:
    if t.kind.role == "question":
        return f"Branch {t.branch} is left out from now on."
    if t.kind.role == "idea":
        return "Its branch is set aside; the idea can still be read."
    if is_sketch(t):
        return "It is not worked out; your reason reaches the next ones that are asked for."
    if t.at.item:
        return "It is left out, and so is what was made from it."
    return "The paper is not proposed here again (X lists it); your reason will guide later judgements."


def _branch_of(t: Target) -> str:
    return str(t.branch)


def _may_park(t: Target) -> str:
    if not t.branch:
        return NO_BRANCH
    return "it is already set aside" if t.branch in t.state.parked else _has_branch(t)


def _may_unpark(t: Target) -> str:
    return "" if t.branch in t.state.parked else "it is not set aside"


def _has_branch(t: Target) -> str:
    there = t.branch in t.state.branches or str(t.branch) in t.state.instances
    return "" if there else f"there is no branch {t.branch}"


def _is_protected(t: Target) -> bool:
    return t.held.protected if t.held is not None else t.cell.protected


def _may_protect(t: Target) -> str:
    there = t.held.paper if t.held is not None else t.version
    if _is_protected(t):
        return "it is already protected"
    return "" if there is not None else "there is nothing here to protect"


def _may_unprotect(t: Target) -> str:
    return "" if _is_protected(t) else "it is not protected"


def _may_keep(t: Target) -> str:
    stale = t.core.freshness(t.address).status in ("stale", "upstream") and t.version is not None
    return "" if stale and t.held is None else "it is not stale"


def _keep(t: Target, _: VerbArgs) -> list[Decision]:
    return [t.entry("keep", {"inputs": t.core.inputs_now(t.address)})]


def pick(t: Target, given: VerbArgs) -> list[Decision]:
    """Of ideas one, of sketches those that are worked out."""
    if is_sketch(t):
        return [t.entry("pick", {"picked": True, "version": _seq(t)})]
    return _accept(t, given)


VERDICTS = (
    Verb(
        "accept",
        _may_accept,
        _accept,
        "accept",
        "accept this paper or text; pick this idea as yours",
        "a",
        footer=1,
        done="Accepted {at}. {chosen}",
        question="Accept {at}?",
        opposite="seen",
        quiet=lambda t: t.held is not None,
        goes_on=True,
    ),
    Verb(
        "reject",
        _may_reject,
        _reject,
        "reject",
        "reject this paper, question or idea; the reason is optional",
        "x",
        footer=2,
        done="Rejected {at}{because}.",
        question="Reject {at}",
        explained=_what_rejecting_does,
        goes_on=True,
    ),
    Verb(
        "reject_everywhere",
        lambda t: "" if t.held is not None and t.held.paper else NO_PAPER,
        partial(_reject, everywhere=True),
        "reject everywhere",
        "reject this paper for the whole session",
        done="Rejected {at} everywhere in this session{because}.",
        question="Reject {at} everywhere",
        explained=lambda _: "The paper is not proposed anywhere in this session (X lists it).",
        goes_on=True,
    ),
    Verb(
        "accept_all",
        effect=_accept_all,
        label="accept all",
        help="accept all that is undecided in this branch or session (a list first)",
        key="A",
        footer=15,
        question="Accept all of it?",
    ),
    Verb(
        "keep",
        _may_keep,
        _keep,
        "keep",
        "keep this stale text: it still holds",
        "K",
        footer=3,
        done="{at} still holds: it counts as up to date until an input changes again.",
        question="Say that {at} still holds?",
    ),
    Verb(
        "pick",
        _may_pick,
        pick,
        done="You picked {at}.",
    ),
    Verb(
        "unpick",
        lambda t: "" if t.cell.picked else "it is not picked",
        lambda t, _: [t.entry("pick", {"picked": False})],
        done="{at} is no longer picked.",
    ),
    Verb(
        "protect",
        _may_protect,
        lambda t, _: [t.entry("protect")],
        "protect",
        "let no plan change this row, or allow it again",
        done="{at} is protected: no plan changes it.",
        opposite="unprotect",
        quiet=lambda _: True,
    ),
    Verb(
        "unprotect",
        _may_unprotect,
        lambda t, _: [t.entry("unprotect")],
        done="{at} is no longer protected.",
        quiet=lambda _: True,
    ),
    Verb(
        "set_aside",
        _may_park,
        lambda t, _: [t.entry("park", at=str(t.branch))],
        "set aside",
        "set this branch aside, or take it up again",
        done="Branch {at} is set aside: plans leave it out, its texts can still be read. u undoes it.",
        question="Set branch {at} aside?",
        opposite="take_up",
        about=_branch_of,
    ),
    Verb(
        "take_up",
        _may_unpark,
        lambda t, _: [t.entry("unpark", at=str(t.branch))],
        done="Branch {at} goes on: plans take it in again.",
        question="Go on with branch {at}?",
        about=_branch_of,
    ),
)
