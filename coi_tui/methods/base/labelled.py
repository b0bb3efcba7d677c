"""One call about several papers, each under a label, and one more for those that the reply leaves
out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.methods.citing import label_of
from coi_tui.methods.services import Services
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import NOT_OWN, Paper
from coi_tui.model.text import Values, count
from coi_tui.services.llm.chat import Choices


class LabelledVerdict(Protocol):
    """What a reply says of one paper."""

    @property
    def id(self) -> str: ...


V = TypeVar("V", bound=LabelledVerdict)


@dataclass
class Labelled(Generic[V]):
    """Verdicts by the paper's id; a paper of which none could be read has none. ``recipe`` is the
    first call's."""

    verdicts: dict[str, V] = field(default_factory=dict)
    recipe: Values = field(default_factory=dict)


async def ask_about_each(
    services: Services,
    prompt: str,
    values: Values,
    name: str,
    papers: Sequence[Paper],
    schema: type[BaseModel],
    verdict: type[V],
    more: Mapping[str, Values],
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
        for row, paper in zip(shown, wanted.values(), strict=True):
            if not paper.own_abstract:
                row["abstract"] = f"({NOT_OWN}) {row['abstract']}"
        choices = Choices("verdicts", "id", list(wanted))
        try:
            asked = await services.ask(prompt, {**values, name: shown}, schema, choices=choices)
        except ReplyError:
            if not again:
                raise
            break
        if not again:
            found.recipe = asked.recipe
        given = [v for v in getattr(asked.value, "verdicts", ()) if isinstance(v, verdict)]
        for label, paper in wanted.items():
            own = [one for one in given if label_of(one.id) == label]
            # of verdicts on one paper that differ none is taken
            if own and all(one == own[0] for one in own):
                found.verdicts[paper.id] = own[0]
    if missing := len(papers) - len(found.verdicts):
        lost = count(missing, "verdict")
        services.ctx.changed += (f"{lost} could not be read, even after asking once more",)
    return found
