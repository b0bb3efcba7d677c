"""Judgements as a file of lines, one a judgement: appended and on the disk before they count. What a
kill left of a line is dropped."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from coi_tui.arena.judgements import Judgement, Match, Outcome
from coi_tui.model.errors import StoreError
from coi_tui.model.text import digest

Judged = Mapping[str, Mapping[str, Judgement]]
"""Judgements by the key of their question and by criterion."""


@dataclass(frozen=True)
class Text:
    """What a contestant made of a topic in a repeat, as judges see it."""

    topic: str
    repeat: int
    contestant: str
    text: str


@dataclass(frozen=True)
class Question:
    """Two texts in one order, of equal length."""

    first: Text
    second: Text

    @property
    def match(self) -> Match:
        names = sorted((self.first.contestant, self.second.contestant))
        return Match(self.first.topic, self.first.repeat, *names)

    def key(self, judge: object) -> str:
        """Everything that an answer of this judge depends on, as a hash."""
        return digest([judge, asdict(self.first), asdict(self.second)])

    def judged(
        self, judge: str, criterion: str, outcome: Outcome, *, person: bool = False
    ) -> Judgement:
        one, other = self.first, self.second
        lengths = len(one.text.split()), len(other.text.split())
        names = one.topic, one.repeat, one.contestant, other.contestant
        return Judgement(*names, judge, criterion, outcome, *lengths, person)


def cut(text: str, most: int) -> str:
    """The sentences of a text that fit into so many words; the first words where not even one
    does."""
    left = text
    while (
        len(left.split()) > most
        and (end := max(left.rstrip(".!?").rfind(sign) for sign in (". ", "! ", "? ", ".\n"))) > 0
    ):
        left = left[: end + 1]
    return left if len(left.split()) <= most else " ".join(text.split()[:most])


def read_judgements(file: Path) -> Judged:
    """What was judged so far, in the order of the file. Raises StoreError for a line that is no judgement
    and takes none back."""
    found = defaultdict[str, dict[str, Judgement]](dict)
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else ()
    for n, line in enumerate(lines, start=1):
        try:
            key, one = _LINE.validate_json(line)
        except ValidationError:
            raise StoreError(
                f"Line {n} of {file} is no judgement.", "Take the line out; it is asked for again."
            ) from None
        if isinstance(one, str):
            found[key].pop(one, None)
        else:
            found[key][one.criterion] = one
    return found


_LINE = TypeAdapter(tuple[str, Judgement | str])


def append_judgements(file: Path, key: str, judgements: Iterable[Judgement | str]) -> None:
    """Add judgements with the key of their question; they are on the disk when this returns. The name of
    a criterion takes back what was said by it. Raises OSError."""
    lines = [
        json.dumps([key, one if isinstance(one, str) else asdict(one)], ensure_ascii=False) + "\n"
        for one in judgements
    ]
    with open(file, "ab+") as out:
        if size := out.seek(0, os.SEEK_END):
            out.seek(size - 1)
            if out.read() != b"\n":  # a line that a kill cut off
                out.seek(0)
                out.truncate(out.read().rfind(b"\n") + 1)
        out.write("".join(lines).encode("utf-8"))
        out.flush()
        os.fsync(out.fileno())
