"""Several papers judged in one call, each under a label, and one more call for those that the reply
leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from coi_tui.literature.ranking import content_words
from coi_tui.methods.citing import label_of
from coi_tui.methods.services import Services
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import NOT_OWN, Paper
from coi_tui.model.text import Fields, Values, clipped, count, sentences
from coi_tui.services.llm.chat import Choices

ABSTRACT_WORDS = 60
"""Words of an abstract that a judge is shown: the sentences that bear most on what it is asked."""


V = TypeVar("V")


@dataclass(frozen=True)
class BatchJudge(Generic[V]):
    """A prompt that shows papers under the name ``papers``; its reply has ``verdicts``, each with the
    label of its paper as ``id``."""

    prompt: str
    reply: type[BaseModel]
    papers: str = "papers"

    async def ask(
        self,
        services: Services,
        values: Values,
        papers: Sequence[Paper],
        about: Sequence[str] = (),
        more: Mapping[str, Values] = MappingProxyType({}),
    ) -> tuple[dict[str, V], Values]:
        """Ask about all papers; those that the reply leaves out are asked for once more. The
        verdicts by the paper's id, where one could be read, and the recipe of the first call.

        ``about``: texts on which the sentences shown of each abstract bear; none for whole
        abstracts. ``more``: what is shown of a paper besides, by its id. Raises ReplyError where
        the first reply cannot be used at all.
        """
        verdicts: dict[str, V] = {}
        recipe: Values = {}
        labels = {f"P{n}": paper for n, paper in enumerate(papers, 1)}
        for again in (False, True):
            wanted = {label: p for label, p in labels.items() if p.id not in verdicts}
            if not wanted:
                break
            rows = [
                {**_shown(label, paper, about), **more.get(paper.id, {})}
                for label, paper in wanted.items()
            ]
            choices = Choices("verdicts", "id", list(wanted))
            asked_of = {**values, self.papers: rows}
            try:
                asked = await services.ask(self.prompt, asked_of, self.reply, choices=choices)
            except ReplyError:
                if not again:
                    raise
                break
            recipe = recipe or asked.recipe
            verdicts |= _agreed(asked.value, wanted)
        if missing := len(papers) - len(verdicts):
            lost = count(missing, "verdict")
            services.ctx.changed += (f"{lost} could not be read, even after asking once more",)
        return verdicts, recipe


def _agreed(reply: Any, wanted: Mapping[str, Paper]) -> dict[str, Any]:
    """What a reply says of papers; of verdicts on one paper that differ none is taken."""
    by_label = {
        label: [one for one in reply.verdicts if label_of(one.id) == label] for label in wanted
    }
    return {
        wanted[label].id: own[0]
        for label, own in by_label.items()
        if own and all(one == own[0] for one in own)
    }


def _shown(label: str, paper: Paper, about: Sequence[str]) -> Fields:
    text = bearing_on(paper.abstract or "", about, ABSTRACT_WORDS) if about else paper.abstract
    return {
        "id": label,
        "title": paper.title,
        "year": paper.year,
        "abstract": text if paper.own_abstract else f"({NOT_OWN}) {text}",
    }


def bearing_on(text: str, claims: Sequence[str], most: int) -> str:
    """The sentences of an abstract that share most words with each claim, then with all of them, in
    their order; gaps are shown.

    About ``most`` words: a sentence that does not fit is left out, but one is always there, and cut
    only where it is three times as long.
    """
    every, taken, room = sentences(text), set[int](), most
    words = [set(content_words(one)) for one in every]
    roots = [set(content_words(claim)) for claim in claims]
    whole, places = set[str]().union(*roots), range(len(every))
    order = [max(places, key=lambda n: len(words[n] & claim)) for claim in roots if every]
    order += sorted(places, key=lambda n: -len(words[n] & whole))
    for n in dict.fromkeys(order):
        if not taken or len(every[n].split()) <= room:
            taken.add(n)
            room -= len(every[n].split())
    shown = (every[n] if n in taken else "[...]" for n in places)
    return clipped(" ".join(part for part, _ in groupby(shown)), 3 * most + len(every))
