"""What every part of the workbench may use: the desk, the chain, the text, and a way to say something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.screens.base import CoiScreen
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.panes import DetailPane

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk, Job
    from coi_tui.screens.runs.plan_sheet import Later
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


class Surface(CoiScreen[None]):
    """The base of the parts; ``Workbench`` puts them together and says what is shown where."""

    SAID_LINES = 2

    written = said_written = ""
    """The paths of the last export, a line each, and the sentence about it: while that stands, the copy key copies the paths."""

    desk: Desk
    session: Session

    def __init__(self, desk: Desk, at: str = "") -> None:
        """``at``: an address to begin at; empty where the last time ended."""
        super().__init__()
        self.begin_at = at
        self.desk, self.session = desk, desk.session
        self.why_for = ""
        self.looking: int | None = None
        """The version shown in place of the one in use, or None."""
        self.strip: list[str] = []
        """The closing words of the last job, until they are put away."""

    @property
    def chain(self) -> ChainTree:
        return self.query_one(ChainTree)

    @property
    def detail(self) -> DetailPane:
        return self.query_one(DetailPane)

    def recall_tags(self) -> None:
        """Take up the tags of the last time."""
        raise NotImplementedError

    def hide_strip(self) -> None:
        """Put the closing words of a job away."""
        raise NotImplementedError

    def refresh_rows(self) -> None:
        raise NotImplementedError

    def show_detail(self) -> None:
        """Bring the detail pane in line with the row under the cursor."""
        raise NotImplementedError

    def show_text(self) -> None:
        """Bring the text into view where only one pane fits."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        raise NotImplementedError

    def named(self, address: str) -> str:
        raise NotImplementedError

    def row_of(self, text: str) -> str:
        """The row of a typed address. Raises UsageError where there is none."""
        raise NotImplementedError

    def go_to(self, text: str) -> None:
        """Go to the row of a typed address. Raises UsageError where there is none."""
        raise NotImplementedError

    def pin_reference(self, address: str, text: str | None) -> None:
        """Offer a reference of a paper for the next place before it; None does nothing."""
        raise NotImplementedError

    def do_edit(self) -> None:
        """Open the editor on the row under the cursor."""
        raise NotImplementedError

    def start(self, plan: Plan | None) -> None:
        """Run a plan that was approved on its sheet."""
        raise NotImplementedError

    @property
    def later(self) -> Later:
        """How a plan sheet puts its plan off until the network is there."""
        raise NotImplementedError

    def away_words(self, job: Job) -> str:
        """A sentence where a job failed because a service was away."""
        raise NotImplementedError

    def open_plan(self, plan: Plan) -> None:
        """Show a plan on its sheet; it runs by Enter there."""
        raise NotImplementedError

    def did(self, words: str) -> None:
        """Something was decided: show it, and say so."""
        self.refresh_rows()
        self.say(words)


if TYPE_CHECKING:
    Part = Surface
else:
    Part = object
"""What a part derives from. It is put together with ``Surface`` in ``Workbench`` alone: the toolkit would prepare each for a screen."""
