"""The contest of a suite: its sessions side by side over one set of services, their texts in equal
length, and judges who read each pair in both orders.

Everything is in the folder beside SUITE.toml: ``sessions``, ``texts``, ``judgements.jsonl``, the votes
of people, and ``calls`` with what judges and the writer of the texts answered, so that nothing is paid
for twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.engine.budget import Budget
from coi_tui.engine.declarations import Cost
from coi_tui.engine.journal import utc_now
from coi_tui.engine.recorder import Event, Listener, silent
from coi_tui.methods.base.replies import ExperimentMatch, MatchReply, Retold
from coi_tui.methods.services import ServiceSet
from coi_tui.model.errors import BudgetStop, CoiError, UsageError
from coi_tui.model.money import Limit
from coi_tui.model.text import clean, digest
from coi_tui.paths import Paths, make_folder, write_whole
from coi_tui.services.llm.chat import ChatModel
from coi_tui.session.files import slug
from coi_tui.session.runs.plans import PlanLine, cost_of, price_of
from coi_tui.session.service_setup import open_services
from coi_tui.session.settings import setup_of
from coi_tui.session.suite.asking import Asker, client_of, open_asker
from coi_tui.session.suite.definition import Contestant, Judge
from coi_tui.session.suite.inventory import Inventory
from coi_tui.session.suite.record import Question, Text, append_judgements
from coi_tui.session.suite.sessions import Sessions
from coi_tui.session.suite.texts import Entry, llm_of

WORD_TOKENS = 1.5
"""Tokens of a word, for the estimate of a price."""


class Contest(Inventory):
    """What completes a suite. ``model`` answers in place of the language model, and ``clients`` by
    the name of a judge or contestant in place of those of the suite (tests bring their own)."""

    def __init__(
        self,
        file: Path,
        paths: Paths,
        settings: Settings,
        keys: Keys,
        *,
        model: ChatModel | None = None,
        clients: Mapping[str, ChatModel] | None = None,
    ) -> None:
        super().__init__(file, paths, settings, model.model_for("main") if model else "")
        self.clients = clients or {}
        self.sessions = Sessions(self.paths, self.settings, keys, self.suite.stage, model)
        self.failed: dict[str, str] = {}
        """What could not be made or judged, with the cause; the next start tries it again."""
        self.stop: BudgetStop | None = None
        """Why nothing more was asked."""
        self.interrupted = False

    def plan(self) -> list[PlanLine]:
        """What is left to do, with calls and price. It makes the sessions that are missing, empty.
        Raises UsageError without a language model."""
        if (
            self.sessions.model is None
            and not setup_of(self.settings, self.sessions.keys, False).online_model
        ):
            raise UsageError(
                "A suite needs a language model, and none is set up.",
                "Set OPENAI_API_KEY or OPENAI_BASE_URL.",
            )
        suite, lines = self.suite, list[PlanLine]()
        due = [
            entry for entry in self.entries if entry.source and not self.text_file(entry).exists()
        ]
        for one in suite.contestant:
            own = [entry for entry in due if entry.contestant is one]
            steps = list[PlanLine]()
            for entry in own if one.method else ():
                with self.sessions.of(entry) as session:
                    steps += session.planner.to_stage(suite.stage).on
            if steps:
                cost = sum((line.cost for line in steps), Cost())
                what = f"{one.name} to {suite.stage}"
                lines.append(
                    PlanLine(what, f"topics and repeats: {len(own)}", cost, cost_of(steps))
                )
        if due:
            words = round(suite.words * WORD_TOKENS)
            cost = Cost("main", (1, 1), (400, 2_500), (words // 2, words)).times(len(due), len(due))
            url = self.settings.llm.base_url
            what = f"texts in {suite.words} words"
            lines.append(
                self._priced(what, "no judge may see length or form", cost, self.writer, url)
            )
        known = (e for e in self.entries if e.source)
        every = 2 * len(
            self.pairs_of(Text(e.topic, e.repeat, e.contestant.name, "") for e in known)
        )
        lacking = every - len(self.questions())
        best, why = suite.best, "every pair, in both orders"
        if best:
            why = f"pairs that decide who the best {best} are, at most half of all"
        for judge in self.models:
            now = len(self.left(judge))
            least, left = (now, max(now, every // 2)) if best else (now + lacking, now + lacking)
            both = round(2 * suite.words * WORD_TOKENS)
            cost = Cost("main", (1, 1), (400 + both // 2, 400 + both), (150, 400)).times(
                least, left
            )
            if now or lacking:
                lines.append(self._priced(judge.name, why, cost, judge.model, self.url(judge)))
        return lines

    def _priced(self, what: str, why: str, cost: Cost, model: str, url: str) -> PlanLine:
        return PlanLine(what, why, cost, price_of(cost, model, self.settings.llm.prices, url))

    async def run(self, listen: Listener = silent) -> None:
        """Make what is missing and have it judged. Raises UsageError without the key of a judge."""
        llm = self.settings.llm
        spent = self.spent()
        cap = Limit(self.suite.budget_usd).less(spent.usd, 0)
        of_settings = Limit(self.settings.budget_usd, self.settings.budget_tokens)
        budget = Budget(cap.usd, left=of_settings.less(spent.usd, 0))
        make_folder(self.folder / "texts")

        def waits(text: str) -> None:
            listen(Event("note", text=text))

        async with contextlib.AsyncExitStack() as stack:
            clients = {
                one.name: self.clients.get(one.name)
                or client_of(one, llm, self.sessions.keys.llm, waits)
                for one in (*self.models, *self.suite.contestant)
                if one.model
            }
            for client in clients.values():
                stack.push_async_callback(client.aclose)
            async with open_services(
                self.settings,
                self.sessions.keys,
                self.paths,
                offline=False,
                today=lambda: utc_now()[:10],
                known_until=self.suite.known_until,
                on_wait=waits,
                model=self.sessions.model,
            ) as tools:

                def with_model(one: Contestant) -> ServiceSet:
                    if not one.model:
                        return tools
                    return replace(tools, model=clients[one.name], settings=llm_of(one, llm))

                name = f"writer-{digest([self.writer, llm.base_url])[:8]}"
                async with open_asker(self.sessions, name, tools.model, llm, budget) as writer:
                    places = asyncio.Semaphore(self.suite.at_once)
                    todo = [e for e in self.entries if not self.text_file(e).exists()]
                    made = itertools.count(len(self.entries) - len(todo) + 1)
                    steps = (
                        self._make(
                            e, with_model(e.contestant), writer, places, made, budget, listen
                        )
                        for e in todo
                    )
                    await asyncio.gather(*steps)
            at = {self.url(j): asyncio.Semaphore(llm.parallel) for j in self.models}
            await asyncio.gather(
                *(
                    self._judge(judge, clients[judge.name], at[self.url(judge)], budget, listen)
                    for judge in self.models
                )
            )

    def end(self) -> None:
        """Ask nothing more; what is being answered comes to its end."""
        self.interrupted = True
        for session in self.sessions.running:
            session.runs.stop()

    async def _make(
        self,
        entry: Entry,
        tools: ServiceSet,
        writer: Asker,
        places: asyncio.Semaphore,
        made: Iterator[int],
        budget: Budget,
        listen: Listener,
    ) -> None:
        """The text of one entry, from its session or its file. ``made`` counts those there are."""
        async with places:
            if self.stop or self.interrupted:
                return
            try:
                method = entry.contestant.method
                text = await self.sessions.text(entry, tools, budget) if method else entry.source
                if text:
                    values = {"text": text, "words": self.suite.words}
                    retold = await writer.ask(self.told_by, values, Retold)
                    write_whole(self.text_file(entry), clean(retold.text))
                    done = f"{entry.name} ({next(made)} of {len(self.entries)})"
                    listen(Event("step done", "text", done))
                elif not method:
                    folder = entry.contestant.texts
                    self._fail(entry.name, f"{folder} has no text of that number.", listen)
            except BudgetStop as stop:
                self.stop = stop
            except (CoiError, OSError) as error:
                self._fail(entry.name, str(error), listen)

    def _fail(self, what: str, cause: str, listen: Listener) -> None:
        self.failed[what] = cause
        listen(Event("step failed", "", what, cause))

    async def _judge(
        self,
        judge: Judge,
        client: ChatModel,
        places: asyncio.Semaphore,
        budget: Budget,
        listen: Listener,
    ) -> None:
        """Every question that a judge has not answered yet; in a search for the best, those that
        follow from the answers as well."""
        own, left, done = self.judge_id(judge), self.left(judge), 0
        form = MatchReply if self.suite.judged == "ideas" else ExperimentMatch
        name = f"{slug(judge.name, 24)}-{digest(own[:3])[:8]}"

        async def answer(question: Question) -> bool:
            nonlocal done
            one, other = question.first, question.second
            values = {"topic": one.topic, "first": one.text, "second": other.text}
            async with places:
                if self.stop or self.interrupted:
                    return False
                try:
                    reply = await asker.ask(self.judged_by, values, form)
                    said = ((name, getattr(reply, name).better) for name in self.criteria)
                    judged = [question.judged(judge.name, name, better) for name, better in said]
                    append_judgements(self.judgements, question.key(own), judged)
                except BudgetStop as stop:
                    self.stop = stop
                    return False
                except (CoiError, OSError) as error:
                    what = f"{judge.name} on {one.contestant} and {other.contestant}, {one.topic}"
                    self._fail(what, str(error), listen)
                    return False
            done += 1
            if done % max(1, len(left) // 20) == 0:
                listen(Event("step done", "match", f"{judge.name} ({done} of {len(left)})"))
            return True

        async with open_asker(
            self.sessions, name, client, llm_of(judge, self.settings.llm), budget
        ) as asker:
            while left and all(await asyncio.gather(*map(answer, left))):
                left, done = self.left(judge), 0
