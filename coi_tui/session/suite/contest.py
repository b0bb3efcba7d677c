"""The contest of a suite: its sessions side by side over one set of services, their texts in equal
length, and judges who read each pair in both orders.

Everything is in the folder beside SUITE.toml: ``sessions``, ``texts``, ``judgements.jsonl``, the votes
of people, and ``calls`` with what judges and the writer of the texts answered, so that nothing is paid
for twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from pathlib import Path

from coi_tui.engine.budget import Budget
from coi_tui.engine.declarations import Cost
from coi_tui.engine.recorder import Event, Listener, silent
from coi_tui.methods.base.reply_models import ExperimentMatch, MatchReply, Retold
from coi_tui.methods.services import ServiceSet
from coi_tui.model.errors import BudgetStop, CoiError, UsageError, in_full
from coi_tui.model.money import Limit
from coi_tui.model.text import clean, digest
from coi_tui.paths import make_folder, write_whole
from coi_tui.services.llm.batches import PRICE, BatchedModel, under_way
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.session.environment import Environment
from coi_tui.session.files import slug
from coi_tui.session.runs.plans import PlanLine, cost_of, price_of
from coi_tui.session.service_setup import open_services
from coi_tui.session.settings import setup_of
from coi_tui.session.suite.asking import Asker, open_asker
from coi_tui.session.suite.definition import Contestant, Judge, Server
from coi_tui.session.suite.inventory import Inventory
from coi_tui.session.suite.record import Question, append_judgements
from coi_tui.session.suite.suite_texts import Entry, Sessions, Unit, llm_of

WORD_TOKENS = 1.5
"""Tokens of a word, for the estimate of a price."""
IN_BATCHES = 100_000
"""Questions that may wait for their batches at once."""


class Progress:
    """Counts what is done of ``all``, and says how long the rest will take at the same pace."""

    def __init__(self, all: int, done: int = 0) -> None:
        self.all, self.done, self.before = all, done, done
        self.began = asyncio.get_running_loop().time()

    def next(self) -> str:
        """One more."""
        self.done += 1
        spent_s = asyncio.get_running_loop().time() - self.began
        left_s = spent_s / (self.done - self.before) * (self.all - self.done)
        return f"{self.done} of {self.all}, {timedelta(seconds=round(left_s))} left"


class Contest(Inventory):
    """What completes a suite. ``clients`` answer by the name of a judge or contestant in place of
    those of the suite (tests bring their own).
    ``batch``: judges are asked in half-price batches."""

    def __init__(
        self,
        file: Path,
        env: Environment,
        *,
        clients: Mapping[str, ChatModel] = {},
        batch: bool = False,
    ) -> None:
        super().__init__(file, env)
        self.clients, self.batch = clients, batch
        self.env = replace(env, paths=self.paths, settings=self.settings)
        self.sessions = Sessions(self.env, self.suite.stage)
        self.failed: dict[str, str] = {}
        """What could not be made or judged, with the cause; the next start tries it again."""
        self.stop: BudgetStop | None = None
        """Why nothing more was asked."""
        self.interrupted = False
        self.batched: list[BatchedModel] = []
        self.listen: Listener = silent
        self.budget = Budget()
        """Of one run."""

    def plan(self) -> list[PlanLine]:
        """What is left to do, with calls and price. It makes the sessions that are missing, empty.
        Raises UsageError without a language model."""
        if (
            self.env.model is None
            and not setup_of(self.settings, self.env.keys, False).online_model
        ):
            raise UsageError(
                "A suite needs a language model, and none is set up.",
                "Set OPENAI_API_KEY or OPENAI_BASE_URL.",
            )
        due = [e for e in self.entries if e.source and not self.text_file(e).exists()]
        lines = [*self._to_make(due)]
        if due:
            words = round(self.suite.words * WORD_TOKENS)
            each = Cost("main", (1, 1), (400, 2_500), (words // 2, words))
            what, why = f"texts in {self.suite.words} words", "no judge may see length or form"
            cost, url = each.times(len(due), len(due)), self.settings.llm.base_url
            lines.append(self._priced(what, why, cost, self.writer, url))
        return [*lines, *self._to_judge()]

    def _to_make(self, due: Sequence[Entry]) -> Iterator[PlanLine]:
        """A line for each contestant whose sessions are not at the stage compared."""
        for one in self.suite.contestant:
            own = [entry for entry in due if entry.contestant is one]
            steps = list[PlanLine]()
            for entry in own if one.method else ():
                with self.sessions.of(entry) as session:
                    steps += session.planner.to_stage(self.suite.stage).on
            if steps:
                cost = sum((line.cost for line in steps), Cost())
                what = f"{one.name} to {self.suite.stage}"
                yield PlanLine(what, f"topics and repeats: {len(own)}", cost, cost_of(steps))

    def _to_judge(self) -> Iterator[PlanLine]:
        """A line for each judge with pairs left."""
        suite, lacking = self.suite, self.lacking()
        every = lacking + len(self.questions())
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
                line = self._priced(judge.name, why, cost, judge.model, self.url(judge))
                if self.batch and line.usd:
                    low, high = line.usd
                    line = replace(line, usd=(low * PRICE, high * PRICE))
                yield line

    def _priced(self, what: str, why: str, cost: Cost, model: str, url: str) -> PlanLine:
        return PlanLine(what, why, cost, price_of(cost, model, self.settings.llm.prices, url))

    def _budget(self) -> Budget:
        """What is left to spend."""
        cap = Limit(self.suite.budget_usd)
        of_settings = Limit(self.settings.budget_usd, self.settings.budget_tokens)
        if cap == of_settings == Limit():
            return Budget()
        spent = self.spent().usd
        return Budget(cap.less(spent, 0).usd, left=of_settings.less(spent, 0))

    @contextlib.asynccontextmanager
    async def _services(self) -> AsyncIterator[ServiceSet]:
        async with open_services(
            self.env,
            offline=False,
            known_until=self.suite.known_until,
            on_wait=self._waits,
        ) as tools:
            # what one session found must not help another: who came first would decide
            yield replace(tools, library=None)

    def _waits(self, text: str) -> None:
        self.listen(Event("note", text=text))

    async def run(self, listen: Listener = silent) -> None:
        """Make what is missing and have it judged. Raises UsageError without the key of a judge, and
        ServiceError where a judge's server takes no batches."""
        llm, self.listen, self.budget = self.settings.llm, listen, self._budget()
        make_folder(self.folder / "texts")
        async with contextlib.AsyncExitStack() as stack:
            clients = dict[str, ChatModel]()
            for one in (*self.models, *self.suite.contestant):
                if one.model:
                    clients[one.name] = client = self._client(one)
                    stack.push_async_callback(client.aclose)
                    if isinstance(client, BatchedModel):
                        await client.check()
                        self.batched.append(client)
            async with self._services() as tools:
                leaders = dict[str, OpenAICompatible]()
                for model in (tools.model, *clients.values()):
                    if isinstance(model, OpenAICompatible):
                        model.leader = leaders.setdefault(model.server.base_url, model)
                name = f"writer-{digest([self.writer, llm.base_url])[:8]}"
                async with open_asker(self.sessions, name, tools.model, llm, self.budget) as writer:
                    places = asyncio.Semaphore(self.suite.at_once)
                    todo = [
                        e
                        for e in sorted(self.entries, key=lambda e: (e.repeat, e.number))
                        if not self.text_file(e).exists() and e.name not in self.failed
                    ]
                    made = Progress(len(self.entries), len(self.entries) - len(todo))
                    making = defaultdict[Unit, list[asyncio.Future[None]]](list)
                    for e in todo:
                        services = self._for(e.contestant, tools, clients)
                        step = self._make(e, services, writer, places, made)
                        making[e.unit].append(asyncio.ensure_future(step))
                    most = IN_BATCHES if self.batch else llm.parallel
                    at = {self.url(j): asyncio.Semaphore(most) for j in self.models}
                    judging = (
                        self._judge(judge, clients[judge.name], at[self.url(judge)], making)
                        for judge in self.models
                    )
                    await asyncio.gather(*chain(*making.values()), *judging)

    def sessions_left(self) -> list[Entry]:
        """Those that are not run as far as the suite wants."""
        found = []
        for entry in self.entries:
            if entry.contestant.method and not self.text_file(entry).exists():
                with self.sessions.of(entry) as session:
                    if not session.planner.to_stage(self.suite.stage).empty:
                        found.append(entry)
        return found

    def _client(self, one: Server) -> ChatModel:
        """The model of a judge or contestant. Raises UsageError where its own key is not set, and where
        a judge is not to be asked in batches while some are under way."""
        if one.name in self.clients:
            return self.clients[one.name]
        key = os.environ.get(one.key_env, "").strip() if one.key_env else ""
        if one.key_env and not key:
            raise UsageError(f"{one.key_env}, the key of {one.name}, is not set.")
        key = key or ("" if one.base_url else self.env.keys.llm or "")
        settings, ledger = llm_of(one, self.settings.llm), None
        if isinstance(one, Judge):
            ledger = self.folder / "calls" / f"{self._calls(one)}.batches.json"
            make_folder(ledger.parent)
        if ledger and self.batch:
            client: OpenAICompatible = BatchedModel(settings, key, ledger)
        elif ledger and under_way(ledger):
            raise UsageError(
                f"Batches of {one.name} are under way, and paid for.",
                f"Go on with --batch, or delete {ledger} to give them up.",
            )
        else:
            client = OpenAICompatible(settings, key)
        client.on_wait = self._waits
        return client

    def _for(
        self, one: Contestant, tools: ServiceSet, clients: Mapping[str, ChatModel]
    ) -> ServiceSet:
        """The services with the model of a contestant."""
        if not one.model:
            return tools
        settings = llm_of(one, self.settings.llm)
        return replace(tools, model=clients[one.name], settings=settings)

    async def make(self, source: str) -> str:
        """Run the session of that name alone; why it failed, or nothing."""
        entry = next((e for e in self.entries if e.source == source), None)
        if entry is None:
            return "The settings of this worker are others: they make no session of that name."
        one, clients = entry.contestant, dict[str, ChatModel]()
        async with contextlib.AsyncExitStack() as stack:
            if one.model:
                clients[one.name] = client = self._client(one)
                stack.push_async_callback(client.aclose)
            tools = await stack.enter_async_context(self._services())
            try:
                await self.sessions.text(entry, self._for(one, tools, clients), self._budget())
            except (CoiError, OSError) as error:
                return in_full(error)
        return ""

    def end(self) -> None:
        """Ask nothing more; what is being answered comes to its end."""
        self.interrupted = True
        for session in self.sessions.running:
            session.runs.stop()
        for client in self.batched:
            client.leave()

    def _calls(self, judge: Judge) -> str:
        """The name of the file with the answers of a judge."""
        return f"{slug(judge.name, 24)}-{digest(self.judge_id(judge)[:3])[:8]}"

    async def _make(
        self,
        entry: Entry,
        tools: ServiceSet,
        writer: Asker,
        places: asyncio.Semaphore,
        made: Progress,
    ) -> None:
        """The text of one entry, from its session or its file. ``made`` counts those there are."""
        async with places:
            if self.stop or self.interrupted:
                return
            try:
                method, text = entry.contestant.method, entry.source
                if method:
                    text = await self.sessions.text(entry, tools, self.budget)
                if text:
                    values = {"text": text, "words": self.suite.words}
                    retold = await writer.ask(self.text_prompt, values, Retold)
                    write_whole(self.text_file(entry), clean(retold.text))
                    self.listen(Event("task done", "text", f"{entry.name} ({made.next()})"))
                elif not method:
                    folder = entry.contestant.texts
                    self.fail(entry.name, f"{folder} has no text of that number.")
            except BudgetStop as stop:
                self.stop = stop
            except (CoiError, OSError) as error:
                self.fail(entry.name, in_full(error))

    def fail(self, what: str, cause: str) -> None:
        """Note what could not be made or judged."""
        self.failed[what] = cause
        self.listen(Event("task failed", "", what, cause))

    async def _judge(
        self,
        judge: Judge,
        client: ChatModel,
        places: asyncio.Semaphore,
        making: Mapping[Unit, Sequence[asyncio.Future[None]]],
    ) -> None:
        """Every question that a judge has not answered yet, once the texts of its topic are made; in a
        search for the best and in batches, once all are. A search asks what follows from the answers
        as well."""
        own, together = self.judge_id(judge), self.batch or self.suite.best
        form = MatchReply if self.suite.judged == "ideas" else ExperimentMatch
        done = Progress(len(self.left(judge)) + (0 if self.suite.best else self.lacking()))

        async def answer(question: Question) -> bool:
            one, other = question.first, question.second
            values = {"topic": one.topic, "first": one.text, "second": other.text}
            async with places:
                if self.stop or self.interrupted:
                    return False
                try:
                    reply = await asker.ask(self.judge_prompt, values, form)
                    votes = ((name, getattr(reply, name).better) for name in self.criteria)
                    judged = [question.judged(judge.name, name, better) for name, better in votes]
                    append_judgements(self.judgements, question.key(own), judged)
                except BudgetStop as stop:
                    self.stop = stop
                    return False
                except (CoiError, OSError) as error:
                    what = f"{judge.name} on {one.contestant} and {other.contestant}, {one.topic}"
                    self.fail(what, in_full(error))
                    return False
            so_far = done.next()
            if done.done % max(1, done.all // 20) == 0:
                self.listen(Event("task done", "match", f"{judge.name} ({so_far})"))
            return True

        llm = llm_of(judge, self.settings.llm)
        async with open_asker(self.sessions, self._calls(judge), client, llm, self.budget) as asker:
            if together:
                await asyncio.gather(*chain(*making.values()))
                left = self.left(judge)
                done.all = len(left)
                while left and all(await asyncio.gather(*map(answer, left))):
                    left = self.left(judge)
                    done.all += len(left)
                return

            async def of_unit(unit: Unit) -> None:
                await asyncio.gather(*making.get(unit, ()))
                await asyncio.gather(*map(answer, self.left(judge, unit)))

            await asyncio.gather(*map(of_unit, dict.fromkeys(e.unit for e in self.entries)))
