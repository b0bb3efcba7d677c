"""Where keys work: every place of the key file, and the module in which its actions stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from coi_tui.widgets.key_actions import KeyAction

PLACES = {
    "workbench": "workbench.commands",
    "home": "home.home_screen",
    "plan": "runs.plan_screens",
    "generate": "runs.generate_sheets",
    "failed": "runs.failed_step_sheet",
    "cost": "runs.cost_screen",
    "edit": "texts.edit_screen",
    "line": "sheets.text_sheets",
    "choice": "sheets.choice_sheet",
    "new": "home.topic_sheet",
    "settings": "settings.settings_screen",
    "novelty": "views.novelty_screen",
    "arena": "views.arena_screen",
    "review": "views.review_screen",
    "export": "sheets.export_sheet",
    "criteria": "sheets.search_sheets",
    "candidates": "papers.paper_lists",
    "content": "views.content_screen",
    "pin": "papers.paper_sheets",
    "shelf": "papers.paper_lists",
    "history": "texts.history_screen",
    "log": "texts.history_screen",
    "accept_all": "sheets.confirm_sheet",
    "reader": "papers.reader_screen",
    "diff": "texts.diff_screen",
    "wizard": "home.new_session_screen",
    "compare": "texts.diff_screen",
    "confirm": "sheets.confirm_sheet",
    "change": "sheets.confirm_sheet",
    "message": "sheets.confirm_sheet",
    "help": "help_screen",
}
"""A place and its module in this package. The actions of the place ``home`` are called
``HOME_ACTIONS`` there."""


class EveryAction(Mapping[str, tuple[KeyAction, ...]]):
    """The actions of all places with their usual keys. A module is imported when its place is asked
    for: the start waits for none."""

    def __getitem__(self, place: str) -> tuple[KeyAction, ...]:
        actions: tuple[KeyAction, ...] = getattr(
            import_module(f"coi_tui.screens.{PLACES[place]}"), f"{place.upper()}_ACTIONS"
        )
        return actions

    def __iter__(self) -> Iterator[str]:
        return iter(PLACES)

    def __len__(self) -> int:
        return len(PLACES)
