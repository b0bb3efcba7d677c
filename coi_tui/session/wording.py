"""A row of the tree, and what comes next: their facts, glyphs and sentences, the one place where the
tree, the status line, ``coi show`` and its JSON get theirs. Light to import."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from coi_tui.model.address import cell_ref
from coi_tui.model.text import Fields, count, joined
from coi_tui.store.summary import NextStep, PendingCounts

if TYPE_CHECKING:
    from coi_tui.model.entries import Version


class RowKind(Enum):
    """What a row stands for: a branch, the arena and the shelf sum up others."""

    TEXT = "text"
    SLOT = "slot"
    BRANCH = "branch"
    ARENA = "arena"
    SHELF = "shelf"


class Verdict(Enum):
    """What the researcher said of it. ``NONE``: nothing is to be said of such a cell."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    PINNED = "pinned"
    REJECTED = "rejected"
    NONE = "no verdict applies"
    EMPTY = "empty"


class Status(Enum):
    """How what is in use stands to its inputs. ``KEPT``: stale, but the researcher said that it
    still holds."""

    FRESH = "fresh"
    KEPT = "kept by you"
    STALE = "stale"
    UPSTREAM = "stale upstream"
    MISSING = "not made yet"


class RowOrigin(Enum):
    """Who made what is in use."""

    NONE = ""
    MODEL = "made by the model"
    DRAFTER = "drafted without a language model"
    PROPOSED = "proposed by the model"
    PROPOSED_BY_RULE = "proposed without a language model"
    RECORDED = "recorded reply of a language model"
    EDITED = "edited by you"
    YOURS = "yours"
    SOURCE = "found in a source"
    REVIEWED = "of the session under review"
    OTHER = "by another reader or program"


_MADE_BY = {
    "model": RowOrigin.MODEL,
    "scripted": RowOrigin.MODEL,
    "drafter": RowOrigin.DRAFTER,
    "recorded": RowOrigin.RECORDED,
    "reviewed": RowOrigin.REVIEWED,
}


def origin_of(version: Version | None) -> RowOrigin:
    """Who made a version; nobody where there is none."""
    if version is None:
        return RowOrigin.NONE
    if version.by_person:
        return RowOrigin.EDITED if version.parents else RowOrigin.YOURS
    found = _MADE_BY.get(version.origin, RowOrigin.SOURCE)
    return RowOrigin.OTHER if version.by_other else found


@dataclass(frozen=True)
class Row:
    """A row of the tree. ``label`` is its short name, ``title`` its line, ``year`` that of a paper.

    What follows from its fields is found once: a row stays the same object until something that it
    says has changed, and whoever counts goes through all of them.

    ``status`` is that of the text in use, whether a task is ``running`` or ``failed`` for it or
    not; None for rows that sum up others.
    ``draft``: a text is being written here and not saved. ``choice_waits``: an alternative made
    from the current inputs stands beside the researcher's text. ``made``: something is in use.
    ``undecided`` (rows in it that ask for a decision) and
    ``parked`` are of a branch, ``count`` is of the shelf.
    """

    address: str
    depth: int
    kind: RowKind
    label: str
    title: str
    year: int | None = None
    verdict: Verdict = Verdict.NONE
    status: Status | None = None
    origin: RowOrigin = RowOrigin.NONE
    role: str = ""
    """Of a slot: anchor, predecessor or successor."""
    made: bool = False
    protected: bool = False
    running: bool = False
    failed: bool = False
    draft: bool = False
    choice_waits: bool = False
    by_you: bool = False
    """Whether the text in use is the researcher's own."""
    parked: bool = False
    undecided: int = 0
    count: int = 0
    source: str = ""
    """Of an idea beside those of other methods: its method in short, and what the method made the idea from."""
    check_failed: str = ""
    """Of a novelty report: why a later check failed. The report stands."""
    aside: bool = False
    """Whether it is in a branch that was set aside: nothing there needs anybody."""
    awaited: bool = False
    """Whether nothing stands here and a run would put something: an anchor, or a text that a task
    makes."""
    needs_decision: bool = False
    """Whether it is the one row of its branch, or of its method, that waits for a decision
    (``rows.needing_decision``)."""
    worksheet: bool = False
    """Whether the text in use is a worksheet, which is to be written and not to be accepted."""

    @cached_property
    def stale(self) -> bool:
        """Whether an input, or something further up, has changed since."""
        return self.status in (Status.STALE, Status.UPSTREAM)

    @cached_property
    def open_failure(self) -> bool:
        """Whether a task failed here and is not being tried again."""
        return self.failed and not self.running and not self.aside

    @cached_property
    def stale_here(self) -> bool:
        """Whether it carries the sign of a stale row, outside branches set aside."""
        return self.stale and not (self.failed or self.running or self.aside)

    @cached_property
    def empty_here(self) -> bool:
        """Whether nothing stands where a run would put something, outside branches set aside."""
        return self.awaited and not (self.failed or self.running or self.aside)

    @cached_property
    def lacks_anchor(self) -> bool:
        """Whether it is the empty place of an anchor, without which a branch goes no further."""
        return self.kind is RowKind.SLOT and self.empty_here

    @cached_property
    def needs_you(self) -> bool:
        """Whether something is to be decided or mended here."""
        return self.needs_decision or self.open_failure or self.stale_here or self.lacks_anchor


RUNNING, FAILED, YOURS, ANCHOR, NEW, NOTHING, NO_GLYPH = "●", "!", "✎", "◆", "•", "·", " "

GLYPHS = {
    Verdict.UNDECIDED: "?",
    Verdict.ACCEPTED: "✓",
    Verdict.PINNED: YOURS,
    Verdict.REJECTED: "✗",
    Verdict.NONE: NO_GLYPH,
    Verdict.EMPTY: NOTHING,
}

GLYPH_WORDS = {
    "?": "undecided",
    "✓": "accepted",
    "✗": "rejected",
    YOURS: "yours",
    ANCHOR: "anchor",
    NEW: "came in since you looked",
    RUNNING: "running",
    FAILED: "failed",
    NOTHING: "empty",
}
"""What each sign in front of a row means; in ASCII they are ``? + x e # * * ! .``."""

CHECK_FAILED = "check failed"

STALE_NOTES = {Status.STALE: "stale", Status.UPSTREAM: "input stale"}

DECIDE = "decide"

NEWER = "newer version"

HOLDS = "still holds"

_STATE_WORDS = {"fresh": "up to date", "kept by you": HOLDS, "stale upstream": "its input is stale"}


def glyph(row: Row) -> str:
    """The one sign of a row: what happens to it just now, else whose it is and what was said of it.
    A blank where nothing is to be said."""
    if row.status is None:  # a branch, the arena and the rejected papers
        return NO_GLYPH
    if row.running or row.failed:
        return RUNNING if row.running else FAILED
    if row.verdict in (Verdict.REJECTED, Verdict.EMPTY):
        return GLYPHS[row.verdict]
    if not row.made:
        return NOTHING
    return YOURS if row.by_you and row.verdict is not Verdict.UNDECIDED else GLYPHS[row.verdict]


def is_anchor(row: Row) -> bool:
    """Whether the paper that a chain begins with stands here, or is to."""
    return row.role == "anchor"


def note(row: Row) -> str:
    """The word at the right, where the state matters: decide, stale, running, failed ..."""
    if row.kind is RowKind.BRANCH:
        return "set aside" if row.parked else f"{row.undecided} to decide" if row.undecided else ""
    if row.kind is RowKind.SHELF:
        return str(row.count)
    return _state_note(row) or (
        DECIDE if row.needs_decision else "protected" if row.protected else ""
    )


def line(row: Row) -> str:
    """What stands right of the label: the title, for an idea beside those of other methods after
    its method and source."""
    return f"{row.source}: {row.title}" if row.source else row.title


def sentence(row: Row) -> str:
    """The row in words, for the status line and for those who hear it read aloud."""
    if row.kind is RowKind.BRANCH:
        return f"branch {row.address}: {row.title}"
    if row.kind is RowKind.ARENA:
        return row.title.replace(":", ",", 1)
    if row.kind is RowKind.SHELF:
        return f"{row.title}: {count(row.count, 'paper')}"
    if row.kind is RowKind.SLOT:
        words = Verdict.EMPTY.value
        if row.made or row.running or row.failed:
            words = joined(", ", row.title, str(row.year or ""), _states(row))
        return f"{row.address} {row.role}: {words}"
    return _text_sentence(row)


def _text_sentence(row: Row) -> str:
    words = "a newer version waits to be compared" if row.choice_waits else ""
    words = "your draft is not saved yet" if row.draft else words
    if row.made and row.failed and not row.running:
        stale = row.status.value if row.status and row.stale else ""
        words = joined(", ", "the previous text is in use", stale, words)
    checked = row.check_failed and not row.running
    failed = f"last check failed: {row.check_failed}" if checked else ""
    name = row.address if row.address.endswith(row.label) else f"{row.address} {row.label}"
    return f"{name}: {joined(', ', row.source, _states(row), words, failed)}"


def as_data(row: Row) -> Fields:
    """The row for programs."""
    return {
        "address": row.address,
        "depth": row.depth,
        "verdict": row.verdict.value,
        "state": state(row),
        "origin": row.origin.value,
        "protected": row.protected,
        "label": row.label,
        "title": row.title,
        "source": row.source,
        "year": str(row.year or ""),
        "note": note(row),
        "words": sentence(row),
        "needs_you": row.needs_you,
    }


def state(row: Row) -> str:
    """Whether it runs or failed, else how it stands to its inputs; empty for rows that sum up
    others."""
    if row.running or row.failed:
        return "running" if row.running else "failed"
    return row.status.value if row.status else ""


def _states(row: Row) -> str:
    verdict = "" if row.verdict is Verdict.NONE else row.verdict.value
    return joined(
        ", ",
        verdict,
        "waits for you" if row.needs_decision else "",
        _state_words(row),
        row.origin.value,
        "protected" if row.protected else "",
    )


def _state_words(row: Row) -> str:
    return _STATE_WORDS.get(state(row), state(row))


def _state_note(row: Row) -> str:
    """The word for a state that a person should see from afar; empty for all others."""
    if row.draft:
        return "draft"
    if row.choice_waits:
        return NEWER
    if row.running or row.failed or row.status is Status.KEPT:
        return _state_words(row)
    stale = STALE_NOTES.get(row.status, "") if row.status else ""
    return stale or (CHECK_FAILED if row.check_failed else "")


_COUNTED = (
    ("failed", "failed"),
    ("undecided", "to decide"),
    ("stale", "stale"),
    ("empty", "empty"),
)

_ROW_BY_KEY = {
    "accept": ("decide {address}", "{accept} accepts, {edit} edits"),
    "write": ("{address} is a worksheet", "{edit} writes the text"),
    "accept_all": (
        "the papers of branch {branch}",
        "{accept_all} accepts all, {accept} this one, {reject} rejects it",
    ),
    "enter": ("{address} failed", "{enter} says why and tries again"),
    "diff": (
        "two versions at {address}",
        "{diff} shows the newer text beside yours, {keep} says yours still holds",
    ),
    "refresh_all": (
        "{address} is stale",
        "{refresh_all} refreshes all stale texts, {keep} says it still holds",
    ),
    "wall": ("choose among the sketches", "{enter} opens the wall"),
    "candidates": ("{address} has no anchor", "{candidates} shows candidates, {pin} pins a paper"),
    "uncovered": (
        "no paper here fits {address}",
        "{search} other words, {pin} pins one, {settings} online sources, coi papers add FILE.bib",
    ),
}
"""What is to be done at a row that needs the person, and the keys for it there."""

_BY_KEY = {
    "pin": "{address} has no paper ({pin} on it pins one)",
    "edit": "nothing was found for the topic ({edit} on it rewords it)",
    "generate": "{generate} goes on to {goal}",
    "pick": "choose your idea ({enter} on A opens the arena)",
    "export": "{export} writes the proposal",
    "stop": "a run goes on ({stop} stops it)",
}

_BY_COMMAND = {
    "accept": "`coi decide {name} {address} accept`, or `coi edit {name} {address} --file FILE`",
    "write": "{address} is a worksheet, `coi edit {name} {address} --file FILE` writes the text",
    "accept_all": "`coi decide {name} {branch} accept-all papers`, or accept and reject one by one",
    "enter": "`coi resume {name}` tries {address} again",
    "diff": "`coi diff {name} {address}` shows the newer text beside yours, `coi decide {name} {address} keep` says that yours still holds",
    "refresh_all": "`coi refresh {name}` makes what is stale again",
    "wall": "`coi ideas sketches {name}` lists them, `coi ideas work-out {name} SKETCH` makes an idea of one",
    "candidates": "`coi show {name} {address}.cands` lists candidates for the anchor, `coi decide {name} {address} use RANK` takes one",
    "uncovered": "no paper known here fits {address}; `coi decide {name} {address} pin ID` puts one there, `coi edit {name} Q{branch} --file FILE` asks in other words, `coi papers add FILE.bib` brings yours",
    "pin": "`coi decide {name} {address} pin ID` puts a paper there",
    "edit": "nothing was found for the topic; `coi edit {name} topic --file FILE` rewords it",
    "generate": "`coi resume {name}{of_method} --until {stage}` goes on",
    "pick": "`coi decide {name} {address} pick` makes it your idea",
    "export": "`coi export {name} --out {name}.md` writes the proposal",
    "stop": "a run goes on",
}

ACTIONS = (*_ROW_BY_KEY, *_BY_KEY)
"""The ids of the actions that may come next."""


def counts(needs: PendingCounts) -> list[str]:
    """``1 failed``, ``3 to decide``."""
    return [f"{number} {word}" for name, word in _COUNTED if (number := getattr(needs, name))]


def by_keys(step: NextStep, keys: Mapping[str, str], at: str = "") -> str:
    """The line of the app for a person at the row ``at``. ``keys``: what is pressed for an action,
    by its id."""
    goal = f"{step.stage}{f' of {step.method}' if step.method else ''}"
    if step.action in _ROW_BY_KEY:
        what, how = _ROW_BY_KEY[step.action]
        text = f"{what} ({how})" if step.address == at else f"{what} ({{next}}, then {how})"
    else:
        text = _BY_KEY.get(step.action, "")
    return _line(step, text, _BY_KEY["generate"], {**keys, "goal": goal})


def by_commands(step: NextStep, name: str) -> str:
    """The line of the command line, about the session of that name."""
    of_method = f' --method "{step.method}"' if step.method else ""
    words = {"name": shlex.quote(name), "of_method": of_method}
    return _line(step, _BY_COMMAND.get(step.action, ""), _BY_COMMAND["generate"], words)


def _line(step: NextStep, first: str, generate: str, words: Mapping[str, str]) -> str:
    """What comes first, what else needs the person, and the run that is possible besides."""
    branch = cell_ref(step.address).branch if step.address else 0
    onward = generate if step.stage and step.action != "generate" else ""
    known = {**words, "address": step.address, "branch": branch, "stage": step.stage}
    parts = (first.format(**known), ", ".join(counts(step.needs)), onward.format(**known))
    return f"Next: {'; '.join(filter(None, parts))}"


def ago(time: str) -> str:
    """``5 min ago`` for an ISO time; the date when it is more than two weeks back, empty when there
    is none."""
    if not time:
        return ""
    try:
        then = datetime.fromisoformat(time.replace("Z", "+00:00"))
    except ValueError:
        return time
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    seconds = (datetime.now(UTC) - then).total_seconds()
    if seconds < 60:
        return "just now"
    for size, unit, most in ((60, "min", 60), (3600, "h", 24), (86400, "day", 15)):
        if (number := int(seconds // size)) < most:
            return f"{count(number, unit) if unit == 'day' else f'{number} {unit}'} ago"
    return f"{then:%Y-%m-%d}"
