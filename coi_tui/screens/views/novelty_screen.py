"""The novelty report of a branch: paper by paper, the model's verdict and beside it one's own."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.model.address import Branch
from coi_tui.model.content import CLOSENESS
from coi_tui.present.comparisons import JUDGEMENTS
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import NoteSheet
from coi_tui.screens.views.content_screen import TableScreen
from coi_tui.widgets.key_actions import DECIDE, LOOK, MAKE, VIEW_ACTIONS, KeyAction

NOVELTY_ACTIONS = (
    KeyAction(
        "judge",
        "c",
        "c",
        "your judgement",
        "cycles through: same idea; overlaps, differs; unrelated; none",
        DECIDE,
        1,
    ),
    KeyAction("verify", "v", "v", "check again", "search again and judge (a plan first)", MAKE, 2),
    KeyAction(
        "against",
        "P",
        "P",
        "search against",
        "search for the strongest prior work: the idea done already (a plan first)",
        MAKE,
        3,
    ),
    KeyAction(
        "bad",
        "B",
        "B",
        "prior art to avoid",
        "prior art to avoid (a bad case): the next draft must differ from it",
        DECIDE,
        3,
    ),
    KeyAction(
        "read", "enter,o", "Enter", "read", "read what there is of this paper (also o)", LOOK, 4
    ),
    KeyAction(
        "paper_note",
        "n",
        "n",
        "your note",
        "a note beside your judgement of this paper; exported, seen by no model",
        DECIDE,
        6,
    ),
    KeyAction(
        "claims",
        "e",
        "e",
        "edit claims",
        "write the claims yourself; every further check searches and judges by yours",
        DECIDE,
        6,
    ),
    KeyAction(
        "verdict",
        "C",
        "C",
        "your verdict",
        "your own verdict on the idea: close match; partial; not close; none",
        DECIDE,
        7,
    ),
    *VIEW_ACTIONS,
)
STATUS = {"stale": "STALE: the idea has changed", "upstream": "input stale"}


class NoveltyScreen(TableScreen):
    """Gives the name of an action of the workbench to go on with (``verify``), or None."""

    PLACE = "novelty"
    ACTIONS = NOVELTY_ACTIONS
    NAMES = (
        "[1] Papers, close ones first   claims: = same ~ overlaps / differs . none",
        "[2] Paper",
    )
    HEAD = False
    GOES_ON = frozenset({"verify", "against"})
    CHANGES = frozenset({"judge", "bad", "paper_note", "claims", "verdict"})
    ON_ROW, NO_ROW = frozenset({"judge", "bad", "read", "paper_note"}), "there is no paper"
    EMPTY = (
        "Nothing was found that could be compared. That says nothing about how new the idea may be."
    )

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller, f"{branch}/nov")
        self.branch = branch

    def heading(self) -> tuple[str, str]:
        state, kind = self.session.state, self.session.core.methods.kind(self.address)
        report = state.in_use(self.address)
        if report is None or kind is None:
            return f"Novelty of {self.branch}/idea", "no report yet"
        own = state.own_verdict(self.branch)
        yours = f"   yours: {own}" if own else ""
        status = STATUS.get(self.session.core.freshness(self.address).status, "up to date")
        failed = "last check failed   " if self.session.queries.failed_check(self.address) else ""
        found = kind.caption_of(state, report)
        return f"Novelty of {self.branch}/idea   {found}{yours}", f"{failed}{status}"

    def off_read(self) -> str:
        return "" if self.paper is not None else "there is no record of this paper"

    def off_bad(self) -> str:
        cases = self.session.state.bad.get(self.branch, ())
        paper = self.chosen.paper if self.chosen is not None else ""
        return "it is marked already" if any(case.paper == paper for case in cases) else ""

    async def do_judge(self) -> None:
        paper = self.here.paper
        chosen = _after(JUDGEMENTS, self.session.state.judged.get((self.branch, paper), ""))
        await self.controller.decide(
            lambda: self.session.decide(
                "judge", f"{self.branch}/nov", {"paper": paper, "judgement": chosen}
            )
        )
        self.done(
            f"Your judgement: {chosen or 'none'}. The export has it beside the report's verdict; u undoes it."
        )

    async def do_bad(self) -> None:
        paper = self.here.paper
        marked = f"Marked as prior art to avoid: the next draft must differ from it. {self.branch}/idea is stale now; u undoes it."
        await self.change(
            self.address,
            "Mark it as prior art to avoid?",
            lambda s: s.decide("tick", f"{self.branch}/nov", paper),
            lambda _: self.done(marked),
        )

    def do_claims(self) -> None:
        from coi_tui.screens.texts.edit_screen import EditScreen

        address, session = f"{self.branch}/claims", self.session
        started = session.state.in_use(address) or session.edits.draft(address)
        start = None if started else session.edits.claims_as_text(self.branch)
        self.app.push_screen(EditScreen(self.controller, address, start=start), self.done)

    async def do_verdict(self) -> None:
        chosen = _after(CLOSENESS, self.session.state.own_verdict(self.branch))
        await self.controller.decide(
            lambda: self.session.decide("judge", f"{self.branch}/nov", {"judgement": chosen})
        )
        self.done(
            f"Your verdict on the idea: {chosen or 'none'}. Further checks keep it; u undoes it."
        )

    def do_paper_note(self) -> None:
        paper, title = self.here.paper, str(self.here.cells[-1])
        note = self.session.state.judged_notes.get((self.branch, paper), "")

        async def noted(text: str | None) -> None:
            if text is not None:
                await self.controller.decide(
                    lambda: self.session.decide(
                        "judge", f"{self.branch}/nov", {"paper": paper, "note": text}
                    )
                )
                self.done("The note is saved, and exported beside your judgement; u undoes it.")

        self.app.push_screen(NoteSheet(title, note, shared=True), noted)

    def do_read(self) -> None:
        self.read_paper()


def _after(choices: Sequence[str], now: str) -> str:
    """The choice after this one, round and round; the last is none."""
    order = ["", *choices]
    return order[(order.index(now) + 1) % len(order)]
