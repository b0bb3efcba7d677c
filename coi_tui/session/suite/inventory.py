"""What a suite has and what it lacks: its entries, their texts, the questions about them, and what
judges and people said. It reads the folder beside SUITE.toml and asks nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

from pydantic import BaseModel, ValidationError

from coi_tui.arena.judgements import Judgement, Match
from coi_tui.arena.pairing import best_of
from coi_tui.arena.ratings import CRITERIA, OF_EXPERIMENTS
from coi_tui.methods.registry import spec_of, stages_of
from coi_tui.model.errors import UsageError, problem
from coi_tui.model.money import NOTHING, Money
from coi_tui.model.text import clean, clean_line, digest
from coi_tui.paths import Paths
from coi_tui.prompts.loader import Prompts
from coi_tui.services.llm.sentence_vectors import folder_of
from coi_tui.session.environment import Environment
from coi_tui.session.files import ENDING, slug
from coi_tui.session.new_session import settings_for
from coi_tui.session.runs.planner import check_stage
from coi_tui.session.suite.definition import Contestant, Judge, load_suite
from coi_tui.session.suite.record import (
    Question,
    Text,
    cut,
    read_judgements,
)
from coi_tui.session.suite.suite_texts import Entry, Unit, llm_of, numbered
from coi_tui.store.session_file import SessionFile

PROMPTS = {
    "ideas": ("arena_text", "arena_judge"),
    "experiments": ("arena_text_experiment", "arena_judge_experiment"),
}
"""The prompts that tell a text anew and that judge two of them, by what is judged."""


class Inventory:
    """What there is of a suite. Raises UsageError for a suite that cannot be run."""

    def __init__(self, file: Path, env: Environment) -> None:
        paths, settings = env.paths, env.settings
        self.suite, self.file, self.folder = load_suite(file), file, file.with_suffix("")
        self.paths = Paths(data=self.folder, config=paths.config, cache=paths.cache)
        vectors = {"folder": str(folder_of(settings.vectors, paths.data))}
        vectors_here = settings.vectors.model_copy(update=vectors)
        self.settings = settings.model_copy(update={"vectors": vectors_here})
        self.prompts = Prompts(paths.prompts)
        self.judgements = self.folder / "judgements.jsonl"
        self.text_prompt, self.judge_prompt = PROMPTS[self.suite.judged]
        self.criteria = CRITERIA if self.suite.judged == "ideas" else OF_EXPERIMENTS
        self.writer = env.model.model_for("main") if env.model else settings.llm.main.model
        """The model that tells the texts anew."""
        self.entries = list(self._entries(file.parent))

    def _bounds_of(self, one: Contestant) -> BaseModel:
        """The settings of a method contestant. Raises UsageError naming what is not allowed."""
        spec, given = spec_of(one.method), dict(one.settings)
        check_stage(self.suite.stage, stages_of(one.method))
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
        for one in self.suite.contestant:
            bounds, llm = (
                self._bounds_of(one) if one.method else None,
                llm_of(one, self.settings.llm),
            )
            files = numbered(home / one.texts) if one.texts else {}
            for number, topic in enumerate(map(clean_line, self.suite.topics), start=1):
                for repeat in range(1, self.suite.repeats + 1):
                    if bounds is None:
                        yield Entry(one, topic, number, repeat, files.get(number, ""))
                        continue
                    given, method = bounds.model_dump(mode="json"), spec_of(one.method).name
                    models = [one.model or self.writer, llm.reader.model, llm.base_url]
                    content = [method, given, topic, *models]
                    name = (
                        f"{slug(one.name, 24)}-{number}-{repeat}-{digest([one.name, *content])[:8]}"
                    )
                    yield Entry(one, topic, number, repeat, name, bounds)

    def text_file(self, entry: Entry) -> Path:
        """Where the text of an entry is, or will be; it depends on all that goes into it."""
        prompt = self.prompts.get(self.text_prompt).hash
        content = [entry.source, self.suite.stage, self.suite.words, prompt, self.writer]
        return self.folder / "texts" / f"{digest(content)}.md"

    def texts(self, unit: Unit | None = None) -> list[Text]:
        """The texts there are, or those of a topic in a repeat, in the length in which they are judged
        at most."""
        return [
            Text(entry.topic, entry.repeat, entry.contestant.name, clean(file.read_text("utf-8")))
            for entry in self.entries
            if unit in (None, entry.unit) and (file := self.text_file(entry)).exists()
        ]

    def questions(self, unit: Unit | None = None) -> list[Question]:
        """Every pair of texts that there are, or of those of a unit, in both orders."""
        found = self.pairs_of(self.texts(unit))
        return [Question(*pair) for a, b in found for pair in ((a, b), (b, a))]

    def pairs_of(self, texts: Iterable[Text]) -> list[tuple[Text, Text]]:
        """Every two texts of a unit that meet, the longer one cut to the length of the shorter at the
        end of a sentence; two that are files meet once, however many repeats there are."""
        files = {one.name for one in self.suite.contestant if one.texts}
        of, found = defaultdict[Unit, list[Text]](list), list[tuple[Text, Text]]()
        for text in texts:
            of[text.topic, text.repeat].append(text)
        for rivals in of.values():
            for a, b in combinations(sorted(rivals, key=lambda text: text.contestant), 2):
                if a.repeat == 1 or not {a.contestant, b.contestant} <= files:
                    most = min(self.suite.words, len(a.text.split()), len(b.text.split()))
                    cut_a, cut_b = (replace(one, text=cut(one.text, most)) for one in (a, b))
                    found.append((cut_a, cut_b))
        return found

    def judge_id(self, judge: Judge) -> list[str]:
        return [judge.name, judge.model, self.url(judge), self.prompts.get(self.judge_prompt).hash]

    def url(self, judge: Judge) -> str:
        return judge.base_url or self.settings.llm.base_url

    @property
    def models(self) -> list[Judge]:
        """The judges that are models."""
        return [judge for judge in self.suite.judge if not judge.people]

    def lacking(self) -> int:
        """The questions about texts that there are not yet."""
        known = (e for e in self.entries if e.source)
        all = self.pairs_of(Text(e.topic, e.repeat, e.contestant.name, "") for e in known)
        return 2 * len(all) - len(self.questions())

    def left(self, judge: Judge, unit: Unit | None = None) -> list[Question]:
        """What a model is still to judge of the texts that there are, or of those of a unit."""
        known, own = read_judgements(self.judgements), self.judge_id(judge)

        def open_of(questions: Iterable[Question]) -> list[Question]:
            return [q for q in questions if len(known.get(q.key(own), ())) < len(self.criteria)]

        if not self.suite.best:
            return open_of(self.questions(unit))
        of = defaultdict[Match, list[Question]](list)
        for question in self.questions():
            of[question.match].append(question)
        topics, repeats = map(clean_line, self.suite.topics), range(1, self.suite.repeats + 1)
        names = [one.name for one in self.suite.contestant]
        search = best_of(names, product(topics, repeats), self.suite.best)
        with suppress(StopIteration):
            matches = next(search)
            while not (left := open_of(asked := [q for match in matches for q in of[match]])):
                matches = search.send([one for q in asked for one in known[q.key(own)].values()])
            return left
        return []

    def judged(self) -> list[Judgement]:
        """What judges and people said of the texts as they are now. Raises StoreError."""
        known, found = read_judgements(self.judgements), list[Judgement]()
        questions = self.questions()
        for judge in self.models:
            for question in questions:
                answer = known.get(question.key(self.judge_id(judge)), {})
                found += answer.values() if len(answer) == len(self.criteria) else ()
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
