"""What a replay found, in data and in plain sentences, and how two versions, states or texts are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coi_tui import __version__
from coi_tui.engine.unanswered import UNANSWERED
from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.model.entries import Decision, Version
from coi_tui.model.hashing import canonical
from coi_tui.model.wording import count, listed

Entry = Decision | Version

MOST_NAMED = 8
"""Versions that are named in one sentence."""


@dataclass(frozen=True)
class Finding:
    """A version that is not the same, or could not be made again. ``what`` says the first difference, or why."""

    address: str
    version: str
    entry: int
    what: str


@dataclass
class ReplayReport:
    """What a replay found. ``texts`` are the exports of the replayed session, by kind."""

    name: str
    same: int = 0
    different: list[Finding] = field(default_factory=list)
    not_made: list[Finding] = field(default_factory=list)
    decisions: int = 0
    by_people: int = 0
    calls_used: int = 0
    calls: int = 0
    programs: tuple[str, ...] = ()
    papers: list[str] = field(default_factory=list)
    state: str = ""
    exports: dict[str, str] = field(default_factory=dict)
    file: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def made_by_steps(self) -> int:
        return self.same + len(self.different) + len(self.not_made)

    @property
    def ok(self) -> bool:
        """Whether everything was made again, and is the same."""
        return not (self.different or self.not_made or self.papers or self.state or self.file or any(self.exports.values()))

    def sentences(self) -> list[str]:
        """The report in plain sentences."""
        out = [
            f"{self.name}: {self.same} of {count(self.made_by_steps, 'version')} that steps made were made again and are the same, from "
            f"{self.calls_used} of {count(self.calls, 'recorded call')}"
            f"{' (no version rests on the others)' if self.ok and self.calls_used < self.calls else ''}; no service was asked.",
            f"Taken as logged: {count(self.decisions, 'decision')} and {count(self.by_people, 'text')} that no step made.",
        ]
        out += [*self._differences(), *self._in_the_end()]
        others = [f"coi-tui {program}" if program else "a coi-tui that did not note its version" for program in self.programs]
        if set(self.programs) - {__version__} and not self.ok:
            out.append(f"The session was run by {listed(others)}; this is coi-tui {__version__}. The version that ran it replays it.")
        return out

    def _differences(self) -> list[str]:
        out = [f"Different: {f.address} {f.version} (entry {f.entry}): {f.what}." for f in self.different]
        for why, found in _grouped(self.not_made).items():
            named = ", ".join(f"{f.address} {f.version}" for f in found[:MOST_NAMED]) + (" …" if len(found) > MOST_NAMED else "")
            out.append(f"Not made again, {count(len(found), 'version')} ({named}): {why}.")
        out += [f"Different: the record of the paper {paper}." for paper in self.papers]
        return [*out, *(f"The file itself: {finding}" for finding in self.file)]

    def _in_the_end(self) -> list[str]:
        out = ["The state at the end is the same." if not self.state else f"The state at the end differs: {self.state}."]
        out += [f"The {kind} export differs: {difference}." for kind, difference in self.exports.items() if difference]
        same = [kind for kind, difference in self.exports.items() if not difference]
        return [*out, *([f"The same byte for byte, apart from the date of the export: {', '.join(same)}."] if same else [])]

    def as_data(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "same": self.ok, "session": self.name,
            "versions": {"made_by_steps": self.made_by_steps, "same": self.same},
            "calls": {"used": self.calls_used, "recorded": self.calls},
            "as_logged": {"decisions": self.decisions, "texts": self.by_people},
            "different": [vars(f) for f in self.different], "not_made_again": [vars(f) for f in self.not_made], "papers": self.papers,
            "programs": list(self.programs), "file": self.file, "state": self.state, "exports": self.exports,
        }  # fmt: skip


def _grouped(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    out: dict[str, list[Finding]] = {}
    for finding in findings:
        out.setdefault(finding.what, []).append(finding)
    return out


_COMPARED = (
    "address",
    "content",
    "origin",
    "meanings",
    "parents",
    "inputs",
    "sources",
    "recipe",
    "beside",
    "calls",
    "cost_usd",
    "wording_only",
)


def _data(entry: Entry) -> dict[str, Any]:
    """What is compared of a version. Which of several calls side by side came first is not."""
    held = entry.model_dump(mode="json")
    data = {name: held.get(name) for name in _COMPARED}
    recipe = {name: sorted(rows, key=canonical) if name in ("changes", UNANSWERED) else rows for name, rows in held["recipe"].items()}
    return {**data, "recipe": recipe, "calls": sorted(held["calls"])}


def same(logged: Entry, made: Entry) -> bool:
    return canonical(_data(logged)) == canonical(_data(made))


def difference(logged: Entry, made: Entry) -> str:
    return (first_difference(_data(logged), _data(made)) or "a number is written in another way") + _unkept(logged)


def _unkept(logged: Entry) -> str:
    """Why an older session may differ: it used what its file did not keep then."""
    held = canonical(_data(logged))
    if LIBRARY_NAME in held:
        return "; it used papers imported on the machine of the session, whose answers an older version of coi-tui did not keep"
    return "; it compared papers by vectors computed on the machine of the session" if "sentence vectors (" in held else ""


def first_difference(held: Any, made: Any, where: str = "") -> str:
    """The first place at which two JSON values differ, with what stands there; empty where they are equal."""
    if held == made:
        return ""
    pairs = _parts(held, made)
    if pairs is None:
        return f"{where or 'the value'} is {_short(made)}, and {_short(held)} in the file"
    inside = (first_difference(a, b, f"{where}.{key}" if where else key) for key, a, b in pairs)
    return next(filter(None, inside), f"{where or 'the value'} has other fields")


def _parts(held: Any, made: Any) -> list[tuple[str, Any, Any]] | None:
    """Two values part by part; None where they have no parts that correspond."""
    if isinstance(held, Mapping) and isinstance(made, Mapping):
        return [(str(key), held.get(key), made.get(key)) for key in dict.fromkeys([*held, *made])]
    if isinstance(held, list | tuple) and isinstance(made, list | tuple) and len(held) == len(made):
        return [(str(n), a, b) for n, (a, b) in enumerate(zip(held, made, strict=True))]
    return None


def _short(value: Any) -> str:
    text = f"“{value}”" if isinstance(value, str) else "missing" if value is None else str(value)
    return text if len(text) <= 90 else f"{text[:89]}…"


def first_line(held: str, made: str) -> str:
    """The first line at which two texts differ."""
    if held == made:
        return ""
    ours, theirs = held.splitlines(), made.splitlines()
    number = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    line = [(lines[number] if number < len(lines) else None) for lines in (theirs, ours)]
    return f"line {number + 1} is {_short(line[0])}, and {_short(line[1])} in the session"
