"""One call about several papers, each under a label: what was said of which, and one more call for
those of which nothing was said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.text import count
from coi_tui.services.llm.chat import Choices

if TYPE_CHECKING:
    from coi_tui.methods.services import Services


class Verdict(Protocol):
    """What is said of one paper."""

    @property
    def id(self) -> str: ...


V = TypeVar("V", bound=Verdict)


@dataclass(frozen=True)
class Labelled(Generic[V]):
    """Verdicts by the paper's id; a paper of which none could be read has none. ``recipe`` and
    ``summary`` are the first call's."""

    verdicts: Mapping[str, V]
    recipe: Mapping[str, Any]
    summary: str = ""


async def ask_about_each(
    services: Services,
    prompt: str,
    values: Mapping[str, Any],
    name: str,
    papers: Sequence[Paper],
    schema: type[BaseModel],
    said: type[V],
    known: Mapping[str, Mapping[str, Any]] | None = None,
) -> Labelled[V]:
    """Ask ``prompt`` about all papers, shown as ``name``; the reply has ``verdicts``. Those that
    are missing are asked for once more.

    ``known``: what is shown of a paper, by its id, besides its own text. Raises ReplyError where
    the first reply cannot be used at all.
    """
    labels = {f"P{n}": paper for n, paper in enumerate(papers, start=1)}
    shown = {
        label: {
            "id": label,
            "title": paper.title,
            "year": paper.year,
            "abstract": paper.abstract,
            **(known or {}).get(paper.id, {}),
        }
        for label, paper in labels.items()
    }
    found: dict[str, V] = {}
    recipe: Mapping[str, Any] = {}
    summary = ""
    while wanted := [label for label in labels if label not in found]:
        asking = {**values, name: [shown[label] for label in wanted]}
        again = bool(recipe)
        try:
            asked = await services.ask(
                prompt, asking, schema, choices=Choices("verdicts", "id", wanted)
            )
        except ReplyError:
            if not again:
                raise
            break
        recipe = recipe or asked.recipe
        summary = summary or str(getattr(asked.value, "summary", ""))
        verdicts = [v for v in getattr(asked.value, "verdicts", ()) if isinstance(v, said)]
        by_label, notes = _by_label(verdicts, wanted)
        found |= by_label
        services.ctx.changed += notes
        if again:
            break
    if missing := len(papers) - len(found):
        verdict, them = count(missing, "verdict"), "it" if missing == 1 else "them"
        said_of = f"{verdict} could not be read, even after asking for {them} once more"
        services.ctx.changed += (said_of,)
    taken = {paper.id: found[label] for label, paper in labels.items() if label in found}
    return Labelled(taken, recipe, summary)


def _by_label(verdicts: Sequence[V], labels: Sequence[str]) -> tuple[dict[str, V], tuple[str, ...]]:
    """The verdict on each label, and what was passed over: labels that were not shown, and labels
    with verdicts that contradict."""
    said: dict[str, list[V]] = {}
    for verdict in verdicts:
        said.setdefault(label_of(verdict.id), []).append(verdict)
    notes = []
    if strange := sum(len(some) for label, some in said.items() if label not in labels):
        were = "was" if strange == 1 else "were"
        notes.append(f"{count(strange, 'verdict')} on a paper that was not shown {were} ignored")
    known = [label for label in labels if label in said]
    twice = [label for label in known if any(v != said[label][0] for v in said[label])]
    if twice:
        papers = count(len(twice), "paper")
        notes.append(f"{papers} got several verdicts that differ; none of them was taken")
    return {label: said[label][0] for label in known if label not in twice}, tuple(notes)


def label_of(text: str) -> str:
    """The label in what a model wrote for it: ``[P1]``, ``paper p1``; the text as it is where it
    names none, or several."""
    found = {f"P{number}" for number in re.findall(r"\bP(\d+)\b", text, re.IGNORECASE)}
    return found.pop() if len(found) == 1 else text
