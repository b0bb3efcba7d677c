"""Every key of every screen, in one table. Footers, help, the command palette and the key file read it."""

from __future__ import annotations

from textual.binding import BindingType

from coi_tui.screens.workbench.actions import WORKBENCH
from coi_tui.widgets.actions import views
from coi_tui.widgets.actions.home import DELETE, HOME, IMPORT, NEW
from coi_tui.widgets.actions.keymap import Keymap, applied, keys_of
from coi_tui.widgets.actions.papers import ATTACH, CANDIDATES, PIN, READER, SHELF
from coi_tui.widgets.actions.pictures import TIMELINE
from coi_tui.widgets.actions.runs import CAP, COST, FAILED, GENERATE, PLAN, QUEUE, STAGE
from coi_tui.widgets.actions.settings import ASKING, SETTING, SETTINGS
from coi_tui.widgets.actions.sheets import ACCEPT_ALL, CONFIRM, EXPORT, FILTER, FIND, GO, HELP_KEYS, MESSAGE, NOTE, REASON, WORDS
from coi_tui.widgets.actions.table import Action as Action
from coi_tui.widgets.actions.table import bindings_of
from coi_tui.widgets.actions.texts import COMPARE, DIFF, EDIT, HISTORY, LOG
from coi_tui.widgets.actions.wishes import CRITERIA, SOURCES
from coi_tui.widgets.actions.wizard import QUESTION, WHICH, WIZARD

NOT_BUILT = "not built yet"
LATER: dict[str, str] = {**views.LATER}
"""Keys whose screen comes with a later issue (``place.id``), and why they are off until then."""

TABLE: dict[str, tuple[Action, ...]] = {
    "workbench": WORKBENCH, "home": HOME, "plan": PLAN, "queue": QUEUE, "generate": GENERATE, "failed": FAILED, "cost": COST, "cap": CAP,
    "stages": STAGE, "edit": EDIT, "reason": REASON, "new": NEW, "settings": SETTINGS, "setting": SETTING, "asking": ASKING,
    "timeline": TIMELINE,
    "novelty": views.NOVELTY, "arena": views.ARENA, "review": views.REVIEW, "point": views.POINT, "export": EXPORT,
    "import": IMPORT, "delete": DELETE, "criteria": CRITERIA, "sources": SOURCES,
    "candidates": CANDIDATES, "pin": PIN, "shelf": SHELF, "history": HISTORY, "log": LOG, "accept_all": ACCEPT_ALL, "note": NOTE,
    "reader": READER, "diff": DIFF, "wizard": WIZARD, "question": QUESTION, "find": FIND, "go": GO, "words": WORDS, "filter": FILTER,
    "compare": COMPARE, "which": WHICH, "attach": ATTACH,
    "confirm": CONFIRM, "message": MESSAGE, "help": HELP_KEYS,
}  # fmt: skip


USUAL = dict(TABLE)
"""The table before a person's own keys; ``TABLE`` holds what is in force."""


def use_keymap(keymap: Keymap) -> dict[str, str]:
    """Put a person's keys in force; gives what Textual is to be told."""
    TABLE.update(applied(keymap, USUAL))
    return keys_of(keymap)


def action(place: str, name: str) -> Action:
    """The action of that name in a place. KeyError where there is none."""
    return next(a for a in TABLE[place] if a.id == name)


def bindings(place: str, *names: str) -> list[BindingType]:
    """Bindings of a place for its screen; with ``names`` only those."""
    return bindings_of(place, [a for a in TABLE[place] if not names or a.id in names])
