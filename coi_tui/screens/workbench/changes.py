"""A change of the session from the workbench: what it does to other rows is said first, and asked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from coi_tui.model.errors import CoiError
from coi_tui.screens.workbench.commands import WorkbenchView
from coi_tui.session.decisions.consequences import Consequences

T = TypeVar("T")


async def tell_first(
    view: WorkbenchView,
    ahead: Callable[[], Consequences],
    question: str,
    change: Callable[[], T],
    said: str | Callable[[T], str],
    then: Callable[[], object] | None = None,
) -> None:
    """Make a change; one that moves other rows says which, and asks once. ``ahead`` rehearses it; ``then`` follows where it was made."""
    from coi_tui.screens.sheets.confirm_sheet import foretold

    async def go() -> None:
        if await view.commit(change, said) and then is not None:
            then()

    try:
        changes = ahead()
    except CoiError as error:
        view.trouble(error)
        return
    await foretold(changes, question, go, view.open, view.say)
