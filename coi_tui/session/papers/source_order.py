"""The order of preference among sources of papers: read for a session or a question, decided, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coi_tui.model.address import Branch, parse_address, question_of
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.sources import (
    SOURCES,
    Order,
    chosen_order,
    in_words,
    order_value,
    question_key,
    question_order,
    read_order,
)
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.service_setup import ServiceSetup, setup_of

ONLY_THEN = "only where the one before is unreachable or has nothing"


class SourceOrder:
    """In which order a session asks the sources of papers."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def of(self, question: Branch = 0) -> Order:
        """The order in which sources are asked for a question; 0 is the session's own."""
        return self._core.orders.get(question) or self._core.settings.order

    def chosen(self, question: Branch = 0) -> Order:
        """The order that was chosen for the session or a question itself; empty where it goes by the settings, or by the session."""
        state = self._core.state
        return (
            question_order(state.settings, question, state.forks)
            if question
            else chosen_order(state.settings)
        )

    def usual(self) -> Order:
        """The order of the settings, which holds where the session chose none."""
        return self._core.usual_settings.order

    def set(self, names: str | Sequence[str], question: Branch = 0, reason: str = "") -> Decision:
        """Decide the order for the session, or for one question. Without names it goes by the settings, or by the session, again.

        Raises UsageError for names of no source, a question that is not there, or an order that holds already.
        """
        order = read_order(names)
        if question and question not in self._core.state.branches:
            raise UsageError(
                f"There is no question {question}.",
                f"This session has {', '.join(map(str, self._core.state.branches))}.",
            )
        if order == self.chosen(question):
            raise UsageError("The order of sources is already set that way; nothing was changed.")
        if question:
            return self._core.decide(
                "settings", question_of(question), {question_key(question): list(order)}, reason
            )
        return self._core.decide("settings", "session", order_value(order), reason)

    def preferring(self, name: str, question: Branch) -> Order:
        """The order of a question with another source put first; alone where one was asked alone."""
        held = self.of(question)
        return (name, *(other for other in held if other != name)) if len(held) > 1 else (name,)

    def effect(self, question: Branch = 0) -> str:
        """What stands after a change, in a sentence."""
        order, setup = self.of(question), self._core.setup
        where = f"For question {question}" if question else "For this session"
        own = (
            ""
            if self.chosen(question)
            else ", as in this session"
            if question
            else ", as in the settings"
        )
        next_one = f"; each {ONLY_THEN}" if len(order) > 1 else ""
        tail = (
            ""
            if setup.online_source
            else f" Now {setup.source} is searched; the order applies once the session searches online."
        )
        apart = (
            ""
            if question
            else "".join(
                f" Question {n} keeps its own: {in_words(o)}."
                for n, o in sorted(self._core.orders.items())
            )
        )
        return f"{where} papers are searched for in {in_words(order)}{own}{next_one}.{apart}{tail}"

    def other_source(self, question: Branch = 0) -> str:
        """The name of a source that is not asked first for a question; empty where nothing is searched online."""
        if not setup_of(self._core.settings, self._core.keys, self._core.offline).online_source:
            return ""
        return next(name for name in SOURCES if name != self.of(question)[0])


def sent(setup: ServiceSetup) -> list[str]:
    """What goes to each source that may be asked online, in their order; one entry a source or question."""
    if not setup.order:
        return (
            [f"to {setup.source}: search words, titles and paper ids"]
            if setup.online_source
            else []
        )
    out = [f"to {SOURCES[setup.order[0]]}: search words, titles and paper ids"]
    for before, name in zip(setup.order, setup.order[1:], strict=False):
        out.append(
            f"to {SOURCES[name]}: the same, only where {SOURCES[before]} is unreachable or has nothing"
        )
    for question, order in setup.apart:
        then = "".join(f", then to {SOURCES[name]} {ONLY_THEN}" for name in order[1:])
        out.append(
            f"for question {question} the same to {SOURCES[order[0]]}{' first' if then else ' alone'}{then}"
        )
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


def question_at(address: str) -> Branch:
    """The question that a row belongs to; 0 for none."""
    return parse_address(address).branch if address else 0
