"""What comes next in words: with the keys of the app, or with the commands of the command line.
Light to import."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from coi_tui.model.address import Branch, parse_address
from coi_tui.store.summary import Needs, NextStep

_COUNTED = (
    ("failed", "failed"),
    ("undecided", "to decide"),
    ("stale", "stale"),
    ("empty", "empty"),
)

_ROW_BY_KEY = {
    "accept": ("decide {address}", "{accept} accepts, {edit} edits"),
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
        "{refresh_all} refreshes all that is, {keep} says it still holds",
    ),
    "candidates": ("{address} has no anchor", "{candidates} shows candidates, {pin} pins a paper"),
}
"""What is to be done at a row that needs the person, and the keys for it there."""
_BY_KEY = {
    "pin": "{address} has no paper ({pin} on it pins one)",
    "edit": "nothing was found for the topic ({edit} on it words it differently)",
    "generate": "{generate} goes on to {goal}",
    "pick": "choose your idea ({enter} on A opens the arena)",
    "export": "{export} writes the proposal",
    "stop": "a run goes on ({stop} stops it)",
}
_BY_COMMAND = {
    "accept": "`coi decide {name} {address} accept`, or `coi edit {name} {address} --file FILE`",
    "accept_all": "`coi decide {name} {branch} accept-all papers`, or accept and reject one by one",
    "enter": "`coi resume {name}` tries {address} again",
    "diff": "`coi diff {name} {address}` shows the newer text beside yours, `coi decide {name} {address} keep` says that yours still holds",
    "refresh_all": "`coi refresh {name}` makes what is stale again",
    "candidates": "`coi show {name} {address}.cands` lists candidates for the anchor, `coi decide {name} {address} choose RANK` takes one",
    "pin": "`coi decide {name} {address} pin ID` puts a paper there",
    "edit": "nothing was found for the topic; `coi edit {name} topic --file FILE` words it differently",
    "generate": "`coi resume {name}{of_method} --until {stage}` goes on",
    "pick": "`coi decide {name} {address} pick` makes it your idea",
    "export": "`coi export {name} --out {name}.md` writes the proposal",
    "stop": "a run goes on",
}
ACTIONS = (*_ROW_BY_KEY, *_BY_KEY)
"""The ids of the actions that may come next."""


def counts(needs: Needs) -> list[str]:
    """``1 failed``, ``3 to decide``."""
    return [f"{number} {word}" for name, word in _COUNTED if (number := getattr(needs, name))]


def by_keys(step: NextStep, keys: Mapping[str, str], at: str = "") -> str:
    """The line of the app for a person at the row ``at``. ``keys``: what is pressed for an action,
    by its id."""
    goal = f"{step.stage}{f' of {step.method}' if step.method else ''}"
    said = {**keys, "address": step.address, "branch": _branch(step), "goal": goal}
    counted = ", ".join(counts(step.needs))
    if step.action in _ROW_BY_KEY:
        what, how = (text.format(**said) for text in _ROW_BY_KEY[step.action])
        first = f"{what} ({how})" if step.address == at else f"{what} ({keys['next']}, then {how})"
    else:
        first = _BY_KEY.get(step.action, "").format(**said)
    return _line([first, counted, _BY_KEY["generate"].format(**said) if _goes_on(step) else ""])


def by_commands(step: NextStep, name: str) -> str:
    """The line of the command line, about the session of that name."""
    of_method = f' --method "{step.method}"' if step.method else ""
    name = shlex.quote(name)
    said = {
        "name": name,
        "address": step.address,
        "branch": _branch(step),
        "stage": step.stage,
        "of_method": of_method,
    }
    what = ", ".join(counts(step.needs))
    return _line(
        [
            _BY_COMMAND.get(step.action, "").format(**said),
            what,
            _BY_COMMAND["generate"].format(**said) if _goes_on(step) else "",
        ]
    )


def _branch(step: NextStep) -> Branch:
    return parse_address(step.address).branch if step.address else 0


def _goes_on(step: NextStep) -> bool:
    """Whether a run is possible beside what comes first."""
    return bool(step.stage) and step.action != "generate"


def _line(parts: list[str]) -> str:
    return f"Next: {'; '.join(filter(None, parts))}"
