"""One call about several papers, each under a label, and one more for those that the reply leaves
out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.methods.services import Services


class Verdict(Protocol):
    """What a reply says of one paper."""

    @property
    def id(self) -> str: ...


V = TypeVar("V", bound=Verdict)


@dataclass
class Labelled(Generic[V]):
    """Verdicts by the paper's id; a paper of which none could be read has none. ``recipe`` and
    ``summary`` are the first call's."""

    verdicts: dict[str, V] = field(default_factory=dict)
    recipe: Mapping[str, Any] = field(default_factory=dict)
    summary: str = ""


async def ask_about_each(
    services: Services,
    prompt: str,
    values: Mapping[str, Any],
    name: str,
    papers: Sequence[Paper],
    schema: type[BaseModel],
    verdict: type[V],
    more: Mapping[str, Mapping[str, Any]],
) -> Labelled[V]:
    """Ask ``prompt`` about all papers, shown as ``name``; the reply has ``verdicts``. Those that
    are missing are asked for once more.

    ``more``: what is shown of a paper, by its id, besides its own text. Raises ReplyError where
    the first reply cannot be used at all.
    """
    found: Labelled[V] = Labelled()
    labels = {f"P{n}": paper for n, paper in enumerate(papers, start=1)}
    for again in (False, True):
        wanted = {label: p for label, p in labels.items() if p.id not in found.verdicts}
        if not wanted:
            break
        shown = [
            {
                "id": label,
                "title": paper.title,
                "year": paper.year,
                "abstract": paper.abstract,
                **more.get(paper.id, {}),
            }
            for label, paper in wanted.items()
        ]
        choices = Choices("verdicts", "id", list(wanted))
        try:
            asked = await services.ask(prompt, {**values, name: shown}, schema, choices=choices)
        except ReplyError:
            if not again:
                raise
            break
        if not again:
            found.recipe = asked.recipe
            found.summary = str(getattr(asked.value, "summary", ""))
        replies: Sequence[Any] = getattr(asked.value, "verdicts", ())
        by_label, notes = _by_label([v for v in replies if isinstance(v, verdict)], list(wanted))
        found.verdicts |= {wanted[label].id: one for label, one in by_label.items()}
        services.ctx.changed += notes
    if missing := len(papers) - len(found.verdicts):
        lost = count(missing, "verdict")
        services.ctx.changed += (f"{lost} could not be read, even after asking once more",)
    return found


def _by_label(verdicts: Sequence[V], labels: Sequence[str]) -> tuple[dict[str, V], tuple[str, ...]]:
    """The verdict on each label, and what was passed over: labels that were not shown, and labels
    with verdicts that contradict."""
    given: dict[str, list[V]] = {}
    for verdict in verdicts:
        given.setdefault(label_of(verdict.id), []).append(verdict)
    notes = []
    if strange := sum(len(some) for label, some in given.items() if label not in labels):
        notes.append(f"ignored {count(strange, 'verdict')} on papers that were not shown")
    agreed = {
        label: some[0]
        for label, some in given.items()
        if label in labels and all(one == some[0] for one in some)
    }
    if twice := len(given.keys() & set(labels)) - len(agreed):
        notes.append(f"ignored several verdicts on {count(twice, 'paper')} that differ")
    return agreed, tuple(notes)


def label_of(text: str) -> str:
    """The label in what a model wrote for it: ``[P1]``, ``paper p1``; the text as it is where it
    names none, or several."""
    found = {f"P{number}" for number in re.findall(r"\bP(\d+)\b", text, re.IGNORECASE)}
    return found.pop() if len(found) == 1 else text
