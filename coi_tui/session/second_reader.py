"""A second reader: the file that they are given, blind to what was decided before them, and what came
back of it (decision 119)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from coi_tui.arena.judgements import cohen
from coi_tui.engine.journal import stamped
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.sketches import BEFORE, ranking_of
from coi_tui.model.address import split_ref
from coi_tui.model.entries import COI, YOU, Action, Decision, Version, named, other_actor
from coi_tui.model.errors import UsageError
from coi_tui.model.readers import (
    SETTING,
    Key,
    Review,
    Said,
    compared,
    joined,
    readers,
    review_of,
    said,
)
from coi_tui.model.state import HUNCH, REJECTED, WISHES
from coi_tui.model.text import Fields, count
from coi_tui.present.comparisons import OPENED
from coi_tui.session.core import SessionCore
from coi_tui.store.session_file import Loaded, SessionFile

_HIDDEN = {OPENED, BEFORE, "cap_usd", "cap_tokens", "send_hunch"}
"""Settings that tell what was decided, or that are nobody else's concern."""
_SHOWN = {"match": ("first", "second"), "review": ("points",), "topic": ("text",)}
"""What is shown of cells with ratings, or a hunch, by their kind."""


# -- the file for a second reader


def write_review(core: SessionCore, reader: str, path: Path) -> None:
    """Make the file that a second reader is sent: the papers and the texts in use, without notes,
    decisions, ratings, alternatives, calls, or a word of who wrote what.

    Raises UsageError for a name that is none, StoreError where the file is there already.
    """
    name = named(other_actor("reader", reader))
    meta = {"name": path.name.removesuffix(".coi.db"), "method": core.first_method}
    meta["topic"] = core.meta.get("topic", "")
    with SessionFile.create(path, meta, entries=review_entries(core, name)) as file:
        file.commit(papers=core.state.papers.values())


def review_entries(core: SessionCore, reader: str) -> list[Decision | Version]:
    """The log that such a file begins with. It is written anew, so that it holds nothing else."""
    state, made, versions = core.state, list[Decision | Version](), dict[int, int]()
    for name, one in state.instances.items():
        value = {"method": one.method, "branches": one.branches, "settings": dict(one.settings)}
        made.append(_given("method", name, {**value, "package": one.package}))
    for place in sorted(Chains.of(state).slots.values(), key=lambda one: abs(one.pos)):
        if place.paper:
            why = {} if place.reason.by_you else {**place.why, "cands": None}
            made.append(_given("propose", place.address, {"paper": place.paper, "why": why}))
    for shown, seq in _texts(core):
        number = len(made) + 2
        versions[number] = seq
        made.append(shown)
        if shown.address == "topic":
            made.append(_given("edit", "topic", {"version": number}))
    review = Review(
        id=secrets.token_hex(4),
        reader=reader,
        session=core.name,
        entries=len(made) + 1,
        versions=versions,
    )
    kept = {name: value for name, value in state.settings.items() if name not in _HIDDEN}
    first = _given("settings", "session", {**kept, SETTING: review.model_dump(mode="json")})
    return stamped([first, *made], 1, core.clock())


def _given(action: Action, address: str, value: Fields) -> Decision:
    return Decision(actor=COI, action=action, address=address, value=value, creation=True)


def _texts(core: SessionCore) -> Iterator[tuple[Version, int]]:
    """The texts in use as a second reader is shown them, up to date and of nobody; with their
    numbers."""
    state = core.state
    for address in state.cells:
        used = state.in_use(address)
        if used is None or address == ranking_of(state):
            continue
        only = _SHOWN.get(core.methods.kind(address).name, used.content)
        inputs = core.inputs_now(address)
        shown = Version(
            actor=COI,
            address=address,
            content={name: used.content[name] for name in only if name in used.content},
            meanings={name: used.meanings[name] for name in only if name in used.meanings},
            inputs=inputs | dict.fromkeys(filter(_is_own, inputs)),
            origin="reviewed",
        )
        yield shown, used.seq


def _is_own(ref: str) -> bool:
    """Whether what a text was made from is the first reader's word, which is not handed on."""
    address, field = split_ref(ref)
    return ref == HUNCH or field in (WISHES, REJECTED) or address == "X" or address.endswith("/bad")


# -- what came back


def load_review(path: Path) -> tuple[Review, Loaded]:
    """A second reader's file, which is only read. Raises StoreError for what is no session file,
    UsageError for one that is not sound, or no second reader's."""
    with SessionFile(path, read_only=True) as file:
        found, loaded = file.verify(), file.load()
    review = review_of(loaded.entries)
    if found or not review.reader:
        why = f"not sound. {found[0]}" if found else "no second reader's file."
        raise UsageError(
            f"Nothing was joined: {path.name} is {why}", "Ask for the file that was sent out."
        )
    other_actor("reader", review.reader)
    return review, loaded


def merge(core: SessionCore, review: Review, loaded: Loaded) -> int:
    """Join what a second reader decided; the number of new decisions. Raises UsageError for a file of
    another session."""
    core.check_writable()
    if loaded.meta.get("topic") != core.meta.get("topic"):
        raise UsageError(
            f"{core.name} has another topic than this file of the session {review.session}."
        )
    new = joined(core.journal.entries, loaded.entries, core.state.versions)
    decided = [one for one in new if isinstance(one, Decision)]
    named_there = {one.value.get("paper") for one in decided} - core.state.papers.keys()
    if new:
        core.journal.write(new, [p for p in loaded.papers.values() if p.id in named_there])
    return len(decided)


class Conflict(NamedTuple):
    """What you and a second reader decided differently."""

    reader: str
    key: Key
    yours: Said
    theirs: Said


def reports(core: SessionCore) -> tuple[list[str], list[Conflict]]:
    """How often you and each second reader agree, in sentences, and where not; nothing where none has
    sent anything."""
    log, lines, conflicts = core.journal.entries, list[str](), list[Conflict]()
    yours = said(log, YOU)
    for actor in readers(log):
        name, theirs = named(actor), said(log, actor)
        both = compared(yours, theirs)
        lines.append(f"{name} decided about {count(len(theirs), 'thing')}.")
        for kind in dict.fromkeys(kind for kind, _, _ in both):
            found = cohen([two for key, two in both.items() if key[0] == kind])
            kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
            lines.append(
                f"{kind.capitalize()}: {found.same} of {found.common} alike, kappa {kappa}."
            )
        conflicts += [
            Conflict(name, k, yours[k], theirs[k]) for k, (a, b) in both.items() if a != b
        ]
    return lines, conflicts
