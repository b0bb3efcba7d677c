"""What a person is asked about the texts of a suite, and what they said: blind, in an order of their own,
a criterion of a pair at a time.
"""

from __future__ import annotations

import re

from coi_tui.arena.judgements import Judgement, Outcome
from coi_tui.model.errors import UsageError
from coi_tui.model.text import digest
from coi_tui.paths import writing
from coi_tui.session.suite.inventory import Inventory
from coi_tui.session.suite.record import Question, append_judgements, read_judgements


class Ballot:
    """The votes of one person. Raises UsageError for a name that no file can have and where no two texts
    can be compared, StoreError for a damaged file."""

    def __init__(self, suite: Inventory, rater: str) -> None:
        if not re.fullmatch(r"[\w-]{1,40}", rater) or rater in {j.name for j in suite.models}:
            raise UsageError(
                f"{rater[:40]!r} cannot be the name of a rater.",
                "Use letters and digits, and no name of a judge.",
            )
        self.rater, self.file = rater, suite.folder / f"votes-{rater}.jsonl"
        prompt = suite.prompts.get(suite.judge_prompt).user
        asks = dict(re.findall(r"^- (\w+): (.+\?)", prompt, re.MULTILINE))
        self.meaning = {name: asks.get(name, "which text is better?") for name in suite.criteria}
        """What a criterion asks, in the words in which models are asked; a prompt of
        one's own may have none."""
        met = dict[str, Question]()
        for a, b in suite.pairs_of(suite.texts()):
            lot = int(digest([a.text, b.text, rater])[0], 16) % 2
            question = Question(b, a) if lot else Question(a, b)
            met[self._key(question)] = question
        if not met:
            raise UsageError(
                "There are no two texts to compare yet.", "`coi arena run` makes the texts."
            )
        given = [
            (met[key], name)
            for key, votes in read_judgements(self.file).items()
            for name in votes
            if key in met and name in suite.criteria
        ]
        self.given, order = len(given), sorted(met, key=lambda key: digest([rater, key]))
        every = ((met[key], name) for key in order for name in suite.criteria)
        self.asked = list(dict.fromkeys([*given, *every]))
        """Every vote that is asked for: those given, in the order in which they were, then the others."""

    @property
    def here(self) -> tuple[Question, str] | None:
        """The pair and the criterion to vote on next; None where every vote is given."""
        return self.asked[self.given] if self.given < len(self.asked) else None

    def vote(self, outcome: Outcome) -> None:
        """Write what the person says of ``here``. Raises StoreError where it cannot be written."""
        question, criterion = self.asked[self.given]
        self._write(question, question.judged(self.rater, criterion, outcome, person=True))
        self.given += 1

    def undo(self) -> None:
        """Take back the last vote, which is ``here`` then. Raises StoreError as ``vote`` does."""
        self._write(*self.asked[self.given - 1])
        self.given -= 1

    def _key(self, question: Question) -> str:
        return question.key(["people", self.rater])

    def _write(self, question: Question, line: Judgement | str) -> None:
        with writing("Nothing was written"):
            append_judgements(self.file, self._key(question), [line])
