"""Runs and cost: what was spent and on what, every job, and every call with its prompt and its raw answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from textual.content import Content

from coi_tui.model.calls import Call
from coi_tui.model.errors import CoiError
from coi_tui.model.money import ASKING, UNKNOWN, Limit, dollars
from coi_tui.model.text import clean, clean_line
from coi_tui.model.wording import count
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import LineSheet
from coi_tui.session.queries import costs
from coi_tui.widgets.formatting import column, cut, ends, fit
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, RUN, KeyAction, line_actions

LONGEST = 40_000
"""Signs of a prompt or an answer that are shown."""


COST_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "read",
        "go to the text: totals, a job, or a call's prompt and raw answer",
        DECIDE,
        1,
    ),
    KeyAction("stop", "S", "S", "stop", "stop after the current call; again: stop now", RUN, 2),
    KeyAction("cap", "b", "b", "budget", "set the most that this session may spend", DECIDE, 3),
    KeyAction("copy", "y", "y", "copy", "copy the text below", RUN, 4),
    *LIST_ACTIONS,
    KeyAction(
        "cancel", "escape,q,dollar_sign", "Esc", "back", "back; nothing is changed", DECIDE, 9
    ),
)


CAP_ACTIONS = line_actions(
    "set", "set the cap; an empty line removes it", "the cap stays as it was"
)


class CapSheet(LineSheet):
    """Gives the amount as it was typed, or None."""

    PLACE = "cap"
    ACTIONS = CAP_ACTIONS
    HINT = "dollars, for example 5, or tokens, for example 200k tokens; leave empty for no cap"


Row = tuple[Literal["sums", "job", "call"], int]


class CostScreen(Listing[None, Row]):
    """The first row holds the sums, then come the jobs and the calls, newest first."""

    PLACE = "cost"
    ACTIONS = COST_ACTIONS
    NAMES = ("[1] Spent, jobs, calls   newest first", "[2] Detail")

    def __init__(self, controller: SessionController) -> None:
        super().__init__(controller)
        self.calls: dict[int, Call] = {}
        self.jobs: dict[int, costs.JobSum] = {}
        self._version, self._addresses = -1, 0

    def keys(self) -> Sequence[str]:
        return [f"{kind} {number}" for kind, number in self.items]

    def take(self) -> None:
        found = self.session.core.file.calls()
        job = self.controller.job
        self._version = job.version if job else -1
        events = self.session.core.file.job_events()
        running = max((e.job for e in events), default=0) if self.controller.busy else 0
        self.calls = {c.id: c for c in found}
        self._addresses = column((c.address for c in found), 10, 18)
        self.jobs = {j.number: j for j in costs.jobs(events, found, running)}
        self.items = [
            ("sums", 0),
            *(("job", n) for n in self.jobs),
            *(("call", n) for n in sorted(self.calls, reverse=True)),
        ]

    @property
    def moved(self) -> bool:
        job = self.controller.job
        return super().moved or (job is not None and job.version != self._version)

    def heading(self) -> tuple[str, str]:
        states = [j.state for j in self.jobs.values()]
        counts = ((s, states.count(s)) for s in ("running", "waiting", "stopped", "failed"))
        return "Runs and cost", "  ".join(
            [*(f"{n} {state}" for state, n in counts if n), self._of_cap()]
        )

    def _of_cap(self) -> str:
        spent, cap = self.session.core.spent(), self.session.core.cap()
        told = [f"{spent.money} of {dollars(cap.usd)}"] if cap.usd is not None else []
        told += [f"{spent.tokens:,} of {cap.tokens:,} tokens"] if cap.tokens is not None else []
        return ", ".join(told) or f"{spent}, no cap"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [self._row(kind, number, width) for kind, number in self.items]

    def _row(self, kind: str, number: int, width: int) -> Content:
        if kind == "sums":
            return Content.styled(ends("Total", self._of_cap(), width), "bold")
        if kind == "job":
            j = self.jobs[number]
            time = f"{j.seconds:.0f} s" if j.seconds is not None else "-"
            right = f"{j.state:8} {count(j.steps, 'step'):>9} {time:>7} {j.spent!s:>8}"
            return Content(ends(f"job {number}  {j.title}", right, width))
        c = self.calls[number]
        cached = f" ({c.cached_tokens} cached)" if c.cached_tokens else ""
        right = (
            f"{c.prompt_tokens} in{cached}  {c.completion_tokens} out  " if c.kind == "chat" else ""
        )
        cost = (
            dollars(c.cost_usd) if c.cost_usd is not None else UNKNOWN if c.kind in ASKING else "-"
        )
        where = fit(c.address, self._addresses)
        left = f"  {c.started[11:19]}  {where} {c.prompt or c.kind}  {clean_line(c.model_served or c.model_asked)}"
        return Content(cut(ends(left, f"{right}{c.seconds:.1f} s  {cost}", width), width))

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        kind, number = self.items[at]
        if kind == "sums":
            return "sums", "Spent in this session", self._sums()
        if kind == "job":
            return (
                f"job {number}",
                f"Job {number}: {self.jobs[number].title}",
                self._job(self.jobs[number]),
            )
        return f"call {number}", f"Call {number}", self._call(number)

    def _sums(self) -> list[tuple[str, str]]:
        calls = list(self.calls.values())
        spent, cap = self.session.core.spent(), self.session.core.cap()
        if not cap:
            budget = f"No cap is set; {spent}. b sets one for this session."
        else:
            used = [(spent.money.usd, cap.usd), (spent.tokens, cap.tokens)]
            share = max(part / whole if whole else 1.0 for part, whole in used if whole is not None)
            stops = f"A job stops before a call whose upper estimate would exceed {cap}."
            budget = f"{costs.bar(share, 20)} {share:.0%}: {self._of_cap()}\n{stops}"
        error = costs.estimate_error(list(self.jobs.values()))
        off = (
            f"The actual cost was {error[0]:.1f} to {error[1]:.1f} times the expected cost."
            if error
            else ""
        )
        return [
            p
            for p in (
                ("BUDGET", budget),
                ("BY STAGE", costs.stage_table(costs.by_stage(calls))),
                ("COST OVER TIME", costs.over_time(calls, 40)),
                ("ESTIMATES SO FAR", off or "No job with a price has ended yet."),
            )
            if p[1]
        ]

    def _job(self, j: costs.JobSum) -> list[tuple[str, str]]:
        estimate = (
            f"{dollars(j.estimate[0])} to {dollars(j.estimate[1])}" if j.estimate else UNKNOWN
        )
        own = [c for c in self.calls.values() if c.job == j.number]
        lines = [
            f"State     {j.state}",
            f"Estimate  {estimate}",
            f"Spent     {j.spent}, {count(len(own), 'call')} and searches",
        ]
        return [
            ("", "\n".join(lines)),
            *([("NOTE", j.note)] if j.note else []),
            ("BY STAGE", costs.stage_table(costs.by_stage(own))),
        ]

    def _call(self, number: int) -> list[tuple[str, str]]:
        call = self.session.core.file.call(number)
        if call is None:
            return [("", "This call is not in the session any more.")]
        cost = (
            dollars(call.cost_usd)
            if call.cost_usd is not None
            else UNKNOWN
            if call.kind in ASKING
            else ""
        )
        tokens = f"{call.prompt_tokens} tokens in{f', {call.cached_tokens} of them cached' if call.cached_tokens else ''}"
        about = f"{call.started}   {call.seconds:.1f} s   {tokens}, {call.completion_tokens} out   {cost}"
        if call.kind != "chat":
            return [
                ("", about),
                ("REQUEST", _pretty(call.request)),
                ("RAW ANSWER", _pretty(call.reply)),
            ]
        if call.reply.get("usage_estimated"):
            about += "   tokens estimated: the server reported none"
        system, user = str(call.request.get("system", "")), str(call.request.get("user", ""))
        return [
            ("", about),
            ("RAW ANSWER", _cut(str(call.reply.get("text", "")))),
            *(
                [("RAW THINKING", _cut(str(call.reply["thinking"])))]
                if call.reply.get("thinking")
                else []
            ),
            ("SYSTEM PROMPT", _cut(system)),
            ("USER PROMPT", _cut(user)),
        ]

    # -- actions --------------------------------------------------------------------------------------------------

    def off_stop(self) -> str:
        return "" if self.controller.busy else "no job is running"

    def off_cap(self) -> str:
        return self.controller.not_writable()

    def do_choose(self) -> None:
        self.about_pane.focus()

    def do_stop(self) -> None:
        self.say(self.controller.stop())

    def do_copy(self) -> None:
        self.app.copy_to_clipboard(self.about_pane.text)
        self.say("The text below is copied.")

    def do_cap(self) -> None:
        spent = self.session.core.spent()
        effect = f"Spent so far: {spent.money}, {spent.tokens:,} tokens. A running job keeps the cap it started with."
        sheet = CapSheet(
            "Budget of this session, in dollars or tokens",
            effect,
            value=self.session.core.own_cap().typed,
        )
        self.app.push_screen(sheet, self._cap)

    async def _cap(self, text: str | None) -> None:
        if text is None:
            return
        try:
            cap = Limit.read(text)
            await self.controller.decide(lambda: self.session.decisions.set_cap(cap))
        except CoiError as error:
            self.trouble(error)
            return
        self.load()
        self.say(f"The cap is {cap}." if cap else "This session has no cap of its own any more.")


def _pretty(value: object) -> str:
    return _cut(json.dumps(value, ensure_ascii=False, indent=1, default=str))


def _cut(text: str) -> str:
    shown = clean(text)
    return (
        shown
        if len(shown) <= LONGEST
        else f"{shown[:LONGEST]}\n... {len(shown) - LONGEST} more characters are kept in the session"
    )
