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
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from coi_tui.arena.judgements import Judgement
from coi_tui.arena.ratings import CRITERIA
from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings
from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost
from coi_tui.engine.journal import utc_now
from coi_tui.engine.recorder import Event, Listener, Recorder, silent
from coi_tui.methods.base.replies import MatchReply, Retold
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.methods.prompt_calls import PromptCalls
from coi_tui.methods.registry import SessionMethods, spec_of
from coi_tui.methods.services import ServiceSet
from coi_tui.model.entries import Failure
from coi_tui.model.errors import BudgetStop, CoiError, ReplyError, UsageError, problem
from coi_tui.model.money import NOTHING, Limit, Money
from coi_tui.model.text import clean, clean_line, digest, sentence
from coi_tui.paths import Paths, make_folder, write_whole
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.chat import ChatModel
from coi_tui.services.llm.openai_compatible import OpenAICompatible
from coi_tui.services.llm.sentence_vectors import folder_of
from coi_tui.session.files import ENDING, session_path, slug
from coi_tui.session.opening import settings_for, stages
from coi_tui.session.runs.planner import check_stage
from coi_tui.session.runs.plans import PlanLine, cost_of, price_of
from coi_tui.session.service_setup import open_services
from coi_tui.session.session import Session
from coi_tui.session.settings import setup_of
from coi_tui.session.suite.definition import Contestant, Judge, load_suite
from coi_tui.session.suite.record import (
    Question,
    Text,
    append_judgements,
    pairs,
    read_judgements,
)
from coi_tui.session.suite.texts import Entry, numbered, told
from coi_tui.store.session_file import SessionFile

T = TypeVar("T", bound=BaseModel)

TEXT, JUDGE = "arena_text", "arena_judge"
WORD_TOKENS = 1.5
"""Tokens of a word, for the estimate of a price."""


@dataclass(frozen=True)
class Asker:
    """A model whose answers are kept in a session file of its own."""

    session: Session
    recorder: Recorder
    model: ChatModel
    prompts: Prompts
    settings: LlmSettings

    async def ask(self, prompt: str, values: Mapping[str, Any], form: type[T]) -> T:
        """The answer to a prompt; one that was kept is not asked for again. Raises CoiError."""
        ctx = Context(self.recorder, self.session.state, "topic", prompt)
        calls = PromptCalls(ctx, self.model, self.prompts, self.settings, self.settings.prices)
        try:
            return (await calls.ask(prompt, values, form)).value
        except ReplyError as error:  # recorded, so that the next start asks again
            failure = Failure(
                address="topic",
                step=prompt,
                cause=error.message,
                kind="reply",
                keys=tuple(ctx.keys),
                time=self.session.clock(),
            )
            await self.session.journal.fail(failure)
            raise


class Contest:
    """The contest of one suite. ``model`` answers in place of the language model, and ``judges`` by
    name in place of those of the suite (tests bring their own).

    Raises UsageError for a suite that cannot be run.
    """

    def __init__(
        self,
        file: Path,
        paths: Paths,
        settings: Settings,
        keys: Keys,
        *,
        model: ChatModel | None = None,
        judges: Mapping[str, ChatModel] | None = None,
    ) -> None:
        self.suite, self.folder = load_suite(file), file.with_suffix("")
        self.paths = Paths(data=self.folder, config=paths.config, cache=paths.cache)
        vectors = {"folder": str(folder_of(settings.vectors, paths.data))}
        vectors_here = settings.vectors.model_copy(update=vectors)
        self.settings = settings.model_copy(update={"vectors": vectors_here})
        self.keys, self.model, self.judges = keys, model, judges or {}
        self.prompts = Prompts(paths.prompts)
        self.judgements = self.folder / "judgements.jsonl"
        self.failed: dict[str, str] = {}
        """What could not be made or judged, with the cause; the next start tries it again."""
        self.stop: BudgetStop | None = None
        """Why nothing more was asked."""
        self.interrupted = False
        self._running: set[Session] = set()
        self._bounds = {
            one.name: self._bounds_of(one) for one in self.suite.contestant if one.method
        }
        self.entries = list(self._entries(file.parent))

    # -- what there is to do

    def _bounds_of(self, one: Contestant) -> BaseModel:
        """The settings of a method contestant. Raises UsageError naming what is not allowed."""
        spec, given = spec_of(one.method), dict(one.settings)
        check_stage(self.suite.stage, stages(one.method))
        try:
            spec.settings.model_validate(given)
        except ValidationError as error:
            raise UsageError(f"In the settings of {one.name}, {problem(error)}.") from None
        ours = {"one_call": False, "known_until": self.suite.known_until}
        given = {
            name: value for name, value in ours.items() if name in spec.settings.model_fields
        } | given
        return settings_for(one.method, self.settings, given)

    def _entries(self, home: Path) -> Iterator[Entry]:
        llm = self.settings.llm
        for one in self.suite.contestant:
            files = numbered(home / one.texts) if one.texts else {}
            for number, topic in enumerate(map(clean_line, self.suite.topics), start=1):
                for repeat in range(1, self.suite.repeats + 1):
                    if one.texts:
                        yield Entry(one, topic, number, repeat, files.get(number, ""))
                        continue
                    bounds = self._bounds[one.name].model_dump(mode="json")
                    method = spec_of(one.method).name
                    content = [method, bounds, topic, self._writer, llm.reader.model, llm.base_url]
                    name = (
                        f"{slug(one.name, 24)}-{number}-{repeat}-{digest([one.name, *content])[:8]}"
                    )
                    yield Entry(one, topic, number, repeat, name)

    @property
    def _writer(self) -> str:
        return self.model.model_for("main") if self.model else self.settings.llm.main.model

    def _text_file(self, entry: Entry) -> Path:
        """Where the text of an entry is, or will be; it depends on all that goes into it."""
        prompt = self.prompts.get(TEXT).hash
        content = [entry.source, self.suite.stage, self.suite.words, prompt, self._writer]
        return self.folder / "texts" / f"{digest(content)}.md"

    def texts(self) -> list[Text]:
        """The texts there are, in the length in which they are judged at most."""
        return [
            Text(entry.topic, entry.repeat, entry.contestant.name, file.read_text("utf-8"))
            for entry in self.entries
            if (file := self._text_file(entry)).exists()
        ]

    def questions(self) -> list[Question]:
        """Every pair of texts that there are, in both orders."""
        found = self._pairs(self.texts())
        return [Question(*pair) for a, b in found for pair in ((a, b), (b, a))]

    def _pairs(self, texts: Iterable[Text]) -> list[tuple[Text, Text]]:
        """Every two texts that meet; two that are files do so once, however many repeats there are."""
        files = {one.name for one in self.suite.contestant if one.texts}
        return [
            (a, b)
            for a, b in pairs(texts, self.suite.words)
            if a.repeat == 1 or not {a.contestant, b.contestant} <= files
        ]

    def _judge_id(self, judge: Judge) -> list[str]:
        return [judge.name, judge.model, self._url(judge), self.prompts.get(JUDGE).hash]

    def _url(self, judge: Judge) -> str:
        return judge.base_url or self.settings.llm.base_url

    @property
    def models(self) -> list[Judge]:
        return [judge for judge in self.suite.judge if not judge.people]

    def left(self, judge: Judge) -> list[Question]:
        """What a model is still to judge of the texts that there are."""
        said, own = read_judgements(self.judgements), self._judge_id(judge)
        return [q for q in self.questions() if len(said.get(q.key(own), ())) < len(CRITERIA)]

    def said(self) -> list[Judgement]:
        """What judges and people said of the texts as they are now. Raises StoreError."""
        said, found, questions = (
            read_judgements(self.judgements),
            list[Judgement](),
            self.questions(),
        )
        for judge in self.models:
            for question in questions:
                answer = said.get(question.key(self._judge_id(judge)), {})
                found += answer.values() if len(answer) == len(CRITERIA) else ()
        for file in sorted(self.folder.glob("votes-*.jsonl")):
            votes, rater = read_judgements(file), file.stem.removeprefix("votes-")
            for question in questions:
                found += votes.get(question.key(["people", rater]), {}).values()
        return found

    def spent(self) -> Money:
        """What everything of the suite has cost so far."""
        money = NOTHING
        for file in self.folder.glob(f"*/*{ENDING}"):
            with SessionFile(file, read_only=True) as opened:
                money += opened.spent().money
        return money

    def plan(self) -> list[PlanLine]:
        """What is left to do, with calls and price. It makes the sessions that are missing, empty.
        Raises UsageError without a language model."""
        if self.model is None and not setup_of(self.settings, self.keys, False).online_model:
            raise UsageError(
                "A suite needs a language model, and none is set up.",
                "Set OPENAI_API_KEY or OPENAI_BASE_URL.",
            )
        suite, lines = self.suite, list[PlanLine]()
        due = [
            entry for entry in self.entries if entry.source and not self._text_file(entry).exists()
        ]
        for one in suite.contestant:
            own = [entry for entry in due if entry.contestant is one]
            steps = list[PlanLine]()
            for entry in own if one.method else ():
                with self._opened(entry) as session:
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
                self._priced(what, "no judge may see length or form", cost, self._writer, url)
            )
        known = (e for e in self.entries if e.source)
        every = 2 * len(self._pairs(Text(e.topic, e.repeat, e.contestant.name, "") for e in known))
        made = len(self.questions())
        for judge in self.models:
            left = every - made + len(self.left(judge))
            both = round(2 * suite.words * WORD_TOKENS)
            cost = Cost("main", (1, 1), (400 + both // 2, 400 + both), (150, 400)).times(left, left)
            if left:
                why = "every pair, in both orders"
                lines.append(self._priced(judge.name, why, cost, judge.model, self._url(judge)))
        return lines

    def _priced(self, what: str, why: str, cost: Cost, model: str, url: str) -> PlanLine:
        return PlanLine(what, why, cost, price_of(cost, model, self.settings.llm.prices, url))

    # -- doing it

    def _opened(self, entry: Entry) -> Session:
        path, one = session_path(self.paths, entry.source), entry.contestant
        return self._session(path, entry.topic, one.method, self._bounds[one.name])

    def _session(
        self, path: Path, topic: str, method: str, bounds: BaseModel | None = None
    ) -> Session:
        here: dict[str, Any] = {"paths": self.paths, "settings": self.settings, "keys": self.keys}
        make_folder(path.parent)
        if not path.exists():
            here |= {"method": method, "bounds": bounds, "model": self.model}
            return Session.create(str(path), topic, **here)
        session = Session.open(str(path), **here)
        session.model = self.model
        return session

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
            clients = {judge.name: self._client(judge, waits) for judge in self.models}
            for client in clients.values():
                stack.push_async_callback(client.aclose)
            async with open_services(
                self.settings,
                self.keys,
                self.paths,
                offline=False,
                today=lambda: utc_now()[:10],
                known_until=self.suite.known_until,
                on_wait=waits,
                model=self.model,
            ) as tools:
                name = f"writer-{digest([self._writer, llm.base_url])[:8]}"
                async with self._asker(name, tools.model, llm, budget) as writer:
                    places = asyncio.Semaphore(self.suite.at_once)
                    todo = [e for e in self.entries if not self._text_file(e).exists()]
                    made = itertools.count(len(self.entries) - len(todo) + 1)
                    steps = (
                        self._make(e, tools, writer, places, made, budget, listen) for e in todo
                    )
                    await asyncio.gather(*steps)
            at = {self._url(j): asyncio.Semaphore(llm.parallel) for j in self.models}
            await asyncio.gather(
                *(
                    self._judge(judge, clients[judge.name], at[self._url(judge)], budget, listen)
                    for judge in self.models
                )
            )

    def end(self) -> None:
        """Ask nothing more; what is being answered comes to its end."""
        self.interrupted = True
        for session in self._running:
            session.runs.stop()

    def _client(self, judge: Judge, waits: Callable[[str], None]) -> ChatModel:
        if judge.name in self.judges:
            return self.judges[judge.name]
        key = os.environ.get(judge.key_env, "").strip() if judge.key_env else ""
        if judge.key_env and not key:
            raise UsageError(f"{judge.key_env}, the key of the judge {judge.name}, is not set.")
        usual = None if judge.base_url else self.keys.llm
        client = OpenAICompatible(self._llm_of(judge), key or usual)
        client.on_wait = waits
        return client

    def _llm_of(self, judge: Judge) -> LlmSettings:
        main = RoleSettings(model=judge.model)
        own: dict[str, Any] = {"base_url": judge.base_url, "profile": ""} if judge.base_url else {}
        roles = {"main": main, "reader": RoleSettings(), "embedding": RoleSettings()}
        return self.settings.llm.model_copy(update={**roles, **own})

    @contextlib.asynccontextmanager
    async def _asker(
        self, name: str, model: ChatModel, llm: LlmSettings, budget: Budget
    ) -> AsyncIterator[Asker]:
        path = self.folder / "calls" / f"{name}{ENDING}"
        with self._session(path, f"What {name} answered", ONE_CALL) as session:
            session.check_writable()
            recorder = Recorder(session.journal, budget)
            try:
                yield Asker(session, recorder, model, self.prompts, llm)
            finally:
                await recorder.close(cancel=False)

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
                text = await self._text_of_session(entry, tools, budget) if method else entry.source
                if text:
                    values = {"text": text, "words": self.suite.words}
                    retold = await writer.ask(TEXT, values, Retold)
                    write_whole(self._text_file(entry), clean(retold.text))
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

    async def _text_of_session(self, entry: Entry, tools: ServiceSet, budget: Budget) -> str:
        """What a session comes to; empty where it did not come so far."""
        with self._opened(entry) as session:
            plan = session.planner.to_stage(self.suite.stage)
            if not plan.empty:
                job = await session.runs.approve(plan)
                methods = SessionMethods(session.first_method, tools).follow(session.state)
                self._running.add(session)
                try:
                    outcome = await session.runs.run_with(methods, plan, job, budget)
                finally:
                    self._running.discard(session)
                self.stop = self.stop or outcome.stop
                if outcome.state == "stopped" or outcome.stop:
                    return ""
            branch = session.exports.snapshot().branch
            short = session.shortfall(self.suite.stage)
            if branch is None or short:
                causes = map(sentence, sorted(set(session.failed.values())))
                raise CoiError(" ".join([short, *causes]).strip() or "It came to no idea.")
            return told(session, branch)

    async def _judge(
        self,
        judge: Judge,
        client: ChatModel,
        places: asyncio.Semaphore,
        budget: Budget,
        listen: Listener,
    ) -> None:
        """Every question that a judge has not answered yet."""
        own, left, done = self._judge_id(judge), self.left(judge), 0
        name = f"{slug(judge.name, 24)}-{digest(own[:3])[:8]}"

        async def answer(question: Question) -> None:
            nonlocal done
            one, other = question.first, question.second
            values = {"topic": one.topic, "first": one.text, "second": other.text}
            async with places:
                if self.stop or self.interrupted:
                    return
                try:
                    reply = await asker.ask(JUDGE, values, MatchReply)
                    said = ((name, getattr(reply, name).better) for name in CRITERIA)
                    judged = [question.judged(judge.name, name, better) for name, better in said]
                    append_judgements(self.judgements, question.key(own), judged)
                except BudgetStop as stop:
                    self.stop = stop
                    return
                except (CoiError, OSError) as error:
                    what = f"{judge.name} on {one.contestant} and {other.contestant}, {one.topic}"
                    self._fail(what, str(error), listen)
                    return
            done += 1
            if done % max(1, len(left) // 20) == 0:
                listen(Event("step done", "match", f"{judge.name} ({done} of {len(left)})"))

        async with self._asker(name, client, self._llm_of(judge), budget) as asker:
            await asyncio.gather(*map(answer, left))

    # -- people

    def ballots(self, rater: str) -> Iterator[tuple[Question, list[str]]]:
        """The pairs that a person has not voted on, in an order of their own and one order each, with
        the criteria that are left. Nothing in it says who wrote what."""
        said, own = read_judgements(self.votes(rater)), ["people", rater]
        for a, b in sorted(self._pairs(self.texts()), key=lambda pair: digest([rater, repr(pair)])):
            lot = int(digest([a.text, b.text, rater])[0], 16) % 2
            question = Question(b, a) if lot else Question(a, b)
            voted = said.get(question.key(own), {})
            if left := [name for name in CRITERIA if name not in voted]:
                yield question, left

    def vote(self, rater: str, question: Question, criterion: str, outcome: Any) -> None:
        """Keep what a person said by one criterion."""
        vote = question.judged(rater, criterion, outcome, person=True)
        append_judgements(self.votes(rater), question.key(["people", rater]), [vote])

    def votes(self, rater: str) -> Path:
        """The file of a rater. Raises UsageError for a name that no file can have."""
        if not re.fullmatch(r"[\w-]{1,40}", rater) or rater in {j.name for j in self.models}:
            raise UsageError(
                f"{rater[:40]!r} cannot be the name of a rater.",
                "Use letters and digits, and no name of a judge.",
            )
        return self.folder / f"votes-{rater}.jsonl"
