"""Runs a step once more on the answers that a session file holds: nothing is sent, and an answer that is not there is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coi_tui.engine.budget import Budget
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Ask, Recorder
from coi_tui.engine.unanswered import UNANSWERED, error_of, request_hash
from coi_tui.model.calls import LOCAL, OWN_PROMPT, Call
from coi_tui.model.entries import Version
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.hashing import digest

SET_BY_PEOPLE = frozenset({"model", "temperature", "max_tokens", "changes"})
"""What of a recorded prompt the settings of the machine decided; it does not tell prompts apart."""


class CallMissing(CoiError):
    """A step asks for a call that the record does not hold."""


class Replayer(Recorder):
    """Answers what one step asks from the calls that its version rests on. ``missing`` holds what was asked in vain.

    ``calls`` have their replies. ``offline``: no service could be asked, so that a call that is not on record was none. Work that a step
    does ahead for later ones is refused: those find their own calls.
    """

    def __init__(self, journal: Journal, version: Version, calls: Sequence[Call], *, offline: bool = False) -> None:
        super().__init__(journal, Budget())
        self.version, self.calls, self.offline = version, list(calls), offline
        self.missing: list[str] = []
        self.served: set[int] = set()
        self._by_key = {call.key: call for call in self.calls}
        self._refusals: dict[str, list[Mapping[str, Any]]] = {}
        for row in version.recipe.get(UNANSWERED) or ():
            self._refusals.setdefault(str(row.get("asked")), []).append(row)

    async def call(self, ask: Ask) -> Call:
        """The recorded call, or the error that stood in its place. Raises CallMissing."""
        if (ask.address, ask.step) != (self.version.address, self.version.recipe.get("step")):
            raise CallMissing("Nothing is done ahead while a session is replayed.")
        found = next((call for call in self._found(ask) if call.id not in self.served), None) or next(self._found(ask), None)
        if found is not None:
            self.served.add(found.id)
            return found
        if refusals := self._refusals.get(request_hash(ask.kind, ask.shown)):
            raise error_of(refusals.pop(0) if len(refusals) > 1 else refusals[0])
        if self.offline and ask.kind in ("http", "text"):
            raise ServiceError("network", "offline", "This session worked offline.")
        self.missing.append(asked_in_words(ask))
        raise CallMissing(f"Step {ask.step} of {ask.address} asks for a call that the record does not hold: {self.missing[-1]}.")

    def _found(self, ask: Ask) -> Iterator[Call]:
        """Calls of the same content, the exact key first. Requests of services are told apart by what they asked."""
        exact = self._by_key.get(self.key(ask.content, ask.base))
        if ask.shown.get(LOCAL) == OWN_PROMPT:  # which no version lists among its calls
            exact = self.journal.file.find_call(self.key(ask.content, ask.base))
        if exact is not None and exact.kind == ask.kind:
            yield exact
        if ask.kind == "embed":  # what was asked is not kept, only its key: with a sample number where it was asked again
            yield from (call for n in range(1, 20) if (call := self._by_key.get(digest({**ask.content, "sample": n}))) is not None)
            return
        wanted = _told(ask.shown)
        yield from (call for call in self.calls if call.kind == ask.kind and _told(call.request) == wanted)


def _told(request: Mapping[str, Any]) -> str:
    return digest({name: value for name, value in request.items() if name not in SET_BY_PEOPLE and name != "state"})


def asked_in_words(ask: Ask) -> str:
    """What a step asked for, short."""
    if ask.kind in ("chat", "embed"):
        return f"the prompt {ask.prompt}" if ask.kind == "chat" else "vectors of texts"
    said = next((str(ask.shown[name]) for name in ("url", "pdf", "local") if ask.shown.get(name)), "a text")
    words = next((str(value) for name, value in ask.shown.get("params") or () if name in ("query", "search")), "")
    return f"{said} for “{words[:60]}”" if words else said
