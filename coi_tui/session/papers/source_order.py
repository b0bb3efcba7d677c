"""The order of preference among sources of papers: read for a session or a question, decided, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.model.address import parse_address
from coi_tui.model.errors import UsageError
from coi_tui.model.sources import SOURCES, Order, chosen_order, in_words, order_value, question_key, question_order, read_order
from coi_tui.session.runs.service_setup import setup_of

if TYPE_CHECKING:
    from coi_tui.model.entries import Decision
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.runs.service_setup import ServiceSetup
    from coi_tui.session.session import Session


ONLY_THEN = "only where the one before is away or has nothing"


def order_of(session: Session, question: int = 0) -> Order:
    """The order in which sources are asked for a question; 0 is the session's own."""
    return session.orders.get(question) or session.settings.order


def chosen(session: Session, question: int = 0) -> Order:
    """The order that was chosen for the session or a question itself; empty where it goes by the settings, or by the session."""
    state = session.state
    return question_order(state.settings, question, state.forks) if question else chosen_order(state.settings)


def usual(session: Session) -> Order:
    """The order of the settings, which holds where the session chose none."""
    return session._settings.order


def set_order(session: Session, names: str | Sequence[str], question: int = 0, reason: str = "") -> Decision:
    """Decide the order for the session, or for one question. Without names it goes by the settings, or by the session, again.

    Raises UsageError for names of no source, a question that is not there, or an order that holds already.
    """
    order = read_order(names)
    if question and question not in session.state.branches:
        raise UsageError(f"There is no question {question}.", f"This session has {', '.join(map(str, session.state.branches))}.")
    if order == chosen(session, question):
        raise UsageError("The order of sources is this already, so nothing was changed.")
    if question:
        return session._decide("settings", f"Q{question}", {question_key(question): list(order)}, reason)
    return session._decide("settings", "session", order_value(order), reason)


def preferring(session: Session, name: str, question: int) -> Order:
    """The order of a question with another source put first; alone where one was asked alone."""
    held = order_of(session, question)
    return (name, *(other for other in held if other != name)) if len(held) > 1 else (name,)


def effect(session: Session, question: int = 0) -> str:
    """What stands after a change, in a sentence."""
    order, setup = order_of(session, question), session.setup
    where = f"For question {question}" if question else "For this session"
    own = "" if chosen(session, question) else ", as in this session" if question else ", as in the settings"
    next_one = f"; each {ONLY_THEN}" if len(order) > 1 else ""
    tail = "" if setup.online_source else f" Now {setup.source} is searched; the order holds once the session searches online."
    apart = "" if question else "".join(f" Question {n} keeps its own: {in_words(o)}." for n, o in sorted(session.orders.items()))
    return f"{where} papers are looked for in {in_words(order)}{own}{next_one}.{apart}{tail}"


def sent(setup: ServiceSetup) -> list[str]:
    """What goes to each source that may be asked online, in their order; one entry a source or question."""
    if not setup.order:
        return [f"to {setup.source}: search words, titles and paper ids"] if setup.online_source else []
    out = [f"to {SOURCES[setup.order[0]]}: search words, titles and paper ids"]
    for before, name in zip(setup.order, setup.order[1:], strict=False):
        out.append(f"to {SOURCES[name]}: the same, only where {SOURCES[before]} is away or has nothing")
    for question, order in setup.apart:
        then = "".join(f", then to {SOURCES[name]} {ONLY_THEN}" for name in order[1:])
        out.append(f"for question {question} the same to {SOURCES[order[0]]}{' first' if then else ' alone'}{then}")
    return out


def decided(value: Mapping[str, Any]) -> str:
    """What a decision about settings says of the order of sources, for the log; empty where it is about something else."""
    for name, names in value.items():
        if name.startswith(question_key(0)[:-1]):
            return f"papers from {in_words(names)}" if names else "papers as in the session"
    if "source" not in value:
        return ""
    order = chosen_order(value)
    return f"papers from {in_words(order)}" if order else "papers as in the settings"


def question_at(address: str) -> int:
    """The question that a row belongs to; 0 for none."""
    return parse_address(address).branch if address else 0


def other_source(session: Session, question: int = 0) -> str:
    """The name of a source that is not asked first for a question; empty where nothing is searched online."""
    if not setup_of(session.settings, session.keys, session.offline).online_source:
        return ""
    return next(name for name in SOURCES if name != order_of(session, question)[0])


def plan_again(session: Session, slot: str) -> Plan:
    """What a new search for a slot takes; a slot that was never searched for gets its first one. Raises UsageError."""
    made = session.state.in_use(f"{slot}.cands") is not None
    return session.plan_make([f"{slot}.cands"], f"Search again for {slot}", again=True) if made else session.plan_retry(f"{slot}.cands")
