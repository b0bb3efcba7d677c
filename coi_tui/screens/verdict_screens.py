"""A novelty report, the matches of ideas, a review: what the model said, and what the researcher says
about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import CLOSENESS
from coi_tui.model.document import Table
from coi_tui.model.reviewing import answering, plan_before, ticked_points
from coi_tui.model.state import version_name
from coi_tui.present.cells import BOXES, avoided, interval_bars, match_row, shown_plan
from coi_tui.present.comparisons import (
    CRITERIA,
    JUDGE,
    JUDGEMENTS,
    YOU,
    hidden,
    is_shown,
    left_in_arena,
    pairs,
    rankings,
)
from coi_tui.present.idea_similarity import by_words, in_a_line
from coi_tui.screens.content_screen import TableScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.history_screen import CompareScreen
from coi_tui.screens.lists import About
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.sheets import AskText, Parts
from coi_tui.widgets.key_actions import (
    LIST_ACTIONS,
    UNDO,
    KeyAction,
)

REST = "A"
"""The address of the arena: all matches that are left."""


class ArenaScreen(TableScreen):
    """Gives the match that the model is to judge, ``REST`` for all that are left, or None.

    Voting happens here, on two texts without the names of their methods.
    """

    PLACE = "arena"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = (
        KeyAction(
            "vote_left", "left", "left is better", "vote for the left idea on this criterion", 1
        ),
        KeyAction("vote_right", "right", "right", "vote for the right idea on this criterion", 2),
        KeyAction("vote_tie", "0", "tie", "vote for a tie on this criterion", 3),
        KeyAction("next_criterion", "space", "criterion", "the next criterion", 4),
        KeyAction("model", "M", "judge's view", "show the judge's view before you have voted", 5),
        KeyAction("compare", "enter,d", "both texts", "both ideas side by side (also d)", 8),
        KeyAction(
            "judge",
            "J",
            "model judges",
            "let the model judge this match in both orders (a plan first)",
        ),
        KeyAction(
            "judge_rest",
            "w",
            "judge the rest",
            "let the model judge the matches that are left, of all ideas (a plan first)",
        ),
        UNDO,
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Matches", "[2] Judgement")
    CHANGES = frozenset({"vote_left", "vote_right", "vote_tie", "model", "judge", "judge_rest"})
    ON_ROW = (CHANGES - {"judge_rest"}) | {"next_criterion", "compare"}
    NO_ROW = "there is no match"
    EMPTY = "No matches yet. Tag two ideas with t, then = opens their match; w judges them all."

    criterion = 0
    alike = ""

    def __init__(self, controller: SessionController, address: str = "") -> None:
        super().__init__(controller, REST)
        self.begin = address

    def on_mount(self) -> None:
        self.replace_worker(self._measure, "similarity")

    async def _measure(self) -> None:
        """How alike the ideas are, by words first."""
        if words := await asyncio.to_thread(by_words, self.state):
            self.alike = in_a_line([words])
            self.show_about()
        self.alike = in_a_line(await self.session.measured_similarity())
        self.show_about()

    def take(self) -> None:
        state = self.state
        here = {self.begin} if self.begin and cell_ref(self.begin).kind == "match" else set()
        matches = sorted({*pairs(state), *here})
        self.table = Table(("your votes", "match"), tuple(match_row(state, a) for a in matches))
        self.items = self.table.rows

    def first(self) -> int:
        return self.place_of(self.begin) or 0

    def heading(self) -> tuple[str, str]:
        state = self.state
        points = {ranking.by: ranking.points for ranking in rankings(state)}
        none = "hidden until you have voted or press M" if hidden(state) else "no matches yet"
        you, judge = points.get(YOU, "no points yet"), points.get(JUDGE, none)
        return f"Arena   you: {you}", f"judge: {judge}"

    def about(self, at: int) -> About:
        row = self.items[at]
        vote = ("", f"Next vote: {CRITERIA[self.criterion]} (Space: another)\n{self.alike}")
        shown = self.read(self.session.document(row.key))
        key = f"{row.key} {is_shown(self.state, row.key)}"
        return key, row.cells[-1], [vote, *shown, *self.read(interval_bars(self.state))]

    def about_none(self) -> Parts:
        return [*super().about_none(), ("", self.alike)]

    # -- actions

    def off_model(self) -> str:
        if self.state.in_use(self.here.key) is None:
            return "nobody but you has judged this match yet"
        return "it is already shown" if is_shown(self.state, self.here.key) else ""

    def off_judge_rest(self) -> str:
        return "" if left_in_arena(self.state) else "no match is left to be judged"

    async def _vote(self, side: str, winner: Branch) -> None:
        address, name = self.here.key, CRITERIA[self.criterion]
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        await self.commit(
            lambda s: s.decide("vote", address, {"criteria": [name], "winner": winner}),
            f"Your vote on {name}: {side}. Next: {CRITERIA[self.criterion]}. u undoes it.",
        )

    async def do_vote_left(self) -> None:
        await self._vote("left", cell_ref(self.here.key).branch)

    async def do_vote_right(self) -> None:
        await self._vote("right", cell_ref(self.here.key).rival)

    async def do_vote_tie(self) -> None:
        await self._vote("tie", 0)

    def do_next_criterion(self) -> None:
        self.criterion = (self.criterion + 1) % len(CRITERIA)
        self.show_about()

    async def do_model(self) -> None:
        address = self.here.key
        await self.commit(lambda s: s.decide("show_match", address))

    def do_judge_rest(self) -> None:
        self.dismiss(REST)

    def do_compare(self) -> None:
        """The two ideas side by side."""
        address = self.here.key
        at = cell_ref(address)
        left, right = cell_at(at.branch, "idea"), cell_at(at.rival, "idea")
        self.app.push_screen(
            CompareScreen(self.controller, left, right, blind=not is_shown(self.state, address))
        )

    def do_judge(self) -> None:
        self.dismiss(self.here.key)


NOVELTY_STATUS = {"stale": "STALE: the idea has changed", "upstream": "input stale"}


class NoveltyScreen(TableScreen):
    """Gives the name of an action of the workbench to go on with (``verify``), or None."""

    PLACE = "novelty"
    ACTIONS = (
        KeyAction(
            "judge",
            "c",
            "your judgement",
            "cycles through: same idea; overlaps, differs; unrelated; none",
            1,
        ),
        KeyAction("verify", "v", "check again", "search again and judge (a plan first)", 2),
        KeyAction(
            "against",
            "P",
            "search against",
            "search for the strongest prior work: the idea done already (a plan first)",
            3,
        ),
        KeyAction(
            "bad",
            "B",
            "prior art to avoid",
            "prior art to avoid (a bad case): the next draft must differ from it",
            3,
        ),
        KeyAction("read", "enter,o", "read", "read what there is of this paper (also o)", 4),
        KeyAction(
            "paper_note",
            "n",
            "your note",
            "a note with your judgement of this paper; exported, seen by no model",
            6,
        ),
        KeyAction(
            "claims",
            "e",
            "edit claims",
            "write the claims yourself; every further check searches and judges by yours",
            6,
        ),
        KeyAction(
            "verdict",
            "C",
            "your verdict",
            "your own verdict on the idea: close match; partial; not close; none",
            7,
        ),
        UNDO,
        *LIST_ACTIONS,
    )
    NAMES = (
        "[1] Papers, close ones first   claims: = same ~ overlaps / differs . none",
        "[2] Paper",
    )
    HEAD = False
    GOES_ON = frozenset({"verify", "against"})
    CHANGES = frozenset({"judge", "bad", "paper_note", "claims", "verdict"})
    ON_ROW, NO_ROW = frozenset({"judge", "bad", "read", "paper_note"}), "there is no paper"
    EMPTY = (
        "No paper was found that says anything of a claim. That says nothing about how new the idea "
        "may be."
    )

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller, cell_at(branch, "nov"))
        self.branch = branch

    def heading(self) -> tuple[str, str]:
        state, kind = self.state, self.session.methods.kind(self.address)
        report = state.in_use(self.address)
        if report is None:
            return f"Novelty of {self.branch}/idea", "no report yet"
        own = state.own_verdict(self.branch)
        yours = f"   yours: {own}" if own else ""
        status = NOVELTY_STATUS.get(self.session.freshness(self.address).status, "up to date")
        failed = "last check failed   " if self.session.failed_check(self.address) else ""
        found = kind.caption_of(state, report)
        return f"Novelty of {self.branch}/idea   {found}{yours}", f"{failed}{status}"

    def off_read(self) -> str:
        return "" if self.paper is not None else "there is no record of this paper"

    def off_bad(self) -> str:
        paper = self.chosen.paper if self.chosen is not None else ""
        marked = paper in avoided(self.state, self.branch)
        return "it is marked already" if marked else ""

    async def _judge(self, value: Mapping[str, str], message: str) -> None:
        """Say something about a paper of the report, or about the idea."""
        await self.commit(lambda s: s.decide("judge", self.address, value), message)

    async def do_judge(self) -> None:
        paper = self.here.paper
        chosen = _after(JUDGEMENTS, self.state.judged.get((self.branch, paper), ""))
        await self._judge(
            {"paper": paper, "judgement": chosen},
            f"Your judgement: {chosen or 'none'}. The export has it with the report's verdict; u undoes it.",
        )

    async def do_bad(self) -> None:
        paper = self.here.paper
        await self.change(
            self.address,
            "Mark it as prior art to avoid?",
            lambda s: s.decide("tick", self.address, paper),
            f"Marked as prior art to avoid: the next draft must differ from it. {self.branch}/idea is stale now; u undoes it.",
        )

    def do_claims(self) -> None:
        address, session = cell_at(self.branch, "claims"), self.session
        started = session.state.in_use(address) or session.edits.draft(address)
        start = None if started else session.edits.claims_as_text(self.branch)
        self.ask(EditScreen(self.controller, address, start=start), self.done)

    async def do_verdict(self) -> None:
        chosen = _after(CLOSENESS, self.state.own_verdict(self.branch))
        await self._judge(
            {"judgement": chosen},
            f"Your verdict on the idea: {chosen or 'none'}. Further checks keep it; u undoes it.",
        )

    def do_paper_note(self) -> None:
        paper = self.here.paper
        sheet = AskText(
            f"Note on {self.here.cells[-1]}",
            "Enter saves it; an empty line removes the note.",
            "save",
            hint="what a reader of the proposal should know",
            aside="exported, not sent to a model",
            value=self.state.judged_notes.get((self.branch, paper), ""),
        )
        done = "The note is saved, and exported with your judgement; u undoes it."
        self.ask(sheet, lambda text: self._judge({"paper": paper, "note": text}, done))

    do_read = TableScreen.do_open


def _after(choices: Sequence[str], now: str) -> str:
    """The choice after this one, round and round; the last is none."""
    order = ["", *choices]
    return order[(order.index(now) + 1) % len(order)]


STATUS = {"stale": "STALE", "upstream": "input stale"}
NOTHING_ADDED = "Nothing was added."


class ReviewScreen(TableScreen):
    """Gives the name of an action of the workbench to go on with (``review``, ``refine``), or
    None."""

    PLACE = "review"
    CSS_PATH = "few_rows.tcss"
    ACTIONS = (
        KeyAction("tick", "space", "tick", "tick or untick this point", 1),
        KeyAction("dismiss", "x", "dismiss", "dismiss this point, with a reason", 2),
        KeyAction(
            "refine", "F", "refine", "refine the plan with the ticked points (a plan first)", 3
        ),
        KeyAction("review", "V", "review", "review the plan in use (a plan first)", 4),
        KeyAction(
            "use",
            "a",
            "use",
            "use the version of the plan that is shown; it then stays in use",
            4,
        ),
        KeyAction(
            "add", "plus", "own point", "add a point of your own; it counts like the reviewer's", 5
        ),
        UNDO,
        *LIST_ACTIONS,
    )
    NAMES = (
        "[1] Review points   only ticked ones are sent",
        "[2] Point and plan   + added  - removed",
    )
    HEAD = False
    GOES_ON = frozenset({"review", "refine"})
    CHANGES = frozenset({"tick", "dismiss", "add", "use"})
    ON_ROW, NO_ROW = frozenset({"tick", "dismiss"}), "there is no point"
    MARKED = False  # "-" before a sentence says that it was removed
    EMPTY = "No review points. V asks for a review; one without points needs no answer."

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller, cell_at(branch, "review"))
        self.branch, self.plan = branch, cell_at(branch, "exp")

    def heading(self) -> tuple[str, str]:
        state, shown = self.state, shown_plan(self.state, self.branch)
        if shown is None:
            return f"Plan {self.plan}", "no plan yet"
        before, one = plan_before(state, shown), answering(state, self.branch)
        against = f"{version_name(state, self.plan, before.seq)} -> " if before else ""
        which = "" if shown == state.in_use(self.plan) else " (not in use)"
        status = STATUS.get(self.session.freshness(self.plan).status, "")
        ticked = len(ticked_points(state, self.branch, one.review)) if one else 0
        sent = f"{ticked} of {len(self.items)} ticked" if self.items else ""
        name = version_name(state, self.plan, shown.seq)
        return f"Plan {self.plan} {against}{name}{which}", "   ".join(filter(None, (status, sent)))

    def off_add(self) -> str:
        reviewed = self.state.in_use(self.address) is not None
        return "" if reviewed else "there is no review yet; V makes one"

    def off_use(self) -> str:
        shown = shown_plan(self.state, self.branch)
        if shown is None:
            return "there is no plan yet"
        return "it is already in use" if shown == self.state.in_use(self.plan) else ""

    async def do_tick(self) -> None:
        number, ticked = int(self.here.key), self.here.cells[0] == BOXES["ticked"]
        await self.commit(lambda s: s.decide("untick" if ticked else "tick", self.address, number))

    def do_dismiss(self) -> None:
        number = int(self.here.key)

        async def dismissed(reason: str) -> None:
            await self.commit(
                lambda s: s.decide("dismiss", self.address, number, reason=reason),
                f"Point {number} is dismissed{f': {reason}' if reason else ''}.",
            )

        sheet = AskText(
            f"Dismiss point {number}",
            "It is not sent when the plan is refined, and stays in the review with your reason. u undoes it.",
            "dismiss",
            hint="reason (optional)",
        )
        self.ask(sheet, dismissed, "Nothing was dismissed.")

    def do_add(self) -> None:
        async def added(text: str) -> None:
            if not text:
                self.say(NOTHING_ADDED)
                return
            made = await self.controller.decide(
                lambda: self.session.decide("add", self.address, text)
            )
            number = made.value["point"]["n"]
            self.done(f"Your point is number {number}, and ticked; u takes it away.")
            self.fill(self.place_of(str(number)))

        sheet = AskText(
            f"Your own point on {self.plan}",
            "It is ticked, and sent like the reviewer's points that are. Begin with “metrics:” to say which part it is about.",
            "add",
            hint="what is to be changed in the plan",
        )
        self.ask(sheet, added, NOTHING_ADDED)

    async def do_use(self) -> None:
        shown = shown_plan(self.state, self.branch)
        assert shown is not None
        name = version_name(self.state, self.plan, shown.seq)
        await self.change(
            self.plan,
            f"Use plan {name}?",
            lambda s: s.decide("use", self.plan, shown.seq),
            f"Plan {name} is in use and stays so; u undoes it.",
        )
