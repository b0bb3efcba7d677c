"""A text that a person asked to be otherwise, in words: the model rewrites it, for any task of any
method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Cost, NewVersion, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.engine.text_parts import from_text, to_text
from coi_tui.methods.base.reads import of_parents, reading, where_there
from coi_tui.methods.base.reply_models import Rewritten
from coi_tui.methods.base.task import MethodTask, WrappedTask, one_call
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import ref
from coi_tui.model.entries import Version
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import WISHES, State
from coi_tui.model.text import Fields

PROMPT = "coi_ask"
TEXT_IN_USE = "text in use"
MOST_CHARS = 4_000
"""Of one input that is shown with the text."""
CALL = one_call((1_500, 3_000), (600, 1_200))


asked_of = where_there("wishes?={cell}#wishes")
"""What a person asked of a text, where there is something."""


@dataclass(frozen=True)
class RewriteTask(WrappedTask):
    """The task ``own`` of a cell with what a person asked of its text.

    Where something new was asked, the text in use is rewritten, in one call. Where an input changed
    instead, ``own`` makes the text again, and that is rewritten: what was asked holds until it is
    taken back.
    """

    kind: CellKind
    tools: ServiceSet | None = None

    @property
    def prompts(self) -> tuple[str, ...]:
        return (*self.own.prompts, PROMPT)

    def reads(self, state: State, address: str) -> Reads:
        fields = " ".join(field.name for field in self.kind.fields)
        text = of_parents(f"{TEXT_IN_USE}?={{cell}}#{fields}")
        return reading(self.own.reads, asked_of, text)(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return (
            CALL
            if self._to_rewrite(state, address) is not None
            else self.own.cost(state, address) + CALL
        )

    def _to_rewrite(self, state: State, address: str) -> Version | None:
        """The version in use, where something was asked since it was made."""
        version = state.in_use(address)
        name = ref(address, WISHES)
        return (
            version
            if version is not None and version.inputs.get(name) != state.meaning(name)
            else None
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        """Raises CoiError where there is no language model to do it, and ReplyError."""
        version = self._to_rewrite(ctx.state, inputs.address)
        if version is not None:
            shown = {
                name: value for name, value in inputs.fields(TEXT_IN_USE).items() if value != ""
            }
            made = NewVersion(
                inputs.address, {**version.content, **shown}, version.origin, parents=(version.seq,)
            )
            return Result((await self._rewritten(ctx, inputs, made),))
        result = await self.own.run(ctx, inputs)
        ctx.stage += 1
        made_by = [
            await self._rewritten(ctx, inputs, one) if not one.alternative_because else one
            for one in result.made
        ]
        return replace(result, made=tuple(made_by))

    async def _rewritten(self, ctx: Context, inputs: Inputs, made: NewVersion) -> NewVersion:
        """The same with its text as it was asked for. A part that the reply leaves out stays."""
        services, kind, address = MethodTask(self.tools).services(ctx), self.kind, inputs.address

        def content_of(reply: Rewritten) -> Fields:
            return from_text(kind, address, reply.text, made.content)

        def problem(reply: Rewritten) -> str | None:
            try:
                content_of(reply)
            except UsageError as error:
                return error.message
            return None

        texts = [_text(made.content.get(field.name)) for field in kind.fields]
        values = {
            "material": material(inputs),
            "kind": kind.title.lower(),
            "text": to_text(kind, made.content),
            "parts": [
                {"name": field.name, "form": field.form, "words": len(text.split())}
                for field, text in zip(kind.fields, texts, strict=True)
            ]
            if len(texts) > 1
            else [],
            "wishes": inputs.one(WISHES),
        }
        asked = await services.ask(PROMPT, values, Rewritten, problem)
        return replace(
            made,
            content=content_of(asked.value),
            origin=services.origin,
            recipe={**made.recipe, **asked.recipe},
        )


def material(inputs: Inputs) -> dict[str, list[str]]:
    """What the text is made from, by the names that its task gives to that."""
    names = dict.fromkeys(
        read.name for read in inputs.reads if (read.once or not read.parent) and read.name != WISHES
    )
    found = {
        name: [text for _, value in inputs.all(name) if (text := _text(value)[:MOST_CHARS])]
        for name in names
    }
    return {name.replace("_", " "): texts for name, texts in found.items() if texts}


def _text(value: Any) -> str:
    if isinstance(value, Paper):
        return f"{value.title} ({value.year or 'n.d.'}). {value.abstract or ''}"
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {text}" for name, one in value.items() if (text := _text(one)))
    if isinstance(value, list | tuple):
        return "; ".join(filter(None, map(_text, value)))
    return str(value or "")
